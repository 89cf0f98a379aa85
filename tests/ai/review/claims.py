"""Prove what is said of a mistake by the rules alone, where that is possible.

Nothing here uses the patterns of the engine: shapes are found on a `PlainBoard`, and forced wins by trying every reply
that does not lose at once.
"""

from __future__ import annotations

from ai.review.report import Reason
from ai.review.why import Mistake, Why
from games.bones import MOST_TAKEN, BonesPosition
from games.line import LinePosition
from games.position import Position, played
from tests.ai.review.plain_board import FOURS, PlainBoard

_FORCED = 5  # plies of a forced win of a small game that is searched plainly
_MOST_FOURS = 12  # own moves of a win by fours


def holds(mistake: Mistake, why: Why) -> bool | None:
    """Return whether the claim is true; None where the rules alone do not decide."""
    before, after = mistake.position, mistake.reached
    match why.kind:
        case "win_at_once":
            return why.move in wins(before) and mistake.played not in wins(before)
        case "leaves":
            assert isinstance(before, BonesPosition)
            unit = MOST_TAKEN + 1
            return why.move == unit and why.count == before.left - mistake.played and 0 not in (
                before.left % unit, why.count % unit,
            )  # fmt: skip
        case "opens":
            under = before.game != "connect4" or why.move == mistake.played  # as its sentence says
            held = any(not wins(before.play(move)) for move in before.legal_moves())
            return under and held and why.move in wins(after)
        case "forks":
            forked = after.play(why.move)
            ends = {reply: wins(forked.play(reply)) for reply in forked.legal_moves()}
            threats = set.intersection(*(found | {reply} for reply, found in ends.items()))
            return not wins(forked) and all(ends.values()) and len(threats) > 1
        case "ignores" if why.shape == "open_three":
            return _ignores_three(mistake, why.move)
        case "ignores":
            return why.move in wins(after) and not wins(before.play(why.move))
        case "allows":
            return (True if _wins_by_fours(after, why.move) else None) if _has(after, why) else False
        case "misses" | "may_miss" | "loses" | "hastens":
            start = after if why.refutes else before
            return _forced(start, why) if _meets(start, why) else False
        case "leads" | "attacks":
            return _meets(after, why)
        case "threatens":
            assert why.where is not None
            reached = PlainBoard.of(after).put(why.move, 1 - mistake.side)
            return _makes(reached, why.where, 1 - mistake.side, why.shape)
        case "far" | "centre" | "answered" | "wastes" | "yields" | "overlooks" | "strays":
            return _positional(mistake, why)
    return None


def wins(position: Position) -> set[int]:
    """Return the moves with which the side to move wins at once."""
    if position.outcome is not None:
        return set()
    if isinstance(position, LinePosition) and position.game == "gomoku":
        return PlainBoard.of(position).fives(position.turn)
    reached = ((move, position.play(move).outcome) for move in position.legal_moves())
    return {move for move, outcome in reached if outcome is not None and outcome.winner == position.turn}


def _ignores_three(mistake: Mistake, needed: int) -> bool:
    """Whether an open four of the other side wins after the move, and not after the `needed` one."""
    board, other = PlainBoard.of(mistake.position), 1 - mistake.side
    after, answered = (board.put(move, mistake.side) for move in (mistake.played, needed))
    lost = any(not after.put(four, other).fives(mistake.side) for four in after.open_fours(other))
    held = not answered.open_fours(other) or bool(answered.fives(mistake.side))
    return bool(board.open_fours(other)) and lost and not after.fives(mistake.side) and held


def _has(position: Position, why: Why) -> bool:
    """Whether the side to move makes the shape of `why` with its move."""
    return _makes(PlainBoard.of(position), why.move, position.turn, why.shape)


def _meets(position: Position, why: Why) -> bool:
    """Whether the line of `why` leads the side to move to its shape where it says; true if it says nothing of that."""
    if why.where is None:
        return True
    side = position.turn
    for before, move in played(position, why.line):
        if move == why.where:
            return before.turn == side and _makes(PlainBoard.of(before), move, side, why.shape)
    return False


def _makes(board: PlainBoard, cell: int, side: int, shape: str) -> bool:
    """Whether `side` makes the shape on the empty `cell`."""
    found = board.shapes(cell, side)
    fours = sum(each in FOURS for each in found)
    match shape:
        case "four_three":
            return fours >= 1 and "open_three" in found
        case "double_three":
            return found.count("open_three") >= 2
        case "double_four":
            return fours >= 2 or "double_four" in found
    return shape in found


