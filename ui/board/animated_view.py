"""What all boards share: a frame, pictures made for it, and the age of the last move, by which it is animated."""

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
    """A `BoardView` for positions of a `kind`, but for its geometry and `moving`. `make` makes the pictures for a frame
    and what `_size` returns. A subclass draws in `_paint`."""

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
        """As `BoardView.place`; without motion an animation under way ends."""
        frame = replace(frame, palette=frame.palette.usual)
        if frame != self._frame:
            self._frame, self._art = frame, None
        if not frame.motion:
            self._since = -math.inf
        self._lay()

    def show(self, position: Position, moves: tuple[int, ...], now: float) -> None:
        """Raise `TypeError` for a position of another kind."""
        if position is not self._position and not isinstance(position, self._kind):
            raise TypeError(f"{type(self).__name__} cannot show a {type(position).__name__}")
        self._position = position
        if (position.key, moves) != (self._key, self._moves):
            one_on = self._key is not None and bool(moves) and moves[:-1] == self._moves
            self._key, self._moves = position.key, moves
            self._since = now if one_on and self._frame is not None and self._frame.motion else -math.inf
        size = self._size(position)
        if size != self._sized:
            self._sized, self._art = size, None
        self._lay()

    def _lay(self) -> None:
        """Make the pictures once frame and position are known."""
        if self._art is None and self._frame is not None and self._position is not None:
            self._art = self._make(self._frame, *self._sized)

    def _size(self, position: P) -> tuple[Hashable, ...]:
        """What the pictures depend on besides the frame."""
        return ()

    def _require_art(self) -> A:
        """The pictures; raise RuntimeError before `place` and `show`."""
        if self._art is None:
            raise RuntimeError("place and show come before anything else")
        return self._art

    def _age(self, now: float) -> float:
        """Seconds since the last move was animated; infinite if it was not."""
        return now - self._since

    def draw(self, surface: pygame.Surface, marks: Marks, now: float) -> None:
        """As `BoardView.draw`; nothing before `place` and `show`."""
        if self._art is not None and self._position is not None and self._frame is not None:
            with clipped(surface, self._frame.rect):
                self._paint(surface, self._art, self._position, marks, now)

    def _paint(self, surface: pygame.Surface, art: A, position: P, marks: Marks, now: float) -> None:
        """Draw the board, inside of the frame."""
        raise NotImplementedError


def glow(age: float) -> float:
    """The brightness of a winning row, 0 … 1, `age` seconds after it was completed: it lights up, pulses twice and
    stays lit."""
    return 1.0 if age >= GLOWING else ease(age / 0.3) * (0.72 + 0.28 * math.cos(age / GLOWING * 4 * math.pi))
