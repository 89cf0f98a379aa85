"""Measure the distributed search of gomoku: nodes, time to depth by processor time, and a simulation of many workers.

    python -m ai.lab.distributed_speed measure FILE --positions 8 --depth 18 --lines 1
    python -m ai.lab.distributed_speed report FILE
    python -m ai.lab.distributed_speed match FILE --workers 4 --seconds 0.1 --games 20
    python -m ai.lab.distributed_speed dispatch ADDR|local

`measure` searches each position alone and with 1, 2 and 4 workers of a `VirtualCrew`, and appends a line of JSON to
FILE for each position; what is there is not measured again. `report` prints tables of it, with the simulation: the
tasks, with their costs as logged with four workers, are scheduled again for more workers. `match` plays workers against
a single search of equal time, and appends the results to FILE. `dispatch` measures what a task costs the coordinator on
a Dask cluster.
"""

from __future__ import annotations

import argparse
import heapq
import json
import statistics
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from itertools import groupby, islice, pairwise
from pathlib import Path
from statistics import geometric_mean
from typing import Any

from ai.core.player import Info, Limit, Player, Stop, answer
from ai.distributed.cluster_player import Sharer, open_crew
from ai.gomoku.openings import openings
from ai.lab.label_gomoku import whole_lines
from ai.players.table import Context, make
from ai.search.coordinator import Coordinator
from ai.search.crews import Answer, Crew
from ai.search.splitting import PrincipalVariation
from ai.search.trace import INFINITY
from ai.search.workers import Found, Request, Runner, Window, Work
from games.formats.text import parse
from games.position import Position
from games.registry import setup

DISPATCH = 0.006
"""Seconds that the coordinator takes for each request, one after the other, to send it and to take its answer: with
Dask on this machine (ai/lab/PARALLEL.md)."""

_LOOKS = 50


def clock_cost() -> float:
    """Return the processor time of reading the processor time, which is not small on every machine."""
    times = [time.process_time() for _ in range(_LOOKS)]
    return statistics.median(after - before for before, after in pairwise(times))


class VirtualCrew(Crew):
    """`count` workers, each with a table of its own, whose time is processor time: how fast a distributed search would
    be with as many processors as workers.

    Requests are answered one after the other, each when it is sent, with the bounds of that moment, and by its worker's
    own table; the answer comes when the worker would have it, by the processor time that it took. Only time is
    simulated: what each worker searches is what it would search.
    """

    def __init__(self, count: int, dispatch: float = DISPATCH) -> None:
        self._runners = {f"{number + 1:04}": Runner() for number in range(count)}
        self._clock_cost = clock_cost()
        self._dispatch, self._clock, self._sender_free = dispatch, 0.0, 0.0
        self._coming: list[tuple[float, int, str, Found]] = []
        self.busy = 0.0
        """Processor time of all workers."""

    def members(self) -> Mapping[str, int]:
        return dict.fromkeys(self._runners, 1)

    def send(self, worker: str, number: int, request: Request, window: Callable[[], Window]) -> None:
        limit = request.limit and replace(request.limit, seconds=None)
        began = time.process_time()
        found = self._runners[worker].run(replace(request, seconds=None, limit=limit))
        cost = max(0.0, time.process_time() - began - self._clock_cost)
        found = replace(found, seconds=cost)
        self._sender_free = max(self._sender_free, self._clock) + self._dispatch
        self.busy += cost
        heapq.heappush(self._coming, (self._sender_free + cost, number, worker, found))

    def next(self, timeout: float) -> Answer | None:
        if not self._coming:
            return None
        self._clock, number, worker, found = heapq.heappop(self._coming)
        return Answer(number, worker, found)

    def now(self) -> float:
        return self._clock


def makespan(costs: list[float], workers: int, dispatch: float = DISPATCH) -> float:
    """Return how long `workers` take for tasks of these costs, given out in this order to whoever is free first."""
    free = [0.0] * min(workers, len(costs))
    sender = end = 0.0
    for cost in costs:
        sender = max(sender, heapq.heappop(free)) + dispatch
        heapq.heappush(free, sender + cost)
        end = max(end, sender + cost)
    return end


