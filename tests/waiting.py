"""Shared by all tests of threads and processes: to wait for what they do."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

PATIENCE = 60.0
"""Seconds until a wait is given up; a busy machine is slow, not broken."""

T = TypeVar("T")


def wait(there: Callable[[], T], step: Callable[[], object] = lambda: None, seconds: float | None = None) -> T:
    """Take steps until `there` is true, and return it. After so many `seconds`, by default `PATIENCE`, give up."""
    end = time.monotonic() + (PATIENCE if seconds is None else seconds)
    while not (found := there()):
        assert time.monotonic() < end, "timed out"
        step()
        time.sleep(0.001)  # or the threads would hardly come to their turn
    return found
