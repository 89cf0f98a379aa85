"""An error that nobody expected: it is in the log, the game is kept, a dialog tells, and the window goes on at home."""

from __future__ import annotations

import faulthandler
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pygame
import pytest

from ai.core.player import Info, Limit, Player, Stop
from ai.service.searches import Purpose
from games.formats import load
from games.position import Position
from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from tests.ui.stage import show, thinks, until
from tests.waiting import PATIENCE
from ui import screens
from ui.app import App
from ui.home.screen import Home
from ui.parts.players import Players
from ui.play.screen import Play
from ui.system.faults import Faults
from ui.system.settings import Settings
from ui.toolkit.dialogs import Question
from ui.toolkit.i18n import t
from ui.window.crash import report_end
from ui.window.host import Job

ROOT = Path(__file__).parents[3]
KEY = pygame.event.Event(pygame.KEYDOWN, key=pygame.K_F12, mod=0, unicode="", scancode=0)


class Broken(Exception):
    """What nobody expected."""


def breaks(*_: object) -> None:
    raise Broken("as the test wants it")


class Scripted(App):
    """Does one of the `acts` in the place of each wait for events, and ends after the last."""

    def __init__(self) -> None:
        faults = Faults(lambda: f"tengen 1.2.3\ndata {Path.home()}/.local")
        super().__init__(Settings(motion="off", language="en", scale=100), (960, 640), faults)
        self.acts: list[Callable[[], object]] = []

    def begin(self) -> None:
        """Without the engine."""

    def _wait_for_events(self, last: float) -> list[pygame.event.Event]:
        self._due(last)
        if not self.acts:
            return [pygame.event.Event(pygame.QUIT)]
        done = self.acts.pop(0)()
        return [done] if isinstance(done, pygame.event.EventType) else []


@pytest.fixture
def scripted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scripted]:
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    yield Scripted()
    pygame.quit()


def game() -> GameRecord:
    return GameRecord(setup("tictactoe"), (Seat(PERSON), Seat(PERSON)))


def play(app: Scripted) -> Play:
    screen = Play(app, game())
    app.show(screen)
    return screen


@pytest.mark.parametrize("where", ["update", "draw", "handle", "wake", "build", "status"])
def test_an_error_in_a_part_ended_the_program_without_a_word(
    scripted: Scripted, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, board: list[str], where: str
) -> None:
    app, screen = scripted, play(scripted)
    seen: list[object] = []

    def break_it() -> pygame.event.Event | None:
        monkeypatch.setattr(Players, where, breaks, raising=False)
        if where == "build":
            app.rebuild()
        return pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=0) if where == "handle" else None

    def look() -> None:
        monkeypatch.undo()
        seen.extend((app.scene, app.overlay))
        assert isinstance(app.overlay, Question)
        app.overlay.widgets.press("accept")

    app.acts = [lambda: screen.state.choose(4), break_it, lambda: None, look, lambda: None]
    # What a test puts in place is not to be undone with the error.
    monkeypatch.setenv("TENGEN_HOME", os.environ["TENGEN_HOME"])
    assert app.run()
    home, question = seen
    assert isinstance(home, Home)
    assert isinstance(question, Question)
    assert question.message == t("crash.text")
    assert "Broken: as the test wants it" in caplog.text
    assert f"in {breaks.__name__}" in caplog.text
    assert load(screen.state.saver.file).position.ply == 1


