"""Expectimax: minimax against an opponent that errs, whose nodes are chance nodes.

The opponent, who is not to move at the root, plays a random move with a given probability, each legal one as likely as
the others, and else its best reply. The value of a chance node is the mean of its moves, weighted by probability.
Such means need values on one scale: a win has `WIN_VALUE`, and no estimate exceeds it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ai.core.player import Budget, Info, Limit, Line, Stop
from ai.search import number_tree
from ai.search.trace import FINE, INFINITY, ROOT, End, Traceable
from games.position import Position

WIN_VALUE = 1000
"""The value of a win in hundredths; where the distance counts, one less for each ply to the end."""

_DEEPEST = 400  # plies: longer than any game


class _Spent(Exception):
    """The budget is used up."""


@dataclass(frozen=True, slots=True)
class _Found:
    """The `value` of a position for the side to move at the root, in parts of a hundredth, and the line of the best
    moves."""

    value: int
    line: tuple[int, ...] = ()


class Expectimax(Traceable):
    """The player. `error` is the probability with which the opponent plays at random; without `distance` all wins are
    of the same value, however far away. Its scores are hundredths, and prove nothing."""

    def __init__(self, error: float, distance: bool = True) -> None:
        self._error, self._distance = error, int(distance)
        self._budget = Budget(Limit(), Stop())
        self._side = 0  # to move at the root
        self._nodes = 0

    @property
    def nodes(self) -> int:
        return self._nodes

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        """Yield after each root move, and once more if interrupted: answer from the moves searched."""
        self._budget, self._side, self._nodes = Budget(limit, stop), position.turn, 1
        depth = min(limit.depth or _DEEPEST, _DEEPEST)
        trace = self.trace
        if trace is not None:
            trace.clear()
            trace.error = self._error
            trace.enter(ROOT, position.turn, -INFINITY, INFINITY, depth)
        moves = position.legal_moves()
        info = Info(moves[0], complete=False)
        yield info
        found: list[tuple[int, _Found]] = []
        try:
            for move in moves:
                found.append((move, self._visit(position.play(move), move, depth - 1, 1)))
                info = self._info(found, limit, len(found) == len(moves))
                yield info
        except _Spent:
            if trace is not None:
                trace.stop()
            yield replace(info, nodes=self._nodes, seconds=self._budget.seconds)
            return
        if trace is not None:
            trace.leave(max(each.value for _, each in found), End.ALL)

    def _info(self, found: list[tuple[int, _Found]], limit: Limit, complete: bool) -> Info:
        ranked = sorted(found, key=lambda each: -each[1].value)
        lines = tuple(Line(_hundredths(each.value), (move, *each.line)) for move, each in ranked[: limit.lines])
        best = lines[0]
        depth, seconds = len(best.moves), self._budget.seconds
        return Info(best.moves[0], best.score, depth, self._nodes, seconds, lines, complete=complete)

    def _visit(self, position: Position, move: int, depth: int, ply: int) -> _Found:
        """Raise `_Spent`."""
        self._nodes += 1
        if self.trace is not None:
            self.trace.enter(move, position.turn, -INFINITY, INFINITY, depth)
        if self._budget.spent(self._nodes):
            raise _Spent
        if position.outcome is not None or depth == 0 or not position.legal_moves():
            found = _Found(self._leaf(position, ply))
            self._leave(position, found, End.HORIZON if position.outcome is None else End.OUTCOME)
            return found
        below = [(reply, self._visit(position.play(reply), reply, depth - 1, ply + 1))
                 for reply in position.legal_moves()]  # fmt: skip
        mine = position.turn == self._side
        reply, best = (max if mine else min)(below, key=lambda each: each[1].value)
        value = best.value if mine else self._mean(best.value, [each.value for _, each in below])
        found = _Found(value, (reply, *best.line))
        self._leave(position, found, End.ALL)
        return found

    def _mean(self, best: int, values: list[int]) -> int:
        """The expected value at an opponent's node: the best move but for the share of errors."""
        return round((1 - self._error) * best + self._error * sum(values) / len(values))

    def _leaf(self, position: Position, ply: int) -> int:
        """Value of a leaf for the first mover, in fine units; a win counts less the later it comes."""
        if position.outcome is None:
            estimate = position.evaluate() if position.turn == self._side else -position.evaluate()
            if position.game == number_tree.GAME:
                return 100 * FINE * estimate
            return FINE * max(-WIN_VALUE, min(WIN_VALUE, estimate))
        if position.outcome.winner is None:
            return 0
        value = FINE * (WIN_VALUE - ply * self._distance)
        return value if position.outcome.winner == self._side else -value

    def _leave(self, position: Position, found: _Found, end: End) -> None:
        """Note in the trace that a node is done, with its value as its side to move sees it."""
        if self.trace is not None:
            self.trace.leave(found.value if position.turn == self._side else -found.value, end)


def _hundredths(value: int) -> int:
    """A fine value in hundredths, the unit of scores."""
    return round(value / FINE)
