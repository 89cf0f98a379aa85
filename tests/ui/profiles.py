"""Finished games, and what the profile says of them, in a window that is made without a stage."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from ai.profile import Result, load_profile
from games.formats import save
from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from games.storage import saves_home
from ui.app import App


def frame(app: App, until: Callable[[], bool] = lambda: True) -> None:
    """One frame, and more until `until` is true."""
    end = time.monotonic() + 60
    while True:
        app.frame(time.monotonic(), 0.02)
        if until():
            return
        assert time.monotonic() < end, "timed out"


def results(app: App) -> list[Result]:
    app.files.settle()
    return load_profile()[0].results


def kept_game(number: int, opponent: str = "level:2", game: str = "gomoku") -> tuple[GameRecord, Path]:
    record = GameRecord(setup(game), (Seat(PERSON), Seat(opponent)), f"2026-11-{number + 1:02}T12:00:00")
    for _ in range(2):
        record.play(record.position.candidates()[0])
    record.resign(number % 2)
    file = saves_home() / f"game {number}.tengen.json"
    save(record, file)
    return record, file
