"""The game at the cursor of the library, renaming it in place, and what can be done to the selected games."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pygame

from games.library.index import UNFINISHED, Entry
from ui import screens
from ui.board.pictures import Thumbnails
from ui.library.state import LibraryState
from ui.parts.cards import draw_damaged, result_colour
from ui.parts.study import Study
from ui.toolkit.dialogs import Menu
from ui.toolkit.i18n import t, time_text
from ui.toolkit.keys import Binding
from ui.toolkit.space import BUTTON, Space, columns
from ui.toolkit.text_line import TextLine
from ui.toolkit.theme import Theme
from ui.toolkit.typesetting import LINE, write, write_paragraph
from ui.toolkit.widgets import Widgets
from ui.window.host import Content, Host, Opened
from ui.window.part import MenuEntry as MenuEntry
from ui.window.part import Part
from ui.words.file_words import day_text, entry_ending, entry_review, file_sentence, given_name
from ui.words.games import player_name, setup_name, side_name

_DETAILS = 6 * LINE + 6  # design pixels of the details
_LONGEST_TITLE = 200  # characters


class LibraryDetails(Part):
    """The picture and the facts of the game at the cursor. While it is renamed, a text field called ``name`` is in the
    place of its name."""

    def __init__(self, host: Host, widgets: Widgets, state: LibraryState, thumbnails: Thumbnails) -> None:
        self._host, self._widgets, self._state, self._thumbnails = host, widgets, state, thumbnails
        self._preview = self._details = pygame.Rect()
        self._line: TextLine | None = None

    def shape(self) -> object:
        """What the layout depends on: whether the library has games, and the file that is being renamed. The game at
        the cursor is drawn, not laid out."""
        renaming = self._state.renaming
        return self._state.games.total > 0, renaming and renaming.path

    def build(self, space: Space) -> None:
        """Leave room for a square picture and the facts below it, which `draw` fills; make the text field while a game
        is renamed."""
        px, high = self._host.theme.px, self._host.theme.px(_DETAILS)
        side = min(space.rest.width, space.rest.height - high - space.gap)
        row = space.top(side)
        self._preview = row.inflate(side - row.width, 0)
        self._details = details = space.top(high)
        self._line = None
        if self._state.renaming is not None and self._state.games.total:
            self._build_name_field(pygame.Rect(details.left, details.top - px(8), details.width, px(32)))

    def _build_name_field(self, rect: pygame.Rect) -> None:
        """Make the text field for a new name, with the old one selected."""
        hint, name = t("library.name_hint"), self._state.new_name
        typed = partial(setattr, self._state, "new_name")
        line = TextLine(self._host.theme, rect, name, _LONGEST_TITLE, typed, self._rename, hint=hint)
        self._line = self._widgets.add("name", line)
        self._widgets.focus = "name"
        line.select(0, len(name))

    def _rename(self, title: str) -> None:
        """Rename the game; if the name is refused, keep the keyboard in the text field for another try."""
        if not self._state.rename(title):
            self._widgets.focus = "name"  # for another try

    def update(self, now: float) -> None:
        """End the renaming when the text field has lost the keyboard."""
        if self._line is not None and not self._line.focused:
            self._line = None
            self._state.end_rename()  # by Esc, or by a click elsewhere

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the picture of the game at the cursor, or a sign that its file is damaged, and its facts; nothing
        without a game."""
        theme, entry = self._host.theme, self._state.games.current()
        if entry is None:
            return
        picture = self._thumbnails.picture(entry, self._preview.width)
        if entry.problem is not None:
            draw_damaged(surface, theme, self._preview, theme.palette.panel)
        elif picture is not None:
            surface.blit(picture, self._preview)
        _draw_details(surface, theme, self._details, entry, self._heading(entry))

    def _heading(self, entry: Entry) -> str:
        """Return the line above the facts: the game's name, or how many are selected; empty while a new name is
        typed."""
        count = len(self._state.games.selection.chosen)
        if self._state.renaming is not None:
            return ""
        if count > 1:
            return t("library.selected", count=count)
        return given_name(entry) or (setup_name(entry.setup) if entry.setup else "")


def _draw_details(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, entry: Entry, title: str) -> None:
    """Draw `title`, or an empty line for none, and below it the facts of the game, or why its file cannot be read."""
    palette, px = theme.palette, theme.px
    space = Space(rect)
    write(surface, theme, title, space.top(px(LINE + 4)), 16, bold=True)
    if entry.problem is not None:
        problem = file_sentence(entry.problem, entry.path.name)
        write_paragraph(surface, theme, problem, space.top(4 * px(LINE)), palette.bad)
    if entry.setup is None:
        return
    game = entry.setup.game
    names = ((side_name(game, side), player_name(game, entry.seats, side)) for side in (0, 1))
    sides = [t("library.player", side=side, name=name) for side, name in names]
    clock = time_text(entry.at, " %H:%M")
    when = day_text(entry.at) + (clock if clock != " 00:00" else "")  # a file may have the day alone
    ending, reviewed = entry_ending(entry), entry_review(entry)
    whole = setup_name(entry.setup)
    for text, colour in (
        *([(whole, palette.quiet)] if title != whole else []),
        *((side, palette.text) for side in sides),
        (f"{ending} · {reviewed}" if reviewed else ending, result_colour(theme, entry)),
        (" · ".join(filter(None, (when, t("library.moves", count=entry.plies), entry.occasion))), palette.quiet),
    ):
        write(surface, theme, text, space.top(px(LINE)), 14, colour)