def test_the_move_that_was_played_when_the_error_came_is_kept(
    scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was in the record, but nothing had been saved since."""
    app, screen = scripted, play(scripted)

    def move() -> None:
        with monkeypatch.context() as at_first:
            at_first.setattr(screen.state.saver, "save", breaks)
            with pytest.raises(Broken):
                screen.state.choose(0)
        breaks()

    app.acts = [lambda: screen.state.choose(4), move, lambda: None]
    assert app.run()
    assert load(screen.state.saver.file).position.ply == 2


def test_what_cannot_be_kept_is_told(scripted: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    app, screen = scripted, play(scripted)
    said: list[str] = []

    def break_it() -> None:
        monkeypatch.setattr(screen.state, "changed", breaks)
        monkeypatch.setattr(Players, "update", breaks)

    def look() -> None:
        assert isinstance(app.overlay, Question)
        said.append(app.overlay.message)

    app.acts = [lambda: screen.state.choose(4), break_it, look]
    assert app.run()
    assert said == [t("crash.unsaved")]


def test_a_part_that_cannot_be_closed_kept_the_others_from_saving(
    scripted: Scripted, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    app, screen = scripted, play(scripted)
    closed: list[object] = []
    monkeypatch.setattr(type(screen.parts[0]), "close", breaks)

    def close(part: object) -> None:
        closed.append(part)

    monkeypatch.setattr(type(screen.parts[-1]), "close", close)
    seen: list[object] = []
    app.acts = [
        lambda: screen.state.choose(4), lambda: app.open(screens.settings), lambda: None,
        lambda: seen.extend((app.scene.name, app.overlay)), monkeypatch.undo,
    ]  # fmt: skip
    monkeypatch.setenv("TENGEN_HOME", os.environ["TENGEN_HOME"])
    app.run()
    assert seen[0] == "home"
    assert isinstance(seen[1], Question)
    assert screen.parts[-1] in closed
    assert "Broken" in caplog.text


def test_a_home_that_fails_at_once_ends_the_program_and_says_so(
    scripted: Scripted, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    frames: list[int] = []
    monkeypatch.setattr(Home, "draw", lambda *_: (frames.append(1), breaks()))
    scripted.acts = [lambda: None] * 1000
    assert not scripted.run()
    assert len(frames) == 2
    assert "unexpected error" in capsys.readouterr().err


def test_a_home_that_cannot_be_made_ends_the_program_and_says_so(
    scripted: Scripted, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(screens, "home", breaks)
    assert not scripted.run()
    assert "unexpected error" in capsys.readouterr().err


def test_a_person_may_run_into_the_same_error_again(scripted: Scripted) -> None:
    """Only errors that nobody causes end the program."""
    app = scripted
    told: list[bool] = []
    once = (lambda: KEY, lambda: app.show(Failing(app)), lambda: None, lambda: told.append(app.overlay is not None))
    app.acts = [*once] * 3
    assert app.run()
    assert told == [True] * 3


class Failing(Home):
    def lay_out(self) -> None:
        breaks()


def test_the_report_has_version_and_trace_but_not_the_name_of_the_person(
    scripted: Scripted, board: list[str]
) -> None:
    app = scripted
    said: list[str] = []

    def copy() -> None:
        assert isinstance(app.overlay, Question)
        app.overlay.widgets.press("accept")
        said.append(app.message[0])

    app.acts = [lambda: app.show(Failing(app)), lambda: None, copy, lambda: None]
    assert app.run()
    assert said == [t("crash.copied")]
    assert board[-1].startswith("tengen 1.2.3\ndata ~/.local\n\nTraceback")
    assert board[-1].rstrip().endswith("Broken: as the test wants it")
    assert str(Path.home()) + os.sep not in board[-1]


def test_an_error_while_closing_ends_the_program_with_a_trace(
    scripted: Scripted, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(scripted.window, "remember", breaks)
    saved: list[bool] = []
    monkeypatch.setattr(scripted, "save_settings", lambda: saved.append(True))
    assert not scripted.run()
    assert saved
    assert "Broken" in caplog.text
    assert not pygame.display.get_init()


@pytest.mark.parametrize("seen", [True, False])
def test_the_end_is_told_in_a_box_where_it_is_seen(monkeypatch: pytest.MonkeyPatch, seen: bool) -> None:
    boxes: list[object] = []
    monkeypatch.setattr("ui.window.crash.is_seen", lambda: seen)
    monkeypatch.setattr(pygame.display, "message_box", lambda *_, **how: boxes.append(how["buttons"]))
    report_end()
    assert boxes == [(t("common.close"),)] * seen


# Threads.


class Failed(Player):
    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        raise Broken("thinking")
        yield


@pytest.mark.parametrize("purpose", [Purpose.HINT, Purpose.TEACHING, Purpose.ANALYSIS])
def test_a_search_that_fails_is_logged_and_told(app: App, caplog: pytest.LogCaptureFixture, purpose: Purpose) -> None:
    """A hint or an analysis that failed was only in the log."""
    record = game()
    show(app, Home(app))
    thinks(app, lambda _: Failed())
    search = app.searches.ask(record.root, purpose, Limit(seconds=1.0))
    until(app, lambda: search.over)
    assert isinstance(search.error, Broken)
    assert app.message[0] == t("error.search")
    assert "Broken: thinking" in caplog.text


@pytest.mark.parametrize("purpose", [Purpose.MOVE, Purpose.HINT])
def test_a_player_that_cannot_be_made_ended_the_program(
    app: App, caplog: pytest.LogCaptureFixture, purpose: Purpose
) -> None:
    """Such as one whose table does not fit into memory."""
    thinks(app, breaks)
    search = app.searches.ask(game().root, purpose, Limit(seconds=1.0))
    assert search.over
    assert isinstance(search.error, Broken)
    assert (app.message[0] == "") == (purpose == Purpose.MOVE), "a game tells that itself"
    assert not app.searches.busy
    assert "Broken" in caplog.text


def test_a_computer_that_cannot_be_made_leaves_the_game_waiting(app: App) -> None:
    thinks(app, breaks)
    screen = show(app, Play(app, GameRecord(setup("tictactoe"), (Seat("alphabeta"), Seat(PERSON)))))
    until(app, lambda: screen.state.live.waiting)
    assert screen.state.failure == t("error.player")
    assert {"restart", "replace", "take_seat"} <= screen.widgets.buttons.keys()


def test_a_hint_that_failed_can_be_asked_for_again(app: App) -> None:
    thinks(app, lambda _: Failed())
    screen = show(app, Play(app, game()))
    screen.state.hints.ask()
    first = screen.state.hints.search
    until(app, lambda: first.over)
    screen.state.hints.ask()
    assert screen.state.hints.search is not first


@pytest.mark.parametrize("work", [breaks, lambda _on_progress: 1])
def test_a_job_that_fails_is_logged_and_told(
    app: App, caplog: pytest.LogCaptureFixture, work: Callable[..., object]
) -> None:
    """On its thread, or when its result is used on the window's."""
    show(app, Home(app))
    app.start_job(Job(app, "title", "name", "stopped", work, breaks))
    until(app, lambda: app.message[0])
    assert app.message[0] == t("job.failed", name="name")
    assert "Broken: as the test wants it" in caplog.text
    assert app.overlay is None
    question = app.overlay = Question(app, "", "")
    quick: Job[int] = Job(app, "title", "name", "stopped", lambda _: 1, lambda _: None)
    quick.at_once = True
    app.start_job(quick)
    assert (app.jobs.busy, app.overlay) == (False, question)


def test_an_error_that_ends_a_thread_is_logged_and_told(
    app: App, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(faulthandler, "enable", lambda *_: None)  # pytest's own goes on
    monkeypatch.setattr(faulthandler, "disable", lambda: None)
    show(app, Home(app))
    with app.faults.install():
        thread = threading.Thread(target=breaks, name="of the test")
        thread.start()
        thread.join(PATIENCE)
    until(app, lambda: app.message[0])
    assert app.message[0] == t("error.thread")
    assert "thread “of the test”" in caplog.text
    assert "Broken: as the test wants it" in caplog.text


# The whole program.

DRIVER = """
import sys
sys.path.insert(0, {root!r})
import ui.start, pygame, time
from ui.home.screen import Home
from ui.app import App
{patch}
ui.start.start(None)
"""


def started(home: Path, patch: str, **environment: str) -> subprocess.CompletedProcess[str]:
    told = {"TENGEN_HOME": str(home), "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", **environment}
    code = DRIVER.format(root=str(ROOT), patch=patch)
    return subprocess.run(
        [sys.executable, "-c", code], env=os.environ | told, capture_output=True, text=True, timeout=120, check=False
    )


def log(home: Path) -> str:
    return (home / "logs" / "tengen.log").read_text(encoding="utf-8")


def test_a_program_that_ends_by_an_error_leaves_version_diagnosis_and_trace(tmp_path: Path) -> None:
    done = started(tmp_path, "def fail(*_): raise ValueError('in draw')\nHome.draw = fail")
    assert done.returncode == 1
    assert str(tmp_path / "logs" / "tengen.log") in done.stderr
    assert "Traceback" not in done.stderr
    text = log(tmp_path)
    assert text.count("tengen        0.") == 1
    assert "settings      " in text
    assert text.count("ValueError: in draw") == 2
    started(tmp_path, "def fail(*_, **__): raise ValueError('another')\nApp.__init__ = fail")
    assert "ValueError: in draw" in log(tmp_path)
    assert "ValueError: another" in log(tmp_path)


HOLD_GIL = "import ctypes; ctypes.PyDLL(None).sleep(5)"


@pytest.mark.slow
@pytest.mark.parametrize("stand", [
    "time.sleep(5.0)",
    pytest.param(HOLD_GIL, marks=pytest.mark.skipif(sys.platform == "win32", reason="has no such C library")),
])  # fmt: skip
def test_a_window_that_stands_still_leaves_all_stacks(tmp_path: Path, stand: str) -> None:
    patch = f"""
import ui.system.faults as faults
faults.STILL, faults.LOOK = 2.0, 0.2
inner, frames = App.frame, []
def stand_still_here(app, now):
    frames.append(now)
    if len(frames) == 3: {stand}
    app.running = len(frames) < 5
    app.wake()
    inner(app, now)
App.frame = stand_still_here
"""
    done = started(tmp_path, patch)
    assert done.returncode == 0, done.stderr
    text = log(tmp_path)
    assert "The window stood still for" in text
    assert text.count("in stand_still_here") == 1  # once, however long it stands


@pytest.mark.slow
def test_a_window_that_waits_for_a_person_does_not_stand_still(tmp_path: Path) -> None:
    patch = """
import ui.system.faults as faults
faults.STILL, faults.LOOK = 1.5, 0.2
import threading
close = lambda: pygame.event.post(pygame.event.Event(pygame.QUIT))
App.begin = lambda app: threading.Timer(5.0, close).start()
"""
    done = started(tmp_path, patch)
    assert done.returncode == 0, done.stderr
    assert "stood still" not in log(tmp_path)


@pytest.mark.slow
def test_a_fault_of_native_code_is_in_the_log_of_the_next_start(tmp_path: Path) -> None:
    assert started(tmp_path, "import faulthandler\nApp.frame = lambda *_: faulthandler._sigsegv()").returncode != 0
    started(tmp_path, "App.frame = lambda app, _: setattr(app, 'running', False)")
    assert "Segmentation fault" in log(tmp_path)
    assert (tmp_path / "logs" / "faults.txt").read_bytes() == b""
