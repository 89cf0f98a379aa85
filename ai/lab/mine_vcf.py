"""Find positions with and without a victory by continuous fours (VCF), for ai/lab/vcf.txt.

    python -m ai.lab.mine_vcf --rule renju --count 22 --none 8

A third of the wins come from fast self-play games, the rest are composed by hill climbing: a random board is changed
stone by stone as long as the shortest win gets no shorter. A near miss is a win with one stone moved, for which the
plain solver, not the kernels, has proven that no win is left. Disagreements of kernels and plain solver are printed.
"""

from __future__ import annotations

import argparse
import random
import shlex
import sys
from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest

import numpy as np

from ai.gomoku.board import Board
from ai.gomoku.compiler.jit import new_array
from ai.gomoku.engine import RULES
from ai.gomoku.kernels import patterns as p
from ai.gomoku.kernels.board import make
from ai.gomoku.kernels.evaluate import reset
from ai.gomoku.kernels.layout import NO_MOVE
from ai.gomoku.kernels.parameters import ANYWHERE
from ai.gomoku.kernels.tt import clear
from ai.gomoku.kernels.vcf import vcf
from ai.gomoku.tables import build, cell_of, move_of
from ai.lab.plain_vcf import Solver, Unknown, fives, fours
from ai.lab.selfplay import SelfPlay
from ai.lab.vcf_suite import SIZE, Problem
from ai.pbrain.boards import Refused, in_any_order, in_order
from games.line import LinePosition

Stones = tuple[list[int], list[int]]
"""The moves of black and of white."""

MASK_BITS = 14  # as in SelfPlay, whose boards are searched too
DEEPEST = 40
BUDGET = 10_000
"""Greatest number of fours that one search tries."""

FEWEST_FOURS = 3
EASY, HARD = 20, 500
"""Bounds on the positions that the plain solver visits for a near miss."""

SPREADS = (4, 5, 6, 7)
"""Distances from the middle within which a composed position has stones."""


class Prober:
    """Find the length of the shortest VCF with the kernels."""

    def __init__(self, rule: int) -> None:
        self.board = Board(build(rule, SIZE), (1 << MASK_BITS) - 1)
        self.table = new_array(2 << MASK_BITS)

    def place(self, stones: Stones) -> bool:
        """Set up `stones`. Return False if that would make a five or a forbidden point on the way."""
        st, tb = self.board.state, self.board.tables
        reset(st, tb)
        for side in (0, 1):
            for move in stones[side]:
                cell = cell_of(move, SIZE)
                if self.board.kinds(side)[cell] in (p.FIVE, p.FORBIDDEN):
                    return False
                st.side = side
                make(st, tb, cell)
        st.side = len(stones[0]) - len(stones[1])
        return True

    def plies(self, board: Board) -> int:
        """Return the plies of a win in the fewest fours on `board`; 0 if there is none or the search gave up."""
        clear(self.table)
        if not self._search(board, DEEPEST):
            return 0
        clear(self.table)
        for depth in range(DEEPEST + 1):
            plies = self._search(board, depth)
            if plies or board.state.vcf_left <= 0:
                return plies
        return 0

    def _search(self, board: Board, depth: int) -> int:
        board.state.vcf_left = BUDGET
        return int(vcf(board.state, board.tables, self.table, depth, ANYWHERE))


# Self-play.


class Games(SelfPlay):
    """Self-play games that end at the first win by fours of five plies or more."""

    def __init__(self, rule: str, seed: int) -> None:
        super().__init__(RULES[rule], SIZE, nodes=150, seed=seed)
        self.prober = Prober(RULES[rule])

    def win(self) -> tuple[list[int], int] | None:
        """Return the moves that led to a position with a win, and its plies."""
        st, tb = self.board.state, self.board.tables
        clear(self.table)
        self._opening()
        while st.stones < SIZE * SIZE - 10:
            plies = self.prober.plies(self.board)
            if plies in (1, 3):
                return None
            if plies:
                return [move_of(int(cell), SIZE) for cell in st.played[: st.stones]], plies
            _, move = self._search()
            if move == NO_MOVE:
                return None
            make(st, tb, self._other_move(move) if self.dice.random() < 0.15 else move)
        return None


# Composition.


