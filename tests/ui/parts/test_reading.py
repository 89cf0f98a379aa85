"""A text to read: its columns and pages, and how they are turned."""

from __future__ import annotations

import pygame

from ui.app import App
from ui.parts.reading import Reading, ReadingEntry
from ui.toolkit.space import Space
from ui.toolkit.typesetting import LINE
from ui.toolkit.widgets import Widgets


def test_a_text_fills_columns_and_pages_that_are_turned_one_by_one(app: App) -> None:
    """The first column has just room for a paragraph without a heading and two others, each next one for two."""
    entries = [ReadingEntry("", "first", "•"), *[ReadingEntry(f"head {number}", "text") for number in range(20)]]
    topic, widgets = ["a"], Widgets(app)
    reading = Reading(app, widgets, lambda: topic[0], lambda: entries, 200)
    high = 2 * 16 + (LINE + 10) + 2 * (24 + LINE + 10)

    def built(wide: int = 440) -> list[list[list[ReadingEntry]]]:
        widgets.clear()
        reading.build(Space(pygame.Rect(100, 50, wide, high), 0))
        reading.build_turning(Space(pygame.Rect(100, 500, 200, 36), 0))
        return reading.pages

    def turn(notches: int) -> int:
        assert reading.handle(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=notches))
        return reading.page

    assert built() == [[entries[0:3], entries[3:5]], *[[entries[at : at + 2], entries[at + 2 : at + 4]]
                                                     for at in range(5, 21, 4)]]  # fmt: skip
    assert [len(page) for page in built(439)] == [1] * 10
    built()
    seen = []
    for notches in (1, -1, -3, -1, -1, -1, 2, 1):
        seen.append(turn(notches))
        built()
        row = [widgets.buttons[name].enabled for name in ("previous", "next")]
        assert row == [reading.page > 0, reading.page < 4]
    assert seen == [0, 1, 2, 3, 4, 4, 3, 2]
    assert not reading.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=(200, 60)))
    assert (built(), reading.page, reading.shape()) == (reading.pages, 2, ("a", 2))
    entries[:] = entries[:3]
    built()
    assert reading.page == 0, "a shorter text has no third page"
    entries *= 4
    built()
    turn(-1)
    topic[0] = "b"
    built()
    assert reading.page == 0, "another text begins anew"
