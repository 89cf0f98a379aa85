"""Finished games, and what the profile says of them, in a window that is made without a stage."""

from __future__ import annotations

from pathlib import Path

from ai.service.profile import Result, load_profile
from games.formats import save
from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from games.storage import saves_home
from ui.app import App


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
