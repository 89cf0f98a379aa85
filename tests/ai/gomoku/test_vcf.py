"""Prove wins by continuous fours against every defence, and refute others by a plain solver."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from ai.gomoku.engine import RULES, GomokuEngine
from ai.lab.vcf_suite import SIZE, Problem, problems, vcf_times
from games.formats.text import parse
from games.line import LinePosition
from games.registry import setup
from tests.ai.gomoku.plain_vcf import Solver, fives, fours
from tests.ai.gomoku.vcf_checker import Refutation, refutation

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


def refuted(moves: str, rule: str, *attacks: str) -> Refutation | None:
    """What is wrong with playing `attacks`, one after the other."""
    position = at(moves, rule)
    plan: Iterator[int] = iter([position.parse_move(text) for text in attacks])
    return refutation(position, lambda _position: next(plan, None))


# The checker itself.


def test_an_open_four_wins_against_every_defence() -> None:
    assert refuted("h8a1i8c1j8e1", "freestyle", "k8", "g8") is None


def test_an_open_three_is_no_four() -> None:
    position = at("h8a1i8c1", "freestyle")
    assert refuted("h8a1i8c1", "freestyle", "j8") == [position.parse_move("j8")]


def test_a_four_that_leads_nowhere_is_refuted_by_its_reply() -> None:
    position = at("h8g8i8c1j8e1", "freestyle")
    assert refuted("h8g8i8c1j8e1", "freestyle", "k8") == [position.parse_move("k8"), position.parse_move("l8")]


def test_a_five_of_the_defender_comes_first() -> None:
    moves = "h8a1i8b1j8c1o15d1"
    position = at(moves, "freestyle")
    assert refuted(moves, "freestyle", "k8", "l8") == [position.parse_move("k8"), position.parse_move("e1")]


def test_an_overline_does_not_win_by_the_standard_rule() -> None:
    moves = "f8a1g8c1h8e1j8g1k8l1"
    assert refuted(moves, "freestyle", "i8") is None
    assert refuted(moves, "standard", "i8") is not None


UNANSWERABLE = "e8d4f8e5g8f6h9a15h10d13h11o1c3"
"""White's four on g7 can be stopped on h8 only, where black would make two fours."""


def test_a_reply_that_renju_forbids_is_no_defence() -> None:
    white = at(UNANSWERABLE, "renju")
    assert refuted(UNANSWERABLE, "renju", "g7") is None
    assert refuted(UNANSWERABLE, "freestyle", "g7") == [white.parse_move("g7"), white.parse_move("h8")]


def test_a_four_whose_reply_is_forbidden_wins_in_three_plies_not_in_one() -> None:
    found = engine("renju").vcf(at(UNANSWERABLE, "renju"))
    assert found is not None
    assert (found.mate, len(found.pv)) == (3, 1)


# The positions.

BY_LENGTH = [pytest.param(each, marks=pytest.mark.slow) if each.plies > 25 else each for each in WINS]


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


@pytest.mark.parametrize("problem", WINS, ids=name)
def test_the_line_that_is_told_is_one_of_fours(problem: Problem) -> None:
    """Each move of the attacker threatens a five; the line ends with it, or where the defender has no reply."""
    position = problem.position
    found = engine(problem.rule).vcf(position)
    assert found is not None
    for ply, move in enumerate(found.pv):
        assert position.outcome is None
        position = position.play(move)
        if ply % 2 == 0:
            assert position.outcome is not None or fives(position, 1 - position.turn)
    if position.outcome is None:
        threats = fives(position, 1 - position.turn)
        assert len(threats) > 1 or threats <= position.forbidden_points().keys()
    assert found.mate == len(found.pv) + (0 if position.outcome else 2)


@pytest.mark.parametrize("problem", NONE, ids=name)
def test_where_there_is_none_none_is_claimed(problem: Problem) -> None:
    position = problem.position
    assert len(fours(position)) >= 3
    assert not Solver().wins(position)
    assert engine(problem.rule).vcf(position) is None


def test_each_win_is_timed() -> None:
    times = vcf_times()
    assert len(times) == len(WINS)
    assert min(times) > 0
