"""Textbook minimax, which keeps its whole tree; expectimax, which has chance nodes; and a player of random moves.

For teaching, and as the reference for tests of other searches. Only for small games.
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
    """A visited position: the `move` that led to it, None at the root; the side to move as `turn`; its `score` for that
    side; and the positions after it in the order visited. Scores of wins count plies from the root."""

    move: int | None
    turn: int = FIRST
    score: int = 0
    children: list[MinimaxNode] = field(default_factory=list)

    @property
    def best(self) -> MinimaxNode | None:
        """The child with the best score, the first of equal ones; None without children."""
        return max(self.children, key=self.backed_up, default=None)

    def backed_up(self, child: MinimaxNode) -> int:
        """Return the score of `child` from the view of the side to move here."""
        return child.score if child.turn == self.turn else -child.score

    def count(self) -> int:
        """Return the number of positions in this subtree, with this one."""
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
    """Return the minimax tree of `position`. With `depth`, cut it there and use heuristic scores at the cut."""
    return _Visitor(Budget(Limit(), Stop()), distance=True).visit(position, None, depth, 0)


class _Visitor:
    """One recursive minimax search. `nodes` counts the visited positions, `heuristic` tells whether a heuristic score
    was used."""

    def __init__(self, budget: Budget, distance: bool) -> None:
        self.budget, self._distance = budget, int(distance)
        self.nodes = 0
        self.heuristic = False

    def visit(self, position: Position, move: int | None, depth: int | None, ply: int) -> MinimaxNode:
        """Return the tree of `position`, which `move` led to, `ply` plies below the root. Search `depth` plies below
        it, None for all. Raise `_Spent` when the budget is used up."""
        self.nodes += 1
        if self.budget.spent(self.nodes):
            raise _Spent
        outcome = position.outcome
        if outcome is not None:
            return MinimaxNode(move, position.turn, Score.of_outcome(outcome, position.turn, ply * self._distance))
        tree = MinimaxNode(move, position.turn, position.evaluate())
        if depth == 0:
            self.heuristic = True
            return tree
        rest = None if depth is None else depth - 1
        tree.children = [self.visit(position.play(reply), reply, rest, ply + 1) for reply in position.legal_moves()]
        tree.score = max(map(tree.backed_up, tree.children))
        return tree


class _TracedVisitor(_Visitor):
    """A `_Visitor` that also fills `trace`. It is a class of its own, so that the other needs no test at each node."""

    def __init__(self, budget: Budget, distance: bool, trace: Trace) -> None:
        super().__init__(budget, distance)
        self._trace = trace

    def visit(self, position: Position, move: int | None, depth: int | None, ply: int) -> MinimaxNode:
        """Return the tree of `position` as `_Visitor` does, and append each visited node to the trace. A node that was
        interrupted stays entered and is never left."""
        rest = max(0, _DEEPEST - ply if depth is None else depth)
        self._trace.enter(ROOT if move is None else move, position.turn, -INFINITY, INFINITY, rest)
        tree = super().visit(position, move, depth, ply)
        end = End.OUTCOME if position.outcome is not None else End.HORIZON if depth == 0 else End.ALL
        self._trace.leave(tree.score, end)
        return tree


class Minimax(Traceable):
    """A `Player` by full minimax. `tree` is the tree of its last search, without a branch that was interrupted. Without
    `distance` all wins have the same value, however far away."""

    def __init__(self, distance: bool = True) -> None:
        self.tree, self._distance = MinimaxNode(None), distance
        self._visitor = _Visitor(Budget(Limit(), Stop()), distance)
        self._moves: int  # of the root

    @property
    def nodes(self) -> int:
        """Nodes of the current or last search, with the root."""
        return self._visitor.nodes

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        """Yield a first legal move unsearched, then an answer after each root move. If interrupted, yield the last
        answer again."""
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
        """Return the answer from the root moves searched so far, best lines first, and set the score of the root."""
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
    """A `Player` that chooses uniformly among the legal moves; the same `seed` plays the same game."""

    nodes: int = 0

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        """Yield one answer, a random legal move without score or lines. Limits and stop are not used."""
        self.nodes = 1
        yield Info(self._random.choice(position.legal_moves()), nodes=1)


WIN_VALUE = 1000
"""The value of a win in hundredths; where the distance counts, one less for each ply to the end."""

@dataclass(frozen=True, slots=True)
class _ValuedLine:
    """The expected `value` of a position for the side to move at the root, and the line of the best moves. The unit is
    1/`FINE` of a hundredth."""

    value: int
    line: tuple[int, ...] = ()


class Expectimax(Traceable):
    """A `Player` by expectimax. The opponent is expected to play a random move with probability `error`, else the best.
    Without `distance` all wins have the same value. Its scores are hundredths, and it never reports a proven win."""

    def __init__(self, error: float, distance: bool) -> None:
        self._error, self._distance = error, int(distance)
        self._budget = Budget(Limit(), Stop())
        self._side: int  # to move at the root
        self._nodes = 0

    @property
    def nodes(self) -> int:
        """Nodes of the current or last search, with the root."""
        return self._nodes

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        """Yield a first legal move unsearched, then an answer after each root move. If interrupted, yield the last
        answer again."""
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
        found: list[tuple[int, _ValuedLine]] = []
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

    def _info(self, found: list[tuple[int, _ValuedLine]], limit: Limit, complete: bool) -> Info:
        """Return the answer from the root moves searched so far; `complete` if these are all."""
        ranked = sorted(found, key=lambda each: -each[1].value)
        lines = tuple(Line(_hundredths(each.value), (move, *each.line)) for move, each in ranked[: limit.lines])
        best = lines[0]
        depth, seconds = len(best.moves), self._budget.seconds
        return Info(best.moves[0], best.score, depth, self._nodes, seconds, lines, complete=complete)

    def _visit(self, position: Position, move: int, depth: int, ply: int) -> _ValuedLine:
        """Return the value and the best line of `position`, which `move` led to, `ply` plies below the root, by a
        search of `depth` plies. Raise `_Spent` when the budget is used up."""
        self._nodes += 1
        if self.trace is not None:
            self.trace.enter(move, position.turn, -INFINITY, INFINITY, depth)
        if self._budget.spent(self._nodes):
            raise _Spent
        if position.outcome is not None or depth == 0 or not position.legal_moves():
            found = _ValuedLine(self._leaf_value(position, ply))
            self._leave(position, found, End.HORIZON if position.outcome is None else End.OUTCOME)
            return found
        below = [(reply, self._visit(position.play(reply), reply, depth - 1, ply + 1))
                 for reply in position.legal_moves()]  # fmt: skip
        mine = position.turn == self._side
        reply, best = (max if mine else min)(below, key=lambda each: each[1].value)
        value = best.value if mine else self._expected_value(best.value, [each.value for _, each in below])
        found = _ValuedLine(value, (reply, *best.line))
        self._leave(position, found, End.ALL)
        return found

    def _expected_value(self, best: int, values: list[int]) -> int:
        """Return the value of an opponent's node: `best` with probability 1 - `error`, else the mean of all
        `values`."""
        return round((1 - self._error) * best + self._error * sum(values) / len(values))

    def _leaf_value(self, position: Position, ply: int) -> int:
        """Return the value of a leaf for the side to move at the root, in 1/`FINE` of a hundredth."""
        if position.outcome is None:
            estimate = position.evaluate() if position.turn == self._side else -position.evaluate()
            if position.game == number_tree.GAME:
                return 100 * FINE * estimate
            return FINE * max(-WIN_VALUE, min(WIN_VALUE, estimate))
        if position.outcome.winner is None:
            return 0
        value = FINE * (WIN_VALUE - ply * self._distance)
        return value if position.outcome.winner == self._side else -value

    def _leave(self, position: Position, found: _ValuedLine, end: End) -> None:
        """Record in the trace, if there is one, that a node is done, with its value from its side to move and why it
        ended."""
        if self.trace is not None:
            self.trace.leave(found.value if position.turn == self._side else -found.value, end)


def _hundredths(value: int) -> int:
    """Convert a value in 1/`FINE` of a hundredth to hundredths, the unit of scores."""
    return round(value / FINE)
