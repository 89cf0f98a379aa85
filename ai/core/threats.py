"""Wins at once and forks, found by playing the moves of any game, and what a move does about them."""

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
    return [move for move in position.legal_moves() if _is_fork(position.play(move), position.turn)]


def purpose_of(position: Position, move: int) -> str:
    """Return what `move` does at once: ``wins``; ``blocks`` a win at once of the other side; ``forks``, so that the
    other side cannot prevent a win at once; ``prevents`` a fork of the other side; empty for none of these."""
    if move in wins_of(position):
        return "wins"
    after, others = position.play(move), [other for other in position.legal_moves() if other != move]
    if after.outcome is not None or after.turn == position.turn:
        return ""
    if not wins_of(after) and others and all(move in wins_of(position.play(other)) for other in others):
        return "blocks"
    if _is_fork(after, position.turn):
        return "forks"
    if not wins_of(after) and not forks_of(after) and any(forks_of(position.play(other)) for other in others):
        return "prevents"
    return ""


def _is_fork(position: Position, side: int) -> bool:
    """Whether the other side is to move, cannot win at once, and hands `side` a win at once with every move."""
    if position.outcome is not None or position.turn == side or wins_of(position):
        return False
    after = (position.play(reply) for reply in position.legal_moves())
    return all(each.turn == side and wins_of(each) for each in after)
