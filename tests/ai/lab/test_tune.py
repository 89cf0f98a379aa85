"""Fit weights to games: known weights must be recovered."""

from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ai.arena import executors
from ai.arena.journal import BadJournal
from ai.core.player import Limit
from ai.gomoku import tables
from ai.gomoku.engine_board import Board
from ai.gomoku.kernels import patterns as p
from ai.gomoku.kernels.board import make
from ai.gomoku.kernels.evaluate import evaluate, reset
from ai.gomoku.kernels.layout import KINDS, NO_MOVE
from ai.gomoku.tables import FAR, FITTED, Weights, distances, weights_of
from ai.lab import tune as tune_round
from ai.lab import tune_models as models
from ai.lab import tune_models as positions
from ai.lab.gomoku_labels import hand_made, save
from ai.lab.selfplay import Games, SelfPlay, columns, play
from ai.lab.tune import Round
from games.formats.text import parse
from games.position import Position

OVER_THE_BOARD = (len(positions.SETS), p.PATTERNS, KINDS)
"""Lengths of the parts that are added up over the board."""


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:  # another process would load the kernels again
        patch.setattr(executors, "open_executor", lambda *_where: ThreadPoolExecutor(1))
        [file] = play(Games(p.FREESTYLE, 15, 20, 200, 1), tmp_path_factory.mktemp("games"), 1)
    return file


@pytest.mark.slow
@pytest.mark.parametrize("model", [models.Evaluation(0.5, 1e-3), models.Order(1e-3)], ids=["evaluation", "order"])
def test_the_gradient_is_that_of_the_loss(games: Path, model: models.Evaluation | models.Order) -> None:
    """Against differences of the loss itself, without the decay, which is no part of it."""
    data = positions.load([games])
    data = positions.chosen(data, np.flatnonzero(model.rows(data)))
    batch = positions.batches(data)[0]
    model.decay = 0.0
    dice = np.random.default_rng(3)
    for part in list(model.parts.values()):  # little for what is added up over the board, or all would be certain
        part[:] += dice.normal(0, 0.002 if len(part) in OVER_THE_BOARD else 0.1, part.shape)
    gradient = model.loss(data, batch)[1]
    for name, part in model.parts.items():
        at = np.unravel_index(np.argmax(np.abs(gradient[name])), part.shape)
        step = 1e-8  # short, for the loss has corners
        part[at] += step
        above = model.loss(data, batch)[0]
        part[at] -= 2 * step
        below = model.loss(data, batch)[0]
        part[at] += step
        assert (above - below) / (2 * step) == pytest.approx(gradient[name][at], rel=1e-3, abs=1e-6), name


@pytest.mark.parametrize("rule", [p.FREESTYLE, p.RENJU])
def test_the_kernels_evaluate_as_the_model_does(tmp_path: Path, rule: int) -> None:
    """Whatever its parts: these are of chance, and large enough for every unit to matter."""
    dice = np.random.default_rng(4)
    colours = [models.Evaluation(0.5, 0.0, models.forbidden(rule, side)) for side in (0, 1)]
    if rule != p.RENJU:
        colours[1] = colours[0]
    for model in dict.fromkeys(colours):
        for part in list(model.parts.values()):
            part[:] += dice.normal(0, 0.003 if len(part) in OVER_THE_BOARD else 0.3, part.shape)
    order = models.Order(0.0).weights()
    file = tmp_path / "weights.npz"
    save(file, rule, "of chance", [Weights(**model.weights() | order) for model in colours])
    for model, weights in zip(colours, weights_of(rule, str(file)), strict=True):
        model.start_from(weights)  # which are rounded; scores to quarters, in the tables
        for name in ("moving", "waiting", "both", "threat", "tempo", "output weights"):
            model.parts[name] = np.rint(4 * models.SCALE * model.parts[name]) / (4 * models.SCALE)
    games = SelfPlay(rule, 15, 200, 1)
    games.board = Board(tables.build(rule, 15, str(file)), 1023)
    st, tb = games.board.state, games.board.tables
    reset(st, tb)
    for cell in dice.permutation(games.cells)[:60]:
        make(st, tb, int(cell))
        if st.stones < 2:
            continue
        sample = games.sample(0, NO_MOVE)
        data = {"moving": sample.moving, "waiting": sample.waiting, "counts": sample.counts[None]}
        batch = positions.Batch(slice(0, 1), slice(None), np.zeros(1, np.int64), np.array([len(sample.moving)]))
        wanted = models.SCALE * colours[st.side].look(data, batch).value[0]
        assert evaluate(st, tb) == pytest.approx(wanted, abs=2), st.stones


