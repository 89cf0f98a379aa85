"""Trees with counted visits, as Monte Carlo tree search leaves them: which child UCB chooses, and a visit backed up.

`points` are those of MAX: 1 for a game that it wins, ½ for a draw, 0 for a loss. A node of MIN is entered with 1 less
the mean: that is the mean for the side that plays there.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import log, sqrt

from ai.drills.tree import Tree

RESULTS = (Fraction(0), Fraction(1, 2), Fraction(1))
"""What a game may give to MAX."""

_SEEN = 0.03  # by how much the best bound leads, so that rounded numbers give the same answer
_VISITS = (4, 40)  # of a leaf


@dataclass(frozen=True, slots=True)
class Visits:
    """`visits` and `points` of each node of `tree`, and the weight `c` of exploration."""

    tree: Tree
    visits: tuple[int, ...]
    points: tuple[Fraction, ...]
    c: Fraction

    def mean(self, node: int) -> float:
        """That of a node, for the side that plays the move to it."""
        for_max = float(self.points[node] / self.visits[node])
        return for_max if self.tree.roles[self.tree.parents[node]] == "max" else 1 - for_max

    def bonus(self, node: int) -> float:
        """c · √(ln N / n), with N visits of the node before and n of this one (Kocsis, Szepesvári: UCT, 2006)."""
        before = self.visits[self.tree.parents[node]]
        return float(self.c) * sqrt(log(before) / self.visits[node])

    def bound(self, node: int) -> float:
        """The upper confidence bound of a move."""
        return self.mean(node) + self.bonus(node)

    def best(self, node: int) -> int:
        """The child that UCB chooses."""
        return max(self.tree.children[node], key=self.bound)

    def way(self) -> list[int]:
        """The nodes that the next visit goes through, after the root."""
        found = [0]
        while self.tree.children[found[-1]]:
            found.append(self.best(found[-1]))
        return found[1:]

    def backed_up(self, way: list[int], result: Fraction) -> Mapping[int, tuple[int, Fraction]]:
        """Visits and points of the root and the nodes on the `way`, after a game that gave `result` to MAX."""
        return {node: (self.visits[node] + 1, self.points[node] + result) for node in (0, *way)}


def random_visits(dice: random.Random, tree: Tree, c: Fraction, choice: bool = True) -> Visits:
    """Return visits. If UCB has a `choice` to make, it is clear, and at the root not the move with the best mean."""
    while True:
        found = _drawn(dice, tree, c)
        if not choice or (_surprises(found) and all(_clear(found, node) for node in tree.inner)):
            return found


def _surprises(found: Visits) -> bool:
    return found.best(0) != max(found.tree.children[0], key=found.mean)


def _clear(found: Visits, node: int) -> bool:
    first, second = sorted((found.bound(child) for child in found.tree.children[node]), reverse=True)[:2]
    return first - second >= _SEEN


def _drawn(dice: random.Random, tree: Tree, c: Fraction) -> Visits:
    visits, points = [0] * len(tree), [Fraction(0)] * len(tree)
    for node in reversed(range(len(tree))):  # those below a node before it
        below = tree.children[node]
        if below:  # its own first visit, and those of the moves
            visits[node] = 1 + sum(visits[child] for child in below)
            points[node] = dice.choice(RESULTS) + sum(points[child] for child in below)
        else:
            visits[node] = dice.randint(*_VISITS)
            points[node] = Fraction(dice.randint(1, 2 * visits[node] - 1), 2)
    return Visits(tree, tuple(visits), tuple(points), c)
