"""The teaching game: a blunder is refuted at once, and can be taken back."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pygame
import pytest

from ai.player import Info, Limit, Line, Stop
from ai.score import Score
from ai.search.alphabeta import AlphaBeta
from games.position import Position, Stones
from games.record import PERSON, GameRecord, Seat
from games.registry import Setup, setup
from tests.ui.stage import Make, Stage
from ui.game.rematch import rematch
from ui.screens.play import Play
from ui.screens.setup import SetupScene


def until(made: Stage, condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, "timed out"
        made.frame()
        time.sleep(0.002)


TICTACTOE = setup("tictactoe")


@pytest.fixture
def made(stage: Make, monkeypatch: pytest.MonkeyPatch) -> Stage:
    """A window in which alpha-beta stands for every player."""
    made = stage()
    monkeypatch.setattr(made.app, "player", lambda _name, book=True: AlphaBeta())
    return made


def taught(made: Stage, moves: str = "", game: Setup = TICTACTOE, stones: Stones | None = None) -> Play:
    """A teaching game of X against a computer."""
    record = GameRecord(game, (Seat(PERSON), Seat("alphabeta", seconds=0.05)), stones=stones)
    for move in moves.split():
        record.play(record.position.parse_move(move))
    scene = Play(made.app, record, teaching=True)
    made.show(scene)
    return scene


def thought(made: Stage, scene: Play) -> None:
    """Wait until the teacher has searched the position before the person's move."""
    teacher = scene.teacher
    assert teacher is not None
    made.frame()  # begins the search
    until(made, lambda: scene.live.person_to_move and not teacher.busy)
    made.frame()  # takes what was found


def test_a_move_that_draws_is_answered_without_a_warning(made: Stage) -> None:
    scene = taught(made, "a1 b2")  # X has a corner, O the middle
    thought(made, scene)
    scene.chosen(scene.record.position.parse_move("c3"))
    until(made, lambda: scene.live.person_to_move)
    assert scene.warning is None


@pytest.mark.parametrize(
    ("game", "stones", "bad"),
    [
        (setup("connect4"), Stones(((28, 29), (35, 36, 37)), turn=0), "g"),  # yellow threatens d1
        (setup("bones", 7), Stones(((), ()), turn=0), "2"),
    ],
)
def test_a_blunder_after_a_position_that_was_set_up_is_refuted(
    made: Stage, game: Setup, stones: Stones, bad: str
) -> None:
    scene = taught(made, "", game, stones)
    thought(made, scene)
    scene.chosen(scene.record.position.parse_move(bad))
    until(made, lambda: scene.warning is not None)
    made.press(pygame.K_RETURN)
    made.frame()
    assert scene.record.cursor is scene.record.root
    assert scene.record.position.turn == 0


@pytest.mark.parametrize(
    ("game", "stones"), [(setup("connect4"), Stones(((38,), ()), 1)), (setup("bones", 9), Stones(((), ()), 1))]
)
def test_the_computer_begins_where_it_is_its_turn(made: Stage, game: Setup, stones: Stones) -> None:
    scene = taught(made, "", game, stones)
    until(made, lambda: scene.live.person_to_move and scene.record.position.ply == 1)
    again = rematch(scene.record)
    assert (again.seats[1], again.stones) == (scene.record.seats[0], stones)


def test_the_refutation_is_shown_and_the_move_taken_back(made: Stage) -> None:
    scene = taught(made, "b1 b2 a3 a1")  # O threatens c3
    thought(made, scene)
    here = scene.record.cursor
    scene.chosen(scene.record.position.parse_move("a2"))  # does not block
    until(made, lambda: scene.warning is not None)
    made.frame(2)
    position = scene.record.position
    assert scene.record.cursor.parent is here, "the answer waits"
    assert scene.marks().line[0] == position.parse_move("c3")
    assert scene.panel_parts.shape.warning.startswith("This move loses: O wins in 1 move.")
    primary = {name for name, button in scene.widgets.buttons.items() if button.style == "@primary"}
    assert primary == {"take_back"}, "one thing is to be done next"
    assert "play_on" in scene.widgets.buttons
    made.press(pygame.K_RETURN)
    made.frame()
    assert scene.record.cursor is here
    assert scene.warning is None
    assert "take_back" not in scene.widgets.buttons


@pytest.mark.parametrize("key", [pygame.K_ESCAPE, pygame.K_SPACE])
def test_escape_and_space_play_on(made: Stage, key: int) -> None:
    scene = taught(made, "b1 b2 a3 a1")
    thought(made, scene)
    scene.chosen(scene.record.position.parse_move("a2"))
    until(made, lambda: scene.warning is not None)
    made.frame(2)
    made.press(key)
    until(made, lambda: scene.record.outcome is not None)
    assert scene.record.outcome is not None
    assert scene.record.outcome.winner == 1
    assert made.app.scene is scene


class Pessimist:
    """Thinks that everything loses for whoever made the last move, but sees nothing before a move."""

    nodes = 0

    def __init__(self, ply: int) -> None:
        self._ply = ply

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        move = position.legal_moves()[0]
        score = Score.win_in(5) if position.ply > self._ply else 0
        yield Info(move, int(score), 9, 10, 0.1, (Line(int(score), (move,)),))


def test_a_position_that_was_lost_anyway_is_no_reason_for_a_warning(
    made: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = {"engine": Pessimist(2), "alphabeta": AlphaBeta()}
    monkeypatch.setattr(made.app, "player", lambda name, book=True: players[name])
    scene = taught(made, "b2 a1")
    thought(made, scene)
    scene.chosen(scene.record.position.legal_moves()[3])
    until(made, lambda: scene.live.person_to_move)
    assert scene.warning is None


def test_a_teaching_game_is_unrated_also_when_it_is_opened_again(made: Stage) -> None:
    scene = Play(made.app, GameRecord(setup("tictactoe"), (Seat(PERSON), Seat("level:3"))), teaching=True)
    made.show(scene)
    scene.chosen(4)
    until(made, lambda: scene.record.position.ply == 2)
    assert not scene.saver.counts
    made.app.files.settle()
    again = Play(made.app, scene.record, scene.saver.file)
    assert again.teacher is not None


def test_the_set_up_offers_it_against_a_computer_only(made: Stage) -> None:
    scene = made.show(SetupScene(made.app, "tictactoe"))
    assert isinstance(scene, SetupScene)
    scene.widgets.press("teaching.on")
    made.frame()
    assert scene.teaching
    assert "not rated" in made.app.message[0]
    scene.widgets.press("against.person")
    made.frame()
    assert "teaching.on" not in scene.widgets.buttons
    assert not scene.teaching
    scene.widgets.press("against.level")
    made.frame()
    scene.do_start()
    made.frame()
    assert isinstance(made.app.scene, Play)
    assert made.app.scene.teacher is not None
