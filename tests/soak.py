"""Play games between our players in the real window, without a display, and report growth.

``python -m tests.soak --games 500`` plays the three games in turn, each in a new Play scene of one app, and prints
the memory of the process and the numbers of live objects every 50 games. The status is 1 if the memory or the number
of objects has grown by more than 5 % since the first line.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import psutil
import pygame

from games.record import GameRecord, Seat
from games.registry import setup
from ui.app import App
from ui.home.screen import Home
from ui.play.screen import Play
from ui.settings.screen import AboutTengen
from ui.start import prepare
from ui.system.settings import Settings
from ui.window.screen import Screen

EVERY = 50
GROWTH = 1.05
"""How much more there may be in the end than after the first `EVERY` games."""

PAIRINGS = (
    ("gomoku", "freestyle", "level:1", "level:2"),
    ("tictactoe", "standard", "level:3", "alphabeta"),
    ("gomoku", "renju", "level:5", "level:4"),
    ("bones", "standard", "level:2", "minimax"),
    ("gomoku", "freestyle", "engine", "level:6"),
)
"""Game, rule and players, in turn: levels in Python, levels with the engine, and the engine itself."""

_TEXT_HEIGHT = 64  # texts are kept, up to a number of them

_REMEMBERED = "games.line.LineEvaluation", "games.renju.StonePatterns"
"""What the rules keep of the lines they have seen, up to a number of them (tests/ui/test_soak.py); the memory of both
counts."""

_SECONDS = 0.02  # a move of the players that think for as long as they may
_PAUSE = 0.0005  # seconds between two frames, for the players
_LONGEST = 120.0  # seconds of one game
_STAY = 60.0  # seconds after which a screen that is shown has been tidied up


@dataclass(frozen=True)
class Census:
    """What there is after `games` games: megabytes of memory, `objects` that the garbage collector knows apart from the
    lines that the rules remember, threads, large pictures, and the `kinds` of the objects that it looks at: those that
    were there when the engine was loaded are not among them."""

    games: int
    memory: float
    objects: int
    threads: int
    pictures: int
    kinds: Counter[str]

    def __str__(self) -> str:
        things = f"{self.objects:>9,} objects {self.pictures:>5} pictures {self.threads:>4} threads"
        return f"{self.games:>6} games {self.memory:8.1f} MB {things}"

    def grown_since(self, first: Census) -> bool:
        return self.memory > GROWTH * first.memory or self.objects > GROWTH * first.objects


def census(games: int) -> Census:
    """Counts after a full collection."""
    gc.collect()
    known = gc.get_objects()
    kinds = Counter(f"{type(each).__module__}.{type(each).__qualname__}" for each in known)
    memory = psutil.Process().memory_info().rss / 2**20
    objects = len(known) + gc.get_freeze_count() - sum(kinds[kind] for kind in _REMEMBERED)
    return Census(games, memory, objects, threading.active_count(), _pictures(known), kinds)


def _pictures(known: list[object]) -> int:
    """How many surfaces larger than a line of text are held by `known` objects."""
    # By its type: `isinstance` asks the object of a weak proxy, which may be gone.
    held = (each for each in gc.get_referents(*known) if issubclass(type(each), pygame.Surface))
    return len({id(surface) for surface in held if _height(surface) > _TEXT_HEIGHT})


def _height(surface: pygame.Surface) -> int:
    """The smaller side; 0 for the surface of a window that was closed."""
    try:
        return min(surface.get_size())
    except pygame.error:
        return 0


def play(app: App, game: str, rule: str, first: str, second: str) -> GameRecord:
    """Plays one game in a new scene, as fast as the players are, and leaves for the home screen.

    Raises `TimeoutError` if it does not end.
    """
    seats = Seat(first, seconds=_SECONDS), Seat(second, seconds=_SECONDS)
    record = GameRecord(setup(game, rule=rule), seats)
    scene = Play(app, record)
    scene.state.live.pace = 0.0
    _show(app, scene)
    until = time.monotonic() + _LONGEST
    while record.outcome is None:
        _frame(app)
        if time.monotonic() > until:
            raise TimeoutError(f"{game} between {first} and {second} does not end.")
    _show(app, Home(app))
    app.frame(time.monotonic() + _STAY)
    return record


def _show(app: App, scene: Screen) -> None:
    app.show(scene)
    _frame(app)


def _frame(app: App) -> None:
    """One turn of the loop, which is not held up."""
    app.frame(time.monotonic())
    time.sleep(_PAUSE)
    for event in pygame.event.get():
        app.dispatch(event)


def soak(
    games: int, every: int = EVERY, pairings: Sequence[tuple[str, str, str, str]] = PAIRINGS, begin: bool = True
) -> Iterator[Census]:
    """Plays `games` games in one app; a census every so many. To `begin` is to load the engine."""
    app = App(Settings(language="en", motion="off", sound=False, memory_mb=16), (960, 640))
    if begin:
        app.begin()
        app.engine.wait()  # or its compilation would be counted as growth
    for number, pairing in enumerate(islice(cycle(pairings), games), 1):
        play(app, *pairing)
        if number % every == 0:
            app.files.settle()
            _show(app, AboutTengen(app))  # the games of the first screen have memory of their own
            yield census(number)
    app.scene.close()
    app.close()


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--kinds", type=int, default=0, metavar="N", help="show the N types that grew most")
    options = parser.parse_args(arguments)
    prepare()
    taken: list[Census] = []
    with tempfile.TemporaryDirectory() as home:
        if "TENGEN_HOME" not in os.environ:
            os.environ["TENGEN_HOME"] = home
        for found in soak(options.games):
            print(found, flush=True)
            for kind, more in _grown(taken[-1:], found, options.kinds):
                print(f"{more:>+14}  {kind}", flush=True)
            taken.append(found)
    return int(taken[-1].grown_since(taken[0]))


def _grown(before: list[Census], now: Census, most: int) -> list[tuple[str, int]]:
    return (now.kinds - before[0].kinds).most_common(most) if before else []


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
