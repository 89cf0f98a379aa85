"""Terms and references of the lessons: each lesson has some, and each term stands in the lesson that explains it."""

from __future__ import annotations

import re

import pytest

from ui.learn.lesson_state import Lesson, lessons
from ui.learn.lessons import REFERENCES, TERMS, entries
from ui.toolkit.i18n import set_language
from ui.toolkit.languages import LANGUAGES


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
