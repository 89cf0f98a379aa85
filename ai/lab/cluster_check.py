"""Check that a Dask cluster does the same work as local processes, and what it costs (ai/lab/CLUSTER.md).

    python -m ai.lab.cluster_check match FOLDER --games 200
    python -m ai.lab.cluster_check review FOLDER --games 100
    python -m ai.lab.cluster_check overhead --tasks 1000
    python -m ai.lab.cluster_check memory --tasks 10000

`match` and `review` do the same work with local processes, on two workers, and on two workers of which one is killed
half-way, and compare all that is written but for times. `overhead` compares the rates of tasks that sleep, in one run,
and counts the processor time of scheduler and client. `memory` samples the client. Needs the extra `cluster`.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import distributed
import psutil

from ai.arena.arena import Match, Options, openings, run
from ai.arena.arguments import exiting
from ai.arena.executors import run_all
from ai.arena.match import Fixture
from ai.arena.match import play as play_game
from ai.review.report import Skipped, review_folder
from games.registry import setup

WORKERS = 2
PLACES = ("local", "cluster", "killed")

_TIMES = {"date", "seconds", "slowest"}
_SMALL = ("tictactoe", "bones")  # games whose reviews are exact, and so depend on no time
_PLENTY = 60.0  # seconds of a move or a position: never reached
_STARTING = 0.1  # share of the tasks that are done before a rate is measured
_BYTES = 10_000  # of a result

Program = subprocess.Popen[bytes]

Kill = Callable[[], object]


class Cluster(NamedTuple):
    """A scheduler and workers in processes of their own, which nothing starts again."""

    address: str
    scheduler: Program
    workers: list[Program]


@contextmanager
def cluster(workers: int = WORKERS) -> Iterator[Cluster]:
    """Start a cluster on this machine; kill what is left of it at the end."""
    with TemporaryDirectory() as folder, ExitStack() as stack:
        file = Path(folder) / "scheduler.json"
        where = ("--host=127.0.0.1", "--port=0", f"--scheduler-file={file}")
        scheduler = stack.enter_context(_program("scheduler", *where))
        while not file.is_file():
            time.sleep(0.05)
        address = json.loads(file.read_bytes())["address"]
        worker = ("worker", address, "--nthreads=1", "--no-nanny", f"--local-directory={folder}")
        started = [stack.enter_context(_program(*worker)) for _ in range(workers)]
        with distributed.Client(address) as client:
            client.wait_for_workers(workers)
        yield Cluster(address, scheduler, started)


@contextmanager
def _program(kind: str, *arguments: str) -> Iterator[Program]:
    command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *arguments, "--no-dashboard"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def place(name: str) -> Iterator[tuple[str | None, Kill]]:
    """Yield the `cluster` of an executor, and what to call when half of the work is done."""
    if name == "local":
        yield None, lambda: None
        return
    with cluster() as started:
        yield started.address, started.workers[0].kill if name == "killed" else lambda: None


def timeless(data: Any) -> Any:
    """Return JSON data without times and dates."""
    if isinstance(data, dict):
        return {key: timeless(value) for key, value in data.items() if key not in _TIMES}
    return [timeless(each) for each in data] if isinstance(data, list) else data


def compared(found: dict[str, bytes]) -> str:
    """Say whether what was found is the same at all places, byte for byte."""
    same = len(set(found.values())) == 1
    sizes = ", ".join(f"{name} {len(data)} bytes" for name, data in found.items())
    return f"{'the same' if same else 'DIFFERENT'}: {sizes}"


def matches(folder: Path, match: Match, games: int) -> Iterator[str]:
    """Play a match at each place; yield a line for each, and the comparison of lines and game files."""
    found = {}
    for name in PLACES:
        began, file = time.monotonic(), folder / name / "match.jsonl"
        file.parent.mkdir(parents=True)
        with place(name) as (address, kill):
            halfway = [games // 2]

            def tell(standing: Any, _games: int, kill: Kill = kill, halfway: list[int] = halfway) -> None:
                if halfway and standing.games == halfway[0]:
                    halfway.clear()
                    kill()

            standing = run(match, Options(games, resume=file, cluster=address, workers=WORKERS), tell)
        lines = sorted(file.read_text(encoding="utf-8").splitlines())
        records = [each.read_text(encoding="utf-8") for each in sorted(file.parent.glob("match-games/*.json"))]
        found[name] = json.dumps([timeless(json.loads(each)) for each in (*lines, *records)]).encode()
        yield f"{name}: {standing.games} games, {len(records)} records, {standing}, {time.monotonic() - began:.0f} s"
    yield compared(found)


def make_games(folder: Path, games: int) -> None:
    """Write different games of random moves against a level."""
    folder.mkdir(parents=True)
    for number, game in enumerate(islice(cycle(_SMALL), games)):
        match = Match(("random", "level:2"), setup(game), _PLENTY, seed=number)
        opening = random.Random(number).choice(openings(match.setup, None, 1))
        played = play_game(match, Fixture(number, opening, number % 2))
        (folder / f"{number:03}.tengen.json").write_bytes(played.data())


def reviews(folder: Path, games: int) -> Iterator[str]:
    """Review the same games at each place; yield a line for each, and the comparison of what was found."""
    make_games(folder, games)
    found = {}
    for name in PLACES:
        began, facts = time.monotonic(), list[dict[str, Any]]()
        with place(name) as (address, kill):
            for number, each in enumerate(review_folder(folder, no_reason, _PLENTY, 1, cluster=address)):
                assert not isinstance(each, Skipped)
                facts.append(each)
                if number == games // 2:
                    kill()
        found[name] = json.dumps(sorted(facts, key=lambda each: str(each["file"]))).encode()
        yield f"{name}: {len(facts)} games, {time.monotonic() - began:.0f} s"
    yield compared(found)


def no_reason(_judged: object) -> str:
    return ""


# Costs.


def overhead(tasks: int, seconds: float) -> Iterator[str]:
    """Yield the rates of tasks that sleep, without the first of them, and the processor time that each costs."""
    rates = {}
    with cluster() as started:
        for name, where in (("local", None), ("cluster", started.address)):
            processes = [psutil.Process(), psutil.Process(started.scheduler.pid)]
            before = [_processor_time(each) for each in processes]
            done = list(islice(_clock(tasks, seconds, where), int(tasks * _STARTING), None))
            rates[name] = (len(done) - 1) / (done[-1] - done[0])
            client, scheduler = (_processor_time(each) - then for each, then in zip(processes, before, strict=True))
            yield (f"{name}: {rates[name]:.2f} tasks a second; {1000 * client / tasks:.2f} ms of the client and "
                   f"{1000 * scheduler / tasks:.2f} ms of the scheduler for each")
    yield f"the cluster has {rates['cluster'] / rates['local']:.1%} of the local rate"


def _processor_time(process: psutil.Process) -> float:
    user, system, *_ = process.cpu_times()
    return float(user + system)


def _clock(tasks: int, seconds: float, where: str | None) -> Iterator[float]:
    """Yield the time at each result."""
    for _ in run_all(time.sleep, [(seconds,)] * tasks, WORKERS, where):
        yield time.monotonic()


def memory(tasks: int) -> Iterator[str]:
    """Yield the memory of this process after each tenth of the tasks, whose results are as large as games."""
    with cluster() as started:
        for number, _ in enumerate(run_all(os.urandom, [(_BYTES,)] * tasks, WORKERS, started.address), 1):
            if number % (tasks // 10) == 0:
                yield f"{number} tasks: {psutil.Process().memory_info().rss / 1e6:.1f} MB"


@exiting()
def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m ai.lab.cluster_check", description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    for name, games in (("match", 200), ("review", 100)):
        command = commands.add_parser(name)
        command.add_argument("folder", type=Path, help="a new folder")
        command.add_argument("--games", type=int, default=games)
    for name, tasks in (("overhead", 1_000), ("memory", 10_000)):
        commands.add_parser(name).add_argument("--tasks", type=int, default=tasks)
    commands.choices["match"].add_argument("--players", nargs=2, default=("level:5", "level:4"))
    commands.choices["match"].add_argument("--game", default="gomoku")
    commands.choices["overhead"].add_argument("--ms", type=float, default=50.0, help="that each task sleeps")
    options = parser.parse_args(arguments)
    if options.command == "match":
        match = Match(tuple(options.players), setup(options.game), _PLENTY, 1, grace=_PLENTY)
        lines = matches(options.folder, match, options.games)
    elif options.command == "review":
        lines = reviews(options.folder, options.games)
    elif options.command == "overhead":
        lines = overhead(options.tasks, options.ms / 1000)
    else:
        lines = memory(options.tasks)
    for line in lines:
        print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
