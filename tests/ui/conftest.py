"""No test but those of the sounds touches the sound device: pygame is ended and begun again all the time here, which
a thread that plays does not survive."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pygame
import pytest

import ui.toolkit.typesetting
from ai.system.stream import TaskFailure
from tests.ui.reader import Reader, watching
from tests.ui.stage import Cut, Disk, Make, Stage
from ui.app import App
from ui.board import grid, materials, plain
from ui.board.materials import Size, material
from ui.system.settings import Settings
from ui.system.sound import Sounds
from ui.toolkit.i18n import set_language
from ui.toolkit.theme import Theme
from ui.toolkit.typesetting import fitted
from ui.window import jobs


@pytest.fixture(autouse=True)
def _silence(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if request.module.__name__.rpartition(".")[2] != "test_sound":
        monkeypatch.setattr(Sounds, "play", lambda _self, _name: None)
        yield
        return
    yield
    for thread in threading.enumerate():
        if thread.name == "sounds":
            thread.join(10)


class AtOnce:
    """Stands for `ai.system.stream.Stream`: the task runs here, when its items are taken, without a process."""

    failed = False

    def __init__(self, _wake: Callable[[], object], task: Callable[..., Iterator[object]], *arguments: object) -> None:
        self.busy = True
        self._items = task(*arguments)

    def take(self) -> list[object]:
        """All that the task yields."""
        try:
            return list(self._items)
        except TaskFailure:
            self.failed = True
            return []
        finally:
            self.busy = False

    def close(self) -> None:
        """Do no more."""
        self.busy = False


@pytest.fixture(autouse=True)
def _imports_at_once(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test but those of imports starts a process for one."""
    if "in_a_process" not in request.node.name:
        monkeypatch.setattr("ui.window.background.Stream", AtOnce)


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    """The smallest window, still and in English, with a home of its own."""
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    made = App(Settings(motion="off", language="en", scale=100, width=960, height=640))
    yield made
    made.scene.close()
    made.close()


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    """Makes stages, with a home of their own."""
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    made: list[Stage] = []

    def make(size: tuple[int, int] = (1280, 800), scale: int = 100, theme: str = "ink", language: str = "en") -> Stage:
        stage = Stage(tmp_path, size, scale, theme, language)
        made.append(stage)

        def fitting(theme: Theme, string: str, width: int, size: int, bold: bool = False) -> str:
            shown = fitted(theme, string, width, size, bold)
            if shown != string:
                stage.cuts.append(Cut(string, shown))
            return shown

        monkeypatch.setattr(ui.toolkit.typesetting, "fitted", fitting)
        monkeypatch.setattr(pygame.mouse, "get_pos", lambda: stage.pointer)
        return stage

    yield make
    for stage in made:
        stage.app.jobs.stop()  # its thread would keep the process alive
        stage.app.scene.close()
        stage.app.sounds.close()
    pygame.quit()


@pytest.fixture
def made(stage: Make) -> Stage:
    """A stage as most tests want it."""
    return stage()


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """Whatever a test says last."""
    set_language("en")
    yield
    set_language("en")


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The clipboard: its last text counts."""
    texts = [""]
    monkeypatch.setattr(pygame.scrap, "get_text", lambda: texts[-1])
    monkeypatch.setattr(pygame.scrap, "put_text", texts.append)
    return texts


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    made = Disk(monkeypatch)
    yield made
    made.goes.set()


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Reader:
    return watching(monkeypatch)


@cache
def _material(name: str, size: Size) -> pygame.Surface:
    return material(name, size)


@pytest.fixture(autouse=True)
def _materials_are_scaled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each screen scales its own, which would be a tenth of the time of these tests."""
    for module in (materials, grid, plain):
        monkeypatch.setattr(module, "material", lambda name, size: _material(name, size).copy())


@pytest.fixture(autouse=True)
def _files_open_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is; but for tests that say otherwise."""
    monkeypatch.setattr(jobs, "AT_ONCE", 30.0)
