"""A message in the status line ends when it is no longer true."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pygame

from games.formats import save
from tests.ui.scenes import long_game
from tests.ui.stage import Stage
from ui.home.screen import Home
from ui.play.screen import Play
from ui.replay.screen import Replay
from ui.toolkit.dialogs import SECONDS, Notices
from ui.toolkit.i18n import t


def test_an_error_is_gone_when_the_next_file_is_open(made: Stage, tmp_path: Path) -> None:
    made.show(Home(made.app))
    (tmp_path / "bad.txt").write_text("no game", encoding="utf-8")
    save(long_game(plies=6), tmp_path / "good.tengen.json")
    made.app.open_file(tmp_path / "bad.txt")
    made.frame(3)
    assert "bad.txt" in made.app.message[0]
    made.app.open_file(tmp_path / "good.tengen.json")
    made.frame(3)
    assert isinstance(made.app.scene, Replay)
    assert made.app.message[0] == ""


def test_what_was_undone_in_a_replay_is_not_told_at_home(made: Stage, tmp_path: Path) -> None:
    """“Brought back.” stood in the status line of the home screen."""
    made.show(Replay(made.app, long_game(plies=6), tmp_path / "game.tengen.json"))
    made.press(pygame.K_DELETE)
    assert made.app.message[0] == t("replay.removed")
    made.press(pygame.K_z, pygame.KMOD_LCTRL)
    assert made.app.message[0] == t("replay.undone")
    made.press(pygame.K_ESCAPE)
    assert made.app.scene.name == "home"
    assert made.app.message[0] == ""


def test_an_illegal_move_is_told_until_the_position_is_another(made: Stage) -> None:
    record = long_game(plies=6)
    scene: Any = made.show(Play(made.app, record, autosave=False))
    taken = record.cursor.move
    scene.state.choose(taken)
    made.frame()
    assert made.app.message[0] in (t("illegal.occupied"), t("play.wait_turn"))
    scene.state.show_node(record.root)
    made.frame()
    assert made.app.message[0] == ""


def test_what_is_said_before_the_first_scene_or_while_one_is_left_is_told_in_the_next(made: Stage) -> None:
    made.app.say("The settings were damaged.", "bad")
    scene = made.show(Home(made.app))
    assert made.app.message[0] == "The settings were damaged."
    scene.close = lambda: made.app.say("It could not be saved.", "bad")
    made.show(Home(made.app))
    assert made.app.message[0] == "It could not be saved."


def test_a_notice_ends_with_its_time_what_went_wrong_later() -> None:
    notices, owner = Notices(), object()
    for kind, seconds in (("info", SECONDS), ("bad", 2 * SECONDS)):
        notices.say("A sentence.", kind, owner)
        due = notices.due(0.0)
        notices.update(due - 0.1, owner)
        assert notices.text == "A sentence."
        assert notices.due(due - seconds) == seconds
        notices.update(due, owner)
        assert notices.text == ""
        assert notices.due(0.0) is None
