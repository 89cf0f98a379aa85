"""Exercises: what is asked of a tree, the fields that a student fills in, and what is wrong with an answer.

`draw_exercise` draws one at random: the same for the same seed, and worth doing.
"""

from __future__ import annotations

import random
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf, isinf
from typing import NamedTuple

from ai.drills.tree import (
    HUNDREDTHS,
    RESULTS,
    BestOrder,
    TooLarge,
    Tree,
    Visits,
    alphabeta,
    grow_tree,
    random_numbers,
    random_visits,
    values,
)
from ai.explain.subject import Subject
from games.position import Position
from games.record import GameRecord
from games.registry import setup

MARK = "x"
"""The answer of a field that is marked."""


class Field(NamedTuple):
    """`slot` is ``value``, ``alpha``, ``beta``, ``visits`` or ``points``, for numbers; ``mark``, or ``order``, whose
    answer names the moves in their order."""

    node: int
    slot: str


class WrongReason(NamedTuple):
    """Why an answer is wrong: the key of a sentence, and what it names."""

    key: str
    values: Mapping[str, str]


Answers = Mapping[Field, str]
"""Fields without an answer are missing or empty."""


def number_text(value: float | Fraction, unit: int = 1) -> str:
    """Write a multiple of 1 / `unit`: ``−3``, ``∞``, ``7½``, and in a tree of a game ``+0.21`` and ``+10``."""
    if isinf(value):
        return "∞" if value > 0 else "−∞"
    exact = Fraction(value) / unit
    sign = "−" if exact < 0 else "+" if unit == HUNDREDTHS and exact else ""
    whole, rest = divmod(abs(exact), 1)
    if rest == Fraction(1, 2) and unit == 1:
        return f"{sign}{whole or ''}½"
    return f"{sign}{whole}" if not rest else f"{sign}{float(abs(exact)):.2f}"


def read_number(text: str) -> float | Fraction | None:
    """Read what a student writes: ``-3``, ``+0.21``, ``0,5``, ``7½``, ``∞`` or ``inf``. None if it is no number."""
    plain = text.strip().lower().replace("−", "-").replace(",", ".").replace(" ", "")
    sign = -1 if plain.startswith("-") else 1
    plain = plain.removeprefix("-").removeprefix("+")
    if plain in ("∞", "inf", "i"):
        return sign * inf
    if plain.endswith("½"):
        plain = f"{plain[:-1] or 0}.5"
    return sign * Fraction(plain) if re.fullmatch(r"\d{1,9}(\.\d{1,9})?|\.\d{1,9}", plain) else None


class Drill(ABC):
    """An exercise on `tree`. `kind` names it, and `facts` are what its task says."""

    kind: str

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.facts: dict[str, str] = {}
        self.visits: Visits | None = None
        self.path: tuple[int, ...] = ()
        """The nodes that the picture points at."""

    @property
    def number(self) -> int:
        """How many answers there are to give."""
        return sum(bool(text) for text in self.solution().values())

    @cached_property
    def _solution(self) -> dict[Field, str]:
        return self._solve()

    def solution(self) -> Mapping[Field, str]:
        """The right answer of each field, in the order of the picture; empty where nothing is to be written."""
        return self._solution

    @abstractmethod
    def _solve(self) -> dict[Field, str]:
        """Compute the right answer of each field, as in `solution`. It is cached."""

    @abstractmethod
    def why(self, field: Field, answers: Answers) -> WrongReason:
        """Why the answer to `field` is wrong, without the right one."""

    def wrong(self, answers: Answers) -> dict[Field, WrongReason]:
        """What is wrong, in the order of the picture; nothing if all is right."""
        return {field: self.why(field, answers) for field in self._wrong(answers)}

    def _wrong(self, answers: Answers) -> list[Field]:
        """The fields that differ from the solution."""
        return [field for field, right in self.solution().items() if not self._same(answers.get(field, ""), right)]

    def _same(self, answer: str, right: str) -> bool:
        """Whether two texts are the same number, or both empty."""
        if not answer.strip() or not right:
            return not answer.strip() and not right
        return read_number(answer) == read_number(right)

    def arranged(self, answers: Answers) -> Tree:
        """The tree as the student has it."""
        return self.tree

    def _title(self, node: int) -> str:
        return self.tree.title(node)


