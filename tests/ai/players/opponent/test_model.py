"""A model gives each move its probability; a fit recovers what a player is like, and says how sure it is."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from ai.lab.trickster_check import made_moves
from ai.players.opponent.chances import chances, tactics, win_chances
from ai.players.opponent.model import (
    RATE,
    TEMPERATURE,
    TEMPERATURES,
    Figure,
    LevelModel,
    OpponentModel,
    StudiedGame,
    Tally,
    choices,
    encoded,
    fit,
    path,
    rate_of,
    read_games,
    tally_of,
)
from ai.players.opponents import Level
from games.fields import DecodeError, decode
from games.registry import GAMES, setup
from games.storage import write_atomic
from tests.ai.players.opponent.positions import at, random_positions


@pytest.mark.parametrize("of_level", [True, False])
@pytest.mark.parametrize("game", GAMES)
def test_the_probabilities_of_legal_moves_add_up_to_one(game: str, of_level: bool) -> None:
    level = LevelModel(Level(depth=1, breadth=5, noise=30, error_rate=0.2))
    model = level if of_level else OpponentModel(misses=dict.fromkeys(tactics(game).kinds, 0.3))
    for position in islice(random_positions(game, 4, 2), 20 if of_level else 60):
        replies = model.replies(position)
        assert sum(replies.values()) == pytest.approx(1)
        assert set(replies) <= set(position.legal_moves())
        assert list(replies.values()) == sorted(replies.values(), reverse=True)


def test_choices_divide_the_moves_and_hold_the_one_that_was_played() -> None:
    position = at("gomoku", "h8a1i8a3k8")
    far = position.parse_move("o15")
    moves = [move for choice in choices(position, far) for move in choice.moves]
    assert len(moves) == len(set(moves))
    assert far in moves


@pytest.mark.parametrize("rate", [0.0, 0.25, 1.0])
def test_a_chance_is_overlooked_with_the_probability_of_its_kind(rate: float) -> None:
    position = at("connect4", "agcgd")
    (chance,) = chances(position)
    replies = OpponentModel(misses={chance.kind: rate}).replies(position)
    assert sum(replies[move] for move in replies if move not in chance.moves) == pytest.approx(rate)


def test_who_overlooks_several_things_overlooks_each() -> None:
    position = at("gomoku", "h8h10i8i10k8k10h1j10l8")  # white can make five, and must else prevent that black does
    kinds = [chance.kind for chance in chances(position)]
    assert kinds[:2] == ["win", "broken_four"]
    five, block = (next(iter(chance.moves)) for chance in chances(position)[:2])
    replies = OpponentModel(misses={"win": 0.5, "broken_four": 0.4}).replies(position)
    assert replies[block] == pytest.approx(0.5 * 0.6, abs=1e-3)
    assert sum(replies[move] for move in chances(position)[0].moves) == pytest.approx(0.5)
    assert five != block
    for stage in choices(at("connect4", "agcgd")):
        seen = [win_chances(stage.position, stage.moves, depth) for depth in (1, 2)]
        assert stage.win_chances(2) == seen[0 if stage.overlooked else 1]
        assert seen[0] != seen[1]


def test_what_is_fitted_to_moves_is_their_log_likelihood() -> None:
    fits = tally_of([(at("connect4", "dd"), 3)]).fits
    assert [list(row[::11]) for row in fits[:1]] == [[-1.6743, -1.6145, -1.7814, -1.8815, -1.9225, -1.9376]]
    less, more = Tally(1, {"win": (1, 2)}), Tally(2, {"block": (0, 3), "win": (1, 1)}, fits)
    assert less + more == more + less == Tally(3, {"win": (2, 3), "block": (0, 3)}, fits)
    doubled = Tally(4, {"win": (2, 2), "block": (0, 6)}, tuple(tuple(2 * log for log in row) for row in fits))
    assert more + more == doubled


MOST = 2 * TEMPERATURES[-1]


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (OpponentModel, [{}, {"temperature": 0.004}, {"temperature": MOST}, {"depth": 8}, {"misses": {"a": 0, "b": 1}}],
         [{"temperature": 0.0039}, {"temperature": MOST + 0.01}, {"depth": 0}, {"depth": 9}, {"misses": {"a": -0.1}},
          {"misses": {"a": 1.1}}]),
        (Tally, [{}, {"moves": 0, "missed": {"a": [0, 0]}}, {"fits": []}, {"fits": [[-1] * len(TEMPERATURES)] * 8}],
         [{"moves": -1}, {"missed": {"a": [0, -1]}}, {"fits": [[-1] * len(TEMPERATURES)] * 9}, {"fits": [[-1]]}]),
    ],
)  # fmt: skip
def test_the_bounds_of_what_is_read(kind: Any, good: list[dict[str, Any]], bad: list[dict[str, Any]]) -> None:
    assert decode(kind, {}, "it") == kind()
    for facts in good:
        decode(kind, facts, "it")
    for facts in bad:
        with pytest.raises(DecodeError):
            decode(kind, facts, "it")


def test_the_higher_the_temperature_the_less_the_best_move_is_preferred() -> None:
    position = at("connect4", "dddcc")
    most = [max(OpponentModel(temperature=each).replies(position).values()) for each in (0.01, 0.05, 0.3)]
    assert most == sorted(most, reverse=True)


TRUTH = {
    "tictactoe": {"win": 0.1, "block": 0.45, "fork": 0.5, "fork_block": 0.3},
    "gomoku": {
        "win": 0.05, "four": 0.1, "broken_four": 0.4, "attack": 0.3,
        "three": 0.2, "broken_three": 0.6, "double": 0.7,
    },
    "bones": {"multiple": 0.35},
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("game", TRUTH)
def test_the_rates_of_a_player_are_recovered_within_their_intervals(game: str) -> None:
    """At most a third lies beyond its interval of 90 %; `trickster_check calibrate` counts many."""
    truth = OpponentModel(temperature=0.05, misses=TRUTH[game])
    fitted = fit(game, tally_of(made_moves(setup(game), truth, 300, 1)))
    outside = [kind for kind, rate in fitted.rates.items() if not rate.low <= TRUTH[game][kind] <= rate.high]
    assert len(outside) <= len(TRUTH[game]) // 3, (outside, fitted)
    assert fitted.temperature.low <= 0.05 <= fitted.temperature.high or game == "bones"
    assert sum(met for _, met in fitted.tally.missed.values()) > 100


@pytest.mark.slow
def test_a_player_who_looks_further_ahead_is_told_from_one_who_does_not() -> None:
    for depth in (1, 3):
        truth = OpponentModel(temperature=0.01, depth=depth, misses=dict.fromkeys(tactics("connect4").kinds, 0.0))
        fitted = fit("connect4", tally_of(made_moves(setup("connect4"), truth, 30, 1)))
        assert fitted.depth == depth


@pytest.mark.parametrize(("game", "depths"), [("connect4", 4), ("tictactoe", 2), ("gomoku", 1), ("bones", 1)])
def test_the_depth_that_explains_the_moves_best_is_fitted(game: str, depths: int) -> None:
    rows = [[-40.0 if row == best else -50.0 for row in range(depths + 1)] for best in range(depths)]
    fits = [tuple((log,) * len(TEMPERATURES) for log in row) for row in rows]
    assert [fit(game, Tally(1, {}, each)).depth for each in fits] == list(range(1, depths + 1))
    position = setup(game).start()
    assert len(tally_of([(position, position.candidates()[0])]).fits) == depths


def test_a_depth_that_explains_a_player_at_many_temperatures_is_preferred_to_one_at_a_single() -> None:
    at_one = tuple(-10.0 if each == min(TEMPERATURES, key=lambda one: abs(one - TEMPERATURE)) else -40.0
                   for each in TEMPERATURES)  # fmt: skip
    at_many = (-10.1,) * len(TEMPERATURES)
    assert [fit("connect4", Tally(1, {}, fits)).depth for fits in ((at_one, at_many), (at_many, at_one))] == [2, 1]


def test_without_games_the_fit_is_the_prior() -> None:
    fitted = fit("gomoku", Tally())
    assert {rate.mean for rate in fitted.rates.values()} == {RATE}
    assert all(rate.high - rate.low > 0.3 for rate in fitted.rates.values())
    assert fitted.temperature.high > 4 * fitted.temperature.low
    mean, low, high = fitted.temperature.mean, fitted.temperature.low, fitted.temperature.high
    assert low * high == pytest.approx(TEMPERATURE**2, rel=0.1), "symmetric on a logarithmic scale"
    assert (mean, low, high) == pytest.approx((0.1204509, 0.0144995, 0.4074724), rel=1e-5)


def test_the_more_is_known_the_narrower_is_the_interval() -> None:
    few, many = rate_of(3, 10), rate_of(300, 1000)
    assert few == Figure(pytest.approx(3.6 / 13), 0.1015, 0.493), "the quantiles of a Beta distribution"
    assert few.low < many.low < 0.3 < many.high < few.high
    for missed, low, high in ((0, 0.00025, 0.0005), (20_000, 0.9995, 0.99975)):
        mean = pytest.approx((0.6 + missed) / 20_003)
        assert rate_of(missed, 20_000) == Figure(mean, pytest.approx(low), pytest.approx(high))


def test_a_threat_that_was_not_answered_is_counted_as_overlooked() -> None:
    position = at("gomoku", "h8a1i8a3k8")
    counted = [tally_of([(position, position.parse_move(move))]).missed for move in ("j8", "l8", "b1")]
    assert [each["broken_three"] for each in counted] == [(0, 1), (0, 1), (1, 1)]


def test_the_games_of_a_person_who_plays_much_are_read_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Sixty games of Connect Four take more than 100 kB."""
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    fits = tuple(tuple(-1.234567890123456 * step for step, _ in enumerate(TEMPERATURES, 1)) for _ in range(4))
    tally = Tally(0, {"win": (0, 2)}, fits)
    known = {f"{number}.tengen.json": StudiedGame(game="connect4", stamp=[1, 2], tally=tally) for number in range(60)}
    write_atomic(path(), encoded(known))
    assert encoded({}) == b'{"format": "tengen-habits", "version": 1, "games": {}}', "or they are learned again"
    assert read_games() == known
