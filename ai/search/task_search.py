"""What one worker of a parallel search does: it searches tasks, one after the other, with a table of its own."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass

from ai.player import Budget
from ai.search.alphabeta import TO_THE_END, Entry, ExactSearch, Parts, at_ply
from ai.search.splitting import Found, Window
from ai.search.trace import INFINITY, End, Trace
from games.position import Position


@dataclass(frozen=True, slots=True)
class Subtree:
    """What to search: `depth` plies from `position`, which is `ply` moves after the root; the last one was `move`."""

    position: Position
    move: int
    depth: int
    ply: int


class TaskSearch(ExactSearch):
    """Searches for a worker. With `traced` each task has a trace."""

    def __init__(self, budget: Budget, parts: Parts, traced: bool) -> None:
        super().__init__(budget, parts, None)
        self._is_traced, self._began = traced, 0

    @property
    def done(self) -> int:
        """Nodes of the task that is searched, or was last."""
        return self.nodes - self._began

    def stopped(self, nodes: int | None = None) -> Found:
        """Return what there is of a task that was stopped; without what it did after `nodes`."""
        if nodes is not None:
            self.nodes = self._began + min(nodes, self.done)
        if self._trace is not None:
            self._trace.cut_off(self.done)
        return Found(nodes=self.done, trace=self._trace)

    def search(self, tree: Subtree, window: Callable[[], Window]) -> Generator[None, None, Found]:
        """Search a subtree. Yield before each move of its root, at which alpha and beta are looked at again; return
        what was found. Raise `Spent` if the budget is used up."""
        self._trace = trace = Trace() if self._is_traced else None
        self._began, heuristic = self.nodes, self._heuristic
        position, (alpha, beta) = tree.position, window()
        if trace is not None:
            trace.enter(tree.move, position.turn, alpha, beta, max(0, tree.depth))
        if position.outcome is not None or tree.depth <= 0:
            score = self._visit(position, tree.depth, alpha, beta, tree.ply)
            if trace is not None:
                trace.leave(score, End.HORIZON if position.outcome is None else End.OUTCOME)
        else:
            self.nodes += 1
            score = yield from self._moves_of(tree, window)
        line = self._lines[tree.ply]
        return Found(score, line, self._heuristic == heuristic, self.done, trace)

    def _known(self, entry: Entry, tree: Subtree, window: Window) -> int | None:
        """The score that an entry of the root of a task gives; None if it is not enough."""
        plies, (alpha, beta) = tree.ply * self._distance, window
        if entry.depth < tree.depth or not self._serves(entry, tree.depth):
            return None
        low, high = at_ply(entry.low, plies), at_ply(entry.high, plies)
        if not (low >= beta or high <= alpha or low == high):
            return None
        self._heuristic += entry.depth < TO_THE_END
        self._lines[tree.ply] = entry.line
        if self._trace is not None:
            self._trace.leave(low if low >= beta else high, End.TABLE)
        return low if low >= beta else high

    def _moves_of(self, tree: Subtree, window: Callable[[], Window]) -> Generator[None, None, int]:
        position, depth, ply = tree.position, tree.depth, tree.ply
        entry = self._table.get(position.key) if self._has_table else None
        if entry is not None and (known := self._known(entry, tree, window())) is not None:
            return known
        moves = self._moves(position, entry.line[0] if entry else None, ply)
        heuristic = self._heuristic
        best, end, untried, low, high = -INFINITY, End.ALL, 0, 0, 0
        line: tuple[int, ...] = ()
        for tried, move in enumerate(moves, 1):
            yield
            low, high = window()
            score = self._after(position, move, depth - 1, max(low, best), high, ply + 1)
            if score > best:
                best, line = score, (move, *self._lines[ply + 1])
            if best >= high:
                self._killers[ply] = (move, *self._killers.get(ply, ()))[:2]
                end, untried = End.CUT, len(moves) - tried
                break
        self._lines[ply] = line
        if self._has_table:
            # The last window: scores that the windows of the earlier moves left open are outside it, too.
            self._store(position.key, self._stored_depth(depth, self._heuristic == heuristic), best, (low, high), ply)
        if self._trace is not None:
            self._trace.leave(best, end, untried)
        return best
