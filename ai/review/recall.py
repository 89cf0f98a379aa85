"""Recalls the review that a game's nodes contain, without any search."""

from __future__ import annotations

from ai.players import make_player
from ai.review.kinds import MISTAKES
from ai.review.report import Reviewed, reviewed_so_far
from ai.review.review import SECONDS, Review
from games.library.rows import Verdict
from games.record import GameRecord


class _Recalled(Review):
    """A review that asks for nothing; `lacking` tells whether it would have to."""

    lacking = False

    def _ask(self, number: int, purpose: str, move: int | None = None, times: float = 1.0) -> None:
        self.lacking = True


def recalled(record: GameRecord, seconds: float = SECONDS) -> Reviewed | None:
    """Return the review of `record.line()`, with so many `seconds` for each position, if all of it is known."""
    line = record.line()
    if len(line) < 2 or any(node.evaluation is None and node.position.outcome is None for node in line):
        return None
    job = _Recalled(record, seconds, threads=1, make=lambda: make_player("random"))  # nobody asks the player
    job.close(0.0)
    return None if job.lacking else reviewed_so_far(job, record)


def verdict(record: GameRecord) -> Verdict | None:
    """Return the accuracies and the numbers of mistakes of a review that `record` contains."""
    review = recalled(record)
    first, second = review.accuracy if review is not None else (None, None)
    if review is None or first is None or second is None:
        return None
    sides = [move.side for move in review.moves if move.kind in MISTAKES]
    return Verdict(accuracy=(first, second), mistakes=(sides.count(0), sides.count(1)))
