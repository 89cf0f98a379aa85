"""Small pictures of final positions, drawn by the boards, a few in each frame."""

from __future__ import annotations

import time
from collections import OrderedDict

import pygame

from games.formats.text import parse
from games.game import only
from games.library.rows import Entry
from games.position import Stones, cells_of
from games.record import moves_to
from games.registry import GAMES, Setup
from ui.board.registry import board_view
from ui.board.view import BoardView, Frame, Marks
from ui.toolkit.theme import Display, Theme

_CACHE_BYTES = 32 * 1024 * 1024
_CACHE_BOARDS = 12
_BUDGET = 0.0015  # seconds of a frame; at least one picture is made
_DESIGN = 400  # design pixels of the board that a thumbnail shows smaller
PICTURE = 92  # design pixels: the side of the picture on a card
_SMALL = 64  # design pixels: below it, a thumbnail of a large board shows the stones and what is near
_FEWEST = 7  # cells across
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
            self._add(key, self._drawn(entry, key[-1]))
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

    def _drawn(self, entry: Entry, side: int) -> pygame.Surface:
        board, small = self._board(entry.setup, max(side, _LEAST)), side < self._theme.px(_SMALL)
        return _drawn(board, entry, side, small)

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


def _drawn(board: BoardView, entry: Entry, side: int, small: bool) -> pygame.Surface:
    drawn = max(side, _LEAST)
    picture = whole = pygame.Surface((drawn, drawn), pygame.SRCALPHA)
    try:
        record = parse(entry.moves, entry.setup, entry.stones)
    except ValueError:  # a stale index; opening the file will report it
        return picture
    board.show(record.position, moves_to(record.cursor), 0.0)
    board.draw(whole, Marks(coordinates=False, veil=False), 0.0)
    if small and record.setup.board[0] > _FEWEST and GAMES[record.setup.game].fills is only:
        picture = whole.subsurface(_around_stones(board, cells_of(record.position)))
    return picture if picture.get_width() == side else pygame.transform.smoothscale(picture, (side, side))


def _around_stones(board: BoardView, cells: bytes) -> pygame.Rect:
    """The square of a large board in which all stones are."""
    cell = board.pixel_of(1)[0] - board.pixel_of(0)[0]
    taken = [pygame.Rect(board.pixel_of(place), (1, 1)) for place, content in enumerate(cells) if content]
    stones = board.area if not taken else taken[0].unionall(taken).inflate(2 * cell, 2 * cell)
    side = min(max(_FEWEST * cell, *stones.size), *board.area.size)
    return stones.inflate(side - stones.width, side - stones.height).clamp(board.area)


def _frame(theme: Theme, side: int) -> Frame:
    return Frame(pygame.Rect(0, 0, side, side), side / _DESIGN, theme.palette, theme.font, motion=False)
