"""Recalls the review that a game's nodes contain, without any search."""

from __future__ import annotations

from ai.review.kinds import MISTAKES
from ai.review.report import Reviewed, reviewed_so_far
from ai.review.review import FIRST_LOOK, SECONDS, Review
from ai.search.random_player import RandomPlayer
from games.library.rows import Verdict
from games.record import Evaluation, GameRecord


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
    job = _Recalled(record, seconds, threads=1, make=RandomPlayer)  # nobody asks the player
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


def was_reviewed(record: GameRecord, seconds: float = SECONDS) -> bool:
    """Whether each position of `record.line()` had a search as long as a review's, so that a review asks hardly any."""
    open_nodes = (node for node in record.line() if node.position.outcome is None)
    return all(_had(node.evaluation, FIRST_LOOK * seconds) for node in open_nodes)


def _had(known: Evaluation | None, seconds: float) -> bool:
    return known is not None and bool(known.line) and (known.mate is not None or known.seconds >= seconds)
