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
    widgets = Widgets(app)
    reading = Reading(app, widgets, lambda: "topic", lambda: entries, 200)
    high = 2 * 16 + (LINE + 10) + 2 * (24 + LINE + 10)

    def built(wide: int = 440) -> list[list[list[ReadingEntry]]]:
        widgets.clear()
        reading.build(Space(pygame.Rect(100, 50, wide, high), 0))
        reading.build_turning(Space(pygame.Rect(100, 500, 200, 36), 0))
        return reading.pages

    later = [[entries[at : at + 2], entries[at + 2 : at + 4]] for at in range(5, 21, 4)]
    assert built() == [[entries[0:3], entries[3:5]], *later]
    assert [len(page) for page in built(439)] == [1] * 10
    built()
    for notches, page in ((1, 0), (-1, 1), (-3, 2), (-1, 3), (-1, 4), (-1, 4), (2, 3), (1, 2)):
        assert reading.handle(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=notches))
        built()
        row = [widgets.buttons[name].enabled for name in ("previous", "next")]
        assert (reading.page, row) == (page, [page > 0, page < 4])
    assert not reading.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=(200, 60)))
