"""The small trees that exercises are about: given, random, or of a game; and their searches: minimax values, alpha-beta
with all windows and cuts, the order that cuts most, and visits.

Values, α and β are for MAX: α is what MAX is sure of on the way from the root, β what MIN is sure of.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import inf, log, sqrt
from typing import Literal

from ai.explain.subject import Subject
from ai.search.number_tree import Branches, NumberTree
from games.position import Position

MOST_LEAVES = 16
"""A tree with more has no room for what a student writes."""

HUNDREDTHS = 100
"""The `unit` of a tree of a game: estimates are in hundredths."""

POINTS = 10
"""The value of a win, as in the lessons."""

_LARGEST = 20  # of the numbers drawn
_ALL = 26  # moves

Role = Literal["max", "min", "chance"]


class TooLarge(ValueError):
    """A tree has more than `MOST_LEAVES` leaves."""


@dataclass(frozen=True, slots=True)
class Tree:
    """Nodes are numbered from the root, 0, parents first. `children` are the nodes after each, in the order in which
    they are searched, `roles` who chooses there, and `moves` and `names` the move that led there, -2 and empty for the
    root. `leaves` has the values of those without children, for MAX, each a multiple of 1 / `unit`."""

    children: tuple[tuple[int, ...], ...]
    roles: tuple[Role, ...]
    moves: tuple[int, ...]
    names: tuple[str, ...]
    leaves: tuple[int | None, ...]
    unit: int = 1

    def __len__(self) -> int:
        return len(self.children)

    @property
    def inner(self) -> list[int]:
        """The nodes with children, in the order in which they are drawn."""
        return [node for node in self.preorder() if self.children[node]]

    @property
    def count(self) -> int:
        """The number of leaves."""
        return sum(not below for below in self.children)

    def preorder(self, node: int = 0) -> Iterator[int]:
        """The nodes from `node` on, each before those below it."""
        yield node
        for child in self.children[node]:
            yield from self.preorder(child)

    @property
    def parents(self) -> tuple[int, ...]:
        """The node before each; -1 for the root."""
        above = dict.fromkeys(range(len(self)), -1)
        for node, below in enumerate(self.children):
            above.update(dict.fromkeys(below, node))
        return tuple(above.values())

    def path(self, node: int) -> list[int]:
        """The nodes from the root to `node`."""
        parents, found = self.parents, [node]
        while parents[found[-1]] >= 0:
            found.append(parents[found[-1]])
        return found[::-1]

    def title(self, node: int) -> str:
        """The moves from the root to `node`: ``a b``."""
        return " ".join(self.names[each] for each in self.path(node)[1:])

    def with_order(self, node: int, order: Sequence[int]) -> Tree:
        """The same tree with the children of `node` in another order."""
        children = list(self.children)
        children[node] = tuple(order)
        return replace(self, children=tuple(children))


def grow_tree(position: Position, unit: int = HUNDREDTHS, depth: int | None = None, breadth: int = _ALL) -> Tree:
    """Return the tree of `position`: `depth` plies deep or to the end, with all moves, or where there are more than
    `breadth` with the first of the candidates. Raise `TooLarge`."""
    grower = _Grower(position.turn, unit, breadth)
    grower.grow(position, "", -2, depth)
    moves, names = tuple(grower.moves), tuple(grower.names)
    return Tree(tuple(grower.children), tuple(grower.roles), moves, names, tuple(grower.leaves), unit)


class _Grower:
    def __init__(self, first: int, unit: int, breadth: int) -> None:
        self._first, self._unit, self._breadth = first, unit, breadth
        self.children: list[tuple[int, ...]] = []
        self.roles: list[Role] = []
        self.moves: list[int] = []
        self.names: list[str] = []
        self.leaves: list[int | None] = []

    def grow(self, position: Position, name: str, move: int, depth: int | None) -> int:
        """Add `position` and what is below it. Return its number."""
        node = len(self.children)
        self.children.append(())
        self.roles.append("max" if position.turn == self._first else "min")
        self.moves.append(move)
        self.names.append(name)
        self.leaves.append(None)
        moves = () if depth == 0 else self._moves(position)
        if moves:
            rest = None if depth is None else depth - 1
            grown = (self.grow(position.play(each), position.move_text(each), each, rest) for each in moves)
            self.children[node] = tuple(grown)
        else:
            self.leaves[node] = self._value(position)
            if len(self.leaves) - self.leaves.count(None) > MOST_LEAVES:
                raise TooLarge
        return node

    def _moves(self, position: Position) -> Sequence[int]:
        """The moves to grow: all, or the first candidates where there are too many."""
        if position.outcome is not None:
            return ()
        moves = position.legal_moves()
        return moves if len(moves) <= self._breadth else position.candidates()[: self._breadth]

    def _value(self, position: Position) -> int:
        """Value of a leaf for the first mover, in points."""
        outcome = position.outcome
        if outcome is None:
            value = position.evaluate() if position.turn == self._first else -position.evaluate()
            limit = POINTS * self._unit - 1
            return max(-limit, min(limit, value)) if self._unit > 1 else value
        if outcome.winner is None:
            return 0
        return POINTS * self._unit * (1 if outcome.winner == self._first else -1)


def of_subject(subject: Subject) -> Tree:
    """Return a tree of numbers whole; of a game the deepest tree, up to four plies, that is small enough with all
    moves, or if even two plies are too many, with the three best candidates of each position. Raise `TooLarge`."""
    if subject.setup is None:
        return grow_tree(subject.position, unit=1)
    for depth in (4, 3, 2):
        try:
            return grow_tree(subject.position, depth=depth)
        except TooLarge:
            continue
    return grow_tree(subject.position, depth=2, breadth=3)


def random_numbers(dice: random.Random, widths: Sequence[int], chance: bool = False) -> Tree:
    """Return a tree of random numbers with so many branches at each ply; with `chance` nodes in place of those of MIN.
    """

    def branches(rest: Sequence[int]) -> Branches:
        if not rest:
            return dice.randint(0, _LARGEST)
        return tuple(branches(rest[1:]) for _ in range(rest[0]))

    tree = grow_tree(NumberTree(branches(widths)), unit=1)
    roles: list[Role] = ["chance" if role == "min" and chance else role for role in tree.roles]
    return replace(tree, roles=tuple(roles))


_Pick = tuple[int, list[int]]
"""How many nodes are visited, and the children that may come first."""


def values(tree: Tree) -> list[Fraction]:
    """Return the value of each node by minimax; that of a chance node is the mean."""
    found = [Fraction(0)] * len(tree)

    def visit(node: int) -> Fraction:
        below = [visit(child) for child in tree.children[node]]
        leaf = tree.leaves[node]
        if leaf is not None:
            found[node] = Fraction(leaf)
        elif tree.roles[node] == "chance":
            found[node] = sum(below, Fraction(0)) / len(below)
        else:
            found[node] = max(below) if tree.roles[node] == "max" else min(below)
        return found[node]

    visit(0)
    return found


@dataclass(slots=True)
class AlphaBetaRun:
    """What alpha-beta did: the `windows`, α and β, with which it entered each node that it visited, the branches that
    it `cut`, by their nodes, and for these the α and β of their parent by then. Fail-hard and fail-soft differ in the
    bounds that they return, and in none of these."""

    windows: dict[int, tuple[float, float]] = field(default_factory=dict)
    cut: dict[int, tuple[float, float]] = field(default_factory=dict)


def alphabeta(tree: Tree) -> AlphaBetaRun:
    """Search from left to right, and cut as soon as α ≥ β."""
    run = AlphaBetaRun()

    def visit(node: int, alpha: float, beta: float) -> float:
        run.windows[node] = alpha, beta
        leaf = tree.leaves[node]
        if leaf is not None:
            return leaf
        up, below = tree.roles[node] == "max", tree.children[node]
        best = -inf if up else inf
        for number, child in enumerate(below):
            value = visit(child, alpha, beta)
            if up:
                best = max(best, value)
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                beta = min(beta, best)
            if alpha >= beta:
                run.cut.update(dict.fromkeys(below[number + 1 :], (alpha, beta)))
                break
        return best

    visit(0, -inf, inf)
    return run


class BestOrder:
    """The order of moves in which alpha-beta visits the fewest nodes.

    Whatever the order, it visits what proves that the value of the root is at least v, and what proves that it is
    at most v (Knuth, Moore: An Analysis of Alpha-Beta Pruning, 1975). `fewest` is the size of the smallest such
    set: along one path all that is needed of both, beside it of one, where the side that wants to prove something needs
    a single move, the other one all of them.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree, self._values = tree, values(tree)
        self._bounds: dict[tuple[int, bool], _Pick] = {}
        self.fewest = self._exact(0)[0]

    def _exact(self, node: int) -> _Pick:
        """For a node whose value must be known: that of the root."""
        below = self._tree.children[node]
        if not below:
            return 1, []
        most = self._tree.roles[node] == "max"  # a bound from above of what is not chosen
        beside = {child: self._bound(child, most)[0] for child in below}
        all_bounds, value = sum(beside.values()), self._values[node]
        costs = {child: self._exact(child)[0] + all_bounds - beside[child]
                 for child in below if self._values[child] == value}  # fmt: skip
        return _cheapest(costs)

    def _bound(self, node: int, most: bool) -> _Pick:
        """For a node of which it must only be proven that its value is at `most` v, or else at least v."""
        if (node, most) not in self._bounds:
            self._bounds[node, most] = self._bound_of(node, most)
        return self._bounds[node, most]

    def _bound_of(self, node: int, most: bool) -> _Pick:
        """The fewest nodes to prove the bound at `node`, and the children that may come first."""
        below, goal = self._tree.children[node], self._values[0]
        if not below:
            return 1, []
        if (self._tree.roles[node] == "max") == most:  # all moves must be refuted, in any order
            return 1 + sum(self._bound(child, most)[0] for child in below), list(below)
        fit = [child for child in below if (self._values[child] <= goal if most else self._values[child] >= goal)]
        return _cheapest({child: self._bound(child, most)[0] for child in fit})

    def _visited_nodes(self) -> Iterator[tuple[int, list[int]]]:
        """The nodes that must be visited, each with the children that may come first; of several the first one does."""
        waiting: list[tuple[int, bool | None]] = [(0, None)]
        while waiting:
            node, most = waiting.pop()
            below = self._tree.children[node]
            if not below:
                continue
            firsts = (self._exact(node) if most is None else self._bound(node, most))[1]
            yield node, firsts
            first = next(child for child in below if child in firsts)
            if most is None:
                most_beside = self._tree.roles[node] == "max"
                waiting.extend((child, most_beside) for child in below if child != first)
                waiting.append((first, None))
            elif (self._tree.roles[node] == "max") == most:
                waiting.extend((child, most) for child in reversed(below))
            else:
                waiting.append((first, most))

    def ordered(self) -> Tree:
        """Return the tree in such an order, with as few moves changed as may be."""
        tree = self._tree
        for node, firsts in self._visited_nodes():
            below = tree.children[node]
            first = next(child for child in below if child in firsts)
            tree = tree.with_order(node, (first, *(child for child in below if child != first)))
        return tree

    def misplaced(self) -> int | None:
        """Return a node at which another move should come first; None if the order is the best."""
        count = len(alphabeta(self._tree).windows)
        if count == self.fewest:
            return None
        wrong = []
        for node, firsts in self._visited_nodes():
            below = self._tree.children[node]
            if below[0] not in firsts:
                first = next(child for child in below if child in firsts)
                better = self._tree.with_order(node, (first, *(child for child in below if child != first)))
                if len(alphabeta(better).windows) < count:
                    return node
                wrong.append(node)
        return wrong[0]


def _cheapest(costs: dict[int, int]) -> _Pick:
    """The least cost and the children that have it."""
    least = min(costs.values())
    return 1 + least, [child for child, cost in costs.items() if cost == least]


# Trees with counted visits, as Monte Carlo tree search leaves them: which child UCB chooses, and a visit backed up.
#
# `points` are those of MAX: 1 for a game that it wins, ½ for a draw, 0 for a loss. A node of MIN is entered with 1 less
# the mean: that is the mean for the side that plays there.


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
        found = _draw_visits(dice, tree, c)
        if not choice or (_surprises(found) and all(_clear(found, node) for node in tree.inner)):
            return found


def _surprises(found: Visits) -> bool:
    """Whether the choice is not the move with the best mean."""
    return found.best(0) != max(found.tree.children[0], key=found.mean)


def _clear(found: Visits, node: int) -> bool:
    """Whether the best bound of the children exceeds the second best visibly."""
    first, second = sorted((found.bound(child) for child in found.tree.children[node]), reverse=True)[:2]
    return first - second >= _SEEN


def _draw_visits(dice: random.Random, tree: Tree, c: Fraction) -> Visits:
    """Draw visits and points of every node, consistent from the leaves up."""
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
