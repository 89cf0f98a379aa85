"""Oracles for any game: its own evaluation, and random playouts."""

from __future__ import annotations

import random
from collections.abc import Sequence

from ai.search.guidance import Guidance
from ai.win_probability import curve_of
from games.position import FIRST, Position

_DEEPEST = 400  # plies of a playout; longer than any game here


class StaticOracle:
    """The order of the game's candidates as priors, and its evaluation as value."""

    def __init__(self, fall: float = 0.8) -> None:
        self._fall = fall
        self._priors: dict[int, Sequence[float]] = {}

    def evaluate(self, position: Position) -> Guidance:
        moves = position.candidates()
        value = 2 * curve_of(position).probability(position.evaluate(), position.ply) - 1
        return Guidance(dict(zip(moves, self._falling(len(moves)), strict=True)), value)

    def _falling(self, count: int) -> Sequence[float]:
        """Priors that fall by the same factor from each move to the next one."""
        if count not in self._priors:
            weights = [self._fall**place for place in range(count)]
            total = sum(weights)
            self._priors[count] = [weight / total for weight in weights]
        return self._priors[count]


class PlayoutOracle:
    """Random games from the position: the mean of `count` results is its value; all candidates have the same prior."""

    def __init__(self, count: int, seed: int | None = None) -> None:
        self._count = count
        self._random = random.Random(seed)

    def evaluate(self, position: Position) -> Guidance:
        moves = position.candidates()
        value = sum(self._playout(position) for _ in range(self._count)) / self._count
        return Guidance(dict.fromkeys(moves, 1 / len(moves)), value if position.turn == FIRST else -value)

    def _playout(self, position: Position) -> int:
        """Return the result of one random game for the first side; 0 if it is too long."""
        for _ in range(_DEEPEST):
            outcome = position.outcome
            if outcome is not None:
                return 0 if outcome.winner is None else 1 if outcome.winner == FIRST else -1
            position = position.play(self._random.choice(position.legal_moves()))
        return 0
