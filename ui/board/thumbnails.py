"""Small pictures of final positions, drawn by the boards, a few in each frame."""

from __future__ import annotations

import time
from collections import OrderedDict
from functools import lru_cache
from typing import Protocol

import pygame

from games.formats.text import parse
from games.game import only
from games.position import Stones, cells_of
from games.record import moves_to
from games.registry import GAMES, Setup
from ui.board.registry import board_view, look
from ui.board.view import BoardView, Frame, Marks
from ui.toolkit.box_art import rounded
from ui.toolkit.palette import mix
from ui.toolkit.text import width_of, write
from ui.toolkit.theme import Display, Theme

_CACHE_BYTES = 32 * 1024 * 1024
_CACHE_BOARDS = 12
_BUDGET = 0.0015  # seconds of a frame; at least one picture is made
_DESIGN = 400  # design pixels of the board that a thumbnail shows smaller
PICTURE = 92  # design pixels: the side of the picture on a card
_SMALL = 64  # design pixels: below it, a thumbnail of a large board shows the stones and what is near
_FEWEST = 7  # cells across
_CAPTION, _LARGEST = 20, 0.7  # design pixels of a caption, and at most so much of the side
_LEAST = 276  # pixels: smaller thumbnails are scaled down from a board of this size

class Pictured(Protocol):
    """A position, by how it came about: an entry of the library, or a node of a search tree."""

    @property
    def setup(self) -> Setup | None:
        """None for a position without a board."""

    @property
    def stones(self) -> Stones | None:
        """What was set up."""

    @property
    def moves(self) -> str:
        """Their texts."""


Key = tuple[Theme, Setup, Stones | None, str, int]


class Thumbnails:
    """`picture` returns a cached picture, or queues it for `work`, which a part calls once a frame."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._pictures: OrderedDict[Key, pygame.Surface] = OrderedDict()
        self._bytes = 0
        self._wanted: dict[Key, None] = {}  # in order
        self._board = lru_cache(_CACHE_BOARDS)(_board)

    @property
    def busy(self) -> bool:
        return bool(self._wanted)

    def picture(self, entry: Pictured, side: int) -> pygame.Surface | None:
        """A square of `side` pixels with the position of `entry`; None until it is made."""
        if entry.setup is None:
            return None
        key = (self._display.theme, entry.setup, entry.stones, entry.moves, side)
        if key in self._pictures:
            self._pictures.move_to_end(key)
            return self._pictures[key]
        self._wanted[key] = None
        return None

    def work(self) -> bool:
        """Make the pictures asked for last, while there is time. True if one was made."""
        until, wanted = time.perf_counter() + _BUDGET, list(self._wanted)
        self._wanted.clear()  # those still in sight are asked for again
        for number, key in enumerate(wanted):
            if number and time.perf_counter() >= until:
                self._wanted.update(dict.fromkeys(wanted[number:]))
                break
            self._add(key, self._drawn(*key))
        return bool(wanted)

    def _add(self, key: Key, picture: pygame.Surface) -> None:
        self._pictures[key] = picture
        self._bytes += picture.get_width() * picture.get_height() * 4
        while self._bytes > _CACHE_BYTES and len(self._pictures) > 1:
            _, old = self._pictures.popitem(last=False)
            self._bytes -= old.get_width() * old.get_height() * 4

    def _drawn(self, theme: Theme, setup: Setup, stones: Stones | None, moves: str, side: int) -> pygame.Surface:
        drawn, small = max(side, _LEAST), side < theme.px(_SMALL)
        picture = whole = pygame.Surface((drawn, drawn), pygame.SRCALPHA)
        try:
            record = parse(moves, setup, stones)
        except ValueError:  # a stale index; opening the file will report it
            return picture
        if small and (caption := look(setup.game).caption) is not None:
            return captioned(theme, caption(record.position), side)
        board = self._board(theme, setup.game, setup.size, drawn)
        board.show(record.position, moves_to(record.cursor), 0.0)
        board.draw(whole, Marks(coordinates=False, veil=False), 0.0)
        if small and setup.board[0] > _FEWEST and GAMES[setup.game].fills is only:
            picture = whole.subsurface(_around_stones(board, cells_of(record.position)))
        return picture if picture.get_width() == side else pygame.transform.smoothscale(picture, (side, side))


def captioned(theme: Theme, text: str, side: int) -> pygame.Surface:
    """Return a square of `side` pixels with the text, as large as there is room for: trees show it much smaller."""
    picture = pygame.Surface((side, side), pygame.SRCALPHA)
    rounded(picture, picture.get_rect(), mix(theme.palette.raised, theme.palette.line, 0.6), theme.px(4))
    sizes = range(round(_LARGEST * side / theme.scale), _CAPTION, -2)
    size = next((size for size in sizes if width_of(theme, text, size, bold=True) < 0.9 * side), _CAPTION)
    write(picture, theme, text, picture.get_rect(), size, bold=True, align="centre")
    return picture


def _around_stones(board: BoardView, cells: bytes) -> pygame.Rect:
    """The square of a large board in which all stones are."""
    cell = board.pixel_of(1)[0] - board.pixel_of(0)[0]
    taken = [pygame.Rect(board.pixel_of(place), (1, 1)) for place, content in enumerate(cells) if content]
    stones = board.area if not taken else taken[0].unionall(taken).inflate(2 * cell, 2 * cell)
    side = min(max(_FEWEST * cell, *stones.size), *board.area.size)
    return stones.inflate(side - stones.width, side - stones.height).clamp(board.area)


def _board(theme: Theme, game: str, _size: int, side: int) -> BoardView:
    """The board that draws pictures of `side` pixels; one for each size, so that its own pictures stay."""
    board = board_view(game)
    board.place(Frame(pygame.Rect(0, 0, side, side), side / _DESIGN, theme.palette, theme.font, motion=False))
    return board
