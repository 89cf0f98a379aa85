"""Inference: it answers as JAX does, and says what is wrong with a file of weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ai.lab.gomoku_labels import EXAM, among_first, games_of, labels_of
from ai.network.network import Network, NetworkOracle, equal_parts, load_weights, planes_of, softmax, weights_file
from ai.search.oracles import Guidance
from games.formats.text import parse
from games.registry import GAMES, setup

FIXTURE = Path(__file__).parents[2] / "data" / "network" / "fixture.npz"
LOCAL = FIXTURE.with_name("local.npz")
SHIPPED = [game for game in GAMES if weights_file(game).is_file()]


@pytest.mark.parametrize("file", [FIXTURE, LOCAL])
def test_it_answers_as_jax_does(file: Path) -> None:
    network = Network(load_weights(file))
    with np.load(file) as fixture:
        planes, logits, values = (fixture[name] for name in ("planes", "logits", "values"))
    found = [network.evaluate(board) for board in planes]
    assert np.abs(np.array([answer[0] for answer in found]) - logits).max() < 1e-4
    assert np.abs(np.array([answer[1] for answer in found]) - values).max() < 1e-4
    assert np.ptp(logits) > 0.1
    assert np.ptp(values) > 0.1


def test_a_board_is_seen_by_the_side_to_move() -> None:
    position = setup("connect4").start()
    for move in (3, 3, 0):
        position = position.play(move)
    own, other = np.moveaxis(planes_of(position, 7), -1, 0)
    assert np.argwhere(own).tolist() == [[4, 3]]
    assert np.argwhere(other).tolist() == [[5, 0], [5, 3]]


def test_a_local_network_sees_the_same_far_from_the_edge_of_any_board() -> None:
    weights = load_weights(LOCAL)
    small, large = Network(weights, (15, 15)), Network(weights, (19, 18))
    board = np.zeros((15, 15, 2))
    board[7, 7, 0] = board[8, 6, 1] = 1
    logits, _value = small.evaluate(board)
    others, _value = large.evaluate(np.pad(board, ((1, 3), (2, 1), (0, 0))))
    assert (others.shape, large.height, large.width, large.moves) == ((342,), 19, 18, 342)
    inner = logits.reshape(15, 15)[3:-3, 3:-3]
    assert np.allclose(inner, others.reshape(19, 18)[4:-6, 5:-4], atol=1e-5)
    assert np.ptp(inner) > 0.1


def test_a_network_with_a_head_for_one_board_plays_on_no_other() -> None:
    with pytest.raises(ValueError, match="another board"):
        Network(load_weights(FIXTURE), (7, 7))


def test_large_logits_are_probabilities_too() -> None:
    assert softmax(np.array([900, 900, 0], np.float32), (0, 1)) == {0: 0.5, 1: 0.5}


def damaged(folder: Path, file: Path = FIXTURE, **changes: Any) -> Path:
    with np.load(file) as fixture:
        arrays = {name: fixture[name] for name in fixture.files} | changes
    np.savez(folder / "weights.npz", **{name: array for name, array in arrays.items() if array is not None})
    return folder / "weights.npz"


@pytest.mark.parametrize(
    "changes",
    [
        {"shape": np.array([6, 7])},
        {"moves/w": None},
        {"1/first/w": np.zeros((72, 7))},
        {"output/b": np.array([np.nan])},
        {"value/w": np.full((8, 4), np.inf)},
        {"1/first/b": np.zeros(7)},
        {"shape": np.array([7, 7, 7])},
    ],
)
def test_weights_that_do_not_fit_are_refused(tmp_path: Path, changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="cannot be read: it is damaged"):
        load_weights(damaged(tmp_path, **changes))


@pytest.mark.parametrize("changes", [{"shape": np.array([5, 6, 31])}, {"input/w": np.zeros((18, 4))}])
def test_weights_of_a_local_network_that_do_not_fit_are_refused(tmp_path: Path, changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="cannot be read: it is damaged"):
        load_weights(damaged(tmp_path, LOCAL, **changes))


def test_a_truncated_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "weights.npz"
    file.write_bytes(FIXTURE.read_bytes()[:3000])
    with pytest.raises(ValueError, match="cannot be read"):
        load_weights(file)
    with pytest.raises(ValueError, match=r"none.npz” cannot be read: No such file or directory\."):
        load_weights(tmp_path / "none.npz")


@pytest.mark.parametrize(("rows", "size", "parts"), [
    (6, 43_690, 1), (6, 43_691, 2), (6, 131_072, 3), (6, 131_073, 6), (6, 1 << 20, 6), (7, 37_450, 7), (1, 1 << 20, 1),
    (8, 1 << 16, 2),
])  # fmt: skip
def test_a_product_is_split_into_equal_parts_of_at_most_262144_multiplications(
    rows: int, size: int, parts: int
) -> None:
    """So that each takes one thread."""
    assert equal_parts(rows, size) == parts


@pytest.mark.parametrize("game", SHIPPED)
def test_shipped_weights_fit_the_board_and_are_small(game: str) -> None:
    network = Network(load_weights(weights_file(game)))
    assert GAMES[game].board(GAMES[game].size) == (network.width, network.height)
    assert weights_file(game).stat().st_size <= 3_000_000


def test_the_network_of_connect_four_has_learned() -> None:
    """Its first choice keeps the best result far more often than chance would, in 300 positions of the exam."""
    network = Network(load_weights(weights_file("connect4")))
    with np.load(FIXTURE.with_name("exam.npz")) as exam:
        planes, results = exam["planes"], exam["results"]
    logits = np.array([network.evaluate(board)[0] for board in planes])
    chosen = np.where(results == -2, -np.inf, logits).argmax(axis=1)
    best = results == results.max(axis=1, keepdims=True)
    chance = np.mean(best.sum(axis=1) / (results != -2).sum(axis=1))
    assert np.mean(best[np.arange(len(chosen)), chosen]) > chance + 0.2


@pytest.mark.parametrize(("first", "step"), [(35, 1), (35, 15), (187, -1), (183, -15), (110, 1), (95, 15)])
def test_the_network_of_gomoku_has_learned_to_stop_an_open_three(first: int, step: int) -> None:
    """In different places, level and upright. Chance would find one of the four defences in 1 of 55."""
    three = [first + step * number for number in range(3)]
    position = setup("gomoku").start()
    for move in (three[0], 112 + 45, three[1], 112 + 48, three[2]):
        position = position.play(move)
    logits, _value = Network(load_weights(weights_file("gomoku"))).evaluate(planes_of(position, 15))
    logits[[*three, 112 + 45, 112 + 48]] = -np.inf
    assert logits.argmax() in [first + step * number for number in (-2, -1, 3, 4)]


def test_the_network_of_gomoku_agrees_with_the_engine_far_more_often_than_chance() -> None:
    """Five of more than 200 empty cells have the engine's move in 2 % of positions by chance."""
    labels = labels_of(games_of(EXAM)).chosen(np.arange(0, 800, 8))
    network = Network(load_weights(weights_file("gomoku")))
    logits = np.array([network.evaluate(board)[0] for board in labels.planes()])
    assert among_first(logits, labels, 5) > 0.6


