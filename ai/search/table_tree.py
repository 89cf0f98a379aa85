"""The positions that a transposition table holds after a position, as a tree."""

from __future__ import annotations

from abc import abstractmethod
from array import array
from collections.abc import Callable
from typing import ClassVar

from ai.player import Player
from ai.search.steps import Steps
from ai.search.trace import INFINITY, ROOT, Trace
from games.position import Position

UNKNOWN = -3
"""The best move of an entry without one."""

TREE_NODES = 1500
"""Nodes of a tree, unless fewer are wanted."""

BOUNDS = ("exact", "lower", "upper")


class TableTree(Trace):
    """Each node but the root is an entry of the table: `value` with its bound, searched to `depth` plies, and the
    `best` move. The root, which is not in the table, has what the search has found so far; until then its `size` is 0.

    A table does not tell in which order it was filled: children are sorted, the best move first, then by depth.
    """

    ARRAYS: ClassVar[tuple[tuple[str, str], ...]] = (*Trace.ARRAYS, ("depth", "h"), ("best", "h"), ("kind", "b"))

    def __init__(self) -> None:
        super().__init__()
        self.depth, self.best, self.kind = array("h"), array("h"), array("b")

    def put(self, move: int, turn: int, depth: int, best: int, kind: int) -> None:
        """Enter the position after `move`; `kind` is an index of `BOUNDS`."""
        self.enter(move, turn, -INFINITY, INFINITY)
        self.depth.append(depth)
        self.best.append(best)
        self.kind.append(kind)

    def bound(self, node: int) -> str:
        return BOUNDS[self.kind[node]]

    def child(self, node: int, move: int) -> int | None:
        """Return the child after `move`, if it is in the tree."""
        return next((child for child in self.children(node) if self.move[child] == move), None)

    def same(self, other: Trace, node: int) -> int | None:
        """Return the node after the same moves as `node` of the `other` tree, if it is in this one."""
        found: int | None = 0
        for move in other.moves_to(node):
            found = None if found is None else self.child(found, move)
        return found


class TableSteps(Steps):
    """There is one step: the whole tree. The best child is the one that the table names."""

    trace: TableTree

    def __init__(self, trace: TableTree) -> None:
        super().__init__(trace, prunes=False)

    def value(self, node: int, at: int) -> int | None:
        return self.trace.value[node] if self.trace.size[node] else None

    def best(self, node: int, at: int) -> int | None:
        return self.trace.child(node, self.trace.best[node])


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
