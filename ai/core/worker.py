"""Run one player at a time on a thread, so that a window never waits for a search."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from ai.core.player import Info, Limit, Player, Stop
from ai.system.threads import behind_window
from games.position import Position

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Report:
    """The latest of a search: `done` when `info` is its answer, `error` when it failed.

    `at` is when it was produced, by the worker's `now`; it may be polled much later.
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
    """`start` a search, `poll` it, `stop` it (move now) or `drop` it (discard its answer).

    All methods belong to the owner's thread. The worker's thread exists from the first `start` on. Every report
    carries the ticket of its search, so that reports of a dropped one are ignored. `notify` is called on the worker's
    thread whenever there is something to poll.
    """

    def __init__(
        self, notify: Callable[[], None] = lambda: None, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._notify = notify
        self._now = now
        self._jobs: queue.SimpleQueue[_Job | Player | None] = queue.SimpleQueue()  # players are to be closed
        self._reports: queue.SimpleQueue[tuple[int, Report]] = queue.SimpleQueue()
        self._ticket = 0
        self._job: _Job | None = None
        self._thread: threading.Thread | None = None

    @property
    def busy(self) -> bool:
        """Return whether a search is running whose answer has not been polled."""
        return self._job is not None

    @property
    def nodes(self) -> int:
        """Nodes visited by the current search; 0 if there is none."""
        return self._job.player.nodes if self._job is not None else 0

    def start(self, player: Player, position: Position, limit: Limit) -> None:
        """Drop the current search, and start this one as soon as that has ended."""
        self.drop()
        if self._thread is None:
            # A daemon thread: a player that never returns must not keep the process alive.
            self._thread = threading.Thread(target=self._run, args=(self._jobs,), name="tengen-worker", daemon=True)
            self._thread.start()
        self._job = _Job(self._ticket, player, position, limit, Stop())
        self._jobs.put(self._job)

    def stop(self) -> None:
        """Ask the search to answer now."""
        if self._job is not None:
            self._job.stop.set()

    def drop(self) -> None:
        """Stop the search and ignore its further reports."""
        self.stop()
        self._job = None
        self._ticket += 1

    def release(self, player: Player) -> None:
        """Close `player` when its search has ended, on the worker's thread if there is one."""
        if self._thread is None:
            self._close(player)
        else:
            self._jobs.put(player)

    def poll(self) -> Report | None:
        """Return the newest report of the current search, or None."""
        newest: Report | None = None
        while not self._reports.empty():
            ticket, report = self._reports.get()
            if ticket == self._ticket:
                newest = report
        if newest is not None and newest.done:
            self._job = None
        return newest

    def close(self, seconds: float = 0.5) -> None:
        """Drop the search and wait at most `seconds` for the thread to end. Released players are closed before.

        A later `start` creates a new thread.
        """
        self.drop()
        if self._thread is not None:
            self._jobs.put(None)
            self._thread.join(seconds)
            self._thread, self._jobs = None, queue.SimpleQueue()

    def _run(self, jobs: queue.SimpleQueue[_Job | Player | None]) -> None:
        """The thread: run the jobs, and close the players that are handed over."""
        behind_window.set(True)
        while (job := jobs.get()) is not None:
            if isinstance(job, _Job):
                self._search(job)
            else:
                self._close(job)

    def _close(self, player: Player) -> None:
        """Close a player; an error is only logged."""
        try:
            player.close()
        except Exception:  # it must not end the thread
            _log.exception("The player cannot be closed.")

    def _search(self, job: _Job) -> None:
        """Run one job on the thread: report each Info, then the end with the last one and the error, if any."""
        info: Info | None = None
        error: Exception | None = None
        try:
            for info in job.player.think(job.position, job.limit, job.stop):
                self._report(job, Report(info, at=self._now()))
        except Exception as caught:  # a failing player must end neither the thread nor the game
            _log.exception("The player failed.")
            error = caught
        self._report(job, Report(info, done=True, error=error, at=self._now()))

    def _report(self, job: _Job, report: Report) -> None:
        """Queue a report with the ticket of its job, and wake the owner."""
        self._reports.put((job.ticket, report))
        self._notify()
