"""The age of the last move on a board, by which renderers animate it.

Also `LineBoard`, what the renderers of stones on cells need of a position.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Protocol, runtime_checkable

from games.line import LineRules
from games.position import Position


@runtime_checkable
class LineBoard(Position, Protocol):
    """A position of stones on a board of cells; see `games.line.LinePosition`."""

    @property
    def rules(self) -> LineRules: ...

    @property
    def cells(self) -> bytes: ...

    @property
    def last(self) -> int | None: ...


def line_board(position: Position) -> LineBoard:
    """Return `position`. Raise `TypeError` if it has no cells."""
    if not isinstance(position, LineBoard):
        raise TypeError(f"{type(position).__name__} has no stones on cells")
    return position


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
