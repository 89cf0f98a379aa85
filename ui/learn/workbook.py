"""Exercises under way, without pixels: what a student has written, what is wrong with it, tries and time, the sentences
on them, and the results for a spreadsheet."""

from __future__ import annotations

import csv
import io
import random
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Literal

from ai.drills.drill import LARGEST_SEED, MARK, DrawnExercise, Drill, Field, WrongReason, draw_exercise, drills_of
from ai.drills.tree import Tree
from ai.explain.subject import Subject
from ui.learn.lesson_state import Done, Worked, exercises, keep, lesson, lessons, progress
from ui.toolkit.i18n import joined, language, t
from ui.window.host import Host
from ui.words.games import short_side
from ui.words.numbers import time_text

NUMBERS = ("value", "alpha", "beta", "visits", "points", "proof", "disproof")
"""The slots of fields that take a number."""

State = Literal["open", "solved", "shown"]
"""`shown` is given up."""


class StudentWork:
    """An exercise that a student works on: the answers, the result of the last check, tries and time."""

    def __init__(self, found: DrawnExercise, seed: int) -> None:
        self.drill: Drill = found.drill
        self.subject, self.seed = found.subject, seed
        self.answers: dict[Field, str] = {}
        self.checked: dict[Field, WrongReason | None] = {}
        """What the last check said of the answers that have not changed since; None of a right one."""
        self.tries, self.seconds = 0, 0.0
        self.state: State = "open"
        self.at: Field | None = None
        """The field that the student is at."""

    @property
    def arrangement(self) -> object:
        """The children of each node in the student's order, to be compared with an earlier one."""
        return self.drill.arranged_tree(self.answers).children

    @property
    def reason(self) -> tuple[Field, WrongReason] | None:
        """A wrong answer to explain: its field and the reason. It is that of the field that the student is at, or else
        the first; None if no answer is known to be wrong."""
        wrong = [(field, reason) for field, reason in self.checked.items() if reason is not None]
        here = [(field, reason) for field, reason in wrong if field == self.at]
        return next(iter((*here, *wrong)), None)

    @property
    def mistakes(self) -> int:
        """The number of answers that the last check found wrong."""
        return sum(reason is not None for reason in self.checked.values())

    def write(self, field: Field, text: str) -> None:
        """Set the answer to a field and drop what the last check said of it; nothing once the exercise is solved or
        given up."""
        if self.state == "open":
            self.answers[field] = text
            self.checked.pop(field, None)

    def mark(self, node: int, alone: bool) -> None:
        """Mark a node, or remove its mark. With `alone`, a new mark removes those of its siblings."""
        field, parents = Field(node, "mark"), self.drill.tree.parents
        marked = not self.answers.get(field)
        if alone and marked:
            for other in self.drill.tree.children[parents[node]]:
                self.write(Field(other, "mark"), "")
        self.write(field, MARK if marked else "")
        if self.drill.kind != "cuts":
            self.checked.clear()

    def move(self, node: int, by: int) -> bool:
        """Move a node by so many places to the right among its siblings. Return False, and do nothing, if there is no
        such place, or the exercise is solved or given up."""
        parent = self.drill.tree.parents[node]
        tree = self.drill.arranged_tree(self.answers)
        row = list(tree.children[parent]) if parent >= 0 else []
        here = row.index(node) + by if node in row else -1
        if self.state != "open" or not 0 <= here < len(row):
            return False
        row.remove(node)
        row.insert(here, node)
        self.checked.clear()
        self.answers[Field(parent, "order")] = " ".join(tree.names[each] for each in row)
        return True

    def check(self) -> None:
        """Check the answers: count a try; the exercise is solved if all are right."""
        self.tries += 1
        wrong = self.drill.wrong(self.answers)
        fields = {**dict.fromkeys(self.drill.solution()), **wrong}
        self.checked = {field: wrong.get(field) for field in fields}
        if not wrong:
            self.state = "solved"

    def show(self) -> None:
        """Give up: the right answers take the place of the student's."""
        self.answers, self.checked, self.state = dict(self.drill.solution()), {}, "shown"

    @property
    def empty(self) -> bool:
        """Whether numbers are asked for and none is written."""
        numbers = any(field.slot in NUMBERS for field in self.drill.solution())
        return numbers and not any(text.strip() for text in self.answers.values())


