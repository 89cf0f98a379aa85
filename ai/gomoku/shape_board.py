"""The pattern that a stone on a cell would make, looked up in plain Python: what the engine sees, without compiled
kernels.

Patterns are those of `ai.gomoku.kernels.patterns`, such as an open three. A direction is an index of `DIRECTIONS`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Self

import numpy as np
import numpy.typing as npt

from ai.gomoku.kernels import patterns as p
from games.line import STONES, LinePosition
from games.position import Position

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (-1, 1))  # down, right
_OFF = 3  # the code of a cell off the board
_RULES = {"freestyle": p.FREESTYLE, "standard": p.STANDARD, "renju": p.RENJU}


@dataclass(frozen=True, slots=True)
class ShapeBoard:
    """A board of five in a row that tells which patterns a stone on a cell would make. Cells are counted row by row."""

    cells: bytes
    width: int
    height: int
    rule: int

    @classmethod
    def of(cls, position: Position) -> Self:
        """Return the board of a `LinePosition`."""
        assert isinstance(position, LinePosition)
        rules = position.rules
        return cls(position.cells, rules.width, rules.height, _RULES[rules.rule])

    def with_stone(self, cell: int, side: int) -> Self:
        """Return the board with one more stone of `side` at `cell`."""
        return replace(self, cells=self.cells[:cell] + bytes((STONES[side],)) + self.cells[cell + 1 :])

    def patterns(self, cell: int, side: int) -> tuple[int, ...]:
        """Return the pattern that a stone of `side` on the empty `cell` would make, for each direction."""
        return _patterns(self.cells, self.width, self.height, self.rule)[side][cell]

    def pattern(self, cell: int, direction: int, side: int) -> int:
        """Return the pattern that a stone of `side` on the empty `cell` would make in one direction."""
        return self.patterns(cell, side)[direction]

    def around(self, cell: int, direction: int, reach: int) -> Iterator[int]:
        """Yield the cells up to `reach` steps before and after `cell` in a direction, in order and without itself; -1
        for each off the board."""
        row, column = divmod(cell, self.width)
        down, right = DIRECTIONS[direction]
        for step in (*range(-reach, 0), *range(1, reach + 1)):
            r, c = row + step * down, column + step * right
            yield r * self.width + c if 0 <= r < self.height and 0 <= c < self.width else -1


@lru_cache(maxsize=16)
def _patterns(cells: bytes, width: int, height: int, rule: int) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """Return for each side a list by cell of the patterns that a stone there would make, one for each direction. To
    look up all at once takes no longer than a few one by one."""
    contents = np.frombuffer(cells + bytes((_OFF,)), np.uint8)[_windows(width, height, p.reach(rule))]
    both = p.pattern_table(rule)[contents @ 4 ** np.arange(contents.shape[-1])]
    first, second = (list(map(tuple, side.tolist())) for side in (both & 15, both >> 4))
    return first, second


@cache
def _windows(width: int, height: int, reach: int) -> npt.NDArray[np.int64]:
    """Return an array (cell, direction, step) of the cells up to `reach` steps before and after each cell; the number
    of cells for each off the board."""
    cells, steps = np.arange(width * height), np.array([*range(-reach, 0), *range(1, reach + 1)])
    down, right = np.array(DIRECTIONS).T[:, None, :, None] * steps
    row, column = cells[:, None, None] // width + down, cells[:, None, None] % width + right
    inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
    windows: npt.NDArray[np.int64] = np.where(inside, row * width + column, len(cells))
    return windows
