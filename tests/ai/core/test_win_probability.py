"""Win probability: the curves, how they are fitted, and that those we ship are calibrated."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from ai.core.score import CURVES, MOST, SCALE, UNFITTED, WinCurve, curve_of, curves, side_wins, win_probability
from ai.lab import win_probability as lab
from games.evaluation import Evaluation
from games.registry import GAMES, setup
from tests.games.sowing import SowingPosition

GOMOKU = setup("gomoku")
RULES = GAMES["gomoku"].rules


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("ply", [0, 30, 60, 200])
def test_a_better_score_is_a_better_chance(rule: str, ply: int) -> None:
    chances = [win_probability(setup("gomoku", rule=rule), score, None, ply) for score in range(-1500, 1501, 50)]
    assert all(worse < better for worse, better in pairwise(chances))
    assert 0 < chances[0] < 0.1
    assert 0.9 < chances[-1] < 1


def test_a_proven_result_is_certain() -> None:
    assert win_probability(GOMOKU, -300, 5, 10) == 1.0
    assert win_probability(GOMOKU, 300, -4, 10) == 0.0
    assert win_probability(GOMOKU, 300, 0, 10) == 0.0, "the game is over, and lost"


def test_an_evaluation_is_from_the_first_side() -> None:
    for turn in (0, 1):
        known = Evaluation(300, None, 10)
        assert side_wins(GOMOKU, known, turn, 10, 0) > 0.6
        assert side_wins(GOMOKU, known, turn, 10, 0) == pytest.approx(1 - side_wins(GOMOKU, known, turn, 10, 1))
        assert side_wins(GOMOKU, Evaluation(0, -3, 10), turn, 10, 1) == 1.0


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("ply", [0, 30, 200])
def test_a_probability_is_that_of_its_score(rule: str, ply: int) -> None:
    curve = curve_of(setup("gomoku", rule=rule).start())
    assert curve == curves()[f"gomoku/{rule}"]
    for score in range(-1900, 1901, 100):
        assert curve.score(curve.probability(score, ply), ply) == pytest.approx(score, abs=1)
    assert curve.score(1.0, ply) == -curve.score(0.0, ply) == MOST * SCALE
    assert curve.score(1 - 1e-12, ply) == MOST * SCALE


def test_positions_of_other_games_have_the_curve_of_chess() -> None:
    assert curve_of(setup("connect4").start()) == curve_of(SowingPosition()) == UNFITTED


def test_a_curve_changes_up_to_ply_sixty() -> None:
    curve = WinCurve(slope_late=1.0)
    odds = [-math.log(1 / curve.probability(100, ply) - 1) for ply in (0, 30, 59, 60, 61, 90)]
    assert odds == pytest.approx([1, 1.5, 1 + 59 / 60, 2, 2, 2])


def test_a_draw_of_a_small_game_is_half_a_win() -> None:
    assert win_probability(setup("tictactoe"), 0, None, 3) == 0.5


def test_a_lead_of_a_few_units_decides_no_game_without_a_fitted_curve() -> None:
    """Five seeds of 48 ahead won with 99 %, and hardly any later move could be a mistake."""
    chances = [win_probability(setup("connect4"), score, None, 10) for score in (0, 100, 500, 1500)]
    assert chances == pytest.approx([0.5, 0.59, 0.86, 0.996], abs=0.01)


def test_every_rule_has_a_fitted_curve_that_is_calibrated() -> None:
    known = json.loads(CURVES.read_text(encoding="utf-8"))
    assert set(curves()) == {f"gomoku/{rule}" for rule in RULES}
    for bins in known["calibration"].values():
        assert [row["from"] for row in bins] == [place / 10 for place in range(10)]
        for row in bins:
            assert row["positions"] >= 200
            assert abs(row["predicted"] - row["observed"]) <= 0.05


def test_fitting_finds_the_curve_that_made_the_results(tmp_path: Path) -> None:
    dice, truth = np.random.default_rng(5), WinCurve(0.1, 0.8, -0.3)
    count = 40_000
    score, ply = dice.normal(0, 200, count).round(), dice.integers(0, 100, count)
    chances = [truth.probability(int(one), int(at)) for one, at in zip(score, ply, strict=True)]
    result = (dice.random(count) < chances).astype(float)
    file = tmp_path / "games.npz"
    np.savez(file, rows=np.column_stack([np.arange(count) * len(lab.PLAYERS), ply, score, result]), key="gomoku/renju")
    found = lab.fit([file])
    fitted = WinCurve(**found["curves"]["gomoku/renju"])
    assert fitted.shift == pytest.approx(truth.shift, abs=0.05)
    assert fitted.slope == pytest.approx(truth.slope, abs=0.06)
    assert fitted.slope_late == pytest.approx(truth.slope_late, abs=0.08)
    for row in found["calibration"]["gomoku/renju"]:
        assert abs(row["predicted"] - row["observed"]) < 0.03


def test_games_of_weak_players_are_not_fitted(tmp_path: Path) -> None:
    weak = lab.PLAYERS.index("level:5")
    rows = [[number, 10, 100 * sign, float(sign > 0)] for number in range(600) for sign in (-1, 1)]
    rows += [[6 * number + weak, 10, 100, 0.0] for number in range(500)]
    file = tmp_path / "games.npz"
    np.savez(file, rows=np.array(rows), key="gomoku/renju")
    (first, *_, last) = lab.fit([file])["calibration"]["gomoku/renju"]
    assert (first["observed"], last["observed"]) == (0.0, 1.0)
