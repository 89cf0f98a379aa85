"""What each pixel of a whole search at a glance says: a row for each ply, with values, and what was cut away."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ai.search.trace import Trace
from ui.game.icicle_plan import SAVED, IciclePlan
from ui.toolkit.palette import Colour, Palette, mix

WIDE = 4
"""Pixels of a box from which on there is room for a gap beside it, or for hatching."""

_OPEN, _TO_COME, _NOTHING = 3, 4, 5  # places in `shades`

Pixels = npt.NDArray[np.int32]
"""What is at each pixel, from the left: a node of the plan, nothing, or what a cut has saved."""


@dataclass(frozen=True, slots=True)
class IcicleRows:
    """The rows of `plan`, which is of `trace`, `pixels` wide, after the step `shown`."""

    plan: IciclePlan
    trace: Trace
    shown: int
    pixels: int

    @property
    def rows(self) -> list[Pixels]:
        return [self.plan.row(level, self.pixels) for level in range(self.plan.rows)]

    def kinds(self, nodes: Pixels) -> Pixels:
        """Return the place in `shades` for each pixel of a row."""
        some, trace = np.maximum(nodes, 0), self.trace
        value = np.frombuffer(trace.value, np.int32)[some]
        turn = np.frombuffer(trace.turn, np.int8)[some]
        value = np.where(turn == trace.turn[0], value, -value)
        kinds = np.where(self._left(some), 1 + np.sign(value), _OPEN)
        parent = np.maximum(np.frombuffer(trace.parent, np.int32)[some], 0)
        to_come = np.where(self._entered(parent), _TO_COME, _NOTHING)
        kinds = np.where(self._entered(some), kinds, to_come)
        kinds = np.where(nodes < 0, _NOTHING, kinds)
        cut = np.maximum(SAVED - nodes, 0)  # the node whose moves a cut will save looks as if all were to come
        return np.where((nodes < SAVED) & self._entered(cut) & ~self._left(cut), _TO_COME, kinds).astype(np.int32)

    def _entered(self, nodes: Pixels) -> npt.NDArray[np.bool_]:
        """Return whether the search has come to each of the nodes."""
        ply = np.frombuffer(self.trace.ply, np.int16)[nodes]
        return np.asarray(2 * nodes - ply <= self.shown)

    def _left(self, nodes: Pixels) -> npt.NDArray[np.bool_]:
        """Return whether the search has left each of the nodes."""
        size = np.frombuffer(self.trace.size, np.int32)[nodes]
        ply = np.frombuffer(self.trace.ply, np.int16)[nodes]
        return np.asarray((size > 0) & (2 * (nodes + size) - ply - 1 <= self.shown))

    def cut(self, nodes: Pixels) -> list[tuple[int, int]]:
        """Return the first pixel of each stretch that cuts have saved, and the one after its last."""
        saved = nodes <= SAVED
        saved[saved] = self._left(SAVED - nodes[saved])
        return [(start, end) for start, end, some in runs(saved.astype(np.int32)) if some]


def runs(values: Pixels) -> list[tuple[int, int, int]]:
    """Return the stretches of equal values: the first index, the one after the last, and the value."""
    starts = np.flatnonzero(np.diff(values, prepend=values[:1] - 1))
    ends = np.append(starts[1:], len(values))
    return list(zip(starts.tolist(), ends.tolist(), values[starts].tolist(), strict=True))


def shades(palette: Palette) -> list[Colour]:
    """Return the colours: bad for MAX, even, good, still open, not yet visited, and nothing there."""
    return [
        mix(palette.panel, palette.bad, 0.75), mix(palette.panel, palette.quiet, 0.55),
        mix(palette.panel, palette.good, 0.75), mix(palette.panel, palette.info, 0.7),
        mix(palette.panel, palette.line, 0.55), palette.panel,
    ]  # fmt: skip


def hatching(palette: Palette) -> Colour:
    """Return the colour of what was cut away."""
    return mix(palette.panel, palette.bad, 0.45)
