"""Scores: distances to the end, views, and conversion from the kernels."""

from __future__ import annotations

import pytest

from ai.core.player import Info, Line
from ai.core.score import FARTHEST, PROVEN, WIN, Score, delayed, margin_of, settled
from ai.gomoku.kernels import layout
from ai.gomoku.tables import to_score
from games.evaluation import Evaluation, ScoredLine
from games.position import Outcome

KEPT = 19_990_000
"""The score of a proven win in files."""


@pytest.mark.parametrize(
    ("score", "mate"),
    [(Score.win_in(5), 5), (Score.loss_in(4), -4), (Score(PROVEN - 1), None), (Score(1 - PROVEN), None),
     (Score(PROVEN), 0), (Score.of_outcome(Outcome(1, "score", score=(5, 5)), 1, FARTHEST), 9_999)],
)  # fmt: skip
def test_a_proven_score_tells_the_distance(score: Score, mate: int | None) -> None:
    assert score.mate == mate
    assert (-score).mate == (None if mate is None else -mate)


def test_faster_wins_and_slower_losses_are_better() -> None:
    order = [Score.loss_in(2), Score.loss_in(9), Score(-50), Score(50), Score.win_in(9), Score.win_in(2)]
    assert sorted(order) == order


def test_an_end_further_away_is_a_weaker_score() -> None:
    assert delayed(Score.win_in(3), 2) == Score.win_in(5)
    assert delayed(Score.loss_in(3), 2) == Score.loss_in(5)
    assert delayed(120, 2) == 120
    assert [delayed(score, 2) for score in (PROVEN - 1, PROVEN)] == [PROVEN - 1, PROVEN - 2]
    assert [settled(WIN - plies) for plies in (9_999, 10_000)] == [True, False]
    assert (WIN, PROVEN) == (20_000_000, 10_000_000), "as in files"
    assert delayed(delayed(Score.win_in(3), 7), -7) == Score.win_in(3)


@pytest.mark.parametrize(("winner", "mate"), [(0, 4), (1, -4), (None, None)])
def test_an_outcome_is_worth_the_same_to_both_sides(winner: int | None, mate: int | None) -> None:
    outcome = Outcome(winner, "line")
    assert Score.of_outcome(outcome, 0, 4).mate == mate
    assert Score.of_outcome(outcome, 1, 4) == -Score.of_outcome(outcome, 0, 4)
    assert Score.of_outcome(outcome, 0, 4) == {0: Score.win_in(4), 1: Score.loss_in(4), None: 0}[winner]


def test_what_is_found_tells_its_line_and_speed() -> None:
    assert Info(1, lines=(Line(0, (1, 2)),)).pv == (1, 2)
    assert Info(7).pv == (7,)
    assert Info(7).nodes_per_second == 0.0
    assert Info(1, WIN - 1).mate == 1


@pytest.mark.parametrize("plies", [1, 6])
def test_a_win_of_the_kernels_is_as_far_away(plies: int) -> None:
    assert to_score(layout.WIN - plies) == Score.win_in(plies)
    assert to_score(plies - layout.WIN) == Score.loss_in(plies)
    assert to_score(-77) == -77


def test_a_record_has_all_lines_of_a_search() -> None:
    lines = Line(120, (1, 5)), Line(20, (2,)), Line(Score.loss_in(4), (3,))
    others = ScoredLine(-20, None, 8, (2,)), ScoredLine(KEPT, 4, 8, (3,))
    assert Info(1, 120, 8, lines=lines).evaluation(1) == Evaluation(-120, None, 8, (1, 5), others=others)


@pytest.mark.parametrize(
    ("info", "turn", "evaluation"),
    [
        (Info(1, 120, 8), 0, Evaluation(120, None, 8, (1,))),
        (Info(1, 120, 8), 1, Evaluation(-120, None, 8, (1,))),
        (Info(1, Score.win_in(3), 8), 1, Evaluation(-KEPT, -3, 8, (1,))),
        (Info(1, 99 * WIN, -1), 0, Evaluation(KEPT, 0, 0, (1,))),
    ],
)
def test_a_record_has_evaluations_from_the_first_side_and_in_bounds(
    info: Info, turn: int, evaluation: Evaluation
) -> None:
    assert info.evaluation(turn) == evaluation
    assert info.evaluation(turn, 2.0).seconds == 2.0


def test_a_win_by_more_is_better_than_one_by_less_and_any_than_no_win() -> None:
    """Of won positions full strength gave away four discs on average."""

    def ends(first: int, second: int, plies: int) -> Score:
        return Score.of_outcome(Outcome(int(second > first), "score", score=(first, second)), 0, plies)

    order = [ends(3, 60, 1), ends(31, 33, 8), ends(31, 33, 12), Score(1 - PROVEN), Score(PROVEN - 1), ends(33, 31, 9),
             ends(33, 31, 8), ends(40, 24, 12), ends(40, 0, 12), Score.win_in(400)]  # fmt: skip
    assert order == sorted(order)
    assert [score.mate for score in order] == [-1, -8, -12, None, None, 9, 8, 12, 12, 400]
    assert [settled(score) for score in order] == [False] * 9 + [True]
    assert Score(delayed(ends(40, 24, 12), 3)).mate == 15
    evaluations = [Info(1, score).evaluation(0) for score in order]
    assert [margin_of(known) for known in evaluations] == [57, 2, 2, None, None, 2, 2, 16, 40, None]
    assert evaluations[-1].score == KEPT
    assert [margin_of(ScoredLine(score, 5, 9)) for score in (PROVEN, PROVEN - 10_000)] == [0, None]
