"""The tree of a search as it stands at one time, of which the order of visits is not known."""

from __future__ import annotations

from array import array

from ai.search.steps import Steps
from ai.search.trace import Trace

UNKNOWN = -3
"""The best move of a node without one."""


class Snapshot(Trace):
    """Each node has also its `best` move. The root's `size` is 0 until something is known of it."""

    def __init__(self) -> None:
        super().__init__()
        self.best = array("h")


class SnapshotSteps(Steps):
    """There is one step: the whole tree. The best child is the one that the tree names."""

    trace: Snapshot

    def __init__(self, trace: Snapshot) -> None:
        super().__init__(trace, prunes=False)

    def value(self, node: int, at: int) -> int | None:
        return self.trace.value[node] if self.trace.size[node] else None

    def best(self, node: int, at: int) -> int | None:
        return self.trace.child(node, self.trace.best[node])
