"""Text to read, in columns and on as many pages as it needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import pygame

from ui.toolkit.art import rounded
from ui.toolkit.keys import Binding
from ui.toolkit.space import Space, columns
from ui.toolkit.typesetting import LINE, width_of, wrapped, write
from ui.toolkit.widgets import Widgets
from ui.window.host import Host
from ui.window.part import Part

_HEAD, _APART, _BUTTON = 24, 10, 36  # design pixels


class ReadingEntry(NamedTuple):
    """A paragraph: a heading `head`, which may be empty, and `text`; `sign` is a list mark at the left of the text."""

    head: str
    text: str
    sign: str = ""


class Reading(Part):
    """Shows one page of the `entries`, in columns from `column` to `widest` design pixels wide, in letters of a `size`.
    Keys and the mouse wheel turn the pages. `topic` identifies the text: when it changes, the first page is shown."""

    def __init__(
        self, host: Host, widgets: Widgets, topic: Callable[[], object], entries: Callable[[], Sequence[ReadingEntry]],
        column: int, widest: int = 10_000, size: int = 14,
    ) -> None:  # fmt: skip
        self._host, self._widgets = host, widgets
        self._topic, self._entries = topic, entries
        self._column, self._widest, self._size = column, widest, size
        self._read: object = None  # the topic of `page`
        self.page = 0
        self.pages: list[list[list[ReadingEntry]]] = []
        """Columns of entries."""
        self.bindings = (
            Binding(("pagedown", "right", "n"), partial(self._turn_pages, 1), "lesson.next"),
            Binding(("pageup", "left", "b"), partial(self._turn_pages, -1), "lesson.previous"),
        )

    def shape(self) -> object:
        """What the layout depends on: the text and the page that is shown."""
        return self._topic(), self.page

    def _turn_pages(self, by: int) -> None:
        """Turn `by` pages forward, or back if negative, up to the first or last one."""
        self.page = max(0, min(self.page + by, len(self.pages) - 1))

    def build(self, space: Space) -> None:
        """Take all the space, split the text into columns and pages, and show the first page of another text."""
        px = self._host.theme.px
        self._rect = space.rest
        inside = self._rect.inflate(-2 * px(20), -2 * px(16))
        count = max(1, inside.width // px(self._column))
        inside.width = min(inside.width, count * px(self._widest))
        self._columns = columns(inside, count, px(28))
        self.pages = self._split_into_pages()
        self.page = min(self.page, len(self.pages) - 1) if self._read == self._topic() else 0
        self._read = self._topic()

    def build_turning(self, space: Space) -> None:
        """Take a row at the bottom for the buttons that turn the pages, and the page number."""
        px = self._host.theme.px
        row = Space(space.bottom(px(_BUTTON)), px(8))
        back, on = row.left(px(48)), row.right(px(48))
        forth, previous = self.bindings
        self._widgets.button("previous", back, "", previous, icon="back", enabled=self.page > 0)
        self._widgets.button("next", on, "", forth, icon="forward", enabled=self.page < len(self.pages) - 1)
        text = f"{self.page + 1} / {len(self.pages)}"
        self._widgets.label(row.rest, text, 14, self._host.theme.palette.quiet, align="centre")

    def _split_into_pages(self) -> list[list[list[ReadingEntry]]]:
        """Fill one column after the other. Return the pages, each a list of its columns of entries."""
        filled: list[list[ReadingEntry]] = [[]]
        room = self._columns[0].height
        for entry in self._entries():
            high = self._entry_height(entry)
            if high > room and filled[-1]:
                filled.append([])
                room = self._columns[0].height
            filled[-1].append(entry)
            room -= high
        step = len(self._columns)
        return [filled[first : first + step] for first in range(0, len(filled), step)]

    def _indent(self, entry: ReadingEntry) -> int:
        """The width in pixels that the sign takes at the left of the text."""
        theme = self._host.theme
        return width_of(theme, entry.sign, self._size) + theme.px(8) if entry.sign else 0

    def _text_lines(self, entry: ReadingEntry) -> tuple[str, ...]:
        """The text of an entry, wrapped into lines."""
        narrowest = min(column.width for column in self._columns)
        return wrapped(self._host.theme, entry.text, narrowest - self._indent(entry), self._size)

    def _entry_height(self, entry: ReadingEntry) -> int:
        """The height of an entry in pixels."""
        px = self._host.theme.px
        return (px(_HEAD) if entry.head else 0) + len(self._text_lines(entry)) * px(LINE) + px(_APART)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw a panel and on it the entries of the page."""
        theme, px = self._host.theme, self._host.theme.px
        rounded(surface, self._rect, theme.palette.panel, px(8), theme.palette.line)
        for column, shown in zip(self._columns, self.pages[self.page], strict=False):
            space = Space(column)
            for entry in shown:
                self._draw_entry(surface, space, entry)

    def _draw_entry(self, surface: pygame.Surface, space: Space, entry: ReadingEntry) -> None:
        """Draw the heading of an entry, if any, and its text, with its sign before the first line."""
        theme, px, indent = self._host.theme, self._host.theme.px, self._indent(entry)
        if entry.head:
            write(surface, theme, entry.head, space.top(px(_HEAD)), self._size + 2, theme.palette.accent, bold=True)
        for number, line in enumerate(self._text_lines(entry)):
            row = Space(space.top(px(LINE)))
            sign = row.left(indent)
            if entry.sign and not number:
                write(surface, theme, entry.sign, sign, self._size, theme.palette.quiet)
            write(surface, theme, line, row.rest, self._size)
        space.top(px(_APART))

    def handle(self, event: pygame.event.Event) -> bool:
        """Turn a page with each movement of the mouse wheel, wherever the mouse is, but not with one to the side; keys
        are bindings."""
        if event.type != pygame.MOUSEWHEEL:
            return False
        self._turn_pages((event.y < 0) - (event.y > 0))
        return True
