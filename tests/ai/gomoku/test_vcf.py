"""Prove wins by continuous fours against every defence, and refute others by a plain solver."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from ai.gomoku.engine import RULES, GomokuEngine
from ai.lab.engine_speed import SIZE, Problem, problems, vcf_times
from games.formats.text import parse
from games.line import LinePosition
from games.registry import setup
from tests.ai.gomoku.plain_vcf import Solver, fives, fours
from tests.ai.gomoku.vcf_checker import refutation
from tests.sampling import sampled

WINS = [problem for problem in problems() if problem.plies]
NONE = [problem for problem in problems() if not problem.plies]


def name(problem: Problem) -> str:
    return f"{problem.rule}-{problem.plies}-{problem.moves[:8]}"


@cache
def engine(rule: str) -> GomokuEngine:
    """One for each rule, so that its memory is not emptied at every position."""
    return GomokuEngine(memory_mb=4)


def attack(position: LinePosition) -> int | None:
    found = engine(position.rules.rule).vcf(position)
    return None if found is None else found.move


def at(moves: str, rule: str) -> LinePosition:
    position = parse(moves, setup("gomoku", SIZE, rule)).position
    assert isinstance(position, LinePosition)
    return position


# The checker itself.


UNANSWERABLE = "e8d4f8e5g8f6h9a15h10d13h11o1c3"
"""White's four on g7 can be stopped on h8 only, where black would make two fours."""


OPEN_THREE, OVERLINE = "h8a1i8c1j8e1", "f8a1g8c1h8e1j8g1k8l1"


@pytest.mark.parametrize(
    ("rule", "moves", "attacks", "line"),
    [
        pytest.param("freestyle", OPEN_THREE, "k8 g8", None, id="an open four wins"),
        pytest.param("freestyle", "h8a1i8c1", "j8", "j8", id="an open three is no four"),
        pytest.param("freestyle", "h8g8i8c1j8e1", "k8", "k8 l8", id="a four that leads nowhere"),
        pytest.param("freestyle", "h8a1i8b1j8c1o15d1", "k8 l8", "k8 e1", id="a five of the defender comes first"),
        pytest.param("freestyle", OVERLINE, "i8", None, id="six"),
        pytest.param("standard", OVERLINE, "i8", "i8", id="six by the standard rule"),
        pytest.param("renju", UNANSWERABLE, "g7", None, id="a forbidden reply is no defence"),
        pytest.param("freestyle", UNANSWERABLE, "g7", "g7 h8", id="the same reply where it is allowed"),
    ],
)
def test_what_does_not_win_is_refuted(rule: str, moves: str, attacks: str, line: str | None) -> None:
    position = at(moves, rule)
    plan: Iterator[int] = iter([position.parse_move(text) for text in attacks.split()])
    expected = None if line is None else [position.parse_move(text) for text in line.split()]
    assert refutation(position, lambda _position: next(plan, None)) == expected


def test_a_four_whose_reply_is_forbidden_wins_in_three_plies_not_in_one() -> None:
    found = engine("renju").vcf(at(UNANSWERABLE, "renju"))
    assert (found.mate, len(found.pv)) == (3, 1)


# The positions.

BY_LENGTH = [pytest.param(each, marks=pytest.mark.slow) if each.plies > 15 else each for each in WINS]


def test_there_are_enough_of_every_rule_and_length() -> None:
    assert len(WINS) >= 60
    assert len(NONE) >= 20
    for rule in RULES:
        plies = [problem.plies for problem in WINS if problem.rule == rule]
        assert min(plies) <= 7, rule
        assert max(plies) >= 41, rule
        assert sum(20 <= length < 40 for length in plies) >= 5, rule
        assert len([problem for problem in NONE if problem.rule == rule]) >= 6
    assert {problem.position.turn for problem in WINS if problem.rule == "renju"} == {0, 1}


@pytest.mark.parametrize("problem", BY_LENGTH, ids=name)
def test_wins_are_found_and_hold_against_every_defence(problem: Problem) -> None:
    assert refutation(problem.position, attack) is None


@pytest.mark.parametrize("problem", sampled([(problem,) for problem in WINS], 8), ids=name)
def test_the_line_that_is_told_is_one_of_fours(problem: Problem) -> None:
    """Each move of the attacker threatens a five; the line ends with it, or where the defender has no reply."""
    position = problem.position
    found = engine(problem.rule).vcf(position)
    for ply, move in enumerate(found.pv):
        assert position.outcome is None
        position = position.play(move)
        if ply % 2 == 0:
            assert position.outcome is not None or fives(position, 1 - position.turn)
    if position.outcome is None:
        threats = fives(position, 1 - position.turn)
        assert len(threats) > 1 or threats <= position.forbidden_points().keys()
    assert found.mate == len(found.pv) + (0 if position.outcome else 2)


@pytest.mark.parametrize("problem", sampled([(problem,) for problem in NONE], 8), ids=name)
def test_where_there_is_none_none_is_claimed(problem: Problem) -> None:
    position = problem.position
    assert len(fours(position)) >= 3
    assert not Solver().wins(position)
    assert engine(problem.rule).vcf(position) is None


@pytest.mark.slow
def test_each_win_is_timed() -> None:
    times = vcf_times()
    assert len(times) == len(WINS)
    assert min(times) > 0
