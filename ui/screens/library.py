"""The screen of the saved games: searched, filtered, selected, opened, renamed, deleted, imported and exported."""

from __future__ import annotations

import os
from pathlib import Path

from ui.board.thumbnails import Thumbnails
from ui.game.library_state import LibraryState
from ui.host import Content, Host
from ui.part import lay
from ui.parts.card_grid import CardCursor, CardGrid
from ui.parts.cards import Cards
from ui.parts.header import BackButton
from ui.parts.home_links import NewOrOpen
from ui.parts.library_details import LibraryCommands, LibraryDetails
from ui.parts.library_panel import EmptyLibrary, FoundGames, LibraryHead, UndoLink
from ui.parts.search_bar import SearchBar
from ui.screen import Screen
from ui.toolkit.layout import Space
from ui.toolkit.menu import Menu

_GAP = 12  # design pixels


class LibraryScreen(Screen):
    """`cards` is where the games are shown."""

    name = "library"

    def __init__(self, host: Host, back: Content | None = None) -> None:
        super().__init__(host, back)
        self.state = state = LibraryState(host)
        thumbnails = Thumbnails(host)
        self.cards = Cards(host, state.games.selection, state.games.entries, thumbnails)
        arrow = BackButton(host, self.widgets, self.go_back)
        self._search = SearchBar(host, self.widgets, state, arrow)
        self._commands = LibraryCommands(host, self.widgets, state, self)
        self._grid = CardGrid(host, self.widgets, state, self.cards, self._commands.open_game, self.entries)
        self._head = LibraryHead(host, self.widgets, state, self)
        self._empty = EmptyLibrary(host, self.widgets, state, self._head.ask_import)
        self._details = LibraryDetails(host, self.widgets, state, thumbnails)
        self.parts = [
            FoundGames(state), UndoLink(host, state.files, lambda: self.frame.free),
            CardCursor(host, state, self.cards), self._grid, self._search, self._commands, self._details, self._head,
            self._empty, NewOrOpen(host, self.widgets), arrow,
        ]  # fmt: skip

    def build(self, space: Space) -> None:
        if isinstance(self.host.overlay, Menu):
            self.host.overlay = None  # it was placed for another window
        self.state.find()
        space.gap = self.host.theme.px(_GAP)
        lay(space, self._search, self._grid)
        self._head.build(self.frame.side)
        self._empty.build(space)
        lay(self.frame.side, self._commands, self._details)

    def open_file(self, path: Path) -> None:
        """Import a folder that is dropped here; open a file."""
        if os.path.isdir(path):  # noqa: PTH112  (`Path.is_dir` raises for what is closed to us)
            self.state.files.import_from(path)
        else:
            super().open_file(path)
