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


SECONDS = 0.5
"""For each position, by default."""

_PER_MISTAKE = 10.0  # times as long for all searches of a mistake, for the estimate of what is left to do
_PORTION = 6  # moves that are judged at once while a window waits
_MEMORY_MB = 32


@dataclass(frozen=True, slots=True)
class ReviewShare:
    """The share of the work that is done, by time, from 0 to 1; never less than before."""

    share: float


def make_judge(game: str) -> Player:
    """Make the strongest player of a game, with the memory of a review."""
    return make(strongest(game), Context(game, memory_mb=_MEMORY_MB))


class Review:
    """A review under way: `poll` it until it is `over`, or `close` it before. `assessment` has what is known so far.

    `threads` search, by default as many as there are processors; with 0 `poll` searches itself, so that a review by a
    player whose results do not depend on the machine does not, either.
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
        """Pass on the tasks of the assessment."""
        self._budget.open = self.assessment.open
        for task in self.assessment.tasks:
            self._judges.ask(task)
        self.assessment.tasks.clear()

    @property
    def over(self) -> bool:
        """Whether nothing is left to search and to report."""
        return not (self.assessment.searching or self.assessment.backlog or self.assessment.news)

    def run(self, stop: Stop, granted: Callable[[], int] = processors) -> Iterator[ReviewShare | Judged]:
        """Yield what is new until all is known or `stop` is set, with as many threads as are `granted` at each moment;
        then close."""
        try:
            with stop.calling(self._judges.wake):
                while not self.over and not stop.is_set():
                    self.grant(granted())
                    yield from self.poll(wait=True)
        finally:
            self.close()

    def poll(self, wait: bool = False) -> list[ReviewShare | Judged]:
        """What is new; a move comes again when its judgement changes. With `wait`, block until there is news, for
        at most a second. Raise what a player raised.
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
        """How much is done, from 0 to 1, by the seconds that searches have and will need."""
        if not self.assessment.searching:
            return 1.0
        first = FIRST_SEARCH * self._seconds * self.assessment.missing
        others = min(_PER_MISTAKE * self._seconds * self.assessment.open, self._budget.left)
        return self._budget.spent / (self._budget.spent + first + others)

    def grant(self, threads: int) -> None:
        """Use at most so many threads from now on; 0 rests."""
        self._judges.grant(threads)

    def close(self, patience: float = PATIENCE) -> None:
        """Stop the searches, which takes less than 0.2 s; wait for their threads at most `patience` seconds."""
        self._judges.close(patience)
