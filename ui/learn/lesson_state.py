"""Lessons: what their files say, and how far a person has come in them.

A lesson is `assets/lessons/en/NAME.toml`: a title, steps that each set a search and what is shown of it, questions,
the terms that it explains, and references. `assets/lessons/LANGUAGE/NAME.toml` has the same with the texts only;
without it the lesson is in English. The exercises at its end are drawn as `assets/lessons/exercises.toml` says.
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ai.drills.drill import LARGEST_SEED, Spec
from ai.explain.explorer import Explorer
from ai.explain.subject import Choice, Subject
from ai.network.network import Training, training
from ai.search import number_tree
from ai.search.comparison import C
from games.fields import (
    DecodeError,
    anything,
    checked,
    dropped,
    entries,
    every_good,
    flag,
    list_of,
    nested,
    number,
    pair,
    parsed,
    text,
    whole,
    with_valid,
)
from games.formats.text import parse
from games.record import GameRecord
from games.registry import setup
from games.storage import data_home, read_regular, replace_damaged, set_aside
from ui.toolkit.i18n import DEFAULT, language, t
from ui.toolkit.resources import resource
from ui.window.host import Host
from ui.words.numbers import whole_text

_MOST = 1000  # pages and questions
_LARGEST = 1_000_000  # bytes of the progress
_LONGEST = 1e9  # seconds

TO_THE_END = 0
"""The depth of a step that searches to the end of the game."""


@dataclass(frozen=True, slots=True)
class Step:
    """A page of a lesson. What a step leaves out of position, search, depth, distance, workers and c stays
    as in the one before.

    `position` is ``GAME[:SIZE] MOVES`` or ``numbers TREE``, `search` a key of `VARIANTS` or `SAMPLED`, `PROOF`, or one
    of `SHARED` with so many `workers`; `c` is for those of `SAMPLED`. `depth` is in plies or `TO_THE_END`. `distance`
    tells whether far wins are worth less. Nodes are named by the moves from the root, the root by nothing: the search
    is shown up to where it has `entered` or `left` one, or made so many `visits` or `rounds`, or else all of it. `node`
    is the one to look at, `unfold` are shown with their children and `fold` without, `marks` have a frame. With
    `compare` there is a way to the comparison of all searches. With a `chart`, a game, the training of its network is
    shown in place of the search; the text may name its `facts`, such as ``{games}``.
    """

    text: str
    position: str = ""
    search: str = "minimax"
    depth: int = TO_THE_END
    distance: bool = False
    workers: int = 4
    c: float = C
    entered: str | None = None
    left: str | None = None
    visits: int = 0
    rounds: int | None = None
    node: str | None = None
    unfold: tuple[str, ...] = ()
    fold: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    compare: bool = False
    chart: str = ""

    @property
    def subject(self) -> Subject:
        """The position to search. Raise `ValueError` if `position` cannot be parsed."""
        return subject(self.position)

    @property
    def choice(self) -> Choice:
        """The search that the step shows, with its options."""
        return Choice(self.search, self.depth or None, self.distance, self.workers, self.c)


@dataclass(frozen=True, slots=True)
class LessonQuestion:
    """A question with `options` to choose from. `answer` is the number of the right one, from 1; `why` explains it."""

    text: str
    options: tuple[str, ...]
    answer: int
    why: str


class Term(NamedTuple):
    """A term that a lesson explains."""

    name: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson. `about` summarizes it; `references` are what to read after it."""

    key: str
    title: str
    about: str
    references: tuple[str, ...]
    steps: tuple[Step, ...]
    questions: tuple[LessonQuestion, ...]
    terms: tuple[Term, ...]

    @property
    def pages(self) -> int:
        """The number of pages: steps and questions."""
        return len(self.steps) + len(self.questions)

    def finished(self, done: Done) -> bool:
        """Return whether a person has solved the exercises and has answered each question right at the first try, not
        necessarily in the same visit."""
        return len(set(done.right)) >= len(self.questions) and done.solved >= len(exercises(self.key))

    def is_read(self, done: Done) -> bool:
        """Return whether a person has come to the last page."""
        return done.furthest >= self.pages - 1


