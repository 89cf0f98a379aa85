"""Libraries and saved games for tests."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from games.formats import save
from games.library.index import Entry
from games.library.library import GameLibrary, Query
from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from games.storage import saves_home

Open = Callable[..., GameLibrary]

PATIENCE = 30.0
INDEX = "library.sqlite"


def settled(library: GameLibrary) -> GameLibrary:
    """Waits until the library has seen every file."""
    until = time.monotonic() + PATIENCE
    while library.busy:
        assert time.monotonic() < until, "the library never came to an end"
        library.count()  # notices an index that is damaged
        time.sleep(0.005)
    return library


def game(
    name: str, moves: str = "h8 i9", seats: tuple[Seat, Seat] = (Seat(), Seat("engine")), *, kind: str = "gomoku",
    rule: str | None = None, date: str = "2026-05-01T12:00:00", resigned: int | None = None, comment: str = "",
    folder: Path | None = None,
) -> Path:  # fmt: skip
    record = GameRecord(setup(kind, None, rule), seats, date)
    for move in moves.split():
        record.play(record.position.parse_move(move))
    record.cursor.comment = comment
    if resigned is not None:
        record.resign(resigned)
    file = (folder or saves_home()) / f"{name}.tengen.json"
    save(record, file)
    return file


def found(library: GameLibrary, query: Query | None = None) -> list[Entry]:
    ids = library.search(query or Query())
    entries = library.entries(ids)
    return [entries[number] for number in ids]


def names(library: GameLibrary, **query: object) -> list[str]:
    return [entry.name for entry in found(library, Query(**query))]  # type: ignore[arg-type]


def connect_with(monkeypatch: pytest.MonkeyPatch, kind: type[sqlite3.Connection]) -> None:
    """Let connections to the library's databases be of this kind; coverage, which measures tests, has one, too."""
    real = sqlite3.connect

    def connect(file: Any, *args: Any, **named: Any) -> sqlite3.Connection:
        ours = str(file) == ":memory:" or Path(file).suffix == ".sqlite"
        return real(file, *args, **named | ({"factory": kind} if ours else {}))

    monkeypatch.setattr(sqlite3, "connect", connect)


def search_cases(opened: Open) -> None:
    game("Opening study", seats=(Seat(PERSON, "张三丰"), Seat(PERSON, "Émile")), comment="A quiet move in the corner")
    game("other", "a1 b2 c3", rule="renju", seats=(Seat(), Seat("random")))
    library = opened(words=lambda entry: "五子棋 Gomoku")
    for text in ("OPENING", "stud", "opening corner", "三丰", "张", "émile", "ÉMILE", "h8i9", "quiet move"):
        assert names(library, text=text) == ["Opening study"], text
    for text in ("renju", "random", "a1b2c3"):
        assert names(library, text=text) == ["other"], text
    assert len(names(library, text="五子棋")) == len(names(library, text="五子")) == len(names(library, text="  ")) == 2
    for text in ("nowhere", "opening random", '"', "%", "_", "* OR *", "a'b", "NEAR(", "\0", "quiet\0"):
        assert names(library, text=text) == [], text
