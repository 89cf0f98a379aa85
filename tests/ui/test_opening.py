"""Files that take long to read: the window goes on meanwhile, tells how far it is, and may give up."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pygame
import pytest

from games.formats import pasted, save
from games.formats.common import OnProgress
from games.record import PERSON, GameRecord, Seat
from games.registry import Setup, setup
from games.storage import saves_home
from tests.ui.stage import Stage, act
from ui.home.screen import Home
from ui.library.screen import LibraryScreen
from ui.play.screen import Play
from ui.replay.screen import Replay
from ui.toolkit import dialogs
from ui.window import jobs


class Slow:
    """A disk from which `share` of a file has come, and the rest comes when it `goes`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.goes, self.left = threading.Event(), threading.Event()
        self.share = 0.42
        self._load = jobs.load
        monkeypatch.setattr(jobs, "load", self._slowly)
        monkeypatch.setattr(jobs, "pasted", self._pasted_slowly)
        monkeypatch.setattr(jobs, "AT_ONCE", 0.0)
        monkeypatch.setattr(dialogs, "SHOWN", 0.0)

    def _slowly(self, path: Path, on_progress: OnProgress, encoding: str | None) -> GameRecord:
        self._wait(on_progress)
        return self._load(path, on_progress=on_progress, encoding=encoding)

    def _pasted_slowly(self, text: str, around: Setup | None, on_progress: OnProgress) -> GameRecord:
        self._wait(on_progress)
        return pasted(text, around, on_progress)

    def _wait(self, on_progress: OnProgress) -> None:
        try:
            while not self.goes.wait(0.005):
                on_progress(self.share)
        finally:
            self.left.set()


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    return Slow(monkeypatch)


def reading(made: Stage) -> Home:
    """The first screen, while a file is read."""
    home = made.show(Home(made.app))
    made.app.open_file(game())
    made.frame()
    return home


def game(name: str = "game") -> Path:
    record = GameRecord(setup("tictactoe"), (Seat(PERSON), Seat(PERSON)))
    record.play(4)
    file = saves_home() / f"{name}.tengen.json"
    save(record, file)
    return file


