"""The engine's view of a position as data, for a window or a page to put into words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from ai.player import Info, Limit, answer
from ai.review.reasons import double_threat
from ai.search.alphabeta import AlphaBeta
from games.bones import MOST_TAKEN
from games.position import FIRST, SECOND, Position
from games.record import Evaluation
from games.registry import Setup


@dataclass(frozen=True, slots=True)
class View:
    """What there is to say of a position, by `kind`:

    - ``wins``: `side` wins in `moves` moves of its own;
    - ``double_threat``: `side` threatens to win in two ways, but nothing is proven;
    - ``draw``: a draw with best play;
    - ``take``: the side to move wins by taking `move`, which leaves a multiple of `unit`;
    - ``multiple``: the heap is a multiple of `unit`, so that the side to move loses against best play.
    """

    kind: str
    side: int | None = None
    moves: int | None = None
    move: int | None = None
    unit: int | None = None


def view(setup: Setup, position: Position, evaluation: Evaluation | None = None) -> View | None:
    """What can be said of `position`; None where that is nothing, and where the game is over."""
    if position.outcome is not None:
        return None
    return _VIEWS.get(setup.game, _general)(position, evaluation)


def proof(evaluation: Evaluation | None) -> View | None:
    """The forced win that `evaluation` knows of."""
    if evaluation is None or evaluation.mate is None:
        return None
    return View("wins", FIRST if evaluation.mate > 0 else SECOND, (abs(evaluation.mate) + 1) // 2)


def _general(_position: Position, evaluation: Evaluation | None) -> View | None:
    return proof(evaluation)


def _gomoku(position: Position, evaluation: Evaluation | None) -> View | None:
    sides = (position.turn, 1 - position.turn)
    threats = (View("double_threat", side) for side in sides if double_threat(position, side))
    return proof(evaluation) or next(threats, None)


def _tictactoe(position: Position, _evaluation: Evaluation | None) -> View | None:
    info = _solved(position)  # type: ignore[arg-type]  # every Position of ours is hashable
    if info.mate is None:
        return View("draw")
    winner = position.turn if info.mate > 0 else 1 - position.turn
    return View("wins", winner, (abs(info.mate) + 1) // 2, info.move)


@lru_cache(maxsize=1024)
def _solved(position: Position) -> Info:
    """Searched to the end: 0.03 s for the empty board."""
    return answer(AlphaBeta(), position, Limit())


def _bones(position: Position, _evaluation: Evaluation | None) -> View | None:
    unit = MOST_TAKEN + 1
    left = getattr(position, "left", 0)
    return View("take", position.turn, move=left % unit, unit=unit) if left % unit else View("multiple", unit=unit)


_VIEWS: dict[str, Callable[[Position, Evaluation | None], View | None]] = {
    "gomoku": _gomoku,
    "tictactoe": _tictactoe,
    "bones": _bones,
}
