"""Threads that judge positions, each with a player of its own. The kernels release the GIL, so that two threads use
two processors."""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

from ai.player import Info, Limit, Player, Stop, answer
from ai.review.budget import Budget
from ai.thread_priority import behind_window
from games.position import Position

_ALTERNATIVE_SHARE = 0.15  # of the time, for what the second best move is worth
_WAKE = 1.0  # seconds between two moments in which the thread that waits can be interrupted, as Windows needs

PATIENCE = 0.1
"""Seconds that threads have to end."""


@dataclass(frozen=True, slots=True)
class Task:
    """A `position` to be judged in `seconds`; `number` and `purpose` are the owner's. The second best move is asked for
    as well where the best one is `alternative` and nothing is proven. A `fresh` search knows nothing of the others.
    `compared` is a move that such a one is to compare with the best. An `exact` search ends when all is known."""

    number: int
    purpose: str
    position: Position
    seconds: float
    alternative: int | None = None
    compared: int | None = None
    fresh: bool = False
    exact: bool = False

    def limit(self, share: float, lines: int = 1, depth: int | None = None) -> Limit:
        """That `share` of its seconds; none where the search is to end by itself."""
        return Limit(seconds=None if self.exact else share * self.seconds, lines=lines, depth=depth)


@dataclass(frozen=True, slots=True)
class Verdict:
    """`pair` are the scores of the best move, and of the second best or the one that is compared with it, where both
    are known; a single score tells that the engine saw no other move worth a search."""

    task: Task
    info: Info
    pair: tuple[int, ...] = ()


class Judges:
    """`ask` for positions, `take` verdicts, `close`. All methods but `wake` belong to one thread."""

    def __init__(self, make: Callable[[], Player], threads: int, budget: Budget) -> None:
        self._make, self._budget = make, budget
        self._pending: deque[Task] = deque()
        self._changed = threading.Condition()
        self._verdicts: queue.SimpleQueue[Verdict | BaseException | None] = queue.SimpleQueue()
        self._stop = Stop()
        self._granted = threads  # how many threads may take a task
        behind = behind_window.get()
        # Daemons: a compilation under way must not keep the process alive.
        self._threads = [
            threading.Thread(target=self._run, args=(number, behind), name=f"tengen-judge-{number}", daemon=True)
            for number in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def grant(self, threads: int) -> None:
        """Let so many threads take the next tasks; the tasks under way are finished."""
        if threads != self._granted:
            with self._changed:
                self._granted = threads
                self._changed.notify_all()

    def ask(self, task: Task) -> None:
        """Queue `task`. Tasks are taken from both ends of their order, so that each thread searches neighbouring
        positions and finds them in its transposition table."""
        with self._changed:
            self._pending.append(task)
            self._changed.notify_all()

    def take(self, wait: bool) -> Verdict | None:
        """The next verdict. None if there is none yet; with `wait`, after a second or `wake`. Raise what a player
        raised."""
        try:
            found = self._verdicts.get(wait, _WAKE)
        except queue.Empty:
            return None
        if isinstance(found, BaseException):
            raise found
        return found

    def wake(self) -> None:
        """End the wait of `take`; any thread may call it."""
        self._verdicts.put(None)

    def close(self, patience: float = PATIENCE) -> None:
        """End the searches and, as soon as they can, the threads; wait at most `patience` seconds for them."""
        self._stop.set()
        with self._changed:
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(patience / len(self._threads))

    def _run(self, number: int, behind: bool) -> None:
        behind_window.set(behind)
        try:
            player = self._make()
            while (task := self._next(number)) is not None:
                granted = self._budget.draw(task.seconds)
                judge = self._make() if task.fresh else player
                info, pair, spent = self._judge(judge, replace(task, seconds=granted))
                self._budget.settle(granted, spent)
                self._verdicts.put(Verdict(task, info, pair))
        except Exception as error:  # for the thread that waits
            self._verdicts.put(error)

    def _next(self, number: int) -> Task | None:
        with self._changed:
            while not self._stop.is_set():
                if self._pending and number < self._granted:
                    return self._pending.popleft() if number % 2 else self._pending.pop()
                self._changed.wait()
        return None

    def _judge(self, player: Player, task: Task) -> tuple[Info, tuple[int, ...], float]:
        """What a `Verdict` tells, and the seconds that it took."""
        if task.compared is not None:
            return self._compare(player, task, task.compared)
        share = 1.0 if task.alternative is None else 1 - _ALTERNATIVE_SHARE
        info = answer(player, task.position, task.limit(share), self._stop)
        if task.alternative != info.move or info.mate is not None or len(task.position.legal_moves()) < 2:
            return info, (), info.seconds
        both = answer(player, task.position, task.limit(_ALTERNATIVE_SHARE, 2), self._stop)
        pair = tuple(line.score for line in both.lines) if both.depth > 0 else ()
        return info, pair, info.seconds + both.seconds

    def _compare(self, player: Player, task: Task, move: int) -> tuple[Info, tuple[int, ...], float]:
        """What `player` sees of the best move and of `move`: the position after it is searched no deeper than the one
        before has been."""
        best = answer(player, task.position, task.limit(0.5), self._stop)
        deepest = None if best.mate is not None else max(1, best.depth - 1)
        after = answer(player, task.position.play(move), task.limit(0.5, depth=deepest), self._stop)
        return best, (best.score, -after.score), best.seconds + after.seconds
