"""What there is to see at five in a row, by the patterns of the engine: fours, threes and double threats.

A three or a four is broken if the point that completes it lies between its stones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ai.gomoku.kernels import patterns as p
from ai.gomoku.shapes import DIRECTIONS, ShapeBoard
from ai.opponent.chances import WIN, Chance
from games.line import EMPTY, STONES
from games.position import Position

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


def chances(position: Position) -> Iterator[Chance]:
    """Yield what the side to move can see, most urgent first."""
    board, side = ShapeBoard.of(position), position.turn
    near = _near(board)
    own, other = _side(board, side, near), _side(board, 1 - side, near)
    legal = frozenset(position.legal_moves())
    for kind, moves in _kinds(board, side, own, other):
        if moves := moves & legal:
            yield Chance(kind, moves)


def _kinds(board: ShapeBoard, side: int, own: _Side, other: _Side) -> Iterator[tuple[str, frozenset[int]]]:
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
        yield BROKEN_THREE if broken else THREE, _answers(board, side, other) | forcing
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


def _answers(board: ShapeBoard, side: int, other: _Side) -> frozenset[int]:
    """Return the cells where a stone of `side` leaves the other side no open four."""

    def answered(after: ShapeBoard, move: int) -> bool:
        left = ((cell, direction) for cell, direction in other.open_fours if cell != move)
        return all(after.pattern(cell, direction, 1 - side) != p.F4 for cell, direction in left)

    lines = {cell for at, direction in other.open_fours for cell in (at, *board.around(at, direction, _REACH))}
    return frozenset(cell for cell in lines if _free(board, cell) and answered(board.with_stone(cell, side), cell))


def _denials(board: ShapeBoard, side: int, other: _Side) -> frozenset[int]:
    """Return the cells where a stone of `side` leaves none of the other side's points that make two threats."""

    def denied(after: ShapeBoard, move: int) -> bool:
        left = (cell for cell in other.double if cell != move)
        return all(p.class_of(after.patterns(cell, 1 - side), False) not in _WINNING for cell in left)

    directions = range(len(DIRECTIONS))
    lines = {cell for at in other.double[:1] for way in directions for cell in (at, *board.around(at, way, _REACH))}
    return frozenset(cell for cell in lines if _free(board, cell) and denied(board.with_stone(cell, side), cell))


def _free(board: ShapeBoard, cell: int) -> bool:
    return cell >= 0 and board.cells[cell] == EMPTY
