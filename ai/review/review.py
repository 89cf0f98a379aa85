"""Review a line of a game: what each move lost, what would have been better, and how accurate the players were.

`Review` belongs to one thread, a window's for example, which polls it; its searches run on threads of their own, each
with a player of its own: the `Judges`, who share the time. The kernels release the GIL, so that two threads use two
processors.

`ai.review.judgement` defines the kinds of moves, `ai.review.assessment` what is searched.
"""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial

from ai.core.player import Info, Limit, Line, Player, Stop, answer
from ai.core.score import Score
from ai.players.table import Context, make, needs_engine, strongest
from ai.review.assessment import FIRST_SEARCH, Aim, Assessment, ReviewTask, Verdict
from ai.review.judgement import Judged
from ai.system.threads import behind_window, processors
from games.position import Position, played
from games.record import GameRecord

PATIENCE = 0.1
"""Seconds to wait for stopped threads."""

_TIMES = 2.0  # the seconds of a position, for all that is searched
_POSITIONS = 60  # a shorter game has as much time as one with so many
_SECOND_SHARE = 0.15  # of the time, for the score of the second best move
_LINE = 200_000  # nodes to find how a proven line goes on
_WAKE = 1.0  # seconds after which a waiting thread can be interrupted, as Windows needs


class ReviewBudget:
    """Thread-seconds that a review may use: twice `seconds` for each of its `positions`, but at least for a game of 60.

    `open` is the number of moves under confirmation. Any thread may reserve and release.
    """

    def __init__(self, seconds: float, positions: int) -> None:
        self.left = _TIMES * seconds * max(_POSITIONS, positions)
        self.spent = 0.0
        self.open = 0
        self._lock = threading.Lock()

    def reserve(self, seconds: float) -> float:
        """Take seconds from the budget for a search, and return how many: at most `seconds`, and a share of what is
        left.

        The share is one half, divided among the open moves, so that there is always something left.
        """
        with self._lock:
            granted = min(seconds, self.left / (2 * max(1, self.open)))
            self.left -= granted
            return granted

    def release(self, granted: float, spent: float) -> None:
        """Return to the budget what a search did not use: `granted` less `spent`, if that is positive."""
        spent = min(granted, spent)
        with self._lock:
            self.left += granted - spent
            self.spent += spent


class Judges:
    """The threads that search for a review: `ask` for searches, `take` verdicts, `close`.

    All methods but `wake` belong to one thread. With 0 `threads`, `take` itself searches, so that the order of searches
    does not depend on the machine. `make` makes a player for each thread.
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
        """Let only so many threads take further tasks; those under way are finished."""
        if threads != self._granted:
            with self._changed:
                self._granted = threads
                self._changed.notify_all()

    def ask(self, task: ReviewTask) -> None:
        """Queue `task`. Threads take tasks from both ends, so that each searches neighbouring positions with its own
        table."""
        with self._changed:
            self._pending.append(task)
            self._changed.notify_all()

    def take(self, wait: bool) -> Verdict | None:
        """Return the next verdict, or None if there is none. With `wait`, wait for one up to a second, or until `wake`.

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
        """Let a waiting `take` return; any thread may call it."""
        self._verdicts.put(None)

    def close(self, patience: float = PATIENCE) -> None:
        """Stop the searches and threads; wait at most `patience` seconds for them."""
        self._stop.set()
        with self._changed:
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(patience / len(self._threads))
        if self._own is not None:
            self._own.close()
            self._own = None

    def _run(self, number: int, behind: bool) -> None:
        """Thread: carry out one task after the other with a player of its own, with `behind_window` set to `behind`."""
        behind_window.set(behind)
        try:
            with closing(self._make()) as player:
                while (task := self._next_task(number)) is not None:
                    self._verdicts.put(self._judge(player, task))
        except Exception as error:  # for the thread that waits
            self._verdicts.put(error)

    def _next_task(self, number: int) -> ReviewTask | None:
        """Wait for the next task of a thread that is granted, and return it; None to end. Odd threads take the first
        one."""
        with self._changed:
            while not self._stop.is_set():
                if self._pending and number < self._granted:
                    return self._pending.popleft() if number % 2 else self._pending.pop()
                self._changed.wait()
        return None

    def _judge(self, player: Player, task: ReviewTask) -> Verdict:
        """Carry out a task in the time that the budget grants."""
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
        """Search the position. Return the verdict and the seconds spent.

        A first search also scores the second best move, in a part of the time, if the best one was played.
        """
        both = task.aim is Aim.FIRST and task.move is not None
        info = answer(player, task.position, task.limit(seconds * (1 - _SECOND_SHARE if both else 1.0)), self._stop)
        info = info if task.exact else self._complete_line(player, task.position, info)
        if not both or task.move != info.move or info.mate is not None or len(task.position.legal_moves()) < 2:
            return Verdict(task, info), info.seconds
        pair = answer(player, task.position, task.limit(seconds * _SECOND_SHARE, lines=2), self._stop)
        scores = tuple(line.score for line in pair.lines) if pair.depth > 0 else ()
        return Verdict(task, info, scores), info.seconds + pair.seconds

    def _complete_line(self, player: Player, position: Position, info: Info) -> Info:
        """Return `info` with the line of a proven result continued to its end, as far as short searches find it."""
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
        """Score the best and the played move. Return the verdict and the seconds spent.

        The position after the played move is searched to no greater depth than the best move was.
        """
        assert task.move is not None
        best = answer(player, task.position, task.limit(seconds / 2), self._stop)
        depth = None if best.mate is not None else max(1, best.depth - 1)
        position = task.position.play(task.move)
        after = answer(player, position, task.limit(seconds / 2, depth=depth), self._stop)
        played = Score(after.score).seen_from(task.position.turn, position.turn)
        return Verdict(task, best, (best.score, played)), best.seconds + after.seconds


