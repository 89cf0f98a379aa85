"""Board coordinates: ``h8`` is column h, eighth row from the bottom. No letter is skipped."""

from __future__ import annotations

import re
from functools import cache
from string import ascii_letters

from games.position import FIRST, SECOND, IllegalMove, Position, Stones

_TEXT = re.compile(r"([a-z])([0-9]{1,2})", re.ASCII)


def cell_text(cell: int, width: int, height: int) -> str:
    """Return the name of `cell` (row * width + column, row 0 at the top)."""
    row, column = divmod(cell, width)
    return f"{chr(ord('a') + column)}{height - row}"


def row_names(position: Position, columns: int, rows: int) -> tuple[str, ...]:
    """Return the label of each row of a board, from the top: the number at the end of a cell's `position.move_text`."""
    return tuple(position.move_text(row * columns).lstrip(ascii_letters) for row in range(rows))


def star_points(count: int) -> list[tuple[int, int]]:
    """Return (column, row) of each star point of a board of `count` × `count` lines, as on Go boards: five at 15."""
    near, middle = 3 if count >= 12 else 2, count // 2
    far = count - 1 - near
    stars = [(middle, middle)] if count % 2 else []
    if count >= 8:
        stars += [(x, y) for x in (near, far) for y in (near, far)]
    if count >= 17 and count % 2:
        stars += [(near, middle), (middle, near), (far, middle), (middle, far)]
    return stars


def parse_cell(text: str, width: int, height: int) -> int:
    """Parse a coordinate such as ``h8`` into a cell. Raise `IllegalMove` (``unreadable``, ``outside``)."""
    match = _TEXT.fullmatch(text.strip().lower())
    if match is None:
        raise IllegalMove("unreadable", f"“{text}” is not a point such as “h8”.")
    column, row = ord(match[1]) - ord("a"), height - int(match[2])
    if not (column < width and 0 <= row < height):
        raise IllegalMove("outside", f"“{text}” is not on a board of {width}×{height} points.")
    return row * width + column


def cells_with(stones: Stones, width: int, height: int) -> bytearray:
    """Return the content of each cell of a board with these `stones`: 0, or 1 and 2 for a stone of the first and the
    second side. Raise `ValueError` with a sentence for stones that share a cell or are outside."""
    cells = bytearray(width * height)
    for side in (FIRST, SECOND):
        for cell in stones.of[side]:
            if not 0 <= cell < len(cells):
                raise ValueError("A stone of the starting position is not on the board.")
            if cells[cell]:
                raise ValueError(f"Two stones of the starting position are on {cell_text(cell, width, height)}.")
            cells[cell] = side + 1
    return cells


@cache
def images_of(width: int, height: int, count: int) -> tuple[tuple[int, ...], ...]:
    """Return where each cell goes under each of `count` symmetries of a board, as `images[symmetry][cell]`; symmetry 0
    is the identity. A `count` of 1 is the identity alone, 2 adds the mirror image of the columns, 8 are all symmetries
    of a square. Raise `ValueError` for another count, and for 8 on a board that is not square."""
    if count not in (1, 2, 8) or (count == 8 and width != height):
        raise ValueError(f"A board of {width}×{height} has no {count} symmetries.")
    found = []
    for index in range(count):
        cells = []
        for cell in range(width * height):
            row, column = divmod(cell, width)
            column = width - 1 - column if index & 1 else column
            row = height - 1 - row if index & 2 else row
            cells.append(column * width + row if index & 4 else row * width + column)
        found.append(tuple(cells))
    return tuple(found)
