"""How many threads can run at once, and a lower priority for search threads behind a GUI."""

from __future__ import annotations

import logging
import os
import sys
import threading
from concurrent.futures import Future
from contextlib import suppress
from contextvars import ContextVar
from typing import TypeVar

Result = TypeVar("Result")
_log = logging.getLogger(__name__)

behind_window: ContextVar[bool] = ContextVar("behind_window", default=False)
"""Whether this thread works for a window of the same process. Not inherited by threads that it starts."""

_NICENESS = 7
"""Relative to the window's thread: about a fifth of its share of a contended processor. With more, frames are late
where other programs use all processors, because a thread that holds the GIL has to wait for one, too."""


def result_of(future: Future[Result]) -> Result | None:
    """Return the result of what a thread has done; log why it failed, and return None."""
    error = future.exception()
    if error is None:
        return future.result()
    _log.error("What a thread of the window was to do has failed.", exc_info=error)
    return None


def processors() -> int:
    """Return how many threads can run at once on this machine."""
    return os.cpu_count() or 1


def give_way() -> None:
    """Lower the priority of this thread, so that the window's frames do not wait up to 15 ms for a processor.

    Not for threads that hold the GIL for long: preempted while holding it, they would block the window.
    Only Linux has a priority for each thread.
    """
    if sys.platform == "linux":
        thread = threading.get_native_id()
        with suppress(OSError):  # not permitted in some sandboxes
            os.setpriority(os.PRIO_PROCESS, thread, min(19, os.getpriority(os.PRIO_PROCESS, thread) + _NICENESS))
