"""The page on a game: a form to read and change its title, players, date and other texts, and its key and menu entry.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

import pygame

from games.formats import ENCODINGS
from games.formats.tengen import LONGEST_NAME
from games.record import LONGEST_LINE, LONGEST_NOTE, About, GameRecord
from ui import screens
from ui.board.looks import look
from ui.parts.form import GAP, LABEL, ROW, Form
from ui.parts.game_file import FileEncoding
from ui.parts.header import Page, StatusLink
from ui.toolkit.dialogs import Menu
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.space import Space, columns
from ui.toolkit.text_area import TextArea
from ui.toolkit.text_line import TextLine
from ui.toolkit.theme import Theme
from ui.toolkit.typesetting import width_of
from ui.toolkit.widgets import Widgets
from ui.window.host import Content, Host
from ui.window.part import MenuEntry, Part
from ui.window.screen import Screen
from ui.words.file_words import encoding_name
from ui.words.games import player_name, side_name
from ui.words.opening_words import opening_title

WIDTH, HEIGHT = 880, 560
"""Design pixels."""

_PAUSE = 1.0  # seconds without a key, after which what was typed is saved
_APART = 16  # design pixels between two columns
_ROWS = (("title", "event"), ("place", "round"), ("date", "annotator"), ("source", "author"))
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)([T ])(\d\d:\d\d.*)")


class Described(Protocol):
    """A game whose description (`About`, names and date) a form shows and changes."""

    record: GameRecord

    @property
    def renames(self) -> bool:
        """Whether the names of the players may be changed."""

    @property
    def encoding(self) -> FileEncoding | None:
        """The encoding of the game's file, which a person can choose; None where there is no such file."""

    def describe(self, about: About, names: tuple[str, str], date: str) -> None:
        """Replace the description, names and date of the game, and save it."""


class AboutGameEntry(Part):
    """The key and the menu entry that open the page on the game of `state`; the page leads back to the screen `owner`.
    """

    def __init__(self, host: Host, state: Described, owner: Content) -> None:
        show = partial(host.open, screens.about_game, state, back=owner)
        self.bindings = (Binding(("ctrl+d",), show, "keys.about_game", "keys.about_game"),)


