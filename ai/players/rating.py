"""The Glicko-2 rating system by Mark Glickman: http://www.glicko.net/glicko/glicko2.pdf (2013).

Our own implementation: of the packages on PyPI in 2026 one installs a top-level `tests`, and the others have had a
single release.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

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
        """Clamp this rating to `RATINGS`, `DEVIATIONS` and `VOLATILITIES`."""
        volatility = _between(VOLATILITIES, self.volatility)
        return Rating(_between(RATINGS, self.rating), _between(DEVIATIONS, self.deviation), volatility)


def _between(bounds: tuple[float, float], value: float) -> float:
    """Clamp `value` to the `bounds`."""
    return max(bounds[0], min(bounds[1], value))


def updated(player: Rating, results: Sequence[tuple[Rating, float]]) -> Rating:
    """Return the rating after one period with `results`: opponents, and scores against them of 1, 0.5 or 0.

    `player`, the opponents and the new rating are clamped to the bounds above.
    """
    player = player.bounded()
    mu, phi = (player.rating - _BASE) / _SCALE, player.deviation / _SCALE
    information = gain = 0.0
    for opponent, score in ((each.bounded(), score) for each, score in results):
        g = 1 / math.sqrt(1 + 3 * (opponent.deviation / _SCALE / math.pi) ** 2)
        expected = 1 / (1 + math.exp(-g * (mu - (opponent.rating - _BASE) / _SCALE)))
        expected = _between((_SUREST, 1 - _SUREST), expected)
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
    """Find the root of f in step 5 of the paper, by the Illinois variant of regula falsi."""
    a = math.log(sigma * sigma)

    def f(x: float) -> float:
        spread = phi * phi + variance + math.exp(x)
        return math.exp(x) * (delta * delta - spread) / (2 * spread * spread) - (x - a) / (_TAU * _TAU)

    low, high = a, _other_side(f, a, delta * delta - phi * phi - variance)
    f_low, f_high = f(low), f(high)
    while abs(high - low) > _PRECISION:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)


def _other_side(f: Callable[[float], float], a: float, surprise: float) -> float:
    """Return a point beyond the root, where f has the opposite sign to that at `a`."""
    if surprise > 0:
        return math.log(surprise)
    step = 1
    while f(a - step * _TAU) < 0:
        step += 1
    return a - step * _TAU
