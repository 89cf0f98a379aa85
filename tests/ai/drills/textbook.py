"""Searches of nested tuples as textbooks print them, which share no code with the program.

A tree is a number, or the tuple of its branches; a node is named by the letters of the branches that lead to it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import permutations, product
from math import inf, log, sqrt

Tree = int | tuple["Tree", ...]


def random_tree(dice: random.Random, deepest: int = 4, most: int = 16) -> Tree:
    """A tree of unequal depth with two to `most` leaves."""
    while True:
        tree = _random_tree(dice, dice.randint(1, deepest))
        if isinstance(tree, tuple) and 2 <= len(leaves(tree)) <= most:
            return tree


def _random_tree(dice: random.Random, depth: int) -> Tree:
    if depth == 0 or dice.random() < 0.1:
        return dice.randint(-9, 9)
    return tuple(_random_tree(dice, depth - 1) for _ in range(dice.randint(1, 4)))


def leaves(tree: Tree) -> list[int]:
    return [tree] if isinstance(tree, int) else [leaf for branch in tree for leaf in leaves(branch)]


def nodes(tree: Tree, name: str = "") -> Iterator[tuple[str, Tree]]:
    yield name, tree
    if isinstance(tree, tuple):
        for number, branch in enumerate(tree):
            yield from nodes(branch, name + "abcd"[number])


def minimax(tree: Tree, maximizing: bool = True) -> int:
    if isinstance(tree, int):
        return tree
    below = [minimax(branch, not maximizing) for branch in tree]
    return max(below) if maximizing else min(below)


Entered = dict[str, tuple[float, float]]


def fail_hard(tree: Tree, entered: Entered, alpha: float = -inf, beta: float = inf, maximizing: bool = True,
              name: str = "") -> float:  # fmt: skip
    entered[name] = alpha, beta
    if isinstance(tree, int):
        return max(alpha, min(beta, tree))
    for number, branch in enumerate(tree):
        value = fail_hard(branch, entered, alpha, beta, not maximizing, name + "abcd"[number])
        if maximizing:
            if value >= beta:
                return beta
            alpha = max(alpha, value)
        else:
            if value <= alpha:
                return alpha
            beta = min(beta, value)
    return alpha if maximizing else beta


def fail_soft(tree: Tree, entered: Entered, alpha: float = -inf, beta: float = inf, maximizing: bool = True,
              name: str = "") -> float:  # fmt: skip
    entered[name] = alpha, beta
    if isinstance(tree, int):
        return tree
    best = -inf if maximizing else inf
    for number, branch in enumerate(tree):
        value = fail_soft(branch, entered, alpha, beta, not maximizing, name + "abcd"[number])
        best = max(best, value) if maximizing else min(best, value)
        if (maximizing and best >= beta) or (not maximizing and best <= alpha):
            break
        alpha, beta = (max(alpha, best), beta) if maximizing else (alpha, min(beta, best))
    return best


def cuts(tree: Tree, entered: Entered) -> set[str]:
    """The branches that were not searched, though their parent was."""
    return {name for name, _ in nodes(tree) if name and name not in entered and name[:-1] in entered}


def orders(tree: Tree) -> Iterator[Tree]:
    """The tree in each order of the moves of each node."""
    if isinstance(tree, int):
        yield tree
        return
    for branches in permutations(tree):
        yield from product(*map(orders, branches))


def count_of_orders(tree: Tree) -> int:
    count = 1
    if isinstance(tree, tuple):
        for number, branch in enumerate(tree, 1):
            count *= number * count_of_orders(branch)
    return count


def visited(tree: Tree, search: Callable[..., float] = fail_soft) -> int:
    entered: Entered = {}
    search(tree, entered)
    return len(entered)


class Stat:
    """A node of a Monte Carlo tree search: games, and points of MAX."""

    def __init__(self, games: int, points: float, maximizing: bool, children: list[Stat]) -> None:
        self.games, self.points, self.maximizing, self.children = games, points, maximizing, children

    def select(self, c: float) -> int:
        """The number of the child to visit."""
        best, chosen = -inf, -1
        for number, child in enumerate(self.children):
            mean = child.points / child.games
            if not self.maximizing:
                mean = 1 - mean
            bound = mean + c * sqrt(log(self.games) / child.games)
            if bound > best:
                best, chosen = bound, number
        return chosen

    def visit(self, c: float, result: float) -> None:
        """Go down to a leaf, and back up what a game from there gave."""
        self.games += 1
        if self.children:
            self.games -= 1  # the choice is made before the visit is counted
            child = self.children[self.select(c)]
            self.games += 1
            child.visit(c, result)
        self.points += result
