"""What there is to see in a position: threats that must be answered and wins that can be taken, by kind.

The first of them are found by playing the moves of any game, those of gomoku by its patterns. `TACTICS` has an entry
for each game, with working defaults.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from ai.core.player import Info, Limit, answer
from ai.core.score import Score, curve_of
from ai.gomoku.kernels import patterns as p
from ai.gomoku.shape_board import DIRECTIONS, ShapeBoard
from ai.search.alphabeta import AlphaBeta
from ai.search.proving import forks_of, wins_of
from games.bones import MOST_TAKEN, BonesPosition
from games.connect4 import WIDTH
from games.line import EMPTY, STONES
from games.position import Outcome, Position, own_plans

WIN, BLOCK, OPENS = "win", "block", "opens"
FORK, FORK_BLOCK = "fork", "fork_block"


@dataclass(frozen=True, slots=True)
class Chance:
    """Something that the side to move sees or overlooks: its `kind`, and the `moves` of one who sees it."""

    kind: str
    moves: frozenset[int]


def at_once(position: Position, name: Callable[[Outcome], str] = lambda _end: BLOCK) -> Iterator[Chance]:
    """Yield a win at once, and what prevents the other side's: a threat that stands, called `name` of its outcome, or
    else a move that would open a win."""
    wins = wins_of(position)
    if wins:
        yield Chance(WIN, frozenset(wins))
    losing: dict[int, dict[int, Outcome]] = {}
    legal = position.legal_moves()
    for move in legal:
        after = position.play(move)
        if after.turn != position.turn and (replies := wins_of(after)):
            losing[move] = replies
    safe = frozenset(legal) - losing.keys()
    if safe and losing:
        standing = _standing(losing, len(legal) == 2)
        yield Chance(OPENS if standing is None else name(standing), safe)


def _standing(losing: Mapping[int, Mapping[int, Outcome]], only_two: bool) -> Outcome | None:
    """Return how the other side wins by a move that it has after several moves, if there is one.

    With `only_two` legal moves, one of which loses, there are not several. Then any other move than the losing one
    wins without its help.
    """
    seen: set[int] = set()
    for move, replies in losing.items():
        for reply, end in replies.items():
            if reply in seen or (only_two and reply != move):
                return end
        seen |= replies.keys()
    return None


def with_forks(position: Position) -> Iterator[Chance]:
    """Yield what can be seen at once; where that is nothing, two threats at once that one side can make next: for games
    as small as tic-tac-toe, where no move opens a point."""
    found = tuple(Chance(BLOCK if each.kind == OPENS else each.kind, each.moves) for each in at_once(position))
    yield from found
    if found:
        return
    own = frozenset(forks_of(position))
    if own:
        yield Chance(FORK, own)
    legal = frozenset(position.legal_moves())
    safe = frozenset(move for move in legal if not forks_of(position.play(move)))
    if safe and safe != legal:
        yield Chance(FORK_BLOCK, safe)


# What there is to see at five in a row, by the patterns of the engine: fours, threes and double threats.
#
# A three or a four is broken if the point that completes it lies between its stones.


FOUR, BROKEN_FOUR = "four", "broken_four"
ATTACK = "attack"
THREE, BROKEN_THREE, DOUBLE = "three", "broken_three", "double"

_FOURS = (p.B4, p.DOUBLE_B4, p.F4)
_WINNING = (p.FOUR_THREE, p.OPEN_FOUR)
_REACH = 5


@dataclass(frozen=True, slots=True)
class _Side:
    """The points of one side: those that make five, and an open four, each with its direction; those that make a four
    and a three or two fours (`double`), any four (`fours`), and two fives possible at once (`wins`)."""

    fives: tuple[tuple[int, int], ...]
    open_fours: tuple[tuple[int, int], ...]
    double: tuple[int, ...]
    fours: tuple[int, ...]
    wins: tuple[int, ...]


def gomoku_chances(position: Position) -> Iterator[Chance]:
    """Yield what the side to move can see, most urgent first."""
    board, side = ShapeBoard.of(position), position.turn
    near = _near(board)
    own, other = _side(board, side, near), _side(board, 1 - side, near)
    legal = frozenset(position.legal_moves())
    for kind, moves in _kinds(board, side, own, other):
        if moves := moves & legal:
            yield Chance(kind, moves)


def _kinds(board: ShapeBoard, side: int, own: _Side, other: _Side) -> Iterator[tuple[str, frozenset[int]]]:
    """Yield, most urgent first, each kind of tactics of the position and the moves that do not overlook it."""
    if own.fives:
        yield WIN, frozenset(cell for cell, _ in own.fives)
    fives = frozenset(cell for cell, _ in other.fives)
    if fives:
        broken = all(_between(board, cell, direction, 1 - side) for cell, direction in other.fives)
        yield BROKEN_FOUR if broken else FOUR, fives
    forcing = frozenset(own.fours)
    if own.wins:
        yield ATTACK, forcing  # another four first gives nothing away
    if other.open_fours:
        broken = any(_between(board, cell, direction, 1 - side) for cell, direction in other.open_fours)
        yield BROKEN_THREE if broken else THREE, _answers_to_threes(board, side, other) | forcing
    elif other.double:
        yield DOUBLE, _denials(board, side, other) | forcing


def _near(board: ShapeBoard) -> list[int]:
    """Return the empty cells at most two lines from a stone."""
    places = [divmod(cell, board.width) for cell, stone in enumerate(board.cells) if stone != EMPTY]
    steps = range(-2, 3)
    around = {(row + down, column + right) for row, column in places for down in steps for right in steps}
    cells = (r * board.width + c for r, c in around if 0 <= r < board.height and 0 <= c < board.width)
    return sorted(cell for cell in cells if board.cells[cell] == EMPTY)


def _side(board: ShapeBoard, side: int, cells: list[int]) -> _Side:
    """Classify what a stone of `side` on each of `cells` makes."""
    fives, open_fours, double, fours, wins = [], [], [], [], []
    for cell in cells:
        patterns = board.patterns(cell, side)
        fives += [(cell, direction) for direction, made in enumerate(patterns) if made == p.F5]
        open_fours += [(cell, direction) for direction, made in enumerate(patterns) if made == p.F4]
        if any(made in _FOURS for made in patterns):
            made, straight = p.class_of(patterns, False), p.F4 in patterns
            fours.append(cell)
            double += [cell] if made in _WINNING and not straight else []
            wins += [cell] if made == p.OPEN_FOUR else []
    return _Side(tuple(fives), tuple(open_fours), tuple(double), tuple(fours), tuple(wins))


def _between(board: ShapeBoard, cell: int, direction: int, side: int) -> bool:
    """Whether both neighbours of `cell` in a line are stones of `side`."""
    return all(other >= 0 and board.cells[other] == STONES[side] for other in board.around(cell, direction, 1))


def _answers_to_threes(board: ShapeBoard, side: int, other: _Side) -> frozenset[int]:
    """Return the cells where a stone of `side` stops every open four that the other side could make next.

    Fours of `side` do not count. Empty if there is nothing to stop.
    """

    def answered(after: ShapeBoard, move: int) -> bool:
        """Return whether the stone at `move`, set in `after`, leaves no open four."""
        left = ((cell, direction) for cell, direction in other.open_fours if cell != move)
        return all(after.pattern(cell, direction, 1 - side) != p.F4 for cell, direction in left)

    lines = {cell for at, direction in other.open_fours for cell in (at, *board.around(at, direction, _REACH))}
    return frozenset(cell for cell in lines if _free(board, cell) and answered(board.with_stone(cell, side), cell))


def _denials(board: ShapeBoard, side: int, other: _Side) -> frozenset[int]:
    """Return the cells where a stone of `side` leaves none of the other side's points that make two threats."""

    def denied(after: ShapeBoard, move: int) -> bool:
        """Return whether the stone at `move`, set in `after`, leaves no point that makes two threats."""
        left = (cell for cell in other.double if cell != move)
        return all(p.class_of(after.patterns(cell, 1 - side), False) not in _WINNING for cell in left)

    directions = range(len(DIRECTIONS))
    lines = {cell for at in other.double[:1] for way in directions for cell in (at, *board.around(at, way, _REACH))}
    return frozenset(cell for cell in lines if _free(board, cell) and denied(board.with_stone(cell, side), cell))