class Values(Drill):
    """Fill in the values of the inner nodes, or else of the `leaves`."""

    def __init__(self, tree: Tree, leaves: bool = False) -> None:
        super().__init__(tree)
        self.kind = "leaves" if leaves else "expected" if "chance" in tree.roles else "values"
        self._leaves = leaves

    def _solve(self) -> dict[Field, str]:
        known, tree = values(self.tree), self.tree
        return {Field(node, "value"): number_text(known[node], tree.unit)
                for node in tree.preorder() if self._leaves != bool(tree.children[node])}  # fmt: skip

    def why(self, field: Field, answers: Answers) -> WrongReason:
        value = self.tree.leaves[field.node]
        if value is not None:
            result = "won" if value > 0 else "lost" if value < 0 else "draw"
            return WrongReason(f"leaf.{result}", self._about(field.node))
        return WrongReason(f"value.{self.tree.roles[field.node]}", self._about(field.node))

    def _about(self, node: int) -> dict[str, str]:
        """The values that the sentence of a wrong answer names."""
        return {"node": self._title(node)}


class Windows(Drill):
    """Fill in α and β of the inner nodes that alpha-beta visits, as they are on entering."""

    kind = "windows"

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree)
        self._windows = alphabeta(tree).windows

    def _solve(self) -> dict[Field, str]:
        found: dict[Field, str] = {}
        for node in self.tree.inner:
            for slot, bound in zip(("alpha", "beta"), self._windows.get(node, (None, None)), strict=True):
                found[Field(node, slot)] = "" if bound is None else number_text(bound, self.tree.unit)
        return found

    def why(self, field: Field, answers: Answers) -> WrongReason:
        node = field.node
        seen = node in self._windows
        empty = not answers.get(field, "").strip()
        key = "window.unseen" if not seen else "window.seen" if empty else f"window.{field.slot}"
        return WrongReason(key if node or not seen else "window.root", {"node": self._title(node)})


class MarkCuts(Drill):
    """Mark the branches that alpha-beta cuts; what is below a mark does not matter."""

    kind = "cuts"

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree)
        self._run = alphabeta(tree)

    def _solve(self) -> dict[Field, str]:
        return {Field(node, "mark"): MARK if node in self._run.cut else "" for node in self.tree.preorder() if node}

    def _wrong(self, answers: Answers) -> list[Field]:
        return [field for field in super()._wrong(answers) if not self._is_below_cut(field.node, answers)]

    def _is_below_cut(self, node: int, answers: Answers) -> bool:
        """Whether a node is below a branch that is cut, or that is marked, so that the mark of the branch counts."""
        above = self.tree.path(node)[:-1]
        return any(each in self._run.cut or answers.get(Field(each, "mark")) for each in above)

    def _same(self, answer: str, right: str) -> bool:
        """Whether both are marked, or both not: the answers are marks, not numbers."""
        return bool(answer) == bool(right)

    def why(self, field: Field, answers: Answers) -> WrongReason:
        node, unit = field.node, self.tree.unit
        parent = self.tree.parents[node]
        key = "cut.left" if node in self._run.cut else "cut.needed"
        alpha, beta = self._run.cut.get(node) or self._run.windows[node]
        return WrongReason(key, {"node": self._title(node), "parent": self._title(parent),
                            "alpha": number_text(alpha, unit), "beta": number_text(beta, unit)})  # fmt: skip


