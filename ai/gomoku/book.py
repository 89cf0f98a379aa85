"""The opening book: replies to the first stones, for boards of 15×15 (book.txt).

    python -m ai.gomoku.book --nodes 1000000

makes the file again. A position stands in it once, in one of its eight symmetries.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path

from ai.player import Limit, answer
from games.formats.text import parse
from games.line import LinePosition
from games.record import path
from games.registry import GAMES, setup

FILE = Path(__file__).with_name("book.txt")
SIZE = 15
HEAD = """# Replies to the first stones on 15×15 (h8 is the centre): a rule, the moves, and the reply to them. A
# position stands for all that are the same turned or mirrored. Made by `python -m ai.gomoku.book --nodes {nodes}`.
"""

_NEAR = 4  # points from the centre at which the first stone may lie
_SECOND = 2  # and the second one from it, where the first is in the centre

Symmetry = tuple[bool, bool, bool]
SYMMETRIES: tuple[Symmetry, ...] = tuple((a, b, c) for a, b, c in product((False, True), repeat=3))


def turned(cell: int, how: Symmetry) -> int:
    """`cell` on a board that is transposed, then turned upside down, then mirrored."""
    row, column = divmod(cell, SIZE)
    if how[0]:
        row, column = column, row
    return (SIZE - 1 - row if how[1] else row) * SIZE + (SIZE - 1 - column if how[2] else column)


def turned_back(cell: int, how: Symmetry) -> int:
    """The cell that `turned` brings to `cell`."""
    transposed, down, right = how
    return turned(cell, (transposed, right, down) if transposed else how)


def shape(cells: bytes) -> tuple[tuple[tuple[int, int], ...], Symmetry]:
    """The stones in that symmetry whose sorted list comes first, and how they are turned for it."""
    stones = [(cell, stone) for cell, stone in enumerate(cells) if stone]
    return min((tuple(sorted((turned(cell, how), stone) for cell, stone in stones)), how) for how in SYMMETRIES)


@cache
def replies(rule: str, file: Path = FILE) -> dict[tuple[tuple[int, int], ...], int]:
    """The reply by the shape of the stones, turned as they are; nothing where there is no file."""
    found = {}
    for line in file.read_text(encoding="utf-8").splitlines() if file.is_file() else ():
        of, *moves = line.partition("#")[0].split() or [""]
        if of == rule:
            record = parse("".join(moves), setup("gomoku", SIZE, rule))
            *_, before, last = path(record.cursor)
            assert isinstance(before.position, LinePosition)
            assert last.move is not None
            key, how = shape(before.position.cells)
            found[key] = turned(last.move, how)
    return found


def reply(position: LinePosition) -> int | None:
    """What the book answers; None where it has nothing."""
    if position.rules.width != SIZE or position.ply > _SECOND:
        return None
    key, how = shape(position.cells)
    found = replies(position.rules.rule).get(key)
    return None if found is None else turned_back(found, how)


# Making it.


def _openings(rule: str) -> Iterator[LinePosition]:
    """One stone near the centre, and two of which the first is there: one of each shape."""
    start = setup("gomoku", SIZE, rule).start()
    assert isinstance(start, LinePosition)
    middle, seen = SIZE // 2, set()
    for stones, reach in ((1, _NEAR), (2, _SECOND)):
        for down, right in product(range(-reach, reach + 1), repeat=2):
            cell = (middle + down) * SIZE + middle + right
            position = start if stones == 1 else start.play(middle * SIZE + middle)
            if cell in position.legal_moves():
                position = position.play(cell)
                key = shape(position.cells)[0]
                if key not in seen:
                    seen.add(key)
                    yield position


def _text(position: LinePosition) -> str:
    """The moves, black's and white's in turn."""
    order = sorted((cell for cell, stone in enumerate(position.cells) if stone), key=lambda cell: position.cells[cell])
    return "".join(position.move_text(cell) for cell in order)


def main() -> None:
    from ai.gomoku.engine import GomokuEngine

    parser = argparse.ArgumentParser(prog="python -m ai.gomoku.book", description="Makes the opening book.")
    parser.add_argument("--nodes", type=int, default=1_000_000, help="that the engine visits for each reply")
    nodes = parser.parse_args().nodes
    lines = []
    for rule in GAMES["gomoku"].rules:
        for position in _openings(rule):
            move = answer(GomokuEngine(), position, Limit(nodes=nodes)).move
            lines.append(f"{rule} {_text(position)} {position.move_text(move)}")
            print(lines[-1], flush=True)
    FILE.write_text(HEAD.format(nodes=nodes) + "".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
