"""What there is to say of five in a row: views, reasons and threats of moves, and what mistakes overlooked.

It uses the patterns of `ai.gomoku.kernels`, read in plain Python: one position needs no compiled kernels. A shape is
what a stone makes in one line (`SHAPES`), a threat what it makes in all lines together (`THREATS`). `why` asks one
function after the other for an explanation: each returns a `Why` of the kinds that its docstring begins with, or None
if they do not apply. There the better move is `mistake.best`, the best reply the other side's next move in best play.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ai.gomoku.kernels import patterns as p
from ai.gomoku.shape_board import DIRECTIONS, ShapeBoard
from ai.review.judgement import proves
from ai.review.report import SHAPES, WINNING, Reason, View, proof
from ai.review.why import HOPELESS, Mistake, Why, already_lost, first_reason, proven_reason
from games import renju
from games.evaluation import Evaluation
from games.line import EMPTY, LinePosition
from games.position import FIRST, Position, played

_REACH = 5  # from one end of an open four to the other
_SHAPE = {
    p.F5: "five", p.F4: "open_four", p.DOUBLE_B4: "double_four", p.B4: "four",
    p.F3: "open_three", p.F3_STRONG: "open_three", p.B3: "three", p.F2: "open_two", p.F2_STRONG: "open_two",
}  # fmt: skip
_STANDING = {
    "five": "four", "open_four": "open_three", "double_four": "three", "four": "three", "open_three": "open_two",
}  # fmt: skip
"""The shape on the board that one more stone turns into another."""
_CLASS = {
    p.FIVE: "five", p.FOUR_THREE: "four_three", p.FOUR: "four", p.FOUR_PLUS: "four", p.THREE_THREE: "double_three",
    p.THREE: "open_three", p.THREE_PLUS: "open_three", p.BLOCKED_THREE: "three",
}  # fmt: skip


def view(position: Position, evaluation: Evaluation | None) -> View | None:
    """Return a forced win, or else a double threat of either side; None if there is neither."""
    sides = (position.turn, 1 - position.turn)
    threats = (View("double_threat", side) for side in sides if double_threat(position, side))
    return proof(position, evaluation) or next(threats, None)


def reason(position: Position, move: int) -> Reason:
    """Return which shapes a stone of the side to move would make and block on the empty cell `move`."""
    board = _Board.of(position)
    side = position.turn
    made = [_SHAPE[pattern] for pattern in board.patterns(move, side) if pattern in _SHAPE]
    after = board.with_stone(move, side)
    blocked = []
    for direction in range(len(DIRECTIONS)):
        before, left = (one.strongest(move, direction, 1 - side) for one in (board, after))
        if before in _STANDING and (left is None or SHAPES.index(left) > SHAPES.index(before)):
            blocked.append(_STANDING[before])
    return Reason(_strongest_first(["five"] if "five" in made else made), _strongest_first(blocked))


def has_shape(position: Position, cell: int, side: int, shape: str) -> bool:
    """Return whether `side` has a `shape` on the board in a line through `cell`, at most `_REACH` cells from it."""
    board = _Board.of(position)
    shapes = (board.strongest(cell, direction, side) for direction in range(len(DIRECTIONS)))
    return any(_STANDING.get(found or "") == shape for found in shapes)


def threats(position: Position, side: int) -> dict[int, str]:
    """Return what a stone of `side` would make on each empty cell, one of `THREATS`; without cells where that is
    nothing."""
    if position.outcome is not None:
        return {}
    board = _Board.of(position)
    found = ((cell, board.threat(cell, side)) for cell, stone in enumerate(board.cells) if stone == EMPTY)
    return {cell: threat for cell, threat in found if threat is not None}


def threat(position: Position, cell: int, side: int) -> str | None:
    """Return what a stone of `side` would make on the empty `cell`, one of `THREATS`; None for nothing."""
    return _Board.of(position).threat(cell, side)


def double_threat(position: Position, side: int) -> bool:
    """Return whether `side` threatens to win in two ways, by fours and open threes on the board.

    A single move does not answer both, except on a cell that both need. The game must go on.
    """
    board = _Board.of(position)
    fives, open_fours = set(), set()
    for cell, stone in enumerate(board.cells):
        if stone == EMPTY and board.threat(cell, side) != "forbidden":
            shapes = [_SHAPE.get(pattern) for pattern in board.patterns(cell, side)]
            if "five" in shapes:
                fives.add(cell)
            open_fours |= {board.line(cell, d) for d, shape in enumerate(shapes) if shape == "open_four"}
    fours = {board.line(cell, direction) for cell in fives for direction in board.directions(cell, side, "five")}
    return len(fives) > 1 or len(fours | open_fours) > 1


class _Board(ShapeBoard):
    """A board of five in a row, with shapes and threats by their names in `ai.review.report`."""

    __slots__ = ()

    def directions(self, cell: int, side: int, shape: str) -> Iterator[int]:
        """Yield the directions in which a stone of `side` on `cell` would make `shape`."""
        for direction, pattern in enumerate(self.patterns(cell, side)):
            if _SHAPE.get(pattern) == shape:
                yield direction

    def line(self, cell: int, direction: int) -> tuple[int, int]:
        """Return what identifies the line through `cell` in a direction."""
        row, column = divmod(cell, self.width)
        return direction, (row, column, row - column, row + column)[direction]

    def strongest(self, cell: int, direction: int, side: int) -> str | None:
        """Return the strongest shape that one stone of `side` would make in the line through `cell`, near it; None for
        none."""
        near = [other for other in (cell, *self.around(cell, direction, _REACH)) if other >= 0]
        empty = [other for other in near if self.cells[other] == EMPTY]
        shapes = [_SHAPE.get(self.pattern(other, direction, side)) for other in empty]
        return min((shape for shape in shapes if shape is not None), key=SHAPES.index, default=None)

    def threat(self, cell: int, side: int) -> str | None:
        """Return what a stone of `side` on the empty `cell` would make, one of `THREATS`; None for less."""
        patterns = self.patterns(cell, side)
        suspect = self.rule == p.RENJU and side == FIRST and p.class_of(patterns, True) in (p.FORBIDDEN, p.PERHAPS)
        if suspect and renju.forbidden(self.cells, self.width, self.height, cell) is not None:
            return "forbidden"
        found = p.class_of(patterns, False)
        if found == p.OPEN_FOUR:
            return "open_four" if p.F4 in patterns else "double_four"
        return _CLASS.get(found)


def _strongest_first(shapes: Sequence[str]) -> tuple[str, ...]:
    """Return the shapes sorted, strongest first."""
    return tuple(sorted(shapes, key=SHAPES.index))


# What a mistake at five in a row overlooked: what wins, what was needed, what refutes it, and what is better.


_FAR = 3
"""Lines from the nearest stone at which a stone is far from all of them."""

_FOURS = {"five", "open_four", "double_four", "four"}
"""What a move by fours makes."""

_FORCING = ("four", "open_three")
"""What has to be answered at once."""

_BY_WEIGHT = ("four_three", "double_four", "double_three", "open_four")
"""What wins unless it is answered at once, the hardest to see first: an open four is what an open three threatens."""


_SOON = 9
"""Plies of best play in which a threat has to come about that is said to be led to."""

_ATTACK = 13
"""Plies of best play in which a three or a four has to come about that is called an attack."""

_OPENING = 6
"""Stones on the board up to which the words of the opening are used."""


def why(mistake: Mistake) -> Why | None:
    """Return the first explanation of the mistake that is true; None if none is.

    Explanations by shapes alone, which do not explain a loss, are for inaccuracies only.
    """
    causes = (already_lost, _win_at_once, _ignores, _allows, _proven_win, _threatens, _leads)
    grave, slight = (_opening, _attacks, _reply_reason), (_wastes, _opening, _yields, _overlooks, _strays)
    rest = grave if mistake.grave else slight
    return first_reason(find(mistake) for find in (*causes, *rest))


# Each finder of `why` returns a `Why` of the kinds that its docstring begins with, or None where they do not hold.


def _cells_making(position: Position, side: int, wanted: str) -> list[int]:
    """Return the cells on which a stone of `side` makes `wanted`, one of `THREATS`."""
    return [cell for cell, shape in threats(position, side).items() if shape == wanted]


def _win_at_once(mistake: Mistake) -> Why | None:
    """``win_at_once``: the side that moved could make five."""
    fives = _cells_making(mistake.position, mistake.side, "five")
    still = mistake.after is not None and proves(mistake.after, mistake.side)
    return Why("win_at_once", fives[0], seems=still) if fives and mistake.played not in fives else None


def _ignores(mistake: Mistake) -> Why | None:
    """``ignores``: the move does not answer a four or an open three of the other side that could be answered.

    Return None if a four has two ways to win. For an open three, return None too if the move makes a four, or if the
    better move does not answer it at once.
    """
    before, after, other = mistake.position, mistake.reached, 1 - mistake.side
    if after.outcome is not None:
        return None
    fives = _cells_making(before, other, "five")
    if fives:
        return Why("ignores", fives[0], "four") if len(fives) == 1 and mistake.played != fives[0] else None
    fours = _open_fours(after, other)
    if _makes_four(before, mistake.played) or not _open_fours(before, other) or not fours:
        return None
    answered = before.play(mistake.best)
    if answered.outcome is None and (_makes_four(before, mistake.best) or _open_fours(answered, other)):
        return None  # the better move does not answer it, or not at once
    where, hopeless = _best_cell(mistake.after, fours), mistake.won <= HOPELESS
    return Why("ignores", mistake.best, "open_three", where=where, seems=hopeless)


def _best_cell(known: Evaluation | None, cells: list[int]) -> int:
    """Return the first move of the line in `known`, if it is one of `cells`, otherwise the first of these."""
    begun = known.line[:1] if known is not None else ()
    return begun[0] if begun and begun[0] in cells else cells[0]


def _open_fours(position: Position, side: int) -> list[int]:
    """Return the cells on which a stone of `side` makes an open four."""
    return _cells_making(position, side, "open_four")


def _makes_four(position: Position, move: int) -> bool:
    """Return whether a move makes a four of any kind, or five."""
    return not _FOURS.isdisjoint(reason(position, move).makes)


def _allows(mistake: Mistake) -> Why | None:
    """``allows``: the other side is proven to win, and its first move makes a shape that wins unless it is answered."""
    after, known = mistake.reached, mistake.after
    if after.outcome is not None or known is None or not known.line or not proves(known, 1 - mistake.side):
        return None
    shape = threats(after, 1 - mistake.side).get(known.line[0], "")
    if shape not in WINNING or shape == "five" or mistake.won <= HOPELESS:
        return None
    return _with_defence(mistake, Why("allows", known.line[0], shape, known.line, holds=mistake.best))


def _proven_win(mistake: Mistake) -> Why | None:
    """The kinds of `proven_reason`, with the move that decides in `where` and `shape`, and whether it wins by fours
    only."""
    found = proven_reason(mistake)
    if found is None or not found.line:
        return found
    start = mistake.reached if found.refutes else mistake.position
    decided = _deciding_move(start, found.line, start.turn)
    if decided is not None and decided[0] != found.move:
        found = replace(found, where=decided[0], shape=decided[1])
    return _with_defence(mistake, replace(found, fours=_by_fours(start, found.line)))


def _deciding_move(position: Position, line: tuple[int, ...], side: int) -> tuple[int, str] | None:
    """Return the first move of `line` with which `side` makes a double threat or an open four, and that shape.

    Return None if there is none.
    """
    for before, move in played(position, line):
        if before.turn == side and (shape := _winning_shape(before, move, side)):
            return move, shape
    return None


def _winning_shape(position: Position, cell: int, side: int) -> str:
    """Return the shape of `WINNING`, except five, that a stone of `side` on `cell` makes; empty if it makes none."""
    shape = threat(position, cell, side)
    return shape if shape in WINNING and shape != "five" else ""


def _with_defence(mistake: Mistake, found: Why) -> Why:
    """Return `found`, with the better move as `stopped` if it takes a cell that the other side needs for its line.

    Only the line up to the move that decides counts.
    """
    if not found.refutes:
        return found
    last = found.move if found.where is None else found.where
    needed: list[int] = []
    for before, move in played(mistake.reached, found.line):
        needed += [move] if before.turn != mistake.side else []
        if move == last:
            break
    return replace(found, stopped=mistake.best) if mistake.best in (*needed, last) else found


def _by_fours(position: Position, line: tuple[int, ...]) -> bool:
    """Return whether `line` ends the game, and each move of the side to move in it makes a four or five."""
    side = position.turn
    for move in line:
        if position.outcome is not None or move not in position.legal_moves():
            return False
        if position.turn == side and not _makes_four(position, move):
            return False
        position = position.play(move)
    return position.outcome is not None


# Where nothing is proven.


def _is_unproven(mistake: Mistake) -> bool:
    """Return whether the game goes on after the move, and both positions around it were searched without a proof."""
    known = (mistake.before, mistake.after)
    return mistake.reached.outcome is None and all(each is not None and each.mate is None for each in known)


def _best_line(mistake: Mistake) -> tuple[int, ...]:
    """Return best play after the move; empty if it is not known, or if something is proven."""
    line = mistake.after.line if mistake.after is not None else ()
    return line if line and _is_unproven(mistake) and line[0] in mistake.reached.legal_moves() else ()


def _best_reply(mistake: Mistake) -> int | None:
    """Return the best reply of the other side; None if it is not known, or if something is proven."""
    return next(iter(_best_line(mistake)), None)


def _threatens(mistake: Mistake) -> Why | None:
    """``threatens``: the best reply threatens to make a double threat or an open four, which was no threat before."""
    line, other = _best_line(mistake), 1 - mistake.side
    if not line:
        return None
    followed = mistake.reached.play(line[0])
    if followed.outcome is not None:
        return None
    old, new = (_winning_cells(position, other) for position in (mistake.reached, followed))
    new = {cell: shape for cell, shape in new.items() if cell not in old}
    where = min(new, key=lambda cell: (_BY_WEIGHT.index(new[cell]), cell), default=None)
    if where is None:
        return None
    return _with_prevention(mistake, Why("threatens", line[0], new[where], line, where=where))


def _leads(mistake: Mistake) -> Why | None:
    """``leads``: in the first `_SOON` plies of best play the other side makes a double threat or an open four."""
    line = _best_line(mistake)[:_SOON]
    decided = _deciding_move(mistake.reached, line, 1 - mistake.side)
    if decided is None:
        return None
    where, shape = decided
    return _with_defence(mistake, Why("leads", line[0], shape, line[: line.index(where) + 1], where=where))


def _attacks(mistake: Mistake) -> Why | None:
    """``attacks``: early in best play the other side makes a four or an open three, after its first reply."""
    line = _best_line(mistake)[:_ATTACK]
    for number, (before, move) in enumerate(played(mistake.reached, line)):
        shape = next((shape for shape in reason(before, move).makes if shape in _FORCING), None)
        if number and before.turn != mistake.side and shape is not None:
            return _with_defence(mistake, Why("attacks", line[0], shape, line[: number + 1], where=move))
    return None


def _winning_cells(position: Position, side: int) -> dict[int, str]:
    """Return the cells on which a stone of `side` makes a shape of `_BY_WEIGHT`, with that shape."""
    found = threats(position, side)
    return {cell: shape for cell, shape in found.items() if shape in _BY_WEIGHT}


def _with_prevention(mistake: Mistake, found: Why) -> Why:
    """Return `found`, a threat made by the best reply, with the better move as `stopped` if it prevents that threat."""
    answered, other = mistake.position.play(mistake.best), 1 - mistake.side
    if mistake.best in (found.move, found.where):
        return replace(found, stopped=mistake.best)
    if answered.outcome is not None or found.move not in answered.legal_moves() or found.where is None:
        return found
    followed = answered.play(found.move)
    held = followed.outcome is None and not _winning_shape(followed, found.where, other)
    return replace(found, stopped=mistake.best) if held else found


def _opening(mistake: Mistake) -> Why | None:
    """``far``: in the opening, the move is far from all stones.

    ``centre``: there the best reply and the better move are both nearer to the centre than the move.
    """
    reply, position = _best_reply(mistake), mistake.position
    assert isinstance(position, LinePosition)
    if reply is None or len(position.cells) - position.cells.count(EMPTY) > _OPENING:
        return None
    distance, best = _distance(position, mistake.played), _distance(position, mistake.best)
    if distance >= _FAR and best < distance:
        return Why("far", reply, count=distance)
    ours, theirs, better = (_from_centre(position, cell) for cell in (mistake.played, reply, mistake.best))
    return Why("centre", reply) if max(theirs, better) < ours else None


def _from_centre(position: LinePosition, cell: int) -> int:
    """Return the lines between `cell` and the centre."""
    row, column = divmod(cell, position.rules.width)
    return max(abs(row - position.rules.height // 2), abs(column - position.rules.width // 2))


def _reply_reason(mistake: Mistake) -> Why | None:
    """``answered``: the best reply makes or blocks a shape."""
    line = _best_line(mistake)
    return Why("answered", line[0], line=line) if line and reason(mistake.reached, line[0]) != Reason() else None


def _wastes(mistake: Mistake) -> Why | None:
    """``wastes``: the move makes a four or an open three that the best reply blocks, and the better move does not."""
    played, reply = mistake.played, _best_reply(mistake)
    for shape in ("four", "open_three"):
        made, better = (shape in reason(mistake.position, move).makes for move in (played, mistake.best))
        if made and reply is not None:
            blocked = not has_shape(mistake.reached.play(reply), played, mistake.side, shape)
            return Why("wastes", reply, shape) if blocked and not better else None
    return None


def _yields(mistake: Mistake) -> Why | None:
    """``yields``: the best reply is the better move, or makes an open three or two open twos that the better move
    prevents."""
    reply = _best_reply(mistake)
    if reply is None:
        return None
    gets = reason(mistake.reached, reply).notable
    if reply == mistake.best:
        return Why("yields", reply) if gets != Reason() and "four" not in gets.blocks else None
    gets = Reason(gets.makes)
    if not gets.beats(Reason(("open_two",))):
        return None
    answered = mistake.position.play(mistake.best)
    denied = answered.outcome is None and gets.beats(Reason(reason(answered, reply).notable.makes))
    return Why("yields", reply) if denied else None


def _overlooks(mistake: Mistake) -> Why | None:
    """``overlooks``: the better move makes and blocks more than the move."""
    better, played = (reason(mistake.position, move).notable for move in (mistake.best, mistake.played))
    return Why("overlooks", mistake.best) if _is_unproven(mistake) and better.beats(played) else None


def _strays(mistake: Mistake) -> Why | None:
    """``strays``: the move makes and blocks nothing and is far from all stones."""
    far, near = (_distance(mistake.position, move) for move in (mistake.played, mistake.best))
    idle = reason(mistake.position, mistake.played) == Reason()
    strays = _is_unproven(mistake) and idle and far >= _FAR and near < far
    return Why("strays", mistake.best, count=far) if strays else None


def _distance(position: Position, cell: int) -> int:
    """Return the lines between `cell` and the nearest stone; 0 on an empty board."""
    assert isinstance(position, LinePosition)
    places = [divmod(each, position.rules.width) for each, stone in enumerate(position.cells) if stone != EMPTY]
    row, column = divmod(cell, position.rules.width)
    return min((max(abs(row - down), abs(column - right)) for down, right in places), default=0)
