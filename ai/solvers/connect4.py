"""The solver of Connect Four as a player: exact scores from the book or by search, estimates until they are proven."""

from __future__ import annotations

import errno
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from ai.core.player import Budget, Info, Limit, Line, Player, Stop, answer
from ai.core.score import Score
from ai.search.alphabeta import AlphaBeta
from ai.solvers.connect4_kernels import BOTTOM, CELLS, STATE, UNKNOWN, WIDTH, key_of, solve, winning_cells
from ai.system.arrays import read_arrays
from ai.system.compiler.jit import COMPILED, new_record, new_table
from games.connect4 import Connect4Position
from games.fields import whole
from games.position import FIRST, Position
from games.storage import report

BOOK = Path(__file__).with_name("connect4_book.npz")
"""The solved positions with few discs, made by `ai.lab.make_connect4_book`."""

_ESTIMATE_DEPTH = 7  # plies
_ESTIMATE_SECONDS = 0.2
_ESTIMATE_SHARE = 0.2  # of the time for a move
_SLICE = 100_000 if COMPILED else 500
"""Nodes, some 20 ms, after which a search is interrupted to look at its limit. When it goes on, the table holds what it
had proven."""
_QUICK = _SLICE // 5
"""Nodes of an attempt to prove a move before it is estimated, which takes much longer."""


@cache
def book(file: Path = BOOK) -> Mapping[int, int]:
    """Return the values of solved positions by key; `ai.solvers.connect4_kernels` defines keys and values.

    Of two mirror images only one is there, and no position in which the side to move wins at once. The book is empty if
    there is no file, or if it cannot be read, which is reported.
    """
    try:
        data = read_arrays(file)
        keys = np.cumsum(data["steps"]).tolist()  # differences of keys in ascending order, which are packed well
        values = [_value(each) for each in data["values"].tolist()]
        return dict(zip(keys, values, strict=True))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, LookupError, TypeError) as error:
        report("unreadable", file, error if isinstance(error, OSError) else OSError(errno.EIO, "it is damaged"))
        return {}


_value = whole(-CELLS, CELLS)


class Connect4Solver(Player):
    """A `Player` that solves Connect Four. Proven positions are kept from search to search in a table of `memory_mb`.
    `known` is the book, by default the shipped one.

    Raise `MemoryError` if the table does not fit.
    """

    def __init__(self, memory_mb: int = 64, known: Mapping[int, int] | None = None) -> None:
        self._state = new_record(STATE)
        self._table = new_table(memory_mb << 17)
        self._book = book() if known is None else known

    @property
    def nodes(self) -> int:
        """Nodes of the current or last search."""
        return int(self._state.nodes)

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        """Yield an answer from what is quickly proven, with estimates for the other moves; then one for each move that
        is proven; and last the best lines with best play to the end."""
        assert isinstance(position, Connect4Position)
        budget = Budget(limit, stop)
        self._state.nodes = 0
        lines = [self._line(position, move, budget) for move in position.legal_moves()]
        yield self._info(lines, budget)
        for line in sorted((line for line in lines if not line.exact), key=lambda line: -line.score):
            value = self._prove(position.play(line.moves[0]), -CELLS, CELLS, budget)
            if value is None:
                return
            lines[lines.index(line)] = Line(_score(-value, _empty_cells(position)), line.moves, True)
            yield self._info(lines, budget)
        best = sorted(lines, key=lambda line: -line.score)[: limit.lines]
        yield self._info([self._extend(position, line, budget) for line in best], budget)

    def _line(self, position: Connect4Position, move: int, budget: Budget) -> Line:
        """Return a move with its exact score if that is quickly proven, else with an estimate by a shallow search."""
        reply = position.play(move)
        most = 0 if budget.spent(self.nodes) else self.nodes + _QUICK
        value = self._prove(reply, -CELLS, CELLS, Budget(Limit(nodes=most), budget.stop), _QUICK)
        if value is not None:
            return Line(_score(-value, _empty_cells(position)), (move,), True)
        seconds = _ESTIMATE_SECONDS
        if budget.limit.seconds is not None:
            seconds = min(seconds, _ESTIMATE_SHARE * budget.limit.seconds)
        return Line(-answer(AlphaBeta(), reply, Limit(seconds / WIDTH, _ESTIMATE_DEPTH), budget.stop).score, (move,))

    def _info(self, lines: list[Line], budget: Budget) -> Info:
        """Return an answer with the best of these lines."""
        shown = tuple(sorted(lines, key=lambda line: -line.score)[: budget.limit.lines])
        best = shown[0]
        depth = CELLS if best.exact else _ESTIMATE_DEPTH
        return Info(best.moves[0], best.score, depth, self.nodes, budget.seconds, shown)

    def _value_without_search(self, position: Connect4Position) -> int | None:
        """Return the value of a position that is over, is won at once or is in the book; None if it takes a search."""
        own, filled = _discs(position)
        left = _empty_cells(position)
        if (outcome := position.outcome) is not None:
            return 0 if outcome.winner is None else -(left // 2) - 1
        if winning_cells(own, filled) & (filled + BOTTOM):
            return (left + 1) // 2
        return self._book.get(int(key_of(own, filled, 0)))

    def _prove(self, position: Connect4Position, low: int, high: int, budget: Budget, most: int = _SLICE) -> int | None:
        """Return the value of a position, clamped to low … high; None if the budget is used up first. Look at the
        budget every `most` nodes."""
        known = self._value_without_search(position)
        if known is not None:
            return max(low, min(high, known))
        state = self._state
        while not budget.spent(self.nodes):
            state.stop, state.node_limit = 0, state.nodes + most
            with budget.stop.calling(self._halt):
                value = int(solve(state, self._table, *_discs(position), low, high))
            if value != UNKNOWN:
                return value
        return None

    def _halt(self) -> None:
        """Ask the kernel to return soon."""
        self._state.stop = 1

    def _extend(self, position: Connect4Position, line: Line, budget: Budget) -> Line:
        """Return a proven line extended by best play to the end of the game, or as far as the budget lasts."""
        moves = list(line.moves)
        position = position.play(moves[0])
        value = self._prove(position, -CELLS, CELLS, budget)
        while value is not None and position.outcome is None:
            value = -value
            following = ((move, position.play(move)) for move in position.candidates())
            best = next((each for each in following if self._at_most(each[1], value, budget)), None)
            if best is None:
                break
            moves.append(best[0])
            position = best[1]
        return replace(line, moves=tuple(moves))

    def _at_most(self, position: Connect4Position, value: int, budget: Budget) -> bool:
        """Whether a position is proven, within the budget, to be worth at most `value` to the side to move."""
        found = self._prove(position, value, value + 1, budget)
        return found is not None and found <= value


def _discs(position: Connect4Position) -> tuple[int, int]:
    """Return two bitboards: the discs of the side to move, and all discs."""
    own, other = (position.first, position.second) if position.turn == FIRST else (position.second, position.first)
    return own, own | other


def _empty_cells(position: Connect4Position) -> int:
    """Return the number of empty cells."""
    return CELLS - (position.first | position.second).bit_count()


def _score(value: int, left: int) -> Score:
    """Convert a `value` for the side to move, as `ai.solvers.connect4_kernels` defines it, to a score. `left` is the
    number of empty cells."""
    if value > 0:
        return Score.win_in(2 * ((left + 1) // 2 - value) + 1)
    if value < 0:
        return Score.loss_in(2 * (left // 2 + value + 1))
    return Score(0)
