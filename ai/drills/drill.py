"""Exercises: what is asked of a tree, the fields that a student fills in, and what is wrong with an answer.

A visit is one descent of Monte Carlo tree search from the root to a leaf; its nodes are a path. `draw_exercise` draws
an exercise at random that is not trivial: the same one for the same seed.
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
from ai.search.proof_number import INFINITE, numbers_above
from games.position import Position
from games.record import GameRecord
from games.registry import setup

MARK = "x"
"""The answer of a field that is marked."""


class Field(NamedTuple):
    """A place in the picture of a tree that a student fills in: a `slot` of a node.

    Numbers go into the slots ``value``, ``alpha``, ``beta``, ``visits``, ``points``, ``proof`` and ``disproof``;
    ``mark`` gets `MARK` or nothing; ``order`` gets the names of the node's moves in their order.
    """

    node: int
    slot: str


class WrongReason(NamedTuple):
    """Why an answer is wrong: the key of a sentence, and the `values` to put into it."""

    key: str
    values: Mapping[str, str]


Answers = Mapping[Field, str]
"""Fields without an answer are missing or empty."""


def number_text(value: float | Fraction, unit: int = 1) -> str:
    """Write `value` / `unit`: ``−3``, ``∞``, ``7½``; with the unit of trees of games also ``+0.21`` and ``+10``."""
    if isinf(value):
        return "∞" if value == inf else "−∞"
    exact = Fraction(value) / unit
    sign = "−" if exact < 0 else "+" if unit == HUNDREDTHS and exact else ""
    whole, rest = divmod(abs(exact), 1)
    if rest == Fraction(1, 2) and unit == 1:
        return f"{sign}{whole or ''}½"
    return f"{sign}{whole}" if not rest else f"{sign}{float(abs(exact)):.2f}"


def read_number(text: str) -> float | Fraction | None:
    """Parse what a student writes: ``-3``, ``+0.21``, ``0,5``, ``7½``, ``∞``, ``inf`` or ``i``. None for anything
    else."""
    plain = text.strip().lower().replace("−", "-").replace(",", ".").replace(" ", "")
    sign = -1 if plain.startswith("-") else 1
    plain = plain.removeprefix("-").removeprefix("+")
    if plain in ("∞", "inf", "i"):
        return sign * inf
    if plain.endswith("½"):
        plain = f"{plain[:-1] or 0}.5"
    return sign * Fraction(plain) if re.fullmatch(r"\d{1,9}(\.\d{1,9})?|\.\d{1,9}", plain) else None


class Drill(ABC):
    """An exercise on `tree`: it knows the right answers, and tells why others are wrong.

    `kind` is the key of its texts, and `facts` are values in the text of the task. `visits` is None without visit
    counts.
    """

    kind: str

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.facts: dict[str, str] = {}
        self.visits: Visits | None = None
        self.path: tuple[int, ...] = ()
        """The nodes that the picture points at."""

    @property
    def number(self) -> int:
        """How many answers the student must give."""
        return sum(bool(text) for text in self.solution().values())

    @cached_property
    def _solution(self) -> dict[Field, str]:
        """The right answers, computed once by `_solve`."""
        return self._solve()

    def solution(self) -> Mapping[Field, str]:
        """Return the right answer of each field, in the order of the picture; empty where the field must stay empty."""
        return self._solution

    @abstractmethod
    def _solve(self) -> dict[Field, str]:
        """Compute the right answer of each field for `solution`, which caches it."""

    @abstractmethod
    def why(self, field: Field, answers: Answers) -> WrongReason:
        """Return why the answer to `field`, known to be wrong, is wrong. The right answer is not disclosed."""

    def wrong(self, answers: Answers) -> dict[Field, WrongReason]:
        """Return the wrong fields and why, in the order of the picture; empty if all answers are right."""
        return {field: self.why(field, answers) for field in self._wrong_fields(answers)}

    def _wrong_fields(self, answers: Answers) -> list[Field]:
        """Return the wrong fields, in the order of the picture."""
        return [field for field, right in self.solution().items() if not self._is_right(answers.get(field, ""), right)]

    def _is_right(self, answer: str, right: str) -> bool:
        """Return whether an answer is right: the same number, or both empty."""
        if not answer.strip() or not right:
            return not answer.strip() and not right
        return read_number(answer) == read_number(right)

    def given(self, node: int) -> str:
        """Return what the picture tells of a node: the value of a leaf."""
        leaf = self.tree.leaves[node]
        return "" if leaf is None else number_text(leaf, self.tree.unit)

    def arranged_tree(self, answers: Answers) -> Tree:
        """Return the tree with its children in the order of the answers, if the exercise asks for an order."""
        return self.tree

    def _title(self, node: int) -> str:
        """Return the moves to a node, as sentences name it."""
        return self.tree.title(node)


class Values(Drill):
    """Fill in the minimax values of the inner nodes; with `leaves`, the results of the leaves instead."""

    def __init__(self, tree: Tree, leaves: bool = False) -> None:
        super().__init__(tree)
        self.kind = "leaves" if leaves else "expected" if "chance" in tree.roles else "values"
        self._leaves = leaves

    def given(self, node: int) -> str:
        """Return the value of a leaf, unless that is asked for."""
        return "" if self._leaves else super().given(node)

    def _solve(self) -> dict[Field, str]:
        """Return the value of each inner node, or of each leaf with `leaves`; the other nodes have no field."""
        known, tree = values(self.tree), self.tree
        return {Field(node, "value"): number_text(known[node], tree.unit)
                for node in tree.preorder() if self._leaves != bool(tree.children[node])}  # fmt: skip

    def why(self, field: Field, answers: Answers) -> WrongReason:
        """Return the reason: the result of the game at a leaf, or whose choice a node is."""
        value = self.tree.leaves[field.node]
        if value is not None:
            result = "won" if value > 0 else "lost" if value < 0 else "draw"
            return WrongReason(f"leaf.{result}", self._sentence_values(field.node))
        return WrongReason(f"value.{self.tree.roles[field.node]}", self._sentence_values(field.node))

    def _sentence_values(self, node: int) -> dict[str, str]:
        """Return the values for a sentence about a node."""
        return {"node": self._title(node)}


class Windows(Drill):
    """Fill in α and β of the inner nodes that alpha-beta visits, as they are on entering; nothing at the others."""

    kind = "windows"

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree)
        self._windows = alphabeta(tree).windows

    def _solve(self) -> dict[Field, str]:
        """Return α and β of each inner node as two fields; both are empty for a node that alpha-beta does not visit."""
        found: dict[Field, str] = {}
        for node in self.tree.inner:
            window = [number_text(bound, self.tree.unit) for bound in self._windows.get(node, ())]
            found[Field(node, "alpha")], found[Field(node, "beta")] = window or ("", "")
        return found

    def why(self, field: Field, answers: Answers) -> WrongReason:
        """Return the reason: the node is not visited, it is visited but left empty, or its α or β is wrong."""
        node = field.node
        seen = node in self._windows
        empty = not answers.get(field, "").strip()
        key = "window.unseen" if not seen else "window.seen" if empty else f"window.{field.slot}"
        return WrongReason(key if node or not seen else "window.root", {"node": self._title(node)})


WON, OPEN, NOT_WON = 1, 0, -1
"""Leaves of a tree with proof numbers: MAX wins, it is not known, MAX does not win."""

_LEAF_NUMBERS = {WON: (0, INFINITE), OPEN: (1, 1), NOT_WON: (INFINITE, 0)}


class ProofNumbers(Drill):
    """Fill in the proof and the disproof numbers of the inner nodes; those of the leaves are given."""

    kind = "proof"

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree)
        self._numbers: dict[int, tuple[int, int]] = {}
        for node in reversed(list(tree.preorder())):
            leaf, below = tree.leaves[node], [self._numbers[child] for child in tree.children[node]]
            attacking = tree.roles[node] == "max"
            self._numbers[node] = numbers_above(attacking, below) if leaf is None else _LEAF_NUMBERS[leaf]

    @property
    def decided(self) -> bool:
        """Whether it is known if MAX wins."""
        return 0 in self._numbers[0]

    def given(self, node: int) -> str:
        """Return the numbers of a leaf: ``1:1``."""
        return "" if self.tree.children[node] else ":".join(map(self._text, self._numbers[node]))

    def _text(self, number: int) -> str:
        """Return a proof or disproof number as text."""
        return number_text(inf if number == INFINITE else number)

    def _solve(self) -> dict[Field, str]:
        """Return both numbers of each inner node as two fields."""
        return {Field(node, slot): self._text(number) for node in self.tree.inner
                for slot, number in zip(("proof", "disproof"), self._numbers[node], strict=True)}  # fmt: skip

    def why(self, field: Field, answers: Answers) -> WrongReason:
        """Return the reason: who chooses at the node, and so whether the numbers below are added."""
        return WrongReason(f"{field.slot}.{self.tree.roles[field.node]}", {"node": self._title(field.node)})


class MarkCuts(Drill):
    """Mark the branches that alpha-beta cuts. Answers below a marked or cut branch do not count."""

    kind = "cuts"

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree)
        self._run = alphabeta(tree)

    def _solve(self) -> dict[Field, str]:
        """Return a mark for each branch that alpha-beta cuts, and an empty answer for every other node but the root."""
        return {Field(node, "mark"): MARK if node in self._run.cut else "" for node in self.tree.preorder() if node}

    def _wrong_fields(self, answers: Answers) -> list[Field]:
        """Return the wrong fields, but none below a branch that is cut or that the student has marked."""
        return [field for field in super()._wrong_fields(answers) if not self._is_below_cut(field.node, answers)]

    def _is_below_cut(self, node: int, answers: Answers) -> bool:
        """Return whether a node is below a branch that alpha-beta cuts or that the student has marked."""
        above = self.tree.path(node)[:-1]
        return any(each in self._run.cut or answers.get(Field(each, "mark")) for each in above)

    def _is_right(self, answer: str, right: str) -> bool:
        """Return whether both are marked or both are not."""
        return bool(answer) == bool(right)

    def why(self, field: Field, answers: Answers) -> WrongReason:
        """Return the reason: a cut without a mark, or a mark on a branch that is needed, with α and β there."""
        node, unit = field.node, self.tree.unit
        parent = self.tree.parents[node]
        key = "cut.left" if node in self._run.cut else "cut.needed"
        alpha, beta = self._run.cut.get(node) or self._run.windows[node]
        return WrongReason(key, {"node": self._title(node), "parent": self._title(parent),
                            "alpha": number_text(alpha, unit), "beta": number_text(beta, unit)})  # fmt: skip


class Order(Drill):
    """Order the moves so that alpha-beta visits as few nodes as possible."""

    kind = "order"

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree)
        self._best = BestOrder(tree)
        visited = len(alphabeta(tree).windows)
        self.facts = {"visited": str(visited), "fewest": str(self._best.fewest)}

    def _order_fields(self, tree: Tree) -> dict[Field, str]:
        """Return the order of the moves in `tree`, as the answer of each node with several moves."""
        return {Field(node, "order"): " ".join(tree.names[child] for child in tree.children[node])
                for node in self.tree.inner if len(tree.children[node]) > 1}  # fmt: skip

    def _solve(self) -> dict[Field, str]:
        """Return, for each node with several moves, their names in the best order, separated by spaces."""
        return self._order_fields(self._best.ordered())

    @property
    def number(self) -> int:
        """How many nodes must get another order of their moves."""
        here = self._order_fields(self.tree)
        return sum(text != here[field] for field, text in self.solution().items())

    def arranged_tree(self, answers: Answers) -> Tree:
        """Return the tree in the order of the answers. An answer that does not name all moves of its node is
        ignored."""
        tree = self.tree
        for field in self._order_fields(tree):
            names = answers.get(field, "").split()
            below = tree.children[field.node]
            if sorted(names) == sorted(tree.names[child] for child in below):
                tree = tree.with_order(field.node, sorted(below, key=lambda child: names.index(tree.names[child])))
        return tree

    def _wrong_fields(self, answers: Answers) -> list[Field]:
        """Return the field of one node whose order makes alpha-beta visit too many nodes; none if all is right."""
        node = BestOrder(self.arranged_tree(answers)).misplaced_node()
        return [] if node is None else [Field(node, "order")]

    def why(self, field: Field, answers: Answers) -> WrongReason:
        """Return the reason: the nodes that alpha-beta visits in the student's order, and the fewest possible."""
        visited = str(len(alphabeta(self.arranged_tree(answers)).windows))
        about = {"node": self._title(field.node), "visited": visited, "fewest": self.facts["fewest"]}
        return WrongReason("order", about)


