"""The layout of an icicle plot of a whole search: a row for each ply, and each subtree as wide as it has leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.search.trace import Trace
from ui.toolkit.theme import Colour, Palette, mix

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

NOTHING, SAVED = -1, -2
"""What stands at a pixel instead of a node: nothing, and from `SAVED` down what cuts have saved."""


class Facts(NamedTuple):
    """What a layout needs of a trace: copies, so that a thread can work on them while the trace grows."""

    parent: Ints
    ply: npt.NDArray[np.int16]
    untried: Ints
    move: Ints

    @classmethod
    def of(cls, trace: Trace) -> Facts:
        """Copy the facts of `trace`."""
        parent, ply = np.array(trace.parent, np.int32), np.array(trace.ply, np.int16)
        return cls(parent, ply, np.array(trace.untried, np.int32), np.array(trace.move, np.int32))


class _Row(NamedTuple):
    """Nodes of one level, from left to right, with their left edges and widths."""

    nodes: Ints
    left: Floats
    width: Floats

    def at(self, places: Floats) -> Ints:
        """Return the node at each x in `places`; `NOTHING` where there is none."""
        if not len(self.nodes):
            return np.full(len(places), NOTHING, np.int32)
        index = np.searchsorted(self.left, places, "right") - 1
        some = np.maximum(index, 0)
        inside = (index >= 0) & (places < self.left[some] + self.width[some])
        return np.where(inside, self.nodes[some], NOTHING).astype(np.int32)


class IciclePlan:
    """The places of all nodes of a trace. The width of a node is the number of leaves below it; with `saved`, a node
    with a cut is as wide as if the moves that were not tried had subtrees as large as the mean of the others."""

    def __init__(self, facts: Facts, saved: bool = True) -> None:
        self.parent, self.ply, untried, self.move = facts
        self.count = len(self.parent)
        self.levels = [np.flatnonzero(self.ply == ply).astype(np.int32) for ply in range(1 + self.ply.max())]
        self.width = self._widths(untried if saved else np.zeros_like(untried))
        self.left = self._left_edges()
        self._rows = [self._row_of(nodes) for nodes in self.levels]
        self._inner = [self._row_of(np.unique(self.parent[nodes])) for nodes in self.levels[1:]]
        self.whole = float(self.width[self.levels[0]].sum())
        """The width of all trees together: about as many leaves as there were without cuts."""

    def _row_of(self, nodes: Ints) -> _Row:
        """Return `nodes` as a row, sorted from left to right."""
        ordered = nodes[np.argsort(self.left[nodes], kind="stable")]
        return _Row(ordered, self.left[ordered], self.width[ordered])

    @property
    def rows(self) -> int:
        """The number of levels."""
        return len(self.levels)

    def _widths(self, untried: npt.NDArray[np.int32]) -> Floats:
        """Return the width of each node. `untried` has how many of its moves a cut left untried."""
        width = np.zeros(self.count)
        for level in reversed(range(self.rows)):
            nodes = self.levels[level]
            below = self.levels[level + 1] if level + 1 < self.rows else nodes[:0]
            sums = np.bincount(self.parent[below], width[below], self.count)[nodes]
            tried = np.bincount(self.parent[below], minlength=self.count)[nodes]
            share = untried[nodes] / np.maximum(tried, 1)
            width[nodes] = np.where(tried, sums * (1 + share), 1.0)
        return width

    def _left_edges(self) -> Floats:
        """Return the left edge of each node: siblings stand side by side from the left edge of their parent."""
        left = np.zeros(self.count)
        for level, nodes in enumerate(self.levels):
            before = np.cumsum(self.width[nodes]) - self.width[nodes]
            if level == 0:
                left[nodes] = before
                continue
            parents = self.parent[nodes]
            _, first, count = np.unique(parents, return_index=True, return_counts=True)
            left[nodes] = left[parents] + before - np.repeat(before[first], count)
        return left

    def row(self, level: int, pixels: int) -> Ints:
        """Return what is at each of `pixels` pixels across a level: a node, `NOTHING`, or what a cut has saved, which
        is `SAVED` minus the node with the cut."""
        at = (np.arange(pixels) + 0.5) * self.whole / pixels
        result = self._rows[level].at(at)
        if level:
            above = self._inner[level - 1].at(at)
            result = np.where((result == NOTHING) & (above >= 0), SAVED - above, result)
        return result

    def place(self, node: int, pixels: int) -> tuple[float, float]:
        """Return the left edge and the width of a node in a picture `pixels` wide."""
        scale = pixels / self.whole
        return self.left[node] * scale, self.width[node] * scale

    def node_at(self, level: int, share: float) -> int:
        """Return the node at a share of the width of a level, from 0 to below 1; negative if there is none."""
        if not 0 <= level < self.rows:
            return NOTHING
        return int(self.row(level, 4096)[int(share * 4096)])


class PrunedPlan(IciclePlan):
    """The layout of a search that visits some of the nodes of another one, whose layout is `other`. Each node stands
    where `other` has it; what was cut away is `SAVED`."""

    def __init__(self, facts: Facts, other: IciclePlan) -> None:
        self._other = other
        super().__init__(facts, saved=False)
        self.whole = other.whole

    @property
    def rows(self) -> int:
        """The number of levels of `other`, so that both pictures have the same height."""
        return self._other.rows

    def _widths(self, untried: Ints) -> Floats:
        """Find the nodes in `other`, drop those that it does not have yet, and return the widths there."""
        self._in_other = self._nodes_in_other()
        self.levels = [nodes[self._in_other[nodes] >= 0] for nodes in self.levels]
        return self._values_in_other(self._other.width)

    def _left_edges(self) -> Floats:
        """Return the left edge that each node has in `other`."""
        return self._values_in_other(self._other.left)

    def _values_in_other(self, values: Floats) -> Floats:
        """Return for each node the value that `other` has for it in `values`; 0 if it does not have the node."""
        return np.append(values, 0.0)[self._in_other]

    def _nodes_in_other(self) -> Ints:
        """Return for each node the node of `other` after the same moves; -1 if there is none."""
        same, other = np.full(self.count, -1, np.int32), self._other
        for level, nodes in enumerate(self.levels[: other.rows]):
            theirs = other.levels[level]
            known = _step_keys(other.parent[theirs], other.move[theirs])
            order = np.argsort(known, kind="stable")
            wanted = _step_keys(same[self.parent[nodes]], self.move[nodes])  # for a root, all are still -1
            index = order[np.minimum(np.searchsorted(known, wanted, sorter=order), len(order) - 1)]
            same[nodes] = np.where(known[index] == wanted, theirs[index], -1)
        return same

    def row(self, level: int, pixels: int) -> Ints:
        """Return what is at each pixel: a node of this search, plain `SAVED` where only `other` has a node, or
        `NOTHING`."""
        theirs = self._other.row(level, pixels)
        if level >= len(self.levels):
            return np.where(theirs >= 0, SAVED, NOTHING).astype(np.int32)
        ours = super().row(level, pixels)
        return np.where(ours >= 0, ours, np.where(theirs >= 0, SAVED, NOTHING)).astype(np.int32)


class Plans:
    """Layouts of two searches, minimax and one that prunes, from their `traces`: `whole` is that of minimax; `pruned`
    has the nodes of the other search in the same places, with gaps; `alone` has them without gaps."""

    def __init__(self, traces: Sequence[Trace], facts: Sequence[Facts]) -> None:
        self.traces = traces
        whole, pruned = facts
        self.whole = IciclePlan(whole)
        self.pruned = PrunedPlan(pruned, self.whole)
        self.alone = IciclePlan(pruned, saved=False)

    @property
    def share(self) -> float:
        """The width of `alone` as a share of that of `whole`, 0 to 1."""
        return min(1.0, self.alone.whole / self.whole.whole)


def _step_keys(parents: Ints, moves: Ints) -> npt.NDArray[np.int64]:
    """Return one number for each pair of a parent and a move from it, different for different pairs."""
    return np.column_stack((moves, parents)).astype(np.int32).view(np.int64).ravel()


# What each pixel of a whole search at a glance says: a row for each ply, with values, and what was cut away.


WIDE = 4
"""Pixels of a box from which on there is room for a gap beside it, or for hatching."""

_OPEN, _TO_COME, _NOTHING = 3, 4, 5  # places in `shades`

Pixels = npt.NDArray[np.int32]
"""What is at each pixel, from the left: a node of the plan, nothing, or what a cut has saved."""


@dataclass(frozen=True, slots=True)
class IcicleRows:
    """What to draw of `plan`, the layout of `trace`, in a picture `pixels` wide: the search up to the step `shown`."""

    plan: IciclePlan
    trace: Trace
    shown: int
    pixels: int

    @property
    def rows(self) -> list[Pixels]:
        """What is at each pixel of each level, from the root down, as `IciclePlan.row` returns it."""
        return [self.plan.row(level, self.pixels) for level in range(self.plan.rows)]

    def kinds(self, nodes: Pixels) -> Pixels:
        """Return the index in `shades` of the colour of each pixel of a row."""
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
        """Return for each node whether the search has entered it by the step shown."""
        ply = np.frombuffer(self.trace.ply, np.int16)[nodes]
        return np.asarray(2 * nodes - ply <= self.shown)

    def _left(self, nodes: Pixels) -> npt.NDArray[np.bool_]:
        """Return for each node whether the search has left it by the step shown."""
        size = np.frombuffer(self.trace.size, np.int32)[nodes]
        ply = np.frombuffer(self.trace.ply, np.int16)[nodes]
        return np.asarray((size > 0) & (2 * (nodes + size) - ply - 1 <= self.shown))

    def cut_stretches(self, nodes: Pixels) -> list[tuple[int, int]]:
        """Return the stretches of a row that cuts have saved by the step shown, each as its first pixel and the one
        after its last."""
        saved = nodes <= SAVED
        saved[saved] = self._left(SAVED - nodes[saved])
        return [(start, end) for start, end, some in runs(saved.astype(np.int32)) if some]


def runs(values: Pixels) -> list[tuple[int, int, int]]:
    """Return the stretches of equal values: the first index, the one after the last, and the value."""
    starts = np.append(0, np.flatnonzero(np.diff(values)) + 1)
    ends = np.append(starts[1:], len(values))
    return list(zip(starts.tolist(), ends.tolist(), values[starts].tolist(), strict=True))


def shades(palette: Palette) -> list[Colour]:
    """Return the colours that `IcicleRows.kinds` counts: bad for MAX, even, good, not finished, not yet visited, and
    nothing there. They differ in lightness, too, for people who cannot tell red from green."""
    return [
        mix(palette.panel, palette.bad, 0.35), palette.quiet, mix(palette.panel, palette.good, 0.65),
        mix(palette.panel, palette.info, 0.95),
        mix(palette.panel, palette.line, 0.15 if palette.strong else 0.55), palette.panel,
    ]  # fmt: skip


def hatching(palette: Palette) -> Colour:
    """Return the colour of what was cut away."""
    return mix(palette.panel, palette.bad, 0.45)
