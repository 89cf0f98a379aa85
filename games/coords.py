"""Board coordinates: ``h8`` is column h, eighth row from the bottom. No letter is skipped."""

from __future__ import annotations

import re

from games.position import IllegalMove

_TEXT = re.compile(r"([a-z])([0-9]{1,2})", re.ASCII)


def cell_text(cell: int, width: int, height: int) -> str:
    """Return the name of `cell` (row * width + column, row 0 at the top)."""
    row, column = divmod(cell, width)
    return f"{chr(ord('a') + column)}{height - row}"


def parse_cell(text: str, width: int, height: int) -> int:
    """Parse a coordinate into a cell. Raise `IllegalMove`."""
    match = _TEXT.fullmatch(text.strip().lower())
    if match is None:
        raise IllegalMove("unreadable", f"“{text}” is not a point such as “h8”.")
    column, row = ord(match[1]) - ord("a"), height - int(match[2])
    if not (column < width and 0 <= row < height):
        raise IllegalMove("outside", f"“{text}” is not on a board of {width}×{height} points.")
    return row * width + column
