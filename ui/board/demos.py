"""The small boards of the home screen, each of which replays attacks: forced wins from `assets/demos.json`, which
`ai/lab/make_demos.py` writes."""

from __future__ import annotations

import itertools
import random
from contextlib import suppress
from functools import cache

import pygame

from games.fields import items, list_of, mapping_of, shipped, text, whole
from games.formats import FormatError
from games.formats.text import parse
from games.position import Position
from games.record import moves_to, path
from games.registry import setup
from ui.board.looks import board_view
from ui.board.view import Frame, Marks
from ui.toolkit.resources import resource

_MOST, _LONGEST = 1000, 10_000  # attacks; characters and plies of one
_PACE = 1.1  # seconds a move
_FRAME = 1 / 30  # seconds between two frames of a move; twice as many would take a third of a processor
_REST = 4.0  # seconds that a finished attack stays on the board
_MARKS = Marks(coordinates=False, veil=False)

Shown = tuple[Position, tuple[int, ...]]
"""A position, and the moves that led to it."""


@cache
def attacks(game: str) -> tuple[tuple[Shown, ...], ...]:
    """Return for each attack of `game` its positions. If there are none, or one is invalid, return one attack, with the
    starting position only."""
    nothing: dict[str, list[tuple[str, int]]] = {}
    known = shipped(resource("demos.json"), mapping_of(list_of(_attack, _MOST), _MOST), nothing).get(game, [])
    with suppress(FormatError):  # of moves that are illegal
        shown = tuple(_positions(game, moves, begin) for moves, begin in known)
        if shown and all(shown):
            return shown
    return (_positions(game, "", 0),)


def _attack(value: object) -> tuple[str, int]:
    """Decode an attack: its moves, and the ply from which on they are shown."""
    moves, begin = items(2, 2)(value)
    return text(_LONGEST)(moves), whole(0, _LONGEST)(begin)


def _positions(game: str, moves: str, begin: int) -> tuple[Shown, ...]:
    """Return the positions of a game from the ply `begin` on, each with the moves that led to it."""
    nodes = path(parse(moves, setup(game)).cursor)
    return tuple((node.position, moves_to(node)) for node in nodes[begin:])


class Demo:
    """A board on which the attacks of `game` are played one after the other, in random order. Until `begin`, it shows
    one position."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.board = board_view(game)
        chosen = random.sample(attacks(game), len(attacks(game)))
        self._attacks = itertools.cycle(chosen)
        self._attack = next(self._attacks)
        end = self._attack[-1][0].outcome
        self._at = len(self._attack) - 1 if end and end.cells else len(self._attack) // 2
        self._due: float | None = None

    @property
    def ply(self) -> int:
        """The number of moves on the board."""
        return self._attack[self._at][0].ply

    def begin(self, at: float) -> None:
        """Play the first attack from the time `at` on."""
        self._at, self._due = 0, at + _PACE

    def place(self, frame: Frame, now: float) -> None:
        """Lay the board out in `frame`, and show the current position."""
        self.board.place(frame)
        self.board.show(*self._attack[self._at], now)

    def update(self, now: float) -> None:
        """Show the next position if it is due; after the end of an attack, begin the next one."""
        if self._due is None or now < self._due or len(self._attack) == 1 or self.board.moving(now):
            return
        self._at += 1
        if self._at == len(self._attack):
            self._attack, self._at = next(self._attacks), 0
        self._due = now + (_REST if self._at == len(self._attack) - 1 else _PACE)
        self.board.show(*self._attack[self._at], now)

    def wake(self, now: float) -> float | None:
        """Return the seconds until the board must be drawn again; None if it never changes."""
        if self._due is None or len(self._attack) == 1:
            return None
        return _FRAME if self.board.moving(now) else max(0.0, self._due - now)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the board."""
        self.board.draw(surface, _MARKS, now)