def _forced(position: Position, why: Why) -> bool | None:
    """Whether the side to move wins by the move of `why`, in as many of its moves as it says."""
    if position.game == "gomoku":
        if why.fours:
            return _line_by_fours(position, why.line) == why.count
        return True if _wins_by_fours(position, why.move, why.count) else None
    plies = 2 * why.count - 1
    solved = plies <= _FORCED or position.game == "tictactoe"
    return wins_within(position.play(why.move), plies - 1, position.turn) if solved else None


def wins_within(position: Position, plies: int, side: int) -> bool:
    """Whether `side` wins within so many plies, by trying all moves."""
    if position.outcome is not None:
        return position.outcome.winner == side
    if plies == 0:
        return False
    found = (wins_within(position.play(move), plies - 1, side) for move in position.legal_moves())
    return any(found) if position.turn == side else all(found)


def _line_by_fours(position: Position, line: tuple[int, ...]) -> int | None:
    """Return the own moves of a `line` in which each is a four, all replies to which are tried, and the last one five;
    None for any other line."""
    board, side = PlainBoard.of(position), position.turn
    for number, move in enumerate(line):
        if number % 2:
            board = board.put(move, 1 - side)
        elif not board.legal(move, side):
            return None
        elif move in board.fives(side):
            return number // 2 + 1
        else:
            board = board.put(move, side)
            ends = board.fives(side)
            others = ends - {line[number + 1]} if number + 1 < len(line) else ends
            held = any(not board.put(end, 1 - side).fives(side) for end in others if board.legal(end, 1 - side))
            if not ends or board.fives(1 - side) or held:
                return None
    return None


def _wins_by_fours(position: Position, move: int, moves: int = _MOST_FOURS) -> bool:
    """Whether the side to move wins by `move` and fours, in so many of its moves."""
    board, side = PlainBoard.of(position), position.turn
    nodes = [2_000]
    return board.legal(move, side) and any(_four(board, move, side, n, nodes) for n in range(1, moves + 1))


def _by_fours(board: PlainBoard, side: int, moves: int, nodes: list[int]) -> bool:
    """Whether `side` wins by fours within so many of its moves."""
    if board.fives(side):
        return moves > 0
    urgent = board.fives(1 - side)
    nodes[0] -= 1
    if moves < 2 or len(urgent) > 1 or nodes[0] < 0:
        return False
    tried = urgent or {cell for cell in board.near() if not FOURS.isdisjoint(board.shapes(cell, side))}
    return any(_four(board, cell, side, moves, nodes) for cell in tried if board.legal(cell, side))


def _four(board: PlainBoard, cell: int, side: int, moves: int, nodes: list[int]) -> bool:
    """Whether `cell` is five, or a four to which each reply loses by fours."""
    if cell in board.fives(side):
        return True
    board = board.put(cell, side)
    ends = board.fives(side)
    if not ends or board.fives(1 - side):
        return False
    replies = [board.put(end, 1 - side) for end in ends if board.legal(end, 1 - side)]
    return all(_by_fours(reply, side, moves - 1, nodes) for reply in replies)


# Shapes.


def _positional(mistake: Mistake, why: Why) -> bool:
    before, after = PlainBoard.of(mistake.position), PlainBoard.of(mistake.reached)
    side, other, chosen, best = mistake.side, 1 - mistake.side, mistake.played, mistake.best
    match why.kind:
        case "wastes":
            made, better = (why.shape in before.shapes(move, side) for move in (chosen, best))
            blocked = after.put(why.move, other)
            left = [blocked.shape(chosen, direction, side) for direction in range(4)]
            return made and not better and why.shape not in left
        case "yields":
            if why.move == best:
                return after.reason(best, other) != Reason()
            kept = before.put(best, side).makes(why.move, other)
            return Reason(after.makes(why.move, other)).notable.beats(Reason(kept).notable)
        case "answered":
            return after.reason(why.move, other) != Reason()
        case "centre":
            places = [_from_centre(mistake.position, cell) for cell in (why.move, best, chosen)]
            return max(places[:2]) < places[2]
        case "far":
            return before.distance(best) < before.distance(chosen) == why.count
        case "overlooks":
            return before.reason(best, side).notable.beats(before.reason(chosen, side).notable)
    near, far = before.distance(best), before.distance(chosen)
    return near < far == why.count and not any(before.shapes(chosen, side))


def _from_centre(position: Position, cell: int) -> int:
    """How many half lines `cell` is from the centre."""
    assert isinstance(position, LinePosition)
    row, column = divmod(cell, position.rules.width)
    return max(abs(2 * row - position.rules.height + 1), abs(2 * column - position.rules.width + 1))
