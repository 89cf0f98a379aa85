"""The screen of the saved games: searched, filtered, selected, opened, renamed, deleted, imported and exported."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pygame

from games.library.file_actions import delete_expired
from ui import screens
from ui.board.pictures import Thumbnails
from ui.library.details import LibraryCommands, LibraryDetails
from ui.library.library_files import LibraryFiles
from ui.library.state import CURSOR, FILTERS, TOP, LibraryState
from ui.parts.cards import Cards, NewOrOpen
from ui.parts.header import BackButton, StatusLink, open_menu
from ui.toolkit.art import icon
from ui.toolkit.dialogs import Menu
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.space import BUTTON, Space, columns, without_sides
from ui.toolkit.text_line import TextLine
from ui.toolkit.typesetting import fitted, width_of, wrapped, write
from ui.toolkit.widgets import Widgets
from ui.window.host import Content, Host
from ui.window.part import MenuEntry, Part, lay
from ui.window.screen import Screen
from ui.words.numbers import whole_text

# Its head, its status line, and what stands in the place of its cards where there are none.


_SLOW = 0.5  # seconds of reading after which the status line says so


class FoundGames(Part):
    """Keeps the list of games up to date while the screen is shown, and says in the status line how many there are."""

    def __init__(self, state: LibraryState) -> None:
        self._state = state
        self._reading_since: float | None = None
        self._slow = False  # whether the files have been read for long

    def open(self) -> None:
        """Read the folder again, and delete expired files from the trash."""
        self._state.games.library.refresh()
        delete_expired()

    def close(self) -> None:
        """Stop a review under way, and close the library."""
        self._state.review.stop()
        self._state.games.close()

    def handle(self, event: pygame.event.Event) -> bool:
        """Read the folder again when the window gets the focus."""
        if event.type == pygame.WINDOWFOCUSGAINED:
            self._state.games.library.refresh()  # files may have changed meanwhile
        return False

    def update(self, now: float) -> None:
        """Update the state, and note whether reading the files takes long."""
        self._state.update()
        if not self._state.games.busy:
            self._reading_since = None
        elif self._reading_since is None:
            self._reading_since = now
        self._slow = self._reading_since is not None and now - self._reading_since > _SLOW

    def wake(self, now: float) -> float | None:
        """Return 0 seconds if the list of games has changed, 0.2 while files are read; else the seconds until a review
        has something to show, None without one."""
        games = self._state.games
        return 0.0 if games.changed else 0.2 if games.busy else self._state.review.wake()

    def status(self) -> str:
        """Return how far a slow reading or a review is, else how many games were found."""
        games, review = self._state.games, self._state.review
        if self._slow and games.busy:
            done, total = games.library.progress
            return t("library.reading", done=whole_text(done), total=whole_text(total))
        if review.busy:
            return review.status()
        found, total = len(games.selection.ids), games.total
        if found == total:
            return t("library.count", count=total)
        return t("library.found", found=whole_text(found), total=whole_text(total))


_HEIGHT = 36  # design pixels


class LibraryHead(Part):
    """The title, and buttons for the import, the settings and the keys. The settings lead back to `owner`. An empty
    library has its button for the import elsewhere."""

    def __init__(self, host: Host, widgets: Widgets, state: LibraryState, owner: Content) -> None:
        self._host, self._widgets, self._state, self._owner = host, widgets, state, owner
        self.bindings = (Binding(("ctrl+i",), self.ask_import, "library.import"),)

    def shape(self) -> object:
        """What the layout depends on: whether the library has games, and so a button for the import."""
        return self._state.games.total > 0

    def build(self, space: Space) -> None:
        """Build the row at the top of the space: the title at the left, the buttons at the right."""
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
        """Open a menu that asks whether a file or a folder is to be imported."""
        options = [(kind, t(f"library.import.{kind}")) for kind in ("file", "folder")]
        under = self._widgets.elements["import"].rect
        self._host.overlay = Menu(self._host, under, options, "", self._state.files.ask_import)


_MARGIN, _HINT, _BUTTONS, _WIDEST = 24, 120, 360, 520
"""Design pixels: room at the sides, height of the hint, width of its buttons, greatest width of its text."""


class EmptyLibrary(Part):
    """A hint where no game is shown; if the library has none at all, also buttons to begin a game and to import some by
    `import_games`."""

    def __init__(self, host: Host, widgets: Widgets, state: LibraryState, import_games: Callable[[], object]) -> None:
        self._host, self._widgets, self._state, self._import = host, widgets, state, import_games

    def build(self, space: Space) -> None:
        """Place the hint, which `draw` writes, a third down the space; if the library has no games, make the two
        buttons below it."""
        px, box = self._host.theme.px, without_sides(space.rest, self._host.theme.px(_MARGIN))
        self._rect = pygame.Rect(box.left, box.top + box.height // 3, box.width, px(_HINT))
        if self._state.games.total:
            return
        below = pygame.Rect(self._rect.bottomleft, (box.width, px(BUTTON + 4)))
        place = below.inflate(min(px(_BUTTONS), box.width) - box.width, 0)
        new, other = columns(place, 2, px(8))
        button, begin = self._widgets.button, partial(self._host.open, screens.setup)
        button("new", new, t("home.new_game"), begin, style="@primary", key="ctrl+n")
        button("import", other, t("library.import"), self._import, icon="import", key="ctrl+i")

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Write that no game was found, that files are still read, or that the library is empty, with advice; nothing
        while games are listed."""
        games, theme, px = self._state.games, self._host.theme, self._host.theme.px
        if games.selection.ids:
            return
        kind = "none_found" if games.total else "reading_first" if games.busy else "empty"
        space = Space(self._rect, px(8))
        write(surface, theme, t(f"library.{kind}"), space.top(px(30)), 20, bold=True, align="centre")
        for line in wrapped(theme, t(f"library.{kind}.hint"), min(self._rect.width, px(_WIDEST)), 16):
            write(surface, theme, line, space.top(px(20)), 16, theme.palette.quiet, align="centre")


