"""The workers of a parallel search: crews of simulated workers, of processes, and of the workers of a Dask cluster."""

from __future__ import annotations

import logging
import math
import multiprocessing
import os
import queue
import time
from collections.abc import Callable, Generator, Mapping, MutableSequence, Sequence
from concurrent.futures import CancelledError, Executor, Future
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from heapq import heapify, heappop, heappush
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol

from ai.core.player import Budget, Limit, Stop
from ai.search.alphabeta import Spent
from ai.search.trace import Trace
from ai.search.workers import FULL, Found, MoveScore, Request, TreeMoves, Window, halt, perform, run, run_to_end
from ai.system.programs import end_with_parent

_log = logging.getLogger(__name__)


class CrewLost(RuntimeError):
    """The workers of a crew are gone or have failed; `str(error)` is a sentence."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a `worker` to the request `number`: `found`, or None if the worker was lost, or has raised
    `error`."""

    number: int
    worker: str
    found: Found | None
    error: Exception | None = None


class Crew(Protocol):
    """Workers, each of which answers one request at a time. Inherit from it for the defaults."""

    patience: float = math.inf
    """Seconds after which a task that takes much longer than others may be given to another worker as well."""

    @property
    def ready(self) -> bool:
        """Whether a worker has been started; otherwise requests wait."""
        return True

    def members(self) -> Mapping[str, int]:
        """Return the names of the workers that are there, with the number of threads of each. Raise `CrewLost`."""

    def send(self, worker: str, number: int, request: Request, window: Callable[[], Window]) -> None:
        """Send `request` to the idle `worker`, under a `number` greater than all before. `window` returns the bounds of
        the node as they are now, for a crew that can narrow them while it searches."""

    def next(self, timeout: float) -> Answer | None:
        """Return the next answer; None if none comes within `timeout` seconds."""

    def drop(self, worker: str) -> Found | None:
        """Cancel what a worker does. If that ends at once, return the partial result: the worker is idle, and no answer
        follows. Return None if the worker stays busy until its answer comes, which the caller ignores."""
        return None

    def visited(self, worker: str) -> int:
        """Return the nodes visited for the present request of a worker, as far as they are known; any thread may
        ask."""
        return 0

    def halt(self, search: str) -> None:
        """Cancel what all workers do for the search with this name. By default, do nothing."""
        return

    def now(self) -> float:
        """Return the time in seconds; its zero is arbitrary."""
        return time.monotonic()

    def moment(self) -> int:
        """Return the time in the unit of a `SharedTree`: milliseconds, or nodes where workers are simulated."""
        return round(1000 * self.now())

    def close(self) -> None:
        """End the workers that this crew has started."""
        return


# Workers that are simulated: as many as wanted on one processor, all of which visit a node in a unit of time.
#
# The same search always takes the same course, so that lessons and figures can be repeated. Where its search yields, a
# simulated worker looks at the bounds, as a real one does.


@dataclass(slots=True)
class _Run:
    """The present request of a simulated worker. `entered` is the time at which its own first node was visited,
    `before` the nodes that its search had visited earlier."""

    number: int
    course: Generator[None, None, Found]
    entered: int
    before: int
    scores: list[MoveScore]
    found: Found | None = None


