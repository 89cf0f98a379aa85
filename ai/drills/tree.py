"""The small trees that exercises are about: given, random, or of a game."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
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
