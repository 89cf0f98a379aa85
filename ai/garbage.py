"""Collections of garbage that would block every thread: full ones for 0.1 s and more, and while modules are imported
those of the middle generation for 10 ms."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

_NEVER = 1_000_000_000  # collections of a generation between two of the next
_YOUNG = 5_000  # new objects before a collection while modules are imported: one takes about a millisecond


class _Thresholds:
    """The thresholds of the process. They depend on how many callers suspend full collections or import modules."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._suspended = self._imports = 0
        self._usual = gc.get_threshold()

    def change(self, suspended: int, imports: int) -> None:
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
    """Make no full collections until the function that is returned is called once. Those of young objects go on."""
    _thresholds.change(1, 0)
    return partial(_thresholds.change, -1, 0)


@contextmanager
def frozen() -> Iterator[None]:
    """Collect only young objects inside: imports create few cycles. At the end, exempt all objects from collection."""
    _thresholds.change(0, 1)
    try:
        yield
    finally:
        gc.freeze()
        _thresholds.change(0, -1)