class SimulatedCrew(Crew):
    """Simulated workers, one for each of `searches`, which together search as long as `limit` and `stop` allow. All
    take turns on this thread."""

    def __init__(self, searches: Sequence[TreeMoves], limit: Limit, stop: Stop) -> None:
        self._searches = {str(number): search for number, search in enumerate(searches, 1)}
        self._budget = _CrewBudget(self, limit, stop)
        self._clock = self._entered = 0
        self._runs: dict[str, _Run] = {}
        self._events: list[tuple[int, bool, int, str]] = []  # when, whether it goes on, the worker

    @property
    def nodes(self) -> int:
        """Nodes visited by all workers."""
        return self._entered + sum(search.nodes for search in self._searches.values())

    def members(self) -> Mapping[str, int]:
        """Return all workers, numbered from 1, with one thread each. None is ever lost."""
        return dict.fromkeys(self._searches, 1)

    def moment(self) -> int:
        """Return the simulated time, in nodes."""
        return self._clock

    def visited(self, worker: str) -> int:
        """Return the nodes of the worker's present request, with those that it has searched ahead of the simulated
        time; 0 if it is idle."""
        run = self._runs.get(worker)
        return 0 if run is None else self._searches[worker].nodes - run.before

    def send(self, worker: str, number: int, request: Request, window: Callable[[], Window]) -> None:
        """Begin the request, and search until the worker first looks at its bounds. The nodes that were entered on the
        way count as time. Raise `Spent`."""
        search, scores = self._searches[worker], list[MoveScore]()
        self._entered += request.entered
        course = perform(search, request, window, self._budget, scores)
        self._runs[worker] = _Run(number, course, self._clock + request.entered, search.nodes, scores)
        self._advance(worker, request.entered)

    def next(self, timeout: float) -> Answer | None:
        """Let the workers search until one has its answer, and return that; None if all are idle. No real time is
        waited for."""
        while self._events:
            self._clock, goes_on, _, worker = heappop(self._events)
            if not goes_on:
                run = self._runs.pop(worker)
                return Answer(run.number, worker, run.found)
            self._advance(worker)
        return None

    def _advance(self, worker: str, before: int = 0) -> None:
        """Search on until `worker` looks at its bounds again or ends. Schedule that for when its nodes, and `before`
        more, have been visited. Raise `Spent` when the crew's budget is used up."""
        run, search = self._runs[worker], self._searches[worker]
        nodes = search.nodes
        try:
            next(run.course)
        except StopIteration as end:
            run.found = end.value
            if run.found is not None and run.found.stopped:
                raise Spent from None
        when = self._clock + before + search.nodes - nodes
        heappush(self._events, (when, run.found is None, int(worker), worker))

    def drop(self, worker: str) -> Found:
        """Stop the worker now. Nodes that it has searched ahead of the simulated time are forgotten."""
        run, search = self._runs.pop(worker), self._searches[worker]
        run.course.close()
        self._events = [event for event in self._events if event[3] != worker]
        heapify(self._events)
        nodes = min(max(0, self._clock - run.entered), search.nodes - run.before)
        search.nodes = run.before + nodes
        traces = [score.trace for score in run.scores]
        if not traces or traces[-1] is not search.trace:
            traces.append(search.trace)
        return Found(stopped=True, nodes=nodes, traces=tuple(_cut_off([each for each in traces if each], nodes)))

    def halt(self, search: str) -> None:
        """Cancel what all workers do, whatever search it is for."""
        for worker in list(self._runs):
            self.drop(worker)


def _cut_off(traces: list[Trace], nodes: int) -> list[Trace]:
    """Keep only the first `nodes` nodes of all traces together. Return the traces that have any left."""
    for trace in traces:
        count = min(nodes, len(trace))
        trace.cut_off(count)
        nodes -= count
    return [trace for trace in traces if len(trace)]


class _CrewBudget(Budget):
    """The budget of a whole crew: its limit of nodes counts those of all workers."""

    def __init__(self, crew: SimulatedCrew, limit: Limit, stop: Stop) -> None:
        super().__init__(limit, stop)
        self._crew = crew

    def spent(self, nodes: int) -> bool:
        """Return whether the search must end; `nodes` are those of one worker."""
        return super().spent(nodes if self.limit.nodes is None else self._crew.nodes)


# Processes of this machine, since the interpreter lets only one thread at a time run Python.
#
# Requests and answers go through pipes. Alpha and beta of each request are in shared memory, where they are narrowed,
# and the worker looks at them between two moves; every few nodes it looks whether its answer is still wanted.


_SLOTS = 5
_DROPPED, _ALPHA, _BETA, _NODES, _READY = range(_SLOTS)
"""What shared memory has of a worker: the number of the last request that is not wanted, alpha and beta of the one
under way, the nodes that it has visited there, and whether the worker has been started."""

_CHECK = 63  # nodes between two looks at it, less one; a power of 2, less one


@dataclass(slots=True)
class _Process:
    """A worker process. `number` and `window` are those of its present request, `base` is its first place in shared
    memory."""

    process: Any
    pipe: Connection
    base: int  # in shared memory
    number: int = 0
    window: Callable[[], Window] = lambda: FULL

    def close(self) -> None:
        """Kill the process and release its pipe."""
        self.process.kill()
        self.process.join()
        self.process.close()
        self.pipe.close()


