"""The screen of the terms of the lessons, and of what to read after them."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import pygame

from ui import screens
from ui.learn.lesson_state import lessons
from ui.parts.header import Header
from ui.toolkit.art import rounded
from ui.toolkit.i18n import language, t
from ui.toolkit.keys import Binding
from ui.toolkit.space import Space, columns
from ui.toolkit.typesetting import LINE, wrapped, write
from ui.toolkit.widgets import Widgets
from ui.window.host import Content, Host
from ui.window.part import Part
from ui.window.screen import Screen

# What a reader of the lessons looks up: the terms, each with the lesson that explains it, and what to read next.


TERMS, REFERENCES = "terms", "references"


class ReadingEntry(NamedTuple):
    """A `head` that stands out, and what is said of it."""

    head: str
    text: str


def entries(kind: str, lesson: str = "") -> list[ReadingEntry]:
    """Return the `TERMS` or the `REFERENCES` of a lesson, or of all, in the chosen language."""
    wanted = [(number, each) for number, each in enumerate(lessons(language()), 1) if lesson in ("", each.key)]
    if kind == TERMS:
        return [ReadingEntry(term.name, f"{term.meaning} ({number})") for number, each in wanted for term in each.terms]
    return [
        ReadingEntry("" if place else f"{number}  {each.title}", text)
        for number, each in wanted for place, text in enumerate(each.references)
    ]  # fmt: skip


# The terms of the lessons, or what to read after them, in two columns and as many pages as they need.


_HEAD, _APART, _BUTTON, _COLUMN = 24, 10, 36, 270  # design pixels


class ReadingState:
    """Which `kind` of entries is shown, of which `lesson`, "" for all, and which page."""

    def __init__(self, kind: str, lesson: str) -> None:
        self.kind, self.lesson, self.page = kind, lesson, 0

    def choose(self, kind: str) -> None:
        """Show the first page of another kind of reading."""
        self.kind, self.page = kind, 0


class Reading(Part):
    """The page of `state`."""

    def __init__(self, host: Host, widgets: Widgets, state: ReadingState) -> None:
        self._host, self._widgets, self._state = host, widgets, state
        self.pages: list[list[list[ReadingEntry]]] = []
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

    def _laid_out(self) -> list[list[list[ReadingEntry]]]:
        """Columns are filled one after the other."""
        filled: list[list[ReadingEntry]] = [[]]
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

    def _lines(self, entry: ReadingEntry) -> tuple[str, ...]:
        return wrapped(self._host.theme, entry.text, self._columns[0].width, 14)

    def _high(self, entry: ReadingEntry) -> int:
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


class ReadingScreen(Screen):
    """Entries of a `kind`, of the `lesson` with this key, or of all."""

    name = "reading"

    def __init__(self, host: Host, kind: str = TERMS, lesson: str = "", back: Content | None = None) -> None:
        super().__init__(host, back)
        self.state = state = ReadingState(kind, lesson)
        self._header = Header(host, self.widgets, lambda: t("reading.title"), self._leave, back, owner=self)
        self.reading = Reading(host, self.widgets, state)
        self._choice = ReadingChoice(host, self.widgets, state)
        self.parts = [self.reading, self._choice, self._header]

    def _leave(self) -> None:
        if self.back is None:
            self.host.open(screens.lessons)
        else:
            self.go_back()

    def build(self, space: Space) -> None:
        self._header.build(self.frame.side)
        self._choice.build(self.frame.side)
        self.reading.build(space)
        self.reading.build_turning(self.frame.side)
