"""The command line of programs that send tasks to an executor."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ai.arena.cluster import NoExecutor
from ai.arena.journal import BadJournal


def add_cluster(parser: argparse.ArgumentParser) -> None:
    """Add `--cluster`, the argument `cluster` of `open_executor`."""
    parser.add_argument("--cluster", metavar="ADDR|local", help="use the Dask scheduler at this address; with “local” "
                        "start a cluster on this machine, to try it out (default: processes on this machine)")


def add_workers(parser: argparse.ArgumentParser, default: int | None) -> None:
    """Add `--workers` and `--cluster`, the arguments of `open_executor`."""
    parser.add_argument("--workers", type=int, default=default, help="number of tasks at once on this machine")
    add_cluster(parser)


def add_resume(parser: argparse.ArgumentParser, what: str = "FILE") -> None:
    """Add `--resume`, where `ai.arena.journal` keeps results."""
    parser.add_argument("--resume", type=Path, metavar=what, help="keep finished results here, and continue with them")


@contextmanager
def exiting(*kinds: type[Exception]) -> Iterator[None]:
    """Exit with status 1 instead of raising what stops tasks or is of these `kinds`; its text is a sentence."""
    known: tuple[type[Exception], ...] = (NoExecutor, BadJournal, *kinds)
    try:
        yield
    except known as error:
        raise SystemExit(str(error)) from error
