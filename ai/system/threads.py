"""What keeps threads from blocking a window: their number and priority, pauses, and when garbage is collected.

Compiled search threads lower their priority behind a window. Python threads must not: preempted while holding the GIL,
they would block the window. Those that read many files call `Host.rest` after each; those that import many modules do
so inside `resting`. On the window's thread use `result_of(future)`, never `.result()`.
"""

from __future__ import annotations

import gc
import logging
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

Result = TypeVar("Result")
_log = logging.getLogger(__name__)

behind_window: ContextVar[bool] = ContextVar("behind_window", default=False)
"""Whether this thread works for a window of the same process. Not inherited by threads that it starts."""

_NICENESS = 7
"""Relative to the window's thread: about a fifth of its share of a contended processor. With more, frames are late
where other programs use all processors, because a thread that holds the GIL has to wait for one, too."""


def result_of(future: Future[Result]) -> Result | None:
    """Return the result of a future that is done. If it failed, log the exception and return None."""
    error = future.exception()
    if error is None:
        return future.result()
    _log.error("What a thread of the window was to do has failed.", exc_info=error)
    return None


def processors() -> int:
    """Return how many threads can run at once on this machine, at least 1."""
    return os.cpu_count() or 1


def give_way() -> None:
    """Lower the priority of this thread, so that the window's frames do not wait up to 15 ms for a processor.

    Do not call it on threads that hold the GIL for long: preempted while holding it, they would block the window. It
    does nothing but on Linux, since only Linux has a priority for each thread.
    """
    if sys.platform == "linux":
        thread = threading.get_native_id()
        with suppress(OSError):  # not permitted in some sandboxes
            os.setpriority(os.PRIO_PROCESS, thread, min(19, os.getpriority(os.PRIO_PROCESS, thread) + _NICENESS))


# Collections of garbage that would block every thread: full ones for 0.1 s and more, and while modules are imported
# those of the middle generation for 10 ms.


_NEVER = 1_000_000_000  # collections of a generation between two of the next
_YOUNG = 5_000  # new objects before a collection while modules are imported: one takes about a millisecond


class _Thresholds:
    """The garbage collector's thresholds, which depend on how many callers now suspend full collections or import
    modules."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._suspended = self._imports = 0
        self._usual = gc.get_threshold()

    def change(self, suspended: int, imports: int) -> None:
        """Add to the numbers of callers that suspend full collections and that import modules; set the thresholds
        accordingly."""
        with self._lock:
            if not (self._suspended or self._imports):
                self._usual = gc.get_threshold()
            self._suspended += suspended
            self._imports += imports
            young, middle, full = self._usual
            if self._imports:
                young, middle = _YOUNG, _NEVER
            gc.set_threshold(young, middle, _NEVER if self._suspended or self._imports else full)


_thresholds = _Thresholds()


def suspend() -> Callable[[], None]:
    """Suspend full garbage collections, but not those of young objects. Return a function that ends this, to be called
    once."""
    _thresholds.change(1, 0)
    return partial(_thresholds.change, -1, 0)


@contextmanager
def frozen() -> Iterator[None]:
    """Inside, collect only young objects, and rarely: imports create few cycles. At the end, exempt all present objects
    from collection for good."""
    _thresholds.change(0, 1)
    try:
        yield
    finally:
        gc.freeze()
        _thresholds.change(0, -1)


# Import modules on a background thread, and let a window draw meanwhile.


@contextmanager
def resting(rest: Callable[[], object]) -> Iterator[None]:
    """Inside, call `rest`, which may block, before each module that this thread imports.

    Whoever imports the same modules meanwhile waits for this thread, so `rest` must be short.
    """
    finder = _RestingFinder(rest)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class _RestingFinder:
    """An import finder that finds no module: `sys.meta_path` asks it first, and so it rests before each import."""

    def __init__(self, rest: Callable[[], object]) -> None:
        self._rest, self._thread = rest, threading.get_ident()

    def find_spec(self, _name: str, _path: Any = None, _target: Any = None) -> None:
        """Rest if this thread is the one that does so; return None always."""
        if threading.get_ident() == self._thread:
            self._rest()
