"""Runs one player at a time on a thread of its own, so that a window never waits for a search."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from ai.player import Info, Limit, Player, Stop
from ai.thread_priority import behind_window
from games.position import Position

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Report:
    """The newest of a search: `done` when `info` is its answer, `error` when it failed without one.

    `at` is when it was made, by the worker's `now`: it may be polled much later.
    """

    info: Info | None
    done: bool = False
    error: Exception | None = None
    at: float = field(default=0.0, compare=False)


@dataclass(frozen=True, slots=True)
class _Job:
    ticket: int
    player: Player
    position: Position
    limit: Limit
    stop: Stop


class Worker:
    """`start` a search, `poll` it, `stop` it (move now) or `drop` it (forget it).

    All methods belong to one thread, that of the owner. The worker's own exists from the first `start` on.
    A search that was dropped is never heard of again: every report carries the ticket of its search.
    `notify` is called on the worker's thread whenever there is something to poll.
    """

    def __init__(
        self, notify: Callable[[], None] = lambda: None, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._notify = notify
        self._now = now
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._reports: queue.SimpleQueue[tuple[int, Report]] = queue.SimpleQueue()
        self._ticket = 0
        self._job: _Job | None = None
        self._thread: threading.Thread | None = None

    @property
    def busy(self) -> bool:
        """Whether a search runs whose answer has not been polled yet."""
        return self._job is not None

    @property
    def nodes(self) -> int:
        """Positions visited so far by the search that runs; 0 if none does."""
        return self._job.player.nodes if self._job is not None else 0

    def start(self, player: Player, position: Position, limit: Limit) -> None:
        """Begins a search, once the one before it, if any, has been dropped and has ended."""
        self.drop()
        if self._thread is None:
            # A daemon: a player that never returns must not keep a closed window's process alive.
            self._thread = threading.Thread(target=self._run, args=(self._jobs,), name="tengen-worker", daemon=True)
            self._thread.start()
        self._job = _Job(self._ticket, player, position, limit, Stop())
        self._jobs.put(self._job)

    def stop(self) -> None:
        """Asks the search to answer now."""
        if self._job is not None:
            self._job.stop.set()

    def drop(self) -> None:
        """Ends the search and forgets whatever it says from now on."""
        self.stop()
        self._job = None
        self._ticket += 1

    def poll(self) -> Report | None:
        """The newest report of the search that runs, or None if there is nothing new."""
        newest: Report | None = None
        while not self._reports.empty():
            ticket, report = self._reports.get()
            if ticket == self._ticket:
                newest = report
        if newest is not None and newest.done:
            self._job = None
        return newest

    def close(self, seconds: float = 0.5) -> None:
        """Drops the search and waits for the thread to end, but no longer than `seconds`.

        Another `start` begins anew, on a thread of its own.
        """
        self.drop()
        if self._thread is not None:
            self._jobs.put(None)
            self._thread.join(seconds)
            self._thread, self._jobs = None, queue.SimpleQueue()

    def _run(self, jobs: queue.SimpleQueue[_Job | None]) -> None:
        behind_window.set(True)
        while (job := jobs.get()) is not None:
            self._search(job)

    def _search(self, job: _Job) -> None:
        info: Info | None = None
        error: Exception | None = None
        try:
            for info in job.player.think(job.position, job.limit, job.stop):
                self._tell(job, Report(info, at=self._now()))
        except Exception as caught:  # a player's fault must not end the thread, nor the game
            _log.exception("the player failed")
            error = caught
        self._tell(job, Report(info, done=True, error=error, at=self._now()))

    def _tell(self, job: _Job, report: Report) -> None:
        self._reports.put((job.ticket, report))
        self._notify()