def _free(board: ShapeBoard, cell: int) -> bool:
    """Whether the cell is on the board and empty."""
    return cell >= 0 and board.cells[cell] == EMPTY


# Win probabilities of moves for a player who looks a few plies ahead: to fit a model, and to play by it.


_FEW = 12
"""Legal moves that are all considered."""

_PLANS = 16
"""Of a game with more moves: those considered for the mover's own sake, besides the candidates."""


def pool(position: Position) -> tuple[int, ...]:
    """Return the moves that a player who may overlook a threat considers."""
    legal = position.legal_moves()
    if len(legal) <= _FEW:
        return tuple(legal)
    return tuple(dict.fromkeys((*position.candidates(), *own_plans(position)[:_PLANS])))


def win_chance(position: Position, score: int) -> float:
    """Return the win probability of the side to move with a `score`, a draw being half a win."""
    mate = Score(score).mate
    return float(mate > 0) if mate is not None else curve_of(position).probability(score, position.ply)


def result(end: Outcome, side: int) -> float:
    """Return the result of a finished game for `side`: 1, 0.5 or 0."""
    return 0.5 if end.winner is None else float(end.winner == side)


def win_chance_by(position: Position, info: Info, side: int) -> float:
    """Return the win probability of `side` in `position` by what a search found."""
    exact_draw = info.mate is None and bool(info.lines) and info.lines[0].exact
    chance = 0.5 if exact_draw else win_chance(position, info.score)
    return chance if position.turn == side else 1 - chance


