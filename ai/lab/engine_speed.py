"""Speed of the gomoku engine: benchmark positions, and the measurements that `ai.lab.bench` collects.

    python -m ai.lab.engine_speed engine "cmd:PROGRAM" --seconds 1

compares players, and other programs, by their nodes per second of processor time. They search the positions in turn.

vcf.txt beside this file has the problems of the VCF search: positions with and without a victory by continuous fours.
`ai.lab.timing` measures how precisely it keeps its time.
"""

from __future__ import annotations

import argparse
import math
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

from ai.core.player import Info, Limit, Stop, answer
from ai.gomoku.engine import RULES, GomokuEngine
from ai.gomoku.engine_board import Board
from ai.gomoku.kernels.speed import make_and_undo
from ai.gomoku.tables import build
from ai.players.table import Context, make
from ai.system.compiler.backend import compiled_here
from games.formats import read_target
from games.formats.text import parse
from games.line import LinePosition
from games.registry import setup

SIZE = 15
POSITIONS = (
    ("freestyle", "h8i9g7"),
    ("freestyle", "h8i7g6g10k11i9i8h7g8"),
    ("freestyle", "g9h8g10g11g8h10i9h9h11g6i12j13h7i6f7i13"),
    ("freestyle", "g6h10f9g10f10f8g9h9h8i7f11e11f12f13e9h12f6i10h13g12j9j11g8k10j10k12l13i12"),
    (
        "freestyle",
        "g6h6g8g7f7f8i5h5h7i8i6j5d9f9d10c10e11f12f11d11e10g12e12e9c8b7h9i10h10g10h11h8i11g11h12h13g13j10k11f6i9e5d4d5",
    ),
    ("standard", "h8h9i10"),
    ("standard", "i7j9h6k9i8j10i9i6j8"),
    ("standard", "f6g10h6g7f8f9e8g8g9h7i6g6e7e10d11h10"),
    ("standard", "h8i7i8e6j6g8h6k6h7h5i5g7g6j9k7l8d5h9f5e4e5c5f4f7i10d6e7f6"),
    (
        "standard",
        "i7j9h6k9i8j10i9i6j8k7k8l8i11i10h10h8f8g9e9m7n6i5j6l7d10g7n7l9l10g11e10g10g8g12g13l5l6m9n9n10o11h11f13i12",
    ),
    ("renju", "h8i9j7"),
    ("renju", "i7j7g9g8j6h8i8i9j10"),
    ("renju", "j10g10j9j11k9i9k10l10i8l11k8k7h11l7j7l8"),
    ("renju", "h9g9h7h8k9g8i8g10g7i7f10j9g11e9i11h11h12j10i12i13j12k12k13l14i10i9l12e8"),
    ("renju", "j9i7g6k8i8h7j7g8f9j6h9g10g9i9k5e9f8e7f10f7g7e11e5l5d5d4g5f5g3g4f4d6e3h6h3f3e2e4e10l6l4f12d10l8"),
)
"""Rule and moves, from opening to late game, none decided within a short search."""

THREE_STONES = (("freestyle", "h8i9g7"), ("standard", "h8h9i10"), ("renju", "h8i9j7"))
SIGNATURE_DEPTH = 7

_MEMORY_MB = 16
_AT_ONCE = 0.1
_ROOT = Path(__file__).resolve().parents[2]
_IMPORT = "import time; began = time.perf_counter(); import ai.gomoku.engine; print(time.perf_counter() - began)"


def positions(chosen: tuple[tuple[str, str], ...] = POSITIONS) -> list[LinePosition]:
    found = [read_target(moves, setup("gomoku", SIZE, rule)).position for rule, moves in chosen]
    return [position for position in found if isinstance(position, LinePosition)]


def nodes_per_second(threads: int, seconds: float) -> int:
    """Measure nodes per second over all `POSITIONS` in `seconds` altogether."""
    share = seconds / len(POSITIONS)
    found = [_search(threads, position, Limit(), share) for position in positions()]
    return round(sum(info.nodes for info in found) / sum(info.seconds for info in found))


def time_to_depth_ratio(threads: int, seconds: float) -> float:
    """Return the time to depth, or to a proof before it, of several threads relative to one: geometric mean over
    `POSITIONS`, but for those that one thread proves within `_AT_ONCE` seconds, where nothing is left to share.

    The depth grows with `seconds`, so that one thread takes about a tenth of them a position. Several threads search
    twice, since their times vary.
    """
    depth = max(4, min(24, round(17.5 + 1.5 * math.log2(seconds))))
    ratios = []
    for position in positions():
        one, *several = (_search(number, position, Limit(depth=depth)) for number in (1, threads, threads))
        if one.depth == depth or one.seconds > _AT_ONCE:
            ratios += [each.seconds / one.seconds for each in several]
    return round(statistics.geometric_mean(ratios), 3)


def depth_in_one_second() -> float:
    """Return the mean depth of the last complete iteration, from openings of three stones."""
    found = [_search(1, position, Limit(), 1.0) for position in positions(THREE_STONES)]
    return round(statistics.mean(info.depth for info in found), 1)