_GAP = 8  # design pixels


class LibraryCommands(Part):
    """What can be done to the selected games: two rows of buttons at the bottom of the space, keys and menu entries.
    What is opened leads back to `owner`."""

    def __init__(self, host: Host, widgets: Widgets, state: LibraryState, owner: Content) -> None:
        self._host, self._widgets, self._state, self._owner = host, widgets, state, owner
        self._games = state.games
        self.bindings = (
            Binding(("return",), self.open_game, "library.open", "library.open"),
            Binding(("ctrl+return",), self._continue, "keys.continue", "home.continue"),
            Binding(("ctrl+r",), self._review, "library.review", "library.review"),
            Binding(("f2",), state.begin_rename, "library.rename", "library.rename"),
            Binding(("ctrl+e",), self._export, "library.export", "library.export"),
            Binding(("ctrl+d",), self._show_about, "keys.about_game", "keys.about_game"),
            Binding(("delete",), self._delete, "library.delete", "library.delete"),
        )

    def shape(self) -> object:
        """What the layout depends on: whether the library has games, and whether a review is running, whose button then
        cancels it."""
        return self._games.total > 0, self._state.review.busy

    def build(self, space: Space) -> None:
        """Build the two rows of three buttons; none in an empty library."""
        if not self._games.total:
            return
        px = self._host.theme.px
        first = columns(space.bottom(px(BUTTON + 4)), 3, px(_GAP))
        space.gap = px(10)
        places = [*first, *columns(space.bottom(px(BUTTON)), 3, px(_GAP))]
        styles = {"open": "@primary", "delete": "@danger"}
        with_button = [entry for entry in self._all_entries() if entry.name != "about_game"]
        tips = {} if self._state.review.busy else {"review": t("tip.library.review")}
        for (name, text, action, key), place in zip(with_button, places, strict=True):
            style, tip = styles.get(name, ""), tips.get(name, "")
            self._widgets.button(name, place, text, action, style=style, tip=tip, key=key)
        self.update(0.0)

    def _all_entries(self) -> list[MenuEntry]:
        """Return all menu entries, including those that cannot be chosen now."""
        stop = {"review": t("library.review.stop")} if self._state.review.busy else {}
        return [entry._replace(text=stop.get(entry.name, entry.text)) for entry in super().entries()]

    def entries(self) -> Sequence[MenuEntry]:
        """Return the commands that the selection allows, also those without a button."""
        possible = self._possible()
        return [entry for entry in self._all_entries() if possible[entry.name]]

    def update(self, now: float) -> None:
        """Enable the buttons whose command the selection allows, and disable the others."""
        for name, possible in self._possible().items():
            if name in self._widgets.elements:  # not in an empty library
                self._widgets.enable(name, possible)

    def _possible(self) -> dict[str, bool]:
        """Return for each command whether the selection allows it."""
        entry, count = self._games.current(), len(self._games.selection.in_order())
        readable = entry is not None and not entry.problem
        return {
            "open": readable,
            "continue": entry is not None and entry.result == UNFINISHED and count == 1,
            "review": self._state.review.busy or count > 1 or readable,
            "rename": entry is not None and count == 1,
            "export": count > 1 or readable,
            "delete": count > 0,
            "about_game": readable and count == 1,
        }

    # Actions.

    def open_game(self) -> None:
        """Open the file of the current game."""
        entry = self._games.current()
        if entry is not None:
            self._host.open_file(entry.path, self._owner, self._games.library.refresh)

    def _continue(self) -> None:
        """Play on in the current game, if it is unfinished."""
        entry = self._games.current()
        if entry is not None and entry.result == UNFINISHED:
            file = entry.path

            def play(opened: Opened) -> None:
                """Open the game to be played."""
                self._host.open(screens.play, opened.record, file, back=self._owner)

            self._host.read_game(file, play, failed=self._games.library.refresh)

    def _show_about(self) -> None:
        """Open the screen of what is said about the current game, where it can be edited."""
        entry = self._games.current()
        if entry is None or entry.problem is not None:
            return

        def show(opened: Opened) -> None:
            """Open the screen about the game."""
            study = Study(self._host, opened.record, opened.file, original=opened.original)
            self._host.open(screens.about_game, study, back=self._owner)

        self._host.read_game(entry.path, show, failed=self._games.library.refresh, copies=True)

    def _delete(self) -> None:
        """Delete the selected games."""
        entries = self._games.selected()
        if entries:
            self._games.selection.chosen.clear()
            self._state.files.delete(entries)

    def _review(self) -> None:
        """Review the selected games that can be read, or end the review under way."""
        if self._state.review.busy:
            self._state.review.stop()
        else:
            self._state.review.start([entry.path for entry in self._games.selected() if entry.problem is None])

    def _export(self) -> None:
        """Open the menu of formats to export the selected games in."""
        if self._games.selected() and "export" in self._widgets.elements:
            under, files = self._widgets.elements["export"].rect, self._state.files
            self._host.overlay = Menu(self._host, under, files.formats(), "", files.ask_export)
