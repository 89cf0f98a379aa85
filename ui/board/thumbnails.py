"""Small pictures of how games ended, drawn by the boards themselves, a few in each frame, and kept.

The wood and the stones of a board are made on a thread of its own: those of a large one take a tenth of a second.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict

import pygame

from games.formats import FormatError
from games.formats.text import parse
from games.library.rows import Entry
from games.registry import Setup
from ui.board.registry import board_view
from ui.board.view import BoardView, Frame, Marks
from ui.toolkit.theme import Theme

_KEPT_BYTES = 32 * 1024 * 1024
_KEPT_BOARDS = 12
_BUDGET = 0.0015  # seconds of a frame; one picture is made in any case
_DESIGN = 400  # design pixels that a board is made for; a small one is the same, smaller
PICTURE = 92  # design pixels: the side of the picture on a card
_LEAST = 276  # pixels in which a board is drawn at the least: smaller ones are scaled down, or they would be coarse

Key = tuple[str, int, str, str, int]


class Thumbnails:
    """`picture` gives a picture that is there, or has it made by `work`, which the scene calls once a frame."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._kept: OrderedDict[Key, pygame.Surface] = OrderedDict()
        self._bytes = 0
        self._boards: OrderedDict[tuple[str, int, int], tuple[BoardView, threading.Thread]] = OrderedDict()
        self._wanted: dict[Key, Entry] = {}

    @property
    def busy(self) -> bool:
        return bool(self._wanted)

    def picture(self, entry: Entry, side: int) -> pygame.Surface | None:
        """A square of `side` pixels with the last position of `entry`; None as long as it is not made."""
        if entry.setup is None:
            return None
        key = (entry.setup.game, entry.setup.size, entry.setup.rule, entry.moves, side)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        self._wanted[key] = entry
        return None

    def work(self) -> bool:
        """Makes what was asked for last, as long as there is time. True if a picture is new."""
        until, wanted = time.perf_counter() + _BUDGET, list(self._wanted.items())
        self._wanted.clear()  # what is out of sight by then is asked for no more
        for number, (key, entry) in enumerate(wanted):
            board, prepared = self._board(entry.setup, max(key[-1], _LEAST))
            if not prepared or (number and time.perf_counter() >= until):
                self._wanted.update(wanted[number:])
                return number > 0
            self._keep(key, _drawn(board, entry, key[-1]))
        return bool(wanted)

    def _keep(self, key: Key, picture: pygame.Surface) -> None:
        self._kept[key] = picture
        self._bytes += picture.get_width() * picture.get_height() * 4
        while self._bytes > _KEPT_BYTES and len(self._kept) > 1:
            _, old = self._kept.popitem(last=False)
            self._bytes -= old.get_width() * old.get_height() * 4

    def _board(self, setup: Setup | None, side: int) -> tuple[BoardView, bool]:
        """The board for pictures of that size, which keeps its wood and its stones, and whether it has them yet."""
        assert setup is not None
        key = (setup.game, setup.size, side)
        if key not in self._boards:
            board = board_view(setup.game)
            board.place(_frame(self.theme, side))
            board.show(setup.start(), (), 0.0)
            thread = threading.Thread(target=board.prepare, name="tengen-thumbnails", daemon=True)
            thread.start()
            self._boards[key] = board, thread
            if len(self._boards) > _KEPT_BOARDS:
                self._boards.popitem(last=False)
        self._boards.move_to_end(key)
        board, thread = self._boards[key]
        return board, not thread.is_alive()


def _drawn(board: BoardView, entry: Entry, side: int) -> pygame.Surface:
    drawn = max(side, _LEAST)
    picture = pygame.Surface((drawn, drawn), pygame.SRCALPHA)
    try:
        record = parse(entry.moves, entry.setup)
    except FormatError:  # an index that is not true; the file will tell when it is opened
        return picture
    moves = tuple(node.move for node in record.line() if node.move is not None)
    board.show(record.position, moves, 0.0)
    board.draw(picture, Marks(coordinates=False, veil=False), 0.0)
    return picture if drawn == side else pygame.transform.smoothscale(picture, (side, side))


def small_frame(theme: Theme) -> Frame:
    """That of the boards on cards, for whoever makes them ahead."""
    return _frame(theme, max(theme.px(PICTURE), _LEAST))


def _frame(theme: Theme, side: int) -> Frame:
    return Frame(pygame.Rect(0, 0, side, side), side / _DESIGN, theme.palette, theme.font, motion=False)
