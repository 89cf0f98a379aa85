"""The games played last, on the home screen: each with its board, the opponent, the result and the day. The unfinished
game stands apart, with a button to continue it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pygame

from games.library.rows import UNFINISHED, Entry
from games.record import only_person
from ui.board.thumbnails import Thumbnails
from ui.game.library_games import LibraryGames
from ui.host import Host
from ui.parts.cards import result_colour
from ui.toolkit.box_art import rounded
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space
from ui.toolkit.text import width_of, write
from ui.toolkit.widgets import Widgets
from ui.words.games import short_name
from ui.words.library import day_text, day_word, entry_opponent, entry_result, entry_title

_MOST = 12
_ROW, _PICTURE = 56, 44
_CARD, _LARGE = 116, 92
"""Design pixels: height and picture of a row, and of the card of the unfinished game."""


class RecentGames:
    """`open_game` and `proceed` are called with the file of the game to open or to continue."""

    def __init__(
        self, host: Host, widgets: Widgets, open_game: Callable[[Path], object], proceed: Callable[[Path], object]
    ) -> None:
        self.host, self.widgets = host, widgets
        self.unfinished: Entry | None = None
        self.entries: list[Entry] = []
        self._open, self._proceed = open_game, proceed
        self._games = LibraryGames(host)
        self._thumbnails: Thumbnails | None = None
        self._card: pygame.Rect | None = None
        self._rows: list[tuple[pygame.Rect, Entry]] = []

    def refresh(self) -> None:
        """Look at the files again, on the library's thread."""
        self._games.library.refresh()

    def close(self) -> None:
        self._games.close()

    def load(self) -> None:
        """Take the games from the library as it is now."""
        if self._thumbnails is None or self._thumbnails.theme is not self.host.theme:
            self._thumbnails = Thumbnails(self.host.theme)
        known, wanted = self._games.recent(_MOST), self.host.settings.unfinished
        self.unfinished = next((entry for entry in known if _is_unfinished(entry, wanted)), None)
        self.entries = [entry for entry in known if entry is not self.unfinished and entry.problem is None]

    def update(self) -> None:
        if self._thumbnails is not None:
            self._thumbnails.work()
        if self._games.opened and self._games.changed:
            before = self.unfinished, self.entries
            self.load()
            if before != (self.unfinished, self.entries):
                self.host.rebuild()

    def wake(self) -> float | None:
        if not self._games.opened:
            return None
        drawing = self._thumbnails is not None and self._thumbnails.busy
        return 0.0 if drawing or self._games.changed else 0.2 if self._games.library.busy else None

    # Layout.

    def build_unfinished(self, space: Space) -> None:
        """Make the card of the unfinished game at the top of `space`, if there is one."""
        self._card = None
        if self.unfinished is None:
            return
        px = self.host.theme.px
        self._card = space.top(px(_CARD))
        inside = Space(self._card.inflate(-2 * px(12), -2 * px(12)), px(12))
        inside.left(px(_LARGE))
        place, action = inside.bottom(px(36)), partial(self._proceed, self.unfinished.path)
        self.widgets.button("continue", place, t("home.continue"), action, style="@primary", key="return")

    def build_list(self, space: Space) -> None:
        """Make as many rows as fit into `space`."""
        px = self.host.theme.px
        space.gap = px(4)
        fits = max(0, (space.rest.height + px(4)) // px(_ROW + 4))
        self._rows = [(space.top(px(_ROW)), entry) for entry in self.entries[:fits]]
        for number, (row, entry) in enumerate(self._rows):
            tip, open_game = f"{entry_title(entry)} · {t('library.moves', count=entry.plies)}", self._open
            if _to_be_continued(entry):
                tip, open_game = f"{t('home.continue')} · {tip}", self._proceed
            press = partial(open_game, entry.path)
            self.widgets.button(f"recent.{number}", row, "", press, style="@tile", tip=tip)

    # Picture.

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the ground of the card, which lies under its button."""
        if self._card is not None:
            palette = self.host.theme.palette
            rounded(surface, self._card, palette.raised, self.host.theme.px(8), palette.line)

    def draw_over(self, surface: pygame.Surface) -> None:
        if self._card is not None and self.unfinished is not None:
            self._draw_unfinished(surface, self._card, self.unfinished)
        for row, entry in self._rows:
            self._draw_row(surface, row, entry)

    def _draw_unfinished(self, surface: pygame.Surface, card: pygame.Rect, entry: Entry) -> None:
        theme, px = self.host.theme, self.host.theme.px
        inside = Space(card.inflate(-2 * px(12), -2 * px(12)), px(12))
        self._draw_picture(surface, inside.left(px(_LARGE)), entry)
        lines = Space(inside.rest.move(0, -px(4)), 0)
        write(surface, theme, entry_opponent(entry), lines.top(px(28)), 16, bold=True)
        text = f"{_game(entry)} · {t('library.moves', count=entry.plies)}"
        write(surface, theme, text, lines.top(px(22)), 14, theme.palette.quiet)

    def _draw_row(self, surface: pygame.Surface, row: pygame.Rect, entry: Entry) -> None:
        theme, px = self.host.theme, self.host.theme.px
        inside = Space(row.inflate(-2 * px(6), -2 * px(6)), px(10))
        inside.rest.width -= px(6)
        self._draw_picture(surface, inside.left(px(_PICTURE)), entry)
        lines = Space(inside.rest, 0)
        first, second = Space(lines.top(px(22)), px(8)), Space(lines.top(px(22)), px(8))
        day = day_word(day_text(entry.at))
        write(surface, theme, day, first.right(width_of(theme, day, 14) + 1), 14, theme.palette.quiet, align="right")
        write(surface, theme, entry_opponent(entry), first.rest, 16)
        name = _game(entry)
        write(surface, theme, name, second.right(width_of(theme, name, 14) + 1), 14, theme.palette.quiet, align="right")
        write(surface, theme, entry_result(entry), second.rest, 14, result_colour(theme, entry))

    def _draw_picture(self, surface: pygame.Surface, place: pygame.Rect, entry: Entry) -> None:
        picture = self._thumbnails.picture(entry, place.width) if self._thumbnails else None
        if picture is not None:
            surface.blit(picture, picture.get_rect(center=place.center))


def _is_unfinished(entry: Entry, wanted: str) -> bool:
    return bool(wanted) and entry.path == Path(wanted) and entry.result == UNFINISHED


def _to_be_continued(entry: Entry) -> bool:
    """Whether it is an unfinished game against a computer: one without a result between others may be a study."""
    return entry.result == UNFINISHED and only_person(entry.seats) is not None


def _game(entry: Entry) -> str:
    return short_name(entry.setup.game) if entry.setup else ""
