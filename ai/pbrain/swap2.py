"""The Swap2 opening: one side places three stones; the other chooses a colour, or adds two stones and lets the
first choose."""

from __future__ import annotations

import random

from ai.gomoku.openings import openings
from games.formats.text import parse
from games.record import moves_to
from games.registry import setup

_STONES = 3


def opening(size: int, rule: str) -> tuple[int, ...]:
    """Return three stones that give both sides about equal chances, different ones each time."""
    chosen = setup("gomoku", size, rule)
    texts = list(openings(chosen, None))
    random.shuffle(texts)
    for text in texts:
        moves = moves_to(parse(text, chosen).cursor)
        if len(moves) == _STONES:
            return moves
    centre = size // 2 * size + size // 2
    return centre, centre - size - 1, centre + size
