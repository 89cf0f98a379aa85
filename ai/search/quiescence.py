"""Which moves a search tries beyond its depth, where a position is not quiet: the loud ones, which decide at once."""

from __future__ import annotations

from collections.abc import Sequence

from games.position import Position, threat_moves, urgent_moves

THREATS = 4
"""Plies beyond the horizon up to which threats are tried; forced moves are always."""


def loud_moves(position: Position, beyond: int) -> tuple[Sequence[int], bool]:
    """Return the loud moves of a position `beyond` the horizon by so many plies, and whether one of them is forced:
    wins at once, else replies to a win at once that the other side threatens; else, where none is forced, the moves
    that threaten such a win."""
    urgent = urgent_moves(position)
    if urgent or beyond >= THREATS:
        return urgent, bool(urgent)
    return [move for move in threat_moves(position) if _threatens(position, move)], False


def _threatens(position: Position, move: int) -> bool:
    """Whether the other side has to reply at once, and does not just win."""
    after = position.play(move)
    replies = urgent_moves(after) if after.outcome is None and after.turn != position.turn else ()
    return bool(replies) and after.play(replies[0]).outcome is None
