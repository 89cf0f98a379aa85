"""The head of the library's side panel: its title, import, settings and keys."""

from __future__ import annotations

import pygame

from ui.game.library_state import LibraryState
from ui.host import Content, Host
from ui.part import Part
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space
from ui.toolkit.menu import Menu
from ui.toolkit.text import width_of, write
from ui.toolkit.widgets import Widgets

_HEIGHT = 36  # design pixels


class LibraryHead(Part):
    """The settings lead back to `owner`. An empty library has its button for import elsewhere."""

    bindings = (Binding(("ctrl+i",), "do_import", "library.import"),)

    def __init__(self, host: Host, widgets: Widgets, state: LibraryState, owner: Content) -> None:
        self._host, self._widgets, self._state, self._owner = host, widgets, state, owner
        self._title = pygame.Rect(0, 0, 0, 0)

    def shape(self) -> object:
        return self._state.games.total > 0

    def build(self, space: Space) -> None:
        px, button = self._host.theme.px, self._widgets.button
        row = Space(space.top(px(_HEIGHT)), px(4))
        for name, action, key in (("settings", self._settings, ""), ("keys", self._host.show_keys, "f1")):
            place, tip = row.right(px(_HEIGHT)), t(f"tip.{name}")
            button(name, place, "", action, style="@icon", icon=name, tip=tip, key=key)
        if self._state.games.total:
            text = t("library.import")
            place = row.right(width_of(self._host.theme, text, 16) + px(54))
            button("import", place, text, self.do_import, icon="import", key="ctrl+i")
        self._title = row.rest

    def draw(self, surface: pygame.Surface, now: float) -> None:
        write(surface, self._host.theme, t("library.title"), self._title, 20, bold=True)

    def do_import(self) -> None:
        """Ask whether a file or a folder is to be imported."""
        options = [(kind, t(f"library.import.{kind}")) for kind in ("file", "folder")]
        under = self._widgets.elements["import"].rect
        self._host.overlay = Menu(self._host, under, options, "", self._state.files.ask_import)

    def _settings(self) -> None:
        self._host.open("settings", back=self._owner)
