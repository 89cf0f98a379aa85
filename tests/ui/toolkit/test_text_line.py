"""A line of text by keyboard, mouse, clipboard and input method."""

from __future__ import annotations

from typing import Any

import pygame
import pytest

from tests.ui.stage import Make
from ui.toolkit.text_line import TextLine
from ui.toolkit.widgets import Widgets

CTRL, SHIFT = pygame.KMOD_LCTRL, pygame.KMOD_LSHIFT
RECT = pygame.Rect(20, 20, 200, 40)


@pytest.fixture
def widgets(stage: Make) -> Widgets:
    return stage().app.scene.widgets


@pytest.fixture
def changes() -> list[str]:
    return []


@pytest.fixture
def line(widgets: Widgets, changes: list[str]) -> TextLine:
    widgets.clear()
    made = widgets.add("line", TextLine(widgets.display.theme, RECT, "one two three", 40, changes.append))
    widgets.focus = "line"
    return made


def press(widgets: Widgets, *keys: int, mod: int = 0) -> None:
    for key in keys:
        assert widgets.handle(pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode=""))


def write(widgets: Widgets, text: str, kind: int = pygame.TEXTINPUT, **more: Any) -> None:
    assert widgets.handle(pygame.event.Event(kind, text=text, **more))


def selected(line: TextLine) -> str:
    first, last = line.selection
    return line.text[first:last]


def test_the_caret_moves_by_letters_by_words_and_to_the_ends(widgets: Widgets, line: TextLine) -> None:
    places = []
    for key, mod in ((pygame.K_LEFT, 0), (pygame.K_LEFT, CTRL), (pygame.K_LEFT, CTRL), (pygame.K_HOME, 0),
                     (pygame.K_LEFT, 0), (pygame.K_RIGHT, CTRL), (pygame.K_RIGHT, 0), (pygame.K_END, 0)):  # fmt: skip
        press(widgets, key, mod=mod)
        places.append(line.caret)
    assert places == [12, 8, 4, 0, 0, 3, 4, 13]


def test_shift_selects_and_typing_replaces_it(widgets: Widgets, line: TextLine, changes: list[str]) -> None:
    press(widgets, pygame.K_LEFT, mod=CTRL | SHIFT)
    assert selected(line) == "three"
    write(widgets, "4")
    assert changes == ["one two 4"]
    press(widgets, pygame.K_a, mod=CTRL)
    press(widgets, pygame.K_LEFT)
    assert (line.caret, selected(line)) == (0, ""), "an arrow goes to the end of what was selected"


def test_letters_and_words_are_erased(widgets: Widgets, line: TextLine, changes: list[str]) -> None:
    press(widgets, pygame.K_BACKSPACE)
    press(widgets, pygame.K_BACKSPACE, mod=CTRL)
    press(widgets, pygame.K_HOME, pygame.K_DELETE)
    assert changes == ["one two thre", "one two ", "ne two "]
    press(widgets, pygame.K_HOME, pygame.K_BACKSPACE)
    assert len(changes) == 3, "nothing was there to erase"


def test_copy_cut_paste_and_undo(widgets: Widgets, line: TextLine, board: list[str], changes: list[str]) -> None:
    press(widgets, pygame.K_LEFT, mod=CTRL | SHIFT)
    press(widgets, pygame.K_c, mod=CTRL)
    assert board[-1] == "three"
    assert line.text == "one two three"
    press(widgets, pygame.K_x, mod=CTRL)
    press(widgets, pygame.K_HOME)
    board.append("a\nb\n")
    press(widgets, pygame.K_v, mod=CTRL)
    assert line.text == "a bone two "
    press(widgets, pygame.K_z, pygame.K_z, pygame.K_z, mod=CTRL)
    assert line.text == changes[-1] == "one two three"


def test_no_more_is_typed_than_there_is_room_for(widgets: Widgets, line: TextLine) -> None:
    write(widgets, "x" * 100)
    assert line.text == "one two three" + "x" * 27
    write(widgets, "y")
    assert line.text.endswith("x")
    press(widgets, pygame.K_a, mod=CTRL)
    write(widgets, "y" * 41)
    assert line.text == "y" * 40


def test_altgr_writes_and_commands_nothing(widgets: Widgets, line: TextLine) -> None:
    """On Windows AltGr is Ctrl and Alt: Polish ą is AltGr+A."""
    press(widgets, pygame.K_a, mod=CTRL | pygame.KMOD_RALT)
    write(widgets, "ą")
    assert line.text == "one two threeą"


def test_the_mouse_sets_the_caret_and_selects(widgets: Widgets, line: TextLine) -> None:
    surface = pygame.Surface((300, 100))
    line.draw(surface)
    widgets.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(RECT.left + 2, 40)))
    assert line.caret == 0
    widgets.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=(RECT.right - 2, 40)))
    assert selected(line) == "one two three"
    widgets.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, button=1, pos=(RECT.right + 50, 40)))
    widgets.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=(RECT.left, 40)))
    assert selected(line) == "one two three", "the button is no longer held"
    assert line.focused
    widgets.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(280, 90)))
    assert not line.focused, "a click elsewhere leaves the line"


def test_a_composition_is_shown_and_not_yet_text(
    widgets: Widgets, line: TextLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    places: list[pygame.Rect] = []
    monkeypatch.setattr(pygame.key, "set_text_input_rect", places.append)
    surface = pygame.Surface((300, 100))
    line.draw(surface)
    before = pygame.image.tobytes(surface, "RGB")
    write(widgets, "ni", pygame.TEXTEDITING, start=0, length=2)
    line.draw(surface)
    assert pygame.image.tobytes(surface, "RGB") != before
    assert line.text == "one two three"
    assert places[-1].left > places[0].left, "the window of the input method follows the caret"
    press(widgets, pygame.K_BACKSPACE, pygame.K_RETURN)
    assert line.text == "one two three", "these keys are the input method's"
    assert line.focused
    write(widgets, "", pygame.TEXTEDITING, start=0, length=0)
    write(widgets, "你")
    assert line.text == "one two three你"


def test_a_long_text_scrolls_with_the_caret(widgets: Widgets, line: TextLine, monkeypatch: pytest.MonkeyPatch) -> None:
    carets: list[pygame.Rect] = []
    monkeypatch.setattr(pygame.key, "set_text_input_rect", carets.append)
    surface = pygame.Surface((300, 100))
    line.draw(surface)
    write(widgets, " and more than fits there")
    line.draw(surface)
    assert carets[0].left < carets[1].left < RECT.right
    press(widgets, pygame.K_HOME)
    line.draw(surface)
    assert RECT.left < carets[2].left < carets[0].left


@pytest.mark.parametrize("key", [pygame.K_RETURN, pygame.K_ESCAPE, pygame.K_DOWN])
def test_a_line_is_left_and_only_enter_is_an_answer(widgets: Widgets, key: int) -> None:
    widgets.clear()
    done: list[str] = []
    widgets.add("line", TextLine(widgets.display.theme, RECT, "text", 9, lambda _: None, done.append))
    widgets.focus = "line"
    press(widgets, key)
    assert widgets.focus is None
    assert done == (["text"] if key == pygame.K_RETURN else [])
