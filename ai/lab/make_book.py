"""Make the opening book, ai/gomoku/book.txt, by searching every opening of one or two stones near the centre.

    python -m ai.lab.make_book --nodes 700000
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import product

from ai.core.player import Limit, answer
from ai.gomoku.book import FILE, SIZE, canonical
from ai.gomoku.engine import GomokuEngine
from games.line import LinePosition
from games.registry import GAMES, setup

HEAD = """# Replies to the first stones on 15×15 (h8 is the centre): a rule, the moves, and the reply to them. A
# position stands for all its symmetries. Made by `python -m ai.lab.make_book --nodes {nodes}`.
"""

_FIRST_REACH = 4  # rows and columns from the centre to a single stone
_SECOND_REACH = 2  # from a stone in the centre to a second one


def _openings(rule: str) -> Iterator[LinePosition]:
    """Yield the positions of one stone near the centre, and of a second one near a central stone, up to symmetry."""
    start = setup("gomoku", SIZE, rule).start()
    assert isinstance(start, LinePosition)
    middle, seen = SIZE // 2, set()
    for stones, reach in ((1, _FIRST_REACH), (2, _SECOND_REACH)):
        for down, right in product(range(-reach, reach + 1), repeat=2):
            cell = (middle + down) * SIZE + middle + right
            position = start if stones == 1 else start.play(middle * SIZE + middle)
            if cell in position.legal_moves():
                position = position.play(cell)
                key = canonical(position.cells)[0]
                if key not in seen:
                    seen.add(key)
                    yield position


def _moves_text(position: LinePosition) -> str:
    """Write the moves, black first."""
    order = sorted((cell for cell, stone in enumerate(position.cells) if stone), key=lambda cell: position.cells[cell])
    return "".join(position.move_text(cell) for cell in order)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m ai.lab.make_book", description="Make the opening book.")
    parser.add_argument("--nodes", type=int, default=700_000, help="nodes searched for each reply")
    nodes = parser.parse_args().nodes
    lines = []
    for rule in GAMES["gomoku"].rules:
        for position in _openings(rule):
            move = answer(GomokuEngine(), position, Limit(nodes=nodes)).move
            lines.append(f"{rule} {_moves_text(position)} {position.move_text(move)}")
            print(lines[-1], flush=True)
    FILE.write_text(HEAD.format(nodes=nodes) + "".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
