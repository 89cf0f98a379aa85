"""Give tasks to the workers of a team, and give those of slow or lost workers to others."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Protocol

from ai.core.player import Limit, Stop
from ai.players.table import Context, share
from ai.search.moves import FULL, MoveScore, MoveSearch, Opening, Where, Window

# What is sent to a worker of a distributed search, what comes back, and the worker's side of it.


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


_SLOW, _LEAST = 5.0, 2.0  # a task is late after so many times the longest one so far, and so many seconds
_MOST_LOST = 3  # workers that a task may lose: it could be the reason
_TURN = 0.05  # seconds between two looks at who is still there


_numbers = count()  # of tasks, different in all searches, since a team outlives them


class ClusterLost(RuntimeError):
    """The workers are gone; `str(error)` is a sentence."""


class Over(Exception):
    """The time is up, or somebody has asked for the answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a worker says to the task `number`: `found`, or None if it was lost or has raised `error`."""

    number: int
    member: str
    found: Found | None
    error: Exception | None = None


class Team(Protocol):
    """Workers, each of which does one task at a time."""

    def members(self) -> Mapping[str, int]:
        """Return the workers that are there by their names, with the number of their threads. Raise `ClusterLost`."""

    def send(self, member: str, number: int, task: Task) -> None:
        """Let the idle worker `member` do `task`; its answer has the `number`."""

    def next(self, timeout: float) -> Answer | None:
        """Wait at most `timeout` seconds for the next answer."""

    def halt(self, search: str) -> None:
        """Let all workers end the tasks of a search."""

    def now(self) -> float:
        """Return the time in seconds."""


@dataclass(slots=True)
class _Sent:
    task: Task
    member: str
    at: float
    lost: int = 0  # workers before it


@dataclass
class Dispatcher:
    """Runs the tasks of one search on a `team`. `check` raises `Over` when the search must end."""

    team: Team
    check: Callable[[], object]
    again: int = 0
    """How many tasks were given to a second worker."""
    _sent: dict[int, _Sent] = field(default_factory=dict)
    _busy: dict[str, int] = field(default_factory=dict)  # workers, with the number of their task
    _longest: float = 0.0
    _homes: dict[object, str] = field(default_factory=dict)  # who has searched what: its table knows more of it

    def run(self, source: Callable[[], Task | None]) -> Iterator[tuple[Task, Found]]:
        """Do the tasks that `source` gives, each asked for when a worker is free; yield the answers as they come.

        `source` returns None while there is nothing to do, or no more; after each answer it is asked again.
        Raise `Over`, `ClusterLost`, also for what a task raised, and `ValueError` with a sentence from a task.
        """
        open_tasks: dict[int, Task] = {}
        members = self._members()
        while True:
            while (free := self._free(members)) and (task := source()) is not None:
                open_tasks[self._send(self._home(task, free), task)] = task
            if not open_tasks:
                return
            answer = self.team.next(_TURN)
            self.check()
            members = self._members()
            if answer is not None and (done := self._take(answer, open_tasks)) is not None:
                yield done
            self._take_over(open_tasks, members)

    @property
    def at_work(self) -> dict[str, Task]:
        """What each worker does; any thread may ask."""
        sent = ((member, self._sent.get(number)) for member, number in list(self._busy.items()))
        return {member: each.task for member, each in sent if each is not None}

    def _members(self) -> list[str]:
        members = list(self.team.members())
        if not members:
            raise ClusterLost("The cluster has no workers.")
        for member in [member for member in self._busy if member not in members]:
            del self._busy[member]
        return members

    def _free(self, members: list[str]) -> list[str]:
        return [member for member in members if member not in self._busy]

    def _home(self, task: Task, free: list[str]) -> str:
        """Return the worker that has searched the first move of `task` before, if it is one of the `free` ones."""
        home = self._homes.get(_what(task))
        return home if home in free else free[0]

    def _send(self, member: str, task: Task, lost: int = 0) -> int:
        number = next(_numbers)
        self._sent[number] = _Sent(task, member, self.team.now(), lost)
        self._busy[member] = number
        self.team.send(member, number, task)
        return number

    def _take(self, answer: Answer, open_tasks: dict[int, Task]) -> tuple[Task, Found] | None:
        """Return the task that is done, if it was still to be done: the first answer counts."""
        number, sent = answer.number, self._sent.pop(answer.number, None)
        if sent is None:  # of an earlier search
            return None
        if self._busy.get(answer.member) == number:
            del self._busy[answer.member]
        task = open_tasks.get(number)
        if task is None:
            return None
        if isinstance(answer.error, ValueError):
            raise answer.error
        if answer.error is not None:
            raise ClusterLost("A worker of the cluster has failed.") from answer.error
        if answer.found is None:
            self._sent[number] = replace(sent, member="")  # it is to be given to another one
            return None
        self._longest = max(self._longest, self.team.now() - sent.at)
        self._homes[_what(task)] = answer.member
        for other in [other for other, same in open_tasks.items() if same is task]:
            del open_tasks[other]
        return task, answer.found

    def _take_over(self, open_tasks: dict[int, Task], members: list[str]) -> None:
        """Give the tasks of lost workers, and late ones, to workers that have nothing to do."""
        late = self.team.now() - max(_LEAST, _SLOW * self._longest)
        for number in list(open_tasks):
            sent, free = self._sent[number], self._free(members)
            lost = sent.member not in members
            if lost and sent.lost == _MOST_LOST:
                raise ClusterLost("The cluster has lost several workers.")
            twice = sum(task is sent.task for task in open_tasks.values()) > 1
            if free and (lost or (sent.at < late and not twice)):
                self.again += 1
                open_tasks[self._send(free[0], sent.task, sent.lost + lost)] = sent.task
            if lost and free:
                del open_tasks[number], self._sent[number]


def _what(task: Task) -> object:
    return task.node.line, task.moves[0][1] if task.moves else None
