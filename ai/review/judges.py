"""Threads that search the positions of a review, each with a player of its own, and the time that they share.

The kernels release the GIL, so that two threads use two processors.
"""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from enum import Enum, auto

from ai.core.player import Info, Limit, Line, Player, Stop, answer
from ai.core.score import Score
from ai.system.threads import behind_window
from games.position import Position, played

PATIENCE = 0.1
"""Seconds to wait for stopped threads."""

NODES_PER_SECOND = 1_000_000
"""Of searches that confirm, which end after so many nodes for each second wanted: what they prove does not depend on
the machine."""

_SLOWER = 2.0  # times as long may such a search take, on a machine that visits fewer
_TIMES = 2.0  # the seconds of a position, for all that is searched
_POSITIONS = 60  # a shorter game has as much time as one with so many
_SECOND_SHARE = 0.15  # of the time, for the score of the second best move
_LINE = 200_000  # nodes to find how a proven line goes on
_WAKE = 1.0  # seconds after which a waiting thread can be interrupted, as Windows needs


class ReviewBudget:
    """Thread-seconds of a review: twice the `seconds` for each of its `positions`. First searches take at most 0.4 of
    it. `open` is the number of moves under confirmation. Any thread may reserve and release."""

    def __init__(self, seconds: float, positions: int) -> None:
        self.left = _TIMES * seconds * max(_POSITIONS, positions)
        self.spent = 0.0
        self.open = 0
        self._lock = threading.Lock()

    def reserve(self, seconds: float) -> float:
        """Return how much of the `seconds` wanted a search may take: at most half of what is left for each open move.
        So there is always something left."""
        with self._lock:
            granted = min(seconds, self.left / (2 * max(1, self.open)))
            self.left -= granted
            return granted

    def release(self, granted: float, spent: float) -> None:
        """Return the unspent part of what a search was `granted`. Count no more than that: the machine may have been
        suspended."""
        spent = min(granted, spent)
        with self._lock:
            self.left += granted - spent
            self.spent += spent


class Aim(Enum):
    """What a search is for. `COMPARE` and `VERIFY` are by a new player, whose transposition table knows nothing."""

    FIRST = auto()  # a first evaluation; also scores the second best move if the best one was played
    CONFIRM = auto()  # a longer search of a position beside a mistake
    SEEK = auto()  # a longer search for another move than those that are proven to lose
    COMPARE = auto()  # scores the best and the played move at the same depth, without hindsight
    VERIFY = auto()  # searches the position after a move that seems better than the played one


