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
    """Call `task` with each of the argument tuples `calls`, in parallel; yield the results in the order of completion.

    `workers` and `cluster` are those of `open_executor`. Ctrl+C and SIGTERM take effect between two results. Raise
    `NoExecutor`, and what a task raised.
    """
    if not calls:
        return
    found: SimpleQueue[Future[T] | int] = SimpleQueue()
    left = iter(calls)
    with signals_queued(found.put) as interrupt, open_executor(min(workers, len(calls)), cluster) as executor:

        def submit(most: int) -> None:
            """Submit up to `most` of the calls that are left."""
            with _interrupts_deferred():
                for arguments in islice(left, most):
                    executor.submit(task, *arguments).add_done_callback(found.put)

        submit(_SUBMITTED)
        for _ in calls:
            result = _next_done(found, interrupt).result()
            submit(1)
            yield result
    while not found.empty():
        _next_done(found, interrupt)  # a signal after the last result


def _next_done(found: SimpleQueue[Future[T] | int], interrupt: Callable[[int], None]) -> Future[T]:
    """Wait for the next future that is done. Signals that arrive meanwhile are passed to `interrupt`, which may
    raise."""
    while True:
        with suppress(Empty):
            news = found.get(timeout=_WAKE)  # Windows cannot interrupt an unlimited wait
            if isinstance(news, Future):
                return news
            interrupt(news)


@contextmanager
def open_executor(workers: int, cluster: str | None = None) -> Iterator[Executor]:
    """Open an executor. Leaving the block cancels tasks that have not started; an exception ends those under way, too.

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
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_end_with_parent, initargs=(theirs,))
    try:
        yield pool
        pool.shutdown(cancel_futures=True)
    finally:
        ours.close()  # after an exception the processes abandon their tasks
        pool.shutdown(cancel_futures=True)
        theirs.close()


@contextmanager
def _interrupts_deferred() -> Iterator[None]:
    """Deliver Ctrl+C only at the end of the block, and never to a process started within it. No effect on Windows."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows: such a process ignores it after `_end_with_parent`
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def signals_queued(put: Callable[[int], object]) -> Iterator[Callable[[int], None]]:
    """Call `put` with the number of each SIGINT or SIGTERM instead of handling it within the block.

    The context is a function that handles the signal of a number as before the block. An exception raised by a signal
    while the main thread holds the lock of a future would leave it locked and stop the pool. In other threads nothing
    is changed.
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


def _end_with_parent(leash: Connection) -> None:
    """Initialize a worker process: it ends when the parent, which holds the other end of `leash`, closes it or dies."""
    end_with_parent(leash, lambda: os._exit(1))


LOCAL = "local"
"""Instead of an address: start a cluster on this machine."""

_LAUNCHER = "tengen.__main__"
_LOST = "The scheduler of the cluster was lost."
_UNREACHABLE = OSError, TimeoutError, CancelledError, RuntimeError  # what a client raises then
_INSTALL = 'python -m pip install ".[cluster]"'

_log = logging.getLogger(__name__)


def installed() -> bool:
    """Return whether Dask's `distributed` can be imported here."""
    return importlib.util.find_spec("distributed") is not None


class NoExecutor(RuntimeError):
    """Tasks cannot be run; `str(error)` is a sentence."""


@contextmanager
def open_cluster(address: str, workers: int) -> Iterator[ClusterTasks]:
    """Open an executor on the cluster of `open_client`. Raise `NoExecutor`.

    A worker that joins later with another version of the program is logged and not used.
    """
    with open_client(address, workers) as client, ClusterTasks(client) as executor:
        yield executor


@contextmanager
def open_client(address: str, workers: int) -> Iterator[Any]:
    """Open a client of the Dask scheduler at `address`, or, with `LOCAL`, of a new cluster of `workers` on this
    machine.

    The new cluster ends with the block. Raise `NoExecutor`, also if a worker has another version of the program.
    """
    try:
        distributed = importlib.import_module("distributed")
    except ImportError as error:
        raise NoExecutor(f"--cluster needs dask.distributed; install it in a checkout: {_INSTALL}.") from error
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # what fails is raised
    with ExitStack() as stack:
        if address == LOCAL:
            address = stack.enter_context(_start_local_cluster(distributed, workers)).scheduler_address
        yield stack.enter_context(closing(_connect(distributed, address)))