_WORKERS = (1, 2, 4)
_SIMULATED = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000)
_PLAYER, _GAME = "engine:root_vcf=0", "gomoku"
_CONTEXT = Context(_GAME, memory_mb=16)
_POLL = 0.001  # seconds


def positions(count: int) -> Iterator[Position]:
    """Yield the positions after the openings of matches."""
    rules = setup(_GAME)
    for text in islice(openings(rules), count):
        yield parse(text, rules).cursor.position


def coordinator(crew: Crew, position: Position, limit: Limit, log: list[tuple[Request, Found]]) -> Coordinator:
    work = Work(uuid.uuid4().hex, Sharer(_PLAYER, _CONTEXT))
    policy = PrincipalVariation()
    return Coordinator(lambda: crew, work, position, limit, Stop(), policy, log=lambda *done: log.append(done))


def shared(crew: Crew, position: Position, limit: Limit, log: list[tuple[Request, Found]]) -> Info:
    *_, info = coordinator(crew, position, limit, log).deepen()
    return info


# Time to depth.


def measured(position: Position, depth: int, lines: int) -> dict[str, Any]:
    """Search alone and with workers; times are processor time, those of workers as if each had a processor."""
    limit = Limit(depth=depth, lines=lines)
    with closing(make(_PLAYER, _CONTEXT)) as single:
        began = time.process_time()
        info = answer(single, position, limit)
        row: dict[str, Any] = {"single": _row(position, info, time.process_time() - began)}
    for count in _WORKERS:
        crew, log = VirtualCrew(count), list[tuple[Request, Found]]()
        coordinator(crew, position, limit, []).warm_up()
        busy, began = crew.busy, crew.now()
        info = shared(crew, position, limit, log)
        row[str(count)] = _row(position, info, crew.now() - began) | {"busy": crew.busy - busy, "tasks": len(log)}
    return row | {"phases": phases(log)}


def _row(position: Position, info: Info, seconds: float) -> dict[str, Any]:
    moves = [position.move_text(line.moves[0]) for line in info.lines]
    return {"seconds": seconds, "nodes": info.nodes, "score": info.score, "moves": moves}


def phases(log: list[tuple[Request, Found]]) -> list[list[float]]:
    """Return the costs of the tasks that can be done at the same time, one phase after the other.

    A task alone is one for which the coordinator waits: of the first move of a node, or of one that has failed high.
    """

    def phase(numbered: tuple[int, tuple[Request, Found]]) -> object:
        number, (request, _) = numbered
        alone = not request.moves or (request.rises and request.moves[0][0] == 0)
        return request.depth, request.node.line, request.window.alpha == -INFINITY, number if alone else None

    return [[found.seconds for _, (_, found) in group] for _, group in groupby(enumerate(log), phase)]


def measure(file: Path, count: int, depth: int, lines: int) -> None:
    known = [(row["position"], row["depth"], row["lines"]) for row in _rows(file)]
    for number, position in enumerate(positions(count)):
        if (number, depth, lines) not in known:
            row = {"position": number, "depth": depth, "lines": lines} | measured(position, depth, lines)
            _append(file, row)
            print(number, {key: round(row[key]["seconds"], 2) for key in ("single", *map(str, _WORKERS))}, flush=True)


def report(file: Path) -> None:
    rows = sorted(_rows(file), key=lambda row: (row["depth"], row["lines"]))
    for (depth, lines), group in groupby(rows, lambda row: (row["depth"], row["lines"])):
        found = list(group)
        print(f"\n{len(found)} positions, depth {depth}, {lines} best moves\n")
        print("| workers | nodes | processor time | time to depth | speed-up |\n|---|---|---|---|---|")
        for count in map(str, _WORKERS):
            nodes = geometric_mean(row[count]["nodes"] / row["single"]["nodes"] for row in found)
            busy, seconds = (
                geometric_mean(row[count][key] / row["single"]["seconds"] for row in found)
                for key in ("busy", "seconds")
            )
            print(f"| {count} | × {nodes:.2f} | × {busy:.2f} | × {seconds:.2f} | {1 / seconds:.2f} |")
        print("\nSimulation\n\n| workers | speed-up | without the cost of dispatching |\n|---|---|---|")
        for workers in _SIMULATED:
            real, free = (
                geometric_mean(_speed_up(row, workers, cost) for row in found) for cost in (DISPATCH, 0.0)
            )
            print(f"| {workers} | {real:.2f} | {free:.2f} |")


