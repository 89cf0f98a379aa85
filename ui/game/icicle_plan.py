"""A whole search at a glance: which node is where in a picture in which each subtree is as wide as it is large."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ai.search.trace import End, Trace

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

NOTHING, SAVED = -1, -2
"""What stands at a pixel instead of a node: nothing, and from `SAVED` down what cuts have saved."""


class IciclePlan:
    """The places of all nodes of `trace`. The width of a node is the number of leaves below it; with `saved`, a node
    with a cut is as wide as if the moves that were not tried had subtrees as large as the mean of the others."""

    def __init__(self, trace: Trace, saved: bool = True) -> None:
        self.count = len(trace)
        self.parent = np.array(trace.parent, np.int32)
        self.ply = np.array(trace.ply, np.int16)
        deepest = max(trace.ply, default=-1)
        self._levels = [np.flatnonzero(self.ply == ply).astype(np.int32) for ply in range(1 + deepest)]
        untried = np.where(np.array(trace.end, np.int8) == End.CUT, np.array(trace.untried, np.int32), 0)
        self._width = self._widths(untried if saved else np.zeros_like(untried))
        self._left = self._places()
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
        nodes = self._levels[level]
        at = (np.arange(pixels) + 0.5) * self.whole / max(1, pixels)
        result = self._at(nodes, at)
        if level:
            above = self._at(np.unique(self.parent[nodes]), at)
            result = np.where((result == NOTHING) & (above >= 0), SAVED - above, result)
        return result

    def _at(self, nodes: Ints, at: Floats) -> Ints:
        """Return which of the `nodes`, all of one level, is at each place; `NOTHING` for none."""
        index = np.searchsorted(self._left[nodes], at, "right") - 1
        found = nodes[np.maximum(index, 0)]
        inside = (index >= 0) & (at < self._left[found] + self._width[found])
        return np.where(inside, found, NOTHING).astype(np.int32)

    def place(self, node: int, pixels: int) -> tuple[float, float]:
        """Return the left edge and the width of a node among so many pixels."""
        scale = pixels / max(1.0, self.whole)
        return self._left[node] * scale, self._width[node] * scale

    def node_at(self, level: int, share: float) -> int:
        """Return the node at a share of the width, 0 to 1; negative for none."""
        if not 0 <= level < self.rows:
            return NOTHING
        return int(self.row(level, 4096)[min(4095, int(share * 4096))])
