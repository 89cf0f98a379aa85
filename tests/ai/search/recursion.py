"""Minimax and alpha-beta, with what is added to it, written once more: as textbooks have them, a row for each node."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from ai.core.score import WIN
from ai.search.alphabeta import Parts
from ai.search.trace import INFINITY, ROOT
from games.position import Position

Window = tuple[int, int]

PARENT, MOVE, TURN, ALPHA, BETA, VALUE, END, UNTRIED, PLY = range(9)
"""What is in a row."""


class Recursion:
    """Alpha-beta with `parts`, or minimax without any. `rows` has the nodes in the order visited."""

    def __init__(self, parts: Parts | None) -> None:
        self.parts, self.cutting = parts or Parts(False, False, False, False, False), parts is not None
        self.rows: list[list[Any]] = []
        self.score = 0
        self._table: dict[Hashable, tuple[float, int, int, int]] = {}  # depth, bounds, best move
        self._killers: dict[int, list[int]] = {}
        self._iteration = 0

    def search(self, position: Position, depth: int) -> None:
        """Search `position`; by deepening, depth after depth until nothing was estimated or a win is found."""
        order = self._moves(position, 0, None)
        for iteration in range(1 if self.parts.deepening else depth, depth + 1):
            self._iteration = iteration
            self.rows.append([-1, ROOT, position.turn, -INFINITY, INFINITY, 0, "all", 0, 0])
            root, sure, best, choice = len(self.rows) - 1, True, -INFINITY, order[0]
            for move in order:
                window = (best if self.cutting else -INFINITY, INFINITY)
                value, known = self._child(position, move, iteration - 1, window, root)
                sure &= known
                if value > best:
                    best, choice = value, move
            self.score = self.rows[root][VALUE] = best
            order = [choice, *(move for move in order if move != choice)]
            if sure or abs(best) > WIN // 2:
                return

    def _child(self, position: Position, move: int, depth: int, window: Window, parent: int) -> tuple[int, bool]:
        """The value of a move for the side that plays it, and whether no estimate was used."""
        after = position.play(move)
        if after.turn == position.turn:
            return self._value(after, move, depth, window, parent)
        value, sure = self._value(after, move, depth, (-window[1], -window[0]), parent)
        return -value, sure

    def _value(self, position: Position, move: int, depth: int, window: Window, parent: int) -> tuple[int, bool]:
        ply = self.rows[parent][PLY] + 1
        row: list[Any] = [parent, move, position.turn, *window, 0, "", 0, ply]
        self.rows.append(row)
        row[VALUE], row[END], sure = self._leaf(position, depth, window, ply) or self._inner(position, depth, row)
        return row[VALUE], sure

    def _leaf(self, position: Position, depth: int, window: Window, ply: int) -> tuple[int, str, bool] | None:
        """The value of a node below which nothing is searched, why, and whether it is no estimate."""
        outcome, far = position.outcome, ply if self.parts.distance else 0
        if outcome is not None:
            won = WIN - far
            return 0 if outcome.winner is None else won if outcome.winner == position.turn else -won, "outcome", True
        if depth == 0:
            return position.evaluate(), "horizon", False
        entry = self._table.get(position.key) if self.parts.table else None
        if entry is not None and entry[0] >= depth:
            low, high = (_nearer(bound, -far) for bound in entry[1:3])
            if low >= window[1]:
                return low, "table", entry[0] == float("inf")
            if high <= window[0] or low == high:
                return high, "table", entry[0] == float("inf")
        return None

    def _inner(self, position: Position, depth: int, row: list[Any]) -> tuple[int, str, bool]:
        entry = self._table.get(position.key)
        low, high = (row[ALPHA], row[BETA]) if self.cutting else (-INFINITY, INFINITY)
        moves = self._moves(position, row[PLY], entry[3] if entry else None)
        forced = self.parts.extension and len(moves) == 1 and row[PLY] < 2 * self._iteration
        number, best, choice, end, sure = len(self.rows) - 1, -INFINITY, moves[0], "all", True
        for tried, move in enumerate(moves, 1):
            value, known = self._child(position, move, depth - (not forced), (low, high), number)
            sure &= known
            if value > best:
                best, choice = value, move
            if self.cutting and max(low, best) >= high:
                self._killers[row[PLY]] = [move, *self._killers.get(row[PLY], [])][:2]
                end, row[UNTRIED] = "cut", len(moves) - tried
                break
            low = max(low, best) if self.cutting else low
        if self.parts.table:
            far = row[PLY] if self.parts.distance else 0
            bounds = (_nearer(best, far) if best > row[ALPHA] else -INFINITY,
                      _nearer(best, far) if best < row[BETA] else INFINITY)  # fmt: skip
            self._table[position.key] = (float("inf") if sure else depth, *bounds, choice)
        return best, end, sure

    def _moves(self, position: Position, ply: int, known: int | None) -> Sequence[int]:
        """Known to be good, killers, the game's order; or by number."""
        good, every = list(position.candidates()), list(position.legal_moves())
        if not self.cutting or not self.parts.ordering:
            return sorted(good) if self.parts.selection else every
        moves = good if self.parts.selection else [*good, *(move for move in every if move not in good)]
        first = [move for move in (known, *self._killers.get(ply, [])) if move in moves]
        return list(dict.fromkeys([*first, *moves]))


def _nearer(value: int, plies: int) -> int:
    """A value of the end of the game, counted from a position so many plies on."""
    if abs(value) < WIN // 2 or abs(value) == INFINITY:
        return value
    return value + plies if value > 0 else value - plies
