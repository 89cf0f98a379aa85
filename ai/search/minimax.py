"""Textbook minimax: the whole tree, without pruning, kept for inspection; and expectimax, its kin with chance nodes.

For teaching, and as the oracle of the other searches. Only for small games.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ai.core.player import Budget, Info, Limit, Line, Player, Stop
from ai.core.score import Score
from ai.search import number_tree
from ai.search.trace import FINE, INFINITY, ROOT, End, Trace, Traceable
from games.position import FIRST, Position

_DEEPEST = 400  # plies: longer than any game


@dataclass(eq=False, slots=True)
class MinimaxNode:
    """A visited position: the `move` that led to it, the side to move as `turn`, its `score` for that side, and the
    positions after it in the order visited. Scores count plies to the end from the root."""

    move: int | None
    turn: int = FIRST
    score: int = 0
    children: list[MinimaxNode] = field(default_factory=list)

    @property
    def best(self) -> MinimaxNode | None:
        """The first of the best replies."""
        return max(self.children, key=self.backed_up, default=None)

    def backed_up(self, child: MinimaxNode) -> int:
        """Return the score of `child` from the view of the side to move here."""
        return child.score if child.turn == self.turn else -child.score

    def count(self) -> int:
        """Return the number of positions in this subtree."""
        return 1 + sum(child.count() for child in self.children)

    def line(self) -> tuple[int, ...]:
        """Return the principal variation from here."""
        moves = []
        node = self.best
        while node is not None and node.move is not None:
            moves.append(node.move)
            node = node.best
        return tuple(moves)


class _Spent(Exception):
    """The budget is used up."""


def minimax(position: Position, depth: int | None = None) -> MinimaxNode:
    """Return the tree of `position`, cut at `depth` plies with heuristic scores if given."""
    return _Visitor(Budget(Limit(), Stop()), distance=True).visit(position, None, depth)


class _Visitor:
    def __init__(self, budget: Budget, distance: bool) -> None:
        self.budget, self._distance = budget, int(distance)
        self.nodes = 0
        self.heuristic = 0  # heuristic scores used

    def visit(self, position: Position, move: int | None, depth: int | None, ply: int = 0) -> MinimaxNode:
        """Raise `_Spent`."""
        self.nodes += 1
        if self.budget.spent(self.nodes):
            raise _Spent
        outcome = position.outcome
        if outcome is not None:
            return MinimaxNode(move, position.turn, Score.of_outcome(outcome, position.turn, ply * self._distance))
        tree = MinimaxNode(move, position.turn, position.evaluate())
        if depth == 0:
            self.heuristic += 1
            return tree
        rest = None if depth is None else depth - 1
        tree.children = [self.visit(position.play(reply), reply, rest, ply + 1) for reply in position.legal_moves()]
        tree.score = max(map(tree.backed_up, tree.children))
        return tree


class _TracedVisitor(_Visitor):
    """One that writes down what it visits: a class of its own, so that the other one need not ask at each node."""

    def __init__(self, budget: Budget, distance: bool, trace: Trace) -> None:
        super().__init__(budget, distance)
        self._trace = trace

    def visit(self, position: Position, move: int | None, depth: int | None, ply: int = 0) -> MinimaxNode:
        rest = max(0, _DEEPEST - ply if depth is None else depth)
        self._trace.enter(ROOT if move is None else move, position.turn, -INFINITY, INFINITY, rest)
        tree = super().visit(position, move, depth, ply)
        end = End.OUTCOME if position.outcome is not None else End.HORIZON if depth == 0 else End.ALL
        self._trace.leave(tree.score, end)
        return tree


class Minimax(Traceable):
    """The player; `tree` is the tree of its last search, without an interrupted branch. Without `distance` all wins are
    of the same value, however far away."""

    def __init__(self, distance: bool = True) -> None:
        self.tree, self._distance = MinimaxNode(None), distance
        self._visitor = _Visitor(Budget(Limit(), Stop()), distance)
        self._moves = 0  # of the root

    @property
    def nodes(self) -> int:
        return self._visitor.nodes

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        """Yield after each root move, and once more if interrupted: answer from the moves searched."""
        budget = Budget(limit, stop)
        self._visitor = visitor = _Visitor(budget, self._distance)
        if self.trace is not None:
            self.trace.clear()
            self.trace.enter(ROOT, position.turn, -INFINITY, INFINITY, limit.depth or _DEEPEST)
            self._visitor = visitor = _TracedVisitor(budget, self._distance, self.trace)
        visitor.nodes = 1  # the root
        self.tree = MinimaxNode(None, position.turn)
        depth = None if limit.depth is None else max(0, limit.depth - 1)
        moves = position.legal_moves()
        self._moves = len(moves)
        info = Info(moves[0], complete=False)
        yield info
        try:
            for move in moves:
                self.tree.children.append(visitor.visit(position.play(move), move, depth, 1))
                info = self._info(limit)
                yield info
        except _Spent:
            if self.trace is not None:
                self.trace.stop()
            yield replace(info, nodes=visitor.nodes, seconds=budget.seconds)
            return
        if self.trace is not None:
            self.trace.leave(self.tree.score, End.ALL)

    def _info(self, limit: Limit) -> Info:
        """The Info of a complete or interrupted iteration, best lines first."""
        ranked = sorted(self.tree.children, key=self.tree.backed_up, reverse=True)
        complete = len(ranked) == self._moves
        whole = not self._visitor.heuristic and complete
        lines = tuple(
            Line(self.tree.backed_up(child), (child.move, *child.line()), whole)
            for child in ranked[: limit.lines]
            if child.move is not None
        )
        best = lines[0]
        self.tree.score = best.score
        visitor = self._visitor
        seconds, depth = visitor.budget.seconds, len(best.moves)
        return Info(best.moves[0], best.score, depth, visitor.nodes, seconds, lines, complete=complete)


# A player that plays any legal move: the weakest opponent and the baseline of the others.


class RandomPlayer(Player):
    """Choose uniformly among the legal moves; the same `seed` plays the same game."""

    nodes: int = 0

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        self.nodes = 1
        yield Info(self._random.choice(position.legal_moves()), nodes=1)


WIN_VALUE = 1000
"""The value of a win in hundredths; where the distance counts, one less for each ply to the end."""

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
        """Return the expected score and the line of `position`, reached by `move`. Raise `_Spent` when time is up."""
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
