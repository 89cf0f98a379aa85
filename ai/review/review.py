"""Review a line of a game: what each move lost, what would have been better, and how accurate the players were.

`Review` belongs to one thread, a window's for example, which polls it; its searches run on threads of their own.
`ai.review.judgement` defines the kinds of moves, `ai.review.assessment` what is searched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from ai.core.player import Player, Stop
from ai.players.table import Context, make, needs_engine, strongest
from ai.review.assessment import FIRST_SEARCH, Assessment
from ai.review.judgement import Judged
from ai.review.judges import PATIENCE, Judges, ReviewBudget
from ai.system.threads import processors
from games.record import GameRecord

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
