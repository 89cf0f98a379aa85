"""Workers whose time is processor time: how fast a distributed search would be with as many processors as workers.

Requests are answered one after the other, each when it is sent, with the bounds of that moment, and by its worker's own
table; the answer comes when the worker would have it, by the processor time that it took. Only time is simulated: what
each worker searches is what it would search.
"""

from __future__ import annotations

import heapq
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise

from ai.search.crews import Answer, Crew
from ai.search.workers import Found, Request, Runner, Window

DISPATCH = 0.006
"""Seconds that the coordinator takes for each request, one after the other, to send it and to take its answer: with
Dask on this machine (ai/lab/PARALLEL.md)."""

_LOOKS = 50


def clock_cost() -> float:
    """Return the processor time of reading the processor time, which is not small on every machine."""
    times = [time.process_time() for _ in range(_LOOKS)]
    return statistics.median(after - before for before, after in pairwise(times))


class VirtualCrew(Crew):
    """`count` workers, each with a table of its own."""

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
