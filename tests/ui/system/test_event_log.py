"""What is told of the screen for tests with a real mouse, and what is asked of the C library."""

from __future__ import annotations

import ctypes
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pygame
import pytest

from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from tests.ui.stage import Stage
from ui.home.screen import Home
from ui.play.screen import Play
from ui.system import event_log


def test_what_changes_on_the_screen_is_told_once(made: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trace = tmp_path / "trace"
    monkeypatch.setenv("TENGEN_TRACE", str(trace))

    def told() -> list[dict[str, Any]]:
        made.frame(2)
        lines = [json.loads(line) for line in trace.read_text("utf-8").splitlines()]
        trace.write_text("")
        return [each for each in lines if each["event"] != "frame"]

    game = GameRecord(setup("tictactoe"), (Seat(PERSON), Seat(PERSON)))
    scene = made.show(Play(made.app, game, autosave=False))
    *_, shown = told()
    assert (shown["event"], shown["scene"], len(shown["moves"])) == ("scene", "play", 9)
    assert shown["moves"]["b2"] == list(scene.board.pixel_of(4))
    assert shown["widgets"]["menu"] == list(scene.widgets.elements["menu"].rect.center)
    assert told() == []
    scene.widgets.remove("menu")
    (changed,) = told()
    assert shown["widgets"].keys() - changed["widgets"].keys() == {"menu"}
    made.app.rebuild()
    assert [each["widgets"] for each in told()] == [shown["widgets"]]
    made.app.rebuild()
    assert len(told()) == 1, "a screen that is built anew, as it was"
    made.app.say("A sentence.")
    made.push("menu")
    said, menu = told()[:2]
    assert (said["event"], said["text"]) == ("message", "A sentence.")
    places = {name: list(place) for name, place in made.app.overlay.places().items()}
    assert (menu["event"], menu["widgets"]) == ("menu", places)
    made.app.overlay = None
    made.press(pygame.K_s, pygame.KMOD_LCTRL | pygame.KMOD_LSHIFT)
    assert {"path", "ok"} <= next(each for each in told() if each["event"] == "dialog")["widgets"].keys()
    event_log.saved(tmp_path / "a.sgf", 7)
    assert [(each["event"], each["file"], each["moves"]) for each in told()] == [("saved", str(tmp_path / "a.sgf"), 7)]
    made.show(Home(made.app))
    assert told()[-1]["moves"] == {}
    monkeypatch.delenv("TENGEN_TRACE")
    made.app.say("Another one.")
    assert told() == []


@pytest.mark.parametrize(("platform", "asked"), [("linux", [("mallopt", -8, 1), ("malloc_trim", 0)]), ("win32", [])])
def test_the_heap_is_kept_small_where_glibc_is(
    monkeypatch: pytest.MonkeyPatch, platform: str, asked: list[tuple[object, ...]]
) -> None:
    done: list[tuple[object, ...]] = []
    library = SimpleNamespace(**{name: lambda *given, name=name: done.append((name, *given))
                                 for name in ("mallopt", "malloc_trim")})  # fmt: skip
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(ctypes, "CDLL", lambda _name: library)
    event_log.limit_arenas()
    event_log.trim()
    assert done == asked
