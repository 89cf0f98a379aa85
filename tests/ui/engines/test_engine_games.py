"""Real programs in a window: each that misbehaves leaves the game as it was, and nothing behind; ours plays well."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import psutil
import pytest

from ai.pbrain.engines import ExternalEngine, dumps, engines_path
from games.formats import load
from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from games.storage import write_atomic
from tests.ai.pbrain.test_misbehaving import Engine, engine, words_of
from tests.ui.stage import frame, push, show, until
from tests.waiting import wait
from ui.app import App
from ui.play.screen import Play
from ui.replay.screen import Replay

__all__ = ["engine"]  # a fixture: nothing of its programs is left
pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[3]


def add(*engines: ExternalEngine) -> None:
    write_atomic(engines_path(), dumps(engines))


def against(app: App, seconds: float = 0.3, rule: str = "freestyle", name: str = "Odd") -> Play:
    """A game of a person who moves first against an engine."""
    seats = Seat(PERSON), Seat(f"external:{name}", seconds=seconds)
    screen = Play(app, GameRecord(setup("gomoku", 15, rule), seats))
    screen.state.live.pace = 0.0
    show(app, screen)
    screen.state.choose(112)
    return screen


@pytest.mark.parametrize(
    ("mode", "says"),
    [
        ("silent", "“Odd” does not answer START."), ("dumb", "“Odd” does not answer START."),
        ("thinking", "“Odd” does not answer in time."), ("flood", "“Odd” does not answer in time."),
        ("endless-line", "“Odd” does not answer in time."), ("garbage", "“Odd” does not answer in time."),
        ("illegal", "“Odd” has answered 99,99, which is no legal move."),
        ("orphan", "“Odd” has ended without an answer (exit status 3)."),
        ("closed", "“Odd” has closed its output without an answer."),
        ("thinking-daemon", "“Odd” does not answer in time."),
        ("no such mode", "“Odd” has ended without an answer (exit status 1)."),
    ],
)  # fmt: skip
def test_an_engine_that_misbehaves_loses_no_game(app: App, engine: Engine, mode: str, says: str) -> None:
    command = engine.command(f'"{mode}"')
    add(ExternalEngine("Odd", command, start_seconds=5))
    screen = against(app)
    until(app, lambda: screen.state.failure)
    assert screen.state.failure == says
    wait(lambda: engine.processes == [])
    file = screen.state.saver.file
    app.files.settle()
    assert load(file).position.ply == 1
    push(app, "take_seat")
    frame(app)
    assert isinstance(app.scene, Play)
    app.scene.state.choose(113)
    assert app.scene.state.record.position.ply == 2
    app.scene.close()
    app.searches.release()


@pytest.mark.parametrize("mode", ["stubborn", "flood-later", "session", "daemon", "stderr", "well"])
def test_an_engine_that_plays_is_ended_with_its_game(app: App, engine: Engine, mode: str) -> None:
    """Also one that ignores END, prints without end, or has started others."""
    add(ExternalEngine("Odd", engine.command(mode), grace_seconds=10))
    screen = against(app)
    until(app, lambda: screen.state.live.person_to_move)
    assert screen.state.record.position.ply == 2
    assert engine.processes
    screen.close()
    app.searches.release()
    wait(lambda: engine.processes == [])


def test_an_engine_that_crashes_in_the_middle_is_restarted_and_replaced(app: App, engine: Engine) -> None:
    add(ExternalEngine("Odd", engine.command("crash"), grace_seconds=10))
    screen = against(app)
    until(app, lambda: screen.state.live.person_to_move)
    screen.state.choose(113)
    until(app, lambda: screen.state.failure)
    assert "SIGSEGV" in screen.state.failure
    push(app, "restart")
    until(app, lambda: screen.state.live.person_to_move)
    assert screen.state.record.position.ply == 4
    screen.state.choose(114)
    until(app, lambda: screen.state.failure)
    push(app, "replace")
    app.overlay.then("level:1")
    frame(app, 2)
    until(app, lambda: app.scene.state.live.person_to_move)
    assert app.scene.state.record.position.ply == 6
    app.scene.close()
    app.searches.release()


def test_an_engine_that_is_killed_while_it_thinks(app: App, engine: Engine) -> None:
    add(ExternalEngine("Odd", engine.command("thinking")))
    screen = against(app, seconds=60.0)
    for process in wait(lambda: [each for each in engine.processes if "keep" not in each.cmdline()]):
        process.kill()
    until(app, lambda: screen.state.failure)
    assert "has ended without an answer" in screen.state.failure
    app.scene.close()
    app.searches.release()


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
def test_our_own_engine_plays_and_analyses_as_another_program(app: App, rule: str) -> None:
    before = set(threading.enumerate())
    add(ExternalEngine("Ours", f'"{sys.executable}" "{ROOT / "main.py"}" engine', start_seconds=120, grace_seconds=10))
    screen = against(app, 0.2, rule, "Ours")
    for ply, move in ((2, 0), (4, 14)):
        until(app, lambda ply=ply: screen.state.failure or screen.state.record.position.ply == ply)
        assert screen.state.failure == ""
        screen.state.choose(move)
    replay = Replay(app, screen.state.record, at_cursor=True, tab="analysis", autosave=False)
    replay.state.analyst.choose("external:Ours")
    show(app, replay)
    until(app, lambda: len(replay.state.analyst.lines()) >= 3)
    assert all(found.text for found in replay.state.analyst.lines())
    replay.close()
    app.searches.release()
    wait(lambda: not [each for each in psutil.Process().children(recursive=True) if "engine" in words_of(each)])
    wait(lambda: not [each for each in threading.enumerate() if each not in before and "pbrain" in each.name])