def test_a_fit_lowers_the_loss_and_is_read_back(games: Path, tmp_path: Path) -> None:
    data = positions.load([games])
    told: list[str] = []
    note, colours = models.fit_rule(data, p.FREESTYLE, models.Fit(0.6, 8, 1e-6), told.append)
    losses = [float(text.split(": ")[1]) for text in told if text.startswith("order")]
    assert losses[-1] < losses[0]
    file = tmp_path / "weights.npz"
    save(file, p.RENJU, "left alone", [hand_made(True), hand_made(False)])
    save(file, p.FREESTYLE, note, colours)
    assert weights_of(p.RENJU, str(file))[1] is not weights_of(p.RENJU, str(file))[0]
    black, white = weights_of(p.FREESTYLE, str(file))
    assert isinstance(black, Weights)
    assert black is white
    assert len(black.moving) == len(black.making) == len(p.combinations())
    assert len(black.near_last) == FAR + 1


def test_a_fit_from_known_weights_begins_with_them(games: Path, tmp_path: Path) -> None:
    """And a strong pull back leaves them what they are."""
    data, [(_, shipped)] = positions.load([games]), [(0, weights_of(p.FREESTYLE)[0])]
    told: list[str] = []
    models.fit_rule(data, p.FREESTYLE, models.Fit(epochs=0, start=FITTED), told.append)
    rows = list(models.measured(data, p.FREESTYLE, FITTED))
    _, span, _, loss, _, order, *_ = rows[-1].split("|")
    assert span.strip() == "all"
    assert [float(text.split(": ")[1]) for text in told] == pytest.approx([float(loss), float(order)], abs=1e-4)
    for model in (models.Evaluation(0.6, 0.0), models.Order(0.0)):
        model.start_from(shipped)
        for name, values in model.weights().items():
            assert values == pytest.approx(getattr(shipped, name), abs=0.01), name
    file, known = tmp_path / "hand-made.npz", hand_made(False)
    save(file, p.FREESTYLE, "hand-made", [known])
    change = {}
    for decay in (0.0, 100.0):
        how = models.Fit(epochs=12, decay=decay, start=str(file))
        (found,) = models.fit_rule(data, p.FREESTYLE, how, told.append)[1]
        change[decay] = np.abs(found.moving - known.moving).sum()
    assert 0 < change[100.0] < change[0.0] / 2


def test_a_fit_ends_with_the_best_epoch_on_games_held_out(games: Path) -> None:
    """Here the first one: the steps are far too long. What is held out is whole games, of each file."""
    data = positions.load([games, games], [1.0, 3.0])
    told: list[str] = []
    model = models.Order(0.0)
    model.start_from(weights_of(p.FREESTYLE)[0])
    losses = models.fit(model, data, models.Fit(epochs=2, pace=100.0), 0.02, told.append)
    assert len(told) == 3
    assert [float(loss) for loss in told[0].split(": ")[1].split()] == pytest.approx(losses, abs=1e-5)
    assert losses == pytest.approx([losses[0]] * 2), "the same games"
    held = positions.held_out(data)
    assert len(np.unique(data["game"])) == 40
    assert not set(data["game"][held]) & set(data["game"][~held])


