"""Simulate a cluster of up to 1,000 workers: where do the scheduler and the client become the limit?

    python -m ai.lab.cluster_simulation --scheduler-ms 1.8 --client-ms 1.0

The processor time of scheduler and client for each task is measured (`ai.lab.cluster_check overhead --ms 0`).
Both are modelled as servers that do one thing at a time: half of the time of a task to send it, half to take its
result. Each worker holds two tasks, one of which waits, and takes at least 0.8 and at most 1.2 times as long as the
mean. Networks, heartbeats and other users are left out.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

WORKERS = (2, 10, 30, 100, 300, 1_000)
SECONDS = (0.05, 1.0, 60.0)
"""Mean durations of tasks."""

_SUBMITTED = 2_000  # tasks at once, as in `ai.arena.executors`
_ROUNDS, _LEAST = 20, 5_000  # tasks that each worker runs, and of all
_HELD = 2  # tasks of a worker: one that runs and one that waits
_SPREAD = 0.2

Action = Callable[[], None]


class Time:
    """What happens when, in order."""

    def __init__(self) -> None:
        self.now = 0.0
        self._events: list[tuple[float, int, Action]] = []
        self._count = 0

    def after(self, seconds: float, action: Action) -> None:
        self._count += 1
        heappush(self._events, (self.now + seconds, self._count, action))

    def run(self) -> None:
        while self._events:
            self.now, _count, action = heappop(self._events)
            action()


@dataclass
class Server:
    """A process that does one thing at a time, in order."""

    time: Time
    free_at: float = 0.0
    busy: float = 0.0

    def serve(self, seconds: float, done: Action) -> None:
        self.free_at = max(self.free_at, self.time.now) + seconds
        self.busy += seconds
        self.time.after(self.free_at - self.time.now, done)


@dataclass
class Simulation:
    """A run of `tasks` that take `seconds` on average; the other times are seconds of processor time for a task."""

    workers: int
    seconds: float
    scheduler_time: float
    client_time: float
    finished: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.time = Time()
        self.client, self.scheduler = Server(self.time), Server(self.time)
        self._machines = [Server(self.time) for _ in range(self.workers)]
        self._places = deque(number for _ in range(_HELD) for number in range(self.workers))
        self._waiting, self._left = 0, max(_LEAST, _ROUNDS * self.workers)
        self._dice = random.Random(1)

    def run(self) -> float:
        """Return the share of the workers' time that tasks use, in the middle half of the run."""
        for _ in range(min(_SUBMITTED, self._left)):
            self._submit()
        self.time.run()
        quarter = len(self.finished) // 4
        span = self.finished[-quarter - 1] - self.finished[quarter]
        return (len(self.finished) - 2 * quarter - 1) * self.seconds / (span * self.workers)

    def _submit(self) -> None:
        if self._left:
            self._left -= 1
            self.client.serve(self.client_time / 2, self._arrive)

    def _arrive(self) -> None:
        self._waiting += 1
        self._send()

    def _send(self) -> None:
        while self._waiting and self._places:
            self._waiting -= 1
            number = self._places.popleft()
            self.scheduler.serve(self.scheduler_time / 2, lambda number=number: self._begin(number))  # type: ignore[misc]

    def _begin(self, number: int) -> None:
        seconds = self.seconds * self._dice.uniform(1 - _SPREAD, 1 + _SPREAD)
        self._machines[number].serve(seconds, lambda: self.scheduler.serve(self.scheduler_time / 2, self._end(number)))

    def _end(self, number: int) -> Action:
        def end() -> None:
            self._places.append(number)
            self.finished.append(self.time.now)
            self.client.serve(self.client_time / 2, self._submit)
            self._send()

        return end


def table(scheduler_time: float, client_time: float) -> Iterator[str]:
    """Yield the rows of a table: the share of the workers' time that tasks use."""
    yield "| workers | " + " | ".join(f"tasks of {seconds:g} s" for seconds in SECONDS) + " |"
    yield "|---|" + "---|" * len(SECONDS)
    for workers in WORKERS:
        runs = [Simulation(workers, seconds, scheduler_time, client_time) for seconds in SECONDS]
        shares = (f"{run.run():.0%}" for run in runs)
        yield f"| {workers} | " + " | ".join(shares) + " |"


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m ai.lab.cluster_simulation", description=__doc__.partition("\n")[0])
    parser.add_argument("--scheduler-ms", type=float, required=True, help="of the scheduler's processor for each task")
    parser.add_argument("--client-ms", type=float, required=True, help="of the client's processor for each task")
    options = parser.parse_args(arguments)
    print(*table(options.scheduler_ms / 1000, options.client_ms / 1000), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
