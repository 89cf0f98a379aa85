"""SPSA: the values move to the better side, and a run that was broken off goes on with the same ones."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from ai.gomoku.kernels.parameters import PARAMETERS
from ai.lab import spsa
from ai.lab.node_match import NodeMatch
from ai.lab.spsa import Tuning, main, moved, perturbation, tune

BEST = 120
"""The value of RAZOR with which the players of these tests play best."""


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[NodeMatch]:
    """Matches in threads, won by the player whose RAZOR is nearer to `BEST`."""
    matches: list[NodeMatch] = []

    def play(match: NodeMatch, *_where: Any) -> int:
        matches.append(match)
        errors = [abs(int(re.findall(r"RAZOR=(\d+)", name)[0]) - BEST) for name in match.names]
        return 2 * (errors[1] - errors[0] > 0) - 2 * (errors[1] - errors[0] < 0)

    monkeypatch.setattr(spsa, "play", play)
    monkeypatch.setattr(spsa, "open_executor", ThreadPoolExecutor)
    return matches


TUNING = Tuning({"RAZOR": 10.0, "HISTORY": 4.0}, 400, 100, ("freestyle", "renju"), rate=0.03)


def test_a_value_moves_to_where_the_engine_plays_best(played: list[NodeMatch]) -> None:
    *_, (pairs, values) = tune(TUNING, 2)
    assert pairs == 400 == len(played)
    assert abs(values["RAZOR"] - BEST) < 10 < abs(PARAMETERS["RAZOR"] - BEST)
    assert {match.rule for match in played} == {"freestyle", "renju"}


def test_a_run_goes_on_where_it_was_broken_off(played: list[NodeMatch], tmp_path: Path) -> None:
    whole = list(tune(TUNING, 1, tmp_path / "whole"))
    played.clear()
    file = tmp_path / "broken"
    part = tune(TUNING, 1, file)
    for _ in range(7):
        next(part)
    part.close()
    before = len(played)
    assert list(tune(TUNING, 1, file)) == whole
    assert (before, len(played)) == (7 * 16, 400)


def test_both_sides_of_a_pair_are_as_far_from_the_values_and_rounding_keeps_the_mean() -> None:
    values = {"RAZOR": 90.0, "HISTORY": 15.5}
    sums = [0.0, 0.0]
    for pair in range(300, 400):
        changes = perturbation(TUNING, values, pair)
        found = [list(map(int, re.findall(r"=(\d+)", name)))[1:] for name in changes.players]
        assert abs(sum(each[0] for each in found) - 180) <= 2
        assert (found[0][0] > found[1][0]) == (changes.signs["RAZOR"] > 0)
        sums = [total + each for total, each in zip(sums, (found[0][1] + found[1][1], 1), strict=True)]
    assert sums[0] / sums[1] == pytest.approx(31, abs=0.3)


def test_a_drawn_pair_moves_nothing_and_no_value_falls_below_zero() -> None:
    values = {"RAZOR": 0.1, "HISTORY": 15.5}
    changes = perturbation(TUNING, values, 5)
    assert moved(TUNING, values, [changes], [0]) == values
    assert min(moved(TUNING, values, [changes] * 50, [-2 * changes.signs["RAZOR"]] * 50).values()) == 0


@pytest.mark.parametrize("text", ["RFP", "RFP:0", "RFP:x", "NO_SUCH:3", "RFP:nan"])
def test_a_wrong_parameter_is_one_sentence(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([text])
    assert "is not the name of a parameter with a step above 0" in capsys.readouterr().err
