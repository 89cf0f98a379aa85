"""Sliders and lists by mouse and wheel; tests of scenes cover the keyboard."""

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


def test_a_list_scrolls_by_wheel_and_by_its_bar(widgets: Widgets) -> None:
    chosen: list[int] = []
    rows = [ListRow(f"row {number}") for number in range(MANY)]
    rect, theme = pygame.Rect(20, 60, 300, 300), widgets.display.theme
    made = widgets.add("l", ListView(theme, rect, rows, chosen.append, lambda _: None))
    widgets.update(0.0, made.rect.center)
    assert widgets.handle(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=-1))
    mouse(widgets, pygame.MOUSEBUTTONDOWN, made.row_rect(3).center)
    mouse(widgets, pygame.MOUSEBUTTONUP, made.row_rect(3).center)
    assert chosen == [3]
    assert made.row_rect(3).top < made.row_rect(4).top
    assert made.rect.contains(made.row_rect(3))
    assert not made.rect.contains(made.row_rect(2))
    mouse(widgets, pygame.MOUSEBUTTONDOWN, (made.rect.right - 6, made.rect.top + 10))
    mouse(widgets, pygame.MOUSEMOTION, (made.rect.right - 6, made.rect.bottom))
    mouse(widgets, pygame.MOUSEBUTTONUP, (made.rect.right - 6, made.rect.bottom))
    assert made.rect.contains(made.row_rect(MANY - 1))
    assert chosen == [3], "the bar chooses nothing"
    mouse(widgets, pygame.MOUSEBUTTONDOWN, (made.rect.right - 6, made.rect.centery))
    mouse(widgets, pygame.MOUSEBUTTONUP, (made.rect.right - 6, made.rect.centery))
    shown = [row for row in range(MANY) if made.rect.contains(made.row_rect(row))]
    assert abs(shown[0] + shown[-1] - MANY) <= 2, "the rows in the middle"
    surface = pygame.Surface((400, 400))
    made.draw(surface)


def test_two_clicks_open_a_row(widgets: Widgets, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0]
    monkeypatch.setattr(pygame.time, "get_ticks", lambda: now[0])
    opened: list[int] = []
    rows = [ListRow("a"), ListRow("b")]
    rect, theme = pygame.Rect(20, 60, 300, 300), widgets.display.theme
    made = widgets.add("l", ListView(theme, rect, rows, lambda _: None, opened.append))
    for pause, row in ((1000, 0), (1000, 0), (100, 1), (100, 1), (100, 1)):
        now[0] += pause
        mouse(widgets, pygame.MOUSEBUTTONDOWN, made.row_rect(row).center)
        mouse(widgets, pygame.MOUSEBUTTONUP, made.row_rect(row).center)
    assert opened == [1], "slow clicks, and a third one, open nothing"
