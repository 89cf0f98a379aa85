"""The tree of a Monte Carlo tree search as it stands after a search: the nodes that were visited most."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Any

from ai.score import delayed
from ai.search.mcts_tree import Node, ranked
from ai.search.snapshot import UNKNOWN, Snapshot
from ai.search.trace import INFINITY, ROOT, End
from games.position import Position

TREE_NODES = 1500
"""Nodes of a tree, unless fewer are wanted."""


class SampleTree(Snapshot):
    """Each node has also the `visits` of the move that led to it and its `prior`; the root has all visits. `proven`
    tells whether its value is. A node that is reached in several ways is there for each of them."""

    def __init__(self) -> None:
        super().__init__()
        self.visits, self.prior, self.proven = array("i"), array("f"), array("b")

    def put(self, move: int, turn: int, visits: int, prior: float, best: int, proven: bool) -> None:
        """Enter the position after `move`."""
        self.enter(move, turn, -INFINITY, INFINITY)
        self.visits.append(visits)
        self.prior.append(prior)
        self.best.append(best)
        self.proven.append(proven)

    def bound(self, node: int) -> str:
        return "exact"

    def facts(self) -> dict[str, list[Any]]:
        return {"visits": list(self.visits), "prior": [round(prior, 4) for prior in self.prior]}


def seed(position: Position) -> SampleTree:
    """Return the tree of a search that has not begun."""
    tree = SampleTree()
    tree.put(ROOT, position.turn, 0, 1.0, UNKNOWN, False)
    tree.stop()
    return tree


@dataclass(slots=True)
class _Shown:
    node: Node
    move: int
    visits: int
    prior: float
    children: list[_Shown] = field(default_factory=list)


def sample_tree(root: Node, score: Callable[[Node], int], most: int = TREE_NODES, by_visits: bool = True) -> SampleTree:
    """Return the `most` visited nodes of the tree; `score` gives that of an unproven node for its side to move.

    Children are sorted by visits, or else in the order in which they were tried first.
    """
    tree = SampleTree()
    shown = _most_visited(root, most)
    if not by_visits:
        _sort(shown)
    _write(tree, shown, score, 0)
    return tree


def _most_visited(root: Node, most: int) -> _Shown:
    shown = _Shown(root, ROOT, root.visits, 1.0)
    waiting: list[tuple[int, int, _Shown, list[_Shown]]] = []
    taken, number, latest = 1, 0, shown
    while True:
        node = latest.node
        for move, child, tried, prior in zip(node.moves, node.children, node.tried, node.priors, strict=False):
            number += 1  # breaks ties: the first one found
            heappush(waiting, (-tried, number, _Shown(child, move, tried, prior), latest.children))
        if not waiting or taken >= most:
            return shown
        _, _, latest, siblings = heappop(waiting)
        siblings.append(latest)
        taken += 1


def _sort(shown: _Shown) -> None:
    shown.children.sort(key=lambda child: shown.node.moves.index(child.move))
    for child in shown.children:
        _sort(child)


def _write(tree: SampleTree, shown: _Shown, score: Callable[[Node], int], ply: int) -> None:
    node = shown.node
    best = node.moves[ranked(node)[0]] if node.children else UNKNOWN
    tree.put(shown.move, node.position.turn, shown.visits, shown.prior, best, node.proof is not None)
    for child in shown.children:
        _write(tree, child, score, ply + 1)
    value = score(node) if node.proof is None else node.sign * delayed(node.proof, ply)
    end = End.ALL if node.children else End.OUTCOME if not node.moves else End.HORIZON
    tree.leave(value, end)
