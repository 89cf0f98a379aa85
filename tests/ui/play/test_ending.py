"""The card that tells how a game ended, and where its buttons lead."""

from __future__ import annotations

import pygame
import pytest

from games.formats import load
from games.position import Outcome
from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from tests.ui.stage import Stage, full, part
from ui.play.screen import Play
from ui.play.side_cards import EndingCard, ending_of
from ui.replay.screen import Replay
from ui.words.games import outcome_sentence

YOU, LEVEL = Seat(PERSON), Seat("level:3")


def game(moves: str, first: Seat, second: Seat, name: str = "tictactoe", seconds: float = 2.0) -> GameRecord:
    record = GameRecord(setup(name), (first, second))
    for move in moves.split():
        record.play(record.position.parse_move(move), seconds)
    return record


ROW = "b2 a3 a1 b3 c3"  # X makes it


@pytest.mark.parametrize(
    ("seats", "sentence", "tone"),
    [
        ((YOU, LEVEL), "You won: three in a row", "good"),
        ((LEVEL, YOU), "You lost: three in a row", "bad"),
        ((YOU, YOU), "X wins: three in a row", "accent"),
        ((LEVEL, LEVEL), "X wins: three in a row", "accent"),
    ],
)
def test_the_end_is_told_from_the_persons_side(seats: tuple[Seat, Seat], sentence: str, tone: str) -> None:
    ending = ending_of(game(ROW, *seats))
    assert (ending.sentence, ending.tone, ending.winner, ending.length) == (sentence, tone, 0, "5 moves · 0:10")


def test_who_resigned_or_ran_out_of_time_is_told() -> None:
    record = GameRecord(setup("gomoku"), (YOU, LEVEL))
    assert outcome_sentence(record, Outcome(0, "resigned")) == "You won: White resigned"
    assert outcome_sentence(record, Outcome(1, "resigned")) == "You lost: you resigned"
    assert outcome_sentence(record, Outcome(1, "time")) == "You lost: you ran out of time"
    assert outcome_sentence(record, Outcome(None, "full")) == "Draw"


def over(made: Stage, record: GameRecord, move: int) -> Play:
    """The scene after a person made the last `move`."""
    scene = made.show(Play(made.app, record))
    scene.state.choose(move)
    made.frame(2)
    assert scene.state.record.outcome is not None
    return scene


def test_enter_reviews_the_finished_game(made: Stage) -> None:
    scene = over(made, game("b2 a3 a1 b3", YOU, YOU), 2)
    assert list(scene.widgets.buttons)[-3:] == ["review", "rematch", "new"]
    made.press(pygame.K_RETURN)
    assert isinstance(made.app.scene, Replay)
    made.app.files.settle()
    assert made.app.scene.state.file.path == scene.state.saver.file
    assert load(scene.state.saver.file).outcome == scene.state.record.outcome


def test_the_review_of_a_game_that_could_not_be_saved_has_no_file(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.system.files.write_atomic", full)
    scene = over(made, game("b2 a3 a1 b3", YOU, YOU), 2)
    made.app.files.settle()
    made.frame()
    scene.state.review()
    made.frame()
    assert isinstance(made.app.scene, Replay)
    assert made.app.scene.state.file.path is None


def test_another_try_after_the_end_is_a_variation_of_the_game_in_a_replay(made: Stage) -> None:
    """It was the game going on, in which a lost game was won."""
    scene = over(made, game("b2 a3 a1 b3", YOU, YOU), 2)
    end, file = scene.state.record.cursor, scene.state.saver.file
    assert "redo" not in scene.widgets.buttons
    made.push("undo")
    replay = made.app.scene
    assert isinstance(replay, Replay)
    assert replay.state.record.cursor is end.parent
    replay.state.choose(7)
    made.press(pygame.K_ESCAPE)
    kept = load(file)
    assert (kept.cursor.position, kept.outcome) == (end.position, end.outcome)
    assert [node.move for node in kept.main_end().parent.children] == [2, 7]


def test_a_game_that_was_given_up_before_its_first_move_has_no_other_try(made: Stage) -> None:
    scene = made.show(Play(made.app, game("", YOU, YOU)))
    scene.state.live.resign()
    scene.state.take_back()
    made.frame(2)
    assert (made.app.scene, scene.state.can_take_back) == (scene, False)


def test_a_rematch_swaps_the_sides(made: Stage) -> None:
    scene = over(made, game("b2 a3 a1 b3", Seat(PERSON, "Ada"), Seat(PERSON, "Bob")), 2)
    assert part(scene, EndingCard).ending is not None
    made.push("rematch")
    assert isinstance(made.app.scene, Play)
    assert made.app.scene is not scene
    assert [seat.name for seat in made.app.scene.state.record.seats] == ["Bob", "Ada"]
    assert made.app.scene.state.record.position.ply == 0
