"""A Dask cluster of processes that can be killed one by one, for the checks of `ai.lab.cluster_check`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import distributed
from distributed.diagnostics.plugin import WorkerPlugin

WORKERS = 2
COUNTED = "TENGEN_TASKS"
"""The environment variable with a file, to which workers write a line for each task that they begin."""

Program = subprocess.Popen[bytes]


class Cluster(NamedTuple):
    """A scheduler and workers in processes of their own, which nothing starts again."""

    address: str
    scheduler: Program
    workers: list[Program]


@contextmanager
def cluster(workers: int = WORKERS) -> Iterator[Cluster]:
    """Start a cluster on this machine; kill what is left of it at the end."""
    with TemporaryDirectory() as folder, ExitStack() as stack:
        file = Path(folder) / "scheduler.json"
        where = ("--host=127.0.0.1", "--port=0", f"--scheduler-file={file}")
        scheduler = stack.enter_context(_program("scheduler", *where))
        while not file.is_file():
            if scheduler.poll() is not None:
                raise RuntimeError("The scheduler of the cluster cannot be started.")
            time.sleep(0.05)
        address = json.loads(file.read_bytes())["address"]
        here = (f"--local-directory={folder}", f"--preload={__name__}")
        worker = ("worker", address, "--nthreads=1", "--no-nanny", *here)
        started = [stack.enter_context(_program(*worker)) for _ in range(workers)]
        with distributed.Client(address) as client:
            client.wait_for_workers(workers)
        yield Cluster(address, scheduler, started)


@contextmanager
def _program(kind: str, *arguments: str) -> Iterator[Program]:
    command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *arguments, "--no-dashboard"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.kill()


class _Counter(WorkerPlugin):  # type: ignore[misc]
    """Write a line for each task that is begun."""

    def transition(self, key: object, start: str, finish: str, **_more: object) -> None:
        if finish == "executing":
            with Path(os.environ[COUNTED]).open("a", encoding="utf-8") as file:
                file.write(f"{key}\n")


async def dask_setup(worker: Any) -> None:
    """Count the tasks of a worker that loads this module first."""
    if COUNTED in os.environ:
        await worker.plugin_add(_Counter())
