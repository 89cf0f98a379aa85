"""Every lesson in all languages: what its steps name exists, its texts fit, and progress is kept."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from unicodedata import east_asian_width

import pytest

from ai.explain.explorer import Explorer
from tests.sampling import sampled
from tests.waiting import wait
from ui.learn.lesson_state import Done, Lesson, Worked, lessons
from ui.toolkit.languages import DEFAULT, LANGUAGES
from ui.toolkit.resources import resource

ALL = [(code, lesson) for code in LANGUAGES for lesson in lessons(code)]

SHORTEST, LONGEST = 14, (430, 32, 300)
"""Width of a step or a question, of an option, and of a reason."""


def width(text: str) -> int:
    """In letters; a Chinese character is as wide as two."""
    return sum(2 if east_asian_width(each) in "WF" else 1 for each in text)


def test_each_language_has_the_same_lessons_and_no_more_than_their_texts() -> None:
    own = {code: {each.name: each for each in resource("lessons", code).glob("*.toml")} for code in LANGUAGES}
    for code in LANGUAGES.keys() - {DEFAULT}:
        assert own[code].keys() == own[DEFAULT].keys()
        for file in own[code].values():
            data = tomllib.loads(file.read_text(encoding="utf-8"))
            assert all(set(step) == {"text"} for step in data["step"])
            assert all(set(question) == {"text", "options", "why"} for question in data["question"])
            assert data.keys() <= {"title", "about", "step", "question", "term"}
        for one, other in zip(lessons(DEFAULT), lessons(code), strict=True):
            assert [len(each.options) for each in one.questions] == [len(each.options) for each in other.questions]


def test_a_lesson_without_a_file_in_a_language_is_in_english() -> None:
    assert lessons("fr") == lessons("en")


@pytest.mark.parametrize("lesson", [each for _, each in ALL], ids=[f"{code}-{each.key}" for code, each in ALL])
def test_texts_fit_and_questions_can_be_answered(lesson: Lesson) -> None:
    text, option, why = LONGEST
    assert lesson.title
    assert lesson.about
    assert len(lesson.steps) >= 4
    assert len(lesson.questions) >= 2
    for each in (*lesson.steps, *lesson.questions):
        assert SHORTEST <= width(each.text) <= text, each.text
    for question in lesson.questions:
        assert 2 <= len(question.options) <= 4
        assert 1 <= question.answer <= len(question.options)
        assert max(map(width, question.options)) <= option, question.options
        assert 0 < width(question.why) <= why, question.why


def _finish(explorer: Explorer) -> None:
    wait(lambda: explorer.info, lambda: explorer.update(0.0))


@pytest.mark.parametrize("lesson", sampled(lessons("en"), 4), ids=[each.key for each in lessons("en")])
def test_what_a_step_names_is_in_its_search(lesson: Lesson) -> None:
    explorers: dict[object, Explorer] = {}
    for step in lesson.steps:
        about = step.position, step.choice
        if about not in explorers:
            explorers[about] = Explorer(step.subject, step.choice, lambda: None)
        explorer = explorers[about]
        _finish(explorer)
        for named in (step.entered, step.left, step.node, *step.unfold, *step.fold, *step.marks):
            if named is not None:
                assert explorer.find(named) is not None, (step.text, named)


def test_a_lesson_of_which_no_question_was_answered_was_finished() -> None:
    lesson = lessons("en")[0]
    done = Done(page=lesson.pages - 1, furthest=lesson.pages - 1)
    assert lesson.read(done)
    assert not lesson.finished(done)


def test_a_finished_lesson_was_unfinished_when_it_got_more_pages() -> None:
    lesson = lessons("en")[2]
    right = list(range(len(lesson.questions)))
    worked = [Worked(task, 1, 1, 9.0, False) for task in range(3)]
    done = Done(page=9, furthest=lesson.pages - 2, right=right, worked=worked)
    assert lesson.finished(done)
    assert not lesson.finished(replace(done, right=right[1:]))