@cache
def subject(text: str) -> Subject:
    """Parse a position to search: ``tictactoe a3 b2``, ``bones:6`` or ``numbers 3 5 | 2 9``. Raise `ValueError` with a
    sentence if that fails."""
    game, _, rest = text.partition(" ")
    if game == number_tree.GAME:
        return Subject(number_tree.parse(rest))
    record = record_of(text)
    return Subject.of(record, record.cursor)


def record_of(text: str) -> GameRecord:
    """Parse ``GAME[:SIZE] MOVES`` into a game record with its cursor after the moves.

    Number trees have no record: see `subject`. Raise `ValueError` with a sentence for text that cannot be parsed.
    """
    game, _, moves = text.partition(" ")
    name, _, size = game.partition(":")
    return parse(moves, setup(name, int(size) if size else None))


_KEPT = ("position", "search", "depth", "distance", "workers", "c")
"""What a step leaves out is as in the one before."""


def lessons(code: str) -> tuple[Lesson, ...]:
    """Return all lessons in their order, with the texts in a language, or in English where these are missing. Digits
    are grouped as in the language of the window."""
    return _read_lessons(code, language())


@cache
def _read_lessons(code: str, _shown: str) -> tuple[Lesson, ...]:
    """Read all lessons, anew for each language of the window, since their numbers depend on it."""
    own = resource("lessons", code)
    return tuple(_read(path, own / path.name) for path in sorted(resource("lessons", DEFAULT).glob("*.toml")))


def _read(path: Path, own: Path) -> Lesson:
    """Read the lesson in `path` with the texts in `own`, if there is such a file."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    if own.is_file():
        texts = tomllib.loads(own.read_text(encoding="utf-8"))
        for name in ("step", "question"):
            texts[name] = [{**entry, **text} for entry, text in zip(data[name], texts[name], strict=True)]
        data |= texts
    steps: list[Step] = []
    for entry in data["step"]:
        before = {name: getattr(steps[-1], name) for name in _KEPT} if steps else {}
        lists = {name: tuple(entry[name]) for name in ("unfold", "fold", "marks") if name in entry}
        step = Step(**{**before, **entry, **lists})
        text = step.text.format(**facts(training(step.chart))) if step.chart else step.text
        steps.append(replace(step, text=text.strip()))
    asked = [LessonQuestion(each["text"].strip(), tuple(each["options"]), each["answer"], each["why"].strip())
             for each in data["question"]]  # fmt: skip
    return Lesson(path.stem, data["title"], data["about"], tuple(data["references"]), tuple(steps), tuple(asked),
                  tuple(Term(**each) for each in data["term"]))  # fmt: skip


def presets() -> tuple[str, ...]:
    """Return the positions that are offered for a search of one's own, as texts for `subject`."""
    return tuple(tomllib.loads(resource("lessons", "presets.toml").read_text(encoding="utf-8"))["positions"])


@cache
def exercises(key: str) -> tuple[Spec, ...]:
    """Return the exercises at the end of the lesson `key`, easy ones first; the default set if the file has none."""
    table = tomllib.loads(resource("lessons", "exercises.toml").read_text(encoding="utf-8"))
    return tuple(Spec(**{**entry, "widths": tuple(entry.get("widths", ()))})
                 for entry in table.get(key, table["usual"])["exercises"])  # fmt: skip


def lesson(key: str) -> Lesson:
    """Return the lesson with the key, in the language of the window. Raise `StopIteration` if there is none."""
    return next(each for each in lessons(language()) if each.key == key)


# Progress.