def _start_local_cluster(distributed: Any, workers: int) -> Any:
    """Start a Dask cluster of single-threaded `workers` that only this machine can reach, without a dashboard."""
    return distributed.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",  # of the scheduler's HTTP server; the usual port may be in use
        scheduler_kwargs={"dashboard": False},
        memory_limit=0,  # as for local processes
        silence_logs=logging.ERROR,  # workers that are stopped in the middle of a task are no news
    )


def _connect(distributed: Any, address: str) -> Any:
    """Return a client of the Dask scheduler at `address`. Raise NoExecutor, also if a worker has another version."""
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
    """Import the installed program's launcher on the scheduler and all workers, which can then import modules of
    tasks."""
    launch = partial(importlib.import_module, _LAUNCHER)
    client.run_on_scheduler(launch)
    client.register_worker_callbacks(launch)


# Versions.


def _check_versions(client: Any) -> None:
    """Raise `NoExecutor` if any present worker has another version of the program, or does not have it."""
    for worker, found in client.run(version.about, on_error="return").items():
        if found != version.about():
            raise NoExecutor(_refusal_text(worker, str(found)))


def _refusal_text(worker: str, found: str) -> str:
    """Return the sentence that tells why `worker` is not used: `found` is its version, or why that is unknown."""
    return f"The worker at {worker} has to have {version.about()}, as here; found there: {found}."


def _version_checked(needed: str) -> Callable[[bytes], tuple[bool, Any]]:
    """Return a function for workers: it checks that the worker has the version `needed`, then runs a pickled call.

    It returns True and the call's result; or False, with the address of the worker and the version found there.
    """

    def run(call: bytes) -> tuple[bool, Any]:  # sent as code: a worker of another version need not know this module
        """Run the pickled task and arguments, or return False with the worker's address and version."""
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
    """Executor on the Dask workers of a client. A call is sent again if its worker is lost or has another version."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._fatal = importlib.import_module("distributed").KilledWorker  # by a call that has ended several workers
        self._run = _version_checked(version.about())
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
        """Return the unfinished calls of each worker by its address, the one that is running first. Raise
        `NoExecutor`."""
        try:
            having = self._client.processing()
        except _UNREACHABLE as error:
            raise NoExecutor(_LOST) from error
        sent = self._sent.copy()  # other threads take out what is done
        return {worker: [sent[key] for key in keys if key in sent] for worker, keys in having.items()}

    def _send(self, future: Future[Any], call: bytes) -> None:
        """Submit a pickled call to workers that were not refused. `future` gets its result, and cancels it if
        cancelled.

        If it cannot be sent, `future` fails: with `NoExecutor` if the scheduler was lost or all workers were refused.
        """
        key = f"tengen-{uuid.uuid4().hex}"
        self._sent[key] = future
        try:
            sent = self._not_refused().submit(self._run, call, key=key)
        except Exception as error:  # nobody else would hear of it when a call is sent again
            del self._sent[key]
            lost = isinstance(error, _UNREACHABLE) and not isinstance(error, NoExecutor)
            with suppress(InvalidStateError):
                future.set_exception(NoExecutor(_LOST) if lost else error)
            return
        sent.add_done_callback(lambda _: self._sent.pop(key, None))
        future.add_done_callback(lambda future: future.cancelled() and sent.cancel())
        sent.add_done_callback(partial(self._finish_or_resend, future, call))

    def _not_refused(self) -> Any:
        """Return Dask's executor on the workers that were not refused. Raise `NoExecutor` if there are none, and what
        a client raises."""
        if not self._refused:
            return self._executor
        workers = sorted(self._client.nthreads().keys() - self._refused)
        if not workers:
            raise NoExecutor(f"No worker of the cluster has {version.about()}.")
        return self._client.get_executor(pure=False, workers=workers)

    def _finish_or_resend(self, future: Future[Any], call: bytes, done: Future[tuple[bool, Any]]) -> None:
        """Give the result or error of the Dask future `done` to `future`; if the worker refused the call, send it
        again."""
        try:
            ran, found = done.result()
            if not ran:
                self._exclude(*found)
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

    def _exclude(self, worker: str, found: str) -> None:
        """Do not use the worker any more; log its version, `found`, once."""
        if worker not in self._refused:
            self._refused.add(worker)
            _log.warning("%s", _refusal_text(worker, found))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Stop sending calls again. Calls on the cluster are neither awaited nor cancelled: that is left to the
        client's owner."""
        self._again.shutdown(wait, cancel_futures=cancel_futures)
