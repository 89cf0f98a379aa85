"""A tree of numbers, as textbooks draw it to explain a search: a `Position` whose moves are the branches."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from games.position import FIRST, IllegalMove, Outcome

GAME = "numbers"
"""What `NumberTree.game` is; no game of the registry."""

LARGEST, MOST_LEAVES, DEEPEST = 999, 512, 8

Branches = tuple["Branches | int", ...] | int


@dataclass(frozen=True, slots=True)
class NumberTree:
    """A `Position` in a tree of numbers. `tree` is the value of a leaf for the first side, or a tuple of branches. All
    leaves are equally deep; search them to exactly that depth, without extensions."""

    tree: Branches
    ply: int = 0

    game = GAME
    outcome: Outcome | None = None

    @property
    def turn(self) -> int:
        """The side to move: the first side at even plies, the second at odd ones."""
        return self.ply % 2

    @property
    def key(self) -> tuple[int, Branches]:
        """Side to move and branches; the ply does not count otherwise."""
        return self.turn, self.tree

    @property
    def depth(self) -> int:
        """The plies to the leaves."""
        return next(_depths(self.tree))

    def legal_moves(self) -> Sequence[int]:
        """Return the branches as numbers from 0; none at a leaf."""
        return range(len(self.tree)) if isinstance(self.tree, tuple) else ()

    def candidates(self) -> Sequence[int]:
        """Return all legal moves, from the left; no branch is preferred."""
        return self.legal_moves()

    def evaluate(self) -> int:
        """Return the number of a leaf, or the mean of the leaves below, for the side to move."""
        leaves = list(_leaves(self.tree))
        mean = round(sum(leaves) / len(leaves))
        return mean if self.turn == FIRST else -mean

    def play(self, move: int) -> Self:
        """Return the tree of branch number `move`. Raise `IllegalMove` (``outside``), also at a leaf."""
        if not isinstance(self.tree, tuple) or not 0 <= move < len(self.tree):
            raise IllegalMove("outside", f"There is no branch {move}.")
        return type(self)(self.tree[move], self.ply + 1)

    def move_text(self, move: int) -> str:
        """Return the letter of a branch, from a on."""
        return chr(ord("a") + move)

    def parse_move(self, text: str) -> int:
        """Return the branch of a letter. Raise `IllegalMove` for any other text."""
        if not re.fullmatch("[a-z]", text):
            raise IllegalMove("unreadable", f"“{text}” is no branch such as a.")
        return ord(text) - ord("a")


def parse(text: str) -> NumberTree:
    """Read a tree such as ``(3 12 8) (2 4 6) (14 5 2)``, or with ``|`` between groups, ``3 12 8 | 2 4 6``. Raise
    `ValueError` with a sentence."""
    if "|" in text:
        text = " ".join(f"({part})" for part in text.split("|"))
    stack: list[list[Branches]] = [[]]
    for token in re.findall(r"[()]|[^\s(),]+", text):
        if token == "(":
            stack.append([])
        elif token == ")":
            if len(stack) == 1 or not stack[-1]:
                raise ValueError("A bracket closes nothing.")
            branches = tuple(stack.pop())
            stack[-1].append(branches)
        elif re.fullmatch(r"[-−+]?\d{1,3}", token):
            stack[-1].append(int(token.replace("−", "-")))
        else:
            raise ValueError(f"“{token}” is not a whole number from −{LARGEST} to {LARGEST}.")
    if len(stack) > 1:
        raise ValueError("A bracket is not closed.")
    return _validated(tuple(stack[0]))


def _validated(tree: tuple[Branches, ...]) -> NumberTree:
    """Return the tree as a position. Raise `ValueError` with a sentence if it is empty, uneven, too large or too
    wide."""
    while len(tree) == 1 and isinstance(tree[0], tuple):
        tree = tree[0]
    if not tree:
        raise ValueError("Write some numbers, such as 3 12 8 | 2 4 6 | 14 5 2.")
    if len(set(_depths(tree))) > 1:
        raise ValueError("All numbers must be equally deep.")
    if next(_depths(tree)) > DEEPEST or len(list(_leaves(tree))) > MOST_LEAVES:
        raise ValueError(f"A tree has at most {MOST_LEAVES} numbers, {DEEPEST} plies deep.")
    if max(_widths(tree)) > 26:
        raise ValueError("A node has at most 26 branches.")
    return NumberTree(tree)


def random_tree(branching: int, depth: int, seed: int) -> NumberTree:
    """Return a tree of random numbers from 0 to 20, with `branching` branches at each node and `depth` plies deep."""
    dice = random.Random(seed)

    def grown(plies: int) -> Branches:
        """Return a random subtree of so many plies."""
        return tuple(grown(plies - 1) for _ in range(branching)) if plies else dice.randint(0, 20)

    return NumberTree(grown(depth))


def text_of(tree: Branches) -> str:
    """Write a tree in the form that `parse` reads."""
    if isinstance(tree, int):
        return str(tree)
    return " ".join(f"({text_of(branch)})" if isinstance(branch, tuple) else str(branch) for branch in tree)


def _depths(tree: Branches, ply: int = 0) -> Iterator[int]:
    """Yield the depth of each leaf from left to right."""
    if isinstance(tree, tuple):
        for branch in tree:
            yield from _depths(branch, ply + 1)
    else:
        yield ply


def _leaves(tree: Branches) -> Iterator[int]:
    """Yield the numbers from left to right."""
    if isinstance(tree, tuple):
        for branch in tree:
            yield from _leaves(branch)
    else:
        yield tree


def _widths(tree: Branches) -> Iterator[int]:
    """Yield the number of branches of each inner node."""
    if isinstance(tree, tuple):
        yield len(tree)
        for branch in tree:
            yield from _widths(branch)
