"""Measures a database of many games: `python -m ai.lab.measure_database [--games 100000] [--folder F] [--json]`.

The games are random but legal, near the stones that lie there, and begin as games do: few openings are frequent, many
are rare. They are in SGF collections of a thousand. Times of a processor are measured besides those of the clock, for
machines that do other work. docs/DATABASE.md has the figures.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from games.database.importing import Progress, import_games
from games.database.reading import Reader, Search
from games.formats import sgf_writer
from games.position import Outcome
from games.record import GameRecord, Seat
from games.registry import Setup, setup

_A_FILE = 1_000
_LOOK_UPS = 300
_PLAYERS, _EVENTS = 2_000, 150
_LEAST, _MOST = 20, 60  # plies of a game that no five ends


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures a database of many games.")
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--folder", type=Path, help="keep the games and the database here, and use those that are here")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        figures = measure(options.games, options.folder or Path(temporary))
    if options.json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name:<28}{value}")


def measure(games: int, folder: Path) -> dict[str, Any]:
    """Figures by name, of a database of so many games in `folder`."""
    make_games(games, folder / "games")
    database = folder / "games.tengendb"
    figures: dict[str, Any] = {"games": games}
    if not database.exists():
        began, used = time.monotonic(), time.process_time()
        done = Progress()
        for done in import_games(database, [folder / "games"]):
            pass
        figures |= {
            "import_s": round(time.monotonic() - began, 1), "import_processor_s": round(time.process_time() - used, 1),
            "imported": done.games, "duplicates": done.duplicates,
            "import_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10,
        }  # fmt: skip
    reader = Reader(database)
    summary = reader.summary()
    figures |= {"positions": summary.positions, "megabytes": round(summary.bytes / 1e6, 1)}
    figures |= _look_ups(reader, random.Random(2))
    reader.close()
    return figures


def _look_ups(reader: Reader, chance: random.Random) -> dict[str, Any]:
    """Milliseconds of what a person waits for."""
    of = setup("gomoku")
    ids = [chance.randrange(1, reader.summary().games + 1) for _ in range(_LOOK_UPS)]
    records = [reader.record(game) for game in ids]
    nodes = [chance.choice(record.line()) for record in records]
    first, early = of.start(), [record.line()[2] for record in records]
    names = [f"Player {chance.randrange(_PLAYERS)}" for _ in range(50)]
    questions: dict[str, list[Callable[[], object]]] = {
        "explore_start": [lambda: reader.explore(of, first)] * 20,
        "explore_early": [lambda node=node: reader.explore(of, node.position) for node in early],
        "explore_any": [lambda node=node: reader.explore(of, node.position) for node in nodes],
        "games_at_start": [lambda: reader.search(Search(position=first, setup=of), most=50)] * 20,
        "games_early": [lambda node=node: reader.search(Search(position=node.position, setup=of), most=50)
                        for node in early],
        "games_any": [lambda node=node: reader.search(Search(position=node.position, setup=of), most=50)
                      for node in nodes],
        "player": [lambda name=name: reader.search(Search(player=name), most=50) for name in names],
        "player_at_start": [lambda name=name: reader.search(Search(position=first, setup=of, player=name), most=50)
                            for name in names],
        "event_and_result": [lambda: reader.search(Search(event="cup 7", result="draw"), most=50)] * 20,
        "open_game": [lambda game=game: reader.record(game) for game in ids],
    }  # fmt: skip
    return {f"{name}_ms": _timed(acts) for name, acts in questions.items()}


def _timed(acts: list[Callable[[], object]]) -> str:
    """Median and worst, by the clock, and the median of the processor's time."""
    took, used = [], []
    for act in acts:
        began, before = time.perf_counter(), time.process_time()
        act()
        took.append(1000 * (time.perf_counter() - began))
        used.append(1000 * (time.process_time() - before))
    return f"{statistics.median(took):.2f} (worst {max(took):.1f}; processor {statistics.median(used):.2f})"


def make_games(count: int, folder: Path) -> None:
    """Write so many games into `folder`, unless they are there."""
    folder.mkdir(parents=True, exist_ok=True)
    for begin in range(0, count, _A_FILE):
        file = folder / f"{begin // _A_FILE:04}.sgf"
        if not file.exists():
            games = b"\n".join(map(sgf_writer.dumps, _games(min(_A_FILE, count - begin), begin)))
            file.with_suffix(".part").write_bytes(games)
            os.replace(file.with_suffix(".part"), file)  # noqa: PTH105


def _games(count: int, seed: int) -> Iterator[GameRecord]:
    chance = random.Random(seed)
    for _ in range(count):
        yield random_game(chance, setup("gomoku", 15, chance.choice(("freestyle", "freestyle", "standard"))))


def random_game(chance: random.Random, of: Setup) -> GameRecord:
    """A random game of gomoku."""
    names = (f"Player {int(_PLAYERS * chance.random() ** 2)}" for _ in range(2))
    first, second = (Seat(name=name) for name in names)
    record = GameRecord(of, (first, second))
    record.date = f"{chance.randrange(1990, 2026)}-{chance.randrange(1, 13):02}-{chance.randrange(1, 29):02}"
    record.about = type(record.about)(event=f"Cup {chance.randrange(_EVENTS)}")
    middle, size = of.size // 2, of.size
    cells = [middle * size + middle]
    most = chance.randint(_LEAST, _MOST)
    record.play(cells[0])
    while record.outcome is None and record.position.ply < most:
        near = chance.choice(cells[-4:])
        reach = 1 if record.position.ply < 4 else 2
        row, column = near // size + chance.randint(-reach, reach), near % size + chance.randint(-reach, reach)
        if 0 <= row < size and 0 <= column < size and row * size + column not in cells:
            cells.append(row * size + column)
            record.play(cells[-1])
    if record.outcome is None:
        record.end(Outcome(chance.choice((0, 1, None)), "resigned"))
    return record


if __name__ == "__main__":
    main()
