"""Teams of workers: those of a Dask cluster, and threads of this process."""

from __future__ import annotations

import queue
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any

from ai.arena.cluster import open_client
from ai.distributed.dispatcher import Answer, ClusterLost, Found, Runner, Task, Team, halt, run
from ai.system.threads import processors

_LOOK = 0.5  # seconds between two looks at the workers


class _Answering(Team):
    """The answers of tasks that are futures."""

    def __init__(self) -> None:
        self._answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()

    def _expect(self, member: str, number: int, future: Future[Found]) -> None:
        future.add_done_callback(partial(self._answered, member, number))

    def _answered(self, member: str, number: int, future: Future[Found]) -> None:
        try:
            self._answers.put(Answer(number, member, future.result()))
        except (CancelledError, OSError):  # the worker is lost, or the scheduler
            self._answers.put(Answer(number, member, None))
        except Exception as error:
            lost = type(error).__name__ in _LOST
            self._answers.put(Answer(number, member, None, None if lost else error))

    def next(self, timeout: float) -> Answer | None:
        try:
            return self._answers.get(timeout=max(0.0, timeout))
        except queue.Empty:
            return None

    def now(self) -> float:
        return time.monotonic()


_LOST = {"KilledWorker", "FutureCancelledError", "CommClosedError", "TimeoutError"}
"""Exceptions of Dask that say that a worker, and not the task, has failed."""


class ThreadTeam(_Answering):
    """Threads of this process, each with a table of its own; the compiled engine releases the GIL."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self._runners = {f"thread {number + 1}": Runner() for number in range(count)}
        self._threads = {name: ThreadPoolExecutor(1, "tengen-member") for name in self._runners}

    def members(self) -> Mapping[str, int]:
        return dict.fromkeys(self._runners, 1)

    def send(self, member: str, number: int, task: Task) -> None:
        self._expect(member, number, self._threads[member].submit(self._runners[member].run, task))

    def halt(self, search: str) -> None:
        for runner in self._runners.values():
            runner.halt(search)

    def close(self) -> None:
        for threads in self._threads.values():
            threads.shutdown(wait=True, cancel_futures=True)


class ClusterTeam(_Answering):
    """The workers of a Dask cluster. A task is pinned to its worker, whose table knows most of it."""

    def __init__(self, client: Any) -> None:
        super().__init__()
        self._client = client
        self._members: dict[str, int] = {}
        self._executors: dict[str, Executor] = {}
        self._looked = -_LOOK

    def members(self) -> Mapping[str, int]:
        if self.now() - self._looked >= _LOOK:
            self._members = self._workers()
            self._looked = self.now()
        return self._members

    def _workers(self) -> dict[str, int]:
        client = self._client
        try:
            if client.status != "running":
                raise OSError
            found: dict[str, int] = client.nthreads()
        except (OSError, TimeoutError, CancelledError) as error:
            raise ClusterLost("The scheduler of the cluster no longer answers.") from error
        return found

    def send(self, member: str, number: int, task: Task) -> None:
        if member not in self._executors:
            pinned = self._client.get_executor(workers=[member], allow_other_workers=False, pure=False)
            self._executors[member] = pinned
        self._expect(member, number, self._executors[member].submit(run, self._with_threads(task, member)))

    def _with_threads(self, task: Task, member: str) -> Task:
        """Return `task` for all threads of a worker, unless it says how many."""
        context = task.work.context
        if context.threads > 0:
            return task
        context = replace(context, threads=max(1, self._members.get(member, 1)))
        return replace(task, work=replace(task.work, context=context))

    def halt(self, search: str) -> None:
        if self._client.status == "running":
            with suppress(OSError, CancelledError):  # lost meanwhile
                self._client.run(halt, search, wait=False, on_error="ignore")


@contextmanager
def open_team(address: str) -> Iterator[Team]:
    """Open the team of the Dask cluster at `address`; with `LOCAL`, start one. Raise `NoExecutor` with a sentence."""
    with open_client(address, processors()) as client:
        yield ClusterTeam(client)
