"""The grid of cards: where each lies, how it scrolls by steps and by its bar, and what is under the pointer."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pygame
import pytest

from games.library.index import Entry
from games.registry import setup
from ui.app import App
from ui.parts.cards import Cards
from ui.toolkit.text_line import Selection


def grid(app: App, count: int, wide: int = 650, high: int = 300) -> Cards:
    """Cards that are 116 pixels high, 12 apart, in two columns of 312 pixels."""
    selection, thumbnails = Selection(), SimpleNamespace(picture=lambda _entry, _side: None)
    selection.ids = range(count)
    entries = {number: Entry(Path(f"{number}.tengen.json"), 0, 0, setup=setup("bones"), id=number, result="won")
               for number in range(count)}  # fmt: skip
    made = Cards(app, selection, entries, thumbnails)  # type: ignore[arg-type]
    made.place(pygame.Rect(100, 50, wide, high))
    return made


def test_cards_lie_in_as_many_columns_as_have_room(app: App) -> None:
    two = grid(app, 9)
    assert two.columns == 2
    assert [tuple(two.card(number)) for number in (0, 1, 2)] == [
        (100, 50, 312, 116), (424, 50, 312, 116), (100, 178, 312, 116),
    ]  # fmt: skip
    assert [grid(app, 9, wide).columns for wide in (200, 585, 586, 1048, 1049, 1397, 1398)] == [1, 1, 2, 2, 3, 3, 4]
    assert (two.page, grid(app, 9, high=100).page) == (4, 2)


def test_what_is_in_view_is_drawn_and_no_more(app: App) -> None:
    made = grid(app, 9)
    assert made.visible() == range(0, 6)
    for pixels, shown, top in ((128.0, range(2, 8), 128), (1.0, range(2, 8), 129), (9999.0, range(4, 9), 328)):
        made.scroll(pixels, motion=False)
        assert (made.visible(), round(made.top)) == (shown, top)
    assert made.card(4).top == 50 + 256 - 328
    made.scroll(-9999.0, motion=False)
    assert made.top == 0.0
    few = grid(app, 4)
    few.scroll(50.0, motion=False)
    assert (few.top, few.visible()) == (0.0, range(0, 4))


def test_a_card_is_revealed_as_far_as_needed(app: App) -> None:
    made = grid(app, 20)
    for index, top in ((3, 0), (4, 72), (5, 72), (3, 72), (1, 0), (19, 1152 + 116 - 300), (10, 640)):
        made.reveal(index, motion=False)
        assert made.top == top


def test_scrolling_glides_to_its_goal(app: App) -> None:
    made = grid(app, 20)
    made.update(10.0)
    made.scroll(200.0, motion=True)
    assert (made.top, made.moving) == (0.0, True)
    made.update(10.03)
    first = made.top
    assert first == pytest.approx(200 * (1 - math.exp(-0.03 / 0.055)))
    made.update(20.0)
    rest = (200 - first) * math.exp(-0.05 / 0.055)
    assert made.top == pytest.approx(200 - rest), "a late frame does not jump"
    for number in range(40):
        made.update(20.1 + number / 10)
    assert (made.top, made.moving) == (200.0, False)


def test_the_pointer_is_on_a_card_or_between(app: App) -> None:
    made = grid(app, 9)
    points = (100, 50), (411, 165), (412, 165), (424, 165), (100, 166), (100, 178), (99, 60), (100, 349), (100, 350)
    assert [made.index_at(point) for point in points] == [0, 0, None, 1, None, 2, None, 4, None]
    assert grid(app, 3).index_at((424, 180)) is None


def test_the_bar_is_dragged(app: App) -> None:
    made = grid(app, 20)
    handle: Any = made.scroll_handle()
    assert (handle.right, handle.top, handle.width) == (750, 50, 10)
    assert not made.press((handle.left - 1, 60))
    assert not made.press((handle.left, 351))
    assert made.press((handle.left, 60))
    made.release()
    assert not made.drag((745, 200))
    assert made.press((745, 55))
    assert made.top == 0.0, "held where it was taken"
    assert made.drag((745, 55 + (300 - handle.height) // 2))
    assert made.top == pytest.approx(968 / 2, abs=3)
    made.drag((745, 999))
    assert made.top == 968.0
    made.release()
    assert not made.drag((745, 60))
    assert made.press((745, 200)), "beside the handle it jumps there"
    middle = made.scroll_handle()
    assert middle is not None
    assert abs(middle.centery - 200) <= 1
    made.place(made.rect)
    assert not made.drag((745, 60)), "a new layout ends the drag"
    assert not grid(app, 4).press((745, 60))
