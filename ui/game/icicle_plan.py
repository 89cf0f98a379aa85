"""A whole search at a glance: which node is where in a picture in which each subtree is as wide as it is large."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.search.trace import Trace

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

NOTHING, SAVED = -1, -2
"""What stands at a pixel instead of a node: nothing, and from `SAVED` down what cuts have saved."""


class Facts(NamedTuple):
    """What a plan needs of a trace: copies, so that a thread can work on them while the trace grows."""

    parent: Ints
    ply: npt.NDArray[np.int16]
    untried: Ints

    @classmethod
    def of(cls, trace: Trace) -> Facts:
        parent, ply = np.array(trace.parent, np.int32), np.array(trace.ply, np.int16)
        return cls(parent, ply, np.array(trace.untried, np.int32))


class _Row(NamedTuple):
    """Nodes of one level, from left to right, with their left edges and widths."""

    nodes: Ints
    left: Floats
    width: Floats

    def at(self, places: Floats) -> Ints:
        """Return which of the nodes is at each place; `NOTHING` for none."""
        index = np.searchsorted(self.left, places, "right") - 1
        some = np.maximum(index, 0)
        inside = (index >= 0) & (places < self.left[some] + self.width[some])
        return np.where(inside, self.nodes[some], NOTHING).astype(np.int32)


class IciclePlan:
    """The places of all nodes of a trace. The width of a node is the number of leaves below it; with `saved`, a node
    with a cut is as wide as if the moves that were not tried had subtrees as large as the mean of the others."""

    def __init__(self, facts: Facts, saved: bool = True) -> None:
        self.parent, self.ply, untried = facts
        self.count = len(self.parent)
        deepest = int(self.ply.max(initial=-1))
        self._levels = [np.flatnonzero(self.ply == ply).astype(np.int32) for ply in range(1 + deepest)]
        self._width = self._widths(untried if saved else np.zeros_like(untried))
        self._left = self._places()
        self._rows = [_Row(nodes, self._left[nodes], self._width[nodes]) for nodes in self._levels]
        parents = [self.parent[nodes] for nodes in self._levels]  # ascending, as the nodes are
        inner = [each[np.flatnonzero(np.diff(each, prepend=-1))] for each in parents[1:]]
        self._inner = [_Row(nodes, self._left[nodes], self._width[nodes]) for nodes in inner]
        self.whole = float(self._width[self._levels[0]].sum()) if self.count else 0.0
        """The width of all trees together: about as many leaves as there were without cuts."""

    @property
    def rows(self) -> int:
        return len(self._levels)

    def _widths(self, untried: npt.NDArray[np.int32]) -> Floats:
        """Level by level from the deepest."""
        width = np.zeros(self.count)
        for level in reversed(range(self.rows)):
            nodes = self._levels[level]
            below = self._levels[level + 1] if level + 1 < self.rows else nodes[:0]
            sums = np.bincount(self.parent[below], width[below], self.count)[nodes]
            tried = np.bincount(self.parent[below], minlength=self.count)[nodes]
            share = np.divide(untried[nodes], tried, out=np.zeros(len(nodes)), where=tried > 0)
            width[nodes] = np.where(tried > 0, sums * (1 + share), 1.0)
        return width

    def _places(self) -> Floats:
        """Level by level from the root: the children stand side by side from the left edge of their parent."""
        left = np.zeros(self.count)
        for level, nodes in enumerate(self._levels):
            before = np.cumsum(self._width[nodes]) - self._width[nodes]
            if level == 0:
                left[nodes] = before
                continue
            parents = self.parent[nodes]
            first = np.flatnonzero(np.diff(parents, prepend=-1))
            runs = np.diff(np.append(first, len(nodes)))
            left[nodes] = left[parents] + before - np.repeat(before[first], runs)
        return left

    def row(self, level: int, pixels: int) -> Ints:
        """Return the node at each of so many pixels of a level, `NOTHING`, or what a cut has saved: `SAVED` minus the
        node with the cut."""
        at = (np.arange(pixels) + 0.5) * self.whole / max(1, pixels)
        result = self._rows[level].at(at)
        if level:
            above = self._inner[level - 1].at(at)
            result = np.where((result == NOTHING) & (above >= 0), SAVED - above, result)
        return result

    def place(self, node: int, pixels: int) -> tuple[float, float]:
        """Return the left edge and the width of a node among so many pixels."""
        scale = pixels / max(1.0, self.whole)
        return self._left[node] * scale, self._width[node] * scale

    def node_at(self, level: int, share: float) -> int:
        """Return the node at a share of the width, 0 to 1; negative for none."""
        if not 0 <= level < self.rows:
            return NOTHING
        return int(self.row(level, 4096)[min(4095, int(share * 4096))])
