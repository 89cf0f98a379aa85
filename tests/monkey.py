"""Press random keys and buttons in the window, without a display, as nobody would on purpose.

``python -m tests.monkey --steps 20000 --seed 1`` begins with games of every kind, finished or not, among them odd ones,
in the scenes of the app. It fails with the traceback and the last actions if anything is raised or logged as an error,
on any thread, or if a file was damaged.
"""

from __future__ import annotations

import argparse
import faulthandler
import logging
import os
import random
import sys
import tempfile
import threading
import time
import webbrowser
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import patch

from ui import screens

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import pygame

from games.formats import EXTENSIONS, FormatError, load, save
from games.formats.text import parse
from games.opening_rules import OpeningPhase
from games.record import PERSON, GameRecord, Seat
from games.registry import GAMES, setup
from games.storage import saves_home
from tests.contradictions import contradictions
from ui.app import App
from ui.learn.lesson_state import lessons
from ui.library.screen import LibraryScreen
from ui.play.screen import Play
from ui.replay.position_editor import PositionEditor
from ui.replay.screen import Replay
from ui.start import prepare
from ui.system.settings import Settings
from ui.toolkit import text_line as clipboard
from ui.toolkit.file_dialog import FileDialog


def _game(game: str, moves: str, second: str = "level:1") -> GameRecord:
    record = parse(moves, setup(game))
    record.seats = Seat(PERSON), Seat(second)
    return record


def _opening(dice: random.Random) -> GameRecord:
    """A game that begins with an opening rule, against a person or a level."""
    rule, openings = dice.choice(list(GAMES["gomoku"].openings.items()))
    record = GameRecord(setup("gomoku", rule=rule), (Seat(PERSON), Seat(dice.choice((PERSON, "level:1")))))
    record.opening = OpeningPhase(dice.choice(openings), record.setup.size)
    return record


_GAMES = (
    ("gomoku", "h8i9g7g9h9i8i7j6f10e11h7f7h6h5h10"),  # black makes five
    ("gomoku", "h8i9g7g9"),
    ("gomoku", ""),
    ("tictactoe", "a1b1b2a2c3"),
    ("tictactoe", "a1"),
    ("bones", "1 2 3 2 1 3"),
    ("connect4", "dcdcdcd"),
    ("connect4", "d"),
)
_UNFINISHED = [each for each in _GAMES if _game(*each).outcome is None]
_SGF = (
    "(;GM[4]SZ[15];B[hh]C[好棋];W[ig](;B[gi];W[ii](;B[ih];W[gh])(;B[jj];W[kk]))(;B[aa];W[bb]))",
    "(;GM[4]SZ[15]AB[hh][gg]AW[ig];B[ff];W[ee])",
    "(;GM[4]SZ[15];B[hh];W[tt];B[gg])",
    "(;GM[4]SZ[9];B[ee])(;GM[4]SZ[9];B[aa];W[bb])",
)
_KEYS = (
    "left", "right", "up", "down", "home", "end", "page up", "page down", "return", "escape", "space", "tab", "delete",
    "backspace", "f1", "f2", *"achmnoprstx125",
)  # fmt: skip
_CONTROL = "acefilnoprsvyz"
_AGAIN = 60  # steps after which another scene is shown: what is reached by chance is mostly settings
_TOLD = 100  # actions that a fault tells
_WORDS = ("好", "棋", "a", "ü", "\n", "🂡")
_SIZES = ((960, 640), (1280, 800), (1000, 900), (2000, 700))


def is_game(file: Path) -> bool:
    """Whether it is no picture that was exported."""
    return file.name.endswith(EXTENSIONS)


class Fault(Exception):
    """Something was raised, logged or damaged."""