@dataclass(frozen=True)
class Worked:
    """An exercise that a person has finished: the number of its task in the lesson, from 0, the seed, how often the
    answer was checked, and the time. `shown` tells that the person gave up."""

    task: int = checked(whole(0, _MOST))
    seed: int = checked(whole(0, LARGEST_SEED))
    tries: int = checked(whole(0, _LARGEST))
    seconds: float = checked(number(0, _LONGEST))
    shown: bool = checked(flag)


@dataclass(frozen=True)
class Done:
    """A person's progress in a lesson: the `page` that was shown last, the `furthest` page, the numbers of the
    questions that were answered `right` at the first try, and the exercises that were `worked`: of each the last
    result, or the last with which it was solved."""

    page: int = checked(whole(0, _MOST), default=0)
    furthest: int = checked(whole(0, _MOST), default=0)
    right: list[int] = checked(list_of(whole(0, _MOST), _MOST), make=list)
    worked: list[Worked] = checked(list_of(nested(Worked), _MOST), make=list)

    @property
    def solved(self) -> int:
        """The number of exercises that were solved."""
        return len({each.task for each in self.worked if not each.shown})

    def with_worked(self, worked: Worked) -> Done:
        """Return the progress after an exercise was finished. One that was solved before and is given up now stays
        solved."""
        before = next((each for each in self.worked if each.task == worked.task), None)
        if before is not None and worked.shown and not before.shown:
            return self
        kept = [each for each in self.worked if each.task != worked.task]
        return replace(self, worked=sorted([*kept, worked], key=lambda each: each.task))


def progress_path() -> Path:
    """Return the file of the progress, in the data folder."""
    return data_home() / "lessons.json"


def _decode_entry(item: object) -> tuple[str, Done]:
    """Decode a pair of the key of a lesson and the progress in it; invalid parts of the progress are left out. Raise
    `DecodeError` if it is no such pair."""
    key, value = pair(anything)(list(item) if isinstance(item, tuple) else item)
    return text(_MOST)(key), with_valid(Done(), value)


def progress() -> dict[str, Done]:
    """Read the person's progress, by the keys of lessons; empty if there is none. A damaged file is moved to
    ``lessons.damaged.json`` and reported; what is valid in it stays."""
    path = progress_path()
    try:
        data = read_regular(path, _LARGEST)
        with dropped() as problems:
            done = dict(every_good(_decode_entry)(list(entries(parsed(data)).items())))
    except FileNotFoundError:
        return {}
    except (OSError, DecodeError):
        set_aside(path)
        return {}
    if problems:
        replace_damaged(path, data, encoded(done))
    return done


def encoded(done: dict[str, Done]) -> bytes:
    """Encode the progress, by the keys of lessons, as JSON."""
    return json.dumps({key: asdict(value) for key, value in done.items()}).encode()


def keep(host: Host, done: dict[str, Done]) -> None:
    """Write the progress in all lessons to its file in the background; say so if that fails."""

    def report_failure(error: OSError | None) -> None:
        """Say that the progress could not be written; `error` is None if it was."""
        if error is not None:
            host.say(t("lesson.not_kept"), "bad")

    host.files.write(progress_path(), encoded(done), report_failure)


# A lesson under way.


