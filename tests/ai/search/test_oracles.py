"""What oracles for any game say: priors in the order of candidates, wins at once, forced moves, and random games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import pytest

from ai.core.score import curve_of
from ai.search.oracles import CachingOracle, Guidance, PlayoutOracle, StaticOracle, follow_forced_moves, result
from games.bones import BonesPosition
from games.formats.text import parse
from games.line import LinePosition
from games.position import Outcome, Position
from games.registry import setup


@dataclass(frozen=True)
class Endless:
    """A game that never ends, with one move."""

    ply: int = 0
    game = "endless"
    outcome = None
    turn = 0

    @property
    def key(self) -> int:
        return self.ply

    def legal_moves(self) -> Sequence[int]:
        return (0,)

    candidates = legal_moves

    def evaluate(self) -> int:
        return 0

    def play(self, move: int) -> Endless:
        return Endless(self.ply + 1)


def at(moves: str, game: str = "tictactoe") -> Position:
    return parse(moves, setup(game)).position


def test_priors_fall_from_candidate_to_candidate() -> None:
    position = at("d d", "connect4")
    found = StaticOracle().evaluate(position)
    assert list(found.priors) == list(position.candidates())
    priors = list(found.priors.values())
    assert sum(priors) == pytest.approx(1)
    assert [after / before for before, after in pairwise(priors)] == pytest.approx([0.8] * 6)


def test_the_value_is_that_of_the_evaluation_for_the_side_to_move() -> None:
    for moves in ("d", "d d c"):
        position = at(moves, "connect4")
        wins = curve_of(position).probability(position.evaluate(), position.ply)
        assert StaticOracle().evaluate(position).value == pytest.approx(2 * wins - 1)
        assert wins != 0.5


def test_a_win_at_once_is_proven_and_another_first_candidate_is_none() -> None:
    position = at("a3 a1 b3 c1")
    assert StaticOracle().evaluate(position) == Guidance({2: 1.0}, 1.0, (2,), 1)
    assert StaticOracle().evaluate(BonesPosition(4)).win == ()


def test_a_forced_move_is_judged_by_what_follows() -> None:
    """Black has to block, and has then lost or not."""
    lost = at("d a d b d", "connect4")
    (forced,) = lost.candidates()
    after = lost.play(forced)
    wins = curve_of(after).probability(after.evaluate(), after.ply)
    assert StaticOracle().evaluate(lost).value == pytest.approx(1 - 2 * wins)
    draw = at("a1 a2 b1 c1 c2 b2 a3 b3")
    assert StaticOracle().evaluate(draw) == Guidance({2: 1.0}, 0.0)


def test_forced_moves_are_followed_for_eight_plies() -> None:
    assert follow_forced_moves(Endless(), (0,)).ply == 8  # type: ignore[arg-type]
    assert follow_forced_moves(BonesPosition(3), (1, 2, 3)) == BonesPosition(3)


def test_a_random_game_that_does_not_end_is_a_draw() -> None:
    class Counted(Endless):
        def play(self, move: int) -> Endless:
            played.append(move)
            return self

    played: list[int] = []
    assert PlayoutOracle(2, 1).evaluate(Counted()) == Guidance({0: 1.0}, 0.0)  # type: ignore[arg-type]
    assert len(played) == 800


def test_a_random_game_is_won_by_who_takes_the_last_bone() -> None:
    for turn in (0, 1):
        assert PlayoutOracle(3, 1).evaluate(BonesPosition(1, turn=turn)) == Guidance({1: 1.0}, 1.0)
    found = PlayoutOracle(400, 1).evaluate(BonesPosition(2))
    assert found.priors == {1: 0.5, 2: 0.5}
    assert found.value == pytest.approx(0.0, abs=0.1)
    assert PlayoutOracle(1, 1).evaluate(LinePosition.empty(1, 1, 2)).value == 0.0


def test_the_same_position_is_asked_once() -> None:
    class Counting:
        def evaluate(self, position: Position) -> Guidance:
            asked.append(position)
            return Guidance({1: 1.0}, len(asked))

    asked: list[Position] = []
    oracle = CachingOracle(Counting())
    assert [oracle.evaluate(BonesPosition(left)).value for left in (5, 6, 5)] == [1, 2, 1]
    assert [result(Outcome(winner, "")) for winner in (0, 1, None)] == [1.0, -1.0, 0.0]