class UndoLink(StatusLink):
    """The link in the status line that undoes the last change of files."""

    def __init__(self, host: Host, files: LibraryFiles, free: Callable[[], pygame.Rect]) -> None:
        super().__init__(host, "undo", lambda: t("library.undo_link") if files.can_undo else "", files.undo, free)
        self.bindings = (Binding(("ctrl+z",), files.undo, "library.undo"),)


# The games of the library as a grid of cards: what mouse and keys do to them.


_WHEEL = 96  # design pixels a notch of the wheel scrolls
_TWICE = 0.4  # seconds between the clicks of a double click


class CardGrid(Part):
    """The games as cards. A click selects a card, a double click calls `opened`, a right click opens a menu of
    `entries`."""

    def __init__(
        self, host: Host, widgets: Widgets, state: LibraryState, cards: Cards, opened: Callable[[], object],
        entries: Callable[[], Sequence[MenuEntry]],
    ) -> None:  # fmt: skip
        self._host, self._widgets, self._state, self._cards = host, widgets, state, cards
        self._opened, self._entries = opened, entries
        self._hover: tuple[int, int] | None = None
        self._clicked: tuple[int, float] | None = None  # the last card, and when

    def build(self, space: Space) -> None:
        """Place the cards in all the space, and scroll to the wanted one."""
        self._cards.place(space.rest)
        self._scroll_to_wanted()

    def _scroll_to_wanted(self) -> None:
        """Scroll to the `wanted` place of the state, if any, and load the games that are in sight."""
        state, cards = self._state, self._cards
        if state.wanted == TOP:
            cards.reveal(0, motion=False)
        elif state.wanted == CURSOR:
            cards.reveal(state.games.selection.at, self._host.motion)
        state.wanted = ""
        state.games.load(cards.visible())

    # Time and picture.

    def update(self, now: float) -> None:
        """Show the progress of a review, load what is in sight, and work on its pictures."""
        self._cards.progress = self._state.review.progress
        self._cards.update(now)
        self._scroll_to_wanted()
        self._cards.thumbnails.work()

    def wake(self, now: float) -> float | None:
        """Return 0 seconds while the cards scroll, wait for their games, or pictures are made; else None."""
        cards = self._cards
        return 0.0 if cards.moving or cards.waiting or cards.thumbnails.busy else None

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the cards in sight with their buttons and the scroll bar, and highlight what is under the pointer."""
        self._cards.draw(surface, self._hover)

    def places(self) -> dict[str, tuple[int, int]]:
        """Return the middle of each card in sight whose game has been read, as ``game.`` and its file name."""
        ids, entries = self._state.games.selection.ids, self._state.games.entries
        shown = (index for index in self._cards.visible() if ids[index] in entries)
        return {f"game.{entries[ids[index]].name}": self._cards.card(index).center for index in shown}

    # The mouse.

    def handle(self, event: pygame.event.Event) -> bool:
        """Handle the mouse: wheel, drags of the scroll bar, clicks on cards and their buttons, and the right click for
        a menu. Keys are those of `CardCursor`."""
        if event.type == pygame.MOUSEMOTION:
            self._hover = event.pos
            return self._cards.drag(event.pos)
        if event.type == pygame.MOUSEWHEEL:
            self._cards.scroll(-event.y * self._host.theme.px(_WHEEL), self._host.motion)
            return True
        if event.type == pygame.MOUSEBUTTONUP:
            self._cards.release()
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_LEFT:
            self._widgets.leave_focus()
            return self._press(event.pos)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_RIGHT:
            return self._open_card_menu(event.pos)
        return False

    def _press(self, pixel: tuple[int, int]) -> bool:
        """Press a button at `pixel`, or click the card there. Return whether there was either."""
        if self._cards.press(pixel):
            return True
        index = self._cards.index_at(pixel)
        if index is not None:
            self._click_card(index)
        return index is not None

    def _click_card(self, index: int) -> None:
        """Select the clicked card alone, with Ctrl in addition, with Shift all from the cursor to it. A second click
        soon after opens it."""
        held, selection = self._host.modifiers, self._state.games.selection
        self._state.end_rename()
        if held & (pygame.KMOD_CTRL | pygame.KMOD_META):
            selection.toggle(index)
            return
        now, before = time.monotonic(), self._clicked
        self._clicked = index, now
        selection.move(index, extend=bool(held & pygame.KMOD_SHIFT))
        if before is not None and before[0] == index and now - before[1] < _TWICE:
            self._clicked = None
            self._state.games.load(self._cards.visible())
            self._opened()

    def _open_card_menu(self, pixel: tuple[int, int]) -> bool:
        """Open a menu for the card at `pixel`; for all selected ones if it is among them. Return False if there is no
        card."""
        index, selection = self._cards.index_at(pixel), self._state.games.selection
        if index is None:
            return False
        self._state.end_rename()
        if selection.ids[index] not in selection.chosen:
            selection.move(index)
        self._state.games.load(self._cards.visible())
        open_menu(self._host, pygame.Rect(pixel, (1, 1)), self._entries())
        return True


_MOVES = ("left", "right", "up", "down", "pageup", "pagedown", "home", "end")


class CardCursor(Part):
    """The keys that move the cursor through the cards, and select."""

    def __init__(self, host: Host, state: LibraryState, cards: Cards) -> None:
        self._host, self._state, self._cards = host, state, cards
        self._selection = state.games.selection
        self._extend = False  # whether the cursor selects what it passes
        self.bindings = (
            *(Binding((key,), partial(self._move_cursor, key), f"library.key.{key}") for key in _MOVES),
            Binding(("space",), self._selection.toggle, "library.key.toggle"),
            Binding(("ctrl+a",), self._selection.all, "library.key.all"),
        )

    def key(self, event: pygame.event.Event) -> bool:
        """Run the action of the pressed key. With Shift, a key that moves the cursor selects all that it passes."""
        self._extend = bool(event.mod & pygame.KMOD_SHIFT) and event.key in map(pygame.key.key_code, _MOVES)
        if self._extend:
            mod = event.mod & ~pygame.KMOD_SHIFT
            event = pygame.event.Event(event.type, key=event.key, mod=mod, unicode=event.unicode)
        return super().key(event)

    def _move_cursor(self, key: str) -> None:
        """Move the cursor as the key named `key` does, within the cards."""
        at, columns, page, whole = self._selection.at, self._cards.columns, self._cards.page, len(self._selection.ids)
        if key == "up" and at < columns:
            return
        steps = {"left": -1, "right": 1, "up": -columns, "down": columns, "pageup": -page, "pagedown": page,
                 "home": -whole, "end": whole}  # fmt: skip
        self._state.end_rename()
        self._selection.move(at + steps[key], self._extend)
        self._cards.reveal(self._selection.at, self._host.motion)


_BAR_HEIGHT, _SORT, _NARROWEST_FILTER = 40, 168, 150  # design pixels
_LONGEST_SEARCH = 200  # characters


class SearchBar(Part):
    """The search words, the filters and the order of the games, at the top of the space, with `back` at the left. An
    empty library has only the buttons of the databases, which lead back to `owner`, and back."""

    def __init__(self, host: Host, widgets: Widgets, state: LibraryState, back: Part, owner: Content) -> None:
        self._host, self._widgets, self._state, self._back = host, widgets, state, back
        self._line: TextLine | None = None
        self.bindings = (
            Binding(("ctrl+f",), partial(setattr, widgets, "focus", "search"), "library.search"),
            Binding(("ctrl+b",), partial(host.open, screens.databases, back=owner), "keys.databases"),
        )

    def shape(self) -> object:
        """What the layout depends on: whether the library has games, the order, and the value of each filter. Search
        words change no layout."""
        return self._state.games.total > 0, self._state.filter.choices

    def build(self, space: Space) -> None:
        """Build the row with `back`, the search words, the order and the button of the databases, and the row of
        filters below. An empty library gets only `back` and the button of the databases."""
        px = self._host.theme.px
        row = Space(space.top(px(_BAR_HEIGHT)))
        self._back.build(row)
        row.gap = px(8)
        place, tip = row.right(px(_BAR_HEIGHT)), t("tip.databases")
        self._widgets.button("databases", place, "", self.bindings[1], style="@icon", icon="databases", tip=tip)
        if not self._state.games.total:
            return
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
        """Make the filters, in two rows if they would be too narrow in one, and the button that clears them."""
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
        """Make the button that opens the menu of a filter or of the order, with its value; `chosen` if it excludes
        games."""
        theme = self._host.theme
        shown = fitted(theme, self._state.filter.label(name), rect.width - theme.px(52), 16)
        press = partial(self._open_menu, name, rect)
        self._widgets.button(name, rect, shown, press, style="@menu", chosen=chosen)

    def _open_menu(self, name: str, under: pygame.Rect) -> None:
        """Open the menu of a filter or of the order below its button."""
        known = self._state.filter
        options = known.options(name, self._state.games.library.opponents())
        chosen = known.sort if name == "sort" else known.chosen[name]
        self._host.overlay = Menu(self._host, under, options, chosen, partial(self._choose, name))

    def _choose(self, name: str, value: str) -> None:
        """Set a filter or the order, and search again."""
        self._state.filter.set(name, value)
        self._state.apply_filter()

    def _clear(self) -> None:
        """Remove words and filters, and show all games."""
        self._state.filter.clear()
        self._state.apply_filter()
        assert self._line is not None
        self._line.set_text("")

    def update(self, now: float) -> None:
        """Enable the button that clears words and filters if any are set."""
        if "clear" in self._widgets.elements:
            self._widgets.enable("clear", self._state.filter.active)


# The screen.


_GAP = 12  # design pixels


class LibraryScreen(Screen):
    """The screen of the saved games."""

    name = "library"
    guide = "library"

    def __init__(self, host: Host, back: Content | None = None) -> None:
        super().__init__(host, back)
        self.state = state = LibraryState(host)
        thumbnails = Thumbnails(host)
        self.cards = Cards(host, state.games.selection, state.games.entries, thumbnails)
        arrow = BackButton(host, self.widgets, self.go_back)
        self._search = SearchBar(host, self.widgets, state, arrow, self)
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
        """Search anew, close a menu that belongs to the old layout, and lay out search and cards in the main area,
        head, commands and details in the panel."""
        if isinstance(self.host.overlay, Menu):
            self.host.overlay = None  # it was placed for another window
        self.state.find()
        space.gap = self.host.theme.px(_GAP)
        lay(space, self._search, self._grid)
        self._head.build(self.frame.side)
        self._empty.build(space)
        lay(self.frame.side, self._commands, self._details)

    def take_file(self, path: Path) -> bool:
        """Import a dropped folder. Return False for a file, to have it opened."""
        if not os.path.isdir(path):  # noqa: PTH112  (`Path.is_dir` raises for what is closed to us)
            return False
        self.state.files.import_from(path)
        return True
