"""What the engine's patterns say of a position does not depend on the positions before, and its wins are wins."""

from __future__ import annotations

import random

import pytest

from ai.core.player import Limit, answer
from ai.gomoku.engine import GomokuEngine
from ai.gomoku.gomoku_oracles import PatternsOracle
from ai.gomoku.kernels.guide import FOURS
from ai.lab.engine_speed import problems
from ai.search.mcts import Mcts
from games.formats.text import parse
from games.line import LinePosition
from games.registry import GAMES, setup
from tests.sampling import sampled

RULES = GAMES["gomoku"].rules


def wandering(rule: str, size: int, count: int, seed: int) -> list[LinePosition]:
    """Positions as a tree search visits them: each goes on from one of the last ones."""
    dice, found = random.Random(seed), [LinePosition.empty(size, size, 5, rule)]
    while len(found) < count:
        position = dice.choice(found[-6:])
        after = position.play(dice.choice(list(position.candidates()[:8])))
        if after.outcome is None:
            found.append(after)
        else:
            found.append(found[0])
    return found


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", sampled([7, 15], 1))
def test_the_board_follows_the_search(rule: str, size: int) -> None:
    following = PatternsOracle()
    for position in wandering(rule, size, 120, size):
        fresh, guidance = PatternsOracle().evaluate(position), following.evaluate(position)
        assert bool(guidance.win) == bool(fresh.win)
        if not guidance.win:
            assert guidance.value == fresh.value
            assert guidance.complete == fresh.complete
        assert guidance.priors.keys() <= set(position.legal_moves())
        assert sum(guidance.priors.values()) == pytest.approx(1.0)
        assert -1.0 <= guidance.value <= 1.0


@pytest.mark.parametrize("rule", RULES)
def test_its_wins_are_wins(rule: str) -> None:
    oracle, engine, wins = PatternsOracle(), GomokuEngine(memory_mb=1), 0
    for position in wandering(rule, 15, 250, 3):
        guidance = oracle.evaluate(position)
        if guidance.win:
            wins += 1
            found = engine.vcf(position)
            assert found is not None
            assert found.mate is not None
            after = position.play(guidance.win[0])
            if after.outcome is None:
                assert len(after.candidates()) >= 1
                reply = after.play(after.candidates()[0])
                assert reply.outcome is None
                assert engine.vcf(reply) is not None
    assert wins > 5


def test_only_the_fifth_stone_is_blocked() -> None:
    position = parse("h8a1h9a2h10a3h11", setup("gomoku")).position
    guidance = PatternsOracle().evaluate(position)
    assert set(map(position.move_text, guidance.priors)) <= {"h12", "h7"}
    assert guidance.complete
    assert guidance.value < 0


def test_the_search_finds_wins_by_fours() -> None:
    player = Mcts(PatternsOracle())
    for problem in list(problems())[::6]:
        info = answer(player, problem.position, Limit(nodes=100))
        if problem.plies and problem.plies <= 2 * FOURS:
            assert info.mate is not None
            assert info.mate >= problem.plies


def test_other_games_are_refused() -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        PatternsOracle().evaluate(LinePosition.empty(3, 3, 3))
