"""Measures a database of many games: `python -m ai.lab.measure_database [--games 100000] [--nodes N] [--folder F]`.

The games are those of the engine against itself, with N nodes a move and no two equal up to symmetry; or without N
random but legal ones, near the stones that lie there, which begin as games do: few openings are frequent, many are
rare. They are in SGF collections of a thousand. Times of a processor are measured besides those of the clock, for
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
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from string import ascii_lowercase
from typing import Any

from ai.gomoku.engine import RULES
from ai.gomoku.tables import move_of
from ai.lab.selfplay import SelfPlay
from games.coords import images_of
from games.database.importer import import_games
from games.database.reader import GameQuery, Reader
from games.registry import setup

_A_FILE = 1_000
_LOOK_UPS = 300
_PLAYERS, _EVENTS = 2_000, 150
_LEAST, _MOST = 20, 60  # plies of a game that no five ends
_LOCAL = 0.9  # share of moves near one of the last four
_SIZE, _ROW = 15, 5


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures a database of many games.")
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--nodes", type=int, help="let the engine play the games, with so many nodes a move")
    parser.add_argument("--folder", type=Path, help="keep the games and the database here, and use those that are here")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        figures = measure(options.games, options.folder or Path(temporary), options.nodes)
    if options.json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name:<28}{value}")


def measure(games: int, folder: Path, nodes: int | None = None) -> dict[str, Any]:
    """Figures by name, of a database of so many games in `folder`, by the engine if it has `nodes` a move."""
    make_games(games, folder / "games", nodes)
    database = folder / "games.tengendb"
    figures: dict[str, Any] = {"games": games}
    if not database.exists():
        began, used = time.monotonic(), time.process_time()
        *_, done = import_games(database, [folder / "games"])
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
    def games(**wanted: Any) -> Callable[[], object]:
        return partial(reader.search, GameQuery(**wanted), most=50)

    questions: dict[str, list[Callable[[], object]]] = {
        "explore_start": [partial(reader.explore, of, first)] * 20,
        "explore_early": [partial(reader.explore, of, node.position) for node in early],
        "explore_any": [partial(reader.explore, of, node.position) for node in nodes],
        "games_at_start": [games(position=first, setup=of)] * 20,
        "games_early": [games(position=node.position, setup=of) for node in early],
        "games_any": [games(position=node.position, setup=of) for node in nodes],
        "player": [games(player=name) for name in names],
        "player_at_start": [games(position=first, setup=of, player=name) for name in names],
        "event_and_result": [games(event="cup 7", result="draw")] * 20,
        "open_game": [partial(reader.record, game) for game in ids],
    }
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


def make_games(count: int, folder: Path, nodes: int | None = None) -> None:
    """Write so many games into `folder`, unless they are there: random ones, or with `nodes` the engine's."""
    folder.mkdir(parents=True, exist_ok=True)
    seen: set[tuple[int, ...]] = set()
    for begin in range(0, count, _A_FILE):
        file = folder / f"{begin // _A_FILE:04}.sgf"
        if not file.exists():
            games = islice(_random_games(begin) if nodes is None else _engine_games(begin, nodes, seen), _A_FILE)
            file.with_suffix(".part").write_text("\n".join(islice(games, count - begin)), encoding="utf-8")
            os.replace(file.with_suffix(".part"), file)  # noqa: PTH105


def _random_games(seed: int) -> Iterator[str]:
    """Random games of gomoku in SGF, without end."""
    chance = random.Random(seed)
    while True:
        cells, most, won = [(_SIZE // 2, _SIZE // 2)], chance.randint(_LEAST, _MOST), False
        while not won and len(cells) < most:
            near = cells[-4:] if chance.random() < _LOCAL else cells
            (row, column), reach = chance.choice(near), 1 if len(cells) < 4 else 2
            place = row + chance.randint(-reach, reach), column + chance.randint(-reach, reach)
            if place not in cells and 0 <= place[0] < _SIZE and 0 <= place[1] < _SIZE:
                won = _makes_five(set(cells[len(cells) & 1 :: 2]), place)
                cells.append(place)
        yield _sgf(cells, "BW"[(len(cells) - 1) & 1] + "+" if won else chance.choice(("B+R", "W+R", "0")), chance)


def _engine_games(seed: int, nodes: int, seen: set[tuple[int, ...]]) -> Iterator[str]:
    """Games of the engine against itself in SGF, without end: each from a few random stones that leave both sides equal
    chances until a win is proven, and none that is in `seen` turned or mirrored."""
    chance, play = random.Random(seed), SelfPlay(RULES["freestyle"], _SIZE, nodes, seed)
    images = images_of(_SIZE, _SIZE, 8)
    while True:
        _, result = play.game()
        state = play.board.state
        moves = [move_of(int(cell), _SIZE) for cell in state.played[: int(state.stones)]]
        least = min(tuple(image[move] for move in moves) for image in images)
        if least not in seen:
            seen.add(least)
            yield _sgf([divmod(move, _SIZE) for move in moves], {1.0: "B+R", 0.0: "W+R"}.get(result, "0"), chance)


def _sgf(cells: Sequence[tuple[int, int]], result: str, chance: random.Random) -> str:
    """A game in SGF with players, event and day by `chance`; written by hand since it is to be fast."""
    first, second = (f"Player {int(_PLAYERS * chance.random() ** 2)}" for _ in range(2))
    day = f"{chance.randrange(1990, 2026)}-{chance.randrange(1, 13):02}-{chance.randrange(1, 29):02}"
    head = f"GM[4]FF[4]CA[UTF-8]SZ[{_SIZE}]RU[freestyle]PB[{first}]PW[{second}]DT[{day}]RE[{result}]"
    moves = "".join(
        f";{'BW'[number & 1]}[{ascii_lowercase[column]}{ascii_lowercase[row]}]"
        for number, (row, column) in enumerate(cells)
    )
    return f"(;{head}EV[Cup {chance.randrange(_EVENTS)}]{moves})"


def _makes_five(own: set[tuple[int, int]], place: tuple[int, int]) -> bool:
    """Whether a stone makes a row of five or more."""
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        count = 1
        for sign in (1, -1):
            row, column = place[0] + sign * down, place[1] + sign * right
            while (row, column) in own:
                count, row, column = count + 1, row + sign * down, column + sign * right
        if count >= _ROW:
            return True
    return False


if __name__ == "__main__":
    main()
