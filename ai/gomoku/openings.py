"""The openings of gomoku: balanced, so that the better player wins rather than the first.

`openings.txt` beside this file holds them; how they were made is written at its top.
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
"""The side of the board for which the openings in the file are written."""

_RANDOM = 60  # openings made up where none are known
_POINT = re.compile(r"([a-z])(\d+)")


def openings(setup: Setup, seed: int | None) -> Iterator[str]:
    """Those of our file that fit on the board, or else random ones."""
    yield from list(_ours(setup)) or _random_openings(setup, seed)


def _ours(setup: Setup) -> Iterator[str]:
    """The openings of our file, moved so that centre lies on centre, as far as they fit on the board."""
    if not OPENINGS.is_file():
        return
    for text in read_openings(OPENINGS, setup.rule):
        moved = _moved(text, setup.size)
        if moved is not None:
            yield moved


def _moved(text: str, size: int) -> str | None:
    """`text` with its points as far from the centre as before; None if one of them leaves the board.

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
    """Three stones near the centre, at random."""
    dice = random.Random(seed)
    for _ in range(_RANDOM):
        yield random_opening(setup, dice, 3)


def random_opening(setup: Setup, dice: random.Random, stones: int) -> str:
    """`stones` legal moves at most two, and later three, points from the centre of a gomoku board."""
    record = parse("", setup)
    middle = setup.size // 2
    while record.position.ply < stones:
        reach = min(2 if record.position.ply < 3 else 3, middle)
        column, row = (middle + dice.randint(-reach, reach) for _ in range(2))
        move = min(row, setup.size - 1) * setup.size + min(column, setup.size - 1)
        if move in record.position.legal_moves():
            record.play(move)
    return moves_text(path(record.cursor))
