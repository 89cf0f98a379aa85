"""What the gomoku engine knows, for a Monte Carlo tree search: its move ordering, evaluation and wins by fours.

The kernels work on a board of their own. It follows the search from one position to the next by taking back stones and
adding others, since both share most of them.
"""

from __future__ import annotations

from math import exp
from typing import Any

import numpy as np

from ai.compiler.memory import new_table
from ai.gomoku.board import Board
from ai.gomoku.engine import RULES
from ai.gomoku.kernels import patterns as p
from ai.gomoku.kernels.board import count, find_cell, is_illegal, make, undo
from ai.gomoku.kernels.evaluate import evaluate, reset
from ai.gomoku.kernels.movegen import list_root_moves
from ai.gomoku.kernels.parameters import ANYWHERE
from ai.gomoku.kernels.vcf import vcf
from ai.gomoku.tables import build, cell_of, move_of
from ai.search.guidance import Guidance
from ai.win_probability import curve_of
from games.line import LinePosition
from games.position import Position

RANK_SCALE = 100.0
"""Rank of a move that is e times as likely to be the best one as a move of rank 0."""

_PAIRS = 1 << 16  # entries of the table of the VCF
_FOURS, _TRIES = 10, 300  # limits of a VCF search: fours in the win, fours tried
_BREADTH = 24  # moves with a prior


class FollowingBoard(Board):
    """A board that changes from one position to the next by the stones in which they differ."""

    def __init__(self, tables: Any, mask: int, size: int) -> None:
        super().__init__(tables, mask)
        self.size = size
        self._made: list[tuple[int, int]] = []  # moves with their stones, in order
        reset(self.state, tables)

    def follow(self, position: LinePosition) -> None:
        """Set up `position`, with its last move made last."""
        cells, last = position.cells, position.last
        for index, (move, stone) in enumerate(self._made):
            if cells[move] != stone or move == last:
                self._take_back(index)
                break
        made = {move for move, _ in self._made}
        for move, stone in enumerate(cells):
            if stone and move != last and move not in made:
                self._put(move, stone)
        if last is not None:
            self._put(last, cells[last])
        self.state.side = position.turn

    def _take_back(self, count: int) -> None:
        """Take back all moves but the first `count`."""
        while len(self._made) > count:
            _, stone = self._made.pop()
            self.state.side = 2 - stone  # the side to move after it
            undo(self.state, self.tables)

    def _put(self, move: int, stone: int) -> None:
        self._made.append((move, stone))
        self.state.side = stone - 1
        make(self.state, self.tables, cell_of(move, self.size))


class PatternsOracle:
    """An `Oracle` for boards of 5 to 20 cells a side."""

    def __init__(self) -> None:
        self._kind: tuple[int, str, int] | None = None

    def evaluate(self, position: Position) -> Guidance:
        """Raise `ValueError` for a game that is not five in a row."""
        if not isinstance(position, LinePosition) or position.rules.length != 5:
            raise ValueError("The patterns are those of five in a row only.")
        self._prepare(position)
        st, tb = self._board.state, self._board.tables
        st.vcf_left = _TRIES
        plies = int(vcf(st, tb, self._table, _FOURS, ANYWHERE))
        if plies:
            four = self._move(self._winning_four(plies))
            return Guidance({four: 1.0}, 1.0, (four,), plies)
        value = 2 * curve_of(position).probability(int(evaluate(st, tb)), position.ply) - 1
        other = 1 - position.turn
        forced = count(st, other, p.FIVE) + count(st, other, p.OPEN_FOUR) > 0
        return Guidance(self._priors(position, forced), value, complete=forced)

    def _prepare(self, position: LinePosition) -> None:
        """Set up `position`; on a new board if it is of another game."""
        rules = position.rules
        shift = position.turn ^ (rules.cells - position.cells.count(0)) & 1  # not part of the kernels' key
        kind = (rules.width, rules.rule, shift)
        if kind != self._kind:
            self._kind = kind
            self._board = FollowingBoard(build(RULES[rules.rule], rules.width), _PAIRS - 1, rules.width)
            self._table = new_table(2 * _PAIRS)
        self._board.follow(position)

    def _priors(self, position: LinePosition, forced: bool) -> dict[int, float]:
        """Return a softmax of the ranks of the best moves; of all of them if they are `forced`."""
        st = self._board.state
        found = int(list_root_moves(st, self._board.tables))
        if not any(position.cells) or not found:
            moves = position.candidates()
            return dict.fromkeys(moves, 1 / len(moves))
        if not forced:
            found = min(found, _BREADTH)
        ranks = st.scores[:found]
        weights = [exp((rank - ranks[0]) / RANK_SCALE) for rank in map(int, ranks)]
        total = sum(weights)
        return {
            self._move(int(cell)): weight / total for cell, weight in zip(st.root_moves[:found], weights, strict=True)
        }

    def _move(self, cell: int) -> int:
        return move_of(cell, self._board.size)

    # The win by fours.

    def _winning_four(self, plies: int) -> int:
        """Return the cell of the five, or of the first four of a win in `plies` that was found."""
        st, tb = self._board.state, self._board.tables
        side = int(st.side)
        if plies == 1:
            return int(find_cell(st, tb, side, p.FIVE))
        kinds = self._board.kinds(side)
        fours = np.flatnonzero((kinds >= p.FOUR) & (kinds <= p.OPEN_FOUR))
        wins = [(length, int(four)) for four in fours if (length := self._after(int(four), side))]
        return min(wins)[1]

    def _after(self, four: int, side: int) -> int:
        """Return the plies of a win by `four`; 0 if none is found."""
        st, tb = self._board.state, self._board.tables
        make(st, tb, four)
        plies = 0
        if count(st, 1 - side, p.FIVE) == 0:
            plies = 3
            reply = int(find_cell(st, tb, side, p.FIVE))
            if count(st, side, p.FIVE) == 1 and not is_illegal(st, tb, reply):
                make(st, tb, reply)
                st.vcf_left = _TRIES
                rest = int(vcf(st, tb, self._table, _FOURS, ANYWHERE))
                plies = rest + 2 if rest else 0
                undo(st, tb)
        undo(st, tb)
        return plies
