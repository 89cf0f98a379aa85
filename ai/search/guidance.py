"""What guides a Monte Carlo tree search: priors over the moves of a position and its value.

An `Oracle` is asked once for each position that the search adds to its tree. Playouts, the game's own evaluation, the
patterns of an engine and a network are oracles alike: the search knows none of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import NamedTuple, Protocol

from games.position import Position


class Guidance(NamedTuple):
    """What an oracle says about a position in which the game goes on.

    `priors` are the probabilities of the legal moves worth searching, at least one, in the order in which to try equal
    ones; they add up to 1. `value` is the expected result for the side to move: 1 a win, 0 a draw, -1 a loss. `win`, if
    not empty, is a proven win of the side to move: its first move and, as far as they are known, those after it, the
    last of which ends the game in `plies`. Where the moves are `complete`, the position is lost if each of them loses;
    elsewhere the search then tries the others, too.
    """

    priors: Mapping[int, float]
    value: float
    win: tuple[int, ...] = ()
    plies: int = 0
    complete: bool = False


class Oracle(Protocol):
    """Anything that judges a position for the search. One thread uses it at a time."""

    def evaluate(self, position: Position) -> Guidance:
        """Judge `position`, in which the game goes on. Take a few milliseconds at most: a stop waits for it."""


class Remembered:
    """An `oracle` that is asked once for each position, so that a search can be repeated soon, and with random numbers,
    too."""

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle
        self._known: dict[Hashable, Guidance] = {}

    def evaluate(self, position: Position) -> Guidance:
        found = self._known.get(position.key)
        if found is None:
            found = self._known[position.key] = self._oracle.evaluate(position)
        return found
