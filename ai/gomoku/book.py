"""The opening book: replies to the first stones on 15×15 (book.txt, made by `ai.lab.make_book`).

Each position is stored once, in one of its eight symmetries.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path

from ai.core.openings import read_openings
from games.formats import FormatError
from games.formats.text import parse
from games.line import LinePosition
from games.record import path
from games.registry import Setup, setup
from games.storage import read_regular, report

FILE = Path(__file__).with_name("book.txt")
SIZE = 15
_MOST_BYTES = 64 << 20
MAX_PLIES = 2

Symmetry = tuple[bool, bool, bool]
SYMMETRIES: tuple[Symmetry, ...] = tuple((a, b, c) for a, b, c in product((False, True), repeat=3))


def transform(cell: int, how: Symmetry) -> int:
    """Return the image of `cell`: transpose, then flip the rows, then the columns."""
    row, column = divmod(cell, SIZE)
    if how[0]:
        row, column = column, row
    return (SIZE - 1 - row if how[1] else row) * SIZE + (SIZE - 1 - column if how[2] else column)


def transform_back(cell: int, how: Symmetry) -> int:
    """Return the cell that `transform` maps to `cell`."""
    transposed, down, right = how
    return transform(cell, (transposed, right, down) if transposed else how)


def canonical(cells: bytes) -> tuple[tuple[tuple[int, int], ...], Symmetry]:
    """Return the canonical form of the stones, the least among the symmetries, and the symmetry that leads to it."""
    stones = [(cell, stone) for cell, stone in enumerate(cells) if stone]
    return min((tuple(sorted((transform(cell, how), stone) for cell, stone in stones)), how) for how in SYMMETRIES)


@cache
def replies(rule: str, file: Path = FILE) -> dict[tuple[tuple[int, int], ...], int]:
    """Return the book for `rule`: canonical stones to reply, in the same symmetry. Empty if the file is missing; leave
    out lines that are no moves, and report them."""
    try:
        lines = read_regular(file, _MOST_BYTES).decode(errors="replace").splitlines()
    except OSError as error:
        if not isinstance(error, FileNotFoundError):
            report("unreadable", file, error)
        return {}
    book, damaged = {}, 0
    for line in lines:
        of, *moves = line.partition("#")[0].split() or [""]
        if of == rule:
            try:
                key, move = _entry("".join(moves), rule)
                book[key] = move
            except FormatError:
                damaged += 1
    if damaged:
        report("unreadable", file, OSError(errno.EIO, f"{damaged} of its lines are damaged"))
    return book


def _entry(moves: str, rule: str) -> tuple[tuple[tuple[int, int], ...], int]:
    """Decode a line of the book. Raise `FormatError`."""
    nodes = path(parse(moves, setup("gomoku", SIZE, rule)).cursor)
    if len(nodes) < 2:
        raise FormatError("The line has no move.")
    before, last = nodes[-2:]
    assert isinstance(before.position, LinePosition)
    assert last.move is not None
    key, how = canonical(before.position.cells)
    return key, transform(last.move, how)


def reply(position: LinePosition) -> int | None:
    """Return the book's reply, or None."""
    if position.rules.width != SIZE or position.ply > MAX_PLIES:
        return None
    key, how = canonical(position.cells)
    move = replies(position.rules.rule).get(key)
    return None if move is None else transform_back(move, how)


# The openings of gomoku matches: balanced, so that the better player wins rather than the first.
#
# `openings.txt` beside this file holds them; its header says how they were made.


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
