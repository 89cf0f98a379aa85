"""The head of the library, its status line, and what stands in the place of its cards where there are none."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pygame

from games.library.file_actions import empty_old
from ui.game.library_files import LibraryFiles
from ui.game.library_state import LibraryState
from ui.host import Content, Host
from ui.part import Part
from ui.parts.status_link import StatusLink
from ui.screens import registry as screens
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import BUTTON, Space, columns
from ui.toolkit.menu import Menu
from ui.toolkit.text import width_of, wrapped, write
from ui.toolkit.widgets import Widgets

_SLOW = 0.5  # seconds of reading after which the status line says so


class FoundGames(Part):
    """Keeps the games up to date while the screen is shown, and says how many there are."""

    def __init__(self, state: LibraryState) -> None:
        self._state = state
        self._reading_since: float | None = None
        self._slow = False  # whether the files have been read for long

    def open(self) -> None:
        self._state.games.library.refresh()
        empty_old()

    def close(self) -> None:
        self._state.review.stop()
        self._state.games.close()

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.WINDOWFOCUSGAINED:
            self._state.games.library.refresh()  # files may have changed meanwhile
        return False

    def update(self, now: float) -> None:
        self._state.update()
        if not self._state.games.busy:
            self._reading_since = None
        elif self._reading_since is None:
            self._reading_since = now
        self._slow = self._reading_since is not None and now - self._reading_since > _SLOW

    def wake(self, now: float) -> float | None:
        games = self._state.games
        return 0.0 if games.changed else 0.2 if games.busy else self._state.review.wake()

    def status(self) -> str:
        games, review = self._state.games, self._state.review
        if self._slow and games.busy:
            done, total = games.library.progress
            return t("library.reading", done=f"{done:,}", total=f"{total:,}")
        if review.busy:
            return review.status()
        found, total = len(games.selection.ids), games.total
        if found == total:
            return t("library.count", count=total)
        return t("library.found", found=f"{found:,}", total=f"{total:,}")


_HEIGHT = 36  # design pixels


class LibraryHead(Part):
    """The settings lead back to `owner`. An empty library has its button for import elsewhere."""

    def __init__(self, host: Host, widgets: Widgets, state: LibraryState, owner: Content) -> None:
        self._host, self._widgets, self._state, self._owner = host, widgets, state, owner
        self.bindings = (Binding(("ctrl+i",), self.ask_import, "library.import"),)

    def shape(self) -> object:
        return self._state.games.total > 0

    def build(self, space: Space) -> None:
        px, button = self._host.theme.px, self._widgets.button
        row = Space(space.top(px(_HEIGHT)), px(4))
        settings = partial(self._host.open, screens.settings, back=self._owner)
        for name, action, key in (("settings", settings, ""), ("keys", self._host.show_keys, "f1")):
            place, tip = row.right(px(_HEIGHT)), t(f"tip.{name}")
            button(name, place, "", action, style="@icon", icon=name, tip=tip, key=key)
        if self._state.games.total:
            text = t("library.import")
            place = row.right(width_of(self._host.theme, text, 16) + px(54))
            button("import", place, text, self.ask_import, icon="import", key="ctrl+i")
        self._widgets.label(row.rest, t("library.title"), 20, bold=True)

    def ask_import(self) -> None:
        """Ask whether a file or a folder is to be imported."""
        options = [(kind, t(f"library.import.{kind}")) for kind in ("file", "folder")]
        under = self._widgets.elements["import"].rect
        self._host.overlay = Menu(self._host, under, options, "", self._state.files.ask_import)


_MARGIN, _HINT, _BUTTONS, _WIDEST = 24, 120, 360, 520
"""Design pixels: room at the sides, height of the hint, width of its buttons, greatest width of its text."""


class EmptyLibrary(Part):
    """A hint; where there is no game at all, with buttons to begin one and to `import_games`."""

    def __init__(self, host: Host, widgets: Widgets, state: LibraryState, import_games: Callable[[], object]) -> None:
        self._host, self._widgets, self._state, self._import = host, widgets, state, import_games

    def build(self, space: Space) -> None:
        px, box = self._host.theme.px, space.rest.inflate(-2 * self._host.theme.px(_MARGIN), 0)
        self._rect = pygame.Rect(box.left, box.top + box.height // 3, box.width, px(_HINT))
        if self._state.games.total:
            return
        place = pygame.Rect(0, 0, min(px(_BUTTONS), box.width), px(BUTTON + 4))
        place.midtop = self._rect.midbottom
        new, other = columns(place, 2, px(8))
        button, begin = self._widgets.button, partial(self._host.open, screens.setup)
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


class UndoLink(StatusLink):
    """Takes back what was done to files."""

    def __init__(self, host: Host, files: LibraryFiles, free: Callable[[], pygame.Rect]) -> None:
        super().__init__(host, "undo", lambda: t("library.undo_link") if files.can_undo else "", files.undo, free)
        self.bindings = (Binding(("ctrl+z",), files.undo, "library.undo"),)