class Order(Drill):
    """Order the moves so that alpha-beta visits as few nodes as it can."""

    kind = "order"

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree)
        self._best = BestOrder(tree)
        visited = len(alphabeta(tree).windows)
        self.facts = {"visited": str(visited), "fewest": str(self._best.fewest)}

    def _fields(self, tree: Tree) -> dict[Field, str]:
        """The order of children at each node that has several, as answers."""
        return {Field(node, "order"): " ".join(tree.names[child] for child in tree.children[node])
                for node in self.tree.inner if len(tree.children[node]) > 1}  # fmt: skip

    def _solve(self) -> dict[Field, str]:
        return self._fields(self._best.ordered())

    @property
    def number(self) -> int:
        """How many nodes must get another order."""
        here = self._fields(self.tree)
        return sum(text != here[field] for field, text in self.solution().items())

    def arranged(self, answers: Answers) -> Tree:
        tree = self.tree
        for field in self._fields(tree):
            names = answers.get(field, "").split()
            below = tree.children[field.node]
            if sorted(names) == sorted(tree.names[child] for child in below):
                tree = tree.with_order(field.node, sorted(below, key=lambda child: names.index(tree.names[child])))
        return tree

    def _wrong(self, answers: Answers) -> list[Field]:
        node = BestOrder(self.arranged(answers)).misplaced()
        return [] if node is None else [Field(node, "order")]

    def why(self, field: Field, answers: Answers) -> WrongReason:
        visited = str(len(alphabeta(self.arranged(answers)).windows))
        about = {"node": self._title(field.node), "visited": visited, "fewest": self.facts["fewest"]}
        return WrongReason("order", about)


class Choose(Drill):
    """Mark the child that UCB chooses, and on from there to a leaf."""

    kind = "ucb"

    def __init__(self, found: Visits) -> None:
        super().__init__(found.tree)
        self.visits: Visits = found
        self.facts = {"c": f"{float(found.c):g}"}

    def _solve(self) -> dict[Field, str]:
        way = self.visits.way()
        return {Field(node, "mark"): MARK if node in way else "" for node in self.tree.preorder() if node}

    def _wrong(self, answers: Answers) -> list[Field]:
        """The first node that leaves the right way, or else the first that is missing."""
        found = super()._wrong(answers)
        marked = [field for field in found if answers.get(field)]
        return sorted(marked or found, key=lambda field: len(self.tree.path(field.node)))[:1]

    def _same(self, answer: str, right: str) -> bool:
        """Whether both are marked, or both not: the answers are marks, not numbers."""
        return bool(answer) == bool(right)

    def why(self, field: Field, answers: Answers) -> WrongReason:
        node = field.node
        parent = self.tree.parents[node]
        if not answers.get(field):
            return WrongReason("ucb.missing", {"node": self._title(parent)})
        found = self.visits
        about = {"node": self._title(node), "mean": decimal_text(found.mean(node)), "c": self.facts["c"],
                 "before": str(found.visits[parent]), "visits": str(found.visits[node]),
                 "sum": decimal_text(found.bound(node))}  # fmt: skip
        return WrongReason("ucb.other" if parent in (0, *found.way()) else "ucb.off", about)


class BackUp(Drill):
    """Fill in the visits and points of the nodes that a visit changes: of the `way` that is shown, or else of the one
    that UCB chooses."""

    kind = "backup"

    def __init__(self, found: Visits, result: Fraction, way: Sequence[int] | None = None) -> None:
        super().__init__(found.tree)
        self.kind = "backup" if way else "visit"
        self.visits: Visits = found
        self._way = list(way or found.way())
        self._result, self.path = result, (0, *way) if way else ()
        self.facts = {"result": number_text(result), "c": f"{float(found.c):g}"}

    def _solve(self) -> dict[Field, str]:
        after = self.visits.backed_up(self._way, self._result)
        found: dict[Field, str] = {}
        for node in self.tree.preorder():
            visits, points = after.get(node, (None, None))
            found[Field(node, "visits")] = "" if visits is None else str(visits)
            found[Field(node, "points")] = "" if points is None else number_text(points)
        return found

    def why(self, field: Field, answers: Answers) -> WrongReason:
        on_way = field.node in (0, *self._way)
        about = {"node": self._title(field.node), "result": self.facts["result"]}
        if not on_way or not answers.get(field, "").strip():
            return WrongReason("backup.on" if on_way else "backup.off", about)
        return WrongReason(f"backup.{field.slot}", about)


def decimal_text(value: float) -> str:
    """Two decimals: ``0.60``."""
    return f"{value:.2f}".replace("-", "−")


def drills_of(tree: Tree) -> list[Drill]:
    """Return what can be asked of a tree of minimax, the easy first; its order only if another one is better."""
    found: list[Drill] = [Values(tree), Windows(tree), MarkCuts(tree)]
    order = Order(tree)
    return [*found, order] if order.number else found


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
