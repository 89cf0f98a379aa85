"""What the iterations of one search found and cost, for the table of depths (`Info.depths`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from ai.gomoku.board import Board
from ai.player import DepthStats, Info


class Counts(NamedTuple):
    """The counters of the kernels, summed over the threads of a search since it began; `layout.STATE` explains them."""

    nodes: int = 0
    hits: int = 0
    cuts: int = 0
    first_cuts: int = 0

    @classmethod
    def of(cls, boards: Iterable[Board]) -> Counts:
        """Read the counters, also while threads search."""
        return cls(*map(sum, zip(*(board.counters(cls._fields) for board in boards), strict=True)))

    def since(self, before: Counts) -> Counts:
        return Counts(*(now - then for now, then in zip(self, before, strict=True)))


class DepthTable:
    """Collect a row for each finished depth of a search."""

    def __init__(self) -> None:
        self._rows: tuple[DepthStats, ...] = ()
        self._before, self._seconds = Counts(), 0.0

    def informed(self, info: Info, counts: Counts) -> Info:
        """Return `info`, found when the counters stood at `counts`, with all rows. A search that was stopped within a
        depth adds none."""
        if info.depth > (self._rows[-1].depth if self._rows else 0):
            spent, seconds = counts.since(self._before), info.seconds - self._seconds
            self._rows += (DepthStats(info.depth, info.lines[0], seconds, *spent),)
            self._before, self._seconds = counts, info.seconds
        return replace(info, depths=self._rows)
