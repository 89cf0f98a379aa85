"""Wins by threats: every proof is replayed against all defences by the rules and a plain solver of fours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

import pytest

from ai.core.player import Stop
from ai.gomoku import threat_solver
from ai.gomoku.threat_solver import MainLine, Proof, ThreatProver, ThreatSolver
from games.formats.text import parse
from games.line import LinePosition
from games.registry import setup
from tests.ai.gomoku.plain_vcf import Solver, fives


@cache
def solver() -> ThreatSolver:
    return ThreatSolver()


def at(moves: str, rule: str = "freestyle") -> LinePosition:
    position = parse(moves, setup("gomoku", 9, rule)).position
    assert isinstance(position, LinePosition)
    return position


def gap(position: LinePosition, proof: Proof, by_fours: Solver | None = None) -> list[int] | None:
    """Return moves after which the win is not proven, or None if there are none."""
    by_fours, side = by_fours or Solver(), position.turn
    after = position.play(proof.move)
    if after.outcome is not None:
        return None if after.outcome.winner == side else [proof.move]
    threats, answers = fives(after, side), dict(proof.defences)
    for reply in after.legal_moves():
        answered = after.play(reply)
        if answered.outcome is not None:
            return [proof.move, reply]
        further: list[int] | None = None
        if reply in answers:
            further = gap(answered, answers[reply], by_fours)
        elif not threats - {reply} and not by_fours.wins(answered):
            further = []
        if further is not None:
            return [proof.move, reply, *further]
    return None


CROSSED_TWOS = "e5e6f5a3g4a5g3a9"
"""On a small board: black's twos cross at g5, where one stone makes two open threes."""
COUNTER_FOURS = "e5a1f5a3g4a5g3a9"
"""The same, but white's stones can make fours in between."""


@pytest.mark.parametrize(
    ("moves", "rule", "first", "plies"),
    [
        pytest.param("e5a1f5a3g5a5", "freestyle", "d5", 3, id="an open four"),
        pytest.param(CROSSED_TWOS, "freestyle", "g5", 5, id="two open threes at once"),
        pytest.param(CROSSED_TWOS, "renju", "f4", 11, id="where a double three is forbidden", marks=pytest.mark.slow),
        pytest.param(COUNTER_FOURS, "standard", "g5", 9, id="the defender makes fours", marks=pytest.mark.slow),
    ],
)
def test_a_win_is_proven_against_every_defence(moves: str, rule: str, first: str, plies: int) -> None:
    position = at(moves, rule)
    proof = solver().prove(position)
    assert proof is not None
    assert (position.move_text(proof.move), proof.plies, gap(position, proof)) == (first, plies, None)


QUIET = "j10j8f6i6g5j6j4i7h4i3k4l4k5i9i5l6h5"
"""White wins by a quiet move that makes a four possible, and not by fours and open threes."""
BLOCK = "f6g6j8e5i9f5h10k7g5e4h7e3e6d3c2d5g11"
"""White blocks a five with a move that makes neither a four nor a three, and then threatens to win by fours."""


@pytest.mark.parametrize(
    ("moves", "first", "plies"),
    [
        pytest.param(QUIET, "j5", 11, id="quiet", marks=pytest.mark.slow),
        pytest.param(BLOCK, "f12", 9, id="block", marks=pytest.mark.slow),
    ],
)
def test_quiet_moves_and_blocks_threaten_too(moves: str, first: str, plies: int) -> None:
    position = parse(moves, setup("gomoku", 15, "freestyle")).position
    assert isinstance(position, LinePosition)
    proof = solver().prove(position)
    assert proof is not None
    assert (position.move_text(proof.move), proof.plies, gap(position, proof)) == (first, plies, None)


def test_a_quiet_move_and_a_block_may_begin_the_shortest_win() -> None:
    wins = [parse(moves, setup("gomoku", 15, "freestyle")).position for moves in (QUIET, BLOCK)]
    assert [solver().plies(position) for position in wins] == [11, 9]


def test_a_win_that_would_take_too_many_plies_is_not_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threat_solver, "LONGEST", 7)
    assert solver().plies(at(COUNTER_FOURS, "standard")) == 0
    assert not solver().complete


@pytest.mark.slow
def test_a_win_whose_shortening_was_broken_off_is_written_down_from_the_first_search() -> None:
    """It was looked for once more, under a limit of plies that had not been searched: for as long as that took."""
    position = at(CROSSED_TWOS, "renju")
    plies = solver().plies(position, nodes=10_500)
    searched = solver().nodes
    line = solver().line(position, nodes=10_500)
    assert line is not None
    assert plies >= line.plies > 11, "the shortest has 11"
    assert 10_500 <= searched < solver().nodes < 12_000


def test_a_stop_after_a_win_was_found_leaves_its_line() -> None:
    class Late(Stop):
        """It is set when the search for a shorter win ends."""

        @contextmanager
        def calling(self, action: Callable[[], None]) -> Iterator[None]:
            if self.is_set():
                action()
            yield
            self.set()

    position = at(CROSSED_TWOS)
    line, proof = solver().line(position, stop=Late()), solver().prove(position, stop=Late())
    assert line is not None
    assert proof is not None
    assert line.plies == proof.plies == 5


def test_a_line_follows_the_longest_defence_and_is_a_tree_too() -> None:
    position = at(CROSSED_TWOS)
    line = solver().line(position)
    assert line is not None
    assert (len(line.moves), line.plies, position.move_text(line.moves[0])) == (3, 5, "g5")
    assert MainLine((1, 4, 5, 6, 7), 7, False).proof() == Proof(
        1, 7, ((4, Proof(5, 5, ((6, Proof(7, 3)),), whole=False)),), whole=False
    )


def test_a_tree_that_is_too_large_becomes_an_outline_that_answers_the_defences_of_its_longest_line() -> None:
    position = at(CROSSED_TWOS)
    whole, outline = (solver().prove(position, most=most) for most in (1_000, 1))
    assert whole is not None
    assert outline is not None
    assert (whole.whole, outline.whole) == (True, False)
    assert {move for move, _ in outline.defences} == {move for move, _ in whole.defences}
    assert outline.plies == whole.plies


def test_a_win_may_have_to_begin_with_a_move() -> None:
    position = at(CROSSED_TWOS)
    g5, a1 = (position.parse_move(text) for text in ("g5", "a1"))
    assert [solver().plies(position, first=move) for move in (g5, a1)] == [5, 0]


def test_a_position_without_threats_is_known_to_have_no_win() -> None:
    assert solver().prove(at("e5a1i9a9")) is None
    assert solver().complete


def test_a_search_that_a_limit_ended_knows_nothing() -> None:
    assert solver().prove(at(COUNTER_FOURS), nodes=50) is None
    assert not solver().complete
    stop = Stop()
    stop.set()
    assert solver().prove(at(COUNTER_FOURS), stop=stop) is None
    assert not solver().complete


def test_fours_alone_may_be_asked_for() -> None:
    assert solver().prove(at(CROSSED_TWOS), by_threats=False) is None
    assert solver().complete


def test_whoever_wins_has_not_lost() -> None:
    assert [ThreatProver().is_lost(at(moves)) for moves in ("e5a1e6a3e7a9e8", "e5a1e6a3e7a9")] == [True, False]
