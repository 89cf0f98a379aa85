"""The next game between the same players."""

from __future__ import annotations

from dataclasses import replace

from ai.profile import resolve_level
from games.record import GameRecord


def rematch(record: GameRecord) -> GameRecord:
    """The same game with the sides swapped; the level of an even match is that of the rating now."""
    game = record.setup.game
    first, second = (replace(seat, player=resolve_level(seat.player, game)) for seat in record.seats)
    return GameRecord(record.setup, (second, first), control=record.control, stones=record.stones)