def test_the_window_goes_on_while_a_file_is_read(made: Stage, slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of 5 MB held the window up for 8.5 seconds."""
    rests: list[None] = []
    monkeypatch.setattr(made.app, "rest", lambda: rests.append(None))
    home = reading(made)
    made.until(lambda: made.app.overlay is not None and made.app.overlay.share() == 0.42)  # type: ignore[union-attr]
    assert made.app.scene is home
    assert made.app.jobs.due() <= 0.1, "how far it is changes without any event"
    assert rests, "its thread gives way to the frames"
    made.press(pygame.K_n, pygame.KMOD_CTRL)
    assert made.app.scene is home, "the card takes the keys"
    slow.goes.set()
    made.until(lambda: isinstance(made.app.scene, Replay))
    assert made.app.overlay is None
    assert not made.app.jobs.busy


def _cancel(made: Stage) -> tuple[int, int]:
    """Where the button of the card is."""
    card: Any = made.app.overlay
    return card.widgets.elements["cancel"].rect.center  # type: ignore[no-any-return]


def test_the_button_of_a_card_that_is_not_drawn_yet_takes_no_click(
    made: Stage, slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialogs, "SHOWN", 3600.0)
    reading(made)
    made.click(_cancel(made))
    assert made.app.jobs.busy
    slow.goes.set()
    made.until(lambda: not made.app.jobs.busy)


@pytest.mark.parametrize("way", ["escape", "button"])
def test_a_file_that_is_read_is_stopped(made: Stage, slow: Slow, way: str) -> None:
    """By Esc and by the button of the card; a click elsewhere does nothing."""
    home = reading(made)
    made.click((5, 5))
    assert made.app.jobs.busy
    if way == "escape":
        made.press(pygame.K_ESCAPE)
    else:
        made.click(_cancel(made))
    assert slow.left.wait(60), "its thread ends"
    made.frame(3)
    assert (made.app.scene, made.app.overlay) == (home, None)
    assert made.app.message[0] == "“game.tengen.json” was not opened."
    assert made.app.settings.recent == []


def test_the_file_that_was_asked_for_last_is_opened(made: Stage, slow: Slow) -> None:
    reading(made)
    made.app.dispatch(pygame.event.Event(pygame.DROPFILE, file=str(game("second"))))
    slow.goes.set()
    made.until(lambda: isinstance(made.app.scene, Replay))
    assert made.app.scene.state.file.path == saves_home() / "second.tengen.json"  # type: ignore[attr-defined]
    made.frame(3)
    assert made.app.settings.recent == [str(saves_home() / "second.tengen.json")]


def test_the_library_waits_for_a_game_too(made: Stage, slow: Slow) -> None:
    file = game()
    scene = made.show(LibraryScreen(made.app))
    made.until(lambda: len(scene.state.games.selection.ids) == 1 and not scene.state.games.library.busy)
    act(scene, "ctrl+return")
    assert made.app.jobs.busy
    slow.goes.set()
    made.until(lambda: isinstance(made.app.scene, Play))
    assert made.app.scene.back is scene
    assert made.app.scene.state.saver.file == file  # type: ignore[attr-defined]


def test_home_does_not_wait_for_the_game_that_is_not_finished(made: Stage, slow: Slow) -> None:
    made.app.settings.unfinished = str(game())
    home = made.show(Home(made.app))
    assert home.games.unfinished is None
    assert "continue" not in home.widgets.buttons
    slow.goes.set()
    made.until(lambda: "continue" in home.widgets.buttons)
    home.widgets.press("continue")
    made.until(lambda: isinstance(made.app.scene, Play))


def test_a_fault_while_reading_is_a_sentence(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_path: Path, on_progress: OnProgress) -> GameRecord:
        raise ZeroDivisionError

    home = made.show(Home(made.app))
    monkeypatch.setattr(jobs, "load", fail)
    made.app.open_file(game())
    assert "cannot be opened" in made.app.message[0]
    assert made.app.scene is home


def test_what_is_pasted_was_read_on_the_thread_of_the_window(made: Stage, slow: Slow, board: list[str]) -> None:
    board.append("h8i9g7")
    home = made.show(Home(made.app))
    made.press(pygame.K_v, pygame.KMOD_CTRL)
    made.until(lambda: made.app.overlay is not None and made.app.overlay.share() == 0.42)  # type: ignore[union-attr]
    assert made.app.scene is home
    slow.goes.set()
    made.until(lambda: isinstance(made.app.scene, Replay))
    assert made.app.overlay is None
    assert made.app.scene.state.record.position.ply == 3  # type: ignore[attr-defined]


def test_pasting_is_stopped_by_escape(made: Stage, slow: Slow, board: list[str]) -> None:
    board.append("h8i9g7")
    home = made.show(Home(made.app))
    made.press(pygame.K_v, pygame.KMOD_CTRL)
    made.press(pygame.K_ESCAPE)
    assert slow.left.wait(60), "its thread ends"
    made.frame(3)
    assert (made.app.scene, made.app.overlay, made.app.jobs.busy) == (home, None, False)
    assert made.app.message[0] == "Nothing was pasted."


def test_a_fault_while_pasting_is_a_sentence(
    made: Stage, monkeypatch: pytest.MonkeyPatch, board: list[str]
) -> None:
    def fail(*_: object) -> GameRecord:
        raise ZeroDivisionError

    home = made.show(Home(made.app))
    monkeypatch.setattr(jobs, "pasted", fail)
    board.append("h8")
    made.press(pygame.K_v, pygame.KMOD_CTRL)
    assert "neither a game" in made.app.message[0]
    assert made.app.scene is home
