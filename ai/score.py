"""What a position is worth, to a side: an evaluation in hundredths, or a proven win or loss at a distance in plies.

This is the only place that knows how distances are coded; the kernels of the gomoku engine have a code of their own,
which `ai.gomoku.engine` converts.
"""

from __future__ import annotations

from games.position import Outcome

WIN = 20_000_000
PROVEN = WIN - 10_000
"""Scores at or beyond it, either way, are proven: `WIN` less the plies to the end."""


def further(score: int, plies: int) -> int:
    """`score` with its end, if it is proven, `plies` further away."""
    if abs(score) < PROVEN:
        return score
    return score - plies if score > 0 else score + plies


class Score(int):
    """A score from the side to move, or with `seen_from` from another. Faster wins are greater, and slower losses."""

    @classmethod
    def win_in(cls, plies: int) -> Score:
        return cls(WIN - plies)

    @classmethod
    def loss_in(cls, plies: int) -> Score:
        return cls(plies - WIN)

    @classmethod
    def of_outcome(cls, outcome: Outcome, side: int, plies: int = 0) -> Score:
        """What a game that ends like this in `plies` is worth to `side`."""
        if outcome.winner is None:
            return cls(0)
        return cls.win_in(plies) if outcome.winner == side else cls.loss_in(plies)

    @property
    def mate(self) -> int | None:
        """Plies to the end that is proven: negative for a loss, None if unproven."""
        if abs(self) < PROVEN:
            return None
        return WIN - self if self > 0 else -(WIN + self)

    @property
    def bounded(self) -> Score:
        """No score is beyond `PROVEN`: for whoever reads the distance from `mate`."""
        return Score(max(-PROVEN, min(PROVEN, self)))

    def __neg__(self) -> Score:
        return Score(-int(self))

    def seen_from(self, side: int, turn: int) -> Score:
        """The score of the side `turn`, from `side`."""
        return self if side == turn else -self
