"""The saved games: searched, filtered, selected, opened, renamed, deleted, imported and exported.

The scene lays out and draws its parts and passes input on: `SearchBar` says what to look for, `LibraryGames` finds it,
`Cards` and `LibraryPanel` show it, `LibraryActions` change the files, and `LibraryTransfer` imports and exports them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

import pygame

from games.library.file_actions import empty_old
from games.library.rows import Entry
from games.record import GameRecord
from games.storage import saves_home
from ui.board.thumbnails import Thumbnails
from ui.game.library_games import LibraryGames
from ui.host import Host
from ui.parts.cards import Cards
from ui.scene import MARGIN, Scene
from ui.screens.card_scene import CARD_KEYS, CardScene
from ui.screens.library.actions import LibraryActions
from ui.screens.library.panel import LibraryPanel
from ui.screens.library.review import LibraryReview
from ui.screens.library.search_bar import SearchBar
from ui.screens.library.transfer import LibraryTransfer
from ui.screens.play import Play
from ui.screens.replay import Replay
from ui.screens.settings import SettingsScene
from ui.system import trace
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space
from ui.toolkit.menu import Menu
from ui.toolkit.text import width_of, wrapped, write

CARD_MENU = {
    "open": "return", "continue": "ctrl+return", "review": "ctrl+r", "rename": "f2", "export": "ctrl+e",
    "delete": "delete",
}  # fmt: skip
"""The buttons that are in the menu of a card, and their keys."""

_SLOW = 0.5  # seconds of reading after which the status line says so


class LibraryScene(CardScene):
    name = "library"
    bindings = (
        *CARD_KEYS,
        Binding(("return",), "do_open_game", "library.open"),
        Binding(("ctrl+return",), "do_continue", "keys.continue"),
        Binding(("ctrl+f",), "do_search", "library.search"),
        Binding(("f2",), "do_rename", "library.rename"),
        Binding(("delete",), "do_delete", "library.delete"),
        Binding(("ctrl+z",), "do_undo", "library.undo"),
        Binding(("ctrl+e",), "do_export", "library.export"),
        Binding(("ctrl+r",), "do_review", "library.review"),
        Binding(("ctrl+i",), "do_import", "library.import"),
        Binding(("ctrl+n",), "do_new", "keys.new"),
        Binding(("ctrl+o",), "do_open", "keys.open"),
        Binding(("escape",), "do_back", "keys.back"),
    )

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.games = LibraryGames(host)
        self.actions = LibraryActions(host, self._files_changed)
        self.transfer = LibraryTransfer(host, self.games, self.actions, self._files_changed)
        self.review = LibraryReview(host, self._files_changed)
        self.search_bar = SearchBar(
            host, self.widgets, self._opponents, self._typed, self._filtered
        )  # fmt: skip
        self.side = LibraryPanel(host, self.widgets, self.games, self.actions)
        self._followed: Path | None = None  # where the cursor goes once it is in the library
        self._built = False
        self._reading_since: float | None = None
        self._thumbnails: Thumbnails | None = None
        self._undo_link = pygame.Rect(0, 0, 0, 0)

    def enter(self) -> None:
        self.games.library.refresh()
        empty_old()

    def leave(self) -> None:
        self.review.stop()
        self.games.close()

    # Layout.

    def build(self) -> None:
        if isinstance(self.host.overlay, Menu):
            self.host.overlay = None  # it was placed for another window
        theme, px = self.host.theme, self.host.theme.px
        board, space, self.status = self.split()
        page = Space(board, px(12))
        self.games.total = self.games.library.count()
        head = self.back_button(page.top(px(40)))
        if self.games.total:
            self.search_bar.build(head, page)
        if self._thumbnails is None or self._thumbnails.theme is not theme:
            self._thumbnails = Thumbnails(theme)
        top = self.cards.top / self.cards.theme.scale if self._built else 0.0
        self._built = True
        self.cards = Cards(theme, page.rest, self.games.selection, self._thumbnails)
        self.cards.entries = self.games.entries
        self.side.reviewing = self.review.busy
        self.side.build(space, {
            "settings": self.do_settings, "keys": self.host.show_keys, "new": self.do_new,
            "open": self.do_open_game, "continue": self.do_continue, "rename": self.do_rename,
            "export": self.do_export, "import": self.do_import, "delete": self.do_delete,
            "review": self.do_review,
        }, self._empty_space())  # fmt: skip
        self._find()
        self.cards.scroll(top * theme.scale, motion=False)
        self._fit()

    def _empty_space(self) -> pygame.Rect:
        """The place of the hint that replaces games."""
        px, box = self.host.theme.px, self.cards.rect.inflate(-2 * self.host.theme.px(24), 0)
        return pygame.Rect(box.left, box.top + box.height // 3, box.width, px(120))

    def places(self) -> dict[str, tuple[int, int]]:
        ids, entries = self.games.selection.ids, self.games.entries
        shown = (index for index in self.cards.visible() if ids[index] in entries)
        found = {f"game.{entries[ids[index]].name}": self.cards.card(index).center for index in shown}
        if self.actions.can_undo:
            found["undo"] = self._undo_link.center
        return found

    # What is found.

    def _opponents(self) -> Iterable[tuple[str, str]]:
        return self.games.library.opponents()

    def _find(self) -> None:
        """Search again after a change of the query or the library."""
        query, total = self.search_bar.filter, self.games.total
        self.games.search(query.query(self.games.library.opponents() if query.chosen["opponent"] else ()))
        if self._followed is not None and self.games.find(self._followed):
            self._followed = None
            self.cards.reveal(self.games.selection.at, self.host.settings.motion)
        if (total == 0) != (self.games.total == 0):
            self.host.rebuild()
        self.games.load(self.cards.visible())
        trace.scene(self)

    def _files_changed(self, file: Path | None) -> None:
        self._followed = file or self._followed
        self.games.library.refresh()

    def _typed(self) -> None:
        self._find()
        self.cards.scroll(-self.cards.top, motion=False)

    def _filtered(self) -> None:
        self.cards.scroll(-self.cards.top, motion=False)
        self.host.rebuild()

    def _fit(self) -> None:
        """Enable the buttons of possible actions."""
        enable = self.widgets.enable
        if "open" in self.widgets.buttons:
            self.search_bar.update()
            entry, count = self.games.current(), len(self.games.selection.in_order())
            readable = entry is not None and not entry.problem
            enable("open", readable)
            enable("continue", entry is not None and entry.result == "unfinished" and count == 1)
            enable("rename", entry is not None and count == 1)
            enable("export", count > 1 or readable)
            enable("delete", count > 0)
            enable("review", self.review.busy or count > 1 or readable)

    # Time and picture.

    def update(self, now: float) -> None:
        if not self.games.opened or self._thumbnails is None:
            return
        if self.games.changed:
            self._find()
        self.side.update()
        self._follow_review()
        if not self.games.library.busy:
            self._reading_since = None
        elif self._reading_since is None:
            self._reading_since = now
        self.cards.update(now)
        self.games.load(self.cards.visible())
        self._thumbnails.work()
        self._fit()

    def _follow_review(self) -> None:
        self.review.update()
        self.cards.progress = self.review.progress
        if self.side.reviewing != self.review.busy:
            self.host.rebuild()

    def wake(self, now: float) -> float | None:
        if self.cards.moving or self.cards.waiting or (self._thumbnails is not None and self._thumbnails.busy):
            return 0.0
        if not self.games.opened:
            return None
        return 0.0 if self.games.changed else 0.2 if self.games.library.busy else self.review.wake()

    def draw(self, surface: pygame.Surface, now: float) -> None:
        free = self.draw_frame(surface, self.status, self._status_text(now), t("status.keys"))
        self._draw_undo(surface, free)
        self.cards.draw(surface, self.hover)
        if self.games.total:
            self.search_bar.draw(surface)
        if not self.games.selection.ids:
            self._draw_empty(surface)
        self.side.draw(surface, self._thumbnails)

    def _status_text(self, now: float) -> str:
        found, total = len(self.games.selection.ids), self.games.total
        if self.games.opened and self._reading_since is not None and now - self._reading_since > _SLOW:
            done, total = self.games.library.progress
            return t("library.reading", done=f"{done:,}", total=f"{total:,}")
        if self.review.busy:
            return self.review.status()
        if found == total:
            return t("library.count", count=total)
        return t("library.found", found=f"{found:,}", total=f"{total:,}")

    def _draw_undo(self, surface: pygame.Surface, free: pygame.Rect) -> None:
        """Draw the link that undoes the last action after the text of the status line, or over its end."""
        if not self.actions.can_undo:
            return
        theme, px = self.host.theme, self.host.theme.px
        text = t("library.undo_link")
        wide = width_of(theme, text, 14, bold=True)
        start = min(free.left + px(MARGIN), free.right - wide)
        self._undo_link = pygame.Rect(start, free.top + 1, wide, free.height - 1)
        pygame.draw.rect(surface, theme.palette.panel, self._undo_link.inflate(px(12), 0))
        write(surface, theme, text, self._undo_link, 14, theme.palette.accent, bold=True)

    def _draw_empty(self, surface: pygame.Surface) -> None:
        """Draw a hint in place of games."""
        theme, px = self.host.theme, self.host.theme.px
        if self.games.opened and self.games.library.busy and not self.games.total:
            kind = "reading_first"
        else:
            kind = "none_found" if self.games.total else "empty"
        box = self._empty_space()
        space = Space(box, px(8))
        write(surface, theme, t(f"library.{kind}"), space.top(px(30)), 20, bold=True, align="centre")
        for line in wrapped(theme, t(f"library.{kind}.hint"), min(box.width, px(520)), 16):
            write(surface, theme, line, space.top(px(20)), 16, theme.palette.quiet, align="centre")

    # Input.

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.WINDOWFOCUSGAINED and self.games.opened:
            self.games.library.refresh()  # files may have changed meanwhile
        return super().handle(event)

    def pressed(self, pixel: tuple[int, int]) -> bool:
        if self.actions.can_undo and self._undo_link.collidepoint(pixel):
            self.do_undo()
            return True
        return super().pressed(pixel)

    def moved(self) -> None:
        self.side.end_rename()

    def opened(self) -> None:
        self.games.load(self.cards.visible())
        self.do_open_game()

    def asked(self, pixel: tuple[int, int]) -> None:
        """Open a menu of what the buttons can do now."""
        self.games.load(self.cards.visible())
        self._fit()
        buttons = self.widgets.buttons
        options = [(name, buttons[name].text) for name in CARD_MENU if buttons[name].enabled]
        self.host.overlay = Menu(self.host, pygame.Rect(pixel, (1, 1)), options, "", self.widgets.press, CARD_MENU)

    # What is done to games.

    def do_open_game(self) -> None:
        entry = self.games.current()
        if entry is not None:
            self._open(entry, lambda record: Replay(self.host, record, entry.path))

    def do_continue(self) -> None:
        entry = self.games.current()
        if entry is not None and entry.result == "unfinished":
            self._open(entry, lambda record: Play(self.host, record, entry.path))

    def _open(self, entry: Entry, scene_of: Callable[[GameRecord], Scene]) -> None:
        """Show the game of `entry`. If it cannot be read any more, refresh the library."""

        def show(record: GameRecord) -> None:
            scene = scene_of(record)
            scene.back = self
            self.host.show(scene)

        self.host.read_game(entry.path, show, failed=self.games.library.refresh)

    def do_rename(self) -> None:
        self.side.begin_rename()

    def do_delete(self) -> None:
        entries = self.games.selected()
        if entries:
            self.games.selection.chosen.clear()
            self.actions.delete(entries)

    def do_undo(self) -> None:
        self.actions.undo()

    def do_review(self) -> None:
        """Review the selected games, or end the review under way."""
        if self.review.busy:
            self.review.stop()
        else:
            self.review.start(self.games.selected())

    def do_export(self) -> None:
        if self.games.selected() and "export" in self.widgets.buttons:
            self.transfer.ask_export(self.widgets.buttons["export"].rect)

    def do_import(self) -> None:
        self.transfer.ask_import(self.widgets.buttons["import"].rect)

    def open_file(self, path: Path) -> None:
        """A folder that is dropped here is imported; a file is opened."""
        if os.path.isdir(path):  # noqa: PTH112  (`Path.is_dir` raises for what is closed to us)
            self.transfer.import_from(path)
        else:
            super().open_file(path)

    # Elsewhere.

    def do_search(self) -> None:
        self.search_bar.focus()

    def do_new(self) -> None:
        self.host.new_game()

    def do_open(self) -> None:
        self.host.choose_file(saves_home(), self.host.open_file)

    def do_settings(self) -> None:
        self.host.show(SettingsScene(self.host, self))
