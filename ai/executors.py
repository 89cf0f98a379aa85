"""Where independent tasks run: a pool of processes on this machine, or a Dask cluster, behind one interface."""

from __future__ import annotations

import importlib
import multiprocessing
import os
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any

_LAUNCHER = "tengen.__main__"


class NoExecutor(RuntimeError):
    """Tasks cannot be run there; `str(error)` is a sentence."""


@contextmanager
def open_executor(workers: int, cluster: str | None = None) -> Iterator[Executor]:
    """An executor, closed in the end: tasks that have not begun are then forgotten.

    `cluster` is the address of a Dask scheduler, whose workers must have this program installed; without
    one, `workers` processes are started. Raises `NoExecutor`.
    """
    if cluster is not None:
        client = _dask_client(cluster)
        try:
            yield client.get_executor()
        finally:
            client.close()
        return
    # Spawned, not forked: a fork of a process with threads and compiled code may hang, and Windows has none.
    pool = ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"), initializer=_end_with_parent)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _end_with_parent() -> None:
    """Ends this process when the one that started it is no more: killed, it could not see to that itself."""

    def wait() -> None:
        if (parent := multiprocessing.parent_process()) is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=wait, name="tengen-parent", daemon=True).start()


def _dask_client(address: str) -> Any:
    try:
        distributed = importlib.import_module("distributed")
    except ImportError as error:
        raise NoExecutor("--cluster needs dask.distributed: python -m pip install distributed.") from error
    try:
        client = distributed.Client(address, timeout="10s")
    except (OSError, ValueError) as error:
        raise NoExecutor(f"There is no Dask scheduler at “{address}”: {error or 'it does not answer'}.") from error
    if _LAUNCHER.partition(".")[0] in sys.modules:
        _start_launcher(client)
    return client


def _start_launcher(client: Any) -> None:
    """Run the launcher of the installed program on the cluster: our modules, which tasks name, are found through it."""
    launch = partial(importlib.import_module, _LAUNCHER)
    client.run_on_scheduler(launch)
    client.register_worker_callbacks(launch)
