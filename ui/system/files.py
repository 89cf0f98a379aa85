"""Write files on a thread: waiting for the disk, usually 3 ms but sometimes long, would block the window."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

from games.storage import write_atomic

Done = Callable[[OSError | None], object]
"""Called on the window's thread with the error of a write, None if it succeeded."""


@dataclass(frozen=True, slots=True)
class _Written:
    data: bytes
    future: Future[None]
    callbacks: tuple[Done, ...]


class Files:
    """Write files one at a time, atomically, and call `wake` after each on the writing thread.

    Pending writes are completed before the interpreter exits.
    """

    def __init__(self, wake: Callable[[], object]) -> None:
        self._wake = wake
        self._writer = ThreadPoolExecutor(1, "tengen-files")
        self._pending: dict[Path, _Written] = {}

    def write(self, path: Path, data: bytes, done: Done) -> None:
        """Replace the file at `path` by `data`; `update` calls `done` afterwards.

        This replaces a pending write to the same file, whose callbacks are called for this one.
        """
        before = self._pending.pop(path, None)
        others = () if before is None else before.callbacks
        if before is not None:
            before.future.cancel()
        future = self._writer.submit(write_atomic, path, data)
        self._pending[path] = _Written(data, future, others if done in others else (*others, done))
        future.add_done_callback(lambda _: self._wake())

    def waiting(self, path: Path) -> bytes | None:
        """Return the data about to be written to `path`; None if no write is pending."""
        written = self._pending.get(path)
        return None if written is None else written.data

    def update(self) -> None:
        """Call the callbacks of completed writes. Called once a frame."""
        for path, written in list(self._pending.items()):
            if written.future.done() and self._pending.get(path) is written:
                del self._pending[path]
                _tell(written)

    def settle(self) -> None:
        """Complete all pending writes: call this before reading what was saved."""
        while self._pending:
            wait([written.future for written in self._pending.values()])
            self.update()


def _tell(written: _Written) -> None:
    error = written.future.exception()
    if error is not None and not isinstance(error, OSError):
        raise error
    for done in written.callbacks:
        done(error)
