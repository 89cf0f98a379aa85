"""Child processes for long work in plain Python, which would make the window stutter."""

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


class TaskFailure(Exception):
    """Raised by the task of a `Stream` that fails as it may; `str(error)` is a sentence for the log."""


class Child:
    """Runs `work` in a new process, called with a pipe and the `arguments`. What it sends is appended to `received`,
    and None at the end; `wake` is called each time, on a thread. The process ends when `work` returns, when it is
    closed, and when this process dies."""

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
        """Append what the process sends to `received` until it ends, then None; call `wake` each time."""
        with pipe, suppress(EOFError, OSError):
            while True:
                self.received.append(pipe.recv())
                wake()
        self.received.append(None)
        wake()

    def close(self) -> None:
        """Kill the process. What has been received stays."""
        self._process.kill()
        self._process.join()
        self._process.close()
        self._leash.close()


def _run(leash: Connection, pipe: Connection, work: Callable[..., None], arguments: tuple[object, ...]) -> None:
    """Be the new process: call `work`, and end if the parent dies."""
    end_with_parent(leash, lambda: os._exit(1))
    with pipe:
        work(pipe, *arguments)


class Stream(Generic[Item]):
    """The items of a generator that runs in a new process: `task`, a function of a module, is called there with
    `arguments`. `wake` is called on a thread when there is something to `take`."""

    def __init__(self, wake: Callable[[], object], task: Callable[..., Iterator[Item]], *arguments: Any) -> None:
        self.failed = False
        """Whether the task raised an error, which is logged, or its process died."""
        self._child: Child | None = Child(_send_all, (task, arguments), wake)

    @property
    def busy(self) -> bool:
        """Whether the process runs, or items have not been taken."""
        return self._child is not None

    def take(self) -> list[Item]:
        """Return the items that have come since the last call, without waiting. After the last one, close the stream;
        set `failed` if the task has failed."""
        items: list[Item] = []
        while self._child is not None and self._child.received:
            news = self._child.received.popleft()
            if isinstance(news, tuple) and news:
                items.extend(news)
                continue
            if isinstance(news, Exception):
                _log.error("%s", news)
            self.failed = not isinstance(news, tuple)
            self.close()
        return items

    def close(self) -> None:
        """Kill the process. Items that have not been taken are lost."""
        if self._child is not None:
            self._child.close()
            self._child = None


def _send_all(pipe: Connection, task: Callable[..., Iterator[Any]], arguments: tuple[Any, ...]) -> None:
    """Be the new process: send each item of `task` in a tuple of one, and at the end an empty tuple, or an exception
    with the text to log: the sentence of a `TaskFailure`, or the traceback of any other."""
    try:
        for item in task(*arguments):
            pipe.send((item,))
    except TaskFailure as error:
        pipe.send(error)
    except Exception as error:
        pipe.send(RuntimeError("A task has failed.\n" + "".join(traceback.format_exception(error))))
    else:
        pipe.send(())
