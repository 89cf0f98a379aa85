"""The game at the cursor of the library: its picture, its details, and renaming in place."""

from __future__ import annotations

import pygame

from games.library.rows import Entry
from ui.board.thumbnails import Thumbnails
from ui.game.library_state import LibraryState
from ui.host import Host
from ui.part import Part
from ui.parts.cards import draw_damaged
from ui.parts.game_details import HEIGHT, draw_details
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space
from ui.toolkit.text_line import TextLine
from ui.toolkit.widgets import Widgets
from ui.words.games import setup_name
from ui.words.library import given_name

_LONGEST_TITLE = 200  # characters


class LibraryDetails(Part):
    """While a game is renamed, a text line called ``name`` is in the place of its name."""

    def __init__(self, host: Host, widgets: Widgets, state: LibraryState, thumbnails: Thumbnails) -> None:
        self._host, self._widgets, self._state, self._thumbnails = host, widgets, state, thumbnails
        self._preview = self._details = pygame.Rect(0, 0, 0, 0)
        self._line: TextLine | None = None

    def shape(self) -> object:
        renaming = self._state.renaming
        return self._state.games.total > 0, renaming and renaming.path

    def build(self, space: Space) -> None:
        px, high = self._host.theme.px, self._host.theme.px(HEIGHT)
        side = min(space.rest.width, space.rest.height - high - space.gap)
        self._preview = pygame.Rect(0, 0, side, side)
        self._preview.midtop = space.top(side).midtop
        self._details = details = space.top(high)
        self._line = None
        if self._state.renaming is not None and self._state.games.total:
            self._build_line(pygame.Rect(details.left, details.top - px(8), details.width, px(32)))

    def _build_line(self, rect: pygame.Rect) -> None:
        hint, name = t("library.name_hint"), self._state.new_name
        line = TextLine(self._host.theme, rect, name, _LONGEST_TITLE, self._typed, self._rename, hint=hint)
        self._line = self._widgets.add("name", line)
        self._widgets.focus = "name"
        line.select(0, len(name))

    def _typed(self, text: str) -> None:
        self._state.new_name = text

    def _rename(self, title: str) -> None:
        if not self._state.rename(title):
            self._widgets.focus = "name"  # for another try

    def update(self, now: float) -> None:
        if self._line is not None and not self._line.focused:
            self._line = None
            self._state.end_rename()  # by Esc, or by a click elsewhere

    def draw(self, surface: pygame.Surface, now: float) -> None:
        theme, entry = self._host.theme, self._state.games.current()
        if entry is None:
            return
        picture = self._thumbnails.picture(entry, self._preview.width)
        if entry.problem is not None:
            draw_damaged(surface, theme, self._preview, theme.palette.panel)
        elif picture is not None:
            surface.blit(picture, self._preview)
        draw_details(surface, theme, self._details, entry, self._heading(entry))

    def _heading(self, entry: Entry) -> str:
        count = len(self._state.games.selection.chosen)
        if self._state.renaming is not None:
            return ""
        if count > 1:
            return t("library.selected", count=count)
        return given_name(entry) or (setup_name(entry.setup) if entry.setup else "")