def test_a_round_goes_on_where_it_was_killed(games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After its self-play, in its match: nothing that is finished is done again."""
    monkeypatch.setattr(executors, "open_executor", lambda *_where: ThreadPoolExecutor(1))
    played: list[Position] = []

    def play_pair(_weights: bytes, position: Position, _limit: Limit) -> list[float]:
        played.append(position)
        if len(played) == 3:
            raise KeyboardInterrupt
        return [1.0, 0.5]

    monkeypatch.setattr(tune_round, "pair", play_pair)
    work = Round("freestyle", Games(p.FREESTYLE, 15, 20, 200, 1), models.Fit(epochs=1), 8, 100)
    (tmp_path / "games").mkdir()
    file = tmp_path / "games" / "00000.npz"
    file.write_bytes(games.read_bytes())
    told: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        work.run(tmp_path, 1, None, told.append)
    before, fits = (tmp_path / "candidate.npz").read_bytes(), len(told)
    assert fits == 4, "before and after the epoch, for both models"
    assert work.run(tmp_path, 1, None, told.append).startswith("New weights, 8 games: +4 =4 -0,")
    assert len(told) == fits
    assert len(set(played)) == 4
    assert [played.count(opening) for opening in played[:2]] == [1, 1]
    assert (tmp_path / "candidate.npz").read_bytes() == before
    assert file.read_bytes() == games.read_bytes()
    with pytest.raises(BadJournal):
        replace(work, match_nodes=200).run(tmp_path, 1, None, told.append)


def test_the_leaves_of_a_search_are_samples_too() -> None:
    """Each is a position that the game's searches evaluated, with a score of its own and no result; nothing but the
    samples differs from the same games without leaves."""
    plain, result = SelfPlay(p.FREESTYLE, 15, 4000, 6).game()
    found, same = SelfPlay(p.FREESTYLE, 15, 4000, 6, 300).game()
    assert same == result
    leaves = [sample for sample in found if sample.leaf]
    assert len(leaves) > 10
    assert len(found) - len(leaves) == len(plain)
    last = -1
    for sample in found:  # the leaves of a search stand before its position, and have as many stones or more
        assert sample.stones > last
        last = last if sample.leaf else sample.stones
    data = columns([(found, result)])
    assert list(np.isnan(data["result"])) == [sample.leaf for sample in found]
    model = models.Evaluation(0.6, 0.0)
    target = model.target(data)
    chance = models.sigmoid(data["score"] / models.SCALE)
    assert target == pytest.approx(np.where(np.isnan(data["result"]), chance, 0.6 * chance + 0.4 * data["result"]))


def test_a_pass_before_the_last_two_moves_of_a_leaf_is_made() -> None:
    searcher = SelfPlay(p.FREESTYLE, 15, 300, 1, 300).leaves
    assert searcher is not None
    cells = [tables.cell_of(move, 15) for move in (112, 97, 113, 127, 98)]
    assert searcher.leaf([*cells[:4], NO_MOVE]) is None
    assert searcher.leaf([*cells[:3], NO_MOVE, cells[4]]) is None
    sample = searcher.leaf([*cells[:2], NO_MOVE, *cells[2:4]])
    assert sample is not None
    assert (sample.side, sample.last, sample.before) == (1, cells[3], cells[2])
    board = np.asarray(searcher.board.state.board)
    assert [int(board[cell]) for cell in cells[:4]] == [1, 2, 2, 1]


def test_a_fit_is_scaled_in_the_end(games: Path) -> None:
    data, told = positions.load([games]), list[str]()
    plain, half = (
        models.fit_rule(data, p.FREESTYLE, models.Fit(epochs=1, start=FITTED, scale=scale), told.append)[1][0]
        for scale in (1.0, 0.5)
    )
    for name in ("moving", "waiting", "both", "threat", "tempo", "output_weights"):
        assert getattr(half, name) == pytest.approx(getattr(plain, name) / 2), name
    for name in ("hidden_weights", "input_bias", "making", "near_last"):
        assert np.array_equal(getattr(half, name), getattr(plain, name)), name


@pytest.mark.slow
def test_new_weights_play_the_old_ones() -> None:
    """A game with each colour, here from a position that is won for black."""
    shipped = Path(FITTED).read_bytes()
    assert tune_round.pair(shipped, parse("h8a1h9a3h10a5").position, Limit(nodes=200)) == [1.0, 0.0]


def test_the_shipped_weights_know_every_rule_and_both_colours_of_renju() -> None:
    for rule in (p.FREESTYLE, p.STANDARD, p.RENJU):
        black, white = weights_of(rule)
        assert black is not hand_made(rule == p.RENJU)
        assert (black is white) == (rule != p.RENJU)


def test_distances_are_symmetric_and_told_apart() -> None:
    found, half = distances(), len(distances()) // 2
    assert found[half] == 0
    for difference in (1, 32, 33, 31):
        assert found[half + difference] == found[half - difference]
    assert found[half + 1] == found[half + 32] != found[half + 33] == found[half + 31]
    assert found[half + 14] == FAR


def _without(name: str) -> bytes:
    """The shipped weights but for one array."""
    data = io.BytesIO()
    with np.load(FITTED) as arrays:
        np.savez(data, **{known: arrays[known] for known in arrays.files if known != name})
    return data.getvalue()


DAMAGED = {
    "missing": lambda: None,
    "empty": lambda: b"",
    "of another kind": lambda: b'{"0": {}}',
    "cut short": lambda: Path(FITTED).read_bytes()[:50_000],
    "overwritten": lambda: Path(FITTED).read_bytes().replace(b"\x01", b"\x02"),
    "without an array": lambda: _without("2/1/moving"),
}


@pytest.mark.parametrize("kind", DAMAGED)
def test_weights_that_cannot_be_read_are_a_sentence(tmp_path: Path, kind: str) -> None:
    file, data = tmp_path / "weights.npz", DAMAGED[kind]()
    if data is not None:
        file.write_bytes(data)
    with pytest.raises(ValueError, match=r"^The engine's weights in “.*” cannot be read: .*\.$"):
        weights_of(p.FREESTYLE, str(file))


def test_weights_of_another_shape_are_damaged(tmp_path: Path) -> None:
    file, weights = tmp_path / "weights.npz", hand_made(False)
    save(file, p.FREESTYLE, "too many", [replace(weights, near_own=np.zeros(FAR + 2, np.int64))])
    with pytest.raises(ValueError, match=r"cannot be read: it is damaged\.$"):
        weights_of(p.FREESTYLE, str(file))
