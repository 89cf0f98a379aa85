"""What handicap stones are worth between levels, as `python -m ai.lab.measure_handicaps` has measured it
(ai/lab/HANDICAPS.md)."""

from __future__ import annotations

from collections.abc import Mapping

from ai.core.elo import Estimate

_WORTH: Mapping[tuple[str, str], tuple[Estimate, ...]] = {
    ("gomoku", "freestyle"): (Estimate(323.0, 58.0), Estimate(579.0, 59.0), Estimate(850.0, 67.0)),
}
"""By game and rule, that of one stone more, of two and so on."""


def stones_worth(game: str, rule: str, more: int) -> Estimate | None:
    """Return the Elo that `more` stones, 1 or more, are worth to black; None where it has not been measured."""
    return next(iter(_WORTH.get((game, rule), ())[more - 1 : more]), None)
