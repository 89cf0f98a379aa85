"""What a generator yields in a process of its own, for long work in plain Python, which would make a window stutter."""

from __future__ import annotations

import logging
import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, Generic, TypeVar

from ai.programs import end_with_parent

Item = TypeVar("Item")

_log = logging.getLogger(__name__)


class Stream(Generic[Item]):
    """What the generator function `task`, one of a module, yields when it is called with `arguments` in a new process.

    `wake` is called on a thread when there is something to `take`. The process ends when the generator does, when the
    stream is closed, and when this process dies.
    """

    def __init__(self, wake: Callable[[], object], task: Callable[..., Iterator[Item]], *arguments: Any) -> None:
        self.failed = False
        """Whether the task raised an error, which is logged, or its process died."""
        self._news: deque[tuple[Item, ...] | Exception | None] = deque()  # an empty tuple at the end, None if it died
        # Spawn: forking a process with threads and compiled code may deadlock, and Windows cannot fork.
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe(duplex=False)
        leash, self._leash = context.Pipe(duplex=False)
        self._process: Any = context.Process(target=_work, args=(theirs, leash, task, arguments), daemon=True)
        self._process.start()
        theirs.close()
        leash.close()
        threading.Thread(target=self._receive, args=(ours, wake), name="tengen-stream", daemon=True).start()

    @property
    def busy(self) -> bool:
        return self._process is not None

    def _receive(self, pipe: Connection, wake: Callable[[], object]) -> None:
        with pipe, suppress(EOFError, OSError):
            while True:
                self._news.append(pipe.recv())
                wake()
        self._news.append(None)
        wake()

    def take(self) -> list[Item]:
        """Return what has come since the last call, without waiting. It is closed after the last item."""
        items: list[Item] = []
        while self._news and self.busy:
            news = self._news.popleft()
            if isinstance(news, tuple) and news:
                items.extend(news)
                continue
            if isinstance(news, Exception):
                _log.error("a task failed: %r", news)
            self.failed = not isinstance(news, tuple)
            self.close()
        return items

    def close(self) -> None:
        """End the process. Nothing more is taken."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
            self._leash.close()
            self._process = None


def _work(pipe: Connection, leash: Connection, task: Callable[..., Iterator[Any]], arguments: tuple[Any, ...]) -> None:
    """Run `task` in the new process."""
    end_with_parent(leash, lambda: os._exit(1))
    try:
        for item in task(*arguments):
            pipe.send((item,))
    except Exception as error:
        pipe.send(RuntimeError(repr(error)))
    else:
        pipe.send(())
    pipe.close()
