"""The openings of gomoku matches: balanced, so that the better player wins rather than the first.

`openings.txt` beside this file holds them; its header says how they were made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ai.core.openings import read_openings
from games.registry import Setup

OPENINGS = Path(__file__).with_name("openings.txt")
MADE_FOR = 15
"""The board size of the openings in the file."""

_POINT = re.compile(r"([a-z])(\d+)")


def openings(setup: Setup) -> Iterator[str]:
    """Yield the file's openings that fit on the board, relative to its centre: at least twenty on any board."""
    for text in read_openings(OPENINGS, setup.rule):
        moved = _shift(text, setup.size)
        if moved is not None:
            yield moved


def _shift(text: str, size: int) -> str | None:
    """Move the points of `text` to the same place relative to the centre; None if one leaves the board.

    On a board of even size the centre is the point right of and below the middle, as in `games.line`.
    """
    right, up = size // 2 - MADE_FOR // 2, (size + 1) // 2 - (MADE_FOR + 1) // 2
    moves = []
    for letter, number in _POINT.findall(text):
        column, row = ord(letter) - ord("a") + right, int(number) + up
        if not (0 <= column < size and 1 <= row <= size):
            return None
        moves.append(f"{chr(ord('a') + column)}{row}")
    return "".join(moves)
