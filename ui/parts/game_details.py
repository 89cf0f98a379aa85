"""The details of a game of the library, in a few lines."""

from __future__ import annotations

from datetime import datetime

import pygame

from games.library.rows import Entry
from ui.parts.cards import result_colour
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space
from ui.toolkit.text import wrapped, write
from ui.toolkit.theme import Theme
from ui.words.files import file_sentence
from ui.words.games import setup_name, side_name
from ui.words.library import day_text, entry_ending, entry_review
from ui.words.players import player_name

LINE = 22
HEIGHT = 6 * LINE + 6
"""Design pixels."""


def draw_details(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, entry: Entry, title: str) -> None:
    """Draw `title` above the details; an empty one leaves its line free, and the game is not named
    twice."""
    palette, px = theme.palette, theme.px
    space = Space(rect, 0)
    write(surface, theme, title, space.top(px(LINE + 4)), 16, bold=True)
    if entry.problem is not None:
        for line in wrapped(theme, file_sentence(entry.problem, entry.path.name), rect.width, 14)[:4]:
            write(surface, theme, line, space.top(px(LINE)), 14, palette.bad)
    if entry.setup is None:
        return
    game = entry.setup.game
    names = ((side_name(game, side), player_name(game, entry.seats, side)) for side in (0, 1))
    sides = [t("library.player", side=side, name=name) for side, name in names]
    clock = f" {datetime.fromtimestamp(entry.at):%H:%M}"
    when = day_text(entry.at) + (clock if clock != " 00:00" else "")  # a file may have the day alone
    ending, reviewed = entry_ending(entry), entry_review(entry)
    whole = setup_name(entry.setup)
    for text, colour in (
        *([(whole, palette.quiet)] if title != whole else []),
        *((side, palette.text) for side in sides),
        (f"{ending} · {reviewed}" if reviewed else ending, result_colour(theme, entry)),
        (f"{when} · {t('library.moves', count=entry.plies)}", palette.quiet),
    ):
        write(surface, theme, text, space.top(px(LINE)), 14, colour)
