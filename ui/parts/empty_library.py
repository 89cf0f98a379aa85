"""What stands in the place of the cards of the library where there are none."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pygame

from ui.game.library_state import LibraryState
from ui.host import Host
from ui.part import Part
from ui.toolkit.i18n import t
from ui.toolkit.layout import BUTTON, Space, columns
from ui.toolkit.text import wrapped, write
from ui.toolkit.widgets import Widgets

_MARGIN, _HINT, _BUTTONS, _WIDEST = 24, 120, 360, 520
"""Design pixels: room at the sides, height of the hint, width of its buttons, greatest width of its text."""


class EmptyLibrary(Part):
    """A hint; where there is no game at all, with buttons to begin one and to `import_games`."""

    def __init__(self, host: Host, widgets: Widgets, state: LibraryState, import_games: Callable[[], object]) -> None:
        self._host, self._widgets, self._state, self._import = host, widgets, state, import_games
        self._rect = pygame.Rect(0, 0, 0, 0)

    def build(self, space: Space) -> None:
        px, box = self._host.theme.px, space.rest.inflate(-2 * self._host.theme.px(_MARGIN), 0)
        self._rect = pygame.Rect(box.left, box.top + box.height // 3, box.width, px(_HINT))
        if self._state.games.total:
            return
        place = pygame.Rect(0, 0, min(px(_BUTTONS), box.width), px(BUTTON + 4))
        place.midtop = self._rect.midbottom
        new, other = columns(place, 2, px(8))
        button, begin = self._widgets.button, partial(self._host.open, "setup")
        button("new", new, t("home.new_game"), begin, style="@primary", key="ctrl+n")
        button("import", other, t("library.import"), self._import, icon="import", key="ctrl+i")

    def draw(self, surface: pygame.Surface, now: float) -> None:
        games, theme, px = self._state.games, self._host.theme, self._host.theme.px
        if games.selection.ids:
            return
        kind = "none_found" if games.total else "reading_first" if games.busy else "empty"
        space = Space(self._rect, px(8))
        write(surface, theme, t(f"library.{kind}"), space.top(px(30)), 20, bold=True, align="centre")
        for line in wrapped(theme, t(f"library.{kind}.hint"), min(self._rect.width, px(_WIDEST)), 16):
            write(surface, theme, line, space.top(px(20)), 16, theme.palette.quiet, align="centre")
