"""Texts that were written become names and paragraphs for a screen reader."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pygame
import pytest

from ui.toolkit import typesetting
from ui.toolkit.accessible import Accessible, Texts, with_name

Written = tuple[str, tuple[int, int, int, int]]


def noted(monkeypatch: pytest.MonkeyPatch, *written: Written) -> Texts:
    """Texts as if they had been written."""
    notes: list[Any] = []
    monkeypatch.setattr(typesetting, "note_texts", lambda _surface, note=None: notes.append(note))
    texts = Texts()
    texts.begin(pygame.Surface((1, 1)))
    for text, rect in written:
        notes[0]((text, pygame.Rect(rect)))
    texts.end()
    assert notes[1:] == [None]
    return texts


@pytest.mark.parametrize(("second", "joined"), [
    ((10, 40, 30, 20), True), ((10, 49, 30, 20), True), ((10, 50, 30, 20), False), ((10, 35, 30, 20), True),
    ((10, 34, 30, 20), False), ((11, 40, 30, 20), False), ((10, 40, 30, 14), True), ((10, 40, 30, 13), False),
])  # fmt: skip
def test_lines_close_below_each_other_are_one_text(
    monkeypatch: pytest.MonkeyPatch, second: tuple[int, int, int, int], joined: bool
) -> None:
    texts = noted(monkeypatch, ("one", (10, 20, 50, 20)), ("two", second), ("  ", (10, 90, 9, 9)))
    found = [(each.name, each.key, each.role) for each in texts.outside([])]
    alone = [("one", "text.10.20", "label"), ("two", f"text.{second[0]}.{second[1]}", "label")]
    assert found == ([("one two", "text.10.20", "label")] if joined else alone)


def test_texts_are_found_by_their_places(monkeypatch: pytest.MonkeyPatch) -> None:
    written = [("far", (0, 20, 10, 20)), ("near", (20, 24, 20, 20)), ("in", (42, 22, 10, 20)), ("low", (22, 44, 9, 20)),
               ("in too", (60, 22, 30, 20)), ("right", (95, 20, 30, 20))]  # fmt: skip
    texts, rect = noted(monkeypatch, *written), pygame.Rect(40, 20, 50, 30)
    assert (texts.inside(rect), texts.before(rect)) == ("in in too", "near")
    assert texts.before(rect, [pygame.Rect(15, 20, 25, 30)]) == "far", "the nearer one names something else"
    assert texts.before(pygame.Rect(39, 20, 50, 30)) == "far"
    assert texts.before(pygame.Rect(9, 20, 50, 30)) == ""
    assert texts.before(pygame.Rect(40, 54, 50, 30)) == ""
    assert [each.name for each in texts.outside([rect, pygame.Rect(0, 0, 31, 40)])] == ["low", "right"]
    texts.begin(pygame.Surface((1, 1)))
    assert texts.outside([]) == []


@pytest.mark.parametrize(("role", "name", "about", "rect", "expected"), [
    ("button", "Own", "", 40, ("Own", "")), ("button", "", "About", 40, ("inside", "About")),
    ("button", "", "About", 90, ("About", "")), ("button", "", "", 90, ("inside", "")), ("list", "", "", 90, ("", "")),
    ("field", "Own", "A", 40, ("Own", "A")), ("field", "", "A", 40, ("beside", "A")), ("slider", "", "A", 0, ("A", "")),
    ("radio", "One", "A", 40, ("beside: One", "A")), ("radio", "One", "One", 0, ("One", "")),
])  # fmt: skip
def test_a_thing_without_a_name_takes_that_of_its_texts(
    monkeypatch: pytest.MonkeyPatch, role: Any, name: str, about: str, rect: int, expected: tuple[str, str]
) -> None:
    texts = noted(monkeypatch, ("beside", (10, 10, 20, 20)), ("inside", (50, 10, 20, 20)))
    thing = Accessible("key", role, name, pygame.Rect(rect, 8, 40, 24), about)
    assert with_name(thing, texts) == replace(thing, name=expected[0], about=expected[1])
