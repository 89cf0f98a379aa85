"""The measurement of handicaps finds the worth that made the results, and goes on where it stopped."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from ai.core.elo import expected
from ai.lab import measure_handicaps
from ai.lab.measure_handicaps import Pairing, pairings, table, worth
from ai.players.levels import level_elo


def _played(value: float, games: int) -> list[tuple[Pairing, float]]:
    draw = random.Random(1)
    found = []
    for pairing in (each for each in pairings() if each.stones == 1):
        ahead = level_elo("gomoku", pairing.white).elo - level_elo("gomoku", pairing.black).elo
        found += [(pairing, float(draw.random() < expected(value - ahead))) for _ in range(games)]
    return found


@pytest.mark.parametrize("value", [-100.0, 250.0, 700.0])
def test_the_worth_is_found_within_its_error(value: float) -> None:
    few, many = worth(_played(value, 20)), worth(_played(value, 400))
    assert abs(many.elo - value) < 1.5 * many.error
    assert many.error < few.error / 3


def test_all_games_won_have_no_finite_worth_but_a_wide_error() -> None:
    found = worth([(Pairing(3, 2, 2), 1.0)] * 10)
    assert found.elo > 1000
    assert found.error > 1000


def test_the_table_has_a_row_for_each_number_of_stones() -> None:
    rows = table(_played(250.0, 5)).splitlines()
    assert len(rows) == 3
    assert rows[-1].startswith("| 1 | 50 |")


def test_the_measurement_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[Pairing] = []

    def play(pairing: Pairing, rule: str, seed: int) -> float:
        asked.append(pairing)
        if len(asked) == 25:
            raise KeyboardInterrupt
        return 1.0

    monkeypatch.setattr(measure_handicaps, "play", play)
    arguments = ["handicaps", "--rounds", "1", "--workers", "0", "--resume", str(tmp_path / "kept.jsonl")]
    monkeypatch.setattr(sys, "argv", arguments)
    with pytest.raises(KeyboardInterrupt):
        measure_handicaps.main()
    measure_handicaps.main()
    assert asked == [*pairings()[:25], *pairings()[24:]]
    assert "| 3 | 10 | 100% |" in capsys.readouterr().out
