"""What follows from evaluations: proofs, backed-up values, and how long a position was searched."""

from __future__ import annotations

import math

from games.position import FIRST, Position, played
from games.record import Evaluation


def playable(position: Position, moves: tuple[int, ...]) -> tuple[int, ...]:
    """Return as many of `moves` as can be played one after the other from `position`."""
    return tuple(move for _, move in played(position, moves))


def proves(known: Evaluation, side: int) -> bool:
    """Whether it is proven that `side` wins."""
    return known.mate is not None and (known.mate > 0) == (side == FIRST)


def backed_up(after: Evaluation, move: int, depth: int) -> Evaluation:
    """Back up the evaluation `after` over `move`, to the position before it, which was searched to `depth`."""
    mate = None if after.mate is None else after.mate + (1 if after.mate > 0 else -1)
    return Evaluation(after.score, mate, max(depth, after.depth + 1), (move, *after.line), after.seconds)


def proven_after(known: Evaluation, move: int, after: Evaluation) -> Evaluation | None:
    """The proof of a position, carried over `move` to the next one, which has the evaluation `after`.

    None if that one is proven already, or the proof does not begin with `move`.
    """
    if known.mate is None or after.mate is not None or known.line[:1] != (move,) or len(known.line) < 2:
        return None
    mate = known.mate - (1 if known.mate > 0 else -1)
    found = Evaluation(known.score, mate, max(known.depth - 1, after.depth), known.line[1:], after.seconds)
    return found.with_findings_of(after)


def deep_enough(known: Evaluation, seconds: float) -> bool:
    """Whether a search of `seconds` would hardly add to it: it is proven, had that time, or is as deep as such searches
    are (twelve plies in 0.5 s, two more for each doubling)."""
    deep = known.depth >= max(6, 12 + round(2 * math.log2(seconds / 0.5)))
    return known.proven or known.seconds >= seconds or deep


def confidence(known: Evaluation | None, seconds: float) -> float:
    """The time of the search behind `known`, as a multiple of `seconds`: infinite for a proof, 0 without a line."""
    if known is None or not known.line:
        return 0.0
    return math.inf if known.proven else round(known.seconds / seconds, 3)
