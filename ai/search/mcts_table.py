"""The nodes of a Monte Carlo tree search by their positions, and what becomes of those that are left behind.

To free a large tree takes longer than a stop may wait, and in one piece it blocks every thread. So nodes that are left
behind are freed a few at a time, and while a tree is large there are no full collections of garbage.
"""

from __future__ import annotations

import weakref
from collections.abc import Hashable, Iterable, Iterator
from typing import TypeVar

from ai import garbage
from ai.player import Stop
from ai.search.mcts_tree import Node

_LARGE = 5_000  # nodes, of which a collection takes about 15 ms
_CHECK = 1000  # nodes between two looks at a stop

_Item = TypeVar("_Item")
_Nodes = dict[Hashable, Node]


class Table:
    """The nodes of a tree. `free` frees nodes that are no longer in it."""

    def __init__(self) -> None:
        self._nodes: _Nodes = {}
        self._left: list[_Nodes] = []  # to be freed
        self._resume: weakref.finalize[[], Table] | None = None

    def __len__(self) -> int:
        return len(self._nodes)

    def get(self, key: Hashable) -> Node | None:
        return self._nodes.get(key)

    def add(self, node: Node) -> None:
        self._nodes[node.position.key] = node
        if len(self._nodes) == _LARGE and self._resume is None:
            self._resume = weakref.finalize(self, garbage.suspend())

    def leave(self) -> None:
        """Leave all nodes behind."""
        self._left.append(self._nodes)
        self._nodes = {}

    def leave_all_but(self, root: Node, stop: Stop) -> None:
        """Keep only the nodes that can be reached from `root`; all of them if the `stop` is set first."""
        kept, waiting = {root}, [root]
        for node in _unless_stopped(_popped(waiting), stop):
            new = [child for child in node.children if child not in kept]
            kept.update(new)
            waiting += new
        nodes: _Nodes = {}
        left: _Nodes = {}
        for key, node in _unless_stopped(self._nodes.items(), stop):
            (nodes if node in kept else left)[key] = node
        if not stop.is_set():
            self._left.append(left)
            self._nodes = nodes

    def free(self, count: int) -> None:
        """Free `count` of the nodes that were left behind, the newest first."""
        while self._left and count > 0:
            nodes = self._left[-1]
            while nodes and count > 0:
                _, node = nodes.popitem()
                node.cut()  # else the oldest one would hold, and free, all others
                count -= 1
            if not nodes:
                self._left.pop()

    def close(self) -> None:
        """Free all nodes. Other threads run meanwhile."""
        self.leave()
        while self._left:
            self.free(_CHECK)
        if self._resume is not None:
            self._resume()
            self._resume = None


def _popped(waiting: list[Node]) -> Iterator[Node]:
    """Yield the last node, and take it out, until there is none."""
    while waiting:
        yield waiting.pop()


def _unless_stopped(items: Iterable[_Item], stop: Stop) -> Iterator[_Item]:
    """Yield the `items`; look at the `stop` from time to time, and end when it is set."""
    for number, item in enumerate(items):
        if not number % _CHECK and stop.is_set():
            return
        yield item
