"""Compare the kernels with the rules in games/ on random boards:

    python -m ai.lab.crosscheck [POSITIONS]

compares fives and forbidden points on that many positions of each rule, and prints disagreements.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from itertools import islice

from ai.arena.arena import add_workers, exit_on_errors
from ai.arena.executors import run_all
from ai.gomoku.engine import RULES
from ai.gomoku.engine_board import Board
from ai.gomoku.kernels import patterns as p
from ai.gomoku.kernels.board import is_illegal, make
from ai.gomoku.kernels.evaluate import reset
from ai.gomoku.tables import build, cell_of
from games import renju
from games.line import LinePosition, line_rules

SIZES = (9, 15, 20)
_OTHERS = 6
"""Random cells of each position that are checked even if the kernels see no threat there."""


def positions(rule: str, size: int, dice: random.Random) -> Iterator[tuple[Board, LinePosition]]:
    """Yield random boards of varying density, without a five."""
    board, rules = Board(build(RULES[rule], size), 1023), line_rules(size, size, 5, rule)
    while True:
        reset(board.state, board.tables)
        cells = bytearray(size * size)
        spread = dice.choice((2, 3, 4, size))
        for _ in range(dice.randint(6, min(size * size // 2, 6 * spread * spread))):
            row, column = (min(size - 1, max(0, size // 2 + dice.randint(-spread, spread))) for _ in range(2))
            move, side = row * size + column, dice.randint(0, 1)
            if cells[move] or board.kinds(side)[cell_of(move, size)] == p.FIVE:
                continue
            cells[move] = side + 1
            board.state.side = side
            make(board.state, board.tables, cell_of(move, size))
            for turn in range(2):
                board.state.side = turn
                yield board, LinePosition(rules, bytes(cells), turn)


def disagreements(board: Board, position: LinePosition, dice: random.Random) -> list[str]:
    """Yield a sentence for each cell on which kernels and rules differ for the side to move."""
    size, turn = position.rules.width, position.turn
    kinds = board.kinds(turn)
    found = []
    forbidden = position.forbidden_points()
    asked = set(renju.possibly_forbidden(position.cells, size, size)) if position.rules.forbids and turn == 0 else set()
    empty = [move for move, content in enumerate(position.cells) if content == 0]
    asked |= {move for move in empty if kinds[cell_of(move, size)] >= p.FOUR}
    asked |= set(dice.sample(empty, min(_OTHERS, len(empty))))
    for move in sorted(asked):
        cell = cell_of(move, size)
        if bool(is_illegal(board.state, board.tables, cell)) != (move in forbidden):
            found.append(f"{position.move_text(move)}: {forbidden.get(move, 'allowed')} by the rules")
        if move not in forbidden and (kinds[cell] == p.FIVE) != (position.play(move).outcome is not None):
            found.append(f"{position.move_text(move)}: a five to one of them")
    return found


def compare(rule: str, size: int, count: int, seed: int = 1) -> list[str]:
    """Return the disagreements on `count` positions."""
    dice = random.Random(seed)
    wrong = []
    for board, position in islice(positions(rule, size, dice), count):
        wrong += [f"{rule} {size} {position.cells.hex()}: {text}" for text in disagreements(board, position, dice)]
    return wrong


def _compared(rule: str, size: int, count: int) -> tuple[str, list[str]]:
    """Return a line, and the disagreements."""
    wrong = compare(rule, size, count)
    return f"{rule}, {size}×{size}: {count} positions, {len(wrong)} disagreements", wrong


@exit_on_errors()
def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m ai.lab.crosscheck", description=__doc__.partition("\n")[0])
    parser.add_argument("count", type=int, nargs="?", default=100_000, help="positions of each rule")
    add_workers(parser, 1)
    options = parser.parse_args(arguments)
    calls = [(rule, size, -(-options.count // len(SIZES))) for rule in RULES for size in SIZES]
    failures = 0
    for line, wrong in run_all(_compared, calls, options.workers, options.cluster):
        print(line, *wrong[:10], sep="\n", flush=True)
        failures += len(wrong)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
