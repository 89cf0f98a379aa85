"""Loads the kernels in the background, which compiles them on a new machine, and tells how far that is."""

from __future__ import annotations

import gc
import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

_SIZE = 15  # of the board that most games are played on: for others the tables are made when one begins

_LIBRARIES = ("*.so*", "*.dylib", "*.dll", "*.pyd")
_PIECE = 1 << 20  # bytes

_log = logging.getLogger(__name__)


class Loading:
    """`start` once; then ask `busy` and `share`. Any thread may ask."""

    def __init__(self) -> None:
        self.failed = False
        self._thread: threading.Thread | None = None
        self._began = 0.0
        self._kernels = 0  # not known

    def start(self, wait: Callable[[], object] = lambda: None) -> None:
        """Begins on a thread, which calls `wait` first."""
        self._began = time.monotonic()
        with suppress(OSError):  # a packaged program might be without its sources
            self._kernels = Path(__file__).with_name("kernels.py").read_text(encoding="utf-8").count("\n@kernel(")
        # A daemon, since a compilation cannot be interrupted and the window must be able to close.
        self._thread = threading.Thread(target=self._load, args=(wait,), name="tengen-loader", daemon=True)
        self._thread.start()

    @property
    def busy(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    @property
    def seconds(self) -> float:
        """Since the start."""
        return time.monotonic() - self._began

    @property
    def share(self) -> float:
        """How much of it is done, 0 to 1; 0 where that is not known."""
        from ai.gomoku.jit import made

        return min(1.0, len(made) / self._kernels) if self._kernels else 0.0

    def _load(self, wait: Callable[[], object]) -> None:
        wait()
        _read_ahead("llvmlite", "numba")
        with _kept():
            self._build()

    def _build(self) -> None:
        try:
            from ai.gomoku.engine import RULES
            from ai.gomoku.tables import build

            for rule in RULES.values():
                build(rule, _SIZE)
        except Exception:  # alpha-beta plays in the engine's place
            _log.exception("the gomoku engine cannot be loaded")
            self.failed = True


def _read_ahead(*packages: str) -> None:
    """Reads their libraries, so that the system has them in memory when they are opened.

    Who opens a library holds the interpreter, and after the start of a machine the disk would be waited for meanwhile:
    the window would stand still for 0.1 s and more. A file that is read lets the interpreter go.
    """
    piece = bytearray(_PIECE)
    for spec in filter(None, map(find_spec, packages)):
        folders = map(Path, spec.submodule_search_locations or ())
        for library in (file for folder in folders for kind in _LIBRARIES for file in folder.rglob(kind)):
            with suppress(OSError), library.open("rb", buffering=0) as file:
                while file.readinto(piece):
                    pass


@contextmanager
def _kept() -> Iterator[None]:
    """What is made inside stays for good: the collector of garbage does not look through it again and again.

    It would hold every thread up for 0.1 to 0.3 s each time, and the window would stand still.
    """
    young, middle, old = gc.get_threshold()
    gc.set_threshold(young, middle, 1_000_000)  # no look through all there is
    try:
        yield
    finally:
        gc.freeze()
        gc.set_threshold(young, middle, old)
