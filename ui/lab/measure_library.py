"""Measures the library with many games: `python -m ui.lab.measure_library [--games 10000] [--json]`.

It makes that many files in a folder of its own, has them read once, and then opens the library as a start of the
program would: with its index there, in a window that shows nothing.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from games.formats import tengen
from games.library.library import GameLibrary
from games.record import GameRecord, Seat
from games.registry import GAMES, setup
from games.storage import saves_home
from ui.lab.punctuality import prepare_hidden, print_figures

SEARCHES = ("gomoku", "ada", "h8", "opening study", "五子", "nowhere at all", "2026-05", "computer renju")
_DIFFERENT = 200  # games of their own; the others share their moves
_ROUNDS = 5
_FRAMES = 240


def main() -> None:
    """Measure a library of as many games as the command line says, in a temporary folder, and print the figures."""
    parser = argparse.ArgumentParser(description="Measures the library with many games.")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TENGEN_HOME"] = folder
        figures = measure_library(options.games)
    print_figures(figures, options.json)


def measure_library(games: int) -> dict[str, Any]:
    """Figures by name, of a library of `games` games in the home that `TENGEN_HOME` names."""
    make_games(games)
    began = time.perf_counter()
    library = GameLibrary()
    library.refresh()
    while library.busy:
        time.sleep(0.01)
    library.close()
    read = time.perf_counter() - began
    return {"library_games": games, "library_read_s": round(read, 2), **_window()}


def make_games(count: int) -> None:
    """Write `count` games to where games are saved: of every kind, by many players, over years."""
    chance = random.Random(1)
    different = [_game(chance) for _ in range(min(count, _DIFFERENT))]
    saves_home().mkdir(parents=True, exist_ok=True)
    start = datetime(2026, 11, 21, 12)
    for number in range(count):
        record = different[number % len(different)]
        when = start - timedelta(hours=number)
        record.date = when.isoformat(timespec="seconds")
        if number % 3 == 0:
            record.seats = (replace(record.seats[0], name=f"Ada {number % 97}"), record.seats[1])
        title = f"Opening study {number}" if number % 5 == 0 else f"{when:%Y-%m-%d %H.%M.%S} {record.setup.game}"
        (saves_home() / f"{title}.tengen.json").write_bytes(tengen.dumps(record))


def _game(chance: random.Random) -> GameRecord:
    """Return a random game of a random kind against a random opponent: up to 60 moves, each one of the first six
    candidates."""
    game = chance.choice(("gomoku", "gomoku", "tictactoe", "bones"))
    seats = Seat(), Seat(chance.choice(("engine", "alphabeta", "random")), seconds=2.0)
    record = GameRecord(setup(game, rule=chance.choice(GAMES[game].rules)), seats)
    most = chance.randint(4, 60)
    while record.outcome is None and record.position.ply < most:
        record.play(chance.choice(record.position.candidates()[:6]), 1.0)
    return record


def _window() -> dict[str, Any]:
    """Return the figures of the library screen: seconds until it is open and complete, milliseconds of a search and of
    a frame while it scrolls."""
    prepare_hidden()

    from ui.app import App
    from ui.library.screen import LibraryScreen
    from ui.system.settings import Settings

    app = App(Settings(language="en", scale=100), (1280, 800))
    app.frame(time.monotonic())
    began = time.perf_counter()
    scene = LibraryScreen(app)
    app.show(scene)
    app.frame(time.monotonic())
    opened = time.perf_counter() - began
    listed = len(scene.state.games.selection.ids)
    while scene.wake(0.0) is not None:  # the folder is compared with the index
        app.frame(time.monotonic())
    complete = time.perf_counter() - began
    searches = [_timed(scene, text) for _ in range(_ROUNDS) for text in SEARCHES]
    scene.state.search("")
    frames = list(_scrolling(app, scene))
    app.close()
    return {
        "library_open_s": round(opened, 3),
        "library_listed": listed,
        "library_complete_s": round(complete, 3),
        "library_search_ms": round(statistics.median(searches), 1),
        "library_search_ms_worst": round(max(searches), 1),
        "library_frame_ms": round(statistics.mean(frames), 2),
        "library_frame_ms_p99": round(sorted(frames)[len(frames) * 99 // 100], 2),
    }


def _timed(scene: Any, text: str) -> float:
    """Milliseconds from a text that was typed to the games that it finds."""
    scene.state.search("")
    began = time.perf_counter()
    scene.state.search(text)
    return 1000 * (time.perf_counter() - began)


def _scrolling(app: Any, scene: Any) -> Iterator[float]:
    """Milliseconds of each frame while the wheel is turned on and on."""
    import pygame

    for number in range(_FRAMES):
        if number % 4 == 0:
            scene.handle(pygame.event.Event(pygame.MOUSEWHEEL, y=-1, x=0))
        began = time.perf_counter()
        app.frame(time.monotonic())
        yield 1000 * (time.perf_counter() - began)
        time.sleep(0.01)


if __name__ == "__main__":
    main()