class AboutGameForm(Form):
    """The text fields of a game's description. Saves changes after a pause in typing, and when the page is left."""

    def __init__(self, host: Host, widgets: Widgets, state: Described) -> None:
        super().__init__(host, widgets)
        self._state = state
        self._about, self._names, self._date = state.record.about, state.record.names, state.record.date
        self._due: float | None = None
        self._typed = False
        self._note: TextArea | None = None

    def shape(self) -> object:
        """What the layout depends on: the encoding of the file, which may change all texts; None without a choice of
        it."""
        return self._state.encoding and self._state.encoding.name

    def build(self, space: Space) -> None:
        """Build a row for each side, rows of the other fields in pairs, the copyright with the button of encodings, and
        a text area for the note. What was typed and not yet saved stays in the fields."""
        px, record = self.host.theme.px, self._state.record
        if not self._typed:  # another encoding, or undo
            self._about, self._names, self._date = record.about, record.names, record.date
        space.gap = px(GAP)
        for side in (0, 1):
            self._build_side(space, side)
        space.top(px(2))
        for names in _ROWS:
            for name, place in zip(names, columns(space.top(px(ROW)), 2, px(_APART)), strict=True):
                text = _date_text(self._date) if name == "date" else getattr(self._about, name)
                self._build_field(name, self._build_label(place, name), text, partial(self._set_field, name))
        left, right = columns(space.top(px(ROW)), 2, px(_APART))
        place, changed = self._build_label(left, "copyright"), partial(self._set_field, "copyright")
        self._build_field("copyright", place, self._about.copyright, changed)
        self._build_encoding(right)
        self.label(space.top(px(LABEL)), t("about_game.note"))
        before = self._note
        area = TextArea(self.host.theme, space.rest, self._about.note, LONGEST_NOTE, partial(self._set_field, "note"))
        area.label = t("about_game.note")
        self._note = self.widgets.add("note", area)
        if before is not None and self._typed:
            self._note.resume(before)

    def _build_side(self, space: Space, side: int) -> None:
        """Build the row of one side: name, rank and team of its player."""
        px, record, theme = self.host.theme.px, self._state.record, self.host.theme
        game = record.setup.game
        row = Space(space.top(px(ROW)), px(8))
        wide = px(34) + width_of(theme, side_name(game, side), 14)
        head = Space(row.left(max(wide, _label_width(theme, row.rest))), px(8))
        badge = head.left(px(24))
        self.widgets.paint(lambda surface: look(game).badge(surface, theme, badge, side))
        self.label(head.rest, side_name(game, side))
        wide = row.rest.width
        team, rank = row.right(wide * 3 // 10), row.right(wide // 5)
        name = player_name(game, record.seats, side)
        if self._state.renames:
            changed = partial(self._rename, side)
            self._build_field(f"name{side}", row.rest, self._names[side], changed, name, LONGEST_NAME)
        else:
            self.widgets.label(row.rest, name)
        for kind, place in (("ranks", rank), ("teams", team)):
            text, set_field = getattr(self._about, kind)[side], partial(self._set_field_of_side, kind, side)
            self._build_field(f"{kind}{side}", place, text, set_field, t(f"about_game.{kind}"))

    def _build_label(self, place: pygame.Rect, name: str) -> pygame.Rect:
        """Label the field `name` at the left of `place`. Return the room at the right of the label."""
        row = Space(place, self.host.theme.px(8))
        self.label(row.left(_label_width(self.host.theme, place)), t(f"about_game.{name}"))
        return row.rest

    def _build_field(
        self, name: str, place: pygame.Rect, text: str, changed: Callable[[str], object], hint: str = "",
        longest: int = LONGEST_LINE,
    ) -> None:  # fmt: skip
        """Add a text field with `text`; `changed` is called with its new text after each key."""
        self.widgets.add(name, TextLine(self.host.theme, place, text, longest, changed, hint=hint))

    def _build_encoding(self, place: pygame.Rect) -> None:
        """Build a button that opens the menu of encodings, unless the file has only one."""
        encoding = self._state.encoding
        if encoding is None or not encoding.possible:
            return
        button = self._build_label(place, "encoding")
        text = encoding_name(encoding.name) if encoding.name else t("about_game.encoding.named")

        def press() -> None:
            """Save what was typed, since all fields are saved together, and would replace the texts that are read
            again. Then open the menu."""
            self.store()
            choose_encoding(self.host, encoding, button)

        self.widgets.button("encoding", button, text, press, tip=t("tip.encoding"))

    # What is typed.

    def _set_field(self, name: str, text: str) -> None:
        """Store the new `text` of a field of `About`, or of the date, without saving it."""
        if name == "date":
            self._date = _date_of_text(text)
        else:
            self._about = _with_field(self._about, name, text)
        self._note_change()

    def _set_field_of_side(self, kind: str, side: int, text: str) -> None:
        """Store the new `text` of `side` in the field `kind` of `About`, ``ranks`` or ``teams``."""
        pair = list(getattr(self._about, kind))
        pair[side] = text
        self._about = _with_field(self._about, kind, tuple(pair))
        self._note_change()

    def _rename(self, side: int, text: str) -> None:
        """Store the new name of the player of `side`, without saving it."""
        names = list(self._names)
        names[side] = text
        self._names = names[0], names[1]
        self._note_change()

    def _note_change(self) -> None:
        """Begin the pause anew after which changes are saved."""
        self._typed, self._due = True, None

    def update(self, now: float) -> None:
        """Save what was typed, once the pause after the last change is over."""
        if self._typed and self._due is None:
            self._due = now + _PAUSE
        elif self._due is not None and now >= self._due:
            self.store()

    def wake(self, now: float) -> float | None:
        """Return the seconds until the typed changes are saved; None if nothing is to be saved."""
        return None if self._due is None else max(0.0, self._due - now)

    def store(self) -> None:
        """Save what was typed, if anything was."""
        if self._typed:
            self._typed, self._due = False, None
            self._state.describe(self._about, self._names, self._date)

    def close(self) -> None:
        """Save what was typed, and wait until it is on the disk."""
        self.store()
        self.host.files.settle()  # what comes next may read what was saved


def _with_field(about: About, name: str, value: Any) -> About:
    """Return a copy of `about` with `value` in its field `name`."""
    return replace(about, **{name: value})


def _label_width(theme: Theme, place: pygame.Rect) -> int:
    """The width of the widest label of a field, at most a third of `place`."""
    labels = (*(each for names in _ROWS for each in names), "copyright", "encoding")
    wide = max(width_of(theme, t(f"about_game.{each}"), 14) for each in labels)
    return min(wide + theme.px(4), place.width // 3)


def _date_text(date: str) -> str:
    """The stored `date` as people write it: ``2026-11-27 10:00`` for ``2026-11-27T10:00``."""
    return _MOMENT.sub(r"\1 \3", date)


def _date_of_text(text: str) -> str:
    """The reverse of `_date_text`. A text that is no date with a time stays as it is."""
    return _MOMENT.sub(r"\1T\3", text)


# The choice of the encoding of a file whose own was guessed: a link in the status line, and a menu.


def choose_encoding(host: Host, encoding: FileEncoding, under: pygame.Rect) -> None:
    """Open the menu of encodings below or above `under`; a choice is given to `encoding`."""
    options = [(name, encoding_name(name)) for name in ENCODINGS]
    host.overlay = Menu(host, under, options, encoding.name, encoding.choose)


class EncodingLink(StatusLink):
    """A link in the status line with the name of the file's encoding, shown where that was guessed or chosen. It also
    adds an entry to the menu of the screen if the encoding can be changed. `menu` returns where the button of that menu
    is."""

    def __init__(
        self, host: Host, encoding: FileEncoding, free: Callable[[], pygame.Rect], menu: Callable[[], pygame.Rect]
    ) -> None:
        self._encoding, self._menu = encoding, menu
        super().__init__(host, "encoding", self._link_text, lambda: choose_encoding(host, encoding, self.rect), free)

    def _link_text(self) -> str:
        """The text of the link; empty where the file itself says its encoding."""
        name = self._encoding.name
        return t("encoding.link", encoding=encoding_name(name)) if name else ""

    def entries(self) -> Sequence[MenuEntry]:
        """Offer the menu of encodings; nothing for a file that can have only one."""
        if not self._encoding.possible:
            return ()
        return (MenuEntry("encoding", t("encoding.choose"), self._choose),)

    def _choose(self) -> None:
        """Open the menu of encodings at the button of the screen's menu."""
        choose_encoding(self._host, self._encoding, self._menu())


# The page on a game: the event, players, ranks and all else that its file says of it.


class AboutGame(Screen):
    """The screen with the description of the game of `state`."""

    name = "about_game"
    guide = "library"
    panel = False

    def __init__(self, host: Host, state: Described, back: Content | None = None) -> None:
        super().__init__(host, back)
        self._page = Page(host, self.widgets, "about_game.heading", WIDTH, lambda: HEIGHT, 8, self.go_back)
        self._form = AboutGameForm(host, self.widgets, state)
        self._record = state.record
        self.parts = [self._page, self._form]

    def build(self, space: Space) -> None:
        """Build the page with the form, and in its head write the opening of the game, if it has a name."""
        self._page.build(space)
        head, quiet = self._page.head.rest, self.host.theme.palette.quiet
        self.widgets.label(head, opening_title(self._record), 16, quiet, align="right")
        self._form.build(self._page.inside)
