"""The command line of programs that send tasks to an executor."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from ai.arena.cluster import NoExecutor


def add_cluster(parser: argparse.ArgumentParser) -> None:
    """Add `--cluster`, the argument `cluster` of `open_executor`."""
    parser.add_argument("--cluster", metavar="ADDR|local", help="use the Dask scheduler at this address; with “local” "
                        "start a cluster on this machine, to try it out (default: processes on this machine)")


def add_workers(parser: argparse.ArgumentParser, default: int | None) -> None:
    """Add `--workers` and `--cluster`, the arguments of `open_executor`."""
    parser.add_argument("--workers", type=int, default=default, help="number of tasks at once on this machine")
    add_cluster(parser)


@contextmanager
def exiting(kind: type[Exception] = NoExecutor) -> Iterator[None]:
    """Exit with status 1 instead of raising an error of this `kind`, whose text is a sentence."""
    try:
        yield
    except kind as error:
        raise SystemExit(str(error)) from error
