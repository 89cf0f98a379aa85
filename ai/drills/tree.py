"""The small trees of exercises: given, random, or of a game. Their minimax values, alpha-beta search and visit counts.

Values, α and β are for MAX, the side to move at the root: α is what MAX, β what MIN is already sure of on the path from
the root. A visit is one descent of Monte Carlo tree search from the root to a leaf.
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

Role = Literal["max", "min", "chance"]


class TooLarge(ValueError):
    """A tree has more than `MOST_LEAVES` leaves."""


@dataclass(frozen=True, slots=True)
class Tree:
    """An immutable game tree. Nodes are numbered from the root, 0, each parent before its children.

    For each node, `children` are its children in the order of search, `roles` who chooses there, `moves` and `names`
    the move that led to it (-2 and empty for the root). `leaves` are the values of the leaves for MAX, as multiples of
    1 / `unit`, and None at inner nodes.
    """

    children: tuple[tuple[int, ...], ...]
    roles: tuple[Role, ...]
    moves: tuple[int, ...]
    names: tuple[str, ...]
    leaves: tuple[int | None, ...]
    unit: int = 1

    def __len__(self) -> int:
        """Return the number of nodes, with the root."""
        return len(self.children)

    @property
    def inner(self) -> list[int]:
        """The nodes with children, in preorder, as they are drawn."""
        return [node for node in self.preorder() if self.children[node]]

    @property
    def count(self) -> int:
        """The number of leaves."""
        return sum(not below for below in self.children)

    def preorder(self, node: int = 0) -> Iterator[int]:
        """Yield `node` and all nodes below it, each before its children."""
        yield node
        for child in self.children[node]:
            yield from self.preorder(child)

    @property
    def parents(self) -> tuple[int, ...]:
        """The parent of each node; -1 for the root."""
        above = dict.fromkeys(range(len(self)), -1)
        for node, below in enumerate(self.children):
            above.update(dict.fromkeys(below, node))
        return tuple(above.values())

    def path(self, node: int) -> list[int]:
        """Return the nodes from the root to `node`, both included."""
        parents, found = self.parents, [node]
        while parents[found[-1]] >= 0:
            found.append(parents[found[-1]])
        return found[::-1]

    def title(self, node: int) -> str:
        """Return the names of the moves from the root to `node`: ``a b``; empty for the root."""
        return " ".join(self.names[each] for each in self.path(node)[1:])

    def with_order(self, node: int, order: Sequence[int]) -> Tree:
        """Return the same tree with the children of `node` in the given order."""
        children = list(self.children)
        children[node] = tuple(order)
        return replace(self, children=tuple(children))


def grow_tree(position: Position, unit: int = HUNDREDTHS, depth: int | None = None, breadth: int | None = None) -> Tree:
    """Return the tree of `position`, `depth` plies deep, or to the end of the game if that is None.

    A position with more than `breadth` moves, unless that is None, gets its first `breadth` candidates only. A win is
    worth `POINTS`; leaves that are not the end of a game are estimated. Raise `TooLarge`.
    """
    grower = _Grower(position.turn, unit, breadth)
    grower.grow(position, "", -2, depth)
    moves, names = tuple(grower.moves), tuple(grower.names)
    return Tree(tuple(grower.children), tuple(grower.roles), moves, names, tuple(grower.leaves), unit)


class _Grower:
    """Collects the nodes of a tree in preorder. `first` is the side to move at the root, which is MAX."""

    def __init__(self, first: int, unit: int, breadth: int | None) -> None:
        self._first, self._unit, self._breadth = first, unit, breadth
        self.children: list[tuple[int, ...]] = []
        self.roles: list[Role] = []
        self.moves: list[int] = []
        self.names: list[str] = []
        self.leaves: list[int | None] = []

    def grow(self, position: Position, name: str, move: int, depth: int | None) -> int:
        """Add `position`, reached by `move`, and `depth` plies below it, all if None. Return its node.

        Raise `TooLarge`.
        """
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
        """Return the moves to grow: all, or the first candidates if there are too many; none if the game is over."""
        if position.outcome is not None:
            return ()
        moves = position.legal_moves()
        all_fit = self._breadth is None or len(moves) <= self._breadth
        return moves if all_fit else position.candidates()[: self._breadth]

    def _value(self, position: Position) -> int:
        """Return the value of a leaf for MAX, as a multiple of 1 / `unit`. Estimates stay below a win."""
        outcome = position.outcome
        if outcome is None:
            value = position.evaluate() if position.turn == self._first else -position.evaluate()
            limit = POINTS * self._unit - 1
            return max(-limit, min(value, limit)) if self._unit == HUNDREDTHS else value
        if outcome.winner is None:
            return 0
        win = POINTS * self._unit
        return win if outcome.winner == self._first else -win


def tree_of_subject(subject: Subject) -> Tree:
    """Return the tree of a subject for exercises. Raise `TooLarge`.

    A tree of numbers is returned whole. Of a game it is the deepest tree of two to four plies that is small enough with
    all moves, or else two plies with the three best candidates of each position.
    """
    if subject.setup is None:
        return grow_tree(subject.position, unit=1)
    for depth in (4, 3, 2):
        try:
            return grow_tree(subject.position, depth=depth)
        except TooLarge:
            continue
    return grow_tree(subject.position, depth=2, breadth=3)


def random_numbers(
    dice: random.Random, widths: Sequence[int], chance: bool = False, numbers: Sequence[int] = range(_LARGEST + 1)
) -> Tree:
    """Return a tree of random `numbers`; `widths` are the branches of a node at each ply.

    With `chance`, the nodes of MIN become chance nodes.
    """

    def branches(rest: Sequence[int]) -> Branches:
        """Draw a tree whose widths are `rest`; a number if there are none."""
        if not rest:
            return dice.choice(numbers)
        return tuple(branches(rest[1:]) for _ in range(rest[0]))

    tree = grow_tree(NumberTree(branches(widths)), unit=1)
    roles: list[Role] = ["chance" if role == "min" and chance else role for role in tree.roles]
    return replace(tree, roles=tuple(roles))


_Pick = tuple[int, list[int]]
"""How many nodes are visited, and the children that may come first."""


def values(tree: Tree) -> list[Fraction]:
    """Return the value of each node for MAX by minimax; the value of a chance node is the mean of its children."""
    found = [Fraction()] * len(tree)

    def visit(node: int) -> Fraction:
        """Fill in the values from `node` on, and return its value."""
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
    """What alpha-beta did: `windows` has α and β on entering each node that it visited.

    `cut` has the children that it skipped, each with α and β of its parent at that moment. All of this is the same for
    fail-hard and fail-soft.
    """

    windows: dict[int, tuple[float, float]] = field(default_factory=dict)
    cut: dict[int, tuple[float, float]] = field(default_factory=dict)


def alphabeta(tree: Tree) -> AlphaBetaRun:
    """Run alpha-beta, children from left to right, with a cut as soon as α ≥ β."""
    run = AlphaBetaRun()

    def visit(node: int, alpha: float, beta: float) -> float:
        """Search `node`, and return its fail-soft value."""
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

    In any order alpha-beta visits nodes that prove the root's value v to be at least v, and nodes that prove it to be
    at most v (Knuth, Moore: An Analysis of Alpha-Beta Pruning, 1975). `fewest` is the size of the smallest union of two
    such sets. At a node whose exact value is needed, both are needed of one best child, one bound of each other child.
    At a node of which a bound is needed, it is needed of one child if the proving side moves, of all children if the
    other side does.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree, self._values = tree, values(tree)
        self._bounds: dict[tuple[int, bool], _Pick] = {}
        self.fewest = self._exact_proof(0)[0]

    def _exact_proof(self, node: int) -> _Pick:
        """Return the fewest nodes that prove the exact value of `node`, and the children that may come first then."""
        below = self._tree.children[node]
        if not below:
            return 1, []
        most = self._tree.roles[node] == "max"  # a bound from above of what is not chosen
        beside = {child: self._bound_proof(child, most)[0] for child in below}
        all_bounds, value = sum(beside.values()), self._values[node]
        costs = {child: self._exact_proof(child)[0] + all_bounds - beside[child]
                 for child in below if self._values[child] == value}  # fmt: skip
        return _least_cost(costs)

    def _bound_proof(self, node: int, most: bool) -> _Pick:
        """As `_compute_bound_proof`, cached."""
        if (node, most) not in self._bounds:
            self._bounds[node, most] = self._compute_bound_proof(node, most)
        return self._bounds[node, most]

    def _compute_bound_proof(self, node: int, most: bool) -> _Pick:
        """Return the fewest nodes that prove a bound of `node`, and the children that may come first then.

        The bound is the root's value v: with `most` that the node's value is ≤ v, otherwise that it is ≥ v.
        """
        below, goal = self._tree.children[node], self._values[0]
        if not below:
            return 1, []
        if (self._tree.roles[node] == "max") == most:  # all moves must be refuted, in any order
            return 1 + sum(self._bound_proof(child, most)[0] for child in below), list(below)
        fit = [child for child in below if (self._values[child] <= goal if most else self._values[child] >= goal)]
        return _least_cost({child: self._bound_proof(child, most)[0] for child in fit})

    def _visited_nodes(self) -> Iterator[tuple[int, list[int]]]:
        """Yield the inner nodes that alpha-beta visits in the best order, each with the children that may come
        first."""
        waiting: list[tuple[int, bool | None]] = [(0, None)]
        while waiting:
            node, most = waiting.pop()
            below = self._tree.children[node]
            if not below:
                continue
            firsts = (self._exact_proof(node) if most is None else self._bound_proof(node, most))[1]
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
        """Return the tree in a best order. At each node at most one child is moved, to the front."""
        tree = self._tree
        for node, firsts in self._visited_nodes():
            below = tree.children[node]
            first = next(child for child in below if child in firsts)
            tree = tree.with_order(node, (first, *(child for child in below if child != first)))
        return tree

    def misplaced_node(self) -> int | None:
        """Return a node at which another child should come first; None if no order visits fewer nodes."""
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


def _least_cost(costs: dict[int, int]) -> _Pick:
    """Return 1 more than the least cost, for the parent itself, and the children that have the least cost."""
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
    """A tree with visit counts, as Monte Carlo tree search leaves it.

    `visits` and `points` (1 for a win of MAX, ½ for a draw) are those of each node; `c` is the weight of exploration.
    """

    tree: Tree
    visits: tuple[int, ...]
    points: tuple[Fraction, ...]
    c: Fraction

    def mean(self, node: int) -> float:
        """Return the mean result at `node`, from 0 to 1, for the side that plays the move to it. Not for the root."""
        for_max = float(self.points[node] / self.visits[node])
        return for_max if self.tree.roles[self.tree.parents[node]] == "max" else 1 - for_max

    def bonus(self, node: int) -> float:
        """Return the exploration term c · √(ln N / n), with N visits of the parent and n of `node`. Not for the root.

        See Kocsis, Szepesvári: Bandit Based Monte-Carlo Planning, 2006.
        """
        before = self.visits[self.tree.parents[node]]
        return float(self.c) * sqrt(log(before) / self.visits[node])

    def bound(self, node: int) -> float:
        """Return the upper confidence bound of the move to `node`: mean plus bonus. Not for the root."""
        return self.mean(node) + self.bonus(node)

    def best(self, node: int) -> int:
        """Return the child of `node` with the highest upper confidence bound."""
        return max(self.tree.children[node], key=self.bound)

    def way(self) -> list[int]:
        """Return the nodes of the next visit after the root: always the child with the highest upper confidence
        bound."""
        found = [0]
        while self.tree.children[found[-1]]:
            found.append(self.best(found[-1]))
        return found[1:]

    def backed_up(self, way: list[int], result: Fraction) -> Mapping[int, tuple[int, Fraction]]:
        """Return visits and points after one more game along `way`, for the root and the nodes of `way` only.

        `result` is the game's points for MAX: 1, ½ or 0.
        """
        return {node: (self.visits[node] + 1, self.points[node] + result) for node in (0, *way)}


def random_visits(dice: random.Random, tree: Tree, c: Fraction, choice: bool = True) -> Visits:
    """Draw visits and points for a tree.

    With `choice`, at each node UCB clearly prefers one child, and at the root not the one with the best mean.
    """
    while True:
        found = _draw_visits(dice, tree, c)
        if not choice or (_differs_from_best_mean(found) and all(_is_clear_choice(found, node) for node in tree.inner)):
            return found


def _differs_from_best_mean(found: Visits) -> bool:
    """Return whether UCB chooses at the root another child than the one with the best mean."""
    return found.best(0) != max(found.tree.children[0], key=found.mean)


def _is_clear_choice(found: Visits, node: int) -> bool:
    """Return whether the highest bound among the children of `node` exceeds the second even after rounding."""
    first, second = sorted((found.bound(child) for child in found.tree.children[node]), reverse=True)[:2]
    return first - second >= _SEEN


def _draw_visits(dice: random.Random, tree: Tree, c: Fraction) -> Visits:
    """Draw visits and points at random. Those of an inner node are the sums over its children and one visit more."""
    visits, points = [0] * len(tree), [Fraction()] * len(tree)
    for node in reversed(range(len(tree))):  # those below a node before it
        below = tree.children[node]
        if below:  # its own first visit, and those of the moves
            visits[node] = 1 + sum(visits[child] for child in below)
            points[node] = dice.choice(RESULTS) + sum(points[child] for child in below)
        else:
            visits[node] = dice.randint(*_VISITS)
            points[node] = Fraction(dice.randint(1, 2 * visits[node] - 1), 2)
    return Visits(tree, tuple(visits), tuple(points), c)
