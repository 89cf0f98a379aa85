"""Full collections of garbage: with many objects in memory they block every thread for 0.1 s and more."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable

_NEVER = 1_000_000_000  # collections of the middle generation between two full ones


class _FullCollections:
    """Those of the process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._suspended = 0
        self._usual = 0

    def suspend(self) -> Callable[[], None]:
        with self._lock:
            if not self._suspended:
                self._usual = gc.get_threshold()[2]
            self._suspended += 1
            self._set(_NEVER)
        return self._resume

    def _resume(self) -> None:
        with self._lock:
            self._suspended -= 1
            if not self._suspended:
                self._set(self._usual)

    def _set(self, full: int) -> None:
        young, middle, _ = gc.get_threshold()
        gc.set_threshold(young, middle, full)


_full = _FullCollections()


def suspend() -> Callable[[], None]:
    """Make no full collections until the function that is returned is called once. Those of young objects go on."""
    return _full.suspend()
