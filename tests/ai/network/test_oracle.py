"""The networks that are shipped, as guides of a search."""

from __future__ import annotations

import random

import pytest

from ai.core.player import Limit, answer
from ai.network.network import NetworkOracle
from ai.players.table import Context, make
from games.position import Position
from games.registry import setup

GAMES = {"connect4": 7, "tictactoe": 9}
"""With the number of moves."""


def by_chance(game: str, plies: int, dice: random.Random) -> list[int]:
    """Return the moves of the beginning of a game, which goes on after them."""
    moves: list[int] = []
    position: Position = setup(game).start()
    while len(moves) < plies and position.outcome is None:
        moves.append(dice.choice(list(position.legal_moves())))
        position = position.play(moves[-1])
    return moves if position.outcome is None else by_chance(game, plies, dice)


def after(game: str, moves: list[int]) -> Position:
    position: Position = setup(game).start()
    for move in moves:
        position = position.play(move)
    return position


@pytest.mark.parametrize("game", GAMES)
def test_priors_are_probabilities_of_legal_moves(game: str) -> None:
    oracle, dice = NetworkOracle(game), random.Random(1)
    for plies in range(GAMES[game]):
        position = after(game, by_chance(game, plies, dice))
        guidance = oracle.evaluate(position)
        assert set(guidance.priors) <= set(position.legal_moves())
        assert sum(guidance.priors.values()) == pytest.approx(1)
        assert -1 <= guidance.value <= 1


def test_a_mirrored_position_has_similar_priors() -> None:
    """More so than the same position has with its columns exchanged."""
    oracle, dice = NetworkOracle("connect4"), random.Random(1)
    mirrored = unlike = 0.0
    for _ in range(50):
        moves = by_chance("connect4", 8, dice)
        priors = oracle.evaluate(after("connect4", moves)).priors
        others = oracle.evaluate(after("connect4", [6 - move for move in moves])).priors
        mirrored += sum(abs(prior - others[6 - move]) for move, prior in priors.items())
        unlike += sum(abs(prior - priors.get(6 - move, 0.0)) for move, prior in priors.items())
    assert mirrored < 0.7 * unlike


def test_the_search_begins_in_the_centre() -> None:
    player = make("mcts:network", Context("connect4"))
    assert answer(player, setup("connect4").start(), Limit(nodes=200)).move == 3


def test_a_network_is_for_its_game_only() -> None:
    with pytest.raises(ValueError, match="No network"):
        make("mcts:network", Context("bones"))
