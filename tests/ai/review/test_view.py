"""The engine's view of a position as data."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ai.review.insights import as_mistake, insight, view
from ai.review.judgement import Judged
from ai.review.report import Reason, View, line_text, own_moves
from ai.review.why import Mistake, Why
from games.evaluation import Evaluation
from games.formats.text import parse
from games.registry import setup
from tests.games.sowing import SowingPosition


def seen(
    moves: str, game: str = "gomoku", evaluation: Evaluation | None = None, size: int | None = None
) -> View | None:
    return view(parse(moves, setup(game, size)).position, evaluation)


@pytest.mark.parametrize(("mate", "side", "moves"), [(1, 0, 1), (3, 0, 2), (4, 0, 2), (-7, 1, 4), (-2, 1, 1)])
def test_a_proven_win_is_told_in_moves_of_the_winner(mate: int, side: int, moves: int) -> None:
    assert seen("h8i9", evaluation=Evaluation(0, mate, 9)) == View("wins", side, moves)


def test_moves_of_the_winner_are_counted_in_the_line_where_it_moves_twice() -> None:
    """“Wins in 2 moves” was half of the plies, whoever made them."""
    start = SowingPosition()
    assert own_moves(start, (2, 1, 4), 0, 3) == 2
    assert own_moves(start, (2, 1, 4, 2), 0, 4) == 3
    assert own_moves(start, (1,), 0, 1) == 1
    assert own_moves(start, (2,), 0, 3) == 2, "the line is too short"
    assert own_moves(start, (6, 1, 4), 0, 3) == 2, "the line is illegal"


def test_a_double_threat_is_told_where_nothing_is_proven() -> None:
    assert seen("h8a1i8a3j8a5c3a7c4a9c5") == View("double_threat", 0)
    assert seen("h8a1i8") is None


def test_a_proof_comes_before_a_double_threat_and_that_of_the_side_to_move_before_the_others() -> None:
    both = "h8a1i8a3j8a5c3a7c4a9c5"
    assert seen(both, evaluation=Evaluation(0, 3, 9)) == View("wins", 0, 2)
    assert seen("a1h8a3i8a5j8a7c3a9c4o1c5") == View("double_threat", 1)


@pytest.mark.parametrize(
    ("made", "blocked", "made_less", "blocked_less"),
    [
        (("five",), (), ("open_four",), ("four",)), (("three",), ("four",), ("open_three",), ()),
        (("open_three", "three"), (), ("open_three",), ()),
        (("open_three",), ("open_three",), ("open_three",), ("three",)),
    ],
)  # fmt: skip
def test_reasons_are_compared_by_their_strongest_shapes_first(
    made: tuple[str, ...], blocked: tuple[str, ...], made_less: tuple[str, ...], blocked_less: tuple[str, ...]
) -> None:
    stronger, weaker = Reason(made, blocked), Reason(made_less, blocked_less)
    assert stronger.beats(weaker)
    assert not weaker.beats(stronger)
    assert not stronger.beats(stronger)


def test_what_is_notable_of_a_reason_is_what_needs_an_answer() -> None:
    assert Reason(("four", "three"), ("open_two",)).notable == Reason(("four",), ("open_two",))
    assert Reason(("open_two", "three")).notable == Reason(("open_two", "three"))


@pytest.mark.parametrize(
    ("sides", "text"), [("aba", "1 2 3"), ("aab", "a: 1 2 b: 3"), ("", ""), ("abb", "a: 1 b: 2 3"), ("a", "1")]
)
def test_a_line_names_the_sides_where_they_do_not_alternate(sides: str, text: str) -> None:
    assert line_text("123"[: len(sides)], sides) == text


def test_a_mistake_is_judged_by_what_its_nodes_know_unless_something_newer_is_given() -> None:
    node, known, newer = parse("h8i9").cursor, Evaluation(0, None, 9), Evaluation(9, None, 12)
    node.parent.evaluation, node.evaluation = known, replace(known, score=300)
    judged = Judged(1, node, 1, "blunder", 0.3, 0.2, 5, (5,))
    found = as_mistake(judged)
    assert (found.before, found.after, found.grave, found.since) == (known, node.evaluation, True, None)
    assert (found.won, found.win, found.played, found.best) == (0.5, 0.2, node.move, 5)
    assert (as_mistake(judged, newer).before, as_mistake(judged, None, newer).after) == (newer, newer)
    assert as_mistake(replace(judged, win=0.9)).won == 1.0


@pytest.mark.parametrize(
    ("left", "played", "why"),
    [(9, 3, Why("leaves", 4, count=6)), (9, 1, None), (8, 3, None), (10, 3, Why("leaves", 4, count=7))],
)
def test_a_heap_that_is_left_is_told_where_a_multiple_of_four_could_have_been(
    left: int, played: int, why: Why | None
) -> None:
    assert insight("bones").why(Mistake(parse("", setup("bones", left)).position, played, 1)) == why


def test_tictactoe_is_solved() -> None:
    assert seen("", "tictactoe") == View("draw")
    found = seen("b2b1", "tictactoe")
    assert (found.kind, found.side) == ("wins", 0)
    assert (seen("b2b1a1", "tictactoe").kind, seen("b2b1a1", "tictactoe").side) == ("wins", 0)
    assert seen("a1a3b1b3", "tictactoe") == View("wins", 0, 1, 8)


def test_bones_leave_a_multiple_of_four() -> None:
    assert seen("", "bones", size=22) == View("take", 0, move=2, unit=4)
    assert seen("2", "bones", size=22) == View("multiple", unit=4)


def test_a_game_that_is_over_has_no_view() -> None:
    assert seen("a1a3b1b3c1", "tictactoe") is None