class Monkey:
    """Acts in `app`; `run` does so many steps."""

    def __init__(self, app: App, seed: int, pause: float = 0.0) -> None:
        self.app, self.dice, self.pause = app, random.Random(seed), pause
        self.done: deque[str] = deque(maxlen=_TOLD)
        """The last actions, for whoever looks for a fault."""
        self.scenes: dict[str, int] = {}
        """How many steps were made in each."""
        self.faults: list[str] = []
        self._text = ""  # of the clipboard
        self._pointer = (0, 0)

    # The window.

    def run(self, steps: int) -> None:
        """Raise `Fault`."""
        handler = _Errors(self.faults)
        logging.getLogger().addHandler(handler)
        with ExitStack() as stack:
            for target, name, value in (
                (clipboard, "put", self._put), (clipboard, "text", lambda: self._text),
                (webbrowser, "open", lambda _address: True),
                (pygame.mouse, "get_pos", lambda: self._pointer),
                (threading, "excepthook", lambda found: self.faults.append(f"{found.thread}: {found.exc_value!r}")),
            ):  # fmt: skip
                stack.enter_context(patch.object(target, name, value))
            stack.callback(logging.getLogger().removeHandler, handler)
            self._stage()
            for step in range(steps):
                self._step(step)
            self.app.scene.close()
            self.app.files.settle()
        self._check_files()

    def _put(self, text: str) -> bool:
        self._text = text
        return True

    def _step(self, step: int) -> None:
        try:
            if step % _AGAIN == 0 or not self.app.running:
                self.app.running = True
                self._begin()
            self._act()
            for _ in range(self.dice.choice((1, 1, 1, 2, 5))):
                self._frame()
            until = time.monotonic() + self.pause * self.dice.random()
            while time.monotonic() < until:
                self._frame()
                time.sleep(0.01)
        except Exception as error:
            raise Fault(f"{error!r} after {', '.join(self.done)}") from error
        self.faults += contradictions(self.app)
        if self.faults:
            raise Fault(f"{self.faults[0]} after {', '.join(self.done)}")
        name = self.app.scene.name
        self.scenes[name] = self.scenes.get(name, 0) + 1

    def _frame(self) -> None:
        self.app.frame(time.monotonic())
        if self.dice.random() < 0.2:
            time.sleep(0.01)  # for the other threads

    def _check_files(self) -> None:
        for file in saves_home().glob("*.tengen.json"):
            try:
                load(file)
            except FormatError as error:
                raise Fault(f"{file.name}, {file.stat().st_size} bytes: {error}") from error
        left = [*saves_home().parent.rglob("*.tmp"), *saves_home().parent.rglob("*.damaged*")]
        if left:
            raise Fault(f"There are {left}.")

    # What there is.

    def _stage(self) -> None:
        saves_home().mkdir(parents=True, exist_ok=True)
        for number, (game, moves) in enumerate(_GAMES):
            save(_game(game, moves), saves_home() / f"{game} {number}.tengen.json")
        for number, text in enumerate(_SGF):
            (saves_home() / f"sgf {number}.sgf").write_text(text, encoding="utf-8")

    def _begin(self) -> None:
        """Show another scene, as if one had gone there."""
        app, dice = self.app, self.dice
        game, going = dice.choice(_GAMES), dice.choice(_UNFINISHED)
        if not any(saves_home().glob("*.tengen.json")):  # all were deleted
            self._stage()
        file = dice.choice(sorted(saves_home().glob("*.tengen.json")))
        begin: list[Callable[[], object]] = [
            lambda: app.show(Play(app, _game(*going))),
            lambda: app.show(Play(app, _game(*going), teaching=True)),
            lambda: app.show(Play(app, _game(*going, PERSON))),
            lambda: app.show(Play(app, _opening(dice))),
            lambda: app.show(Replay(app, load(file), file, at_cursor=True, tab=dice.choice(["review", "analysis"]))),
            lambda: app.show(Replay(app, _game(*game), at_cursor=True, tab="review")),
            lambda: app.open_file(dice.choice([each for each in sorted(saves_home().iterdir()) if is_game(each)])),
            lambda: app.show(LibraryScreen(app)),
            lambda: app.show(PositionEditor(app)),
            lambda: app.open(screens.home),
            lambda: app.open(screens.learn, _game(*dice.choice(_UNFINISHED))),
            lambda: app.open(screens.compare, _game(*dice.choice(_UNFINISHED))),
            lambda: app.open(screens.lesson, page=dice.randrange(8)),
            lambda: app.open(screens.exercises, dice.choice(lessons("en")).key, dice.randrange(9), dice.randrange(3)),
            lambda: app.open(screens.mistakes),
        ]
        self._text = dice.choice([*_SGF, "h8 i9 g7", "nothing", ""])
        self.done.append("a new scene")
        dice.choice(begin)()
        self._frame()

    # Actions.

    def _act(self) -> None:
        acts = [self._key] * 4 + [self._press] * 5 + [self._click] * 4 + [
            self._control, self._type, self._wheel, self._drag, self._resize, self._point, self._point,
        ]  # fmt: skip
        if isinstance(self.app.overlay, FileDialog):  # it shall not leave the folder of the games
            self._tap(self.dice.choice(("return", "escape", "escape", "down", "a")))
        else:
            self.dice.choice(acts)()

    def _key(self) -> None:
        self._tap(self.dice.choice(_KEYS))

    def _control(self) -> None:
        key = self.dice.choice(_CONTROL)
        self._tap(key, self.dice.choice((pygame.KMOD_LCTRL, pygame.KMOD_LCTRL, pygame.KMOD_LCTRL | pygame.KMOD_LSHIFT)))

    def _tap(self, name: str, mod: int = 0) -> None:
        key = pygame.key.key_code(name)
        self.done.append(f"key {name} {mod}".strip())
        text = name if len(name) == 1 and not mod else ""
        for kind in (pygame.KEYDOWN, pygame.KEYUP):
            self._send(kind, key=key, mod=mod, unicode=text, scancode=0)
        if text:
            self._send(pygame.TEXTINPUT, text=text)

    def _type(self) -> None:
        text = self.dice.choice(_WORDS)
        self.done.append(f"text {text!r}")
        self._send(pygame.TEXTEDITING, text=text, start=0, length=1)
        self._send(pygame.TEXTINPUT, text=text)

    def _press(self) -> None:
        """Click a widget."""
        overlay = self.app.overlay
        widgets = getattr(overlay, "widgets", None) if overlay is not None else self.app.scene.widgets
        elements = list(widgets.elements.items()) if widgets is not None else []
        if elements:
            name, element = self.dice.choice(elements)
            self._click_at(element.rect.center, 1, name)

    def _click(self) -> None:
        width, height = self.app.size
        places = [(self.dice.randrange(width), self.dice.randrange(height)), *self.app.scene.places().values()]
        scene = self.app.scene
        if isinstance(scene, Play | Replay) and self.dice.random() < 0.5:
            moves = [move for move in scene.state.shown.position.legal_moves() if move >= 0]
            places = [scene.board.pixel_of(move) for move in moves] or places
        self._click_at(self.dice.choice(places), self.dice.choice((1, 1, 1, 1, 3)), "")

    def _click_at(self, place: tuple[int, int], button: int, name: str) -> None:
        self.done.append(f"click {button} {name or place}")
        self._move(place)
        for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            self._send(kind, pos=place, button=button, touch=False)

    def _point(self) -> None:
        self._move((self.dice.randrange(self.app.size[0]), self.dice.randrange(self.app.size[1])))

    def _move(self, place: tuple[int, int], held: int = 0) -> None:
        self._pointer = place
        self._send(pygame.MOUSEMOTION, pos=place, rel=(1, 1), buttons=(held, 0, 0), touch=False)
        self._frame()

    def _drag(self) -> None:
        self.done.append("drag")
        self._point()
        self._send(pygame.MOUSEBUTTONDOWN, pos=self._pointer, button=1, touch=False)
        for _ in range(2):
            self._move((self.dice.randrange(self.app.size[0]), self.dice.randrange(self.app.size[1])), 1)
        self._send(pygame.MOUSEBUTTONUP, pos=self._pointer, button=1, touch=False)

    def _wheel(self) -> None:
        self.done.append("wheel")
        self._send(pygame.MOUSEWHEEL, x=0, y=self.dice.choice((-3, -1, 1, 3)), flipped=False)

    def _resize(self) -> None:
        if self.dice.random() < 0.3:
            size = self.dice.choice(_SIZES)
            self.done.append(f"resize {size}")
            pygame.display.set_mode(size, pygame.RESIZABLE)
            self._send(pygame.WINDOWSIZECHANGED, x=size[0], y=size[1])

    def _send(self, kind: int, **fields: object) -> None:
        self.app.dispatch(pygame.event.Event(kind, **fields))


class _Errors(logging.Handler):
    """Collects what is logged as an error."""

    def __init__(self, found: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._found = found

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if record.exc_info:
            text += f" {logging.Formatter().formatException(record.exc_info)}"
        self._found.append(text)


def monkey(steps: int, seed: int, engine: bool, pause: float = 0.0) -> Monkey:
    """Act in an app of one's own, with or without the compiled engine; after each step, let it think for up to `pause`
    seconds."""
    app = App(Settings(language="en", motion="off", sound=False, memory_mb=16), (960, 640))
    if engine:
        app.begin()
        app.engine.wait()
    found = Monkey(app, seed, pause)
    try:
        found.run(steps)
    finally:
        app.close()
    return found


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.monkey", description=__doc__.partition("\n")[0])
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pause", type=float, default=0.0, help="seconds of thought after a step, at most")
    options = parser.parse_args(arguments)
    faulthandler.enable()
    prepare()
    with tempfile.TemporaryDirectory() as home:
        os.environ["TENGEN_HOME"] = os.environ["HOME"] = home
        found = monkey(options.steps, options.seed, engine=True, pause=options.pause)
    print(f"{options.steps} steps: {found.scenes}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