class ProcessCrew(Crew):
    """`count` worker processes, which end when this process ends. One that dies is not replaced."""

    def __init__(self, count: int) -> None:
        # Spawn: forking a process with threads and compiled code may deadlock, and Windows cannot fork.
        context = multiprocessing.get_context("spawn")
        self._memory: MutableSequence[int] = context.RawArray("q", _SLOTS * count)
        self._workers: dict[str, _Process] = {}
        self._answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()
        leash, self._leash = context.Pipe(duplex=False)
        for number in range(count):
            ours, theirs = context.Pipe()
            base = number * _SLOTS
            process: Any = context.Process(target=_work, args=(theirs, leash, base, self._memory), daemon=True)
            process.start()
            theirs.close()
            self._workers[str(number + 1)] = _Process(process, ours, base)
        leash.close()

    @property
    def ready(self) -> bool:
        """Whether at least one process has been started and waits for requests."""
        return any(self._memory[each.base + _READY] for each in self._workers.values())

    def members(self) -> Mapping[str, int]:
        """Return the processes that are still alive as far as is known, with one thread each. Never raise: `next`
        notices a death."""
        return dict.fromkeys(self._workers, 1)

    def send(self, worker: str, number: int, request: Request, window: Callable[[], Window]) -> None:
        """Write the window into shared memory, and send the request through the worker's pipe. `window` is kept, and
        called at each `next`. A dead worker raises nothing here."""
        each = self._workers[worker]
        each.number, each.window = number, window
        self._memory[each.base + _NODES] = 0
        self._write_window(each)
        with suppress(OSError):  # it has died, which `next` notices
            each.pipe.send((number, request))

    def _write_window(self, each: _Process) -> None:
        """Write the current window of a request into shared memory, where its worker reads it."""
        self._memory[each.base + _ALPHA], self._memory[each.base + _BETA] = each.window()

    def next(self, timeout: float) -> Answer | None:
        """Pass the present windows on to all workers, and wait for an answer. A worker that has died is removed, and
        its answer has no result."""
        for each in self._workers.values():
            self._write_window(each)
        if self._answers.empty():
            names: dict[object, str] = {each.pipe: name for name, each in self._workers.items()}
            for pipe in wait([each.pipe for each in self._workers.values()], timeout):
                self._receive(names[pipe])
        return None if self._answers.empty() else self._answers.get()

    def _receive(self, worker: str) -> None:
        """Queue the answer of `worker`. If its process has died, remove it and queue an answer without a result."""
        each = self._workers[worker]
        try:
            number, found = each.pipe.recv()
        except (EOFError, OSError):
            _log.warning("a search process has died; what it searched is searched again")
            del self._workers[worker]
            each.close()
            number, found = each.number, None
        self._answers.put(Answer(number, worker, found))

    def drop(self, worker: str) -> None:
        """Cancel what a worker does. Always return None: it is busy until its answer comes, which the caller
        ignores."""
        if worker in self._workers:
            each = self._workers[worker]
            self._memory[each.base + _DROPPED] = each.number

    def visited(self, worker: str) -> int:
        """Return the nodes of the worker's present request, as it wrote them into shared memory every few nodes; 0 for
        one that is gone."""
        each = self._workers.get(worker)
        return 0 if each is None else self._memory[each.base + _NODES]

    def halt(self, search: str) -> None:
        """Cancel what all workers do, whatever search it is for."""
        for worker in self._workers:
            self.drop(worker)

    def close(self) -> None:
        """Kill all processes without waiting for their answers."""
        self._leash.close()
        for each in self._workers.values():
            each.close()
        self._workers.clear()


class RequestBudget(Budget):
    """The budget of a request in a worker process, which is used up when the request `number` is cancelled."""

    def __init__(self, memory: MutableSequence[int], base: int, number: int) -> None:
        super().__init__(Limit(), Stop())
        self._memory, self._base, self._number, self._before = memory, base, number, -1

    def window(self) -> Window:
        """Return the window of the request from shared memory, as the coordinator has narrowed it by now."""
        return Window(self._memory[self._base + _ALPHA], self._memory[self._base + _BETA])

    def spent(self, nodes: int) -> bool:
        """Return whether the request was cancelled. Look at shared memory, and write the nodes there, only every few
        nodes."""
        if self._before < 0:
            self._before = nodes - 1
        if nodes & _CHECK:
            return False
        self._memory[self._base + _NODES] = nodes - self._before
        return self._memory[self._base + _DROPPED] >= self._number


