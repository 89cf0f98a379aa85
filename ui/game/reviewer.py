"""The review of a game in a window: polled each frame, so that only the window's thread touches the record."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from typing import Literal

from ai.player import Player
from ai.players import needs_engine, strongest
from ai.review.judgement import Judged
from ai.review.kinds import MISTAKES
from ai.review.report import Reviewed, judged_again, reviewed_so_far, was_reviewed
from ai.review.review import SECONDS, Progress, Review
from games.evaluation import Evaluation
from games.record import GameRecord, Node, path
from ui.game.exercise import collect
from ui.host import Host

_POLL = 0.1  # seconds between polls
_AGAIN = 0.5  # seconds at least between two judgements of a line that has learned more
_SAVE = 10.0  # seconds between saves of a review under way

_log = logging.getLogger(__name__)

State = Literal["new", "waiting", "running", "over", "cancelled", "failed"]
"""`waiting` until the engine is compiled."""


class Reviewer:
    """`start` a review of the line of `record` that is shown, `update` it each frame, `cancel` it.

    The findings are stored in the nodes. `learned` is set when there are some to save; the owner resets it.
    """

    seconds = SECONDS
    make: Callable[[], Player] | None = None
    """What makes the players; None for the strongest of the game."""

    def __init__(self, host: Host, record: GameRecord) -> None:
        self.record = record
        self.state: State = "new"
        self.share = 0.0
        """The share of the work that is done, from 0 to 1."""
        self.learned = False
        self.found: Reviewed | None = None
        """The review so far; None before the start."""
        self.nodes: list[Node] = []
        """The line under review, from the root."""
        self.judged: dict[Node, Judged] = {}
        self.kinds: dict[Node, str] = {}
        """The kind of each move that was judged, one of `ai.review.kinds.KINDS`."""
        self._host = host
        self._job: Review | None = None
        self._searched = False
        self._saved = self._judged_at = -math.inf
        self._known_then: list[Evaluation | None] = []  # what the line knew when it was judged

    @property
    def busy(self) -> bool:
        return self.state in ("waiting", "running")

    def start(self) -> None:
        """Review the line through the cursor; what its nodes know already is not searched again."""
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

    def update(self, now: float) -> None:
        """Take new findings, and judge a finished review again when the line has learned more."""
        if self.state == "waiting":
            self._begin()
        elif self.state == "over" and now >= self._judged_at + _AGAIN and self._known_now != self._known_then:
            self._judged_at = now
            self._judge_again()
        job = self._job
        if job is None:
            return
        if path(self.nodes[-1])[0] is not self.record.root:  # moves of the line were removed
            self.cancel()
            return
        try:
            news = job.poll()
        except Exception:  # whatever a player raised
            _log.exception("The review failed.")
            self._end("failed")
            return
        for each in news:
            if isinstance(each, Progress):
                self._searched, self.share = True, each.share
            else:
                self.judged[each.node], self.kinds[each.node] = each, each.kind
        if news:
            self.found = reviewed_so_far(job.assessment, self.record)
        if job.over:
            self._end("over")
        elif news and now >= self._saved + _SAVE:
            self._saved, self.learned = now, True

    def _begin(self) -> None:
        """Start the searches once the engine is ready."""
        if self._needs_engine and self._host.engine.state.name == "failed":
            self._end("failed")
        elif not self._needs_engine or self._host.engine.ready:
            self._job = self._host.searches.review(self.record, self.seconds, self.make)
            self.state, self.nodes = "running", self._job.nodes
            self.found = reviewed_so_far(self._job.assessment, self.record)

    def _end(self, state: State) -> None:
        if self._job is not None:
            self._job.close(0.0)
            self._job, self.learned = None, self.learned or self._searched
        self.state = state
        if state == "over":
            self.share = 1.0
            self._judge_again()
            collect(self.record, self.judged.values(), self._host.settings.own_names)

    @property
    def _known_now(self) -> list[Evaluation | None]:
        return [node.evaluation for node in self.nodes]

    def _judge_again(self) -> None:
        """Judge all moves by what the nodes know now, as the file does."""
        found = judged_again(self.record, self.nodes, self.seconds)
        self._known_then = self._known_now
        if found is not None:
            self.found = found
            self.judged = {each.node: each for each in found.moves}
            self.kinds = {each.node: each.kind for each in found.moves}

    def cancel(self) -> None:
        """Stop the searches, which end within 0.2 s, without waiting for them. Keep what was found."""
        if self.busy:
            self._end("cancelled")

    def wake(self) -> float | None:
        """Seconds until `update` is due."""
        return _POLL if self.busy else None

    # Mistakes.

    def mistake(self, node: Node, step: int) -> Judged | None:
        """The next mistake after `node` in the reviewed line, or with `step` -1 the previous one. The first one follows
        the last. None if there is no other in the tree; mistakes that were removed from it do not count."""
        ordered = [each for each in self._mistakes[::step] if path(each.node)[0] is self.record.root]
        ply = node.position.ply
        beyond = [each for each in ordered if (each.node.position.ply - ply) * step > 0]
        return next((each for each in (*beyond, *ordered) if each.node is not node), None)

    @property
    def losing(self) -> Judged | None:
        """The gravest mistake of the side that lost, the last of equals; None if it made none, or nobody lost."""
        outcome = self.nodes[-1].outcome
        winner = None if outcome is None else outcome.winner
        mistakes = [] if winner is None else [each for each in self._mistakes if each.side != winner]
        return max(mistakes, key=lambda each: (each.loss, each.number), default=None)

    @property
    def _mistakes(self) -> list[Judged]:
        return sorted((each for each in self.judged.values() if each.kind in MISTAKES), key=lambda each: each.number)