def _speed_up(row: dict[str, Any], workers: int, dispatch: float) -> float:
    seconds: float = row["single"]["seconds"]
    return seconds / sum(makespan(costs, workers, dispatch) for costs in row["phases"])


# Strength.


def answered(player: Player, position: Position, seconds: float) -> Info:
    """Return the answer after so much processor time of this process."""
    stop, until = Stop(), time.process_time() + seconds

    def watch() -> None:
        while not stop.is_set():
            if time.process_time() >= until:
                stop.set()
            time.sleep(_POLL)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    info = answer(player, position, Limit(), stop)
    stop.set()
    watcher.join()
    return info


def match(file: Path, workers: int, seconds: float, games: int) -> None:
    """Play workers against a single search: each opening twice."""
    done = [row for row in _rows(file) if (row["workers"], row["seconds"]) == (workers, seconds)]
    starts = list(positions((games + 1) // 2))
    for number in range(len(done), games):
        result = _game(starts[number // 2], number % 2, workers, seconds)
        done.append({"workers": workers, "seconds": seconds, "game": number, "result": result})
        _append(file, done[-1])
    results = [row["result"] for row in done]
    counts = [results.count(value) for value in (1.0, 0.5, 0.0)]
    print(f"{workers} workers, {seconds} s a move: wins {counts[0]}, draws {counts[1]}, losses {counts[2]}", flush=True)


def _game(position: Position, side: int, workers: int, seconds: float) -> float:
    """Return the score of the workers, which play `side`."""
    crew, single = VirtualCrew(workers), make(_PLAYER, _CONTEXT)
    while position.outcome is None:
        if position.turn == side:
            move = shared(crew, position, Limit(seconds=seconds), []).move
        else:
            move = answered(single, position, seconds).move
        position = position.play(move)
    single.close()
    return 0.5 if position.outcome.winner is None else float(position.outcome.winner == side)


# Dask.


def dispatch(address: str, tasks: int = 1000) -> None:
    """Send tasks that do nothing to the workers of a cluster, and print how many seconds each takes."""
    with open_crew(address) as crew:
        work, position = Work(uuid.uuid4().hex, Sharer("alphabeta", Context("tictactoe"))), setup("tictactoe").start()
        search = Coordinator(lambda: crew, work, position, Limit(), Stop(), PrincipalVariation())
        search.warm_up()
        wall, cpu = time.monotonic(), time.process_time()
        for _ in range(tasks // len(crew.members())):
            search.warm_up()  # a task for each worker
        wall, cpu = time.monotonic() - wall, time.process_time() - cpu
        print(f"{len(crew.members())} workers: {1000 * wall / tasks:.2f} ms a task, {1000 * cpu / tasks:.2f} ms of "
              "processor time of the coordinator")


def _rows(file: Path) -> list[dict[str, Any]]:
    whole_lines(file)  # cut off what a kill left unfinished
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def _append(file: Path, row: dict[str, Any]) -> None:
    with file.open("a", encoding="utf-8") as out:
        out.write(json.dumps(row) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    each = {name: commands.add_parser(name) for name in ("measure", "report", "match", "dispatch")}
    for name in ("measure", "report", "match"):
        each[name].add_argument("file", type=Path, metavar="FILE")
    each["measure"].add_argument("--positions", type=int, default=8)
    each["measure"].add_argument("--depth", type=int, default=18)
    each["measure"].add_argument("--lines", type=int, default=1)
    each["match"].add_argument("--workers", type=int, default=4)
    each["match"].add_argument("--seconds", type=float, default=0.1)
    each["match"].add_argument("--games", type=int, default=20)
    each["dispatch"].add_argument("address", metavar="ADDR|local")
    options = parser.parse_args()
    if options.command == "measure":
        measure(options.file, options.positions, options.depth, options.lines)
    elif options.command == "report":
        report(options.file)
    elif options.command == "match":
        match(options.file, options.workers, options.seconds, options.games)
    else:
        dispatch(options.address)


if __name__ == "__main__":
    main()
