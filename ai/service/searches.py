"""`Searches`: the owner of the searches of a game in a window: of their players, their threads and the review.

Purposes are ranked: move, hint, teaching, analysis, and last a review. A search of lower rank waits where there are too
few processors for both; a review gets those that are left. A `Worker` runs one player at a time on a thread, so that a
window never waits for a search. A stand-in is a weaker player that answers while the engine is still loading. Only what
the strongest player of a game finds for a move or an analysis is stored in a node, by `Node.learn`. Searches whose tree
is shown, that are compared or part of a lesson run elsewhere, in processes of their own (`ai.system.stream`).
`tests/contradictions.py` compares all that a screen says of a game.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable
from contextvars import copy_context
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING

from ai.core.player import Info, Limit, Player, Stop, Transcribed, Transcript
from ai.players.table import is_strongest, strongest, threads
from ai.search.trace import TableTree, Walkable
from ai.system.threads import behind_window, processors
from games.evaluation import Evaluation
from games.position import Position
from games.record import GameRecord, Node

if TYPE_CHECKING:
    from ai.review.review import Review

_log = logging.getLogger(__name__)

BUSY = 0.1
"""Seconds between two frames while anything is searched."""


class Purpose(IntEnum):
    """What a search is for, by rank: one with a higher number waits where there are too few processors for both."""

    MOVE = 0
    HINT = 1
    TEACHING = 2
    ANALYSIS = 3


_KEPT = (Purpose.MOVE, Purpose.ANALYSIS)
"""The purposes whose findings go into the record. What a hint or the teacher finds would be a hint there."""


class Search:
    """A search of `node`. `info` is the newest result, `at` the time (`time.monotonic()`) when it was found.

    `over` means that `info` is final, or that the player has failed with `error`. `stop` asks for the answer now and
    keeps it; `drop` discards it.
    """

    def __init__(
        self, node: Node, purpose: Purpose, limit: Limit, player: str, cluster: str, worker: Worker,
        forget: Callable[[Search], None],
    ) -> None:  # fmt: skip
        self.node, self.purpose, self.limit, self.player, self.cluster = node, purpose, limit, player, cluster
        self.info: Info | None = None
        self.opinion: Evaluation | None = None
        """What its player thinks by `info`, whoever that is; the position is worth what its node says."""
        self.error: Exception | None = None
        self.at = 0.0
        self.over = False
        self._worker, self._remove = worker, forget
        self._dropped = self._stopped = False
        self.thinker: Player | None = None
        """The player that has begun to search."""

    def table_tree(self, position: Position, most: int, rest: Callable[[], object]) -> TableTree | None:
        """Return `Walkable.table_tree` of its player; None if that is not `Walkable`. Any thread may call this."""
        thinker = self.thinker
        return thinker.table_tree(position, most, rest) if isinstance(thinker, Walkable) else None

    @property
    def transcript(self) -> Transcript | None:
        """What its player, if that is another program, was sent and has sent; None for other players."""
        return self.thinker.transcript if isinstance(self.thinker, Transcribed) else None

    @property
    def busy(self) -> bool:
        """Whether an answer is still to come."""
        return not self.over and not self._dropped

    @property
    def nodes(self) -> int:
        """Nodes visited so far; 0 unless it is running."""
        return 0 if self._dropped else self._worker.nodes

    @property
    def by_strongest(self) -> bool:
        """Whether its player is as good as the strongest one, and not a stand-in."""
        return is_strongest(self.player, self.position.game) and not self.stand_in

    @property
    def stand_in(self) -> bool:
        """Whether `info` is from a stand-in for the engine."""
        return self.info is not None and self.info.stand_in

    @property
    def searched(self) -> bool:
        """Whether `info` is from a search, rather than from an opening book or a first guess."""
        return self.info is not None and (self.info.depth > 0 or self.info.mate is not None)

    @property
    def position(self) -> Position:
        """The position that is searched."""
        return self.node.position

    @property
    def known(self) -> Evaluation | None:
        """The evaluation to show: the node's if its player is the strongest, else the player's own; None if there is
        none."""
        return (self.node.evaluation if self.by_strongest else None) or self.opinion

    def take(self, report: Report) -> Evaluation | None:
        """Take over a report of the worker. Return the evaluation that the node is to store, if any.

        Only the strongest player's is stored, and only of a move or an analysis.
        """
        info, self.at, self.over = report.info, report.at, report.done
        if info is None:
            return None
        self.info, self.opinion = info, info.evaluation(self.position.turn, round(info.seconds, 3), self.player)
        if self.purpose not in _KEPT or not self.searched or not self.by_strongest:
            return None
        ended = self.over and report.error is None and not self._stopped
        if ended and self.limit.seconds is not None:  # as if it had had all its time
            return replace(self.opinion, seconds=self.limit.seconds, wanted=self.limit.lines)
        return self.opinion

    def stop(self) -> None:
        """Ask the player to answer now; the answer counts."""
        if not self._dropped:
            self._stopped = True
            self._worker.stop()

    def drop(self) -> None:
        """Cancel the search, and ignore whatever it still finds."""
        if not self._dropped:
            self._dropped = True
            self._worker.drop()
            self._remove(self)


class Searches:
    """The searches of a window: at most one for each purpose; a new one replaces the old.

    `make` makes a player by name, game and whether it may use an opening book; `share` makes one by name, game and
    address of the cluster that searches for it. `threads` tells how many threads a player uses unless its name does.
    `notify` is called on any thread when `update` has something to do. `ready` tells whether the engine is loaded: then
    what a stand-in has found is searched again, except a move. `failed` is called with each search that ended with an
    error.
    """

    def __init__(
        self, make: Callable[[str, str, bool], Player], notify: Callable[[], None], ready: Callable[[], bool],
        threads: Callable[[], int] = lambda: 1, now: Callable[[], float] = time.monotonic,
        share: Callable[[str, str, str], Player] | None = None,
        failed: Callable[[Search], object] = lambda _search: None,
    ) -> None:  # fmt: skip
        self.spare = processors()
        """How many processors are left, for a review."""
        self._make, self._share, self._ready, self._threads = make, share, ready, threads
        self._now, self._failed = now, failed
        self._asked: dict[Purpose, Search] = {}
        self._running: set[Purpose] = set()
        self._workers = {purpose: Worker(notify, now) for purpose in Purpose}
        self._players: dict[tuple[Purpose, str, str], Player] = {}
        self._review: Review | None = None

    def ask(self, node: Node, purpose: Purpose, limit: Limit, player: str = "", cluster: str = "") -> Search:
        """Begin a search of `node`, whose game is not over, and return it. It replaces the last one for this purpose.

        `player` is by default the strongest one. `cluster` is the address of a cluster that shares the search, empty
        for none.
        """
        if purpose in self._asked:
            self._asked[purpose].drop()
        name = player or strongest(node.position.game)
        search = Search(node, purpose, limit, name, cluster, self._workers[purpose], self._remove)
        self._asked[purpose] = search
        self._schedule()
        return search

    def review(self, record: GameRecord, seconds: float, make: Callable[[], Player] | None = None) -> Review:
        """Begin a review of the main line of `record`, and return it, for the caller to poll. The one before is closed.

        It gets the processors that all searches leave. `seconds` and `make` are those of `Review`.
        """
        from ai.review.review import Review  # late: the window opens sooner

        if self._review is not None:
            self._review.close(0.0)
        context = copy_context()
        context.run(behind_window.set, True)  # for the threads that the review starts
        self._review = context.run(Review, record, seconds, make=make)
        self._review.grant(self.spare)
        return self._review

    @property
    def busy(self) -> bool:
        """Whether any search is not over."""
        return any(not search.over for search in self._asked.values())

    def wake(self) -> float | None:
        """Return the seconds until `update` must be called; None if nothing is searched."""
        return BUSY if self.busy else None

    @property
    def advised_by_stand_in(self) -> bool:
        """Whether any search but that for a move has its result from a stand-in."""
        return any(search.stand_in for search in self._asked.values() if search.purpose != Purpose.MOVE)

    def update(self) -> None:
        """Take over what the workers have found, and start or pause searches. Call it once a frame, before drawing."""
        for search in list(self._asked.values()):
            if search.stand_in and search.purpose != Purpose.MOVE and self._ready():
                search.info, search.opinion, search.over = None, None, False
                self._pause(search.purpose)
            report = self._workers[search.purpose].poll()
            if report is None:
                continue
            try:
                found = search.take(report)
                if found is not None:
                    search.node.learn(found)
            except Exception as error:  # whatever is wrong with what a player found
                _log.exception("What %s has found cannot be used.", search.player)
                self._end(search, error)
            else:
                if report.error is not None:
                    self._end(search, report.error)
                elif report.done:
                    self._running.discard(search.purpose)
        self._schedule()

    def _end(self, search: Search, error: Exception) -> None:
        """End `search` with `error`: stop its worker, and call `failed`."""
        self._pause(search.purpose)
        search.over, search.error = True, error
        self._failed(search)

    # The processors.

    def _schedule(self) -> None:
        """Start searches by rank while there are processors for them, pause the others. The first one always runs."""
        free = processors()
        for purpose in Purpose:
            search = self._asked.get(purpose)
            if search is None or search.over:
                continue
            need = 1 if search.cluster else threads(search.player, search.position.game, self._threads())
            if need <= free or free == processors():
                self._run(search)
                free -= need
            else:
                self._pause(purpose)
        self.spare = max(0, free)
        if self._review is not None:
            self._review.grant(self.spare)

    def _run(self, search: Search) -> None:
        """Start `search` unless it is running; make its player if need be. If that fails, end it with the error."""
        if search.purpose in self._running:
            return
        key = search.purpose, search.player, search.cluster
        if key not in self._players:
            try:
                self._players[key] = self._new_player(search)
            except Exception as error:  # no memory for its table, no such program, …
                _log.exception("The player %s cannot be made.", search.player)
                search.at = self._now()
                self._end(search, error)
                return
        self._running.add(search.purpose)
        search.thinker = self._players[key]
        self._workers[search.purpose].start(self._players[key], search.position, search.limit)

    def _new_player(self, search: Search) -> Player:
        """Make the player for `search`."""
        game = search.position.game
        if search.cluster and self._share is not None:
            return self._share(search.player, game, search.cluster)
        return self._make(search.player, game, search.purpose == Purpose.MOVE)

    def _pause(self, purpose: Purpose) -> None:
        """Stop the running search for `purpose` without an answer. `_schedule` starts it again unless it is over."""
        if purpose in self._running:
            self._running.discard(purpose)
            self._workers[purpose].drop()

    def _remove(self, search: Search) -> None:
        """Remove a search that was dropped."""
        del self._asked[search.purpose]
        self._running.discard(search.purpose)

    def release(self) -> None:
        """Drop all searches, close the players and the review, and end the threads, for instance for other settings."""
        if self._review is not None:
            self._review.close(0.0)
            self._review = None
        for search in list(self._asked.values()):
            search.drop()
        for (purpose, *_), player in self._players.items():
            self._workers[purpose].release(player)
        self._players.clear()
        for worker in self._workers.values():
            worker.close(0.0)


@dataclass(frozen=True, slots=True)
class Report:
    """What a search has found so far; `done` if `info` is its answer, or if it failed with `error`.

    `at` is the time by the worker's `now`, which may be long before the poll.
    """

    info: Info | None
    done: bool = False
    error: Exception | None = None
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class _Job:
    """A search for the thread, with its ticket."""

    ticket: int
    player: Player
    position: Position
    limit: Limit
    stop: Stop


class Worker:
    """A thread that searches for its owner: `start`, `poll`, `stop` for the answer now, `drop` to discard it.

    Call all methods on the owner's thread. The worker's thread begins with the first `start`. Each report carries the
    ticket of its search; those of dropped searches are ignored. `notify` is called on the worker's thread when there is
    something to poll.
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
        """Whether a search is running, or its answer has not been polled."""
        return self._job is not None

    @property
    def nodes(self) -> int:
        """Nodes visited by the current search; 0 if there is none."""
        return self._job.player.nodes if self._job is not None else 0

    def start(self, player: Player, position: Position, limit: Limit) -> None:
        """Drop the current search, and start a new one as soon as the thread is free."""
        self.drop()
        if self._thread is None:
            # A daemon thread: a player that never returns must not keep the process alive.
            self._thread = threading.Thread(target=self._run, args=(self._jobs,), name="tengen-worker", daemon=True)
            self._thread.start()
        self._job = _Job(self._ticket, player, position, limit, Stop())
        self._jobs.put(self._job)

    def stop(self) -> None:
        """Ask the player to answer now; the answer will be reported."""
        if self._job is not None:
            self._job.stop.set()

    def drop(self) -> None:
        """Stop the search, and ignore its further reports."""
        self.stop()
        self._job = None
        self._ticket += 1

    def release(self, player: Player) -> None:
        """Close `player` when its search has ended: on the worker's thread, or at once if there is no thread."""
        if self._thread is None:
            self._close(player)
        else:
            self._jobs.put(player)

    def poll(self) -> Report | None:
        """Return the newest report of the current search; None if there is none since the last call."""
        newest: Report | None = None
        while not self._reports.empty():
            ticket, report = self._reports.get()
            if ticket == self._ticket:
                newest = report
        if newest is not None and newest.done:
            self._job = None
        return newest

    def close(self, seconds: float = 0.5) -> None:
        """Drop the search, and wait at most `seconds` for the thread to end. Released players are closed before.

        A later `start` creates a new thread.
        """
        self.drop()
        if self._thread is not None:
            self._jobs.put(None)
            self._thread.join(seconds)
            self._thread, self._jobs = None, queue.SimpleQueue()

    def _run(self, jobs: queue.SimpleQueue[_Job | Player | None]) -> None:
        """Thread: run the jobs, and close released players, until None comes."""
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
        """Run a job: report each Info, and at the end the last one as done, with the error if it failed."""
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
        """Queue a report with the ticket of its job, and notify the owner."""
        self._reports.put((job.ticket, report))
        self._notify()
