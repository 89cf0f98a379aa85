"""The bar of win probability: its place, its way to a new value, and its picture."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pygame
import pytest

from ui.app import App
from ui.parts.win_bar import WinBar
from ui.toolkit.space import Space

BOARD: Any = SimpleNamespace(area=pygame.Rect(200, 100, 300, 300))


def bar(app: App, wins: float | None, wanted: bool = True) -> tuple[WinBar, Any]:
    known: Any = SimpleNamespace(wins=wins)
    return WinBar(app, "gomoku", BOARD, known, lambda: wanted), known


def test_the_bar_stands_left_of_the_board_and_leaves_room_for_its_ends(app: App) -> None:
    made, space = bar(app, 0.5)[0], Space(pygame.Rect(0, 0, 500, 400), 3)
    made.build(space)
    assert (space.rest, space.gap) == (pygame.Rect(32, 0, 468, 400), 3)
    assert made.rect == pygame.Rect(168, 128, 24, 244)
    unwanted, space = bar(app, 0.5, wanted=False)[0], Space(pygame.Rect(0, 0, 500, 400), 3)
    unwanted.build(space)
    assert (space.rest.left, unwanted.shape(), made.shape()) == (0, False, True)


def test_the_first_value_is_shown_at_once_and_others_are_approached(app: App) -> None:
    made, known = bar(app, None)
    made.update(10.0)
    assert (made.wins, made.wake(0.0)) == (None, None)
    known.wins = 0.8
    made.update(11.0)
    assert (made.shown, made.wake(0.0)) == (0.8, None)
    known.wins = 0.2
    made.update(12.0)
    assert made.shown == 0.2, "without motion at once"
    app.settings.motion = "on"
    known.wins = 0.8
    made.update(12.05)
    first = made.shown
    assert 0.2 < first < 0.8
    assert made.wake(0.0) == 0.0
    made.update(12.05)
    made.update(11.0)
    assert made.shown == first, "no time has passed"
    made.update(12.1)
    assert made.shown > first
    made.update(99.0)
    assert (made.shown, made.wake(0.0)) == (0.8, None)


@pytest.mark.parametrize(("pixel", "wanted", "said"), [
    ((180, 110), True, True), ((180, 110), False, False), ((195, 110), True, False), ((180, 99), True, False),
])  # fmt: skip
def test_what_is_pointed_at_is_told_in_words(
    app: App, monkeypatch: pytest.MonkeyPatch, pixel: tuple[int, int], wanted: bool, said: bool
) -> None:
    monkeypatch.setattr(pygame.mouse, "get_pos", lambda: pixel)
    made, _ = bar(app, 0.61, wanted)
    assert made.hint() == "", "before the first update"
    made.update(0.0)
    assert made.hint() == ("Win probability: Black 61 %, White 39 %" if said else "")
