"""Compare the Connect Four solver with a plain one that shares nothing with it, and measure its times.

``python -m ai.lab.check_connect4 agree --positions 2000`` plays by chance to 12 discs or more and compares result and
distance. ``python -m ai.lab.check_connect4 time`` tells how long all columns of a position take, by its discs.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from typing import Any

import numpy as np
from numba import njit

from ai.core.player import Limit, answer
from ai.solvers.connect4 import Connect4Solver, book
from games.connect4 import CELLS, HEIGHT, WIDTH, Connect4Position
from games.registry import setup

LEAST = 12
_TABLE = 1 << 24
_ORDER = np.array([3, 2, 4, 1, 5, 0, 6])


def by_chance(discs: int, dice: random.Random) -> Connect4Position:
    """Return a position of a game that goes on, after so many moves by chance."""
    while True:
        position = setup("connect4").start()
        while position.outcome is None and position.ply < discs:
            position = position.play(dice.choice(list(position.legal_moves())))
        if position.outcome is None:
            assert isinstance(position, Connect4Position)
            return position


# A plain solver: an array of cells, alpha-beta from the middle, a table that is always replaced.


@njit  # type: ignore[untyped-decorator]
def _four(cells: Any, column: int, row: int) -> bool:
    """Whether the disc there is one of four in a row."""
    side = cells[column, row]
    for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
        count = 1
        for sign in (1, -1):
            x, y = column + sign * right, row + sign * up
            while 0 <= x < WIDTH and 0 <= y < HEIGHT and cells[x, y] == side:
                count += 1
                x, y = x + sign * right, y + sign * up
        if count >= 4:
            return True
    return False


@njit  # type: ignore[untyped-decorator]
def _value(
    cells: Any, heights: Any, ply: int, alpha: int, beta: int, key: Any, zobrist: Any, keys: Any, values: Any,
    order: Any,
) -> Any:  # fmt: skip
    """Negamax: `CELLS` + 1 minus the ply of the end for a win, the negative of that for a loss, 0 for a draw."""
    if ply == CELLS:
        return 0
    side = 1 + ply % 2
    slot = key % np.uint64(_TABLE)
    if keys[slot] == key:
        bound, known = values[slot, 0], values[slot, 1]
        if bound == 0 or (bound > 0 and known >= beta) or (bound < 0 and known <= alpha):
            return known
    best, first = -CELLS - 2, alpha
    for column in order:
        row = heights[column]
        if row == HEIGHT:
            continue
        cells[column, row] = side
        heights[column] += 1
        if _four(cells, column, row):
            value = CELLS - ply
        else:
            after = key ^ zobrist[side, column, row]
            value = -_value(cells, heights, ply + 1, -beta, -max(alpha, best), after, zobrist, keys, values, order)
        cells[column, row] = 0
        heights[column] -= 1
        best = max(best, value)
        if best >= beta:
            break
    keys[slot] = key
    values[slot, 0] = 1 if best >= beta else -1 if best <= first else 0
    values[slot, 1] = best
    return best


class Plain:
    def __init__(self) -> None:
        dice = np.random.default_rng(1)
        self._zobrist = dice.integers(1, 1 << 63, (3, WIDTH, HEIGHT)).astype(np.uint64)
        self._keys = np.zeros(_TABLE, np.uint64)
        self._values = np.zeros((_TABLE, 2), np.int64)

    def mate(self, position: Connect4Position) -> int:
        """Return the plies to the end with best play, negative for a loss of the side to move, 0 for a draw."""
        cells, heights, key = np.zeros((WIDTH, HEIGHT), np.int64), np.zeros(WIDTH, np.int64), np.uint64(1)
        for cell, content in enumerate(position.cells):
            if content:
                column, row = cell % WIDTH, HEIGHT - 1 - cell // WIDTH
                own = content
                cells[column, row] = own
                heights[column] += 1
                key ^= self._zobrist[own, column, row]
        found = int(
            _value(cells, heights, position.ply, -CELLS, CELLS, key, self._zobrist, self._keys, self._values, _ORDER)
        )
        if found == 0:
            return 0
        plies = CELLS + 1 - abs(found) - position.ply
        return plies if found > 0 else -plies


def agree(positions: int, seed: int) -> int:
    """Return in how many positions the solvers disagree."""
    dice, plain, wrong = random.Random(seed), Plain(), 0
    for number in range(1, positions + 1):
        discs = max(dice.randint(LEAST, CELLS - 2) for _ in range(2))  # few with little on the board, which take long
        position = by_chance(discs, dice)
        info = answer(Connect4Solver(16, {}), position, Limit())
        expected = plain.mate(position)
        if not info.lines[0].exact or (info.mate or 0) != expected:
            wrong += 1
            print(f"{position.ply} discs: {info.mate} instead of {expected}", flush=True)
        if number % 100 == 0:
            print(f"{number} positions, {wrong} wrong", flush=True)
    return wrong


def times(discs: int, positions: int, seed: int) -> list[float]:
    """Return the processor seconds for all columns of positions with so many discs, with the book, in order."""
    dice, taken = random.Random(seed), []
    for _ in range(positions):
        position, player = by_chance(discs, dice), Connect4Solver(64, book())
        begin = time.process_time()
        answer(player, position, Limit(lines=WIDTH))
        taken.append(time.process_time() - begin)
    return sorted(taken)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m ai.lab.check_connect4", description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=["agree", "time"])
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--discs", default="8,10,12,14,16,20")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.what == "agree":
        raise SystemExit(min(1, agree(options.positions, options.seed)))
    for discs in map(int, options.discs.split(",")):
        taken = times(discs, options.positions, options.seed)
        median = statistics.median(taken)
        print(f"{discs} discs: median {median:.3f} s, worst {taken[-1]:.3f} s of {len(taken)}", flush=True)


if __name__ == "__main__":
    main()
