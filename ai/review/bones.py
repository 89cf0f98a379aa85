"""Views and reasons of a heap of bones: its theory, which no search has to find."""

from __future__ import annotations

from ai.review.report import View
from ai.review.why import Mistake, Why
from games.bones import MOST_TAKEN, BonesPosition
from games.evaluation import Evaluation
from games.position import Position


def view(position: Position, _evaluation: Evaluation | None) -> View:
    """Return what the side to move should take, or that it loses."""
    assert isinstance(position, BonesPosition)
    unit = MOST_TAKEN + 1
    surplus = position.left % unit
    return View("take", position.turn, move=surplus, unit=unit) if surplus else View("multiple", unit=unit)


def why(mistake: Mistake) -> Why | None:
    """Return how many bones the move leaves where it could have left a multiple."""
    position, unit = mistake.position, MOST_TAKEN + 1
    assert isinstance(position, BonesPosition)
    left = position.left - mistake.played
    return Why("leaves", unit, count=left) if position.left % unit and left % unit else None
