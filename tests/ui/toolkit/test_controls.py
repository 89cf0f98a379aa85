"""Sliders and lists by mouse, wheel and keyboard, and what a screen reader is told of them."""

from __future__ import annotations

import pygame
import pytest

from tests.ui.stage import Make
from ui.toolkit.controls import ListRow, ListView, Slider
from ui.toolkit.widgets import Widgets

RECT = pygame.Rect(20, 20, 224, 24)
MANY = 100


@pytest.fixture
def widgets(stage: Make) -> Widgets:
    made = stage().app.scene.widgets
    made.clear()
    return made


def mouse(widgets: Widgets, kind: int, point: tuple[int, int]) -> bool:
    return widgets.handle(pygame.event.Event(kind, button=1, pos=point))


def test_a_slider_is_dragged_from_where_it_was_taken(widgets: Widgets) -> None:
    told: list[tuple[int, bool]] = []
    slider = Slider(widgets.display.theme, RECT, 50, 100, lambda value: told.append((value, slider.held)))
    widgets.add("s", slider)
    middle = slider.knob.centerx
    mouse(widgets, pygame.MOUSEBUTTONDOWN, (middle + 5, 30))
    assert told == [], "taken, not moved"
    mouse(widgets, pygame.MOUSEMOTION, (middle + 25, 30))
    mouse(widgets, pygame.MOUSEMOTION, (5000, 300))
    mouse(widgets, pygame.MOUSEBUTTONUP, (5000, 300))
    assert told == [(60, True), (100, True), (100, False)], "what waits for the hand is done in the end"
    mouse(widgets, pygame.MOUSEMOTION, (RECT.left, 30))
    assert slider.value == 100


def test_a_slider_under_something_else_is_no_longer_held(widgets: Widgets) -> None:
    """The button may go up over the dialog that has opened."""
    slider = widgets.add("s", Slider(widgets.display.theme, RECT, 50, 100, lambda _: None))
    mouse(widgets, pygame.MOUSEBUTTONDOWN, slider.knob.center)
    assert slider.held
    widgets.update(0.0, None)
    assert not slider.held
    mouse(widgets, pygame.MOUSEMOTION, (RECT.left, 30))
    assert slider.value == 50


def test_two_clicks_open_a_row(widgets: Widgets, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0]
    monkeypatch.setattr(pygame.time, "get_ticks", lambda: now[0])
    opened: list[int] = []
    rows = [ListRow("a"), ListRow("b")]
    rect, theme = pygame.Rect(20, 60, 300, 300), widgets.display.theme
    made = widgets.add("l", ListView(theme, rect, rows, lambda _: None, opened.append))
    for pause, row in ((1000, 0), (400, 0), (100, 1), (399, 1), (100, 1)):
        now[0] += pause
        mouse(widgets, pygame.MOUSEBUTTONDOWN, made.row_rect(row).center)
        mouse(widgets, pygame.MOUSEBUTTONUP, made.row_rect(row).center)
    assert opened == [1], "slow clicks, and a third one, open nothing"


@pytest.mark.parametrize(
    ("x", "value"), [(20, 0), (32, 0), (33, 0), (34, 1), (82, 25), (120, 50), (143, 50), (144, 56), (243, 100)]
)
def test_a_slider_goes_where_it_is_pressed_but_not_where_its_knob_is(widgets: Widgets, x: int, value: int) -> None:
    slider = widgets.add("s", Slider(widgets.display.theme, RECT, 50, 100, lambda _: None))
    assert slider.knob == (120, 20, 24, 24)
    mouse(widgets, pygame.MOUSEBUTTONDOWN, (x, 30))
    assert slider.value == value
    assert slider.knob == (20 + 2 * value, 20, 24, 24)


def test_a_slider_moves_by_arrows_in_strides_within_its_range(widgets: Widgets) -> None:
    told: list[int] = []
    slider = widgets.add("s", Slider(widgets.display.theme, RECT, 3, 12, told.append, 5))
    used = [slider.key(key(each)) for each in (pygame.K_RIGHT, pygame.K_RIGHT, pygame.K_LEFT, pygame.K_UP)]
    assert (used, told) == ([True, True, True, False], [8, 12, 7])
    slider.value = 0
    assert slider.key(key(pygame.K_LEFT))
    assert told == [8, 12, 7]
    single = Slider(widgets.display.theme, RECT, 0, 9, told.append)
    assert (single.key(key(pygame.K_RIGHT)), single.value) == (True, 1)
    assert Slider(widgets.display.theme, RECT, 0, 0, told.append).knob == (20, 20, 24, 24)
    assert slider.accessible("s").number == (0, 12)


def key(code: int) -> pygame.event.Event:
    return pygame.event.Event(pygame.KEYDOWN, key=code, mod=0, unicode="")


