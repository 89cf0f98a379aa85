"""Where everything is in the library: the line of search, the filters, the panel, and the line of a new name.

What they do is in `ui.scenes.library` and `ui.scenes.library_acts`.
"""

from __future__ import annotations

from functools import partial

import pygame

from ui.host import Host
from ui.panels.game_details import HEIGHT as DETAILS_HEIGHT
from ui.scenes.game import BUTTON
from ui.scenes.library_acts import LibraryActs
from ui.scenes.library_filter import FILTERS, LibraryFilter
from ui.toolkit.controls import Entry as TextLine
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space, columns
from ui.toolkit.menu import Menu
from ui.toolkit.text import fitted

_NARROWEST_FILTER = 150  # design pixels
_LONGEST_SEARCH = 200  # characters


class LibraryLayout(LibraryActs):
    """Makes the widgets; the subclass says what a search and a filter do."""

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.filter = LibraryFilter()
        self.total = 0  # games
        self.search: TextLine | None = None
        self.title: TextLine | None = None  # the new name that is being typed
        self._searching = self._left_name = False

    def _search_for(self, text: str) -> None:
        """Something was typed into the line of search."""

    def _filter(self, name: str, value: str) -> None:
        """Something was chosen in the menu of a filter."""

    def do_clear(self) -> None:
        """Takes all filters away."""

    def _build_search(self, head: pygame.Rect) -> None:
        px = self.host.theme.px
        line = Space(self.back_button(head), px(8))
        self._menu_button("sort", line.right(px(168)))
        self._glass = line.rest
        room = line.rest.inflate(-px(34), 0)
        room.right = line.rest.right
        self.search = self.widgets.entry(
            "search", room, self.filter.text, _LONGEST_SEARCH, self._search_for, hint=t("library.search_hint")
        )
        if self._searching:
            self._type_in(self.search)

    def _build_filters(self, page: Space) -> None:
        """The filters in one row, or in two where they would be too narrow; the last one clears them."""
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
        self.widgets.button("clear", last, text, self.do_clear, style="@quiet", icon="close", tip=t("library.clear"))

    def _menu_button(self, name: str, rect: pygame.Rect, chosen: bool = False) -> None:
        theme = self.host.theme
        shown = fitted(theme, self.filter.label(name), rect.width - theme.px(52), 16)
        press = partial(self._open_menu, name, rect)
        self.widgets.button(name, rect, shown, press, style="@menu", chosen=chosen)

    def _build_panel(self, space: Space) -> None:
        px = self.host.theme.px
        head = Space(space.top(px(36)), px(4))
        button = self.widgets.button
        for name, action, key in (
            ("home", self.host.go_home, ""), ("settings", self.do_settings, ""), ("keys", self.host.show_keys, "f1"),
        ):  # fmt: skip
            place, tip = head.right(px(36)), t(f"tip.{name}")
            button(name, place, "", action, style="@icon", icon=name, tip=tip, key=key)
        self.title_rect = head.rest
        if self.total == 0:
            self.preview_rect = self.details_rect = None
            new = pygame.Rect(0, 0, px(200), px(BUTTON + 4))
            new.midtop = self.cards.rect.centerx, self._empty_space().bottom
            button("new", new, t("home.new_game"), self.do_new, style="@primary", key="ctrl+n")
            return
        row = columns(space.bottom(px(BUTTON + 4)), 2, px(8))
        button("open", row[0], t("library.open"), self.do_open_game, style="@primary", key="return")
        button("continue", row[1], t("home.continue"), self.do_continue, key="ctrl+return")
        space.gap = px(10)
        row = columns(space.bottom(px(BUTTON)), 3, px(8))
        for place, name, action, key in (
            (row[0], "rename", self.do_rename, "f2"),
            (row[1], "export", self.do_export, "ctrl+e"),
            (row[2], "delete", self.do_delete, "delete"),
        ):
            button(name, place, t(f"library.{name}"), action, key=key, style="@danger" if name == "delete" else "")
        self.details_rect = space.bottom(px(DETAILS_HEIGHT))
        side = min(space.rest.size)
        self.preview_rect = pygame.Rect(0, 0, side, side)
        self.preview_rect.midtop = space.rest.midtop
        self._build_title()

    def _build_title(self) -> None:
        """The line in which a new name is typed, in place of the name."""
        self.title, self._left_name = None, False
        if self.renaming is None or self.details_rect is None:
            return
        px = self.host.theme.px
        rect = pygame.Rect(self.details_rect.left, self.details_rect.top - px(8), self.details_rect.width, px(32))
        self.title = self.widgets.entry("name", rect, self.new_name, _LONGEST_SEARCH, self._name_typed)
        self._type_in(self.title)
        self.title.select_range = [0, len(self.new_name)]

    def _name_typed(self, text: str) -> None:
        self.new_name = text

    def _open_menu(self, name: str, under: pygame.Rect) -> None:
        options = self.filter.options(name, self.opened().opponents())
        chosen = self.filter.sort if name == "sort" else self.filter.chosen[name]
        self.host.overlay = Menu(self.host, under, options, chosen, partial(self._filter, name))

    def _type_in(self, line: TextLine) -> None:
        self.host.manager.set_focus_set(line)
        line.edit_position = len(line.get_text())

    def _empty_space(self) -> pygame.Rect:
        """Where the sentences are that stand in place of games."""
        px, box = self.host.theme.px, self.cards.rect.inflate(-2 * self.host.theme.px(24), 0)
        return pygame.Rect(box.left, box.top + box.height // 3, box.width, px(120))
