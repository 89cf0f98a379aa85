"""The terms of the lessons, or what to read after them, in two columns and as many pages as they need."""

from __future__ import annotations

from functools import partial

import pygame

from ui.game.reading import REFERENCES, TERMS, Entry, entries
from ui.host import Host
from ui.part import Part
from ui.toolkit.box_art import rounded
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space, columns
from ui.toolkit.text import LINE, wrapped, write
from ui.toolkit.widgets import Widgets

_HEAD, _APART, _BUTTON, _COLUMN = 24, 10, 36, 270  # design pixels


class ReadingState:
    """Which `kind` of entries is shown, of which `lesson`, "" for all, and which page."""

    def __init__(self, kind: str, lesson: str) -> None:
        self.kind, self.lesson, self.page = kind, lesson, 0

    def choose(self, kind: str) -> None:
        self.kind, self.page = kind, 0


class Reading(Part):
    """The page of `state`."""

    def __init__(self, host: Host, widgets: Widgets, state: ReadingState) -> None:
        self._host, self._widgets, self._state = host, widgets, state
        self.pages: list[list[list[Entry]]] = []
        """Columns of entries."""
        self.bindings = (
            Binding(("pagedown", "right", "n"), partial(self._turn, 1), "lesson.next"),
            Binding(("pageup", "left", "b"), partial(self._turn, -1), "lesson.previous"),
        )

    def shape(self) -> object:
        return self._state.kind, self._state.page

    def _turn(self, by: int) -> None:
        self._state.page = max(0, min(self._state.page + by, len(self.pages) - 1))

    def build(self, space: Space) -> None:
        px, state = self._host.theme.px, self._state
        self._rect = space.rest
        inside = self._rect.inflate(-2 * px(20), -2 * px(16))
        self._columns = columns(inside, max(1, inside.width // px(_COLUMN)), px(28))
        self.pages = self._laid_out()
        state.page = min(state.page, len(self.pages) - 1)

    def build_turning(self, space: Space) -> None:
        """The row that turns the pages."""
        px, state = self._host.theme.px, self._state
        row = Space(space.bottom(px(_BUTTON)), px(8))
        back, on = row.left(px(48)), row.right(px(48))
        forth, previous = self.bindings
        self._widgets.button("previous", back, "", previous, icon="back", enabled=state.page > 0)
        self._widgets.button("next", on, "", forth, icon="forward", enabled=state.page < len(self.pages) - 1)
        text = f"{state.page + 1} / {len(self.pages)}"
        self._widgets.label(row.rest, text, 14, self._host.theme.palette.quiet, align="centre")

    def _laid_out(self) -> list[list[list[Entry]]]:
        """Columns are filled one after the other."""
        filled: list[list[Entry]] = [[]]
        room = self._columns[0].height
        for entry in entries(self._state.kind, self._state.lesson):
            high = self._high(entry)
            if high > room and filled[-1]:
                filled.append([])
                room = self._columns[0].height
            filled[-1].append(entry)
            room -= high
        step = len(self._columns)
        return [filled[first : first + step] for first in range(0, len(filled), step)]

    def _lines(self, entry: Entry) -> tuple[str, ...]:
        return wrapped(self._host.theme, entry.text, self._columns[0].width, 14)

    def _high(self, entry: Entry) -> int:
        px = self._host.theme.px
        return (px(_HEAD) if entry.head else 0) + len(self._lines(entry)) * px(LINE) + px(_APART)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        theme, px = self._host.theme, self._host.theme.px
        rounded(surface, self._rect, theme.palette.panel, px(8), theme.palette.line)
        for column, shown in zip(self._columns, self.pages[self._state.page], strict=False):
            space = Space(column, 0)
            for entry in shown:
                if entry.head:
                    write(surface, theme, entry.head, space.top(px(_HEAD)), 16, theme.palette.accent, bold=True)
                for line in self._lines(entry):
                    write(surface, theme, line, space.top(px(LINE)), 14)
                space.top(px(_APART))

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEWHEEL:
            self._turn(-1 if event.y > 0 else 1)
            return True
        return False


class ReadingChoice(Part):
    """Terms or references."""

    def __init__(self, host: Host, widgets: Widgets, state: ReadingState) -> None:
        self._host, self._widgets, self._state = host, widgets, state

    def shape(self) -> object:
        return self._state.kind

    def build(self, space: Space) -> None:
        options = [(kind, t(f"reading.{kind}")) for kind in (TERMS, REFERENCES)]
        place = space.top(self._host.theme.px(_BUTTON))
        self._widgets.choice("kind", place, options, self._state.kind, self._state.choose, gap=4)
        about = t(f"reading.{self._state.kind}.about")
        self._widgets.paragraph(space.top(6 * self._host.theme.px(LINE)), about, most=6)
