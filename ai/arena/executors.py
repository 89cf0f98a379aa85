"""Run independent tasks in parallel: by a local process pool or by a Dask cluster, behind one interface.

Independent tasks, such as the games of a match, go through `run_all`: to processes of this machine, or to a Dask
cluster with `--cluster` and the extra `cluster`, without which its tests are skipped. ai/lab/CLUSTER.md tells how to
start clusters, and what they cost.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
import multiprocessing
import os
import signal
import sys
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    CancelledError,
    Executor,
    Future,
    InvalidStateError,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from itertools import islice
from multiprocessing.connection import Connection
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from ai.system import version
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


LOCAL = "local"
"""Instead of an address: start a cluster on this machine."""

_LAUNCHER = "tengen.__main__"
_LOST = "The scheduler of the cluster was lost."
_INSTALL = 'python -m pip install ".[cluster]"'

_log = logging.getLogger(__name__)


def installed() -> bool:
    """Return whether Dask is installed."""
    return importlib.util.find_spec("distributed") is not None


class NoExecutor(RuntimeError):
    """Tasks cannot be run; `str(error)` is a sentence."""


@contextmanager
def open_cluster(address: str, workers: int) -> Iterator[ClusterTasks]:
    """Open an executor on the cluster of `open_client`. A worker with another version that joins later is told of and
    left out. Raise `NoExecutor`."""
    with open_client(address, workers) as client, ClusterTasks(client) as executor:
        yield executor


@contextmanager
def open_client(address: str, workers: int) -> Iterator[Any]:
    """Open a Dask client of the cluster at `address`; with `LOCAL`, start one with as many `workers` and end it.

    Its workers must have this version of the program. Raise `NoExecutor`.
    """
    try:
        distributed = importlib.import_module("distributed")
    except ImportError as error:
        raise NoExecutor(f"--cluster needs dask.distributed; install it in a checkout: {_INSTALL}.") from error
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # what fails is raised
    with ExitStack() as stack:
        if address == LOCAL:
            address = stack.enter_context(_local(distributed, workers)).scheduler_address
        yield stack.enter_context(closing(_client(distributed, address)))


def _local(distributed: Any, workers: int) -> Any:
    """Start a cluster without a dashboard that only this machine can reach."""
    return distributed.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",  # of the scheduler's HTTP server; the usual port may be in use
        scheduler_kwargs={"dashboard": False},
        memory_limit=0,  # as for local processes
        silence_logs=logging.ERROR,  # workers that are stopped in the middle of a task are no news
    )


def _client(distributed: Any, address: str) -> Any:
    """Connect to a Dask scheduler whose workers run this version; raise NoExecutor with a sentence."""
    try:
        client = distributed.Client(address, timeout="10s")
    except (OSError, ValueError, TypeError, RuntimeError) as error:  # the last two for a lack of certificates
        reason = str(error) or "it does not answer"
        raise NoExecutor(f"The Dask scheduler at “{address}” cannot be reached: {reason}.") from error
    try:
        if _LAUNCHER.partition(".")[0] in sys.modules:
            _start_launcher(client)
        _check_versions(client)
    except BaseException:
        client.close()
        raise
    return client


def _start_launcher(client: Any) -> None:
    """Run the installed program's launcher on the cluster, so that the modules of tasks can be imported there."""
    launch = partial(importlib.import_module, _LAUNCHER)
    client.run_on_scheduler(launch)
    client.register_worker_callbacks(launch)


# Versions.


def _check_versions(client: Any) -> None:
    """Raise `NoExecutor` if a worker that is there has another version of the program, or none."""
    for worker, found in client.run(version.about, on_error="return").items():
        if found != version.about():
            raise NoExecutor(_refusal(worker, str(found)))


def _refusal(worker: str, found: str) -> str:
    """Why a worker of another version is refused."""
    return f"The worker at {worker} has to have {version.about()}, as here; found there: {found}."


def _guarded(needed: str) -> Callable[[bytes], tuple[bool, Any]]:
    """Return a function that runs a pickled call on a worker with the version `needed`: True and the result; elsewhere
    False, the address of the worker and what it has."""

    def run(call: bytes) -> tuple[bool, Any]:  # sent as code: a worker of another version need not know this module
        import pickle

        try:
            from ai.system.version import about

            found = about()
        except ImportError as error:
            found = str(error)
        if found != needed:
            from distributed import get_worker

            return False, (get_worker().address, found)
        task, arguments = pickle.loads(call)
        return True, task(*arguments)

    return run


class ClusterTasks(Executor):
    """Run calls on the workers of a client's cluster, each one again elsewhere if a worker is lost or refuses it."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._fatal = importlib.import_module("distributed").KilledWorker  # by a call that has ended several workers
        self._run = _guarded(version.about())
        self._executor = client.get_executor(pure=False)
        self._refused: set[str] = set()
        self._sent: dict[str, Future[Any]] = {}  # by the key that Dask knows them by
        self._again = ThreadPoolExecutor(1)  # since the client's thread must not wait for the scheduler

    def submit(self, task: Callable[..., Any], /, *arguments: Any) -> Future[Any]:  # type: ignore[override]
        """As `Executor.submit`; task and arguments are pickled by value."""
        pickle = importlib.import_module("cloudpickle")  # it can send what is defined in `__main__`
        future: Future[Any] = Future()
        self._send(future, pickle.dumps((task, arguments)))
        return future

    def at_work(self) -> dict[str, list[Future[Any]]]:
        """Return the calls that each worker has and that are not done, the first one under way. Raise `NoExecutor`."""
        try:
            having = self._client.processing()
        except (OSError, TimeoutError, CancelledError, RuntimeError) as error:
            raise NoExecutor(_LOST) from error
        sent = self._sent.copy()  # other threads take out what is done
        return {worker: [sent[key] for key in keys if key in sent] for worker, keys in having.items()}

    def _send(self, future: Future[Any], call: bytes) -> None:
        """Submit a pickled call to workers of this version, and connect its result and cancellation to `future`."""
        executor = self._executor
        if self._refused:
            workers = sorted(self._client.nthreads().keys() - self._refused)
            if not workers:
                with suppress(InvalidStateError):
                    future.set_exception(NoExecutor(f"No worker of the cluster has {version.about()}."))
                return
            executor = self._client.get_executor(pure=False, workers=workers)
        key = f"tengen-{uuid.uuid4().hex}"
        self._sent[key] = future
        sent = executor.submit(self._run, call, key=key)
        sent.add_done_callback(lambda _: self._sent.pop(key, None))
        future.add_done_callback(lambda future: future.cancelled() and sent.cancel())
        sent.add_done_callback(partial(self._take, future, call))

    def _take(self, future: Future[Any], call: bytes, done: Future[tuple[bool, Any]]) -> None:
        """Pass on a result, or send the call again."""
        try:
            ran, found = done.result()
            if not ran:
                self._refuse(*found)
                self._again.submit(self._send, future, call)
                return
        except CancelledError:
            outcome = partial(future.set_exception, NoExecutor(_LOST))
        except self._fatal as error:
            outcome = partial(future.set_exception, NoExecutor(str(error)))
        except Exception as error:
            outcome = partial(future.set_exception, error)
        else:
            outcome = partial(future.set_result, found)
        with suppress(InvalidStateError):  # cancelled meanwhile
            outcome()

    def _refuse(self, worker: str, found: str) -> None:
        """Do not use the worker any more, and log it once."""
        if worker not in self._refused:
            self._refused.add(worker)
            _log.warning("%s", _refusal(worker, found))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """As `Executor.shutdown`."""
        self._again.shutdown(wait, cancel_futures=cancel_futures)
