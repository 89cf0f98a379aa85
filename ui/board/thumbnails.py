"""Small pictures of final positions, drawn by the boards, a few in each frame."""

from __future__ import annotations

import time
from collections import OrderedDict

import pygame

from games.formats.text import parse
from games.library.rows import Entry
from games.position import Stones
from games.record import moves_to
from games.registry import Setup
from ui.board.registry import board_view
from ui.board.view import BoardView, Frame, Marks
from ui.toolkit.theme import Display, Theme

_CACHE_BYTES = 32 * 1024 * 1024
_CACHE_BOARDS = 12
_BUDGET = 0.0015  # seconds of a frame; at least one picture is made
_DESIGN = 400  # design pixels of the board that a thumbnail shows smaller
PICTURE = 92  # design pixels: the side of the picture on a card
_LEAST = 276  # pixels: smaller thumbnails are scaled down from a board of this size

Key = tuple[Setup, Stones | None, str, int]


class Thumbnails:
    """`picture` returns a cached picture, or queues it for `work`, which a part calls once a frame."""

    def __init__(self, display: Display) -> None:
        self._display, self._theme = display, display.theme
        self._pictures: OrderedDict[Key, pygame.Surface] = OrderedDict()
        self._bytes = 0
        self._boards: OrderedDict[tuple[str, int, int], BoardView] = OrderedDict()
        self._wanted: dict[Key, Entry] = {}

    @property
    def busy(self) -> bool:
        return bool(self._wanted)

    def picture(self, entry: Entry, side: int) -> pygame.Surface | None:
        """A square of `side` pixels with the last position of `entry`; None until it is made."""
        self._follow_theme()
        if entry.setup is None:
            return None
        key = (entry.setup, entry.stones, entry.moves, side)
        if key in self._pictures:
            self._pictures.move_to_end(key)
            return self._pictures[key]
        self._wanted[key] = entry
        return None

    def work(self) -> bool:
        """Make the pictures asked for last, while there is time. True if one was made."""
        self._follow_theme()
        until, wanted = time.perf_counter() + _BUDGET, list(self._wanted.items())
        self._wanted.clear()  # those still in sight are asked for again
        for number, (key, entry) in enumerate(wanted):
            if number and time.perf_counter() >= until:
                self._wanted.update(wanted[number:])
                break
            self._add(key, _drawn(self._board(entry.setup, max(key[-1], _LEAST)), entry, key[-1]))
        return bool(wanted)

    def _follow_theme(self) -> None:
        """Forget what was drawn in another theme."""
        if self._theme is not self._display.theme:
            self._theme, self._bytes = self._display.theme, 0
            self._pictures.clear()
            self._boards.clear()
            self._wanted.clear()

    def _add(self, key: Key, picture: pygame.Surface) -> None:
        self._pictures[key] = picture
        self._bytes += picture.get_width() * picture.get_height() * 4
        while self._bytes > _CACHE_BYTES and len(self._pictures) > 1:
            _, old = self._pictures.popitem(last=False)
            self._bytes -= old.get_width() * old.get_height() * 4

    def _board(self, setup: Setup | None, side: int) -> BoardView:
        """The board that draws pictures of that size."""
        assert setup is not None
        key = (setup.game, setup.size, side)
        if key not in self._boards:
            self._boards[key] = board_view(setup.game)
            self._boards[key].place(_frame(self._theme, side))
            if len(self._boards) > _CACHE_BOARDS:
                self._boards.popitem(last=False)
        self._boards.move_to_end(key)
        return self._boards[key]


def _drawn(board: BoardView, entry: Entry, side: int) -> pygame.Surface:
    drawn = max(side, _LEAST)
    picture = pygame.Surface((drawn, drawn), pygame.SRCALPHA)
    try:
        record = parse(entry.moves, entry.setup, entry.stones)
    except ValueError:  # a stale index; opening the file will report it
        return picture
    board.show(record.position, moves_to(record.cursor), 0.0)
    board.draw(picture, Marks(coordinates=False, veil=False), 0.0)
    return picture if drawn == side else pygame.transform.smoothscale(picture, (side, side))


def _frame(theme: Theme, side: int) -> Frame:
    return Frame(pygame.Rect(0, 0, side, side), side / _DESIGN, theme.palette, theme.font, motion=False)
