"""What can be done to the selected games of the library: buttons, keys and the menu of a card."""

from __future__ import annotations

from collections.abc import Sequence

from games.library.rows import UNFINISHED
from games.record import GameRecord
from ui.game.library_state import LibraryState
from ui.host import Content, Host
from ui.part import Entry, Part
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import BUTTON, Space, columns
from ui.toolkit.menu import Menu
from ui.toolkit.widgets import Widgets

_GAP = 8  # design pixels


class LibraryCommands(Part):
    """Two rows of buttons at the bottom of the space. What is opened leads back to `owner`."""

    bindings = (
        Binding(("return",), "do_open", "library.open", "library.open"),
        Binding(("ctrl+return",), "do_continue", "keys.continue", "home.continue"),
        Binding(("ctrl+r",), "do_review", "library.review", "library.review"),
        Binding(("f2",), "do_rename", "library.rename", "library.rename"),
        Binding(("ctrl+e",), "do_export", "library.export", "library.export"),
        Binding(("delete",), "do_delete", "library.delete", "library.delete"),
    )

    def __init__(self, host: Host, widgets: Widgets, state: LibraryState, owner: Content) -> None:
        self._host, self._widgets, self._state, self._owner = host, widgets, state, owner
        self._games = state.games

    def shape(self) -> object:
        return self._games.total > 0, self._state.review.busy

    def build(self, space: Space) -> None:
        if not self._games.total:
            return
        px = self._host.theme.px
        first = columns(space.bottom(px(BUTTON + 4)), 3, px(_GAP))
        space.gap = px(10)
        places = [*first, *columns(space.bottom(px(BUTTON)), 3, px(_GAP))]
        styles = {"open": "@primary", "delete": "@danger"}
        tips = {} if self._state.review.busy else {"review": t("tip.library.review")}
        for (name, text, action, key), place in zip(self._all(), places, strict=True):
            style, tip = styles.get(name, ""), tips.get(name, "")
            self._widgets.button(name, place, text, action, style=style, tip=tip, key=key)
        self.update(0.0)

    def _all(self) -> list[Entry]:
        """Also what cannot be done now."""
        stop = {"review": t("library.review.stop")} if self._state.review.busy else {}
        return [entry._replace(text=stop.get(entry.name, entry.text)) for entry in super().entries()]

    def entries(self) -> Sequence[Entry]:
        possible = self._possible()
        return [entry for entry in self._all() if possible[entry.name]]

    def update(self, now: float) -> None:
        for name, possible in self._possible().items():
            if name in self._widgets.elements:  # not in an empty library
                self._widgets.enable(name, possible)

    def _possible(self) -> dict[str, bool]:
        entry, count = self._games.current(), len(self._games.selection.in_order())
        readable = entry is not None and not entry.problem
        return {
            "open": readable,
            "continue": entry is not None and entry.result == UNFINISHED and count == 1,
            "review": self._state.review.busy or count > 1 or readable,
            "rename": entry is not None and count == 1,
            "export": count > 1 or readable,
            "delete": count > 0,
        }

    # Actions.

    def do_open(self) -> None:
        self._open("replay")

    def do_continue(self) -> None:
        entry = self._games.current()
        if entry is not None and entry.result == UNFINISHED:
            self._open("play")

    def _open(self, screen: str) -> None:
        """Show the game at the cursor. If it cannot be read any more, refresh the library."""
        entry = self._games.current()
        if entry is None:
            return
        file = entry.path

        def show(record: GameRecord) -> None:
            self._host.open(screen, record, file, back=self._owner)

        self._host.read_game(file, show, failed=self._games.library.refresh)

    def do_rename(self) -> None:
        self._state.begin_rename()

    def do_delete(self) -> None:
        entries = self._games.selected()
        if entries:
            self._games.selection.chosen.clear()
            self._state.files.delete(entries)

    def do_review(self) -> None:
        """Review the selected games, or end the review under way."""
        if self._state.review.busy:
            self._state.review.stop()
        else:
            self._state.review.start(self._games.selected())

    def do_export(self) -> None:
        if self._games.selected() and "export" in self._widgets.elements:
            under, files = self._widgets.elements["export"].rect, self._state.files
            self._host.overlay = Menu(self._host, under, files.formats(), "", files.ask_export)
