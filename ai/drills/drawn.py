"""Exercises drawn at random: the same for the same seed, and worth doing."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from ai.drills.drill import BackUp, Choose, Drill, MarkCuts, Order, Values, Windows
from ai.drills.tree import TooLarge, Tree, grow_tree, random_numbers
from ai.drills.tree_search import RESULTS, alphabeta, random_visits, values
from ai.explain.subject import Subject
from games.position import Position
from games.record import GameRecord
from games.registry import setup

LARGEST_SEED = 9999

_TRIES = 2000

_EXPLORATION = Fraction(7, 5)
"""The weight c of the lessons, for means from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Spec:
    """What to draw: the `kind` of `Drill`, and a tree of random numbers with so many branches at each ply, `widths`, or
    of `game` after so many random `plies`, searched `depth` plies deep, or to the end with 0, and with at most
    `breadth` moves of a position. It has at least so many `leaves`, alpha-beta cuts at least so many `cuts`, and a
    student must give at least so many `answers`."""

    kind: str
    widths: tuple[int, ...] = ()
    game: str = ""
    plies: int = 0
    depth: int = 0
    breadth: int = 26
    leaves: int = 0
    cuts: int = 0
    answers: int = 1


@dataclass(frozen=True, slots=True)
class DrawnExercise:
    """An exercise, and the position that its tree is of, if it is one of a game."""

    drill: Drill
    subject: Subject | None = None


def draw_exercise(spec: Spec, seed: int) -> DrawnExercise:
    """Return the exercise of `spec` and `seed`. Raise `ValueError` if hardly any tree is as `spec` wants it."""
    dice = random.Random(f"{spec!r} {seed}")
    found = next((found for found in _tries(spec, dice) if _suits(spec, found.drill)), None)
    if found is None:
        raise ValueError(f"No tree is found for {spec}.")
    return found


def _tries(spec: Spec, dice: random.Random) -> Iterator[DrawnExercise]:
    """Yield random exercises of the kind wanted."""
    for _ in range(_TRIES):
        subject = _position(dice, spec) if spec.game else None
        try:
            tree = _tree(dice, spec, None if subject is None else subject.position)
        except TooLarge:
            continue
        yield DrawnExercise(_drill(dice, spec.kind, tree), subject)


def _suits(spec: Spec, drill: Drill) -> bool:
    """Whether an exercise has enough leaves, answers and cuts, and values that are easily written."""
    tree = drill.tree
    if tree.count < spec.leaves or drill.number < spec.answers:
        return False
    if "chance" in tree.roles:
        return all(value.denominator <= 2 for value in values(tree))  # so that it is easily written
    return not spec.cuts or len(alphabeta(tree).cut) >= spec.cuts


def _position(dice: random.Random, spec: Spec) -> Subject:
    """A position of the game after random moves, in which it is not over."""
    while True:
        record = GameRecord(setup(spec.game))
        while record.outcome is None and record.position.ply < spec.plies:
            record.play(dice.choice(list(record.position.legal_moves())))
        if record.outcome is None:
            return Subject.of(record, record.cursor)


def _tree(dice: random.Random, spec: Spec, position: Position | None) -> Tree:
    """A random tree of numbers, or the tree of a position."""
    if position is None:
        return random_numbers(dice, spec.widths, chance=spec.kind == "expected")
    return grow_tree(position, depth=spec.depth or None, breadth=spec.breadth)


def _drill(dice: random.Random, kind: str, tree: Tree) -> Drill:
    """Make a random drill of `kind` on the tree."""
    if kind == "leaves":
        return Values(tree, leaves=True)
    if kind in ("values", "expected"):
        return Values(tree)
    if kind == "ucb":
        return Choose(random_visits(dice, tree, _EXPLORATION))
    if kind in ("backup", "visit"):
        found = random_visits(dice, tree, _EXPLORATION, choice=kind == "visit")
        result = dice.choice(RESULTS)
        return BackUp(found, result, None if kind == "visit" else _way(dice, tree))
    searches: dict[str, Callable[[Tree], Drill]] = {"windows": Windows, "cuts": MarkCuts, "order": Order}
    return searches[kind](tree)


def _way(dice: random.Random, tree: Tree) -> list[int]:
    """A way from the root to a leaf, without the root."""
    found = [0]
    while tree.children[found[-1]]:
        found.append(dice.choice(tree.children[found[-1]]))
    return found[1:]
