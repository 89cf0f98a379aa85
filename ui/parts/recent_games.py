"""The games played last, on the home screen: each with its board, the opponent, the result and the day. The unfinished
game stands apart, with a button to continue it."""

from __future__ import annotations

from functools import partial

import pygame

from games.library.rows import Entry
from ui.board.thumbnails import Thumbnails
from ui.game.library_games import RecentGames, to_be_continued
from ui.host import Host
from ui.part import Part
from ui.parts.cards import result_colour
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space
from ui.toolkit.text import LINE, width_of
from ui.toolkit.widgets import Widgets
from ui.words.games import short_name
from ui.words.library import day_text, day_word, entry_opponent, entry_result, entry_title

_ROW, _PICTURE = 56, 44
_CARD, _LARGE = 116, 92
"""Design pixels: height and picture of a row, and height and picture of the card of the unfinished game."""


class UnfinishedGame(Part):
    """A card at the top of the space, if there is such a game. While it is sought, the place stays empty, so that no
    button moves under the pointer when it is found."""

    def __init__(self, host: Host, widgets: Widgets, games: RecentGames, thumbnails: Thumbnails) -> None:
        self._host, self._widgets, self._games, self._thumbnails = host, widgets, games, thumbnails
        self.bindings = (Binding(("return",), self._continue, "keys.continue"),)

    def shape(self) -> object:
        return self._games.unfinished, self._games.sought

    def build(self, space: Space) -> None:
        entry = self._games.unfinished
        if entry is None and not self._games.sought:
            return
        px, palette = self._host.theme.px, self._host.theme.palette
        card = space.top(px(_CARD))
        if entry is None:
            return
        self._widgets.box(card, palette.raised, line=palette.line)
        inside = Space(card.inflate(-2 * px(12), -2 * px(12)), px(12))
        _picture(self._widgets, inside.left(px(_LARGE)), entry, self._thumbnails)
        lines, place = Space(inside.rest.move(0, -px(4)), 0), inside.bottom(px(36))
        self._widgets.label(lines.top(px(28)), entry_opponent(entry), bold=True)
        text = f"{_game(entry)} · {t('library.moves', count=entry.plies)}"
        self._widgets.label(lines.top(px(LINE)), text, 14, palette.quiet)
        self._widgets.button("continue", place, t("home.continue"), self._continue, style="@primary", key="return")

    def _continue(self) -> None:
        if self._games.unfinished is not None:
            self._games.proceed(self._games.unfinished.path)


class RecentList(Part):
    """As many rows as fit. Keeps `games` up to date while they are shown."""

    def __init__(self, host: Host, widgets: Widgets, games: RecentGames, thumbnails: Thumbnails) -> None:
        self._host, self._widgets, self._games, self._thumbnails = host, widgets, games, thumbnails

    def open(self) -> None:
        self._games.refresh()

    def close(self) -> None:
        self._games.close()

    def shape(self) -> object:
        return self._games.entries

    def build(self, space: Space) -> None:
        px = self._host.theme.px
        space.gap = px(4)
        self._widgets.label(space.top(px(24)), t("home.recent"), 14, self._host.theme.palette.quiet)
        if not self._games.entries:
            self._widgets.paragraph(space.rest, t("home.no_recent"), most=2)
        fits = max(0, (space.rest.height + px(4)) // px(_ROW + 4))
        for number, entry in enumerate(self._games.entries[:fits]):
            row = space.top(px(_ROW))
            tip = f"{entry_title(entry)} · {t('library.moves', count=entry.plies)}"
            tip = f"{t('home.continue')} · {tip}" if to_be_continued(entry) else tip
            press = partial(self._games.open, entry)
            self._widgets.button(f"recent.{number}", row, "", press, style="@tile", tip=tip)
            self._build_texts(Space(row.inflate(-2 * px(6), -2 * px(6)), px(10)), entry)

    def update(self, now: float) -> None:
        self._thumbnails.work()
        self._games.update()

    def wake(self, now: float) -> float | None:
        return 0.0 if self._thumbnails.busy else self._games.wake()

    def _build_texts(self, inside: Space, entry: Entry) -> None:
        theme, px, quiet = self._host.theme, self._host.theme.px, self._host.theme.palette.quiet
        label = partial(self._widgets.label, over=True)
        inside.rest.width -= px(6)
        _picture(self._widgets, inside.left(px(_PICTURE)), entry, self._thumbnails)
        lines = Space(inside.rest, 0)
        first, second = Space(lines.top(px(LINE)), px(8)), Space(lines.top(px(LINE)), px(8))
        day = day_word(day_text(entry.at))
        label(first.right(width_of(theme, day, 14) + 1), day, 14, quiet, align="right")
        label(first.rest, entry_opponent(entry))
        name = _game(entry)
        label(second.right(width_of(theme, name, 14) + 1), name, 14, quiet, align="right")
        label(second.rest, entry_result(entry), 14, result_colour(theme, entry))


def _picture(widgets: Widgets, place: pygame.Rect, entry: Entry, thumbnails: Thumbnails) -> None:
    """Draw the board of `entry` over its tile, once it is made."""

    def paint(surface: pygame.Surface) -> None:
        picture = thumbnails.picture(entry, place.width)
        if picture is not None:
            surface.blit(picture, picture.get_rect(center=place.center))

    widgets.paint(paint, over=True)


def _game(entry: Entry) -> str:
    return short_name(entry.setup.game) if entry.setup else ""
