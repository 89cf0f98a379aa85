"""Training, where JAX is installed: its parts, and that a run goes on after a kill."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("jax")
pytest.importorskip("mctx")
pytest.importorskip("optax")
pytest.importorskip("pgx")

import jax
import pgx

from ai.lab.network import training as checkpoint
from ai.lab.network.selfplay import Moves, Shape
from ai.lab.network.training import Replay, Samples, Unfinished, results
from ai.lab.network_exam import exam
from ai.lab.train_network import Setting, Trainer, mirror
from ai.network.network import Network, load_weights, planes_of
from games.registry import GAMES, setup
from tests.ai.lab.network_fixture import FIXTURE, LOCAL, answers

SMALL = Setting("tic_tac_toe", Shape(3, 3, 9, 4, 1), 4, 9, games=8, plies=9, batch=8, buffer=60)


@pytest.mark.parametrize(("file", "local"), [(FIXTURE, False), (LOCAL, True)])
def test_the_fixture_is_what_jax_answers(file: Path, local: bool) -> None:
    with np.load(file) as fixture:
        for name, array in answers(local).items():
            assert np.allclose(fixture[name], array, atol=1e-5), name


@pytest.mark.parametrize(("game", "name"), [("connect4", "connect_four"), ("tictactoe", "tic_tac_toe")])
def test_boards_and_moves_are_the_same_as_in_pgx(game: str, name: str) -> None:
    env, position = pgx.make(name), setup(game).start()
    state = env.init(jax.random.key(0))
    for move in (3, 4, 0, 6):
        position, state = position.play(move), env.step(state, move)
        width, _height = GAMES[game].board(GAMES[game].size)
        assert (planes_of(position, width) == np.asarray(state.observation)).all()
        assert np.flatnonzero(state.legal_action_mask).tolist() == list(position.legal_moves())


def moves_of(rewards: list[float], last: list[bool]) -> Moves:
    """Return the moves of one game after another, at one table."""
    count = len(last)
    numbers = np.arange(count, dtype=np.float32).reshape(count, 1, 1)
    return Moves(numbers, numbers, np.array(rewards)[:, None], np.array(last)[:, None], np.ones((count, 1), bool))


def test_results_alternate_back_from_the_last_move() -> None:
    moves = moves_of([0, 0, 1, 0, 0], [False, False, True, False, False])
    values, known = results(moves.rewards, moves.last)
    assert known[:, 0].tolist() == [True, True, True, False, False]
    assert values[:3, 0].tolist() == [1, -1, 1]


def test_moves_wait_until_their_game_ends_and_come_once() -> None:
    unfinished = Unfinished(4)
    samples, ended = unfinished.add(moves_of([0, 1, 0], [False, True, False]))
    assert (ended, samples.values.tolist()) == (1, [-1, 1])
    samples, ended = unfinished.add(moves_of([0, 1], [False, True]))
    assert (ended, samples.values.tolist()) == (1, [1, -1, 1])
    assert samples.planes.ravel().tolist() == [2, 0, 1]


def test_the_buffer_keeps_the_newest_and_mirrors() -> None:
    replay = Replay(3, mirror(Shape(3, 3, 9, 1, 1)))
    planes, policies = np.zeros((5, 3, 3, 2), bool), np.zeros((5, 9))
    planes[:, 1, 0, 0] = policies[:, 3] = 1
    replay.add(Samples(planes, policies, np.array([1, 1, 0, 0, 0])))
    drawn = replay.draw(2, 50, np.random.default_rng(1))
    assert len(replay) == 3
    assert (drawn.values == 0).all()
    left, right = drawn.planes[..., 1, 0, 0], drawn.planes[..., 1, 2, 0]
    assert left.any()
    assert right.any()
    assert (drawn.policies[..., 3] == left).all()
    assert (drawn.policies[..., 5] == right).all()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with an exam of one position, which is made quickly."""
    planes, results = np.zeros((1, 3, 3, 2), bool), np.array([[0, 0, 0, 0, 1, 0, 0, 0, -2]], np.int8)
    np.savez(tmp_path / "exam.npz", planes=planes, results=results)
    return tmp_path


def test_a_run_learns_exports_and_goes_on_after_a_kill(folder: Path) -> None:
    first = Trainer("tictactoe", folder, 1e-9, SMALL)
    for _ in range(3):
        first.iterate()
    first.run()
    second = Trainer("tictactoe", folder, 1e-9, SMALL)
    assert second.progress == first.progress
    assert second.progress["steps"] > 0
    for one, other in zip(jax.tree.leaves(first.learned), jax.tree.leaves(second.learned), strict=True):
        assert (np.asarray(one) == np.asarray(other)).all()
    line = json.loads((folder / "curve.jsonl").read_text(encoding="utf-8").splitlines()[-1])
    assert line["agreement"] in (0, 1)
    assert line["games"] == first.progress["games"]
    network = Network(load_weights(folder / "weights.npz"))
    assert network.evaluate(planes_of(setup("tictactoe").start(), 3))[0].shape == (9,)


def test_a_checkpoint_of_another_network_is_refused(tmp_path: Path) -> None:
    checkpoint.save(tmp_path, {"a": np.ones(2)}, None, {"steps": 1})
    with pytest.raises(ValueError, match="another shape"):
        checkpoint.load(tmp_path, {"a": np.ones(3)})


def test_the_exam_of_tictactoe_has_exact_results(tmp_path: Path) -> None:
    questions = exam("tictactoe", tmp_path / "exam.npz")
    centre = setup("tictactoe").start().play(4)
    place = [np.array_equal(planes, planes_of(centre, 3)) for planes in questions.planes].index(True)
    assert questions.results[place].tolist() == [0, -1, 0, -1, -2, -1, 0, -1, 0], "only corners hold the draw"
    assert questions.agreement(questions.results.astype(float)) == 1
    assert 0 < questions.chance() < 1


def test_a_failed_checkpoint_leaves_the_last_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkpoint.save(tmp_path, {"a": np.ones(2)}, None, {"steps": 1})

    def fail(*_arguments: object) -> None:
        raise OSError("The disk is full.")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(OSError, match="full"):
        checkpoint.save(tmp_path, {"a": np.zeros(2)}, None, {"steps": 2})
    tree, samples, progress = checkpoint.load(tmp_path, {"a": np.zeros(2)})
    assert (tree["a"].tolist(), samples, progress) == ([1, 1], None, {"steps": 1})
