"""Scores: an evaluation in hundredths, or a proven win or loss with its distance in plies.

Scores of different players are compared in this unit, that of `Position.evaluate`: a player that estimates anything
else, such as probabilities, converts it before it answers.

Only this module knows how distances are encoded. The kernels of the gomoku engine use another encoding, which
`ai.gomoku.tables` converts.
"""

from __future__ import annotations

from games.position import Outcome

WIN = 20_000_000
PROVEN = WIN - 10_000
"""Scores at or beyond ±PROVEN are proven: `WIN` minus the plies to the end."""


def delayed(score: int, plies: int) -> int:
    """Return `score` with a proven end delayed by `plies`."""
    if abs(score) < PROVEN:
        return score
    return score - plies if score > 0 else score + plies


class Score(int):
    """A score from the side to move, or another side with `seen_from`. Faster wins and slower losses are greater."""

    @classmethod
    def win_in(cls, plies: int) -> Score:
        return cls(WIN - plies)

    @classmethod
    def loss_in(cls, plies: int) -> Score:
        return cls(plies - WIN)

    @classmethod
    def of_outcome(cls, outcome: Outcome, side: int, plies: int = 0) -> Score:
        """Return the score for `side` of a game that ends with `outcome` in `plies`."""
        if outcome.winner is None:
            return cls(0)
        return cls.win_in(plies) if outcome.winner == side else cls.loss_in(plies)

    @property
    def mate(self) -> int | None:
        """Plies to the proven end, negative for a loss; None if unproven."""
        if abs(self) < PROVEN:
            return None
        return WIN - self if self > 0 else -(WIN + self)

    @property
    def bounded(self) -> Score:
        """This score clamped to ±PROVEN, for readers that take the distance from `mate`."""
        return Score(max(-PROVEN, min(PROVEN, self)))

    def __neg__(self) -> Score:
        return Score(-int(self))

    def seen_from(self, side: int, turn: int) -> Score:
        """Convert the score of side `turn` to the view of `side`."""
        return self if side == turn else -self
