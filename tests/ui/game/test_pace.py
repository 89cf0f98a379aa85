"""How long a level waits before it answers."""

from __future__ import annotations

from games.record import GameRecord
from games.registry import setup
from ui.game.pace import pause


def test_levels_pause_as_people_do_and_engines_do_not() -> None:
    record = GameRecord(setup("gomoku"))
    opening = pause("level:1", record.position)
    for move in ("h8", "i9", "g7", "i7", "i8", "h7"):
        record.play(record.position.parse_move(move))
    later = pause("level:1", record.position)
    assert 0.3 < opening < later <= 1.6
    assert pause("level:10", record.position) < later
    assert pause("engine", record.position) == 0.0
    seen = set()
    for _ in range(6):
        record.play(record.position.candidates()[3])
        seen.add(round(pause("level:1", record.position), 3))
    assert len(seen) > 3, "never twice the same"
