"""Processes of our own for long work in plain Python, which would make a window stutter."""

from __future__ import annotations

import logging
import multiprocessing
import os
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, Generic, TypeVar

from ai.system.programs import end_with_parent

Item = TypeVar("Item")
_log = logging.getLogger(__name__)


class Child:
    """Runs `work` with a pipe and the `arguments` in a new process. What it sends comes to `received`, and None at the
    end; `wake` is called on a thread for each. The process ends when its work does, when it is closed, and when this
    process dies."""

    def __init__(self, work: Callable[..., None], arguments: tuple[object, ...], wake: Callable[[], object]) -> None:
        self.received: deque[Any] = deque()
        # Spawn: forking a process with threads and compiled code may deadlock, and Windows cannot fork.
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe(duplex=False)
        leash, self._leash = context.Pipe(duplex=False)
        self._process = context.Process(target=_run, args=(leash, theirs, work, arguments), daemon=True)
        self._process.start()
        theirs.close()
        leash.close()
        threading.Thread(target=self._receive, args=(ours, wake), name="tengen-child", daemon=True).start()

    def _receive(self, pipe: Connection, wake: Callable[[], object]) -> None:
        """Receive what the process sends until it ends, then None; wake the reader each time."""
        with pipe, suppress(EOFError, OSError):
            while True:
                self.received.append(pipe.recv())
                wake()
        self.received.append(None)
        wake()

    def close(self) -> None:
        """End the process. What has come stays."""
        self._process.kill()
        self._process.join()
        self._process.close()
        self._leash.close()


def _run(leash: Connection, pipe: Connection, work: Callable[..., None], arguments: tuple[object, ...]) -> None:
    """Work in the new process."""
    end_with_parent(leash, lambda: os._exit(1))
    with pipe:
        work(pipe, *arguments)


class Stream(Generic[Item]):
    """What the generator function `task`, one of a module, yields when it is called with `arguments` in a new process.
    `wake` is called on a thread when there is something to `take`."""

    def __init__(self, wake: Callable[[], object], task: Callable[..., Iterator[Item]], *arguments: Any) -> None:
        self.failed = False
        """Whether the task raised an error, which is logged, or its process died."""
        self._child: Child | None = Child(_send_all, (task, arguments), wake)

    @property
    def busy(self) -> bool:
        """Whether the child process is running."""
        return self._child is not None

    def take(self) -> list[Item]:
        """Return what has come since the last call, without waiting. It is closed after the last item."""
        items: list[Item] = []
        while self._child is not None and self._child.received:
            news = self._child.received.popleft()
            if isinstance(news, tuple) and news:
                items.extend(news)
                continue
            if isinstance(news, Exception):
                _log.error("A task has failed.\n%s", news)
            self.failed = not isinstance(news, tuple)
            self.close()
        return items

    def close(self) -> None:
        """End the process. Nothing more is taken."""
        if self._child is not None:
            self._child.close()
            self._child = None


def _send_all(pipe: Connection, task: Callable[..., Iterator[Any]], arguments: tuple[Any, ...]) -> None:
    """Send each item in a tuple, and an empty one at the end, or the error."""
    try:
        for item in task(*arguments):
            pipe.send((item,))
    except Exception as error:
        pipe.send(RuntimeError("".join(traceback.format_exception(error))))
    else:
        pipe.send(())