def signature() -> int:
    """Return the bench signature: nodes of one thread to a fixed depth, which change exactly when the search does."""
    return sum(_search(1, position, Limit(depth=SIGNATURE_DEPTH)).nodes for position in positions())


def _search(threads: int, position: LinePosition, limit: Limit, seconds: float | None = None) -> Info:
    """Search with a new engine and prepared tables, using all of `seconds`, unlike with `Limit.seconds`."""
    build(RULES[position.rules.rule], SIZE)
    engine, stop = GomokuEngine(threads=threads, memory_mb=_MEMORY_MB), Stop()
    if seconds is None:
        return answer(engine, position, limit, stop)
    timer = threading.Timer(seconds, stop.set)
    timer.start()
    try:
        return answer(engine, position, limit, stop)
    finally:
        timer.cancel()


def processor_seconds() -> float:
    """Return the processor time of this process and of those below it."""
    import psutil  # for developers only

    process = psutil.Process()
    times = [each.cpu_times() for each in (process, *process.children(recursive=True))]
    return float(sum(each.user + each.system for each in times))


def compare_players(names: Sequence[str], seconds: float) -> list[float]:
    """Return the nodes per second of processor time of each player, all of which search each position in turn."""
    nodes, spent = [0] * len(names), [0.0] * len(names)
    with ExitStack() as stack:
        players = [stack.enter_context(closing(make(name, Context("gomoku")))) for name in names]
        for player in players:
            answer(player, positions()[0], Limit(seconds=seconds))  # builds tables or starts a program, once
        for position in positions():
            for index, player in enumerate(players):
                began = processor_seconds()
                nodes[index] += answer(player, position, Limit(seconds=seconds)).nodes
                spent[index] += processor_seconds() - began
    return [found / time for found, time in zip(nodes, spent, strict=True)]


def make_undo_per_second(seconds: float) -> int:
    """Measure make and undo on every empty cell of a middle game in turn."""
    position = next(position for position in positions() if position.ply > 20)
    board = Board(build(RULES[position.rules.rule], SIZE), 1)
    board.set(position)
    make_and_undo(board.state, board.tables)
    done, began = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - began) < seconds:
        done += make_and_undo(board.state, board.tables)
    return round(done / elapsed)


def compile_seconds() -> tuple[float | None, float | None]:
    """Return the seconds to import the engine, with and without compiling its kernels first; None where those of this
    process were not compiled on this machine."""
    if not compiled_here():
        return None, None
    with tempfile.TemporaryDirectory() as folder:
        cold, warm = (round(seconds, 2) for seconds in _loads(folder, 2))
    return cold, warm


def _loads(folder: str, times: int) -> Iterator[float]:
    environment = os.environ | {"NUMBA_CACHE_DIR": folder, "PYTHONSAFEPATH": ""}  # our modules: in cwd
    for _ in range(times):
        done = subprocess.run(
            [sys.executable, "-c", _IMPORT], cwd=_ROOT, env=environment, capture_output=True, text=True, check=True
        )
        yield float(done.stdout)


def vcf_median_ms() -> float | None:
    """Return the median time to find a win by fours; None without the problems."""
    try:
        times = vcf_times()
    except FileNotFoundError:
        return None
    return round(statistics.median(times), 2) if times else None


PROBLEMS = Path(__file__).with_name("vcf.txt")


@dataclass(frozen=True, slots=True)
class Problem:
    """A position after `moves` in which the side to move has fours; `plies` are those of the shortest win, 0 for
    none."""

    rule: str
    plies: int
    moves: str

    @property
    def position(self) -> LinePosition:
        found = parse(self.moves, setup("gomoku", SIZE, self.rule)).position
        assert isinstance(found, LinePosition)
        return found

    def __str__(self) -> str:
        return f"{self.rule} {'win' if self.plies else 'none'} {self.plies} {self.moves}"


def problems(file: Path = PROBLEMS) -> Iterator[Problem]:
    """Read the problems in `file`: one a line, ``#`` starts a comment."""
    for line in file.read_text(encoding="utf-8").splitlines():
        text = line.partition("#")[0].split()
        if text:
            rule, _, plies, moves = text
            yield Problem(rule, int(plies), moves)


def vcf_times() -> list[float]:
    """Return the milliseconds in which a loaded engine finds each win with its line."""
    wins = [problem for problem in problems() if problem.plies]
    times = []
    for rule in sorted({problem.rule for problem in wins}):
        engine = GomokuEngine(memory_mb=_MEMORY_MB)
        engine.vcf(LinePosition.empty(SIZE, SIZE, 5, rule))  # builds the tables of the rule
        for position in (problem.position for problem in wins if problem.rule == rule):
            began = time.perf_counter()
            if engine.vcf(position) is not None:
                times.append((time.perf_counter() - began) * 1000)
    return times


def main(arguments: Sequence[str]) -> None:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("players", nargs="+", metavar="PLAYER")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each of the positions")
    given = parser.parse_args(arguments)
    found = compare_players(given.players, given.seconds)
    for name, speed in zip(given.players, found, strict=True):
        print(f"{name}: {speed:,.0f} nodes per second of processor time, {speed / found[0]:.2f} of the first")


if __name__ == "__main__":
    main(sys.argv[1:])
