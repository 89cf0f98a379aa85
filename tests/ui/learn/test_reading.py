"""Terms and references of the lessons: each lesson has some, and each term stands in the lesson that explains it."""

from __future__ import annotations

import re

import pytest

from ui.learn.lesson_state import Lesson, lessons
from ui.learn.reading import REFERENCES, TERMS, entries, references, terms
from ui.toolkit.i18n import LANGUAGES, set_language


def said(lesson: Lesson) -> str:
    """All texts of a lesson, its title included."""
    asked = (each.text + each.why + "".join(each.options) for each in lesson.questions)
    return "".join((lesson.title, lesson.about, *(step.text for step in lesson.steps), *asked))


@pytest.mark.parametrize("code", LANGUAGES)
def test_each_term_stands_in_its_lesson_and_each_lesson_has_some(code: str) -> None:
    by_key = {each.key: each for each in lessons(code)}
    for term in terms(code):
        assert term.name.lower() in said(by_key[term.lesson]).lower(), term
        assert term.meaning.endswith((".", "。"))
    assert {term.lesson for term in terms(code)} == set(by_key)
    names = [term.name for term in terms(code)]
    assert len(names) == len(set(names))


def test_each_lesson_has_references_with_an_author_or_a_page_and_a_year() -> None:
    assert set(references()) == {each.key for each in lessons("en")}
    for found in references().values():
        assert any(each.startswith("chessprogramming.org/") for each in found)
        for each in found:
            assert each.startswith("chessprogramming.org/") or re.search(r"\b(19|20)\d\d\b", each), each


@pytest.mark.parametrize("code", LANGUAGES)
def test_entries_are_those_of_a_lesson_or_of_all(code: str) -> None:
    set_language(code)
    key = "04-alpha-beta"
    assert len(entries(TERMS)) == len(terms(code))
    assert 0 < len(entries(TERMS, key)) < len(terms(code))
    assert [each.text for each in entries(REFERENCES, key)] == list(references()[key])
    assert entries(REFERENCES, key)[0].head.startswith("4 ")
