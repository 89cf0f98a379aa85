"""Alpha-beta by several workers: root splitting or young brothers wait, which share out the moves, and lazy SMP.

The workers of the first two are processes, since the interpreter lets only one thread at a time run Python, or they are
simulated. All share alpha and beta, and each has a table of its own. The value of a finished iteration is that of
alpha-beta without extensions.
"""

from __future__ import annotations

import multiprocessing
import threading
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from ai.core.player import Budget, Info, Limit, Line, Stop
from ai.search.alphabeta import ExactSearch, Parts, Table
from ai.search.crews import ProcessCrew, Processes, SimulatedCrew
from ai.search.shared_tree import SharedTree
from ai.search.splitting import BROTHERS, Sharing, Split, TaskSearch
from ai.search.trace import End, Trace, Traceable
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
        """The least depth of a task: `grain` or the default."""
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
        """Time of the parallel search in nodes of the simulated clock."""
        return self._here.clock

    def _root(self, position: Position, moves: Sequence[int]) -> Line:
        """Share one iteration out among the crew; return its best line, and keep a partial one if interrupted."""
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
        """Choose who searches: the processes once they run and the iteration is not too small, else this process."""
        small = self.parts.deepening and self.nodes - self._before < _SMALL
        self._before = self.nodes
        if self._there is None and self._start is not None and not small:
            processes, self._start = self._start(), None
            if processes is not None:
                traced = self._tree is not None
                self._there = ProcessCrew(processes, position, self.parts, self._together, self._first, traced)
        return self._here if self._there is None else self._there

    def _order(self, position: Position, ply: int) -> Sequence[int]:
        """The moves in the order of killers and best moves so far."""
        return self._moves(position, self._best.get(position.key), ply)

    def _learn(self, split: Split) -> None:
        """Remember best move and killer of a finished split."""
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


# Alpha-beta by several threads on one tree: lazy SMP, in which the threads share nothing but a transposition table
# (https://www.chessprogramming.org/Lazy_SMP).
#
# The helpers search the same position with the moves in another order, some of them a ply deeper, and the first thread
# finds in the table what they have done. It alone answers. Plain Python threads take turns, since the interpreter lets
# only one of them run at a time (the GIL): together they visit no more nodes a second than one. This player is for
# seeing how the work is divided, and what is done twice; the compiled gomoku engine is the one that gains time by
# threads.
#
# By an `ExactSearch` the order in which threads fill the table cannot change the value of a finished iteration: it is
# that of alpha-beta without extensions.


WORKERS = range(2, 9)
"""How many threads there may be."""

Searched = tuple[Hashable, int]
"""A position by its key, and the depth to which it was searched: equal for equal work."""


@dataclass(slots=True)
class Work:
    """What a thread did: the nodes of its `trace`, and the position and depth of each of them."""

    trace: Trace = field(default_factory=Trace)
    positions: list[Searched] = field(default_factory=list)

    def expanded(self) -> Iterator[Searched]:
        """Yield the positions of which it tried moves, again for each time."""
        for end, searched in zip(list(self.trace.end), list(self.positions), strict=False):
            if end in (End.CUT, End.ALL):
                yield searched


