"""What there is to say of positions and moves besides scores: one `Insight` entry for each game, with defaults.

A heap of bones has its theory here, which no search has to find.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ai.review import gomoku
from ai.review import gomoku as gomoku_why
from ai.review.judgement import MISTAKES, Judged, lost_since
from ai.review.report import Reason, View, proof, solution_view
from ai.review.why import Mistake, Why, why
from games.bones import MOST_TAKEN, BonesPosition
from games.evaluation import Evaluation
from games.position import Position


def _heap_view(position: Position, _evaluation: Evaluation | None) -> View:
    """Return what the side to move should take from the heap, or that it loses."""
    assert isinstance(position, BonesPosition)
    unit = MOST_TAKEN + 1
    surplus = position.left % unit
    return View("take", position.turn, move=surplus, unit=unit) if surplus else View("multiple", unit=unit)


def _heap_why(mistake: Mistake) -> Why | None:
    """Return how many bones the move leaves, if it could have left a multiple that loses for the other side; else
    None."""
    position, unit = mistake.position, MOST_TAKEN + 1
    assert isinstance(position, BonesPosition)
    left = position.left - mistake.played
    return Why("leaves", unit, count=left) if position.left % unit and left % unit else None


@dataclass(frozen=True, kw_only=True)
class Insight:
    """What there is to say of the positions and moves of a game.

    `view(position, evaluation)` is what to say of a position. `reason(position, move)` tells why the side to move would
    play on a free cell, `threats(position, side)` what a piece of a side would make on each cell, one of
    `ai.review.report.THREATS`; both are None in games without shapes. `why` tells what a mistake overlooked.
    """

    view: Callable[[Position, Evaluation | None], View | None] = proof
    reason: Callable[[Position, int], Reason] | None = None
    threats: Callable[[Position, int], dict[int, str]] | None = None
    why: Callable[[Mistake], Why | None] = why


INSIGHTS: dict[str, Insight] = {
    "gomoku": Insight(view=gomoku.view, reason=gomoku.reason, threats=gomoku.threats, why=gomoku_why.why),
    "tictactoe": Insight(view=solution_view),
    "bones": Insight(view=_heap_view, why=_heap_why),
}


def insight(game: str) -> Insight:
    """Return the entry of `game`; one with default values if it has none."""
    return INSIGHTS.get(game, Insight())


def view(position: Position, evaluation: Evaluation | None = None) -> View | None:
    """Return what to say of `position`, such as who wins in how many moves; None if nothing, or if the game is over."""
    return None if position.outcome is not None else insight(position.game).view(position, evaluation)


def why_mistake(judged: Judged, before: Evaluation | None = None, after: Evaluation | None = None) -> Why | None:
    """Return what a move overlooked, or since when the game is lost; None if it lost nothing or no explanation is true.

    `before` and `after` are the evaluations of the positions around it, by default those of the nodes.
    """
    mistake = as_mistake(judged, before, after)
    if judged.kind not in ("inaccuracy", *MISTAKES) and (mistake.since is None or judged.node.outcome is not None):
        return None
    return insight(judged.before.position.game).why(mistake)


def as_mistake(judged: Judged, before: Evaluation | None = None, after: Evaluation | None = None) -> Mistake:
    """Return a move that lost something, and what is known around it. `before` and `after` are as in `why_mistake`."""
    known = before or judged.before.evaluation, after or judged.node.evaluation
    chances = min(1.0, judged.win + judged.loss), judged.win
    since = None if judged.kind in MISTAKES else lost_since(judged)
    return Mistake(judged.before.position, judged.move, judged.best, *known, judged.kind in MISTAKES, *chances, since)
