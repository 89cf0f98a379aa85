"""The openings of gomoku matches: balanced, so that the better player wins rather than the first.

`openings.txt` beside this file holds them; its header says how they were made.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

from ai.openings import read_openings
from games.formats.text import moves_text, parse
from games.record import path
from games.registry import Setup

OPENINGS = Path(__file__).with_name("openings.txt")
MADE_FOR = 15
"""The board size of the openings in the file."""

_RANDOM = 60  # number of random openings where there are no others
_POINT = re.compile(r"([a-z])(\d+)")


def openings(setup: Setup, seed: int | None) -> Iterator[str]:
    """Yield the file's openings that fit on the board, or else random ones."""
    yield from list(_ours(setup)) or _random_openings(setup, seed)


def _ours(setup: Setup) -> Iterator[str]:
    """Yield the file's openings that fit on the board, relative to its centre."""
    if not OPENINGS.is_file():
        return
    for text in read_openings(OPENINGS, setup.rule):
        moved = _moved(text, setup.size)
        if moved is not None:
            yield moved


def _moved(text: str, size: int) -> str | None:
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


def _random_openings(setup: Setup, seed: int | None) -> Iterator[str]:
    """Yield openings of three random stones near the centre."""
    dice = random.Random(seed)
    for _ in range(_RANDOM):
        yield random_opening(setup, dice, 3)


def random_opening(setup: Setup, dice: random.Random, stones: int) -> str:
    """Return `stones` random legal moves within two, and later three, points of the centre."""
    record = parse("", setup)
    middle = setup.size // 2
    while record.position.ply < stones:
        reach = min(2 if record.position.ply < 3 else 3, middle)
        column, row = (middle + dice.randint(-reach, reach) for _ in range(2))
        move = min(row, setup.size - 1) * setup.size + min(column, setup.size - 1)
        if move in record.position.legal_moves():
            record.play(move)
    return moves_text(path(record.cursor))