@pytest.mark.parametrize(("rows", "wide"), [(9, 292), (10, 280)])
def test_a_list_has_whole_rows_and_room_for_a_bar_where_there_are_more(widgets: Widgets, rows: int, wide: int) -> None:
    made = ListView(widgets.display.theme, pygame.Rect(20, 60, 300, 300), [ListRow("")] * rows, print, print)
    assert (made.fits, made.rect) == (9, (20, 60, 300, 296))
    assert [made.row_rect(row) for row in (0, 8)] == [(24, 64, wide, 32), (24, 320, wide, 32)]
    assert ListView(widgets.display.theme, pygame.Rect(0, 0, 9, 9), (), print, print).fits == 1


def test_a_list_is_gone_through_by_keys(widgets: Widgets) -> None:
    chosen, opened = list[int](), list[int]()
    rect, rows = pygame.Rect(20, 60, 300, 300), [ListRow(f"row {number}", "note") for number in range(MANY)]
    made = ListView(widgets.display.theme, rect, rows, chosen.append, opened.append)
    keys = (pygame.K_RETURN, pygame.K_DOWN, pygame.K_PAGEDOWN, pygame.K_DOWN, pygame.K_PAGEDOWN, pygame.K_UP,
            pygame.K_END, pygame.K_DOWN, pygame.K_PAGEUP, pygame.K_KP_ENTER, pygame.K_LEFT, pygame.K_HOME,
            pygame.K_UP)  # fmt: skip
    used = [made.key(key(each)) for each in keys]
    assert (used.count(False), used[0], used[10]) == (2, False, False)
    assert (chosen, opened) == ([0, 8, 9, 17, 16, 99, 99, 91, 0, 0], [91])
    tops = []
    for row in (8, 9, 17, 16, 10, 9, 8, 0):
        made.step_to(row)
        tops.append((row, made.row_rect(row).top))
    assert tops == [(8, 320), (9, 320), (17, 320), (16, 288), (10, 96), (9, 64), (8, 64), (0, 64)]
    made.show([])
    made.step_to(3)
    assert (made.at, made.key(key(pygame.K_RETURN))) == (None, False)
    fresh = ListView(widgets.display.theme, rect, rows, chosen.append, opened.append)
    fresh.key(key(pygame.K_PAGEDOWN))
    assert (fresh.at, chosen[-1]) == (7, 7), "as from the row before the first"


def test_the_wheel_turns_three_rows_and_the_bar_goes_to_where_it_is_pressed(widgets: Widgets) -> None:
    made = ListView(widgets.display.theme, pygame.Rect(20, 60, 300, 300), [ListRow("")] * MANY, print, print)
    made.drag((315, 356))  # nothing, since nothing was pressed
    seen = []
    for notches in (-1, -2, 1, 5, -99):
        assert made.wheel(notches)
        seen.append(made.accessible("l").children[0].key)
    assert seen == ["l.3", "l.9", "l.6", "l.0", "l.91"]
    for y, first in ((60, 0), (60 + 148, 46), (60 + 74, 20), (356, 91)):
        made.press((315, y))
        assert made.accessible("l").children[0].key == f"l.{first}"
    made.press(made.row_rect(93).center)
    made.drag((315, 60))
    assert made.accessible("l").children[0].key == "l.91", "a row is no bar"


def test_a_list_is_read_row_by_row(widgets: Widgets) -> None:
    rows = [ListRow("a", "note"), ListRow("b"), *[ListRow("c")] * 9]
    made = ListView(widgets.display.theme, pygame.Rect(20, 60, 300, 300), rows, print, print)
    made.focused, made.at = True, 1
    tree = made.accessible("l")
    assert [(each.name, each.chosen, each.focused, each.click) for each in tree.children[:2]] == [
        ("a note", False, False, True), ("b", True, True, True),
    ]  # fmt: skip
    assert (len(tree.children), tree.children[1].rect, tree.focused, tree.click) == (9, (24, 96, 280, 32), False, False)
    made.wheel(-1)
    assert made.accessible("l").focused, "where its row is out of sight"


@pytest.mark.parametrize(("style", "chosen", "role", "told"), [
    ("", False, "button", None), ("", True, "button", True), ("@choice", False, "radio", False),
    ("@choice", True, "radio", True),
])  # fmt: skip
def test_a_button_is_pressed_by_keys_and_read_with_its_choice(
    widgets: Widgets, style: str, chosen: bool, role: str, told: bool | None
) -> None:
    done: list[int] = []
    made = widgets.button("b", RECT, "Text", lambda: done.append(1), style=style, chosen=chosen, tip="Tip")
    made.enabled = False
    found = made.accessible("b")
    assert (found.role, found.name, found.about, found.chosen) == (role, "Text", "Tip", told)
    assert (found.enabled, found.focused, found.click) == (False, False, True)
    codes = (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE, pygame.K_a)
    assert [made.key(key(code)) for code in codes] == [True, True, True, False]
    assert len(done) == 3