class Composer:
    """Make a win longer by moving, adding and removing stones."""

    def __init__(self, rule: str, seed: int) -> None:
        self.prober = Prober(RULES[rule])
        self.dice = random.Random(seed)

    def compose(self, attacker: int, wanted: int, steps: int = 4000) -> tuple[Stones, int] | None:
        """Compose a position, `attacker` to move, whose shortest win has at least `wanted` plies, or None."""
        spread = self.dice.choice(SPREADS)
        stones, best = self._random_stones(attacker, spread), 0
        for _ in range(steps):
            changed = self.changed(stones, spread)
            if not self.prober.place(changed):
                continue
            plies = self.prober.plies(self.prober.board)
            if plies >= best:
                stones, best = changed, plies
            if best >= wanted:
                return stones, best
        return None

    def _random_stones(self, attacker: int, spread: int) -> Stones:
        cells = self._cells(spread)
        self.dice.shuffle(cells)
        pairs = len(cells) * self.dice.randint(30, 60) // 200
        return cells[: pairs + attacker], cells[pairs + attacker : 2 * pairs + attacker]

    def _cells(self, spread: int) -> list[int]:
        inner = range(SIZE // 2 - spread, SIZE // 2 + spread + 1)
        return [row * SIZE + column for row in inner for column in inner]

    def changed(self, stones: Stones, spread: int) -> Stones:
        """Move one stone, or add or remove a pair."""
        sides = list(stones[0]), list(stones[1])
        free = list(set(self._cells(spread)) - set(chain(*stones)))
        what = self.dice.random()
        if what < 0.1 and len(free) > 30:
            for side, move in zip(sides, self.dice.sample(free, 2), strict=True):
                side.append(move)
        elif what < 0.2 and len(sides[1]) > 8:
            for side in sides:
                side.pop(self.dice.randrange(len(side)))
        else:
            side = self.dice.choice(sides)
            side[self.dice.randrange(len(side))] = self.dice.choice(free)
        return sides


# Selection.


def text_of(rule: str, moves: Sequence[int]) -> str:
    empty = LinePosition.empty(SIZE, SIZE, 5, rule)
    return "".join(empty.move_text(move) for move in moves)


def same_kind(position: LinePosition) -> bytes:
    """Return the cells in canonical form: the least of the eight symmetries."""
    board = np.frombuffer(position.cells, np.uint8).reshape(SIZE, SIZE)
    return min(np.rot90(way, turns).tobytes() for way in (board, board.T) for turns in range(4))


class Mine:
    """Wins and near misses for one rule, all different up to symmetry."""

    def __init__(self, rule: str, seed: int) -> None:
        self.rule = rule
        self.games, self.composer = Games(rule, seed), Composer(rule, seed)
        self._seen: set[bytes] = set()

    def wins(self, count: int) -> Iterator[Problem]:
        """Yield `count` wins: a third from games, the composed ones of 7 to 45 plies."""
        played = count // 3
        yield from self._from_games(played)
        for number in range(count - played):
            wanted = 7 + 2 * (number * 20 // (count - played))
            while (problem := self._composed(number % 2, wanted)) is None:
                pass
            yield problem

    def _from_games(self, count: int) -> Iterator[Problem]:
        while count:
            won = self.games.win()
            if won is not None and self._new(in_order(SIZE, self.rule, won[0])):
                count -= 1
                yield Problem(self.rule, won[1], text_of(self.rule, won[0]))

    def _composed(self, attacker: int, wanted: int) -> Problem | None:
        made = self.composer.compose(attacker, wanted)
        return self._problem(*made) if made is not None else None

    def _problem(self, stones: Stones, plies: int) -> Problem | None:
        moves = self._moves(stones)
        return Problem(self.rule, plies, text_of(self.rule, moves)) if moves else None

    def _moves(self, stones: Stones) -> tuple[int, ...]:
        """Return an order of `stones` that the rule allows, if they are new."""
        moves = [move for pair in zip_longest(*stones) for move in pair if move is not None]
        try:
            found = in_any_order(SIZE, self.rule, moves)
            return found if self._new(in_order(SIZE, self.rule, found)) else ()
        except Refused:
            return ()

    def _new(self, position: LinePosition) -> bool:
        kind = same_kind(position)
        fresh = kind not in self._seen
        self._seen.add(kind)
        return fresh

    def misses(self, count: int) -> Iterator[Problem]:
        number = 0
        while number < count:
            made = self.composer.compose(number % 2, 7 + 2 * (number % 8))
            problem = self._miss(made[0]) if made is not None else None
            if problem is not None:
                number += 1
                yield problem

    def _miss(self, stones: Stones) -> Problem | None:
        """Return a near miss one stone away from the win in `stones`."""
        for _ in range(30):
            changed = self.composer.changed(stones, max(SPREADS))
            if not self.composer.prober.place(changed):
                continue
            moves = self._moves(changed)
            if moves and self._looks_won(in_order(SIZE, self.rule, moves)):
                return Problem(self.rule, 0, text_of(self.rule, moves))
        return None

    def _looks_won(self, position: LinePosition) -> bool:
        """Return whether there are enough fours, and yet no win by them."""
        if fives(position, 0) or fives(position, 1) or len(fours(position)) < FEWEST_FOURS:
            return False
        solver = Solver(HARD)
        try:
            won = solver.wins(position)
        except Unknown:
            return False
        self._compare(position, won)
        return not won and solver.visited >= EASY

    def _compare(self, position: LinePosition, won: bool) -> None:
        board = self.composer.prober.board
        board.set(position)
        if won != bool(self.composer.prober.plies(board)):
            print(f"The kernels deny that this is {won}: {position.cells.hex()}", file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m ai.lab.mine_vcf", description="Finds VCF positions.")
    parser.add_argument("--rule", choices=RULES, default="freestyle")
    parser.add_argument("--count", type=int, default=30, help="wins")
    parser.add_argument("--none", type=int, default=10, help="near misses")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(f"# python -m ai.lab.mine_vcf {shlex.join(sys.argv[1:])}")
    mine = Mine(options.rule, options.seed)
    for problem in chain(mine.wins(options.count), mine.misses(options.none)):
        print(problem, flush=True)


if __name__ == "__main__":
    main()
