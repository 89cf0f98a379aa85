"""The positions that a transposition table holds after a position, as a tree."""

from __future__ import annotations

from abc import abstractmethod
from array import array
from collections.abc import Callable

from ai.player import Player
from ai.search.snapshot import UNKNOWN, Snapshot
from ai.search.trace import INFINITY, ROOT
from games.position import Position

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
