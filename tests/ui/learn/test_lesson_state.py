"""Lessons without a window: their files, the progress of a person, and the way through the pages."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

from ai.explain.explorer import Explorer
from ai.explain.subject import Choice
from ai.network.network import training
from ui.learn.lesson_state import (
    Course,
    Done,
    Step,
    Worked,
    arrange,
    encoded,
    facts,
    lessons,
    progress,
    progress_path,
    record_of,
)
from ui.toolkit.i18n import t

NUMBERS = "numbers 3 12 8 | 2 4 6 | 14 5 2"
LESSON = lessons("en")[0]
LAST = LESSON.pages - 1


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))


def keep(known: Any) -> None:
    progress_path().parent.mkdir(parents=True, exist_ok=True)
    progress_path().write_bytes(json.dumps(known).encode())


def test_a_step_names_a_position_and_a_search() -> None:
    record = record_of("bones:6 1 2")
    assert (record.setup.size, record.position.ply) == (6, 2)
    assert record_of("tictactoe").position.ply == 0
    assert Step("", "bones:6").choice == Choice("minimax", None, False, 4, 0.35)
    assert Step("", "bones:6", "brothers", 3, True, 2, 0.7).choice == Choice("brothers", 3, True, 2, 0.7)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ({"page": 1001, "furthest": 1001}, {"page": 1000, "furthest": 1000}),
        ({"page": -1, "furthest": "1"}, {"page": 0, "furthest": 0}),
        ({"right": 1001 * [0]}, {"right": 1000 * [1000]}),
        ({"right": [1001]}, {"right": [0]}),
        ({"worked": 1001 * [[0, 1, 1, 1.0, False]]}, {"worked": []}),
    ],
)
def test_progress_out_of_its_bounds_is_dropped(wrong: dict[str, Any], right: dict[str, Any]) -> None:
    keep({"01-game-tree": wrong})
    assert progress() == {"01-game-tree": Done()}
    keep({"01-game-tree": right})
    assert progress() == {"01-game-tree": Done(**right)}


def test_exercises_that_were_worked_are_kept_within_their_bounds() -> None:
    most = Worked(1000, 9999, 1_000_000, 1e9, True)
    progress_path().parent.mkdir(parents=True, exist_ok=True)
    progress_path().write_bytes(encoded({"x": Done(worked=[most, Worked(0, 0, 0, 0.0, False)])}))
    known = progress()["x"].worked
    assert known == [most, Worked(0, 0, 0, 0.0, False)]
    good = {"task": 0, "seed": 0, "tries": 0, "seconds": 0, "shown": False}
    for name, value in (("task", 1001), ("seed", 10_000), ("tries", 1_000_001), ("seconds", 1e9 + 1)):
        for wrong in (value, -1):
            keep({"x": {"worked": [good | {name: wrong}]}})
            assert progress() == {"x": Done()}


def test_the_progress_of_another_try() -> None:
    solved, shown = Worked(1, 5, 2, 9.0, False), Worked(1, 6, 0, 1.0, True)
    first = Worked(0, 5, 1, 9.0, True)
    done = Done().with_worked(shown).with_worked(first)
    assert (done.worked, done.solved) == ([first, shown], 0)
    done = done.with_worked(solved)
    assert (done.worked, done.solved) == ([first, solved], 1)
    assert done.with_worked(shown) is done


def course(page: int | None = None) -> Course:
    """A course that keeps its progress in a mock."""
    made = Course(Mock(), LESSON.key, page)
    made.update()
    return made


def test_pages_end_with_the_last_question() -> None:
    for page, shown in ((-1, 0), (LAST, LAST), (LAST + 1, LAST)):
        made = course(page)
        assert (made.page, made.number) == (shown, shown - len(LESSON.steps))
        made.go(page)
        assert made.page == shown
    first = course(len(LESSON.steps))
    assert (first.step, first.shown_step, first.question) == (None, LESSON.steps[-1], LESSON.questions[0])
    before = course(len(LESSON.steps) - 1)
    assert (before.step, before.question, before.chosen) == (LESSON.steps[-1], None, None)


def test_the_furthest_page_is_kept_and_the_last_one_opened_again() -> None:
    made, host = course(), Mock()
    made.host = host
    made.go(0)
    assert not host.files.write.called, "nothing has changed"
    made.go(3)
    made.go(1)
    assert made.done == Done(1, 3)
    keep({LESSON.key: {"page": 2, "furthest": 5}})
    assert (course().page, course(0).page) == (2, 0)
    made.go(2)
    file, data, report = host.files.write.call_args.args
    assert (file, json.loads(data)[LESSON.key]["page"]) == (progress_path(), 2)
    report(None)
    assert not host.say.called
    report(OSError())
    host.say.assert_called_with(t("lesson.not_kept"), "bad")


def test_only_the_first_answer_counts_and_the_right_one_is_the_last() -> None:
    made = course(LAST)
    right, number = LESSON.questions[-1].answer - 1, len(LESSON.questions) - 1
    made.answer(right)
    assert (made.chosen, made.done.right) == (right, [number])
    made.answer((right + 1) % len(LESSON.questions[-1].options))
    assert made.chosen == right
    again = course(LAST)
    again.done = Done(LAST, LAST, [number])
    again.answer(right)
    assert again.done.right == [number], "once"
    step = course(0)
    step.answer(0)
    assert step.answers == {}


def test_a_step_is_arranged_once_when_its_search_has_ended() -> None:
    made = Course(Mock(), LESSON.key, 0)
    assert (made.update(), made.update()) == (True, False)
    made.go(1)
    assert (made.update(), made.update()) == (True, False)


def test_a_step_shows_the_moment_that_it_names() -> None:
    explorer = Explorer(Step("", NUMBERS).subject, Choice("alphabeta", 2), lambda: None)
    shown = {}
    for name, step in {
        "all": Step("", NUMBERS), "entered": Step("", NUMBERS, entered="b"), "left": Step("", NUMBERS, left="a"),
        "look": Step("", NUMBERS, entered="b a", node="a"), "unknown": Step("", NUMBERS, entered="b c", node="b c"),
    }.items():  # fmt: skip
        arrange(explorer, step)
        shown[name] = explorer.at, explorer.node
    assert shown == {"all": (None, 0), "entered": (9, 5), "left": (8, 1), "look": (10, 1), "unknown": (None, 0)}
    visits = Explorer(Step("", "tictactoe a3 b3").subject, Choice("playouts", None), lambda: None)
    arrange(visits, Step("", "tictactoe a3 b3", visits=4))
    assert (visits.at, visits.trace.visits[0]) == (3, 4)  # type: ignore[attr-defined]


def test_texts_name_the_figures_of_a_training() -> None:
    first, last = (SimpleNamespace(games=games, agreement=share, score=share + 0.1) for games, share in (
        (0, 0.314), (12345, 0.786)))  # fmt: skip
    found = facts(SimpleNamespace(progress=[first, None, last], chance=0.257))  # type: ignore[arg-type]
    assert found == {
        "games": "12,345", "chance": "26", "before": "31", "after": "79", "score_before": "41", "score_after": "89",
    }  # fmt: skip
    assert facts(training("connect4")).keys() == found.keys()
