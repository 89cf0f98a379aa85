"""Writes files behind the window, which would stand still until the disk has them: mostly 3 ms, but it may be long."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

from games.storage import write_atomic

Done = Callable[[OSError | None], object]
"""Called on the window's thread with why a file could not be written, None if it was."""


@dataclass(frozen=True, slots=True)
class _Written:
    data: bytes
    future: Future[None]
    told: tuple[Done, ...]


class Files:
    """One file after the other is written, whole or not at all; `wake`, which any thread may call, is called after
    each. What is under way is finished in any case before the interpreter ends."""

    def __init__(self, wake: Callable[[], object]) -> None:
        self._wake = wake
        self._writer = ThreadPoolExecutor(1, "tengen-files")
        self._under_way: dict[Path, _Written] = {}

    def write(self, path: Path, data: bytes, told: Done) -> None:
        """Replaces the file at `path` by `data`, and lets `update` call `told` then.

        What still waits to be written to the same file is not written any more, and those who were to be told of it
        are told of this.
        """
        before = self._under_way.pop(path, None)
        others = before.told if before is not None else ()
        if before is not None:
            before.future.cancel()
        future = self._writer.submit(write_atomic, path, data)
        self._under_way[path] = _Written(data, future, others if told in others else (*others, told))
        future.add_done_callback(lambda _: self._wake())

    def waiting(self, path: Path) -> bytes | None:
        """What the file at `path` is about to contain; None if nothing is under way there."""
        written = self._under_way.get(path)
        return None if written is None else written.data

    def update(self) -> None:
        """Tells what has become of the files that are no longer under way. Called once a frame."""
        for path, written in list(self._under_way.items()):
            if written.future.done() and self._under_way.get(path) is written:
                del self._under_way[path]
                _tell(written)

    def settle(self) -> None:
        """Waits until nothing is under way any more: before what was saved is looked at."""
        while self._under_way:
            wait([written.future for written in self._under_way.values()])
            self.update()


def _tell(written: _Written) -> None:
    error = written.future.exception()
    if error is not None and not isinstance(error, OSError):
        raise error
    for told in written.told:
        told(error)
