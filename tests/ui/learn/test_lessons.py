"""Every lesson in all languages: what its steps name exists, its texts fit, and progress is kept; each has terms and
references, and each term stands in the lesson that explains it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import replace
from unicodedata import east_asian_width

import pygame
import pytest

from ai.explain.explorer import Explorer
from ai.explain.subject import Choice, Subject
from ai.search.number_tree import parse, random_tree, text_of
from tests.sampling import sampled
from tests.ui.stage import Stage
from tests.waiting import wait
from ui.learn.drill_screen import DrillScreen
from ui.learn.lesson import LessonScreen
from ui.learn.lesson_state import Done, Lesson, Worked, keep, lessons, presets, subject
from ui.learn.lessons import REFERENCES, TERMS, LessonList, Lessons, ReadingScreen, entries
from ui.toolkit.i18n import DEFAULT, LANGUAGES, set_language
from ui.toolkit.resources import resource
from ui.toolkit.space import Space
from ui.toolkit.text_line import TextLine
from ui.toolkit.widgets import Widgets
from ui.window.screen import Screen

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
    assert [lesson.is_read(each) for each in (done, replace(done, furthest=lesson.pages - 2))] == [True, False]
    assert not lesson.finished(done)


def test_a_finished_lesson_was_unfinished_when_it_got_more_pages() -> None:
    lesson = lessons("en")[2]
    right = list(range(len(lesson.questions)))
    worked = [Worked(task, 1, 1, 9.0, False) for task in range(3)]
    done = Done(page=9, furthest=lesson.pages - 2, right=right, worked=worked)
    assert lesson.finished(done)
    assert not lesson.finished(replace(done, right=right[1:]))


# Terms and references.


def said(lesson: Lesson) -> str:
    """All texts of a lesson, its title included."""
    asked = (each.text + each.why + "".join(each.options) for each in lesson.questions)
    return "".join((lesson.title, lesson.about, *(step.text for step in lesson.steps), *asked))


def stems(name: str, code: str) -> list[str]:
    """What stands in a text that has this term: in a language that inflects, the beginnings of its words."""
    return [word[: max(3, len(word) - 3)] for word in name.split()] if LANGUAGES[code].cases else [name]


@pytest.mark.parametrize("code", LANGUAGES)
def test_each_term_stands_in_its_lesson_and_each_lesson_has_some(code: str) -> None:
    for lesson in lessons(code):
        assert lesson.terms
        for term in lesson.terms:
            assert all(stem in said(lesson).lower() for stem in stems(term.name.lower(), code)), term
            assert term.meaning.endswith((".", "。"))
    names = [term.name for lesson in lessons(code) for term in lesson.terms]
    assert len(names) == len(set(names))


def test_each_lesson_has_references_with_an_author_or_a_page_and_a_year() -> None:
    for lesson in lessons("en"):
        assert any(each.startswith("chessprogramming.org/") for each in lesson.references)
        for each in lesson.references:
            assert each.startswith("chessprogramming.org/") or re.search(r"\b(19|20)\d\d\b", each), each


@pytest.mark.parametrize("code", LANGUAGES)
def test_entries_are_those_of_a_lesson_or_of_all(code: str) -> None:
    set_language(code)
    lesson = lessons(code)[3]
    assert len(entries(TERMS)) == sum(len(each.terms) for each in lessons(code))
    assert [each.head for each in entries(TERMS, lesson.key)] == [term.name for term in lesson.terms]
    assert [each.text for each in entries(REFERENCES, lesson.key)] == list(lesson.references)
    assert entries(REFERENCES, lesson.key)[0].head.startswith("4 ")


def test_numbers_of_a_lesson_kept_the_digits_of_the_language_in_which_it_was_read_first() -> None:
    for shown in ("en", "ru", "en"):
        set_language(shown)
        texts = " ".join(step.text for each in lessons("ru") for step in each.steps)
        assert f"35{LANGUAGES[shown].thousands}886" in texts


def test_a_lesson_is_opened_where_it_was_left_or_at_its_beginning_after_its_end(
    made: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third, *_ = lessons("en")
    keep(made.app, {first.key: Done(2, 9), second.key: Done(second.pages - 2), third.key: Done(third.pages - 1)})
    made.show(Lessons(made.app))
    opened: list[object] = []
    monkeypatch.setattr(made.app, "open", lambda _screen, *state, **_: opened.append(state))
    made.push(*(f"lesson.{each.key}" for each in (first, second, third)))
    assert opened == [(first.key, 2), (second.key, second.pages - 2), (third.key, 0)]


@pytest.mark.parametrize("kind", [ReadingScreen, LessonScreen, DrillScreen])
def test_escape_leads_to_the_screen_before_or_to_the_lessons(made: Stage, kind: Callable[..., Screen]) -> None:
    for before in (None, made.show(Lessons(made.app))):
        screen = made.show(kind(made.app, back=before))
        screen.widgets.leave_focus()
        made.press(pygame.K_ESCAPE)
        assert (type(made.app.scene), made.app.scene is before) == (Lessons, before is not None)


def test_where_rows_are_low_the_summary_of_a_lesson_is_told_under_the_pointer(made: Stage) -> None:
    tips, found = [], lessons("en")
    for high in (39, 40):
        widgets = Widgets(made.app)
        rows = pygame.Rect(0, 0, 520, len(found) * (high + 4) - 4)
        LessonList(made.app, widgets, Lessons(made.app)).build(Space(rows, 0))
        tips.append([widgets.buttons[f"lesson.{each.key}"].tip for each in found])
    assert tips == [[each.about for each in found], ["" for _ in found]]


def test_searches_of_ones_own_are_those_of_presets_and_of_trees_within_bounds(
    made: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen, opened = made.show(Lessons(made.app)), list[dict[str, object]]()
    monkeypatch.setattr(made.app, "open", lambda _screen, **options: opened.append(options))

    def typed() -> str:
        line = screen.widgets.elements["numbers"]
        assert isinstance(line, TextLine)
        return line.text

    assert typed() == "(3 12 8) (2 4 6) (14 5 2)"
    found = []
    for *names, last in (
        4 * ["branching.less"], 4 * ["branching.more"], 4 * ["depth.less"], 4 * ["depth.more"],
        ["branching.less", "depth.more"], ["branching.more"], ["branching.less", "depth.more"],
    ):  # fmt: skip
        made.push(*names, last)
        found.append((parse(typed()).depth, len(parse(typed()).legal_moves())))
    assert found == [(3, 2), (3, 5), (1, 5), (3, 5), (4, 4), (4, 4), (4, 3)], "625 numbers would be too many"
    assert typed() == text_of(random_tree(3, 4, 21).tree)
    made.push("draw")
    assert typed() == text_of(random_tree(3, 4, 22).tree)
    made.push("depth.less", "show", *(f"preset.{number}" for number in range(6)))
    tree = parse(typed())
    assert opened[0] == {"subject": Subject(tree), "choice": Choice("alphabeta", 3), "back": screen}
    assert [options["subject"] for options in opened[1:]] == list(map(subject, presets()))
    screen.widgets.elements["numbers"].type_text(500 * "7")  # type: ignore[attr-defined]  # it is a line
    assert len(typed()) == 400
