"""What handicaps are worth is what the measurement has found."""

from __future__ import annotations

import re
from pathlib import Path

from ai.players.levels import stones_worth
from games.opening_rules import MOST_STONES
from games.registry import GAMES

MEASURED = Path("ai/lab/HANDICAPS.md").read_text(encoding="utf-8")


def test_the_figures_are_those_of_the_measurement() -> None:
    for rule in GAMES["gomoku"].rules:
        part = re.search(rf"^## {rule}$(.*?)(?=^## |\Z)", MEASURED, re.MULTILINE | re.DOTALL | re.IGNORECASE)
        rows = re.findall(r"^\| ([1-9]) \| \d+ \| \d+% \| \+(\d+) ± (\d+) \|$", part[1] if part else "", re.MULTILINE)
        told = {int(more): (float(elo), float(error)) for more, elo, error in rows}
        known = {more: stones_worth(rule, more) for more in range(1, MOST_STONES + 1)}
        assert {more: (each.elo, each.error) for more, each in known.items() if each} == told


def test_nothing_is_claimed_that_was_not_measured() -> None:
    assert stones_worth("freestyle", MOST_STONES + 1) is None
    assert stones_worth("standard", 1) is None
