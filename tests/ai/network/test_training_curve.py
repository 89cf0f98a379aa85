"""The curve of a training, as it is shipped beside the weights."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ai.lab import training_curve
from ai.network import network as shipped
from ai.network.network import TrainingResult, training

CURVE = [
    {"games": 0, "agreement": 0.3, "against_random": 0.5, "policy_loss": None, "value_loss": None, "chance": 0.25},
    {"games": 100, "agreement": 0.61239, "against_random": 0.9, "policy_loss": 1.5, "value_loss": 0.7, "chance": 0.25},
    {"games": 200, "agreement": 0.7, "against_random": 1.0, "policy_loss": 1.2, "value_loss": 0.6, "chance": 0.25},
]


@pytest.mark.parametrize(("given", "last"), [([], 200), (["--games", "100"], 100)])
def test_the_curve_of_a_run_is_written_beside_the_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: list[str], last: int
) -> None:
    file = tmp_path / "toy.json"
    for module in (training_curve, shipped):
        monkeypatch.setattr(module, "training_file", lambda _game: file)
    (tmp_path / "curve.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in CURVE))
    training_curve.main([f"toy{last}", str(tmp_path), *given])
    found = training(f"toy{last}")
    assert found.chance == 0.25
    assert found.progress[0] == TrainingResult(0, 0.3, 0.5, None, None)
    assert found.progress[1] == TrainingResult(100, 0.6124, 0.9, 1.5, 0.7)
    assert found.progress[-1].games == last


@pytest.mark.parametrize("game", ["connect4", "tictactoe"])
def test_the_shipped_curves_show_what_was_learned(game: str) -> None:
    first, *_, last = training(game).progress
    assert first.games == 0 < last.games
    assert last.agreement > first.agreement + 0.3
    assert last.score > 0.9 > first.score
