"""Wins at once and forks, found by playing the moves of any game."""

from __future__ import annotations

from games.position import Outcome, Position


def wins_of(position: Position) -> dict[int, Outcome]:
    """Return the moves with which the side to move wins at once, with their outcomes."""
    if position.outcome is not None:
        return {}
    outcomes = ((move, position.play(move).outcome) for move in position.legal_moves())
    return {move: end for move, end in outcomes if end is not None and end.winner == position.turn}


def forks_of(position: Position) -> list[int]:
    """Return the moves after which the other side can neither win at once nor prevent that the side to move does."""
    return [move for move in position.legal_moves() if _is_fork(position.play(move))]


def _is_fork(position: Position) -> bool:
    if position.outcome is not None or wins_of(position):
        return False
    return all(wins_of(position.play(reply)) for reply in position.legal_moves())
