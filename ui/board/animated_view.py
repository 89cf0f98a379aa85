"""What all boards share: a frame, pictures made for it, and the age of the last move, by which it is animated."""

from __future__ import annotations

from typing import Generic, TypeVar

from games.position import Position
from ui.board.move_animation import MoveAnimation
from ui.board.view import Frame

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
