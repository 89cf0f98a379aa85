"""The Swap2 opening: one side places three stones; the other chooses a colour, or adds two stones and lets the
first choose."""

from __future__ import annotations

from ai.arena.openings import openings
from games.formats.text import parse
from games.record import moves_to
from games.registry import setup

_STONES = 3


def opening(size: int, rule: str) -> tuple[int, ...]:
    """Return three stones that give both sides about equal chances, different ones each time."""
    chosen = setup("gomoku", size, rule)
    short = (parse(text, chosen).cursor for text in openings(chosen, None, None))
    for node in short:
        moves = moves_to(node)
        if len(moves) == _STONES:
            return moves
    centre = size // 2 * size + size // 2
    return centre, centre - size - 1, centre + size
