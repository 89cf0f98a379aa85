"""Measure how precisely the engine keeps its time while another program keeps a processor busy:

    python -m ai.lab.timing [THREADS]

prints how late answers are, and the latency of a stop.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from ai.core.player import Limit, Stop, answer
from ai.gomoku.engine import GomokuEngine
from ai.lab.engine_speed import positions
from games.position import Position

BUDGETS = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
STOPS = (0.01, 0.05, 0.2, 0.5)
_SHARE = 12.0  # seconds for each budget: as many searches as fit, but at least `_FEWEST`
_FEWEST = 4


def overrun(engine: GomokuEngine, position: Position, seconds: float) -> float:
    """Return the seconds by which the answer is late; negative if it is early."""
    began = time.monotonic()
    answer(engine, position, Limit(seconds=seconds))
    return time.monotonic() - began - seconds


def stop_latency(engine: GomokuEngine, position: Position, after: float) -> float | None:
    """Return the seconds from a stop to the answer; None if the answer came before the stop."""
    stop, stopped = Stop(), 0.0

    def at_the_time() -> None:
        nonlocal stopped
        stopped = time.monotonic()
        stop.set()

    timer = threading.Timer(after, at_the_time)
    timer.start()
    answer(engine, position, Limit(), stop)
    ended = time.monotonic()
    timer.cancel()
    return ended - stopped if stopped else None


@contextmanager
def busy_processor() -> Iterator[None]:
    process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        yield
    finally:
        process.kill()
        process.wait()


def _summary(name: str, seconds: list[float]) -> str:
    milliseconds = sorted(1000 * value for value in seconds)
    middle, worst = milliseconds[len(milliseconds) // 2], milliseconds[-1]
    return f"{name:<20}{len(milliseconds):>4} searches   median {middle:>8.1f} ms   worst {worst:>8.1f} ms"


def report(threads: int) -> Iterator[str]:
    """Yield lines of figures as they are measured: a new engine with prepared tables for each search."""
    boards = positions()
    for position in boards:
        answer(GomokuEngine(threads=threads), position, Limit(depth=1))
    for seconds in BUDGETS:
        count = max(_FEWEST, min(4 * len(boards), int(_SHARE / seconds)))
        chosen = [boards[number % len(boards)] for number in range(count)]
        late = [overrun(GomokuEngine(threads=threads), position, seconds) for position in chosen]
        yield _summary(f"over {seconds:g} s", late)
    stops = [stop_latency(GomokuEngine(threads=threads), board, after) for board in boards for after in STOPS]
    yield _summary("after a stop", [latency for latency in stops if latency is not None])


def main() -> None:
    threads = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    with busy_processor():
        for line in report(threads):
            print(line, flush=True)


if __name__ == "__main__":
    main()
