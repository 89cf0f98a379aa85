"""Recall the review that a game's nodes contain, without a search."""

from __future__ import annotations

from ai.review.assessment import FIRST_SEARCH, Assessment
from ai.review.kinds import MISTAKES
from ai.review.report import Reviewed, reviewed_so_far
from ai.review.review import SECONDS
from games.library.rows import Verdict
from games.record import Evaluation, GameRecord


def recalled(record: GameRecord, seconds: float = SECONDS) -> Reviewed | None:
    """Return the review of `record.line()`, with so many `seconds` for each position, if its nodes know all of it."""
    line = record.line()
    state = Assessment(record.setup, line, seconds)
    if len(line) < 2 or state.missing:
        return None
    state.begin()
    return None if state.tasks else reviewed_so_far(state, record)


def verdict(record: GameRecord) -> Verdict | None:
    """Return the accuracies and the numbers of mistakes of a review that `record` contains."""
    review = recalled(record)
    first, second = review.accuracy if review is not None else (None, None)
    if review is None or first is None or second is None:
        return None
    sides = [move.side for move in review.moves if move.kind in MISTAKES]
    return Verdict(accuracy=(first, second), mistakes=(sides.count(0), sides.count(1)))


def was_reviewed(record: GameRecord, seconds: float = SECONDS) -> bool:
    """Whether each position of `record.line()` had a search as long as a review's: a review would hardly add to it."""
    open_nodes = (node for node in record.line() if node.position.outcome is None)
    return all(_had(node.evaluation, FIRST_SEARCH * seconds) for node in open_nodes)


def _had(known: Evaluation | None, seconds: float) -> bool:
    return known is not None and bool(known.line) and (known.proven or known.seconds >= seconds)
