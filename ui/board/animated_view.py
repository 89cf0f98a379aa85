"""What all boards share: a frame, pictures made for it, and the time since the last move, by which it is animated."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any, Generic, TypeVar

import pygame

from games.position import Position
from ui.board.shapes import ease
from ui.board.view import Frame, Marks
from ui.toolkit.art import clipped

P = TypeVar("P", bound=Position)
A = TypeVar("A")

GLOWING = 2.6
"""Seconds that a winning row pulses before it shines steadily."""


class AnimatedView(Generic[P, A]):
    """The base of `BoardView`s for positions of the class `kind`. It draws with pictures, which `make` makes from a
    frame and what `_art_key` returns. A subclass has the geometry and `moving`, and draws in `_paint`."""

    def __init__(self, kind: type[Any], make: Callable[..., A]) -> None:
        self._kind, self._make = kind, make
        self._frame: Frame | None = None
        self._position: P | None = None
        self._art: A | None = None
        """The pictures, made when `place` and `show` have been called."""
        self._sized: tuple[Hashable, ...] = ()
        self._moves: tuple[int, ...] = ()
        self._key: Hashable = None
        self._since = -math.inf  # when the last move was shown, if it is animated

    def place(self, frame: Frame) -> None:
        """As `BoardView.place`; without motion, end an animation under way."""
        frame = replace(frame, palette=frame.palette.usual)
        if frame != self._frame:
            self._frame, self._art = frame, None
        if not frame.motion:
            self._since = -math.inf
        self._make_art()

    def show(self, position: Position, moves: tuple[int, ...], now: float) -> None:
        """As `BoardView.show`. Raise `TypeError` for a position of another class than `kind`."""
        if position is not self._position and not isinstance(position, self._kind):
            raise TypeError(f"{type(self).__name__} cannot show a {type(position).__name__}")
        self._position = position
        if (position.key, moves) != (self._key, self._moves):
            one_on = self._key is not None and bool(moves) and moves[:-1] == self._moves
            self._key, self._moves = position.key, moves
            self._since = now if one_on and self._frame is not None and self._frame.motion else -math.inf
        size = self._art_key(position)
        if size != self._sized:
            self._sized, self._art = size, None
        self._make_art()

    def _make_art(self) -> None:
        """Make the pictures, if they are missing and both frame and position are known."""
        if self._art is None and self._frame is not None and self._position is not None:
            self._art = self._make(self._frame, *self._sized)

    def _art_key(self, position: P) -> tuple[Hashable, ...]:
        """Return what the pictures depend on besides the frame; other pictures are made when it changes."""
        return ()

    def _require_art(self) -> A:
        """Return the pictures. Raise RuntimeError before `place` and `show`."""
        if self._art is None:
            raise RuntimeError("place and show come before anything else")
        return self._art

    def _age(self, now: float) -> float:
        """Seconds since the last move was shown; infinite if it is not animated."""
        return now - self._since

    def draw(self, surface: pygame.Surface, marks: Marks, now: float) -> None:
        """As `BoardView.draw`; draw nothing before `place` and `show`."""
        if self._art is not None and self._position is not None and self._frame is not None:
            with clipped(surface, self._frame.rect):
                self._paint(surface, self._art, self._position, marks, now)

    def _paint(self, surface: pygame.Surface, art: A, position: P, marks: Marks, now: float) -> None:
        """Draw the board and what `marks` has, inside of the frame, at the time `now`."""
        raise NotImplementedError


def glow(age: float) -> float:
    """Return the brightness of a winning row, 0 … 1, `age` seconds after it was completed: it lights up, pulses twice
    and stays lit."""
    return 1.0 if age >= GLOWING else ease(age / 0.3) * (0.72 + 0.28 * math.cos(age / GLOWING * 4 * math.pi))