class Workbook:
    """A series of exercises: those of the lesson called `key`, which `makers` draw from a seed; or, with no `key`,
    those on one tree, for which the seed does not matter. `number` is that of the current one, from 0."""

    def __init__(
        self, host: Host, makers: Sequence[Callable[[int], DrawnExercise]], key: str = "", seed: int | None = None,
        number: int = 0,
    ) -> None:  # fmt: skip
        self._host, self._makers, self.key = host, makers, key
        self.seed = new_seed() if seed is None else seed
        self.number, self.revision = number, 0
        self._works: dict[tuple[int, int], StudentWork] = {}  # by number and seed
        self._since = time.monotonic()
        self.worked: dict[int, Worked] = {}
        """What was finished here, by number."""

    @property
    def seeded(self) -> bool:
        """Whether the exercises are drawn from a seed."""
        return bool(self.key)

    @property
    def title(self) -> str:
        """The title of the lesson, or that for exercises on a tree of one's own."""
        return lesson(self.key).title if self.key else t("drill.own")

    @property
    def count(self) -> int:
        """The number of exercises."""
        return len(self._makers)

    @property
    def work(self) -> StudentWork:
        """The current exercise."""
        place = self.number, self.seed
        if place not in self._works:
            self._works[place] = StudentWork(self._makers[self.number](self.seed), self.seed)
        return self._works[place]

    @property
    def last(self) -> bool:
        """Whether the current exercise is the last one."""
        return self.number == self.count - 1

    def kinds(self) -> list[str]:
        """Return the kinds of the exercises, in their order."""
        return [make(self.seed).drill.kind for make in self._makers]

    def solved(self) -> set[int]:
        """Return the numbers of the exercises that were solved, now or in an earlier session."""
        kept = _progress_of(self._host, self.key).worked if self.key else []
        return {each.task for each in (*kept, *self.worked.values()) if not each.shown}

    def go(self, number: int) -> None:
        """Go to the exercise of this number, or to the nearest one."""
        self._count_time()
        self.number = max(0, min(number, self.count - 1))
        self.revision += 1

    def take(self, seed: int) -> None:
        """Draw the exercises anew from `seed`."""
        self._count_time()
        self.seed = seed
        self.revision += 1

    def check(self) -> None:
        """Check the current exercise, and save the result if it is solved. If nothing is written, only say so; nothing
        happens once it is solved or given up."""
        work = self.work
        if work.state != "open":
            return
        if work.empty:
            self._host.say(t("drill.nothing"), "bad")
            return
        self._count_time()
        work.check()
        self._finish()

    def show(self) -> None:
        """Give up the current exercise: show the right answers, and save the result."""
        if self.work.state == "open":
            self._count_time()
            self.work.show()
            self._finish()

    def mark(self, node: int) -> None:
        """Mark a node, or remove its mark."""
        self.work.mark(node, alone=self.work.drill.kind == "ucb")
        self.revision += 1

    def move(self, by: int) -> bool:
        """In an exercise on the order of moves, put the node that the student is at so many places further to the right
        among its siblings. Return whether it has moved."""
        at = self.work.at
        moved = at is not None and self.work.drill.kind == "order" and self.work.move(at.node, by)
        self.revision += moved
        return moved

    def _count_time(self) -> None:
        """Add the time since the last call to the current exercise, if that is not over."""
        now = time.monotonic()
        if self.work.state == "open":
            self.work.seconds += now - self._since
        self._since = now

    def _finish(self) -> None:
        """Save the result of the current exercise, if it is solved or given up."""
        self.revision += 1
        work = self.work
        if work.state == "open":
            return
        done = Worked(self.number, work.seed, work.tries, round(work.seconds, 1), work.state == "shown")
        self.worked[self.number] = done
        if self.key:
            self._host.files.settle()
            known = progress()
            known[self.key] = known.get(self.key, Done()).with_worked(done)
            keep(self._host, known)


def _progress_of(host: Host, key: str) -> Done:
    """Return the person's progress in a lesson."""
    host.files.settle()
    return progress().get(key, Done())


def new_seed() -> int:
    """Return a random seed."""
    return random.randint(1, LARGEST_SEED)


