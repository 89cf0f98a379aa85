"""The network for gomoku as the guide of a search."""

from __future__ import annotations

import random

import pytest

from ai.core.player import Limit, answer
from ai.gomoku.gomoku_oracles import GuidedNetwork, PatternsOracle
from ai.network.network import NetworkOracle
from ai.players.table import Context, make
from games.position import Position
from games.registry import setup


def by_chance(size: int, dice: random.Random) -> list[int]:
    """Return the moves of the beginning of a game near the centre, which goes on after them."""
    middle = range(size // 2 - 2, size // 2 + 3)
    return dice.sample([row * size + column for row in middle for column in middle], 7)


def after(moves: list[int], size: int = 15, rule: str = "freestyle") -> Position:
    position: Position = setup("gomoku", size, rule).start()
    for move in moves:
        position = position.play(move)
    return position


@pytest.mark.parametrize(("size", "rule"), [(5, "freestyle"), (15, "renju"), (19, "standard")])
def test_the_moves_are_those_of_the_patterns_with_other_priors(size: int, rule: str) -> None:
    network, patterns, dice = GuidedNetwork(), PatternsOracle(), random.Random(1)
    compared = 0
    while compared < 2:
        position = after(by_chance(size, dice), size, rule)
        guided, known = network.evaluate(position), patterns.evaluate(position)
        assert guided.priors.keys() == known.priors.keys()
        assert sum(guided.priors.values()) == pytest.approx(1)
        assert -1 <= guided.value <= 1
        if known.win:
            assert guided == known
        elif len(known.priors) > 1:
            compared += 1
            assert guided.priors != pytest.approx(dict(known.priors))


def test_priors_are_a_weighted_geometric_mean_and_the_value_is_that_of_both() -> None:
    position = after([112, 98, 96])
    oracles = GuidedNetwork(), PatternsOracle(), NetworkOracle("gomoku")
    guided, known, network = (oracle.evaluate(position) for oracle in oracles)
    both = known.priors.keys() & network.priors.keys()
    ratios = [guided.priors[move] / (known.priors[move] ** 0.3 * network.priors[move] ** 0.7) for move in both]
    assert len(both) > 9
    assert ratios == pytest.approx([ratios[0]] * len(both))
    assert guided.value == pytest.approx((known.value + network.value) / 2)


def test_the_search_begins_in_the_centre() -> None:
    player = make("mcts:network", Context("gomoku"))
    assert answer(player, setup("gomoku").start(), Limit(nodes=5)).move == 112