class Choose(Drill):
    """Mark the child of the root with the highest upper confidence bound, then of that child, and so on to a leaf."""

    kind = "ucb"

    def __init__(self, found: Visits) -> None:
        super().__init__(found.tree)
        self.visits: Visits = found
        self.facts = {"c": f"{float(found.c):g}"}

    def _solve(self) -> dict[Field, str]:
        """Return a mark for each node on the way that the selection takes, and an empty answer for every other node but
        the root."""
        way = self.visits.way()
        return {Field(node, "mark"): MARK if node in way else "" for node in self.tree.preorder() if node}

    def _wrong_fields(self, answers: Answers) -> list[Field]:
        """Return at most one field: the wrong mark nearest to the root, or else the missing one nearest to it."""
        found = super()._wrong_fields(answers)
        marked = [field for field in found if answers.get(field)]
        return sorted(marked or found, key=lambda field: len(self.tree.path(field.node)))[:1]

    def _is_right(self, answer: str, right: str) -> bool:
        """Return whether both are marked or both are not."""
        return bool(answer) == bool(right)

    def why(self, field: Field, answers: Answers) -> WrongReason:
        """Return the reason: a missing mark, a wrong child of a chosen node, or a mark off the chosen path."""
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
    """Fill in the visits and points that change when the `result` of a game is backed up along a path.

    The path is `way`, which is shown; without it, the student must find the one that UCB chooses.
    """

    kind = "backup"

    def __init__(self, found: Visits, result: Fraction, way: Sequence[int] | None = None) -> None:
        super().__init__(found.tree)
        self.kind = "backup" if way else "visit"
        self.visits: Visits = found
        self._way = list(way or found.way())
        self._result, self.path = result, (0, *way) if way else ()
        self.facts = {"result": number_text(result), "c": f"{float(found.c):g}"}

    def _solve(self) -> dict[Field, str]:
        """Return visits and points of the root and of the nodes on the way, after the result was backed up; empty for
        all other nodes."""
        after = self.visits.backed_up(self._way, self._result)
        found: dict[Field, str] = {}
        for node in self.tree.preorder():
            visits, points = after.get(node, (None, None))
            found[Field(node, "visits")] = "" if visits is None else str(visits)
            found[Field(node, "points")] = "" if points is None else number_text(points)
        return found

    def why(self, field: Field, answers: Answers) -> WrongReason:
        """Return the reason: the node is not on the path, it is but is left empty, or visits or points are wrong."""
        on_way = field.node in (0, *self._way)
        about = {"node": self._title(field.node), "result": self.facts["result"]}
        if not on_way or not answers.get(field, "").strip():
            return WrongReason("backup.on" if on_way else "backup.off", about)
        return WrongReason(f"backup.{field.slot}", about)