class LazySmp(Traceable):
    """The player. `trace` has the tree of the first thread; `work` that of each thread, if it is `watched`."""

    def __init__(self, workers: int = 2, selection: bool = True) -> None:
        self.workers, self.watched = workers, False
        self.work: list[Work] = []
        self._parts = Parts(extension=False, selection=selection)
        self._searches: list[_Search] = []

    @property
    def nodes(self) -> int:
        return sum(search.nodes for search in self._searches)

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        """Yield after every iteration of the first thread, with the nodes of all."""
        over, table = Stop(), Table()
        self.work = [Work() for _ in range(self.workers)]
        if self.trace is not None:
            self.trace.clear()
            self.work[0].trace = self.trace
        self._searches = [self._search(number, limit, over, table) for number in range(self.workers)]
        first, *helpers = self._searches
        threads = [threading.Thread(target=each.help, args=(position,), daemon=True) for each in helpers]
        with stop.calling(over.set):
            for thread in threads:
                thread.start()
            try:
                for info in first.deepen(position):
                    yield Info(info.move, info.score, info.depth, self.nodes, info.seconds, info.lines)
            finally:
                over.set()
                for thread in threads:
                    thread.join()

    def _search(self, number: int, limit: Limit, over: Stop, table: Table) -> _Search:
        """The search of one thread; only the first is limited by lines and traced."""
        watched = self.watched or (number == 0 and self.trace is not None)
        lines = limit.lines if number == 0 else 1
        bounds = Limit(limit.seconds if number == 0 else None, limit.depth, limit.nodes, lines)
        work = self.work[number] if watched else None
        return _Search(number, _Threads(bounds, over, self), self._parts, work, table)


class _Threads(Budget):
    """A budget of nodes for all threads of `player`."""

    def __init__(self, limit: Limit, stop: Stop, player: LazySmp) -> None:
        super().__init__(limit, stop)
        self._player = player

    def spent(self, nodes: int) -> bool:
        return super().spent(nodes if self.limit.nodes is None else self._player.nodes)


class _Search(ExactSearch):
    """The search of the thread `number`, 0 for the one that answers."""

    def __init__(self, number: int, budget: Budget, parts: Parts, work: Work | None, table: Table) -> None:
        super().__init__(budget, parts, None if work is None else work.trace, table)
        self._number, self._work = number, work

    def help(self, position: Position) -> None:
        """Fill the table: every other pair of threads begins a ply deeper."""
        for _ in self.deepen(position, 1 + self._number // 2 % 2):
            pass

    def _moves(self, position: Position, tt_move: int | None, ply: int) -> Sequence[int]:
        """In another order for each thread, but for the move of the table, which is likely to be good."""
        moves = super()._moves(position, tt_move, ply)
        start = 0 if tt_move is None else 1
        turn = start + self._number % max(1, len(moves) - start)
        return [*moves[:start], *moves[turn:], *moves[start:turn]]

    # The positions are written down beside the nodes of the trace.

    def _root(self, position: Position, moves: Sequence[int]) -> Line:
        if self._work is not None:
            self._work.positions.append((position.key, self._iteration))
        return super()._root(position, moves)

    def _visit(self, position: Position, depth: int, alpha: int, beta: int, ply: int) -> int:
        if self._work is not None:
            self._work.positions.append((position.key, depth))
        return super()._visit(position, depth, alpha, beta, ply)


def owners(work: Sequence[Work]) -> dict[Searched, frozenset[int]]:
    """Return the threads, by their numbers, that have searched each position to each depth."""
    found: dict[Searched, frozenset[int]] = {}
    for number, each in enumerate(work):
        for searched in each.expanded():
            found[searched] = found.get(searched, frozenset()) | {number}
    return found


def twice(work: Sequence[Work]) -> set[Searched]:
    """Return the positions that were searched more than once to the same depth, by one thread or several."""
    counts = Counter(searched for each in work for searched in each.expanded())
    return {searched for searched, count in counts.items() if count > 1}


@dataclass(frozen=True, slots=True)
class Division:
    """How the work was divided: positions that only one thread has searched, by threads, those that several have, and
    for each thread the nodes visited, and how many of them the table answered."""

    alone: tuple[int, ...]
    shared: int
    nodes: tuple[int, ...]
    answered: tuple[int, ...]

    @property
    def positions(self) -> int:
        """All that were searched."""
        return sum(self.alone) + self.shared


def division(work: Sequence[Work]) -> Division:
    """Return how the threads have divided their work so far."""
    by = list(owners(work).values())
    alone = tuple(by.count(frozenset({number})) for number in range(len(work)))
    nodes = tuple(len(each.trace) for each in work)
    answered = tuple(each.trace.end.count(End.TABLE) for each in work)
    return Division(alone, len(by) - sum(alone), nodes, answered)
