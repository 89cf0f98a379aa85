"""Import modules on a background thread, and let a window draw meanwhile."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from typing import Any


@contextmanager
def resting(rest: Callable[[], object]) -> Iterator[None]:
    """Call `rest`, which may block, before each module that this thread imports inside.

    Whoever imports the same modules meanwhile waits for this thread, so `rest` must be short.
    """
    finder = _Resting(rest)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class _Resting(MetaPathFinder):
    """Finds no module: it is only asked before the finders that do."""

    def __init__(self, rest: Callable[[], object]) -> None:
        self._rest, self._thread = rest, threading.get_ident()

    def find_spec(self, _name: str, _path: Any = None, _target: Any = None) -> None:
        if threading.get_ident() == self._thread:
            self._rest()
