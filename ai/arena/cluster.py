"""Send tasks to a Dask cluster: one whose scheduler has an address, or one on this machine to try it out."""

from __future__ import annotations

import importlib
import logging
import sys
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from typing import Any

from ai.version import VERSION

LOCAL = "local"
"""Instead of an address: start a cluster on this machine."""

_LAUNCHER = "tengen.__main__"
_INSTALL = 'python -m pip install ".[cluster]"'


class NoExecutor(RuntimeError):
    """Tasks cannot be run; `str(error)` is a sentence."""


@contextmanager
def open_cluster(address: str, workers: int) -> Iterator[Executor]:
    """Open an executor on the cluster at `address`; with `LOCAL`, start one with as many `workers` and end it.

    Its workers must have this version of the program. Raise `NoExecutor`.
    """
    try:
        distributed = importlib.import_module("distributed")
    except ImportError as error:
        raise NoExecutor(f"--cluster needs dask.distributed; install it in a checkout: {_INSTALL}.") from error
    with ExitStack() as stack:
        if address == LOCAL:
            address = stack.enter_context(_local(distributed, workers)).scheduler_address
        yield stack.enter_context(closing(_client(distributed, address))).get_executor()


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
    try:
        client = distributed.Client(address, timeout="10s")
    except (OSError, ValueError) as error:
        raise NoExecutor(f"There is no Dask scheduler at “{address}”: {error or 'it does not answer'}.") from error
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


def version() -> str:
    """Return the version of the program in the process that runs this."""
    return VERSION


def _check_versions(client: Any) -> None:
    """Raise `NoExecutor` if a worker that is there has another version of the program, or none."""
    for worker, found in client.run(version, on_error="return").items():
        if isinstance(found, Exception):
            raise NoExecutor(f"The worker at {worker} has no Tengen, or one older than {VERSION}: {found}.") from found
        if found != VERSION:
            raise NoExecutor(f"The worker at {worker} has Tengen {found}; it needs {VERSION}, as here.")
