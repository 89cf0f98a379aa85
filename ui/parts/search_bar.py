"""The head of the library: the way back, the search line, the order and the filters."""

from __future__ import annotations

from functools import partial

import pygame

from ui.game.library_state import FILTERS, LibraryState
from ui.host import Host
from ui.part import Part
from ui.toolkit.i18n import t
from ui.toolkit.icons import icon
from ui.toolkit.keys import Binding
from ui.toolkit.layout import BUTTON, Space, columns
from ui.toolkit.menu import Menu
from ui.toolkit.text import fitted
from ui.toolkit.text_line import TextLine
from ui.toolkit.widgets import Widgets

_HEIGHT, _SORT, _NARROWEST_FILTER = 40, 168, 150  # design pixels
_LONGEST_SEARCH = 200  # characters


class SearchBar(Part):
    """Takes its room from the top; `back` takes its own from the left of the first row. In an empty library there is
    nothing to search."""

    def __init__(self, host: Host, widgets: Widgets, state: LibraryState, back: Part) -> None:
        self._host, self._widgets, self._state, self._back = host, widgets, state, back
        self._line: TextLine | None = None
        self.bindings = (Binding(("ctrl+f",), partial(setattr, widgets, "focus", "search"), "library.search"),)

    def shape(self) -> object:
        return self._state.games.total > 0, self._state.filter.choices

    def build(self, space: Space) -> None:
        px = self._host.theme.px
        row = Space(space.top(px(_HEIGHT)), 0)
        self._back.build(row)
        if not self._state.games.total:
            return
        row.gap = px(8)
        self._menu_button("sort", row.right(px(_SORT)))
        glass, place = icon("search", px(20), self._host.theme.palette.quiet), row.rest.move(px(4), 0)
        self._widgets.paint(lambda surface: surface.blit(glass, glass.get_rect(midleft=place.midleft)))
        room = row.rest.inflate(-px(34), 0)
        room.right = row.rest.right
        text, hint = self._state.filter.text, t("library.search_hint")
        line = TextLine(self._host.theme, room, text, _LONGEST_SEARCH, self._state.search, hint=hint)
        self._line = self._widgets.add("search", line)
        self._build_filters(space)

    def _build_filters(self, page: Space) -> None:
        """Make the filters in one row, or in two where they would be too narrow, and the button that clears them."""
        px = self._host.theme.px
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
            self._menu_button(name, cell, bool(self._state.filter.chosen[name]))
        wide_enough = last.width > px(BUTTON)
        text = t("library.clear") if wide_enough else ""
        self._widgets.button("clear", last, text, self._clear, style="@quiet", icon="close", tip=t("library.clear"))
        self.update(0.0)

    def _menu_button(self, name: str, rect: pygame.Rect, chosen: bool = False) -> None:
        theme = self._host.theme
        shown = fitted(theme, self._state.filter.label(name), rect.width - theme.px(52), 16)
        press = partial(self._open_menu, name, rect)
        self._widgets.button(name, rect, shown, press, style="@menu", chosen=chosen)

    def _open_menu(self, name: str, under: pygame.Rect) -> None:
        known = self._state.filter
        options = known.options(name, self._state.games.library.opponents())
        chosen = known.sort if name == "sort" else known.chosen[name]
        self._host.overlay = Menu(self._host, under, options, chosen, partial(self._choose, name))

    def _choose(self, name: str, value: str) -> None:
        self._state.filter.set(name, value)
        self._state.filtered()

    def _clear(self) -> None:
        self._state.filter.clear()
        self._state.filtered()
        if self._line is not None:
            self._line.set_text("")

    def update(self, now: float) -> None:
        if "clear" in self._widgets.elements:
            self._widgets.enable("clear", self._state.filter.active)
