"""The measurement of handicaps finds the worth that made the results, and goes on where it stopped."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from ai.core.elo import expected
from ai.lab import measure_handicaps
from ai.lab.measure_handicaps import Pairing, pairings, table, worth
from ai.lab.node_match import NodeMatch
from ai.players.levels import level_elo
from games.position import Position


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


def test_equal_levels_have_either_colour_and_none_has_more_stones() -> None:
    assert all(each.stones == 0 and each.black == each.white for each in pairings("colour"))
    assert table([(pairing, 1.0) for pairing in pairings("colour")]).splitlines()[-1].startswith("| 0 | 3 | 100% |")


def test_less_time_is_less_of_the_nodes_and_has_a_row_for_each_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[tuple[int, int]] = []

    def pair(self: NodeMatch, position: Position, seed: int, turn: int = 0) -> list[float]:
        asked.append(self.nodes)
        return [1.0, 0.0]

    monkeypatch.setattr(NodeMatch, "pair", pair)
    arguments = ["time", "--rounds", "4", "--nodes", "800", "--workers", "0", "--resume", str(tmp_path / "kept.jsonl")]
    monkeypatch.setattr(sys, "argv", ["handicaps", *arguments])
    for _ in range(2):
        measure_handicaps.main()
        rows = capsys.readouterr().out.splitlines()
        assert [row.split(" | ")[:3] for row in rows[2:]] == [[f"| 1/{part}", "4", "50%"] for part in (2, 4, 8)]
    assert asked == [(800, 400)] * 2 + [(800, 200)] * 2 + [(800, 100)] * 2, "what was kept is not played again"


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
