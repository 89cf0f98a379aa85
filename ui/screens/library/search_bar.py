"""The head of the library: the search line, the order and the filters."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import pygame

from ui.host import Host
from ui.screens.library.filter import FILTERS, LibraryFilter
from ui.toolkit.i18n import t
from ui.toolkit.icons import icon
from ui.toolkit.layout import BUTTON, Space, columns
from ui.toolkit.menu import Menu
from ui.toolkit.text import fitted
from ui.toolkit.text_line import TextLine
from ui.toolkit.widgets import Widgets

_NARROWEST_FILTER = 150  # design pixels
_LONGEST_SEARCH = 200  # characters


class SearchBar:
    """Changes `filter`; `typed` is called after a change of the text, `chosen` after any other."""

    def __init__(
        self, host: Host, widgets: Widgets, opponents: Callable[[], Iterable[tuple[str, str]]],
        typed: Callable[[], object], chosen: Callable[[], object],
    ) -> None:  # fmt: skip
        self.host, self.widgets = host, widgets
        self.filter = LibraryFilter()
        self._opponents, self._typed, self._chosen = opponents, typed, chosen

    def build(self, head: pygame.Rect, page: Space) -> None:
        """Make the search line in `head`, and the filters at the top of `page`."""
        px = self.host.theme.px
        line = Space(head, px(8))
        self._menu_button("sort", line.right(px(168)))
        self._glass = line.rest
        room = line.rest.inflate(-px(34), 0)
        room.right = line.rest.right
        hint = t("library.search_hint")
        words = TextLine(self.host.theme, room, self.filter.text, _LONGEST_SEARCH, self.search, hint=hint)
        self.widgets.add("search", words)
        self._build_filters(page)

    def _build_filters(self, page: Space) -> None:
        """Make the filters in one row, or in two where they would be too narrow, and the button that clears them."""
        px = self.host.theme.px
        wide = page.rest.width - px(BUTTON + 8)
        if wide // len(FILTERS) >= px(_NARROWEST_FILTER):
            row = page.top(px(BUTTON))
            cells = columns(pygame.Rect(row.left, row.top, wide, row.height), len(FILTERS), px(8))
            last = pygame.Rect(row.right - px(BUTTON), row.top, px(BUTTON), px(BUTTON))
        else:
            page.gap, gap = px(8), page.gap
            cells = [cell for _ in range(2) for cell in columns(page.top(px(BUTTON)), 3, px(8))]
            page.gap = gap
            last = cells.pop()
        for name, cell in zip(FILTERS, cells, strict=True):
            self._menu_button(name, cell, bool(self.filter.chosen[name]))
        wide_enough = last.width > px(BUTTON)
        text = t("library.clear") if wide_enough else ""
        self.widgets.button("clear", last, text, self.clear, style="@quiet", icon="close", tip=t("library.clear"))

    def _menu_button(self, name: str, rect: pygame.Rect, chosen: bool = False) -> None:
        theme = self.host.theme
        shown = fitted(theme, self.filter.label(name), rect.width - theme.px(52), 16)
        press = partial(self._open_menu, name, rect)
        self.widgets.button(name, rect, shown, press, style="@menu", chosen=chosen)

    def _open_menu(self, name: str, under: pygame.Rect) -> None:
        options = self.filter.options(name, self._opponents())
        chosen = self.filter.sort if name == "sort" else self.filter.chosen[name]
        self.host.overlay = Menu(self.host, under, options, chosen, partial(self._choose, name))

    def _choose(self, name: str, value: str) -> None:
        self.filter.set(name, value)
        self._chosen()

    def clear(self) -> None:
        self.filter.clear()
        self._chosen()

    def search(self, text: str) -> None:
        if text != self.filter.text:
            self.filter.text = text
            self._typed()

    def focus(self) -> None:
        self.widgets.focus = "search"

    def update(self) -> None:
        self.widgets.enable("clear", self.filter.active)

    def draw(self, surface: pygame.Surface) -> None:
        px = self.host.theme.px
        glass = icon("search", px(20), self.host.theme.palette.quiet)
        surface.blit(glass, glass.get_rect(left=self._glass.left + px(4), centery=self._glass.centery))
