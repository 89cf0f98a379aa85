"""Win probabilities of moves for a player who looks a few plies ahead: to fit a model, and to play by it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from ai.player import Info, Limit, answer
from ai.score import Score
from ai.search.alphabeta import AlphaBeta
from ai.win_probability import curve_of
from games.position import Outcome, Position, own_plans

_FEW = 12
"""Legal moves that are all considered."""

_PLANS = 16
"""Of a game with more moves: those considered for the mover's own sake, besides the candidates."""


def pool(position: Position) -> tuple[int, ...]:
    """Return the moves that a player who may overlook a threat considers."""
    legal = position.legal_moves()
    if len(legal) <= _FEW:
        return tuple(legal)
    return tuple(dict.fromkeys((*position.candidates(), *own_plans(position)[:_PLANS])))


def win_chance(position: Position, score: int) -> float:
    """Return the win probability of the side to move with a `score`, a draw being half a win."""
    mate = Score(score).mate
    return float(mate > 0) if mate is not None else curve_of(position).probability(score, position.ply)


def result(end: Outcome, side: int) -> float:
    """Return the result of a finished game for `side`: 1, 0.5 or 0."""
    return 0.5 if end.winner is None else float(end.winner == side)


def found(position: Position, info: Info, side: int) -> float:
    """Return the win probability of `side` in `position` by what a search found."""
    exact_draw = info.mate is None and bool(info.lines) and info.lines[0].exact
    chance = 0.5 if exact_draw else win_chance(position, info.score)
    return chance if position.turn == side else 1 - chance


@lru_cache(maxsize=20_000)
def chance_after(position: Position, move: int, depth: int) -> float:
    """Return the win probability of the side to move after `move`, found by a search of `depth` plies in all."""
    after, side = position.play(move), position.turn
    if (end := after.outcome) is not None:
        return result(end, side)
    if depth > 1:
        return found(after, answer(AlphaBeta(), after, Limit(depth=depth - 1)), side)
    chance = win_chance(after, after.evaluate())
    return chance if after.turn == side else 1 - chance


def win_chances(position: Position, moves: frozenset[int], depth: int) -> Mapping[int, float]:
    """Return the win probability after each of `moves`, ascending."""
    return {move: chance_after(position, move, depth) for move in sorted(moves)}