def decimal_text(value: float) -> str:
    """Write a number with two decimals: ``0.60``."""
    return f"{value:.2f}".replace("-", "−")


def drills_of(tree: Tree) -> list[Drill]:
    """Return the exercises on a minimax tree, the easy ones first; no `Order` if its order is already the best."""
    found: list[Drill] = [Values(tree), Windows(tree), MarkCuts(tree)]
    order = Order(tree)
    return [*found, order] if order.number else found


LARGEST_SEED = 9999

_TRIES = 2000

_EXPLORATION = Fraction(7, 5)
"""The weight c of the lessons, for means from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Spec:
    """What exercise to draw: its `kind`, the size of its tree, and the least number of leaves, cuts and answers.

    Without `game` the tree has random numbers, and `widths` are the branches of a node at each ply. With `game` it is
    that of a position after `plies` random moves, `depth` plies deep, to the end if 0; where a position has more than
    `breadth` moves, only so many candidates are in it.
    """

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
    """An exercise, and the position whose tree it is about; None for a tree of random numbers."""

    drill: Drill
    subject: Subject | None = None


def draw_exercise(spec: Spec, seed: int) -> DrawnExercise:
    """Return the exercise for `spec` and `seed`. Raise `ValueError` if none is found in a limited number of tries."""
    dice = random.Random(f"{spec!r} {seed}")
    found = next((found for found in _draw_candidates(spec, dice) if _fits(spec, found.drill)), None)
    if found is None:
        raise ValueError(f"No tree is found for {spec}.")
    return found


def _draw_candidates(spec: Spec, dice: random.Random) -> Iterator[DrawnExercise]:
    """Yield a limited number of random exercises of the kind of `spec`; not all fit the rest of it."""
    for _ in range(_TRIES):
        subject = _draw_position(dice, spec) if spec.game else None
        try:
            tree = _draw_tree(dice, spec, None if subject is None else subject.position)
        except TooLarge:
            continue
        yield DrawnExercise(_make_drill(dice, spec.kind, tree), subject)


def _fits(spec: Spec, drill: Drill) -> bool:
    """Return whether the exercise has enough leaves, answers and cuts for `spec`, and values that are easy to write; if
    it asks for proof numbers, whether its root is open and all kinds of leaves are there."""
    tree = drill.tree
    if tree.count < spec.leaves or drill.number < spec.answers:
        return False
    if isinstance(drill, ProofNumbers):
        return not drill.decided and {WON, OPEN, NOT_WON} <= set(tree.leaves)
    if "chance" in tree.roles:
        return all(value.denominator <= 2 for value in values(tree))  # so that it is easily written
    return not spec.cuts or len(alphabeta(tree).cut) >= spec.cuts


def _draw_position(dice: random.Random, spec: Spec) -> Subject:
    """Draw a position of the game after random moves; the game is not over."""
    while True:
        record = GameRecord(setup(spec.game))
        while record.outcome is None and record.position.ply < spec.plies:
            record.play(dice.choice(list(record.position.legal_moves())))
        if record.outcome is None:
            return Subject.of(record, record.cursor)


def _draw_tree(dice: random.Random, spec: Spec, position: Position | None) -> Tree:
    """Grow the tree of `position`; if it is None, draw a tree of random numbers. Raise `TooLarge`."""
    if spec.kind == ProofNumbers.kind:
        return random_numbers(dice, spec.widths, numbers=(WON, OPEN, OPEN, NOT_WON))
    if position is None:
        return random_numbers(dice, spec.widths, chance=spec.kind == "expected")
    return grow_tree(position, depth=spec.depth or None, breadth=spec.breadth)


def _make_drill(dice: random.Random, kind: str, tree: Tree) -> Drill:
    """Make the exercise of `kind` on the tree, with visits, result and path drawn at random where it needs them."""
    if kind == "leaves":
        return Values(tree, leaves=True)
    if kind in ("values", "expected"):
        return Values(tree)
    if kind == "ucb":
        return Choose(random_visits(dice, tree, _EXPLORATION))
    if kind in ("backup", "visit"):
        found = random_visits(dice, tree, _EXPLORATION, choice=kind == "visit")
        result = dice.choice(RESULTS)
        return BackUp(found, result, None if kind == "visit" else _random_path(dice, tree))
    searches: dict[str, Callable[[Tree], Drill]] = {
        "windows": Windows, "cuts": MarkCuts, "order": Order, "proof": ProofNumbers
    }  # fmt: skip
    return searches[kind](tree)


def _random_path(dice: random.Random, tree: Tree) -> list[int]:
    """Draw a path from the root to a leaf. Return its nodes without the root."""
    found = [0]
    while tree.children[found[-1]]:
        found.append(dice.choice(tree.children[found[-1]]))
    return found[1:]
