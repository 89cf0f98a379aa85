"""What handicap stones are worth between levels, as `python -m ai.lab.measure_handicaps` has measured it
(ai/lab/HANDICAPS.md)."""

from __future__ import annotations

from collections.abc import Mapping

from ai.core.elo import Estimate

_WORTH: Mapping[str, tuple[Estimate, ...]] = {
    "freestyle": (Estimate(323.0, 58.0), Estimate(579.0, 59.0), Estimate(850.0, 67.0)),
    "renju": (Estimate(153.0, 86.0), Estimate(320.0, 82.0), Estimate(556.0, 83.0)),
}
"""By the rule of gomoku, that of one stone more, of two and so on."""


def stones_worth(rule: str, more: int) -> Estimate | None:
    """Return the Elo that `more` stones, 1 or more, are worth to black by a rule of gomoku; None where it has not been
    measured."""
    return next(iter(_WORTH.get(rule, ())[more - 1 : more]), None)
