"""Looking back at earlier moves while a game is played: the game goes on, and only a move elsewhere changes it."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pygame
import pytest

from ai.core.player import Info, Limit, Player, Stop
from games.clock import TimeControl
from games.formats import load
from games.position import Position
from games.record import PERSON, GameRecord, Seat, path
from games.registry import setup
from tests.ui.stage import Stage, act, quick
from ui.home.screen import Home
from ui.play.screen import Play
from ui.toolkit.dialogs import Menu
from ui.toolkit.i18n import t

LEVEL = Seat("level:2")


class OnDemand(Player):
    """Answers when it is told to."""

    nodes = 0

    def __init__(self) -> None:
        self.answers = False

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        while not (stop.is_set() or self.answers):
            time.sleep(0.001)
        yield Info(position.legal_moves()[0])


def begin(
    made: Stage, game: str = "tictactoe", seats: tuple[Seat, Seat] = (Seat(PERSON), LEVEL),
    player: Player | None = None, control: TimeControl | None = None,
) -> Play:  # fmt: skip
    return quick(made.app, GameRecord(setup(game), seats, control=control), player)


def play(made: Stage, scene: Play, *moves: int) -> None:
    for move in moves:
        scene.state.choose(move)
        made.until(lambda: scene.state.live.person_to_move or scene.state.record.outcome is not None)


def click_move(made: Stage, scene: Play, number: int) -> None:
    made.click(scene.places()[f"move.{number}"])


def test_a_click_on_an_earlier_move_only_looks_at_it(made: Stage) -> None:
    player = OnDemand()
    scene = begin(made, player=player)
    scene.state.choose(4)
    made.frame()
    click_move(made, scene, 1)
    assert scene.state.earlier is None, "that is where the game stands"
    player.answers = True
    made.until(lambda: scene.state.live.person_to_move)
    player.answers = False
    scene.state.choose(8)
    made.frame()
    live = scene.state.record.cursor
    click_move(made, scene, 1)
    assert scene.state.shown is path(live)[1]
    assert scene.state.record.cursor is live
    assert scene.state.live.thinking, "the computer does not wait"
    player.answers = True
    made.until(lambda: scene.state.record.position.ply == 4)
    assert scene.state.shown is path(live)[1], "still looking back"
    assert scene.state.viewed_text == t("play.looking", ply=1, total=4)
    made.app.files.settle()
    assert load(scene.state.saver.file).cursor.position.ply == 4


@pytest.mark.parametrize("way", ["end", "escape", "primary", "last move"])
def test_there_are_ways_back_to_the_game(made: Stage, way: str) -> None:
    scene = begin(made)
    play(made, scene, 4, 8)
    click_move(made, scene, 1)
    assert scene.state.earlier is not None
    assert scene.state.next_step == "to_game"
    if way == "primary":
        scene.widgets.press("primary")
    elif way == "last move":
        click_move(made, scene, 4)
    else:
        made.press({"end": pygame.K_END, "escape": pygame.K_ESCAPE}[way])
    assert made.app.scene is scene
    assert scene.state.shown is scene.state.record.cursor
    made.press(pygame.K_ESCAPE)
    assert isinstance(made.app.scene, Home)


def test_page_up_and_page_down_look_at_one_move_after_the_other(made: Stage) -> None:
    scene = begin(made)
    play(made, scene, 4, 8)
    seen = []
    for key in (*[pygame.K_PAGEUP] * 5, *[pygame.K_PAGEDOWN] * 5):
        made.press(key)
        seen.append(scene.state.shown.position.ply)
    assert seen == [3, 2, 1, 0, 0, 1, 2, 3, 4, 4]
    assert scene.state.earlier is None


def test_a_finished_game_is_not_un_ended_by_a_click(made: Stage) -> None:
    scene = begin(made)
    play(made, scene, 4)
    scene.state.live.resign()
    made.frame()
    made.app.files.settle()
    kept = scene.state.saver.file.read_bytes()
    click_move(made, scene, 1)
    assert scene.state.record.outcome is not None
    free = scene.state.record.position.legal_moves()[0]
    made.click(scene.board.pixel_of(free))
    assert made.app.overlay is None
    assert made.app.message[0] == t("illegal.over")
    made.app.files.settle()
    assert scene.state.saver.file.read_bytes() == kept


def test_the_question_where_to_go_on_stayed_after_the_end_of_the_game(made: Stage) -> None:
    scene = begin(made)
    play(made, scene, 4, 8)
    made.keys(pygame.K_PAGEUP, pygame.K_PAGEUP)
    free = next(move for move in scene.state.shown.position.legal_moves() if move != 8)
    made.click(scene.board.pixel_of(free))
    assert isinstance(made.app.overlay, Menu)
    scene.state.live.resign()
    made.frame()
    assert made.app.overlay is None


def test_a_move_elsewhere_asks_and_makes_a_variation_and_says_that_the_game_will_not_be_rated(made: Stage) -> None:
    scene = begin(made)
    play(made, scene, 4, 8)
    old = scene.state.record.cursor
    made.keys(pygame.K_PAGEUP, pygame.K_PAGEUP)
    free = next(move for move in scene.state.shown.position.legal_moves() if move != 8)
    made.click(scene.board.pixel_of(free))
    assert isinstance(made.app.overlay, Menu)
    assert made.app.message[0] == t("play.branch_unrated")
    made.press(pygame.K_ESCAPE)
    assert (made.app.overlay, scene.state.record.cursor, made.app.message[0]) == (None, old, ""), "nothing has changed"
    made.click(scene.board.pixel_of(free))
    made.press(pygame.K_RETURN)
    assert made.app.message[0] == t("play.branched_unrated")
    made.until(lambda: scene.state.live.person_to_move)
    assert scene.state.earlier is None
    assert scene.state.record.position.ply == 4
    made.app.files.settle()
    kept = load(scene.state.saver.file)
    assert [child.move for child in path(kept.cursor)[2].children] == [free, 8], "what was played before is kept"
    scene.state.live.resign()
    made.frame()
    assert scene.state.saver.note == t("profile.not_rated", why=t("unrated.undo"))


def test_a_click_where_the_game_went_on_looks_at_that_move_and_undo_takes_back_the_last_one(made: Stage) -> None:
    scene = begin(made)
    play(made, scene, 4, 8)
    for _ in range(2):
        made.press(pygame.K_PAGEUP)
    made.click(scene.board.pixel_of(8))
    assert made.app.overlay is None
    assert scene.state.shown.position.ply == 3
    act(scene, "ctrl+z")
    assert scene.state.earlier is None
    assert scene.state.record.position.ply == 2


def test_nobody_plays_for_the_computer(made: Stage) -> None:
    scene = begin(made)
    play(made, scene, 4)
    made.press(pygame.K_PAGEUP)
    made.click(scene.board.pixel_of(scene.state.shown.position.legal_moves()[0]))
    assert made.app.overlay is None
    assert made.app.message[0] == t("play.not_yours")
    assert scene.state.record.position.ply == 2


def test_the_clock_runs_while_one_looks_back_and_is_asked(made: Stage) -> None:
    scene = begin(made, seats=(Seat(PERSON), Seat(PERSON)), control=TimeControl(main=60))
    for move in (4, 0, 8):
        scene.state.choose(move)
    made.press(pygame.K_PAGEUP)
    made.click(scene.board.pixel_of(2))
    assert isinstance(made.app.overlay, Menu)
    made.frame(3)
    assert scene.state.live.running
    assert not scene.state.live.paused
    made.press(pygame.K_RETURN)
    assert [node.move for node in path(scene.state.record.cursor)[1:]] == [4, 0, 2]
    assert made.app.message[0] == t("play.branched"), "no rating, no word of it"


def test_the_ghost_of_the_keyboard_goes_when_the_mouse_moves_and_comes_from_there(made: Stage) -> None:
    scene = begin(made, "gomoku", (Seat(PERSON), Seat(PERSON)))
    made.press(pygame.K_UP)
    assert scene.all_marks().cursor is not None
    made.hover(scene.board.pixel_of(20))
    assert (scene.all_marks().hover, scene.all_marks().cursor) == (20, None)
    made.press(pygame.K_RIGHT)
    assert (scene.all_marks().hover, scene.all_marks().cursor) == (None, 21)
