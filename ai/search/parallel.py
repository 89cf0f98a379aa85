"""Alpha-beta by several workers, which share out the moves of one tree: root splitting, or young brothers wait.

The workers are processes, since the interpreter lets only one thread at a time run Python, or they are simulated. All
share alpha and beta, and each has a table of its own. The value of a finished iteration is that of alpha-beta
without extensions.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace

from ai.player import Budget, Info, Limit, Line, Stop
from ai.search.alphabeta import ExactSearch, Parts
from ai.search.process_crew import ProcessCrew, Processes
from ai.search.shared_tree import SharedTree
from ai.search.simulated_crew import SimulatedCrew
from ai.search.splitting import BROTHERS, Sharing, Split
from ai.search.task_search import TaskSearch
from ai.search.trace import End, Traceable
from games.position import Position

_PARTS = Parts(extension=False)

_GRAIN = 4  # plies of the smallest tasks of processes, for which a message takes as long as ten nodes
_SMALL = 2_000  # nodes of an iteration after which the next one is worth processes


@dataclass(frozen=True, slots=True)
class Way:
    """How a search is shared out: among how many `workers`, by which `split`, one of `SPLITS`, and in tasks of at least
    the depth `grain`, None for what is usual. `simulated` workers count time in nodes."""

    workers: int = 2
    split: str = BROTHERS
    grain: int | None = None
    simulated: bool = False

    @property
    def least(self) -> int:
        return self.grain or (1 if self.simulated else _GRAIN)


class Parallel(Traceable):
    """The player. `trace` is a `SharedTree` after a search."""

    def __init__(self, way: Way = Way(), parts: Parts = _PARTS) -> None:
        self.way, self._parts = way, replace(parts, extension=False)
        self._search: _Coordinator | None = None
        self._processes: Processes | None = None

    @property
    def nodes(self) -> int:
        return 0 if self._search is None else self._search.visited

    @property
    def span(self) -> int:
        """How long the last search by simulated workers took, in nodes."""
        return 0 if self._search is None else self._search.span

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        """Yield after every iteration, and once more if the last one is interrupted."""
        tree = None if self.trace is None else SharedTree()
        start = None if self.way.simulated or self.way.workers < 2 else self._start
        self._search = _Coordinator(Budget(limit, stop), self._parts, self.way, tree, start)
        try:
            yield from self._search.deepen(position)
        finally:
            if tree is not None:
                tree.mark_twice(position)
                self.trace = tree

    def _start(self) -> Processes | None:
        """Start the processes, unless they have been. None in a process that must not have any."""
        if self._processes is None and not multiprocessing.current_process().daemon:
            self._processes = Processes(self.way.workers)
        return self._processes

    def warm_up(self, position: Position) -> None:
        """Start the processes."""
        super().warm_up(position)
        if not self.way.simulated:
            self._start()

    def close(self) -> None:
        if self._processes is not None:
            self._processes.close()
            self._processes = None


class _Coordinator(ExactSearch):
    """Deepens, orders the moves of the splits, and has each iteration searched by a crew: by processes, which `start`
    gives, as soon as it is large enough for them."""

    def __init__(
        self, budget: Budget, parts: Parts, way: Way, tree: SharedTree | None,
        start: Callable[[], Processes | None] | None,
    ) -> None:  # fmt: skip
        super().__init__(budget, parts, None)
        self._way, self._tree, self._start = way, tree, start
        self._best: dict[Hashable, int] = {}  # moves of the splits of earlier iterations
        together = _Together(budget, lambda: self.visited)
        count = way.workers if way.simulated else 1
        searches = [TaskSearch(together, parts, tree is not None) for _ in range(count)]
        self._here, self._first, self._together = SimulatedCrew(searches), searches[0], together
        self._there: ProcessCrew | None = None
        self._before = 0  # nodes before the last iteration

    @property
    def visited(self) -> int:
        """Nodes of all workers so far."""
        return self._here.nodes + (0 if self._there is None else self._there.nodes)

    @property
    def span(self) -> int:
        return self._here.clock

    def _root(self, position: Position, moves: Sequence[int]) -> Line:
        self._partial = None
        sharing = Sharing(position, moves, self._iteration, self._way.split, self._way.least, self._order, self._learn)
        root = sharing.root
        try:
            self._crew(position).run(sharing)
        finally:
            self.nodes = self.visited
            if root.line and root.children[0].over:  # else another move may be better
                self._partial = Line(root.best, root.line)
            if self._tree is not None:
                self._tree.add(root)
        assert self._partial is not None
        self._heuristic += not root.whole
        return self._partial

    def _crew(self, position: Position) -> SimulatedCrew | ProcessCrew:
        small = self.parts.deepening and self.nodes - self._before < _SMALL
        self._before = self.nodes
        if self._there is None and self._start is not None and not small:
            processes, self._start = self._start(), None
            if processes is not None:
                traced = self._tree is not None
                self._there = ProcessCrew(processes, position, self.parts, self._together, self._first, traced)
        return self._here if self._there is None else self._there

    def _order(self, position: Position, ply: int) -> Sequence[int]:
        return self._moves(position, self._best.get(position.key), ply)

    def _learn(self, split: Split) -> None:
        if split.line and self.parts.table:
            self._best[split.position.key] = split.line[0]
        if split.end is End.CUT:
            self._killers[split.ply] = (split.line[0], *self._killers.get(split.ply, ()))[:2]


class _Together(Budget):
    """The budget of a whole crew, which has `visited` so many nodes."""

    def __init__(self, budget: Budget, visited: Callable[[], int]) -> None:
        super().__init__(budget.limit, budget.stop)
        self.began, self._visited = budget.began, visited

    def spent(self, nodes: int) -> bool:
        return super().spent(nodes if self.limit.nodes is None else self._visited())
