"""What a renderer remembers of the game it shows: which moves, and since when the last of them.

Also what the two renderers of stones on cells ask of a position.
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
    """`position` itself. Raises `TypeError` if it has no cells: then this is not its renderer."""
    if not isinstance(position, LineBoard):
        raise TypeError(f"{type(position).__name__} has no stones on cells")
    return position


class Shown:
    """The moves on the screen, and how long the last of them has been there."""

    def __init__(self) -> None:
        self.moves: tuple[int, ...] = ()
        self._key: Hashable = None
        self._since = -math.inf

    def show(self, key: Hashable, moves: tuple[int, ...], now: float, motion: bool) -> None:
        """Takes the position with `key` to the screen; one move on from the last, it is news."""
        if (key, moves) == (self._key, self.moves):
            return
        one_on = self._key is not None and bool(moves) and moves[:-1] == self.moves
        self._key, self.moves = key, moves
        self._since = now if one_on and motion else -math.inf

    def settle(self) -> None:
        """Ends every motion."""
        self._since = -math.inf

    def age(self, now: float) -> float:
        """Seconds since the last move was made; without end where it was not seen being made."""
        return now - self._since
