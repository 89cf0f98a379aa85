"""The home screen: the games that play on its cards."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import pytest

from games.record import GameRecord
from games.registry import setup
from games.storage import saves_home
from tests.ui.stage import Make
from ui.scenes.home import Home
from ui.scenes.play import Play
from ui.scenes.profile import ProfileScene
from ui.toolkit.dialogs import FileDialog


def test_the_games_on_the_cards_begin_one_after_the_other(stage: Make) -> None:
    """Three engines that begin at once would hold up the frame in which the screen opens."""
    made = stage()
    made.app.settings.motion = True
    opened = time.monotonic()
    scene = Home(made.app)
    made.show(scene)
    thinking = []
    for after in (0.0, 1.0, 1.5, 9.0):
        scene.update(opened + after)
        thinking.append(sum(demo.match.thinking for demo in scene.demos))
        assert scene.wake(opened + after) is not None
    assert thinking == sorted(thinking)
    assert (thinking[0], thinking[-1]) == (0, len(scene.demos))
    scene.leave()


def test_without_motion_nobody_plays_on_the_cards(stage: Make) -> None:
    made = stage()
    scene = Home(made.app)
    made.show(scene)
    scene.update(time.monotonic() + 9.0)
    assert not any(demo.match.thinking for demo in scene.demos)
    assert scene.wake(time.monotonic()) is None


def test_the_games_on_the_cards_wait_for_the_engine_but_not_for_long(
    stage: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = stage()
    made.app.settings.motion = True
    opened = time.monotonic()
    scene = Home(made.app)
    made.show(scene)
    monkeypatch.setattr(type(made.app.engine), "busy", property(lambda engine: True))
    for after in (0.5, 1.0, 2.0):
        scene.update(opened + after)
        assert not any(demo.match.thinking for demo in scene.demos)
    for after in (4.0, 9.0):  # it is being compiled
        scene.update(opened + after)
    assert all(demo.match.thinking for demo in scene.demos)
    scene.leave()


def test_a_folder_that_cannot_be_looked_at_ends_no_screen(stage: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """A recent game on a network drive that was gone kept the program from starting."""
    made, look = stage(), os.stat

    def gone(path: object, *arguments: object, **options: object) -> object:
        if str(path).startswith(str(saves_home()) + os.sep):
            raise OSError(errno.ENOTCONN, "Transport endpoint is not connected", str(path))
        return look(path, *arguments, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(os, "stat", gone)
    made.app.settings.recent = [str(saves_home() / "game.tengen.json")]
    home = Home(made.app)
    made.show(home)
    assert home.recent == []
    made.show(ProfileScene(made.app))
    scene = Play(made.app, GameRecord(setup("tictactoe")))
    made.show(scene)
    scene.do_save_as()
    made.frame()
    assert isinstance(made.app.overlay, FileDialog)
    assert made.app.overlay.here == Path.home()
