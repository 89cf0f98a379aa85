"""What is heard of a game, and when."""

from __future__ import annotations

import pytest

from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from tests.ui.scenes import finished
from tests.ui.stage import Stage, act
from ui.play.screen import Play
from ui.replay.screen import Replay


def test_moves_and_the_end_are_heard(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = made.show(Play(made.app, GameRecord(setup("tictactoe")), autosave=False))
    heard: list[str] = []
    monkeypatch.setattr(made.app.sounds, "play", heard.append)
    for move in (0, 3, 1, 4):
        scene.state.choose(move)
        made.frame(2)
    assert heard == ["stone"] * 4
    act(scene, "ctrl+z")
    act(scene, "ctrl+y")
    assert heard == ["stone"] * 5, "a step back is quiet"
    scene.state.choose(2)
    made.frame(2)
    assert heard[5:] == ["stone", "win"]


def test_bones_and_a_resignation_are_heard_and_steps_of_a_replay(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = made.show(Play(made.app, GameRecord(setup("bones"), (Seat(PERSON), Seat("alphabeta"))), autosave=False))
    heard: list[str] = []
    monkeypatch.setattr(made.app.sounds, "play", heard.append)
    scene.state.choose(1)
    made.frame()
    scene.state.live.resign()
    made.frame()
    assert heard == ["bones", "loss"]
    replay = made.show(Replay(made.app, finished("tictactoe")))
    steps = len(replay.state.record.line()) - 1
    for _ in range(steps):
        act(replay, "right")
    act(replay, "home")
    assert heard[2:] == ["stone"] * steps
