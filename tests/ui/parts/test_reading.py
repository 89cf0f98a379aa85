"""A text to read: its columns and pages, and how they are turned."""

from __future__ import annotations

import pygame

from tests.ui.stage import Make
from ui.app import App
from ui.parts.reading import Reading, ReadingEntry
from ui.toolkit.keys import run_binding
from ui.toolkit.space import Space
from ui.toolkit.typesetting import LINE
from ui.toolkit.widgets import Widgets


def test_a_text_fills_columns_and_pages_that_are_turned_one_by_one(app: App) -> None:
    """The first column has just room for a paragraph without a heading and two others, each next one for two."""
    entries = [ReadingEntry("", "first", "•"), *[ReadingEntry(f"head {number}", "text") for number in range(20)]]
    widgets = Widgets(app)
    topic = ["topic"]
    reading = Reading(app, widgets, lambda: topic[0], lambda: entries, 200)
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
    for notches, page in ((1, 0), (0, 0), (-1, 1), (-3, 2), (0, 2), (-1, 3), (-1, 4), (-1, 4), (2, 3), (1, 2)):
        assert reading.handle(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=notches))
        built()
        row = [widgets.buttons[name].enabled for name in ("previous", "next")]
        assert (reading.page, row) == (page, [page > 0, page < 4])
    assert not reading.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=(200, 60)))
    for key, page in ((pygame.K_PAGEDOWN, 3), (pygame.K_PAGEUP, 2), (pygame.K_LEFT, 1), (pygame.K_RIGHT, 2)):
        assert run_binding(reading.bindings, pygame.event.Event(pygame.KEYDOWN, key=key, mod=0, unicode=""))
        assert reading.page == page
    assert (reading.shape(), built()) == (("topic", 2), reading.pages)
    entries.append(ReadingEntry("", "more"))
    topic[0] = "another"
    built()
    assert reading.page == 0


def test_a_line_of_a_narrower_column_was_cut_off(stage: Make) -> None:
    """Columns may differ by a pixel."""
    made, text = stage(), "Most words of such a paragraph are short, so that now and then a line just fits. " * 9
    for wide in range(440, 470):
        reading = Reading(made.app, Widgets(made.app), lambda: "", lambda: [ReadingEntry("", text)] * 3, 100)
        reading.build(Space(pygame.Rect(0, 0, wide, 800), 0))
        reading.draw(made.app.surface, 0.0)
    assert made.cuts == []
