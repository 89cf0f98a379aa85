"""An app without a display to show scenes on, and what tests do with it."""

from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import TypeVar

import pygame
import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import ui.system.files
from ai.core.player import Player
from ai.search.alphabeta import AlphaBeta
from ai.service.searches import Searches
from games.record import GameRecord
from games.storage import write_atomic
from tests.waiting import PATIENCE, wait
from ui.app import App
from ui.play.screen import Play
from ui.system.settings import Settings
from ui.toolkit.file_dialog import FileDialog
from ui.toolkit.i18n import LANGUAGES
from ui.window.part import Group, Part
from ui.window.screen import Screen

Kind = TypeVar("Kind", bound=Part)

SIZES = (((960, 640), 100), ((1280, 800), 100), ((2560, 1440), 200))
_SOON = 0.05  # seconds: a screen that wakes before has work on the way
LOOKS = tuple((theme, code) for theme, code in zip(cycle(("ink", "paper")), LANGUAGES))
"""A theme for each language, and both themes: what is cut off depends on the language, and contrast on the theme."""
SPOKEN = [pytest.param(code, marks=() if code in ("zh", "ru") else pytest.mark.slow) for code in LANGUAGES]
"""The languages, of which the normal run has the one with the widest characters and the one with the longest words."""


@dataclass(frozen=True)
class Cut:
    """A text that did not fit where it was written."""

    text: str
    shown: str


def frame(app: App, times: int = 1) -> None:
    for _ in range(times):
        app.frame(time.monotonic())


def until(app: App, there: Callable[[], object]) -> None:
    """Draw frames until `there` is true, and one more."""
    wait(there, lambda: frame(app))
    frame(app)


def still(screen: Screen) -> bool:
    """Whether nothing on the screen moves or is on its way."""
    wake = screen.wake(0.0)
    return wake is None or wake >= _SOON


def show(app: App, scene: Kind) -> Kind:
    app.show(scene)
    frame(app, 2)
    return scene


def push(app: App, *buttons: str) -> None:
    """Press buttons of the screen by their names."""
    for button in buttons:
        app.scene.widgets.press(button)
        frame(app)


def press(app: App, *keys: int, mod: int = 0, text: str = "") -> None:
    for key in keys:
        for kind in (pygame.KEYDOWN, pygame.KEYUP):
            app.dispatch(pygame.event.Event(kind, key=key, mod=mod, unicode=text, scancode=0))
        frame(app)


def click(app: App, pixel: tuple[int, int], button: int = 1) -> None:
    for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        app.dispatch(pygame.event.Event(kind, pos=pixel, button=button))
    frame(app)


def choose_file(app: App, path: Path | str) -> None:
    """Type the path of a file in the dialog that is open, and choose it."""
    dialog = app.overlay
    type_path(dialog, str(path))
    dialog.pick()
    frame(app)


def type_path(dialog: FileDialog, text: str) -> None:
    """Replace what stands in the line, as by Ctrl+A and typing."""
    dialog.widgets.focus = "path"
    dialog.line.select(0, len(dialog.line.text))
    dialog.line.type_text(text)


class Stage:
    """An app without a display, and what was cut off while it drew."""

    def __init__(self, home: Path, size: tuple[int, int], scale: int, theme: str, language: str) -> None:
        self.home, self.pointer = home, (0, 0)
        settings = Settings(theme=theme, language=language, scale=scale, motion="off")
        self.app = App(settings, size)
        self.cuts: list[Cut] = []

    def show(self, scene: Kind) -> Kind:
        self.app.show(scene)
        self.frame()
        return scene

    def frame(self, times: int = 1) -> None:
        frame(self.app, times)

    def until(self, there: Callable[[], object]) -> None:
        until(self.app, there)

    def push(self, *buttons: str) -> None:
        push(self.app, *buttons)

    def press(self, key: int, mod: int = 0, text: str = "") -> None:
        press(self.app, key, mod=mod, text=text)

    def keys(self, *keys: int) -> None:
        press(self.app, *keys)

    def write(self, text: str) -> None:
        """Type into the text field that has the focus."""
        self.app.dispatch(pygame.event.Event(pygame.TEXTINPUT, text=text))
        self.frame()

    def hover(self, pixel: tuple[float, float]) -> None:
        """Move the mouse there, and leave it there."""
        self.pointer = round(pixel[0]), round(pixel[1])
        self.app.dispatch(pygame.event.Event(pygame.MOUSEMOTION, pos=self.pointer, rel=(0, 0), buttons=(0, 0, 0)))
        self.frame()

    def click(self, pixel: tuple[int, int], button: int = 1) -> None:
        click(self.app, pixel, button)

    def choose(self, button: str, option: str) -> None:
        """Choose from the menu that a button opens."""
        self.push(button)
        self.click(self.app.overlay.places()[option])


Make = Callable[..., Stage]


class Disk:
    """A disk that blocks until it `goes`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.goes = threading.Event()
        self.written: list[bytes] = []
        monkeypatch.setattr(ui.system.files, "write_atomic", self._write)

    def _write(self, path: Path, data: bytes) -> None:
        assert self.goes.wait(PATIENCE)
        write_atomic(path, data)
        self.written.append(data)


def full(*_: object, **__: object) -> None:
    """What a disk without room does in place of writing or moving a file."""
    raise OSError(errno.ENOSPC, "No space left on device")


def thinks(app: App, make: Callable[[str], Player]) -> None:
    """Let `make` make all players of the window, by name. Call it before a screen is made."""
    app.searches = Searches(
        lambda name, _game, _book: make(name), app.wake, lambda: app.engine.ready, failed=app.search_failed
    )


def quick(app: App, record: GameRecord, player: Player | None = None, **options: bool) -> Play:
    """Show a game in which all players of the computer answer at once, as `player` does, or alpha-beta."""
    thinks(app, lambda _: player or AlphaBeta())
    scene = Play(app, record, **options)
    scene.state.live.pace = 0.0
    return show(app, scene)


def changed(before: pygame.Surface, after: pygame.Surface) -> pygame.Rect:
    """The smallest rectangle around all pixels that differ; its size is 0 if none does."""
    differ = (pygame.surfarray.array3d(before) != pygame.surfarray.array3d(after)).any(axis=2)
    if not differ.any():
        return pygame.Rect(0, 0, 0, 0)
    columns, rows = differ.any(axis=1).nonzero()[0], differ.any(axis=0).nonzero()[0]
    left, top = int(columns[0]), int(rows[0])
    return pygame.Rect(left, top, int(columns[-1]) + 1 - left, int(rows[-1]) + 1 - top)


def part(screen: Group, kind: type[Kind]) -> Kind:
    """The part of that kind on `screen`."""
    return next(found for found in _all_parts(screen) if isinstance(found, kind))


def _all_parts(group: Group) -> Iterator[Part]:
    for each in group.parts:
        yield each
        if isinstance(each, Group):
            yield from _all_parts(each)


def act(screen: Screen, key: str) -> None:
    """Do what `key`, such as ``ctrl+z``, does, and draw a frame."""
    *held, name = key.split("+")
    mod = (pygame.KMOD_LCTRL if "ctrl" in held else 0) | (pygame.KMOD_LSHIFT if "shift" in held else 0)
    code = pygame.K_RETURN if name == "return" else pygame.key.key_code(name)
    assert screen.key(pygame.event.Event(pygame.KEYDOWN, key=code, mod=mod, unicode="", scancode=0))
    frame(screen.host)


