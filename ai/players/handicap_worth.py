"""What handicap stones are worth, as `python -m ai.lab.measure_handicaps` has measured it (ai/lab/HANDICAPS.md)."""

from __future__ import annotations

from collections.abc import Mapping

from ai.core.elo import Estimate

_WORTH: Mapping[tuple[str, str, int], Estimate] = {}


def stones_worth(game: str, rule: str, more: int) -> Estimate | None:
    """Return the Elo that `more` stones are worth to black; None where it has not been measured."""
    return _WORTH.get((game, rule, more))
