"""The patterns of the engine read in plain Python: what a stone on one cell would make, without compiled kernels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

from ai.gomoku.kernels import patterns as p
from games.line import STONES, LinePosition
from games.position import FIRST, Position

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (-1, 1))  # down, right
_RULES = {"freestyle": p.FREESTYLE, "standard": p.STANDARD, "renju": p.RENJU}


@dataclass(frozen=True, slots=True)
class ShapeBoard:
    """The cells of a board of five in a row, and what a stone on one of them would make."""

    cells: bytes
    width: int
    height: int
    rule: int

    @classmethod
    def of(cls, position: Position) -> Self:
        assert isinstance(position, LinePosition)
        rules = position.rules
        return cls(position.cells, rules.width, rules.height, _RULES[rules.rule])

    def with_stone(self, cell: int, side: int) -> Self:
        return replace(self, cells=self.cells[:cell] + bytes((STONES[side],)) + self.cells[cell + 1 :])

    def patterns(self, cell: int, side: int) -> tuple[int, ...]:
        """What a stone of `side` on the empty `cell` would make in each direction."""
        return tuple(self.pattern(cell, direction, side) for direction in range(len(DIRECTIONS)))

    def pattern(self, cell: int, direction: int, side: int) -> int:
        """The same in one direction."""
        key, reach = 0, p.reach(self.rule)
        for place, other in enumerate(self.around(cell, direction, reach)):
            key |= (self.cells[other] if other >= 0 else 3) << (2 * place)
        both = int(p.pattern_table(self.rule)[key])
        return both & 15 if side == FIRST else both >> 4

    def around(self, cell: int, direction: int, reach: int) -> Iterator[int]:
        """The cells up to `reach` steps before and after `cell` in a line, -1 for those off the board."""
        row, column = divmod(cell, self.width)
        down, right = DIRECTIONS[direction]
        for step in (*range(-reach, 0), *range(1, reach + 1)):
            r, c = row + step * down, column + step * right
            yield r * self.width + c if 0 <= r < self.height and 0 <= c < self.width else -1