@lru_cache(maxsize=20_000)
def chance_after(position: Position, move: int, depth: int) -> float:
    """Return the win probability of the side to move after `move`, found by a search of `depth` plies in all."""
    after, side = position.play(move), position.turn
    if (end := after.outcome) is not None:
        return result(end, side)
    if depth > 1:
        return win_chance_by(after, answer(AlphaBeta(), after, Limit(depth=depth - 1)), side)
    chance = win_chance(after, after.evaluate())
    return chance if after.turn == side else 1 - chance


def win_chances(position: Position, moves: frozenset[int], depth: int) -> Mapping[int, float]:
    """Return the win probability after each of `moves`, ascending."""
    return {move: chance_after(position, move, depth) for move in sorted(moves)}


_MULTIPLE = "multiple"
_ROW, _COLUMN, _DIAGONAL = "block_row", "block_column", "block_diagonal"


@dataclass(frozen=True, kw_only=True)
class Tactics:
    """What can be seen or overlooked: the `chances` of a position, most urgent first, and their `kinds`. `depths` are
    the plies that a player may look ahead when it compares moves."""

    chances: Callable[[Position], Iterable[Chance]] = at_once
    kinds: tuple[str, ...] = (WIN, BLOCK, OPENS)
    depths: tuple[int, ...] = (1, 2)


def _bones(position: Position) -> Iterator[Chance]:
    """The chance to leave a multiple of four."""
    assert isinstance(position, BonesPosition)
    if surplus := position.left % (MOST_TAKEN + 1):
        yield Chance(_MULTIPLE, frozenset((surplus,)))


def _line_of(end: Outcome) -> str:
    """The direction of the row that ends a game."""
    step = end.cells[1] - end.cells[0]
    return {1: _ROW, WIDTH: _COLUMN}.get(step, _DIAGONAL)


TACTICS: dict[str, Tactics] = {
    "gomoku": Tactics(
        chances=gomoku_chances,
        kinds=(
            WIN, FOUR, BROKEN_FOUR, ATTACK,
            THREE, BROKEN_THREE, DOUBLE,
        ),
        depths=(1,),
    ),
    "tictactoe": Tactics(chances=with_forks, kinds=(WIN, BLOCK, FORK, FORK_BLOCK)),
    "bones": Tactics(chances=_bones, kinds=(_MULTIPLE,), depths=(1,)),
    "connect4": Tactics(
        chances=lambda position: at_once(position, _line_of),
        kinds=(WIN, _ROW, _COLUMN, _DIAGONAL, OPENS),
        depths=(1, 2, 3, 4),
    ),
}  # fmt: skip


def tactics(game: str) -> Tactics:
    """Return the entry of `game`, or the default."""
    return TACTICS.get(game, Tactics())


@lru_cache(maxsize=4096)
def chances(position: Position) -> tuple[Chance, ...]:
    """Return what the side to move can see in `position`, most urgent first."""
    return tuple(tactics(position.game).chances(position))
