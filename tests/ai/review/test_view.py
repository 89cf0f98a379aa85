"""The engine's view of a position as data."""

from __future__ import annotations

import pytest

from ai.review.insights import view
from ai.review.report import View, own_moves
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
    assert own_moves(start, (2,), 0, 3) == 2, "the line is too short"
    assert own_moves(start, (6, 1, 4), 0, 3) == 2, "the line is illegal"


def test_a_double_threat_is_told_where_nothing_is_proven() -> None:
    assert seen("h8a1i8a3j8a5c3a7c4a9c5") == View("double_threat", 0)
    assert seen("h8a1i8") is None


def test_tictactoe_is_solved() -> None:
    assert seen("", "tictactoe") == View("draw")
    found = seen("b2b1", "tictactoe")
    assert (found.kind, found.side) == ("wins", 0)
    assert seen("a1a3b1b3", "tictactoe") == View("wins", 0, 1, 8)


def test_bones_leave_a_multiple_of_four() -> None:
    assert seen("", "bones", size=22) == View("take", 0, move=2, unit=4)
    assert seen("2", "bones", size=22) == View("multiple", unit=4)


def test_a_game_that_is_over_has_no_view() -> None:
    assert seen("a1a3b1b3c1", "tictactoe") is None
