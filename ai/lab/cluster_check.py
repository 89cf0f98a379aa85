"""Check that a Dask cluster does the same work as local processes, and what it costs (ai/lab/CLUSTER.md).

    python -m ai.lab.cluster_check match FOLDER --games 200
    python -m ai.lab.cluster_check review FOLDER --games 100
    python -m ai.lab.cluster_check round FOLDER
    python -m ai.lab.cluster_check overhead --tasks 1000
    python -m ai.lab.cluster_check memory --tasks 10000

`match` and `review` do the same work with local processes, on two workers, and on two workers of which one is killed
half-way, and compare all that is written but for times. `round` kills the client of a tuning round in its self-play and
the scheduler in its match, resumes it, and compares it with a round that was left alone. `overhead` compares the rates
of tasks that sleep, in one run, and counts the processor time of scheduler and client. `memory` samples the client.
Needs the extra `cluster`.
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
from concurrent.futures import Executor, wait
from contextlib import ExitStack, contextmanager
from itertools import cycle, islice
from operator import neg
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import distributed
import psutil
from distributed.diagnostics.plugin import WorkerPlugin

from ai.arena.arena import Match, Options, exit_on_errors, openings, run
from ai.arena.executors import open_executor, run_all
from ai.arena.match import Fixture
from ai.arena.match import play as play_game
from ai.review.report import Skipped, review_folder
from games.registry import setup

PLACES = ("local", "cluster", "killed")

_TIMES = {"date", "seconds", "slowest"}
_SMALL = ("tictactoe", "bones")  # games whose reviews are exact, and so depend on no time
_PLENTY = 60.0  # seconds of a move or a position: never reached
_BLOCKS = 10  # of tasks, for each executor in turn
_BYTES = 10_000  # of a result

Program = subprocess.Popen[bytes]

Kill = Callable[[], object]


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

            def on_progress(standing: Any, _games: int, kill: Kill = kill, halfway: list[int] = halfway) -> None:
                if halfway and standing.games == halfway[0]:
                    halfway.clear()
                    kill()

            standing = run(match, Options(games, resume=file, cluster=address, workers=WORKERS), on_progress)
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


# A tuning round that is killed.


def rounds(folder: Path) -> Iterator[str]:
    """Yield what happened, and whether all that is left is that of a round by local processes."""
    whole, parts = folder / "whole", folder / "parts"
    yield f"left alone: {_round(whole).communicate()[0].strip()}"
    os.environ[COUNTED] = str(folder / "tasks.txt")
    with cluster() as first:
        client = _round(parts, first.address)
        _wait(client, lambda: len(_files(parts)) >= 4)
        client.kill()
        client.wait()
        yield f"client killed after {len(_files(parts))} tasks of self-play"
        kept = _files(parts)
        client = _round(parts, first.address)
        _wait(client, lambda: len(_rows(parts)) >= 5)
        first.scheduler.kill()
        said = client.communicate()[1].strip().splitlines()[-1]
        yield f"scheduler killed after {len(_rows(parts))} pairs of games; the client said: {said}"
    rows = _rows(parts)
    with cluster() as second:
        yield f"resumed: {_round(parts, second.address).communicate()[0].strip()}"
    untouched = kept.items() <= _files(parts).items() and rows == _rows(parts)[: len(rows)]
    yield f"what was finished before a kill is {'untouched' if untouched else 'CHANGED'}"
    tasks = len(_files(parts)) + len(_rows(parts))
    begun = len(Path(os.environ[COUNTED]).read_text(encoding="utf-8").splitlines())
    yield f"{tasks} tasks; {begun} were begun on the workers: {begun - tasks} again"
    yield compared({name: _left(where) for name, where in (("left alone", whole), ("killed", parts))})


def _round(folder: Path, address: str | None = None) -> subprocess.Popen[str]:
    options = {"games": 240, "nodes": 300, "epochs": 3, "match-games": 40, "match-nodes": 1000, "workers": WORKERS}
    command = [sys.executable, "-m", "ai.lab.tune", "round", str(folder)]
    command += [f"--{name}={value}" for name, value in options.items()]
    command += ["--cluster", address] if address else []
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _wait(client: subprocess.Popen[str], ready: Callable[[], bool]) -> None:
    while not ready():
        time.sleep(0.02)
        if client.poll() is not None:
            raise SystemExit(f"The round ended: {client.communicate()[1]}")


def _files(folder: Path) -> dict[str, int]:
    """Return the files of self-play with the times at which they were written."""
    return {each.name: each.stat().st_mtime_ns for each in (folder / "games").glob("*.npz")}


def _rows(folder: Path) -> list[str]:
    file = folder / "match.jsonl"
    return file.read_text(encoding="utf-8").splitlines()[1:] if file.exists() else []


def _left(folder: Path) -> bytes:
    files = [*sorted((folder / "games").glob("*.npz")), folder / "candidate.npz", folder / "weights.npz"]
    return b"".join([*(file.read_bytes() for file in files), *(row.encode() for row in sorted(_rows(folder)))])


# Costs.


class _Bench:
    """Blocks of tasks that sleep, with the time and the processor time that they take."""

    def __init__(self, executor: Executor, scheduler: int) -> None:
        self._executor = executor
        self._processes = psutil.Process(), psutil.Process(scheduler)
        self.tasks, self.seconds, self.spent = 0, 0.0, [0.0, 0.0]

    def block(self, tasks: int, seconds: float) -> None:
        began, before = time.monotonic(), self._processor_times()
        wait([self._executor.submit(time.sleep, seconds) for _ in range(tasks)])
        self.tasks += tasks
        self.seconds += time.monotonic() - began
        self.spent = [sum(each) for each in zip(self.spent, self._processor_times(), map(neg, before), strict=True)]

    def _processor_times(self) -> list[float]:
        return [sum(process.cpu_times()[:2]) for process in self._processes]

    @property
    def rate(self) -> float:
        return self.tasks / self.seconds

    def __str__(self) -> str:
        client, scheduler = (1000 * each / self.tasks for each in self.spent)
        return f"{self.rate:.2f} tasks a second; {client:.2f} ms of the client, {scheduler:.2f} of the scheduler each"


def overhead(tasks: int, seconds: float) -> Iterator[str]:
    """Yield the rates of tasks that sleep, and the processor time of each. Local and cluster take turns, so that the
    load of the machine is the same for both."""
    with cluster() as started, open_executor(WORKERS) as local, open_executor(WORKERS, started.address) as remote:
        benches = {"local": _Bench(local, started.scheduler.pid), "cluster": _Bench(remote, started.scheduler.pid)}
        for executor in (local, remote):
            wait([executor.submit(time.sleep, seconds) for _ in range(10 * WORKERS)])  # start all processes
        for _ in range(_BLOCKS):
            for bench in benches.values():
                bench.block(tasks // _BLOCKS, seconds)
    yield from (f"{name}: {bench}" for name, bench in benches.items())
    yield f"the cluster has {benches['cluster'].rate / benches['local'].rate:.1%} of the local rate"


def memory(tasks: int) -> Iterator[str]:
    """Yield the memory of this process after each tenth of the tasks, whose results are as large as games."""
    with cluster() as started:
        for number, _ in enumerate(run_all(os.urandom, [(_BYTES,)] * tasks, WORKERS, started.address), 1):
            if number % (tasks // 10) == 0:
                yield f"{number} tasks: {psutil.Process().memory_info().rss / 1e6:.1f} MB"


@exit_on_errors()
def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m ai.lab.cluster_check", description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    for name, games in (("match", 200), ("review", 100)):
        command = commands.add_parser(name)
        command.add_argument("folder", type=Path, help="a new folder")
        command.add_argument("--games", type=int, default=games)
    for name, tasks in (("overhead", 1_000), ("memory", 10_000)):
        commands.add_parser(name).add_argument("--tasks", type=int, default=tasks)
    commands.add_parser("round").add_argument("folder", type=Path, help="a new folder")
    commands.choices["match"].add_argument("--players", nargs=2, default=("level:3", "level:2"))
    commands.choices["match"].add_argument("--game", default="connect4")
    commands.choices["overhead"].add_argument("--ms", type=float, default=50.0, help="that each task sleeps")
    options = parser.parse_args(arguments)
    if options.command == "match":
        match = Match(tuple(options.players), setup(options.game), _PLENTY, 1, grace=_PLENTY)
        lines = matches(options.folder, match, options.games)
    elif options.command == "review":
        lines = reviews(options.folder, options.games)
    elif options.command == "round":
        lines = rounds(options.folder)
    elif options.command == "overhead":
        lines = overhead(options.tasks, options.ms / 1000)
    else:
        lines = memory(options.tasks)
    for line in lines:
        print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])


# A Dask cluster of processes that can be killed one by one.


WORKERS = 2
COUNTED = "TENGEN_TASKS"
"""The environment variable with a file, to which workers write a line for each task that they begin."""

ClusterProgram = subprocess.Popen[bytes]


class Cluster(NamedTuple):
    """A scheduler and workers in processes of their own, which nothing starts again."""

    address: str
    scheduler: ClusterProgram
    workers: list[ClusterProgram]


@contextmanager
def cluster(workers: int = WORKERS) -> Iterator[Cluster]:
    """Start a cluster on this machine; kill what is left of it at the end."""
    with TemporaryDirectory() as folder, ExitStack() as stack:
        file = Path(folder) / "scheduler.json"
        where = ("--host=127.0.0.1", "--port=0", f"--scheduler-file={file}")
        scheduler = stack.enter_context(_program("scheduler", *where))
        while not (file.is_file() and file.stat().st_size):  # it is made before it is written
            if scheduler.poll() is not None:
                raise RuntimeError("The scheduler of the cluster cannot be started.")
            time.sleep(0.05)
        address = json.loads(file.read_bytes())["address"]
        here = (f"--local-directory={folder}", f"--preload={__name__}")
        worker = ("worker", address, "--nthreads=1", "--no-nanny", *here)
        started = [stack.enter_context(_program(*worker)) for _ in range(workers)]
        with distributed.Client(address) as client:
            client.wait_for_workers(workers)
        yield Cluster(address, scheduler, started)


@contextmanager
def _program(kind: str, *arguments: str) -> Iterator[ClusterProgram]:
    command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *arguments, "--no-dashboard"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.kill()


class _Counter(WorkerPlugin):  # type: ignore[misc]
    """Write a line for each task that is begun."""

    def transition(self, key: object, start: str, finish: str, **_more: object) -> None:
        if finish == "executing":
            with Path(os.environ[COUNTED]).open("a", encoding="utf-8") as file:
                file.write(f"{key}\n")


async def dask_setup(worker: Any) -> None:
    """Count the tasks of a worker that loads this module first."""
    if COUNTED in os.environ:
        await worker.plugin_add(_Counter())
