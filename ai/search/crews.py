"""The workers of a parallel search: processes, or simulated ones.

Tasks and results of processes go through pipes. Alpha and beta of each task are in shared memory, where the coordinator
narrows them and the worker looks at them between two moves; every few nodes it looks whether its task is still wanted.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
from collections.abc import Generator, MutableSequence, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from heapq import heappop, heappush
from multiprocessing.connection import Connection, wait
from typing import Any

from ai.core.player import Budget, Limit, Stop
from ai.search.alphabeta import Parts, Spent
from ai.search.splitting import Found, Sharing, Subtree, Task, TaskSearch, Window
from ai.system.programs import end_with_parent
from games.position import Position

_log = logging.getLogger(__name__)

_SLOTS = 4
_DROPPED, _ALPHA, _BETA, _NODES = range(_SLOTS)
"""What shared memory has of a worker: the number of the last task that is not wanted, alpha and beta of the one under
way, and the nodes that it has visited there."""

_CHECK = 63  # nodes between two looks at it, less one; a power of 2, less one
_LOOK = 0.01  # seconds between two looks at the budget


@dataclass(frozen=True, slots=True)
class _Begin:
    """A search begins: all tasks are in the tree below `position`."""

    position: Position
    parts: Parts
    traced: bool


@dataclass(frozen=True, slots=True)
class _Order:
    """Search the position after the moves of `path`, to `depth`."""

    number: int
    path: tuple[int, ...]
    depth: int


class Processes:
    """`count` worker processes, which end with this one."""

    def __init__(self, count: int) -> None:
        # Spawn: forking a process with threads and compiled code may deadlock, and Windows cannot fork.
        context = multiprocessing.get_context("spawn")
        self.memory: MutableSequence[int] = context.RawArray("q", _SLOTS * count)
        self.pipes: dict[Connection, int] = {}
        """Those that live, with their numbers, from 0."""
        self.busy: dict[Connection, int] = {}
        """The number of the task of each that has one, 0 of one that is not ready."""
        self.number = 0
        """That of the last task."""
        leash, self._leash = context.Pipe(duplex=False)
        self._processes: list[Any] = []
        for number in range(count):
            ours, theirs = context.Pipe()
            process: Any = context.Process(target=_work, args=(theirs, leash, number, self.memory), daemon=True)
            process.start()
            theirs.close()
            self._processes.append(process)
            self.pipes[ours] = number
            self.busy[ours] = 0
        leash.close()

    def lose(self, pipe: Connection) -> None:
        """Forget a process that has died."""
        del self.pipes[pipe]
        self.busy.pop(pipe, None)
        pipe.close()

    def close(self) -> None:
        """End all."""
        self._leash.close()
        for process in self._processes:
            process.kill()
            process.join()
            process.close()
        for pipe in self.pipes:
            pipe.close()
        self.pipes.clear()


class ProcessCrew:
    """One search of `position` by `processes`. While none of them is ready, and when one has died, its tasks are
    searched here, by `here`."""

    def __init__(
        self, processes: Processes, position: Position, parts: Parts, budget: Budget, here: TaskSearch, traced: bool
    ) -> None:  # fmt: skip
        self._processes, self._budget, self._here = processes, budget, here
        self._tasks: dict[Connection, Task] = {}
        self._lost: list[Task] = []
        self._course: tuple[Task, Generator[None, None, Found]] | None = None  # what is searched here
        self._visited = 0  # nodes of what is done
        for pipe in list(processes.pipes):
            self._send(pipe, _Begin(position, parts, traced))

    @property
    def nodes(self) -> int:
        """Nodes visited by the processes; any thread may ask."""
        memory, workers = self._processes.memory, [task.worker for task in list(self._tasks.values())]
        return self._visited + sum(memory[(worker - 1) * _SLOTS + _NODES] for worker in workers)

    def run(self, sharing: Sharing) -> None:
        """Search all there is to search. Raise `Spent`."""
        try:
            while not sharing.over:
                self._hand_out(sharing)
                self._search_here(sharing)
                self._narrow(sharing)
                for pipe in wait(list(self._processes.pipes), 0 if self._course else _LOOK):
                    assert isinstance(pipe, Connection)
                    self._receive(sharing, pipe)
                if self._budget.spent(0):
                    raise Spent
        finally:
            self._course = None
            self._drop(list(self._tasks.values()))

    def _now(self) -> int:
        return round(1000 * self._budget.seconds)

    def _send(self, pipe: Connection, message: object) -> None:
        with suppress(OSError):  # it has died, which `_receive` notices
            pipe.send(message)

    def _hand_out(self, sharing: Sharing) -> None:
        for pipe, worker in self._processes.pipes.items():
            if pipe in self._processes.busy:
                continue
            task = sharing.take()
            if task is None:
                return
            task.worker, task.began = worker + 1, self._now()
            self._visited += len(task.opened)
            self._processes.number += 1
            self._tasks[pipe], self._processes.busy[pipe] = task, self._processes.number
            self._write(worker, sharing.window(task))
            self._processes.memory[worker * _SLOTS + _NODES] = 0
            self._send(pipe, _Order(self._processes.number, task.path, task.depth))

    def _write(self, worker: int, window: Window) -> None:
        self._processes.memory[worker * _SLOTS + _ALPHA] = window[0]
        self._processes.memory[worker * _SLOTS + _BETA] = window[1]

    def _narrow(self, sharing: Sharing) -> None:
        for pipe, task in self._tasks.items():
            self._write(self._processes.pipes[pipe], sharing.window(task))

    def _receive(self, sharing: Sharing, pipe: Connection) -> None:
        try:
            number, found = pipe.recv()
        except (EOFError, OSError):
            self._lose(pipe)
            return
        if self._processes.busy.get(pipe) != number:
            return
        del self._processes.busy[pipe]
        task = self._tasks.pop(pipe, None)
        if task is not None and found.score is not None:
            self._visited += found.nodes
            self._finish(sharing, task, found)

    def _finish(self, sharing: Sharing, task: Task, found: Found) -> None:
        task.ended = self._now()
        self._drop(sharing.finish(task, found))

    def _lose(self, pipe: Connection) -> None:
        task = self._tasks.pop(pipe, None)
        _log.warning("a search process has died; what it searched is searched again here")
        self._processes.lose(pipe)
        if task is not None:
            self._lost.append(task)

    def _drop(self, tasks: list[Task]) -> None:
        """Tell the processes that these are not wanted; what they answer is ignored."""
        for pipe, task in list(self._tasks.items()):
            if task in tasks:
                del self._tasks[pipe]
                task.ended = self._now()
                self._processes.memory[self._processes.pipes[pipe] * _SLOTS + _DROPPED] = self._processes.busy[pipe]
                self._visited += self._processes.memory[self._processes.pipes[pipe] * _SLOTS + _NODES]
        self._lost = [task for task in self._lost if task not in tasks]
        if self._course is not None and self._course[0] in tasks:
            self._course = None

    def _search_here(self, sharing: Sharing) -> None:
        """Search on for a process that has died, or that is not ready as all others."""
        if self._course is None:
            ready = any(self._processes.busy.get(pipe) != 0 for pipe in self._processes.pipes)
            task = self._lost.pop() if self._lost else None if ready else sharing.take()
            if task is None:
                return
            if not task.worker:
                task.worker, task.began = 1, self._now()
                self._visited += len(task.opened)
            tree = Subtree(task.position, task.move, task.depth, task.ply)
            self._course = task, self._here.search(tree, partial(sharing.window, task))
        task, course = self._course
        try:
            next(course)
        except StopIteration as end:
            self._course = None
            self._finish(sharing, task, end.value)


# In the processes.


class _Watch(Budget):
    """Looks whether the task `number` of a worker is still wanted."""

    def __init__(self, memory: MutableSequence[int], worker: int) -> None:
        super().__init__(Limit(), Stop())
        self._memory, self._base, self.number, self.before = memory, worker * _SLOTS, 0, 0

    def window(self) -> Window:
        return self._memory[self._base + _ALPHA], self._memory[self._base + _BETA]

    def spent(self, nodes: int) -> bool:
        if nodes & _CHECK:
            return False
        self._memory[self._base + _NODES] = nodes - self.before
        return self._memory[self._base + _DROPPED] >= self.number


def _work(pipe: Connection, leash: Connection, worker: int, memory: MutableSequence[int]) -> None:
    """Search what is asked for, until the pipe or the process that asks ends."""
    end_with_parent(leash, lambda: os._exit(1))
    watch = _Watch(memory, worker)
    pipe.send((0, None))
    begun, search = None, None
    with suppress(EOFError, OSError):
        while True:
            message = pipe.recv()
            if isinstance(message, _Begin):
                begun, search = message.position, TaskSearch(watch, message.parts, message.traced)
            elif begun is not None and search is not None:
                watch.number, watch.before = message.number, search.nodes
                pipe.send((message.number, _searched(begun, message, search, watch)))


def _searched(position: Position, order: _Order, search: TaskSearch, watch: _Watch) -> Found:
    for move in order.path:
        position = position.play(move)
    course = search.search(Subtree(position, order.path[-1], order.depth, len(order.path)), watch.window)
    try:
        while True:
            next(course)
    except StopIteration as end:
        found: Found = end.value
        return found
    except Spent:
        return search.stopped()


# Workers that are simulated: as many as wanted on one processor, all of which visit a node in a unit of time.
#
# The same search always takes the same course, so that lessons and figures can be repeated. Between two moves of its
# task a simulated worker looks at the bounds, as a real one does.


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
