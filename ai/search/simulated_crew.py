"""Workers that are simulated: as many as wanted on one processor, all of which visit a node in a unit of time.

The same search always takes the same course, so that lessons and figures can be repeated. Between two moves of its task
a simulated worker looks at the bounds, as a real one does.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import partial
from heapq import heappop, heappush

from ai.search.alphabeta import Spent
from ai.search.splitting import Found, Sharing, Task
from ai.search.task_search import Subtree, TaskSearch


@dataclass(slots=True)
class _Run:
    """A task under way; `entered` is when its own first node was visited."""

    task: Task
    course: Generator[None, None, Found]
    entered: int
    found: Found | None = None


class SimulatedCrew:
    """Workers that search with `searches`, one each. `clock` is the time so far, in nodes."""

    def __init__(self, searches: Sequence[TaskSearch]) -> None:
        self._searches, self.clock, self._opened = searches, 0, 0
        self._runs: dict[int, _Run] = {}

    @property
    def nodes(self) -> int:
        """Nodes visited by all."""
        return self._opened + sum(search.nodes for search in self._searches)

    def run(self, sharing: Sharing) -> None:
        """Search all there is to search. Raise `Spent`."""
        self._runs.clear()
        events: list[tuple[int, bool, int]] = []  # when, whether a task goes on, the worker
        try:
            while not sharing.over:
                for worker in range(1, len(self._searches) + 1):
                    if worker not in self._runs and (task := sharing.take()) is not None:
                        heappush(events, self._begin(sharing, worker, task))
                self.clock, _, worker = heappop(events)
                run = self._runs[worker]
                if run.found is None:
                    heappush(events, self._go_on(worker))
                    continue
                del self._runs[worker]
                dropped = {each.worker for each in sharing.finish(run.task, run.found)}
                for worker in dropped:
                    self._stop(worker)
                events = sorted(event for event in events if event[2] not in dropped)
        except Spent:
            for worker in list(self._runs):
                self._stop(worker)
            raise

    def _begin(self, sharing: Sharing, worker: int, task: Task) -> tuple[int, bool, int]:
        task.worker, task.began = worker, self.clock
        self._opened += len(task.opened)
        tree = Subtree(task.position, task.move, task.depth, task.ply)
        course = self._searches[worker - 1].search(tree, partial(sharing.window, task))
        entered = self.clock + len(task.opened)
        self._runs[worker] = _Run(task, course, entered)
        return self._go_on(worker, len(task.opened))

    def _go_on(self, worker: int, before: int = 0) -> tuple[int, bool, int]:
        """Search on to where the worker looks at the bounds, `before` nodes from now on. Return when that will be."""
        run, search = self._runs[worker], self._searches[worker - 1]
        nodes = search.nodes
        try:
            next(run.course)
        except StopIteration as end:
            run.found = end.value
        when = self.clock + before + search.nodes - nodes
        run.task.ended = when
        return when, run.found is None, worker

    def _stop(self, worker: int) -> None:
        """Stop the worker now, which undoes what it has searched in advance."""
        run = self._runs.pop(worker)
        run.course.close()
        run.task.found = self._searches[worker - 1].stopped(max(0, self.clock - run.entered))
        run.task.ended = self.clock
