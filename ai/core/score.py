"""Scores: an evaluation in hundredths, or a proven win or loss with its distance in plies and, in a game that counts,
with its margin.

Scores of different players are compared in this unit, that of `Position.evaluate`: a player that estimates anything
else, such as probabilities, converts it before it answers.

Only this module knows how distances and margins are encoded. The kernels of the gomoku engine use another encoding,
which `ai.gomoku.tables` converts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from games.evaluation import ScoredLine
from games.fields import checked, mapping_of, nested, number, shipped
from games.position import FIRST, Outcome, Position, rule_of
from games.registry import GAMES, Setup

WIN = 20_000_000
_BAND = 10_000  # more than the plies of any game
FARTHEST = _BAND - 1
"""The most plies to a proven end."""
_MOST_MARGIN = 999  # by which a win is as good as one in a game that does not count
PROVEN = WIN - (_MOST_MARGIN + 1) * _BAND
"""Scores at or beyond ±PROVEN are proven: `WIN` minus the plies to the end, and in a game that counts minus a band for
each point that the margin is less than the greatest. So a win by more is better than one by less, then a faster one;
and no win is worse than a score that is unproven, all of which are within the bounds of `Position.evaluate`."""


def settled(score: int) -> bool:
    """Whether no deeper search can find a better score: it is a proven win or loss in a game that does not count
    points."""
    return abs(score) > WIN - _BAND


def margin_of(known: ScoredLine) -> int | None:
    """Return by how many points the winner of a proven line wins. None if the line is not proven, or the game does not
    count points."""
    margin = _MOST_MARGIN - (WIN - _BAND - abs(known.score)) // _BAND
    return margin if known.mate is not None and 0 <= margin < _MOST_MARGIN else None


def delayed(score: int, plies: int) -> int:
    """Return `score` with a proven win or loss `plies` later, or earlier if `plies` is negative. Other scores do not
    change."""
    if abs(score) < PROVEN:
        return score
    return score - plies if score > 0 else score + plies


class Score(int):
    """A score from the view of the side to move, unless `seen_from` has changed that. Faster wins and slower losses are
    greater."""

    @classmethod
    def win_in(cls, plies: int) -> Score:
        """Return the score of a forced win after `plies`."""
        return cls(WIN - plies)

    @classmethod
    def loss_in(cls, plies: int) -> Score:
        """Return the score of a forced loss after `plies`."""
        return cls(plies - WIN)

    @classmethod
    def of_outcome(cls, outcome: Outcome, side: int, plies: int = 0) -> Score:
        """Return the score for `side` of a game that ends with `outcome` in `plies`; 0 for a draw."""
        if outcome.winner is None:
            return cls(0)
        first, second = outcome.score or (_MOST_MARGIN, 0)
        win = WIN - plies - _BAND * max(0, _MOST_MARGIN - abs(first - second))
        return cls(win if outcome.winner == side else -win)

    @property
    def mate(self) -> int | None:
        """The plies to a proven win, negative for a loss; None if the score is neither."""
        if abs(self) < PROVEN:
            return None
        plies = (WIN - abs(self)) % _BAND
        return plies if self > 0 else -plies

    @property
    def bounded(self) -> Score:
        """This score with the plies to a proven end removed, for readers that take these from `mate`. A margin
        stays."""
        if abs(self) < PROVEN:
            return self
        win = WIN - _BAND - (WIN - abs(self)) // _BAND * _BAND
        return Score(win if self > 0 else -win)

    def __neg__(self) -> Score:
        """Return the same score for the other side."""
        return Score(-int(self))

    def seen_from(self, side: int, turn: int) -> Score:
        """Convert this score, from the view of the side `turn`, to the view of `side`."""
        return self if side == turn else -self


# Win probability from an evaluation: one logistic curve for each rule, fitted to games of ours.
#
# `python -m ai.lab.win_probability` fits the curves and writes them beside this file, with the command, the date and
# the calibration on games that were not fitted.


CURVES = Path(__file__).with_name("win_probability.json")

SCALE = 100.0
"""Unit of the score in a curve."""

MOST = 20.0
"""Beyond this score, in that unit, nothing was proven and nothing is known."""

_STEEPEST = 10.0  # of any number in a curve

LATE = 60
"""From this ply on, the curve of a game no longer changes."""


@dataclass(frozen=True, slots=True)
class WinCurve:
    """A curve from scores to win probabilities: log-odds = shift + x * (slope + slope_late * min(ply, `LATE`) /
    `LATE`), where x is the score of the side to move in units of `SCALE`, at most `MOST` either way."""

    shift: float = checked(number(-_STEEPEST, _STEEPEST), 0.0)
    slope: float = checked(number(-_STEEPEST, _STEEPEST), 1.0)
    slope_late: float = checked(number(-_STEEPEST, _STEEPEST), 0.0)

    def probability(self, score: int, ply: int) -> float:
        """Return the probability that the side to move wins at `ply`, a draw counting as half a win. `score` is from
        its view."""
        return 1 / (1 + math.exp(-self.shift - self._slope(ply) * max(-MOST, min(MOST, score / SCALE))))

    def score(self, probability: float, ply: int) -> int:
        """Return the score with this `probability` at `ply`, at most `MOST` in units of `SCALE` either way: the inverse
        of `probability`."""
        if not 0 < probability < 1:
            return round(math.copysign(MOST, probability - 0.5) * SCALE)
        odds = math.log(probability / (1 - probability))
        return round(SCALE * max(-MOST, min(MOST, (odds - self.shift) / self._slope(ply))))

    def _slope(self, ply: int) -> float:
        """Return the slope of the curve at `ply`."""
        return self.slope + self.slope_late * min(ply, LATE) / LATE


UNFITTED = WinCurve(slope=0.37)
"""For games without a fitted curve: that of lichess for chess, 1 / (1 + exp(-0.0037 * centipawns)), as a pawn is the
best known unit of advantage. A lead of one unit wins 59 %, of five 86 %; a score of 0 is a draw, or as good as one."""


@cache
def curves() -> dict[str, WinCurve]:
    """Return the fitted curves by ``game/rule``."""
    return shipped(CURVES, nested(_File), _File({})).curves


@dataclass(frozen=True, slots=True)
class _File:
    """The contents of `CURVES`."""

    curves: dict[str, WinCurve] = checked(mapping_of(nested(WinCurve), 1000))


def curve_of(position: Position) -> WinCurve:
    """Return the curve of the game and the rule of `position`, `UNFITTED` if there is none."""
    game = GAMES.get(position.game)
    rule = rule_of(position) or (game.rules[0] if game else "")
    return curves().get(f"{position.game}/{rule}", UNFITTED)


def win_probability(setup: Setup, score: int, mate: int | None, ply: int) -> float:
    """Return the probability, 0 to 1, that the side to move wins. `score` and `mate`, in plies, negative for a loss,
    are from its view; None if there is no mate."""
    if mate is not None:
        return 1.0 if mate > 0 else 0.0
    return curves().get(f"{setup.game}/{setup.rule}", UNFITTED).probability(score, ply)


def side_wins(setup: Setup, evaluation: ScoredLine, turn: int, ply: int, side: int) -> float:
    """Return the win probability of `side` after `ply` moves. `evaluation` is from the first side's view, and `turn` is
    to move."""
    sign = 1 if turn == FIRST else -1
    mate = None if evaluation.mate is None else sign * evaluation.mate
    mover = win_probability(setup, sign * evaluation.score, mate, ply)
    return mover if side == turn else 1 - mover
