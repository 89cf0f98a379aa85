"""What all boards share: a frame, pictures made for it, and the age of the last move, by which it is animated."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Generic, TypeVar

from games.position import Position
from ui.board.view import Frame


class MoveAnimation:
    """The moves on the screen, and the age of the last."""

    def __init__(self) -> None:
        self.moves: tuple[int, ...] = ()
        self._key: Hashable = None
        self._since = -math.inf

    def show(self, key: Hashable, moves: tuple[int, ...], now: float, motion: bool) -> None:
        """Show the position with `key` after `moves`; with `motion`, animate the last if only that is new."""
        if (key, moves) == (self._key, self.moves):
            return
        one_on = self._key is not None and bool(moves) and moves[:-1] == self.moves
        self._key, self.moves = key, moves
        self._since = now if one_on and motion else -math.inf

    def settle(self) -> None:
        """End the animation."""
        self._since = -math.inf

    def age(self, now: float) -> float:
        """Seconds since the last move was animated; infinite if it was not."""
        return now - self._since


A = TypeVar("A")


class AnimatedView(Generic[A]):
    """`place` and `show` of a `BoardView`. A subclass overrides `_take` and `_lay`; `_art` has its pictures, made when
    both have been called."""

    def __init__(self) -> None:
        self._frame: Frame | None = None
        self._art: A | None = None
        self._animation = MoveAnimation()

    def place(self, frame: Frame) -> None:
        if frame != self._frame:
            self._frame, self._art = frame, None
        if not frame.motion:
            self._animation.settle()
        self._lay()

    def show(self, position: Position, moves: tuple[int, ...], now: float) -> None:
        self._take(position)
        self._animation.show(position.key, moves, now, self._frame is not None and self._frame.motion)
        self._lay()

    def _take(self, position: Position) -> None:
        """Store `position`. Raise `TypeError` if the board cannot show it."""
        raise NotImplementedError

    def _lay(self) -> None:
        """Make new pictures if the frame or the size of the board has changed."""
        raise NotImplementedError

    def _placed(self) -> A:
        if self._art is None:
            raise RuntimeError("place and show come before anything else")
        return self._art
