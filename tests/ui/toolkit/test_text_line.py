"""A line of text, and several lines, by keyboard, mouse, clipboard and input method."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pygame
import pytest

from tests.ui.stage import Make
from ui.toolkit import text_area
from ui.toolkit.text_area import LINE, PADDING, TextArea, spans
from ui.toolkit.text_line import TextLine
from ui.toolkit.theme import Theme
from ui.toolkit.typesetting import width_of
from ui.toolkit.widgets import Widgets

CTRL, SHIFT = pygame.KMOD_LCTRL, pygame.KMOD_LSHIFT
RECT = pygame.Rect(20, 20, 200, 40)


@pytest.fixture
def widgets(stage: Make) -> Widgets:
    made = stage().app.scene.widgets
    made.clear()
    return made


@pytest.fixture
def changes() -> list[str]:
    return []


@pytest.fixture
def line(widgets: Widgets, changes: list[str]) -> TextLine:
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
                     (pygame.K_LEFT, 0), (pygame.K_RIGHT, CTRL), (pygame.K_RIGHT, 0), (pygame.K_END, 0),
                     (pygame.K_RIGHT, 0), (pygame.K_RIGHT, CTRL), (pygame.K_LEFT, pygame.KMOD_LALT)):  # fmt: skip
        press(widgets, key, mod=mod)
        places.append(line.caret)
    assert places == [12, 8, 4, 0, 0, 3, 4, 13, 13, 13, 8]
    line.set_text("  ")
    press(widgets, pygame.K_LEFT, mod=CTRL)
    assert line.caret == 0
    line.set_text("one two three")
    line.select(8, 8)
    press(widgets, pygame.K_LEFT, pygame.K_LEFT, mod=SHIFT)
    assert (line.selection, line.caret) == ((6, 8), 6)
    press(widgets, pygame.K_RIGHT)
    assert (line.selection, line.caret) == ((8, 8), 8)


def test_a_click_puts_the_caret_at_the_nearest_gap_and_shift_selects_to_it(
    widgets: Widgets, line: TextLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    theme = widgets.display.theme
    ends = [RECT.left + 10 + width_of(theme, line.text[:index], 16) for index in range(14)]
    for index, x in enumerate(ends):
        for by in (-1, 0, 1):
            line.press((x + by, 40))
            assert line.selection == (index, index)
    line.press((ends[3], 40))
    monkeypatch.setattr(pygame.key, "get_mods", lambda: SHIFT)
    line.press((ends[7], 40))
    assert (line.selection, line.caret) == ((3, 7), 7)
    line.hint = "Hint"
    found = line.accessible("key")
    assert (found.role, found.value, found.about) == ("field", line.text, "Hint")


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
    line.set_text("z" * 50)
    write(widgets, "y")
    assert line.text == "z" * 50, "it was longer already"


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


def test_a_long_text_that_is_left_shows_its_beginning(widgets: Widgets, line: TextLine) -> None:
    """It showed its end, so that of a long name nobody saw the first letters."""
    surface = pygame.Surface((300, 100))
    write(widgets, " and more than fits there")
    line.draw(surface)
    widgets.leave_focus()
    line.draw(surface)
    line.press((line.rect.left + 2, line.rect.centery))
    assert line.caret == 0


def test_a_long_text_scrolls_with_the_caret(widgets: Widgets, line: TextLine, monkeypatch: pytest.MonkeyPatch) -> None:
    carets: list[pygame.Rect] = []
    monkeypatch.setattr(pygame.key, "set_text_input_rect", carets.append)
    surface = pygame.Surface((300, 100))
    line.draw(surface)
    write(widgets, " and more than fits there")
    line.draw(surface)
    press(widgets, pygame.K_BACKSPACE, pygame.K_BACKSPACE)
    line.draw(surface)
    press(widgets, pygame.K_HOME)
    line.draw(surface)
    press(widgets, pygame.K_DELETE, mod=CTRL)
    line.draw(surface)
    left, first = RECT.left + 10, width_of(widgets.display.theme, "one two three", 16)
    assert [each.left for each in carets] == [left + first, left + 178, left + 178, left, left]


@pytest.mark.parametrize("key", [pygame.K_RETURN, pygame.K_ESCAPE, pygame.K_DOWN])
def test_a_line_is_left_and_only_enter_is_an_answer(widgets: Widgets, key: int) -> None:
    widgets.clear()
    done: list[str] = []
    widgets.add("line", TextLine(widgets.display.theme, RECT, "text", 9, lambda _: None, done.append))
    widgets.focus = "line"
    press(widgets, key)
    assert widgets.focus is None
    assert done == (["text"] if key == pygame.K_RETURN else [])


# Several lines.


AREA = pygame.Rect(20, 20, 200, 100)
LONG = "The quick brown fox jumps over the lazy dog and the cat. " * 3
CHINESE = "黑棋在这里应该先冲四再活三，否则白棋有反击的机会。"


Area = Callable[..., TextArea]


@pytest.fixture
def area(widgets: Widgets) -> Area:
    def make(text: str = "", longest: int = 1000) -> TextArea:
        made = widgets.add("area", TextArea(widgets.display.theme, AREA, text, longest, lambda _: None))
        widgets.focus = "area"
        return made

    return make


def lines(theme: Theme, text: str, width: int = 184) -> list[str]:
    return [text[start:end] for start, end in spans(theme, text, width, 14)]


@pytest.mark.parametrize("text", [LONG, CHINESE, "a\n\nb\n", "w" * 90, "", f"{CHINESE}{LONG}\n{CHINESE}"])
def test_lines_are_as_wide_as_there_is_room_and_nothing_is_lost(widgets: Widgets, text: str) -> None:
    theme = widgets.display.theme
    found = spans(theme, text, 184, 14)
    assert all(width_of(theme, text[start:end].rstrip(), 14) <= 184 for start, end in found)
    words = [(start, end) for start, end in found[:-1] if set(text[start:end]) == {"w"}]
    assert all(width_of(theme, text[start : end + 1], 14) > 184 for start, end in words), "or one more would fit"
    two = width_of(theme, "ww", 14)
    assert [spans(theme, "wwww", width, 14) for width in (two, two - 1)] == [
        ((0, 2), (2, 4)), ((0, 1), (1, 2), (2, 3), (3, 4)),
    ]  # fmt: skip
    joined = "".join("\n" * (start - before) + text[start:end] for (_, before), (start, end) in zip(
        ((0, 0), *found), found, strict=False))  # fmt: skip
    assert joined == text


def test_an_endless_word_froze_the_window_for_a_minute(widgets: Widgets, monkeypatch: pytest.MonkeyPatch) -> None:
    """All the rest of it was measured several times for each of its lines."""
    measured = 0

    def counted(theme: Theme, string: str, size: int) -> int:
        nonlocal measured
        measured += len(string)
        return width_of(theme, string, size)

    monkeypatch.setattr(text_area, "width_of", counted)
    text = "y]" * 5_000
    found = spans(widgets.display.theme, text, 184, 14)
    assert "".join(text[start:end] for start, end in found) == text
    assert measured < 100 * len(text)


def test_words_stay_whole_where_they_fit(widgets: Widgets) -> None:
    found = lines(widgets.display.theme, LONG)
    assert len(found) > 4
    assert all(line.endswith(" ") for line in found[:-1])


def test_enter_begins_a_line_and_up_and_down_keep_their_column(widgets: Widgets, area: Area) -> None:
    made = area("first line")
    press(widgets, pygame.K_RETURN)
    write(widgets, "b")
    press(widgets, pygame.K_KP_ENTER)
    write(widgets, "third line")
    assert made.text == "first line\nb\nthird line"
    press(widgets, pygame.K_UP, pygame.K_UP)
    assert made.caret in (9, 10), "the short line between does not change the column"
    press(widgets, pygame.K_UP)
    assert made.caret == 0
    press(widgets, *[pygame.K_DOWN] * 4)
    assert made.caret == len(made.text)
    assert widgets.typing


def test_home_and_end_go_to_the_ends_of_the_line_and_with_ctrl_of_the_text(widgets: Widgets, area: Area) -> None:
    made = area("one\ntwo\nthree")
    made.select(5, 5)
    for kind in (pygame.K_RETURN, pygame.K_KP_ENTER):
        assert not made.key(pygame.event.Event(pygame.KEYDOWN, key=kind, mod=CTRL, unicode=""))
    places = []
    for key, mod in ((pygame.K_HOME, 0), (pygame.K_END, 0), (pygame.K_HOME, CTRL), (pygame.K_END, CTRL)):
        press(widgets, key, mod=mod)
        places.append(made.caret)
    assert places == [4, 7, 0, 13]


def test_selection_clipboard_and_undo(widgets: Widgets, area: Area, board: list[str]) -> None:
    made = area("one\ntwo")
    press(widgets, pygame.K_UP, mod=SHIFT)
    press(widgets, pygame.K_x, mod=CTRL)
    assert (made.text, board[-1]) == ("one", "\ntwo")
    board.append("a\r\nb\tc\0")
    press(widgets, pygame.K_v, mod=CTRL)
    assert made.text == "onea\nb c"
    press(widgets, pygame.K_z, pygame.K_z, mod=CTRL)
    assert made.text == "one\ntwo"


def test_a_click_puts_the_caret_and_a_drag_selects_over_lines(widgets: Widgets, area: Area) -> None:
    made = area("first\nsecond\nthird")
    left, top = AREA.left + PADDING, AREA.top + PADDING
    for kind, point in (
        (pygame.MOUSEBUTTONDOWN, (left, top + LINE // 2)), (pygame.MOUSEMOTION, (left, top + 2 * LINE + LINE // 2)),
        (pygame.MOUSEBUTTONUP, (left, top + 2 * LINE + LINE // 2)),
    ):  # fmt: skip
        widgets.handle(pygame.event.Event(kind, pos=point, button=1))
    assert made.selection == (0, 13)
    write(widgets, "x")
    assert made.text == "xthird"


def test_what_an_input_method_composes_is_shown_and_then_written(widgets: Widgets, area: Area) -> None:
    made = area("黑棋")
    surface = pygame.Surface((300, 200))
    made.draw(surface)
    before = surface.copy()
    write(widgets, "haoqi", pygame.TEXTEDITING)
    assert made.text == "黑棋"
    made.draw(surface)
    assert pygame.image.tobytes(surface, "RGB") != pygame.image.tobytes(before, "RGB")
    press(widgets, pygame.K_RETURN, pygame.K_UP, pygame.K_BACKSPACE)
    assert made.text == "黑棋", "the keys are the input method's"
    write(widgets, "好棋")
    write(widgets, "", pygame.TEXTEDITING)
    assert made.text == "黑棋好棋"
    press(widgets, pygame.K_BACKSPACE)
    assert made.text == "黑棋好"


@pytest.mark.parametrize(("key", "mod"), [(pygame.K_ESCAPE, 0), (pygame.K_RETURN, CTRL)])
def test_esc_and_ctrl_enter_leave_it(widgets: Widgets, area: Area, key: int, mod: int) -> None:
    made = area("text")
    press(widgets, key, mod=mod)
    assert not widgets.typing
    assert made.text == "text"


def test_the_caret_stays_in_sight_and_the_wheel_scrolls(
    widgets: Widgets, area: Area, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, surface = area("\n".join(str(number) for number in range(40))), pygame.Surface((300, 200))
    carets: list[pygame.Rect] = []
    monkeypatch.setattr(pygame.key, "set_text_input_rect", carets.append)
    press(widgets, pygame.K_HOME, mod=CTRL)
    made.draw(surface)
    first = carets[-1]
    for key, times in ((pygame.K_DOWN, 10), (pygame.K_UP, 3), (pygame.K_UP, 1)):
        press(widgets, *[key] * times)
        made.draw(surface)
    top, bottom = AREA.top + PADDING, AREA.bottom - PADDING
    assert [each.top for each in carets] == [top, bottom - LINE, top + 4, top]
    made.wheel(100)
    made.draw(surface)
    assert not AREA.contains(carets[-1]), "the wheel is not undone by the caret"
    made.press(first.center)
    assert made.caret == 0


def test_a_click_past_the_end_of_a_wrapped_line_stays_in_it(widgets: Widgets, area: Area) -> None:
    """The caret would stand at the beginning of the line below."""
    short = area("one\ntwo\n\nfour")
    for y, caret in ((0, 3), (19, 3), (20, 7), (39, 7), (40, 8), (60, 13), (79, 13), (99, 13)):
        short.press((AREA.right, AREA.top + PADDING + y))
        assert short.caret == caret
    made = area(LONG)
    rows = spans(widgets.display.theme, LONG, AREA.width - 2 * PADDING, 14)
    made.press((AREA.right, AREA.top + PADDING + (len(rows) - 2) * LINE))
    assert made.caret == rows[-2][1] - 1
    end = rows[0][1]
    made.press((AREA.right - PADDING, AREA.top + PADDING + LINE // 2))
    assert made.caret == end - 1
    made.press((AREA.right - PADDING, AREA.top + PADDING + LINE + LINE // 2))
    assert made.caret > end


def test_the_wheel_scrolls_by_lines_and_an_area_takes_over_from_another(widgets: Widgets, area: Area) -> None:
    made, surface = area("\n".join("abcdefghij")), pygame.Surface((300, 200))
    made.focused = False
    carets = []
    for notches in (-1, -2, 1, -99, 99):
        assert made.wheel(notches)
        made.draw(surface)
        made.press((AREA.left, AREA.top + PADDING))
        carets.append(made.caret // 2)
    assert carets == [1, 3, 2, 5, 0]
    made.select(2, 5)
    made.type_text("x")
    made.wheel(-2)
    other = TextArea(widgets.display.theme, AREA, "", 99, lambda _: None)
    other.resume(made)
    assert (other.text, other.caret) == (made.text, made.caret)
    other.draw(surface)
    other.press((AREA.left, AREA.top + PADDING))
    made.press((AREA.left, AREA.top + PADDING))
    assert other.caret == made.caret > 0
    other.key(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_z, mod=CTRL, unicode=""))
    assert other.text == "\n".join("abcdefghij")
