"""Wins by threats: every proof is replayed against all defences by the rules and a plain solver of fours."""

from __future__ import annotations

from functools import cache

import pytest

from ai.core.player import Stop
from ai.gomoku.threat_solver import Proof, ThreatSolver
from games.formats.text import parse
from games.line import LinePosition
from games.registry import setup
from tests.ai.gomoku.plain_vcf import Solver, fives


@cache
def solver() -> ThreatSolver:
    return ThreatSolver()


def at(moves: str, rule: str = "freestyle") -> LinePosition:
    position = parse(moves, setup("gomoku", 15, rule)).position
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


DOUBLE_THREE = "h8a1i8c1h10e1i11o15"
"""Black to move: twos that cross at … make open threes at once."""


@pytest.mark.parametrize(
    ("moves", "rule", "plies"),
    [
        pytest.param("h8a1i8a3j8a5k8a7", "freestyle", 1, id="a five"),
        pytest.param("h8a1i8a3j8a5", "freestyle", 3, id="an open four"),
        pytest.param("h8a1i8a3j7a5j6a9", "freestyle", 5, id="two open threes at once"),
    ],
)
def test_a_win_is_proven_against_every_defence(moves: str, rule: str, plies: int) -> None:
    proof = solver().prove(at(moves, rule), threats=2)
    assert proof is not None
    assert (proof.plies, gap(at(moves, rule), proof)) == (plies, None)
