"""Strength in Elo: the statistics of matches, and the ratings of people and puzzles.

A match has an Elo difference with its error, and the SPRT can end it early. Scores are from the view of the first
player, 0 to 1 a game. The two games of an opening, played with colours reversed, are not independent of each other, so
the statistics count pairs: a pair's score is the mean of its games (the “pentanomial” of chess engine testing).

Ratings are of the Glicko-2 system by Mark Glickman: http://www.glicko.net/glicko/glicko2.pdf (2013). The implementation
is our own: of the packages on PyPI in 2026 one installs a top-level `tests`, and the others have had a single release.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

_CONFIDENCE = 1.959964  # standard deviations of a 95 % interval
_ERRORS = 0.05  # the share of tests that accept the wrong hypothesis
_LEAST_VARIANCE = 1e-4  # of a pair's score, for matches in which all results are equal


def expected(elo: float) -> float:
    """Return the expected score, 0 to 1, of a player who is `elo` points stronger (logistic)."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def elo_of(score: float) -> float:
    """Return the Elo difference for a score strictly between 0 and 1."""
    return -400 * math.log10(1 / score - 1)


@dataclass(frozen=True, slots=True)
class Estimate:
    """An Elo, absolute or a difference, and half the width of its 95 % interval."""

    elo: float
    error: float


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential probability ratio test between the hypotheses `elo0` and `elo1`.

    `llr` is the logarithm of the likelihood ratio; at `upper` elo1 is accepted, at `lower` elo0.
    `status` is ``elo0``, ``elo1`` or ``open``.
    """

    llr: float
    lower: float
    upper: float
    elo0: float
    elo1: float
    status: str


def estimate(scores: Sequence[float]) -> Estimate:
    """Estimate the Elo difference from independent `scores`, usually of pairs.

    If all games were won or lost there is no finite Elo, so the mean is kept half a result away from 0 and 1. Without
    scores, return 0 with an error of 800 points.
    """
    if not scores:
        return Estimate(0.0, 800.0)
    count = len(scores)
    edge = 0.5 / (count + 1)
    mean = min(max(sum(scores) / count, edge), 1 - edge)
    reach = _CONFIDENCE * math.sqrt(_variance(scores, mean) / count)
    low, high = max(mean - reach, edge / 2), min(mean + reach, 1 - edge / 2)
    return Estimate(elo_of(mean), (elo_of(high) - elo_of(low)) / 2)


def _variance(scores: Sequence[float], mean: float) -> float:
    """Estimate the variance of a single score. If all scores are equal, count one more that differs."""
    count = len(scores)
    spread = sum((score - mean) ** 2 for score in scores) / count
    return spread if spread > 0 else max(_LEAST_VARIANCE, 0.25 / (count + 1))


def sprt(scores: Sequence[float], elo0: float, elo1: float) -> Sprt:
    """Run the generalised SPRT on `scores` in its normal approximation, as fishtest does, with `_ERRORS` for either
    hypothesis.

    LLR = n (s1 - s0) (2 mean - s0 - s1) / (2 variance), with s0 and s1 the expected scores of the hypotheses.
    """
    bound, llr = math.log((1 - _ERRORS) / _ERRORS), 0.0
    if scores:
        mean = sum(scores) / len(scores)
        s0, s1 = expected(elo0), expected(elo1)
        llr = len(scores) * (s1 - s0) * (2 * mean - s0 - s1) / (2 * _variance(scores, mean))
    status = "elo1" if llr >= bound else "elo0" if llr <= -bound else "open"
    return Sprt(llr, -bound, bound, elo0, elo1, status)


_SCALE = 173.7178
_BASE = 1500.0
_TAU = 0.5
"""The system constant: the paper suggests 0.3 to 1.2."""
_PRECISION = 1e-6

RATINGS = (-6000.0, 6000.0)
"""Bounds far beyond any real strength."""
DEVIATIONS = (1.0, 350.0)
"""Bounds: a newcomer's deviation, and one at which games still matter."""
VOLATILITIES = (1e-4, 1.0)
_SUREST = 1e-12
"""The least expected score."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating in Elo points, its standard deviation, and the player's volatility."""

    rating: float = _BASE
    deviation: float = DEVIATIONS[1]
    volatility: float = 0.06

    def bounded(self) -> Rating:
        """Return this rating clamped to `RATINGS`, `DEVIATIONS` and `VOLATILITIES`."""
        volatility = _clamp(VOLATILITIES, self.volatility)
        return Rating(_clamp(RATINGS, self.rating), _clamp(DEVIATIONS, self.deviation), volatility)


def _clamp(bounds: tuple[float, float], value: float) -> float:
    """Clamp `value` to the `bounds`."""
    return max(bounds[0], min(bounds[1], value))


def updated_rating(player: Rating, results: Sequence[tuple[Rating, float]]) -> Rating:
    """Return the Glicko-2 rating of `player` after one rating period. `results` are the opponents and the scores
    against them, 1, 0.5 or 0; without any, only the deviation grows.

    `player`, the opponents and the new rating are clamped to the bounds above.
    """
    player = player.bounded()
    mu, phi = (player.rating - _BASE) / _SCALE, player.deviation / _SCALE
    information = gain = 0.0
    for opponent, score in ((each.bounded(), score) for each, score in results):
        g = 1 / math.sqrt(1 + 3 * (opponent.deviation / _SCALE / math.pi) ** 2)
        expected = 1 / (1 + math.exp(-g * (mu - (opponent.rating - _BASE) / _SCALE)))
        expected = _clamp((_SUREST, 1 - _SUREST), expected)
        information += g * g * expected * (1 - expected)
        gain += g * (score - expected)
    if not results:
        sigma, wider = player.volatility, math.hypot(phi, player.volatility)
        return Rating(player.rating, wider * _SCALE, sigma).bounded()
    variance = 1 / information
    sigma = _volatility(phi, player.volatility, variance, variance * gain)
    phi = 1 / math.sqrt(1 / (phi * phi + sigma * sigma) + information)
    return Rating((mu + phi * phi * gain) * _SCALE + _BASE, phi * _SCALE, sigma).bounded()


def _volatility(phi: float, sigma: float, variance: float, delta: float) -> float:
    """Return the new volatility within `VOLATILITIES`, all in the units of the paper: the root of f in its step 5, by
    bisection."""
    a = math.log(sigma * sigma)
    low, high = (math.log(bound * bound) for bound in VOLATILITIES)
    while high - low > _PRECISION:
        x = (low + high) / 2
        spread = phi * phi + variance + math.exp(x)
        f = math.exp(x) * (delta * delta - spread) / (2 * spread * spread) - (x - a) / (_TAU * _TAU)
        low, high = (x, high) if f > 0 else (low, x)
    return math.exp(low / 2)
