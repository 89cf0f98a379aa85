"""Write files on a thread: waiting for the disk, usually 3 ms but sometimes long, would block the window.

Call `settle` before a file is read, renamed or removed, or take its pending contents from `waiting`. With `keep`, as
games are written, a write is tried again until it succeeds.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

from games.storage import write_atomic

Done = Callable[[OSError | None], object]
"""Called on the window's thread with the error of a write, None if it succeeded."""


_log = logging.getLogger(__name__)

_AGAIN = 5.0  # seconds after which what could not be written is tried again


def _error_of(path: Path, future: Future[None]) -> OSError | None:
    """Return why a file was not written; None if it was. Log errors other than OSError, and return them as one."""
    error = future.exception()
    if error is None or isinstance(error, OSError):
        return error
    _log.error("%s cannot be written.", path, exc_info=error)
    return OSError(str(error) or type(error).__name__)


@dataclass(slots=True)
class _Write:
    """The latest write to a file, which is pending, under way, or tried again."""

    data: bytes
    keep: bool
    callbacks: tuple[Done, ...]
    future: Future[None]
    error: OSError | None = None  # of the last attempt to write the file, while there is one to come
    again: bool = False  # whether this write has failed and is tried again


class Files:
    """Write files one at a time, atomically, on a thread, and call `wake` on that thread after each.

    Pending writes are completed before the interpreter exits.
    """

    def __init__(self, wake: Callable[[], object], now: Callable[[], float] = time.monotonic) -> None:
        self._wake, self._now = wake, now
        self._writer = ThreadPoolExecutor(1, "tengen-files")
        self._writes: dict[Path, _Write] = {}
        self._again = 0.0  # when what could not be written is tried again

    def write(self, path: Path, data: bytes, done: Done, keep: bool = False) -> None:
        """Replace the file at `path` by `data`, soon. Once that has succeeded or failed, `update` calls `done` with the
        error, or None. With `keep`, a failed write is tried again every few seconds; `done` is called after the first
        failure, and again after success.

        A pending write to the same file is dropped; its callbacks are called for this one. If it had failed and was
        tried again, this one is tried again, too.
        """
        before = self._writes.pop(path, None)
        others, error = ((), None) if before is None else (before.callbacks, before.error)
        if before is not None:
            before.future.cancel()
        callbacks = others if done in others else (*others, done)
        self._writes[path] = _Write(data, keep or error is not None, callbacks, self._submit(path, data), error)

    def _submit(self, path: Path, data: bytes) -> Future[None]:
        """Have the thread write a file, and wake the window when that is done."""
        future = self._writer.submit(write_atomic, path, data)
        future.add_done_callback(lambda _: self._wake())
        return future

    def waiting(self, path: Path) -> bytes | None:
        """Return the data that is still to be written to `path`, pending or tried again; None if there is none."""
        write = self._writes.get(path)
        return None if write is None else write.data

    @property
    def unsaved(self) -> dict[Path, OSError]:
        """The files whose writes have failed and are tried again, each with its error."""
        return {path: write.error for path, write in self._writes.items() if write.error is not None}

    def update(self) -> None:
        """Call the callbacks of completed writes, and try failed ones again when they are due. Called once a frame."""
        for path, write in list(self._writes.items()):
            if write.future.done() and self._writes.get(path) is write:
                self._complete(path, write)

    def _complete(self, path: Path, write: _Write) -> None:
        """Handle a write that has ended: forget it, or have it tried again if it failed and is kept. Call its
        callbacks, but not after a further failure."""
        error = _error_of(path, write.future)
        if error is None or not write.keep:
            del self._writes[path]
        elif write.again:
            if self._now() >= self._again:
                write.future = self._submit(path, write.data)
                self._again = self._now() + _AGAIN
            return
        else:
            write.again, self._again = True, self._now() + _AGAIN
        write.error = error
        with contextlib.ExitStack() as calls:  # all of them, even if one fails
            for done in reversed(write.callbacks):
                calls.callback(done, error)

    def due(self) -> float | None:
        """Seconds until failed writes are tried again; None if there are none."""
        return max(0.0, self._again - self._now()) if self.unsaved else None

    def settle(self) -> None:
        """Wait until each pending write has succeeded or failed, and call its callbacks. Do not wait for failed ones
        that are tried again."""
        while under_way := [write.future for write in self._writes.values() if not write.again]:
            wait(under_way)
            self.update()
