"""What is sent to a worker of a distributed search, what comes back, and the worker's side of it."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from ai.player import Limit, Stop
from ai.players import Context, share
from ai.search.moves import FULL, MoveScore, MoveSearch, Opening, Where, Window

_REMEMBERED = 64  # searches that have been halted


@dataclass(frozen=True, slots=True)
class Work:
    """What all tasks of a search have in common: its unique `name`, and the player that searches."""

    name: str
    player: str
    context: Context


@dataclass(frozen=True, slots=True)
class Task:
    """Search the `moves` of `node`, each with its index, to `depth`, one after the other; if alpha `rises`, then to the
    score of the best one so far. `verify` moves that fail high in a null window. Without moves, name those of the node;
    with `limit`, search the root within it.

    It ends after `seconds` at the latest. All of the node is in the task, so that any worker can do it.
    """

    work: Work
    node: Where
    depth: int = 0
    moves: tuple[tuple[int, int], ...] = ()
    window: Window = FULL
    rises: bool = True
    verify: bool = True
    limit: Limit | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to a task: `scores` of its moves, or the `opening`, or the `moves` of the node.

    `stopped` tells that the task was interrupted, so that its scores are not complete. `seconds` are those of the task,
    `costs` those of each move.
    """

    scores: tuple[MoveScore, ...] = ()
    opening: Opening | None = None
    moves: tuple[int, ...] = ()
    stopped: bool = False
    seconds: float = 0.0
    costs: tuple[float, ...] = ()

    @property
    def nodes(self) -> int:
        return sum(score.nodes for score in self.scores) + (self.opening.info.nodes if self.opening else 0)


class Runner:
    """Does tasks, one at a time on each thread that calls `run`; what they leave in tables is kept for the next one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._player: tuple[str, Context] | None = None
        self._idle: list[MoveSearch] = []
        self._stops: dict[Stop, str] = {}
        self._halted: deque[str] = deque(maxlen=_REMEMBERED)

    def run(self, task: Task) -> Found:
        """Do `task`. Raise `ValueError` with a sentence if its player cannot."""
        began = time.monotonic()
        with self._stop(task) as stop, self._search(task.work) as search:
            found = _done(search, task, stop)
        return replace(found, seconds=time.monotonic() - began)

    def halt(self, name: str) -> None:
        """End the tasks of the search `name`, also those that come later."""
        with self._lock:
            self._halted.append(name)
            stops = [stop for stop, of in self._stops.items() if of == name]
        for stop in stops:
            stop.set()

    @contextmanager
    def _stop(self, task: Task) -> Iterator[Stop]:
        """Set the stop when the time of the task is over, or when its search is halted."""
        stop = Stop()
        timer = None if task.seconds is None else threading.Timer(task.seconds, stop.set)
        with self._lock:
            if task.work.name in self._halted:
                stop.set()
            self._stops[stop] = task.work.name
        if timer is not None:
            timer.daemon = True
            timer.start()
        try:
            yield stop
        finally:
            if timer is not None:
                timer.cancel()
            with self._lock:
                del self._stops[stop]

    @contextmanager
    def _search(self, work: Work) -> Iterator[MoveSearch]:
        """Lend a search that nobody else uses."""
        player = work.player, work.context
        with self._lock:
            if player != self._player:
                old, self._idle, self._player = self._idle, [], player
                for each in old:
                    each.close()
            search = self._idle.pop() if self._idle else None
        search = search or share(*player)
        try:
            yield search
        finally:
            with self._lock:
                if player == self._player:
                    self._idle.append(search)
                else:
                    search.close()


def _done(search: MoveSearch, task: Task, stop: Stop) -> Found:
    if task.limit is not None:
        return Found(opening=search.open(task.node.root, task.limit, stop))
    if not task.moves:
        return Found(moves=tuple(search.moves(task.node)))
    scores: list[MoveScore] = []
    costs: list[float] = []
    alpha = task.window.alpha
    for index, move in task.moves:
        began = time.monotonic()
        found = search.score(
            task.node, move, index, task.depth, Window(alpha, task.window.beta), stop, verify=task.verify
        )
        if found is None:
            return Found(tuple(scores), stopped=True, costs=tuple(costs))
        scores.append(found)
        costs.append(time.monotonic() - began)
        if found.score >= task.window.beta:
            break
        if task.rises and not found.unverified:
            alpha = max(alpha, found.score)
    return Found(tuple(scores), costs=tuple(costs))


_runner = Runner()


def run(task: Task) -> Found:
    """Do `task` in this process. Raise `ValueError` with a sentence."""
    return _runner.run(task)


async def halt(name: str) -> None:
    """End the tasks of the search `name` in this process: a coroutine, for which nobody need wait."""
    _runner.halt(name)
