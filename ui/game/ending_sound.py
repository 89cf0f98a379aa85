"""Which sound the end of a game has."""

from __future__ import annotations

from games.record import GameRecord, only_person
from ui.system.sound import Name


def ending_sound(record: GameRecord) -> Name | None:
    """How the end of `record` sounds to whom it may concern: a loss only to the one person at the board."""
    if record.outcome is None:
        return None
    if record.outcome.winner is None:
        return "draw"
    return "loss" if only_person(record.seats) == 1 - record.outcome.winner else "win"
