"""A model gives each move its probability."""

from __future__ import annotations

from itertools import islice

import pytest

from ai.players.opponent.chances import chances, tactics
from ai.players.opponent.model import OpponentModel, choices
from games.registry import GAMES
from tests.ai.players.opponent.positions import at, random_positions


@pytest.mark.parametrize("game", GAMES)
def test_the_probabilities_of_legal_moves_add_up_to_one(game: str) -> None:
    model = OpponentModel(misses=dict.fromkeys(tactics(game).kinds, 0.3))
    for position in islice(random_positions(game, 4, 2), 60):
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


def test_the_higher_the_temperature_the_less_the_best_move_is_preferred() -> None:
    position = at("connect4", "dddcc")
    most = [max(OpponentModel(temperature=each).replies(position).values()) for each in (0.01, 0.05, 0.3)]
    assert most == sorted(most, reverse=True)