def test_a_forced_reply_is_judged_by_what_follows_it() -> None:
    oracle = NetworkOracle("gomoku")
    position = parse("h8a1h9c1h10h11h7", setup("gomoku")).position
    (forced,) = position.candidates()
    judged = oracle.evaluate(position)
    assert judged.priors == {forced: 1.0}
    assert judged.value == pytest.approx(-oracle.evaluate(position.play(forced)).value)
    two = parse("h8a1h9c1h10e1h11", setup("gomoku")).position
    assert 0.0 < min(oracle.evaluate(two).priors.values()) < 1.0


@pytest.mark.parametrize(
    ("moves", "value"),
    [
        ("gdcadgefabffgcafcffedegbc", -1.0),
        ("gdfeagaefcfabcafeefagacgcfeb", 1.0),
        ("ebcbbcagcagdafefcbdcacbdfd", -1.0),
        ("edfgedaebddeababc", 1.0),
        ("fcbfbeefgcbegacbecgefgdfafebccdaagdaabg", 0.0),
    ],
)
def test_forced_moves_to_the_end_are_worth_the_result(moves: str, value: float) -> None:
    position = parse(moves, setup("connect4")).position
    (forced,) = position.candidates()
    assert NetworkOracle("connect4").evaluate(position) == Guidance({forced: 1.0}, value)


def test_a_win_at_once_is_not_asked_for() -> None:
    position = parse("dadada", setup("connect4")).position
    assert NetworkOracle("connect4").evaluate(position) == Guidance({3: 1.0}, 1.0, (3,), 1)
