"""Run independent tasks in parallel: by a local process pool or by a Dask cluster, behind one interface.

Independent tasks, such as the games of a match, go through `run_all`: to processes of this machine, or to a Dask
cluster with `--cluster` and the extra `cluster`, without which its tests are skipped. ai/lab/CLUSTER.md tells how to
start clusters, and what they cost.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing.connection import Connection
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from ai.arena.cluster import open_cluster
from ai.system.programs import end_with_parent

T = TypeVar("T")

_WAKE = 0.5  # seconds between chances to handle Ctrl+C
_SUBMITTED = 2_000  # tasks at once: enough for a thousand workers, and memory does not grow with the number of calls


def run_all(
    task: Callable[..., T], calls: Sequence[tuple[Any, ...]], workers: int, cluster: str | None = None
) -> Iterator[T]:
    """Call `task` with the arguments of each of `calls`; yield the results as they are found, in any order.

    `workers` and `cluster` are those of `open_executor`. Ctrl+C and SIGTERM take effect between two results. Raise
    `NoExecutor`, and what a task raised.
    """
    if not calls:
        return
    found: SimpleQueue[Future[T] | int] = SimpleQueue()
    left = iter(calls)
    with signals_queued(found.put) as interrupt, open_executor(min(workers, len(calls)), cluster) as executor:

        def submit(most: int) -> None:
            with _interrupts_deferred():
                for arguments in islice(left, most):
                    executor.submit(task, *arguments).add_done_callback(found.put)

        submit(_SUBMITTED)
        for _ in calls:
            result = _next(found, interrupt).result()
            submit(1)
            yield result
    while not found.empty():
        _next(found, interrupt)  # a signal after the last result


def _next(found: SimpleQueue[Future[T] | int], interrupt: Callable[[int], None]) -> Future[T]:
    """Wait for a result; raise what a signal would have raised."""
    while True:
        with suppress(Empty):
            news = found.get(timeout=_WAKE)  # Windows cannot interrupt an unlimited wait
            if isinstance(news, Future):
                return news
            interrupt(news)


@contextmanager
def open_executor(workers: int, cluster: str | None = None) -> Iterator[Executor]:
    """Open an executor; closing it cancels tasks that have not started.

    `cluster` is the address of a Dask scheduler, whose workers must have this version of the program, or `LOCAL`;
    without one, `workers` processes are started. Raise `NoExecutor`.
    """
    if cluster is not None:
        with open_cluster(cluster, workers) as executor:
            yield executor
        return
    # Spawn: forking a process with threads and compiled code may deadlock, and Windows cannot fork.
    context = multiprocessing.get_context("spawn")
    theirs, ours = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin, initargs=(theirs,))
    try:
        yield pool
        pool.shutdown(cancel_futures=True)
    finally:
        ours.close()  # after an exception the processes abandon their tasks
        pool.shutdown(cancel_futures=True)
        theirs.close()


@contextmanager
def _interrupts_deferred() -> Iterator[None]:
    """Deliver Ctrl+C at the end of the block, and never to a process started within it."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows: such a process ignores it after `_begin`
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def signals_queued(put: Callable[[int], object]) -> Iterator[Callable[[int], None]]:
    """Pass Ctrl+C and SIGTERM to `put` instead of raising; the value, called with one, raises what it would have.

    Raised while the main thread holds the lock of a future, they would leave it locked, and the pool would never end.
    """
    found = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    main = threading.current_thread() is threading.main_thread()
    handlers = {number: handler for number, handler in found.items() if main and callable(handler)}
    for number in handlers:
        signal.signal(number, lambda number, _frame: put(number))
    try:
        yield lambda number: handlers[signal.Signals(number)](number, None)
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def _begin(leash: Connection) -> None:
    """Exit with the parent."""
    end_with_parent(leash, lambda: os._exit(1))