class Course:
    """A person's way through the lesson called `key`. `page` is the index of the page that is shown, steps before
    questions; by default the one shown last. `explorer` runs the search of the step."""

    def __init__(self, host: Host, key: str, page: int | None = None) -> None:
        self.host, self.key = host, key
        self.answers: dict[int, int] = {}
        """The option that was chosen last for each question, both from 0."""
        self._all = progress()
        self.done = self._all.get(key, Done())
        self.page = max(0, min(self.done.page if page is None else page, self.lesson.pages - 1))
        step = self.shown_step
        self.explorer = Explorer(step.subject, step.choice, host.wake)
        self._due = True  # whether the step is still to be shown
        self.go(self.page)

    @property
    def lesson(self) -> Lesson:
        """The lesson, in the language of the window."""
        return lesson(self.key)

    @property
    def step(self) -> Step | None:
        """The step that is shown; None at a question."""
        return self.lesson.steps[self.page] if self.page < len(self.lesson.steps) else None

    @property
    def shown_step(self) -> Step:
        """The step whose search is shown: at a question, the last step."""
        return self.step or self.lesson.steps[-1]

    @property
    def number(self) -> int:
        """The index of the question that is shown, from 0; negative at a step."""
        return self.page - len(self.lesson.steps)

    @property
    def question(self) -> LessonQuestion | None:
        """The question that is shown; None at a step."""
        return None if self.step is not None else self.lesson.questions[self.number]

    @property
    def chosen(self) -> int | None:
        """The index of the option that was chosen last at the question shown; None before an answer, or at a step."""
        return self.answers.get(self.number) if self.question is not None else None

    def record(self) -> GameRecord:
        """Return the position of the step as a game record. Raise `ValueError` for a tree of numbers."""
        return record_of(self.shown_step.position)

    def go(self, page: int) -> None:
        """Show the page at this index, or the nearest one, begin its search, and save the progress."""
        self.page = max(0, min(page, self.lesson.pages - 1))
        step = self.shown_step
        self.explorer.take(step.subject, step.choice)
        self._due = True
        self._keep(replace(self.done, page=self.page, furthest=max(self.page, self.done.furthest)))

    def answer(self, option: int) -> None:
        """Choose an option of the question, from 0. It counts for the progress only as the first answer. Nothing
        happens at a step, or after the right answer."""
        question = self.question
        if question is None or self.chosen == question.answer - 1:
            return
        if self.number not in self.answers and option == question.answer - 1 and self.number not in self.done.right:
            self._keep(replace(self.done, right=[*self.done.right, self.number]))
        self.answers[self.number] = option

    def _keep(self, done: Done) -> None:
        """Set the progress in this lesson, and save it if it has changed."""
        if done != self.done:
            self.done = self._all[self.key] = done
            keep(self.host, self._all)

    def update(self) -> bool:
        """Arrange what is shown once the search of the page has ended. Return whether this call has done so."""
        if not self._due or self.explorer.info is None:
            return False
        self._due = False
        arrange(self.explorer, self.shown_step)
        return True


def arrange(explorer: Explorer, step: Step) -> None:
    """Show what `step` asks for in `explorer`, whose search has ended: the moment of the search, and the nodes to
    unfold, fold, mark and look at."""
    explorer.reset_folds()
    explorer.go(step.visits - 1 if step.visits else step.rounds)
    for node in _find_nodes(explorer, *step.unfold):
        explorer.unfold(node)
    for node in _find_nodes(explorer, *step.fold):
        if explorer.unfolded(node):
            explorer.fold(node)
    explorer.marked = frozenset(_find_nodes(explorer, *step.marks))
    for node in _find_nodes(explorer, step.entered):
        explorer.go(explorer.steps.entered(node))
    for node in _find_nodes(explorer, step.left):
        explorer.go(explorer.steps.left(node))
    for node in _find_nodes(explorer, step.node):
        explorer.look_at(node)


def _find_nodes(explorer: Explorer, *texts: str | None) -> list[int]:
    """Return the nodes named by `texts`, without None and without nodes that the search has not visited."""
    found = [explorer.find(text) for text in texts if text is not None]
    return [node for node in found if node is not None]


def facts(training: Training) -> dict[str, str]:
    """Return the figures of a training that a text may name: numbers of games, and percentages from 0 to 100."""
    first, last = training.progress[0], training.progress[-1]
    return {
        "games": whole_text(last.games), "chance": f"{100 * training.chance:.0f}",
        "before": f"{100 * first.agreement:.0f}", "after": f"{100 * last.agreement:.0f}",
        "score_before": f"{100 * first.score:.0f}", "score_after": f"{100 * last.score:.0f}",
    }  # fmt: skip