def _work(pipe: Connection, leash: Connection, base: int, memory: MutableSequence[int]) -> None:
    """Be a worker process: answer requests from `pipe` until it is closed. End when `leash` is closed, since the parent
    has died. `base` is the place of this worker in `memory`."""
    end_with_parent(leash, lambda: os._exit(1))
    memory[base + _READY] = 1
    made, search = None, None
    with suppress(EOFError, OSError):
        while True:
            number, request = pipe.recv()
            if search is None or made != request.work.make:
                made, search = request.work.make, request.work.make(1)
            watch, began = RequestBudget(memory, base, number), time.monotonic()
            found = run_to_end(perform(search, request, watch.window, watch, []))
            pipe.send((number, replace(found, seconds=time.monotonic() - began)))


# The workers of a Dask cluster.


_LOOK = 0.5  # seconds between two looks at who is there
_LOST = {"KilledWorker", "FutureCancelledError", "CommClosedError", "TimeoutError"}
"""Exceptions of Dask that say that a worker, and not the request, has failed."""


@dataclass
class ClusterCrew(Crew):
    """The workers of the cluster of a Dask `client`. A request runs only on the worker it is sent to. If the request's
    `threads` are 0, it gets as many as the worker has. `drop` does nothing: a worker ends its request first."""

    client: Any
    patience: float = 2.0
    _answers: queue.SimpleQueue[Answer] = field(default_factory=queue.SimpleQueue)
    _members: dict[str, int] = field(default_factory=dict)
    _executors: dict[str, Executor] = field(default_factory=dict)
    _looked: float = -math.inf

    def members(self) -> Mapping[str, int]:
        """Return the workers of the cluster with their threads, asked for at most twice a second. Raise `CrewLost` if
        the scheduler does not answer."""
        if self.now() - self._looked >= _LOOK:
            self._members = self._workers()
            self._looked = self.now()
        return self._members

    def _workers(self) -> dict[str, int]:
        """Return the workers of the cluster with their threads. Raise `CrewLost` if the scheduler does not answer."""
        try:
            if self.client.status != "running":
                raise OSError
            found: dict[str, int] = self.client.nthreads()
        except (OSError, TimeoutError, CancelledError) as error:
            raise CrewLost("The scheduler of the cluster no longer answers.") from error
        return found

    def send(self, worker: str, number: int, request: Request, window: Callable[[], Window]) -> None:
        """Submit the request to this worker only, with as many threads as it has if the request's are 0. `window` is
        not used: bounds are those of the request until its end."""
        if worker not in self._executors:
            pinned = self.client.get_executor(workers=[worker], allow_other_workers=False, pure=False)
            self._executors[worker] = pinned
        threads = request.work.threads or max(1, self._members.get(worker, 1))
        request = replace(request, work=replace(request.work, threads=threads))
        self._executors[worker].submit(run, request).add_done_callback(partial(self._receive, worker, number))

    def _receive(self, worker: str, number: int, future: Future[Found]) -> None:
        """Queue the answer of a worker: without a result if the worker was lost, with the error if the request raised
        one."""
        try:
            self._answers.put(Answer(number, worker, future.result()))
        except (CancelledError, OSError):  # the worker is lost, or the scheduler
            self._answers.put(Answer(number, worker, None))
        except Exception as error:
            lost = type(error).__name__ in _LOST
            self._answers.put(Answer(number, worker, None, None if lost else error))

    def next(self, timeout: float) -> Answer | None:
        """Wait for an answer; Dask delivers them on a thread of its own."""
        try:
            return self._answers.get(timeout=timeout)
        except queue.Empty:
            return None

    def halt(self, search: str) -> None:
        """Have all workers end their requests of `search`, without waiting for it. Do nothing if the cluster is
        lost."""
        if self.client.status == "running":
            with suppress(OSError, CancelledError):  # lost meanwhile
                self.client.run(halt, search, wait=False, on_error="ignore")
