"""Send tasks to a Dask cluster: one whose scheduler has an address, or one on this machine to try it out.

ai/lab/CLUSTER.md tells how to start a cluster, and what it costs.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
import sys
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future, InvalidStateError, ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from typing import Any

from ai.system import version

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
