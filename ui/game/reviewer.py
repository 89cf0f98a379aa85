"""The review of a game in a window: polled each frame, so that the record is touched by the window's thread alone."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

from ai.player import Player
from ai.players import needs_engine, strongest
from ai.review.judgement import Judged
from ai.review.kinds import MISTAKES
from ai.review.recall import was_reviewed
from ai.review.report import Reviewed, reviewed_so_far
from ai.review.review import SECONDS, Progress, Review
from ai.thread_priority import behind_window
from games.record import GameRecord, Node, path
from ui.host import Host

_LOOK = 0.1  # seconds between two looks at a review under way
_KEEP = 10.0  # seconds after which what was found is worth a file

_log = logging.getLogger(__name__)

State = Literal["new", "waiting", "running", "over", "cancelled", "failed"]
"""`waiting` is for the engine, which is being compiled."""


class Reviewer:
    """`start` a review of the line of `record` that is shown, `update` it each frame, `cancel` it.

    What the searches find is stored in the nodes; `learned` says so, for the scene to reset.
    """

    def __init__(
        self, host: Host, record: GameRecord, seconds: float = SECONDS, make: Callable[[], Player] | None = None
    ) -> None:
        self.record = record
        self.state: State = "new"
        self.share = 0.0
        """How much has been done, from 0 to 1."""
        self.learned = False
        self.found: Reviewed | None = None
        """What is known so far; None before the start."""
        self.nodes: list[Node] = []
        """The line that is reviewed, from the beginning."""
        self.judged: dict[Node, Judged] = {}
        self.kinds: dict[Node, str] = {}
        """The kind of each move that was judged, one of `ai.review.kinds.KINDS`."""
        self._host, self.seconds, self._make = host, seconds, make
        self._job: Review | None = None
        self._searched = False
        self._kept = -math.inf

    @property
    def busy(self) -> bool:
        return self.state in ("waiting", "running")

    def start(self) -> None:
        """Review the line through the cursor; what its nodes know already is not asked again."""
        self.cancel()
        self.nodes, self.judged, self.kinds, self.found, self.share = [], {}, {}, None, 0.0
        self._searched = False
        self.state = "waiting"
        if self._needs_engine:
            self._host.engine.start()
        self.update(-math.inf)

    @property
    def known(self) -> bool:
        """Whether the line was reviewed before, so that `start` takes no time."""
        return was_reviewed(self.record, self.seconds)

    @property
    def _needs_engine(self) -> bool:
        game = self.record.setup.game
        return needs_engine(strongest(game), game) and not self.known

    def update(self, now: float) -> bool:
        """Take what is new. Return whether anything is."""
        if self.state == "waiting":
            return self._begin()
        if self._job is None:
            return False
        self._job.grant(self._host.searches.spare)
        try:
            news = self._job.poll()
        except Exception:  # whatever a player raised
            _log.exception("The review failed.")
            self._end("failed")
            return True
        for each in news:
            self._take(each)
        if news:
            self._sum_up()
        if self._job.over:
            self._end("over")
        elif news and now >= self._kept + _KEEP:
            self._kept, self.learned = now, True
        return bool(news)

    def _begin(self) -> bool:
        """Start the searches once the engine is ready."""
        if self._needs_engine and self._host.engine.state.name == "failed":
            self._end("failed")
        elif not self._needs_engine or self._host.engine.ready:
            with _behind_window():
                self._job = Review(self.record, self.seconds, make=self._make)
            self.state, self.nodes = "running", self._job.nodes
            self._sum_up()
            self.update(-math.inf)
        return self.state != "waiting"

    def _take(self, news: Progress | Judged) -> None:
        if isinstance(news, Progress):
            self._searched, self.share = True, news.share
        else:
            self.judged[news.node], self.kinds[news.node] = news, news.kind

    def _sum_up(self) -> None:
        if self._job is not None:
            self.found = reviewed_so_far(self._job.assessment, self.record)

    def _end(self, state: State) -> None:
        if self._job is not None:
            self._job.close(0.0)
            self._job, self.learned = None, self.learned or self._searched
        self.state = state
        self.share = 1.0 if state == "over" else self.share

    def cancel(self) -> None:
        """End the searches within 0.2 s, without waiting for them. What was found stays."""
        if self.busy:
            self._end("cancelled")

    def wake(self) -> float | None:
        """Seconds until `update` is due."""
        return _LOOK if self.busy else None

    # Going through it.

    def mistake(self, node: Node, step: int) -> Judged | None:
        """The next mistake after `node`, or with `step` -1 the one before, in the line that was reviewed; the first one
        follows the last. None if there is no other that was not removed since."""
        ordered = [each for each in self._mistakes[::step] if path(each.node)[0] is self.record.root]
        ply = node.position.ply
        beyond = [each for each in ordered if (each.node.position.ply - ply) * step > 0]
        return next((each for each in (*beyond, *ordered) if each.node is not node), None)

    @property
    def losing(self) -> Judged | None:
        """The last mistake of the side that lost; None for one that made none, and where nobody lost."""
        outcome = self.nodes[-1].outcome
        winner = None if outcome is None else outcome.winner
        lost = [] if winner is None else [each for each in self._mistakes if each.side != winner]
        return lost[-1] if lost else None

    @property
    def _mistakes(self) -> list[Judged]:
        return sorted((each for each in self.judged.values() if each.kind in MISTAKES), key=lambda each: each.number)


@contextmanager
def _behind_window() -> Iterator[None]:
    """Threads that are started in the block give way to the window."""
    token = behind_window.set(True)
    try:
        yield
    finally:
        behind_window.reset(token)
