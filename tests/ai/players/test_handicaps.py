"""What handicaps are worth is what was measured."""

from __future__ import annotations

import re
from pathlib import Path

from ai.core.elo import Estimate
from ai.players.handicaps import BINDING, forbidden_elo, stones_elo, time_elo
from games.clock import DIVISORS
from games.opening_rules import MOST_STONES
from games.registry import GAMES

MEASURED = Path("ai/lab/HANDICAPS.md").read_text(encoding="utf-8")
RULES = GAMES["gomoku"].rules


def told(part: str, row: str) -> dict[str, Estimate]:
    """The rows of a part of the page of which the first cell is a `row`, by that cell."""
    text = re.search(rf"^##+ {part}$(.*?)(?=^##|\Z)", MEASURED, re.MULTILINE | re.DOTALL | re.IGNORECASE)
    form = rf"^\| ({row}) \| \d+ \| \d+% \| ([+-]\d+) ± (\d+) \|$"
    rows = re.findall(form, text[1] if text else "", re.MULTILINE)
    return {cell: Estimate(float(elo), float(error)) for cell, elo, error in rows}


def test_the_figures_are_those_of_the_measurement() -> None:
    for rule in RULES:
        stones = {str(more): stones_elo(rule, more) for more in range(1, MOST_STONES + 1)}
        assert {more: each for more, each in stones.items() if each} == told(f"stones by {rule}", "[1-9]")
        assert {"0": stones_elo(rule, 0)} == told(f"the first move by {rule}", "0")
        parts = {f"1/{divisor}": time_elo(rule, divisor) for divisor in DIVISORS}
        assert {part: each for part, each in parts.items() if each} == told(f"less time by {rule}", "1/[248]")


def test_forbidden_points_cost_what_black_has_less_by_their_rule() -> None:
    for rule in RULES:
        cost, free, bound = forbidden_elo(rule), stones_elo(rule, 0), stones_elo(BINDING, 0)
        assert cost is not None
        assert free is not None
        assert bound is not None
        assert cost.elo == free.elo - bound.elo
        assert cost.error > max(free.error, bound.error)


def test_nothing_is_claimed_that_was_not_measured() -> None:
    assert stones_elo("freestyle", MOST_STONES + 1) is None
    assert stones_elo("standard", 1) is None
    assert time_elo("freestyle", 3) is None