@dataclass(frozen=True, slots=True)
class ReviewTask:
    """A search of `position` for at most `seconds`. It concerns the `number`-th position of a line and a `move` there:
    the played one, None at the end; with `Aim.VERIFY` the better one, which leads to `position`. With `Aim.SEEK` it is
    `without` the moves that lose. An `exact` search ends by itself, when the game is solved."""

    number: int
    aim: Aim
    position: Position
    move: int | None
    seconds: float
    exact: bool = False
    without: frozenset[int] = frozenset()

    @property
    def nodes(self) -> int | None:
        """After which a search that confirms ends; None for others."""
        confirms = self.aim in (Aim.CONFIRM, Aim.SEEK, Aim.VERIFY) and not self.exact
        return max(1, int(self.seconds * NODES_PER_SECOND)) if confirms else None

    @property
    def longest(self) -> float:
        """Seconds that it may take."""
        return self.seconds if self.nodes is None else _SLOWER * self.seconds

    def limit(self, seconds: float, lines: int = 1, depth: int | None = None) -> Limit:
        """The limit of the search; an exact task is not limited by `seconds`."""
        return Limit(None if self.exact else seconds, depth, self.nodes, lines, self.without)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a search found. `scores` are those of the best move and of the second best, or of the compared one, if both
    are known; a single score if the engine saw no other move worth a search."""

    task: ReviewTask
    info: Info
    scores: tuple[int, ...] = ()


class Judges:
    """`ask` for searches, `take` verdicts, `close`. All methods but `wake` belong to one thread.

    Without `threads`, `take` searches itself: which search comes after which does not depend on the machine then.
    """

    def __init__(self, make: Callable[[], Player], threads: int, budget: ReviewBudget) -> None:
        self._make, self._budget = make, budget
        self._pending: deque[ReviewTask] = deque()
        self._changed = threading.Condition()
        self._verdicts: queue.SimpleQueue[Verdict | BaseException | None] = queue.SimpleQueue()
        self._stop = Stop()
        self._granted = threads  # how many threads may take a task
        self._own: Player | None = None  # without threads
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

    def ask(self, task: ReviewTask) -> None:
        """Queue `task`. Tasks are taken from both ends of the queue, so that each thread searches neighbouring
        positions and finds them in its transposition table."""
        with self._changed:
            self._pending.append(task)
            self._changed.notify_all()

    def take(self, wait: bool) -> Verdict | None:
        """The next verdict, or None. With `wait`, block until there is one, for at most a second or until `wake`.

        Raise what a player raised.
        """
        if not self._threads and self._pending:
            self._own = self._own or self._make()
            return self._judge(self._own, self._pending.pop())
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
        """Stop the searches and the threads; wait at most `patience` seconds for them to end."""
        self._stop.set()
        with self._changed:
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(patience / len(self._threads))
        if self._own is not None:
            self._own.close()
            self._own = None

    def _run(self, number: int, behind: bool) -> None:
        """The thread: judge one task after the other; odd threads take them from the front."""
        behind_window.set(behind)
        try:
            with closing(self._make()) as player:
                while (task := self._next(number)) is not None:
                    self._verdicts.put(self._judge(player, task))
        except Exception as error:  # for the thread that waits
            self._verdicts.put(error)

    def _next(self, number: int) -> ReviewTask | None:
        """The next task for the thread; None to end. Waits while it has no processor granted."""
        with self._changed:
            while not self._stop.is_set():
                if self._pending and number < self._granted:
                    return self._pending.popleft() if number % 2 else self._pending.pop()
                self._changed.wait()
        return None

    def _judge(self, player: Player, task: ReviewTask) -> Verdict:
        """Search in the time that the budget grants."""
        granted = self._budget.reserve(task.longest)
        search = self._compare if task.aim is Aim.COMPARE else self._search
        if task.aim in (Aim.COMPARE, Aim.VERIFY):
            with closing(self._make()) as new:
                verdict, spent = search(new, task, granted)
        else:
            verdict, spent = search(player, task, granted)
        self._budget.release(granted, spent)
        return verdict

    def _search(self, player: Player, task: ReviewTask, seconds: float) -> tuple[Verdict, float]:
        """The verdict and the seconds that it took."""
        both = task.aim is Aim.FIRST and task.move is not None
        info = answer(player, task.position, task.limit(seconds * (1 - _SECOND_SHARE if both else 1.0)), self._stop)
        info = info if task.exact else self._complete_line(player, task.position, info)
        if not both or task.move != info.move or info.mate is not None or len(task.position.legal_moves()) < 2:
            return Verdict(task, info), info.seconds
        pair = answer(player, task.position, task.limit(seconds * _SECOND_SHARE, lines=2), self._stop)
        scores = tuple(line.score for line in pair.lines) if pair.depth > 0 else ()
        return Verdict(task, info, scores), info.seconds + pair.seconds

    def _complete_line(self, player: Player, position: Position, info: Info) -> Info:
        """Return `info` with the line of a proven win or loss to its end, as far as the player finds it at once."""
        line, plies = info.pv, abs(info.mate or 0)
        for before, move in played(position, line):
            position = before.play(move)
        while len(line) < plies and position.outcome is None and not self._stop.is_set():
            more = answer(player, position, Limit(seconds=_SECOND_SHARE, nodes=_LINE), self._stop)
            if more.mate is None or abs(more.mate) > plies - len(line):
                break
            for before, move in played(position, more.pv):
                position, line = before.play(move), (*line, move)
        return replace(info, lines=(Line(info.score, line), *info.lines[1:])) if plies else info

    def _compare(self, player: Player, task: ReviewTask, seconds: float) -> tuple[Verdict, float]:
        """The verdict and the seconds that it took. The position after the move is searched no deeper than the one
        before it was."""
        assert task.move is not None
        best = answer(player, task.position, task.limit(seconds / 2), self._stop)
        depth = None if best.mate is not None else max(1, best.depth - 1)
        position = task.position.play(task.move)
        after = answer(player, position, task.limit(seconds / 2, depth=depth), self._stop)
        played = Score(after.score).seen_from(task.position.turn, position.turn)
        return Verdict(task, best, (best.score, played)), best.seconds + after.seconds