SECONDS = 0.5
"""For each position, by default."""

_PER_MISTAKE = 10.0  # times as long for all searches of a mistake, for the estimate of what is left to do
_PORTION = 6  # moves that are judged at once while a window waits
_MEMORY_MB = 32


@dataclass(frozen=True, slots=True)
class ReviewShare:
    """The share of the work that is done, from 0 to 1; it never decreases."""

    share: float


def make_judge(game: str) -> Player:
    """Make the strongest player of a game, with little memory, for one thread of a review."""
    return make(strongest(game), Context(game, memory_mb=_MEMORY_MB))


class Review:
    """A review under way: `poll` it until it is `over`, or `close` it before that. `assessment` has its results so far.

    `seconds` is the time for each position. `threads` search, by default one for each processor; with 0 `poll` itself
    searches, so that the result does not depend on the machine if the player's does not. `make` makes the players.
    """

    def __init__(
        self,
        record: GameRecord,
        seconds: float = SECONDS,
        threads: int | None = None,
        make: Callable[[], Player] | None = None,
    ) -> None:
        self.nodes = record.line()
        self.assessment = Assessment(record.setup, self.nodes, seconds)
        self._seconds, self._share = seconds, 0.0
        game = record.setup.game
        most = processors() if threads is None else threads
        most = most if needs_engine(strongest(game), game) else min(1, most)  # others hold the GIL
        self._budget = ReviewBudget(seconds, len(self.nodes))
        self._judges = Judges(make or partial(make_judge, game), min(most, self.assessment.missing or 1), self._budget)
        self.assessment.begin()
        self._ask()

    def _ask(self) -> None:
        """Queue the tasks of the assessment."""
        self._budget.open = self.assessment.open
        for task in self.assessment.tasks:
            self._judges.ask(task)
        self.assessment.tasks.clear()

    @property
    def over(self) -> bool:
        """Whether nothing is left to search or to report."""
        return not (self.assessment.searching or self.assessment.backlog or self.assessment.news)

    def run(self, stop: Stop, granted: Callable[[], int] = processors) -> Iterator[ReviewShare | Judged]:
        """Yield progress and judgements until all is known or `stop` is set; then close.

        `granted` tells how many threads may search at each moment.
        """
        try:
            with stop.calling(self._judges.wake):
                while not self.over and not stop.is_set():
                    self.grant(granted())
                    yield from self.poll(wait=True)
        finally:
            self.close()

    def poll(self, wait: bool = False) -> list[ReviewShare | Judged]:
        """Return progress and judgements since the last call; a move is there again if its judgement has changed.

        With `wait`, wait for at most a second until there is something. Raise what a player raised.
        """
        state, found = self.assessment, list[ReviewShare | Judged]()
        while not self.over:
            advanced = state.advance(_PORTION)
            self._ask()
            idle = wait and not (found or state.news or state.backlog)
            verdict = self._judges.take(idle) if state.searching else None
            if verdict is not None:
                state.take(verdict)
            if (verdict is not None or advanced) and not state.backlog:
                self._share = max(self._share, self._share_by_now())
                found.append(ReviewShare(self._share))
            found += state.news
            state.news.clear()
            if verdict is None and not (wait and state.backlog):
                break
        return found

    def _share_by_now(self) -> float:
        """Estimate the share of the work that is done, from 0 to 1, by the seconds that searches used and will need."""
        if not self.assessment.searching:
            return 1.0
        first = FIRST_SEARCH * self._seconds * self.assessment.missing
        others = min(_PER_MISTAKE * self._seconds * self.assessment.open, self._budget.left)
        return self._budget.spent / (self._budget.spent + first + others)

    def grant(self, threads: int) -> None:
        """Let at most so many threads search from now on; 0 pauses the review."""
        self._judges.grant(threads)

    def close(self, patience: float = PATIENCE) -> None:
        """Stop the searches, which takes less than 0.2 s; wait at most `patience` seconds for their threads."""
        self._judges.close(patience)
