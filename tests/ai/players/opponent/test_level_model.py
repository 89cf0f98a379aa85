"""The model of a level has the probabilities with which the level plays."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import product
from math import prod, sqrt

import pytest

from ai.core.player import Budget, Limit, Stop, answer
from ai.players.levels import ShallowSearch
from ai.players.opponent.model import LevelModel, chances_of_greatest
from ai.players.opponents import Level, opponents
from tests.ai.players.opponent.positions import at


@pytest.mark.parametrize(("game", "moves", "number"), [("tictactoe", "a1b2", 1), ("connect4", "dddcb", 2)])
def test_a_level_plays_as_often_as_its_model_says(game: str, moves: str, number: int) -> None:
    position, level, seeds = at(game, moves), opponents(game).levels[number - 1], 200
    played = Counter(answer(ShallowSearch(level, seed), position, Limit()).move for seed in range(seeds))
    replies = LevelModel(level).replies(position)
    assert set(played) <= set(replies)
    assert len(replies) > 2
    for move, chance in replies.items():
        assert abs(played[move] / seeds - chance) < 4 * sqrt(chance * (1 - chance) / seeds)


@pytest.mark.parametrize("scores", [(0, 1, -1), (2, 2), (0, 3, 0, 1), (-30, 0)])
def test_the_greatest_score_is_the_first_of_the_greatest(scores: tuple[int, ...]) -> None:
    noises = {-2: 0.5, -1: 1.0, 0: 1.0, 1: 1.0, 2: 0.5}  # rounded from a uniform number between -2 and 2
    expected: dict[int, float] = defaultdict(float)
    for drawn in product(noises, repeat=len(scores)):
        noisy = [score + noise for score, noise in zip(scores, drawn, strict=True)]
        expected[noisy.index(max(noisy))] += prod(noises[noise] / 4 for noise in drawn)
    chances = chances_of_greatest(scores, 2)
    assert chances == pytest.approx([expected[index] for index in range(len(scores))])


def test_noise_hides_no_win() -> None:
    replies = LevelModel(Level(depth=1, noise=1000, error_rate=0.14)).replies(at("connect4", "aabbcc"))
    assert replies[3] == pytest.approx(0.86 + 0.14 / 7)
    assert len(replies) == 7


def test_what_is_found_in_too_little_time_is_not_kept() -> None:
    model, stop, position = LevelModel(Level(depth=2, noise=60)), Stop(), at("connect4", "ddcc")
    stop.set()
    assert len(model.replies(position, Budget(Limit(), stop))) == 1
    assert len(model.replies(position)) > 1