def of_lesson(host: Host, key: str, seed: int | None = None, number: int | None = None) -> Workbook:
    """Return the exercises of a lesson. Without a `seed`, they are those that were begun and not all solved, or else
    new ones; without a `number`, they begin with the first that is not solved."""
    done = _progress_of(host, key)
    specs = exercises(key)
    open_ones = sorted(set(range(len(specs))) - {each.task for each in done.worked if not each.shown})
    if seed is None and done.worked and open_ones:
        seed = done.worked[-1].seed
    first = open_ones[0] if open_ones else 0
    makers = [partial(draw_exercise, spec) for spec in specs]
    return Workbook(host, makers, key, seed, first if number is None else number)


def of_tree(host: Host, tree: Tree, subject: Subject) -> Workbook:
    """Return the exercises on `tree`, which is that of `subject`."""
    shown = None if subject.setup is None else subject
    return Workbook(host, [partial(_fixed_exercise, drill, shown) for drill in drills_of(tree)])


def _fixed_exercise(drill: Drill, subject: Subject | None, _seed: int) -> DrawnExercise:
    """Return `drill` as an exercise, whatever the seed."""
    return DrawnExercise(drill, subject)


# What is said of an exercise.


def kind_name(work: StudentWork) -> str:
    """Return the heading of an exercise: what is to be found."""
    return t(f"drill.kind.{work.drill.kind}")


def task_text(work: StudentWork) -> str:
    """Return the task of an exercise, with the conventions that the answers follow."""
    subject, side = work.subject, "MAX"
    if subject is not None and subject.setup is not None:
        side = short_side(subject.setup.game, subject.position.turn)
    task = t(f"drill.task.{work.drill.kind}", side=side, **work.drill.facts)
    told = subject is None or work.drill.kind == "leaves"
    return task if told else joined((task, t("drill.of_game", side=side)))


def _node_name(title: str) -> str:
    """Return the name of a node from its `title`, which is empty for the root."""
    return title or t("search.root")


def reason_text(reason: WrongReason) -> str:
    """Return a sentence that says why an answer is wrong."""
    named = {name: _node_name(text) if name in ("node", "parent") else text for name, text in reason.values.items()}
    return t(f"drill.why.{reason.key}", **named)


def verdict(work: StudentWork) -> tuple[str, str, str]:
    """Return the result of the last check in short, an explanation, and the tone of both: ``good``, ``bad`` or
    ``info``. The texts are empty before the first check, and when what was wrong has been changed."""
    if work.state == "solved":
        return t("drill.solved"), t("drill.tries", count=work.tries, time=time_text(work.seconds)), "good"
    if work.state == "shown":
        return t("drill.shown"), "", "info"
    found = work.reason
    if found is None:
        return "", "", "info"
    short = t("drill.not_fewest") if work.drill.kind == "order" else t("drill.mistakes", count=work.mistakes)
    return short, reason_text(found[1]), "bad"


def field_name(work: StudentWork, field: Field) -> str:
    """Return the node of a field and what is asked of it, for the status line."""
    return t(f"drill.field.{field.slot}", node=_node_name(work.drill.tree.title(field.node)))


def results(name: str, worked: Mapping[str, Iterable[Worked]], book: Workbook) -> bytes:
    """Return as CSV, with a header line and in UTF-8 with a byte order mark for spreadsheets, what the person called
    `name` has `worked`: exercises by the keys of lessons; then those of `book`, unless it is of a lesson."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([t(f"drill.csv.{column}") for column in
                     ("name", "lesson", "task", "kind", "seed", "tries", "seconds", "solved")])  # fmt: skip
    for each in lessons(language()):
        specs = exercises(each.key)
        for done in worked.get(each.key, ()):
            kind = t(f"drill.kind.{specs[done.task].kind}") if done.task < len(specs) else ""
            writer.writerow([name, each.title, *_result_columns(done, kind, str(done.seed))])
    if not book.key:
        kinds = book.kinds()
        for number, done in sorted(book.worked.items()):
            writer.writerow([name, book.title, *_result_columns(done, t(f"drill.kind.{kinds[number]}"), "")])
    return out.getvalue().encode("utf-8-sig")


def _result_columns(done: Worked, kind: str, seed: str) -> list[object]:
    """Return the columns of a result from the number of the exercise on; a solved one ends with 1, else 0."""
    return [done.task + 1, kind, seed, done.tries, f"{done.seconds:.1f}", int(not done.shown)]
