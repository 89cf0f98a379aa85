"""A process of its own for a search, since plain Python would make a window stutter."""

from __future__ import annotations

import multiprocessing
import threading
from collections import deque
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any


class Child:
    """Runs `work` with a pipe and the `arguments`. What it sends comes to `received`, and None at the end; `wake` is
    called on a thread for each."""

    def __init__(self, work: Callable[..., None], arguments: tuple[object, ...], wake: Callable[[], object]) -> None:
        self.received: deque[Any] = deque()
        # Spawn: forking a process with threads and compiled code may deadlock, and Windows cannot fork.
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe(duplex=False)
        self._process = context.Process(target=work, args=(theirs, *arguments), daemon=True)
        self._process.start()
        theirs.close()
        threading.Thread(target=self._receive, args=(ours, wake), name="tengen-trace", daemon=True).start()

    def _receive(self, pipe: Connection, wake: Callable[[], object]) -> None:
        try:
            while True:
                self.received.append(pipe.recv())
                wake()
        except (EOFError, OSError):
            self.received.append(None)
            wake()

    def close(self) -> None:
        """End the process. What has come stays."""
        self._process.kill()
        self._process.join()
        self._process.close()
