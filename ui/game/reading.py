"""What a reader of the lessons looks up: the terms, each with the lesson that explains it, and what to read next."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import NamedTuple

from ui.game.lesson import lessons
from ui.toolkit.i18n import language
from ui.toolkit.resources import resource

TERMS, REFERENCES = "terms", "references"


class Term(NamedTuple):
    """`lesson` is the key of the one that explains it."""

    name: str
    meaning: str
    lesson: str


@cache
def terms(code: str) -> tuple[Term, ...]:
    """Return the terms in a language, in the order in which the lessons explain them."""
    data = tomllib.loads(resource("lessons", "glossary.toml").read_text(encoding="utf-8"))
    return tuple(Term(*entry[code], lesson=entry["lesson"]) for entry in data["term"])


@cache
def references() -> dict[str, tuple[str, ...]]:
    """Return what to read after each lesson, by its key."""
    data = tomllib.loads(resource("lessons", "references.toml").read_text(encoding="utf-8"))
    return {key: tuple(found) for key, found in data.items()}


class Entry(NamedTuple):
    """A `head` that stands out, and what is said of it."""

    head: str
    text: str


def entries(kind: str, lesson: str = "") -> list[Entry]:
    """Return the `TERMS` or the `REFERENCES` of a lesson, or of all, in the chosen language."""
    found = lessons(language())
    numbers = {each.key: number for number, each in enumerate(found, 1)}
    wanted = [each for each in found if lesson in ("", each.key)]
    if kind == TERMS:
        known = [term for term in terms(language()) if lesson in ("", term.lesson)]
        return [Entry(term.name, f"{term.meaning} ({numbers[term.lesson]})") for term in known]
    return [
        Entry(f"{numbers[each.key]}  {each.title}" if number == 0 else "", text)
        for each in wanted for number, text in enumerate(references()[each.key])
    ]  # fmt: skip
