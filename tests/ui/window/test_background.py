"""What the window does of its own accord: imports, tournaments, later starts, and when it draws again."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pygame
import pytest

from ai.gomoku.handle import EngineState
from games.database.importer import Progress, UnreadGame
from games.formats import FormatError
from tests.ui.stage import frame, show
from ui import app as app_module
from ui.app import App
from ui.home.screen import Home
from ui.toolkit.i18n import t
from ui.toolkit.space import Space
from ui.window.background import Imports, Tournaments, at_low_priority
from ui.window.part import ScreenFrame
from ui.window.screen import Screen

UNREAD = UnreadGame("a.sgf", FormatError("", "foreign"))


class Told:
    """Stands for a stream: what is to be taken at each update; it has ended after the last one."""

    def __init__(self, *steps: list[Progress], failed: bool = False) -> None:
        self._steps, self.failed, self.closed = list(steps), failed, False

    @property
    def busy(self) -> bool:
        return bool(self._steps)

    def take(self) -> list[Progress]:
        return self._steps.pop(0)

    def close(self) -> None:
        self.closed = True


def importing(monkeypatch: pytest.MonkeyPatch, *streams: Told) -> tuple[Imports, list[Imports]]:
    """Imports whose processes are the `streams`, and what is called at their ends."""
    ended, left = list[Imports](), list(streams)
    monkeypatch.setattr("ui.window.background.Stream", lambda *_: left.pop(0))
    return Imports(lambda: None, ended.append), ended


def test_an_import_counts_what_is_new_and_keeps_the_first_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = (Progress(done, 9, games=2, failures=(UNREAD,) * new) for done, new in ((3, 999), (4, 3)))
    imports, ended = importing(monkeypatch, Told([first], [second], []))
    assert (imports.busy, imports.mirroring, imports.broken, imports.failed) == (False, False, False, 0)
    imports.start(Path("a"), [])
    seen = []
    for _ in range(4):
        seen.append((imports.version, imports.progress.done, imports.failed, len(imports.failures), imports.busy))
        imports.update()
    assert seen == [(0, 0, 0, 0, True), (1, 3, 999, 999, True), (1, 4, 1002, 1000, True), (2, 4, 1002, 1000, False)]
    assert (ended, imports.mirrored, imports.mirroring, imports.version) == ([imports], False, False, 2)


def test_a_mirror_waits_for_an_import_and_is_done_if_it_did_not_break(monkeypatch: pytest.MonkeyPatch) -> None:
    first, last = Told(), Told([])
    imports, ended = importing(monkeypatch, first, Told([], failed=True), Told([]), last)
    imports.start(Path("a"), [])
    imports.mirror()
    assert (imports.busy, imports.mirroring, imports.database) == (True, False, Path("a"))
    imports.stop()
    imports.stop()
    assert (first.closed, imports.busy, imports.version, ended) == (True, False, 1, [])
    for broken in (True, False):
        imports.mirror()
        assert (imports.busy, imports.mirroring, imports.broken) == (False, True, False)
        imports.update()
        assert (imports.broken, imports.mirrored, imports.mirroring) == (broken, True, False)
        imports.mirrored = False
    imports.start(Path("b"), [])
    imports.update()
    assert (imports.database, len(ended), imports.mirrored, last.closed) == (Path("b"), 3, False, False)


@pytest.mark.parametrize(("child", "nice"), [(True, [10]), (False, [])])
def test_a_process_of_an_import_stands_back(monkeypatch: pytest.MonkeyPatch, child: bool, nice: list[int]) -> None:
    by: list[int] = []
    monkeypatch.setattr(os, "nice", by.append, raising=False)
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: child or None)
    assert list(at_low_priority(lambda *given: iter(given), 3, 4)) == [3, 4]  # type: ignore[arg-type, return-value]
    assert by == nice


class Run:
    """Stands for a tournament, which `tells` so much at each update and is over after the last."""

    def __init__(self, *tells: int, played: int = 0, error: Exception | None = None) -> None:
        self._tells, self.busy, self.stopped, self.error = list(tells), False, False, error
        self.played, self.planned, self.folder = [0] * played, [0, 0], Path("Cup")
        self.update = partial(self._tells.pop, 0)

    @property
    def over(self) -> bool:
        return not self._tells

    def stop(self) -> None:
        self.stopped = True


def test_a_tournament_goes_on_until_it_is_over_or_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, made, ended = Run(2, 3), Run(1), list[tuple[object, ...]](), list[Any]()
    runs = [first, second]
    monkeypatch.setattr("ai.arena.tournament_run.TournamentRun", lambda *given: (made.append(given), runs.pop(0))[1])
    tournaments = Tournaments(print, ended.append)
    tournaments.update()
    tournaments.stop()
    assert (tournaments.version, tournaments.wake()) == (0, None)
    tournaments.start(Path("a"))
    assert (made, tournaments.version, tournaments.wake()) == ([(Path("a"), print, 1)], 1, None)
    first.busy = True
    assert tournaments.wake() == 0.0
    for version, run in ((3, first), (7, None)):
        assert ended == []
        tournaments.update()
        assert (tournaments.version, tournaments.run) == (version, run)
    tournaments.start(Path("b"))
    tournaments.stop()
    assert (tournaments.version, tournaments.run, ended) == (9, None, [first])
    assert (first.stopped, second.stopped) == (False, True)


# The window.


@pytest.mark.parametrize(("run", "key", "kind"), [
    (Run(0, played=1), "waits", "good"), (Run(0, played=2), "ended", "good"),
    (Run(0, played=2, error=OSError()), "broken", "bad"),
])  # fmt: skip
def test_the_end_of_a_tournament_is_told_on_any_screen(app: App, run: Any, key: str, kind: str) -> None:
    show(app, Home(app))
    app.tournaments.run = run
    frame(app)
    for _ in range(2):
        assert app.message == (t(f"tournament.{key}", name="Cup"), getattr(app.theme.palette, kind))
        show(app, Home(app))


@pytest.mark.parametrize(("failures", "failed", "kind"), [
    ((), False, "good"), ((UNREAD,), False, "bad"), ((), True, "bad"),
])  # fmt: skip
def test_the_end_of_an_import_is_told_on_any_screen_but_not_that_of_a_mirror(
    app: App, monkeypatch: pytest.MonkeyPatch, failures: tuple[UnreadGame, ...], failed: bool, kind: str
) -> None:
    progress = [Progress(games=3, failures=failures)]
    monkeypatch.setattr("ui.window.background.Stream", lambda *_: Told(progress, failed=failed))
    show(app, Home(app))
    app.imports.mirror()
    frame(app)
    assert app.message[0] == ""
    app.imports.start(Path("a"), [])
    for _ in range(2):
        show(app, Home(app))
        assert (app.message[0] != "", app.message[1]) == (True, getattr(app.theme.palette, kind))


def test_a_later_start_brings_the_window_to_the_front_and_its_file_to_the_screen_or_into_a_replay(
    app: App, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    raised, opened, taken, asked = list[int](), list[Path](), list[Path](), list[Path | None]()
    monkeypatch.setattr(app_module, "come_to_front", lambda: raised.append(1))
    monkeypatch.setattr(app, "open_file", opened.append)
    scene = show(app, Home(app))
    frame(app)
    app.serve(SimpleNamespace(watch=lambda wake: raised.append(wake == app.wake),  # type: ignore[arg-type]
                              take_requests=lambda: [asked.pop() for _ in range(len(asked))]))  # fmt: skip
    asked += [tmp_path / "a", None]
    frame(app, 2)
    monkeypatch.setattr(scene, "take_file", lambda file: (taken.append(file), True)[1])
    asked.append(tmp_path / "b")
    frame(app)
    assert (raised, opened, taken) == ([True, 1, 1, 1], [tmp_path / "a"], [tmp_path / "b"])


@pytest.mark.skipif(os.name == "nt", reason="there a program is known by its name")
def test_a_dropped_program_is_proposed_as_an_engine_and_any_other_file_is_a_game(
    app: App, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    games, programs = list[str](), list[str]()
    monkeypatch.setattr(app, "open_file", lambda file: games.append(file.name))
    monkeypatch.setattr(app, "open", lambda _screen, back, program: programs.append(program.name))
    for name, mode in (("engine", 0o755), ("game.SGF", 0o755), ("game.bin", 0o644)):
        (tmp_path / name).touch(mode)
        app.dispatch(pygame.event.Event(pygame.DROPFILE, file=str(tmp_path / name)))
    assert (games, programs) == (["game.SGF", "game.bin"], ["engine"])


def test_memory_is_tidied_once_a_second_after_a_screen_has_changed(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    tidied: list[int] = []
    monkeypatch.setattr(app_module, "time", SimpleNamespace(monotonic=lambda: 100.0))
    monkeypatch.setattr("ui.system.event_log.trim", lambda: tidied.append(1))
    monkeypatch.setattr(app.engine, "start", lambda: None)
    app.show(Screen(app))
    app.frame(100.0)
    counts = []
    for begin, state, now in ((False, "ready", 102.0), (True, "loading", 102.0), (False, "ready", 100.9),
                              (False, "ready", 101.0), (False, "ready", 109.0)):  # fmt: skip
        if begin:
            app.begin()
        app.engine.state = EngineState(state)  # type: ignore[arg-type]
        app.frame(now)
        counts.append(len(tidied))
    assert counts == [0, 0, 0, 1, 1]


def test_the_next_frame_is_due_when_something_will_have_changed(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    due: list[float] = []
    moved = pygame.event.Event(pygame.MOUSEMOTION, pos=(5, 5), rel=(1, 1), buttons=(0, 0, 0))

    def loading() -> None:
        app.clock.idle()
        app.engine.state = EngineState("loading")

    def loaded() -> None:
        app.engine.state = EngineState("ready")

    steps: list[Callable[[], object]] = [lambda: app.dispatch(moved), loading, loaded, lambda: app.say("Hi", "bad")]

    def events(last: float, until: float) -> list[pygame.event.Event]:
        due.append(until - last)
        if not steps:
            return [pygame.event.Event(pygame.QUIT)]
        steps.pop(0)()
        return []

    monkeypatch.setattr("time.monotonic", lambda: 100.0)
    monkeypatch.setattr(app, "begin", lambda: None)
    monkeypatch.setattr(app.clock, "events", events)
    app.show(Screen(app))
    assert app.run()
    assert due == pytest.approx([float("inf"), 2 / 60, 0.5, float("inf"), 12.0])


@pytest.mark.parametrize(("own", "asked", "message", "kind", "shown", "free"), [
    ("", False, "", "info", [("", "quiet")], (16, 800)), ("500 S", False, "", "info", [("500 S", "quiet")], (516, 300)),
    ("500 S", True, "", "info", [("500 S", "text")], (516, 300)),
    ("500 S", False, "90 M", "good", [("90 M", "good")], (106, 710)),
    ("", True, "90 M", "info", [("90 M", "info")], (106, 710)),
    ("500 S", True, "90 M", "bad", [("90 M", "bad")], (106, 710)),
    ("500 S", True, "284 M", "info", [("500 S", "text"), ("284 M", "info")], (816, 0)),
    ("500 S", True, "285 M", "info", [("500 S", "text"), ("285 M", "info")], (516, 300)),
    ("790 S", True, "9 M", "good", [("790 S", "text"), ("9 M", "good")], (806, 10)),
    ("900 S", True, "", "info", [("900 S", "text")], (816, 0)),
])  # fmt: skip
def test_the_status_line_shows_what_there_is_room_for(
    app: App, monkeypatch: pytest.MonkeyPatch, own: str, asked: bool, message: str, kind: str,
    shown: list[tuple[str, str]], free: tuple[int, int],
) -> None:  # fmt: skip
    monkeypatch.setattr("ui.window.part.width_of", lambda _theme, text, _size: int(f"0{text}".split()[0]))
    monkeypatch.setattr("ui.window.part.t", lambda _key: "112 keys")
    made = ScreenFrame(app, lambda: (own, asked), panel=True)
    for wide, panel in ((2000, 400), (1200, 348), (960, 320)):
        made.build(Space(pygame.Rect(0, 0, wide, 640)))
        assert (made.main.rest, made.side.gap) == ((16, 16, wide - panel - 32, 580), 12)
        assert made.side.rest == (wide - panel + 16, 16, panel - 32, 580)
    app.notices.say(message, kind, None)
    made.draw(app.surface)
    assert made.texts == [(text, getattr(app.theme.palette, name)) for text, name in shown]
    assert made.free == (free[0], 612, free[1], 28)
