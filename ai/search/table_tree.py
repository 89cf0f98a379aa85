"""The tree of a search as it stands at one time, of which the order of visits is not known."""

from __future__ import annotations

from abc import abstractmethod
from array import array
from collections.abc import Callable

from ai.core.player import Player
from ai.search.trace import INFINITY, ROOT, Steps, Trace
from games.position import Position

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


# The positions that a transposition table holds after a position, as a tree.


TREE_NODES = 1500
"""Nodes of a tree, unless fewer are wanted."""

BOUNDS = ("exact", "lower", "upper")


class TableTree(Snapshot):
    """Each node but the root is an entry of the table: `value` with its bound, searched to `depth` plies, and the
    `best` move. The root, which is not in the table, has what the search has found so far; until then its `size` is 0.

    A table does not tell in which order it was filled: children are sorted, the best move first, then by depth.
    """

    def __init__(self) -> None:
        super().__init__()
        self.depth, self.kind = array("h"), array("b")

    def put(self, move: int, turn: int, depth: int, best: int, kind: int) -> None:
        """Enter the position after `move`; `kind` is an index of `BOUNDS`."""
        self.enter(move, turn, -INFINITY, INFINITY)
        self.depth.append(depth)
        self.best.append(best)
        self.kind.append(kind)

    def bound(self, node: int) -> str:
        return BOUNDS[self.kind[node]]


class Walkable(Player):
    """A player whose transposition table can be walked, also while it searches."""

    @abstractmethod
    def table_tree(
        self, position: Position, most: int, rest: Callable[[], object] = lambda: None
    ) -> TableTree | None:
        """Return at most `most` positions that the table holds after `position`; None unless that is what the current
        or last search is of. Any thread may call this; `rest` is called after each node."""


def seed(position: Position) -> TableTree:
    """Return the tree of a search that has found nothing yet."""
    tree = TableTree()
    tree.put(ROOT, position.turn, 0, UNKNOWN, 0)
    tree.stop()
    return tree
