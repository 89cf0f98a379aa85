"""The tree of a Monte Carlo tree search as it stands after a search: the nodes that were visited most."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Any

from ai.core.score import delayed
from ai.search.mcts_tree import Bonus, MctsNode, Select, ranked
from ai.search.table_tree import UNKNOWN, Snapshot
from ai.search.trace import INFINITY, ROOT, End
from games.position import Position

SAMPLE_NODES = 1500
"""Nodes of a tree, unless fewer are wanted."""


@dataclass(frozen=True, slots=True)
class Rule:
    """How a search chooses the move to try next; `by_prior` tells whether priors matter."""

    select: Select
    bonus: Bonus
    c: float
    by_prior: bool


class SampleTree(Snapshot):
    """Each node has also the `visits` of the move that led to it and its `prior`; the root has all visits. `proven`
    tells whether its value is. `mean` is the result of the move for the side that plays it, where a win counts 1 and a
    loss 0, and `bonus` what is added to it for exploration on that scale; the `following` move is the one that the next
    visit here tries, `UNKNOWN` if there is none. A node that is reached in several ways is there for each of them."""

    by_prior = True
    """Whether the search looks at the priors."""

    def __init__(self) -> None:
        super().__init__()
        self.visits, self.prior, self.proven = array("i"), array("f"), array("b")
        self.mean, self.bonus, self.following = array("f"), array("f"), array("h")

    def put(
        self, move: int, turn: int, visits: int, prior: float, best: int, proven: bool,
        terms: tuple[float, float] = (0.0, 0.0), following: int = UNKNOWN,
    ) -> None:  # fmt: skip
        """Enter the position after `move`; `terms` are mean and bonus."""
        self.enter(move, turn, -INFINITY, INFINITY)
        self.visits.append(visits)
        self.prior.append(prior)
        self.best.append(best)
        self.proven.append(proven)
        self.mean.append(terms[0])
        self.bonus.append(terms[1])
        self.following.append(following)

    def bound(self, node: int) -> str:
        return "exact"

    def facts(self) -> dict[str, list[Any]]:
        found: dict[str, list[Any]] = {"visits": list(self.visits)}
        if self.by_prior:
            found["prior"] = [round(prior, 4) for prior in self.prior]
        terms = {"mean": self.mean, "bonus": self.bonus}
        return found | {name: [round(each, 4) for each in term] for name, term in terms.items()}


def sample_seed(position: Position) -> SampleTree:
    """Return the tree of a search that has not begun."""
    tree = SampleTree()
    tree.put(ROOT, position.turn, 0, 1.0, UNKNOWN, False)
    tree.stop()
    return tree


@dataclass(slots=True)
class _Shown:
    node: MctsNode
    move: int
    visits: int
    prior: float
    terms: tuple[float, float] = (0.0, 0.0)
    children: list[_Shown] = field(default_factory=list)


def sample_tree(
    root: MctsNode, score: Callable[[MctsNode], int], rule: Rule, most: int = SAMPLE_NODES, by_visits: bool = True
) -> SampleTree:
    """Return the `most` visited nodes of the tree; `score` gives that of an unproven node for its side to move.

    Children are sorted by visits, or else in the order in which they were tried first.
    """
    tree = SampleTree()
    tree.by_prior = rule.by_prior
    shown = _most_visited(root, rule, most)
    if not by_visits:
        _sort(shown)
    _write(tree, shown, score, rule, 0)
    return tree


def _most_visited(root: MctsNode, rule: Rule, most: int) -> _Shown:
    """Select the `most` visited nodes, best first from the root: a heap ordered by visits."""
    shown = _Shown(root, ROOT, root.visits, 1.0)
    waiting: list[tuple[int, int, _Shown, list[_Shown]]] = []
    taken, number, latest = 1, 0, shown
    while True:
        node = latest.node
        for index, (move, child) in enumerate(zip(node.moves, node.children, strict=False)):
            number += 1  # breaks ties: the first one found
            tried, terms = node.tried[index], (_result(node.sign * child.value), rule.bonus(node, index, rule.c) / 2)
            shown_child = _Shown(child, move, tried, node.priors[index], terms)
            heappush(waiting, (-tried, number, shown_child, latest.children))
        if not waiting or taken >= most:
            return shown
        _, _, latest, siblings = heappop(waiting)
        siblings.append(latest)
        taken += 1


def _result(value: float) -> float:
    """Convert a value from -1 to 1 to a result from 0 to 1."""
    return (1 + value) / 2


def _sort(shown: _Shown) -> None:
    """Put the children in the order of the moves at their node, all the way down."""
    shown.children.sort(key=lambda child: shown.node.moves.index(child.move))
    for child in shown.children:
        _sort(child)


def _write(tree: SampleTree, shown: _Shown, score: Callable[[MctsNode], int], rule: Rule, ply: int) -> None:
    """Write `shown` and its children to the trace, depth first."""
    node = shown.node
    best = node.moves[ranked(node)[0]] if node.children else UNKNOWN
    index = -1 if node.proof is not None else rule.select(node, rule.c)
    following = UNKNOWN if index < 0 else node.moves[index]
    proven = node.proof is not None
    tree.put(shown.move, node.position.turn, shown.visits, shown.prior, best, proven, shown.terms, following)
    for child in shown.children:
        _write(tree, child, score, rule, ply + 1)
    value = score(node) if node.proof is None else node.sign * delayed(node.proof, ply)
    end = End.ALL if node.children else End.OUTCOME if not node.moves else End.HORIZON
    tree.leave(value, end)
