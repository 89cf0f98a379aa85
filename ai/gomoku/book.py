"""The opening book: replies to the first stones on 15×15 (book.txt, made by `ai.lab.make_book`).

Each position is stored once, in one of its eight symmetries.
"""

from __future__ import annotations

import errno
import re
from functools import cache
from itertools import product
from pathlib import Path

from games.line import LinePosition
from games.registry import setup
from games.storage import read_regular, report

FILE = Path(__file__).with_name("book.txt")
SIZE = 15
MAX_PLIES = 2

_BEFORE_POINTS = re.compile("(?=[a-z])")

Symmetry = tuple[bool, bool, bool]
SYMMETRIES: tuple[Symmetry, ...] = tuple((a, b, c) for a, b, c in product((False, True), repeat=3))


def transform(cell: int, how: Symmetry) -> int:
    """Return the image of `cell` on the 15×15 board. The flags of `how` say: transpose, then flip the rows, then the
    columns."""
    row, column = divmod(cell, SIZE)
    if how[0]:
        row, column = column, row
    return (SIZE - 1 - row if how[1] else row) * SIZE + (SIZE - 1 - column if how[2] else column)


def transform_back(cell: int, how: Symmetry) -> int:
    """Return the cell that `transform` maps to `cell`."""
    transposed, down, right = how
    return transform(cell, (transposed, right, down) if transposed else how)


def canonical(cells: bytes) -> tuple[tuple[tuple[int, int], ...], Symmetry]:
    """Return the canonical form of the stones, as sorted pairs (cell, stone), and the symmetry that leads to it: the
    least form among the eight symmetries."""
    stones = [(cell, stone) for cell, stone in enumerate(cells) if stone]
    return min((tuple(sorted((transform(cell, how), stone) for cell, stone in stones)), how) for how in SYMMETRIES)


@cache
def replies(rule: str, file: Path = FILE) -> dict[tuple[tuple[int, int], ...], int]:
    """Return the book for `rule`: canonical stones, as `canonical` returns them, with the reply in the same symmetry.
    Leave out and report damaged lines. Empty if the file is missing, or cannot be read, which is reported."""
    try:
        lines = read_regular(file).decode(errors="replace").splitlines()
    except OSError as error:
        if not isinstance(error, FileNotFoundError):
            report("unreadable", file, error)
        return {}
    book, damaged = {}, 0
    for line in lines:
        of, *moves = line.partition("#")[0].split() or [""]
        if of == rule:
            try:
                key, move = _decode_line("".join(moves), rule)
                book[key] = move
            except ValueError:
                damaged += 1
    if damaged:
        report("unreadable", file, OSError(errno.EIO, f"{damaged} of its lines are damaged"))
    return book


def _decode_line(moves: str, rule: str) -> tuple[tuple[tuple[int, int], ...], int]:
    """Return the entry of a line of the book, whose last move is the reply. Raise `ValueError` for an illegal or
    unreadable move."""
    position = setup("gomoku", SIZE, rule).start()
    *before, last = map(position.parse_move, filter(None, _BEFORE_POINTS.split(moves)))
    for move in before:
        position = position.play(move)
    assert isinstance(position, LinePosition)
    position.play(last)
    key, how = canonical(position.cells)
    return key, transform(last, how)


def reply(position: LinePosition) -> int | None:
    """Return the book's reply to `position`; None if it has none."""
    if position.rules.width != SIZE or position.ply > MAX_PLIES:
        return None
    key, how = canonical(position.cells)
    move = replies(position.rules.rule).get(key)
    return None if move is None else transform_back(move, how)
