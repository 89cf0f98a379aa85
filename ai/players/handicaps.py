"""The Elo of handicaps of gomoku for each rule, as measured by `python -m ai.lab.measure_handicaps`
(ai/lab/HANDICAPS.md)."""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot

from ai.core.elo import Estimate

BINDING = "renju"
"""The rule that forbids black points, and nothing to white."""

_FIRST_MOVE: Mapping[str, Estimate] = {
    "freestyle": Estimate(97.0, 29.0),
    "standard": Estimate(96.0, 29.0),
    "renju": Estimate(-13.0, 28.0),
}

_STONES: Mapping[str, tuple[Estimate, ...]] = {
    "freestyle": (Estimate(323.0, 58.0), Estimate(579.0, 59.0), Estimate(850.0, 67.0)),
    "renju": (Estimate(153.0, 86.0), Estimate(320.0, 82.0), Estimate(556.0, 83.0)),
}
"""Those of one stone more, of two and so on."""

_TIME: Mapping[str, Mapping[int, Estimate]] = {
    "freestyle": {2: Estimate(175.0, 51.0), 4: Estimate(326.0, 74.0), 8: Estimate(402.0, 85.0)},
    "standard": {2: Estimate(164.0, 52.0), 4: Estimate(282.0, 65.0), 8: Estimate(382.0, 80.0)},
    "renju": {2: Estimate(129.0, 49.0), 4: Estimate(295.0, 66.0), 8: Estimate(407.0, 85.0)},
}
"""By what the time is divided."""


def stones_elo(rule: str, more: int) -> Estimate | None:
    """Return the Elo that black gains by `more` stones on the board, or, for 0, by having the first move.

    Return None where that has not been measured.
    """
    if more == 0:
        return _FIRST_MOVE.get(rule)
    return next(iter(_STONES.get(rule, ())[more - 1 : more]), None)


def forbidden_elo(rule: str) -> Estimate | None:
    """Return the Elo that black loses if `BINDING` is the rule in place of `rule`; None for a rule not measured."""
    free, bound = _FIRST_MOVE.get(rule), _FIRST_MOVE[BINDING]
    return free and Estimate(free.elo - bound.elo, hypot(free.error, bound.error))


def time_elo(rule: str, divisor: int) -> Estimate | None:
    """Return the Elo that a side loses with 1 / `divisor` of the other's time; None where it was not measured."""
    return _TIME.get(rule, {}).get(divisor)
