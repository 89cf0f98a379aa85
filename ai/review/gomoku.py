"""Views, reasons and threats of five in a row: why a move, what it makes and blocks, and what threatens.

In terms of the patterns of `ai.gomoku.kernels`, read in plain Python: one position needs no compiled kernels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ai.gomoku.kernels import patterns as p
from ai.gomoku.shapes import DIRECTIONS, ShapeBoard
from ai.review.view import SHAPES, Reason, View, proof
from games import renju
from games.evaluation import Evaluation
from games.line import EMPTY
from games.position import FIRST, Position

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
    """Return a forced win, or else a double threat of either side."""
    sides = (position.turn, 1 - position.turn)
    threats = (View("double_threat", side) for side in sides if double_threat(position, side))
    return proof(position, evaluation) or next(threats, None)


def reason(position: Position, move: int) -> Reason:
    """Why the side to move would play on the empty cell `move`."""
    board = _Board.of(position)
    side = position.turn
    made = [_SHAPE[pattern] for pattern in board.patterns(move, side) if pattern in _SHAPE]
    after = board.with_stone(move, side)
    blocked = []
    for direction in range(len(DIRECTIONS)):
        before, left = (one.strongest(move, direction, 1 - side) for one in (board, after))
        if before in _STANDING and (left is None or SHAPES.index(left) > SHAPES.index(before)):
            blocked.append(_STANDING[before])
    return Reason(_sorted(["five"] if "five" in made else made), _sorted(blocked))


def stands(position: Position, cell: int, side: int, shape: str) -> bool:
    """Whether `side` has a `shape` on the board in a line through `cell`, near it."""
    board = _Board.of(position)
    shapes = (board.strongest(cell, direction, side) for direction in range(len(DIRECTIONS)))
    return any(_STANDING.get(found or "") == shape for found in shapes)


def threats(position: Position, side: int) -> dict[int, str]:
    """The empty cells on which a stone of `side` would make something, each with what, one of `THREATS`."""
    if position.outcome is not None:
        return {}
    board = _Board.of(position)
    found = ((cell, board.threat(cell, side)) for cell, stone in enumerate(board.cells) if stone == EMPTY)
    return {cell: threat for cell, threat in found if threat is not None}


def threat(position: Position, cell: int, side: int) -> str | None:
    """What a stone of `side` would make on the empty `cell`, one of `THREATS`."""
    return _Board.of(position).threat(cell, side)


def double_threat(position: Position, side: int) -> bool:
    """Whether `side` threatens to win in two ways at once, by fours and open threes that are on the board already: a
    single move does not answer both, unless it stands in the way of both."""
    if position.outcome is not None:
        return False
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
    """A board of five in a row, in the words of `ai.review.view`."""

    __slots__ = ()

    def directions(self, cell: int, side: int, shape: str) -> Iterator[int]:
        """Those in which a stone of `side` would make `shape`."""
        for direction, pattern in enumerate(self.patterns(cell, side)):
            if _SHAPE.get(pattern) == shape:
                yield direction

    def line(self, cell: int, direction: int) -> tuple[int, int]:
        """Identify the line through `cell` in a direction."""
        row, column = divmod(cell, self.width)
        return direction, (row, column, row - column, row + column)[direction]

    def strongest(self, cell: int, direction: int, side: int) -> str | None:
        """The strongest shape that one stone of `side` would make in the line through `cell`, near it."""
        near = [other for other in (cell, *self.around(cell, direction, _REACH)) if other >= 0]
        empty = [other for other in near if self.cells[other] == EMPTY]
        shapes = [_SHAPE.get(self.pattern(other, direction, side)) for other in empty]
        return min((shape for shape in shapes if shape is not None), key=SHAPES.index, default=None)

    def threat(self, cell: int, side: int) -> str | None:
        """What a stone of `side` on the empty `cell` makes, one of `THREATS`, or None for less."""
        patterns = self.patterns(cell, side)
        suspect = self.rule == p.RENJU and side == FIRST and p.class_of(patterns, True) in (p.FORBIDDEN, p.PERHAPS)
        if suspect and renju.forbidden(self.cells, self.width, self.height, cell) is not None:
            return "forbidden"
        found = p.class_of(patterns, False)
        if found == p.OPEN_FOUR:
            return "open_four" if p.F4 in patterns else "double_four"
        return _CLASS.get(found)


def _sorted(shapes: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(shapes, key=SHAPES.index))

