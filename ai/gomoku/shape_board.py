"""The patterns of the engine read in plain Python: what a stone on one cell would make, without compiled kernels."""

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
    """The cells of a board of five in a row, and what a stone on one of them would make."""

    cells: bytes
    width: int
    height: int
    rule: int

    @classmethod
    def of(cls, position: Position) -> Self:
        """The board of a gomoku position."""
        assert isinstance(position, LinePosition)
        rules = position.rules
        return cls(position.cells, rules.width, rules.height, _RULES[rules.rule])

    def with_stone(self, cell: int, side: int) -> Self:
        """The board with one more stone of `side` at `cell`."""
        return replace(self, cells=self.cells[:cell] + bytes((STONES[side],)) + self.cells[cell + 1 :])

    def patterns(self, cell: int, side: int) -> tuple[int, ...]:
        """What a stone of `side` on the empty `cell` would make in each direction."""
        return _patterns(self.cells, self.width, self.height, self.rule)[side][cell]

    def pattern(self, cell: int, direction: int, side: int) -> int:
        """What a stone of `side` on the empty `cell` would make in one direction."""
        return self.patterns(cell, side)[direction]

    def around(self, cell: int, direction: int, reach: int) -> Iterator[int]:
        """The cells up to `reach` steps before and after `cell` in a line, -1 for those off the board."""
        row, column = divmod(cell, self.width)
        down, right = DIRECTIONS[direction]
        for step in (*range(-reach, 0), *range(1, reach + 1)):
            r, c = row + step * down, column + step * right
            yield r * self.width + c if 0 <= r < self.height and 0 <= c < self.width else -1


@lru_cache(maxsize=16)
def _patterns(cells: bytes, width: int, height: int, rule: int) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """For each side, what a stone on each cell would make in each direction. To look up all at once takes no longer
    than a few one by one."""
    contents = np.frombuffer(cells + bytes((_OFF,)), np.uint8)[_windows(width, height, p.reach(rule))]
    both = p.pattern_table(rule)[contents @ 4 ** np.arange(contents.shape[-1])]
    first, second = (list(map(tuple, side.tolist())) for side in (both & 15, both >> 4))
    return first, second


@cache
def _windows(width: int, height: int, reach: int) -> npt.NDArray[np.int64]:
    """The cells up to `reach` steps before and after each cell, in each direction: the number of cells for those off
    the board."""
    cells, steps = np.arange(width * height), np.array([*range(-reach, 0), *range(1, reach + 1)])
    down, right = np.array(DIRECTIONS).T[:, None, :, None] * steps
    row, column = cells[:, None, None] // width + down, cells[:, None, None] % width + right
    inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
    windows: npt.NDArray[np.int64] = np.where(inside, row * width + column, len(cells))
    return windows
