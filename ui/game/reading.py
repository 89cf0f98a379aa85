"""A game file, read on a thread of its own: the window goes on meanwhile, and may stop it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path

from games.formats import FormatError, load
from games.record import GameRecord

_log = logging.getLogger(__name__)

AT_ONCE = 0.05
"""Seconds that the window may wait for a file: most are read sooner, and then nothing is to be seen of it."""


class _Stopped(Exception):
    """Nobody waits for the file any more."""


class Reading:
    """Begins to read the file at `path`. The thread calls `wake` when it is done, and `rest` now and then, which may
    take its time."""

    def __init__(self, path: Path, wake: Callable[[], object], rest: Callable[[], object]) -> None:
        self.path = path
        self.share = 0.0
        """How much has been read, from 0 to 1."""
        self.result: GameRecord | FormatError | None = None
        """The game, or why it cannot be read; None while it is read, and if it was stopped."""
        self._wake, self._rest = wake, rest
        self._over, self._unwanted = threading.Event(), threading.Event()
        threading.Thread(target=self._run, name="reading", daemon=True).start()

    @property
    def over(self) -> bool:
        return self._over.is_set()

    def wait(self, seconds: float) -> bool:
        """Whether it is over, after `seconds` at the most."""
        return self._over.wait(seconds)

    def stop(self) -> None:
        """Its thread ends soon, or whenever a disk that hangs lets it."""
        self._unwanted.set()

    def _run(self) -> None:
        try:
            self.result = load(self.path, tell=self._tell)
        except FormatError as error:
            self.result = error
        except _Stopped:
            pass
        except Exception as error:  # a thread that ends without a word would leave the window waiting
            _log.exception("%s cannot be read", self.path)
            self.result = FormatError(f"The file cannot be read: {error}.")
        finally:
            self._over.set()
            self._wake()

    def _tell(self, share: float) -> None:
        if self._unwanted.is_set():
            raise _Stopped
        self.share = share
        self._rest()
