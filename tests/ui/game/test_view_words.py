"""The engine's view in words, from the first side, and the bar that shows it."""

from __future__ import annotations

import pytest

from ai.review.registry import view
from ai.review.view import View
from games.position import Outcome, Position
from games.record import Evaluation, GameRecord
from games.registry import setup
from tests.ui.stage import wait
from ui.game.viewer import Viewer
from ui.words.views import chance_text, first_side_wins, view_sentence


def at(game: str, moves: str) -> Position:
    record = GameRecord(setup(game))
    for move in moves.split():
        record.play(record.position.parse_move(move))
    return record.position


def said(game: str, moves: str, evaluation: Evaluation | None = None) -> str:
    position = at(game, moves)
    return view_sentence(setup(game), position, evaluation, view(position, evaluation))


def test_each_game_has_its_words() -> None:
    assert said("gomoku", "h8", Evaluation(9000, 7, 12)) == "Black wins in 4 moves"
    assert said("gomoku", "h8 i9", Evaluation(-9000, -1, 12)) == "White wins in 1 move"
    assert said("gomoku", "a1 h8 a3 h9 a5 h10 a7 i11 c1 j11 c3 k11") == "White has a double threat"
    assert said("tictactoe", "b2 a3") == "A draw with best play"
    assert said("bones", "3") == "Leave a multiple of 4: take 2"
    assert said("bones", "1") == "A multiple of 4: Second player loses"


@pytest.mark.parametrize(("score", "sentence"), [(-8000, "White is winning"), (8000, "Black is winning")])
@pytest.mark.parametrize("moves", ["h8", "h8 a1"])
def test_a_score_is_told_from_the_first_side_whoever_is_to_move(moves: str, score: int, sentence: str) -> None:
    assert said("gomoku", moves, Evaluation(score, None, 9)) == sentence
    wins = first_side_wins(setup("gomoku"), at("gomoku", moves), Evaluation(score, None, 9))
    assert wins is not None
    assert (wins > 0.9) == (score > 0)


def test_a_game_without_a_lead_is_even() -> None:
    assert said("connect4", "d", Evaluation(0, None, 9)) == "The game is even"


def test_nothing_is_said_where_nothing_is_known() -> None:
    position = at("gomoku", "h8")
    assert view_sentence(setup("gomoku"), position, None) == ""
    assert first_side_wins(setup("gomoku"), position, None) is None
    assert chance_text("gomoku", None) == ""


def test_a_finished_game_has_a_winner_and_no_view() -> None:
    over = at("tictactoe", "b2 a3 a1 b3 c3")
    assert view_sentence(setup("tictactoe"), over, None) == ""
    assert first_side_wins(setup("tictactoe"), over, None) == 1.0
    assert first_side_wins(setup("gomoku"), at("gomoku", "h8"), None, None, Outcome(1, "resigned")) == 0.0
    assert first_side_wins(setup("gomoku"), at("gomoku", "h8"), None, None, Outcome(None, "full")) == 0.5


def test_the_chance_is_that_of_the_first_side() -> None:
    assert chance_text("gomoku", 0.716) == "Black's win probability: 72 %"


def test_views_are_computed_on_a_thread_once_for_each_position() -> None:
    told: list[int] = []
    viewer, position = Viewer(lambda: told.append(1)), at("tictactoe", "b2")
    viewer.view(setup("tictactoe"), position, None)
    wait(lambda: told)
    assert viewer.view(setup("tictactoe"), position, None) == View("draw")
    assert viewer.view(setup("tictactoe"), position, None) == View("draw")
    assert told == [1]
    viewer.close()
