"""The training with the engine's moves, where JAX is installed."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("jax")
pytest.importorskip("optax")

import jax

from ai.lab.distil_gomoku import CELLS, Distillation
from ai.lab.gomoku_labels import Game, labels_of
from ai.lab.network.selfplay import Shape
from ai.network.network import Network, load_weights

SMALL = Shape(15, 15, CELLS, 4, 1, local=True)


def game(dice: random.Random) -> Game:
    moves = dice.sample(range(CELLS), 12)
    return Game(moves, [(ply, moves[ply], dice.randint(-300, 300)) for ply in range(4, 12)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with games, of which the first is held out."""
    dice = random.Random(1)
    (tmp_path / "games-1.jsonl").write_text("".join(game(dice).line() for _ in range(9)), encoding="ascii")
    return tmp_path


@pytest.mark.slow
def test_a_run_learns_exports_and_goes_on_after_a_kill(folder: Path) -> None:
    first = Distillation(folder, 1e-9, SMALL)
    first.run()
    second = Distillation(folder, 1e-9, SMALL)
    assert second.progress == first.progress
    assert second.progress["steps"] > 0
    for one, other in zip(jax.tree.leaves(first.learned), jax.tree.leaves(second.learned), strict=True):
        assert (np.asarray(one) == np.asarray(other)).all()
    before, after = (json.loads(line) for line in (folder / "curve.jsonl").read_text(encoding="utf-8").splitlines())
    assert before["policy_loss"] is None
    assert after["policy_loss"] < np.log(CELLS) + 1
    assert 0 <= after["top1"] <= after["top5"] <= 1
    network = Network(load_weights(folder / "weights.npz"))
    labels = labels_of([game(random.Random(2))])
    logits, values = second.answers(labels)
    for planes, logit, value in zip(labels.planes(), logits, values, strict=True):
        found = network.evaluate(planes)
        assert np.abs(found[0] - logit).max() < 0.05, "half precision"
        assert found[1] == pytest.approx(value, abs=0.05)


def test_a_folder_without_games_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not enough labelled games"):
        Distillation(tmp_path, 0, SMALL)
