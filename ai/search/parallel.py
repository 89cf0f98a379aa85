"""Alpha-beta by a crew of workers, which share out the moves, or share a table (`ai.search.splitting`).

The value of a finished iteration is that of alpha-beta without extensions, however the search is shared out.
"""

from __future__ import annotations

import logging
import multiprocessing
import uuid
from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace

from ai.core.player import Crewed, Info, Limit, Player, Stop, WorkerRow
from ai.search.alphabeta import AlphaBeta, Parts, Table
from ai.search.coordinator import Coordinator
from ai.search.crews import Crew, CrewLost, ProcessCrew, SimulatedCrew
from ai.search.shared_tree import SharedTree
from ai.search.splitting import BROTHERS, LAZY, ROOT_SPLIT, Brothers, Lazy, Ordered
from ai.search.trace import End, Traceable
from ai.search.workers import MoveSearch, TreeMoves, Work
from games.position import Position

_log = logging.getLogger(__name__)

_PARTS = Parts(extension=False)

_GRAIN = 4  # plies of the smallest tasks of processes, for which a message takes as long as ten nodes
_SMALL = 2_000  # nodes that are searched before processes are worth it


@dataclass(frozen=True, slots=True)
class Way:
    """How a search is shared out: among how many `workers`; by which `split`, one of `SPLITS`; and in tasks of at least
    the depth `grain`, None for the default. `simulated` workers take turns and count time in nodes. Lazy SMP always
    simulates its workers."""

    workers: int = 2
    split: str = BROTHERS
    grain: int | None = None
    simulated: bool = False

    @property
    def least(self) -> int:
        """The depth of the smallest tasks, in plies: `grain` or its default."""
        return self.grain or (1 if self.by_nodes else _GRAIN)

    @property
    def by_nodes(self) -> bool:
        """Whether the workers are simulated."""
        return self.simulated or self.split == LAZY


class CrewPlayer(Traceable, Crewed):
    """A player whose search is shared out to a crew. If the crew is lost, the player of `_fallback` searches alone,
    also later."""

    _search: Coordinator | None = None
    _alone: Player | None = None

    @property
    def nodes(self) -> int:
        """Nodes of the crew in the current or last search; of the player that searches alone once the crew is lost."""
        if self._alone is not None:
            return self._alone.nodes
        return 0 if self._search is None else self._search.nodes

    @property
    def workers(self) -> tuple[WorkerRow, ...]:
        """What each busy worker is searching; empty before the first search, and once the crew is lost."""
        return () if self.lost or self._search is None else self._search.rows

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        """Yield an answer after every iteration, and once more if the last one is interrupted."""
        if self._alone is not None:
            yield from self._alone.think(position, limit, stop)
            return
        best: Info | None = None
        try:
            self._search = self._coordinator(position, limit, stop)
            for best in self._search.deepen():
                yield best
        except CrewLost as error:
            _log.warning("The workers are lost.", exc_info=error)
            self._report_loss(str(error))
            yield from self._search_alone(position, limit, stop, best)

    def _search_alone(self, position: Position, limit: Limit, stop: Stop, best: Info | None) -> Iterator[Info]:
        """Search on with the player of `_fallback` in the time that is left. Leave out answers of less depth than
        `best`, unless they have a mate."""
        alone = self._alone = self._fallback()
        self.lost = True
        if limit.seconds is not None and self._search is not None:
            limit = replace(limit, seconds=max(0.0, limit.seconds - self._search.seconds))
        for info in alone.think(position, limit, stop):
            if best is None or info.depth >= best.depth or info.mate is not None:
                yield info

    def _coordinator(self, position: Position, limit: Limit, stop: Stop) -> Coordinator:
        """Return the coordinator of a new search. Raise `CrewLost` if there is no crew."""
        raise NotImplementedError

    def _fallback(self) -> Player:
        """Return the player that searches alone when the crew is lost."""
        raise NotImplementedError

    def _report_loss(self, reason: str) -> None:
        """Report that the crew is lost; `reason` is a sentence. By default, do nothing."""

    def close(self) -> None:
        """Close the player that searches alone, if any. A subclass closes its crew."""
        if self._alone is not None:
            self._alone.close()


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes the search of a worker process."""

    parts: Parts
    traced: bool

    def __call__(self, _threads: int) -> MoveSearch:
        """Return a new search; the number of threads is not used, since a process searches on one."""
        return TreeMoves(self.parts, self.traced)


class Parallel(CrewPlayer):
    """A `Player` by alpha-beta that is shared out as `way` says. After a search, `trace` is a `SharedTree` unless it
    was None."""

    def __init__(self, way: Way = Way(), parts: Parts = _PARTS) -> None:
        self.way, self._parts = way, replace(parts, extension=False)
        self._processes: ProcessCrew | None = None

    @property
    def span(self) -> int:
        """The time of the last search by simulated workers, in nodes."""
        return 0 if self._search is None else self._search.span

    @property
    def _is_simulated(self) -> bool:
        """Whether the workers are simulated: also a single one, and where this process may not start others."""
        return self.way.by_nodes or self.way.workers < 2 or multiprocessing.current_process().daemon

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        """Yield answers as `CrewPlayer` does. At the end, also of a search that was stopped, mark in the trace the
        positions that several workers have searched."""
        try:
            yield from super().think(position, limit, stop)
        finally:
            if isinstance(self.trace, SharedTree):
                self.trace.mark_twice(position)

    def _coordinator(self, position: Position, limit: Limit, stop: Stop) -> Coordinator:
        """Return the coordinator of a new search, with a new tree as `trace` unless that was None."""
        way, parts, here = self.way, self._parts, TreeMoves(self._parts)
        tree = None if self.trace is None else SharedTree()
        self.trace = tree

        def simulated() -> Crew:
            """Return a new crew of simulated workers."""
            count = way.workers if way.by_nodes else 1
            lazy = way.split == LAZY
            table: Table | None = {} if lazy else None
            searches = [TreeMoves(parts, tree is not None, lazy, lazy * turn, table) for turn in range(count)]
            return SimulatedCrew(searches, limit, stop)

        if way.split == LAZY:
            policy: Ordered = Lazy(here, parts, way.workers)
        else:
            policy = Ordered(here, parts) if way.split == ROOT_SPLIT else Brothers(here, parts, way.least)
        if not self._is_simulated and tree is None and parts.deepening:
            policy.first, policy.alone = policy.deepest, _SMALL
        work = Work(uuid.uuid4().hex, _Maker(parts, tree is not None))
        crew = simulated if self._is_simulated else self._process_crew
        return Coordinator(crew, work, position, limit, stop, policy, here, tree, parts.deepening)

    def _process_crew(self) -> ProcessCrew:
        """Return the crew of processes, which the first call starts."""
        if self._processes is None:
            self._processes = ProcessCrew(self.way.workers)
        return self._processes

    def _fallback(self) -> Player:
        """Return alpha-beta with the same parts, in this process."""
        return AlphaBeta(self._parts)

    def warm_up(self, position: Position) -> None:
        """Start the processes, and wait until they are ready."""
        super().warm_up(position)
        if not self._is_simulated:
            self._coordinator(position, Limit(), Stop()).warm_up()

    def close(self) -> None:
        """Kill the processes, if any were started; a later search starts new ones."""
        super().close()
        if self._processes is not None:
            self._processes.close()
            self._processes = None


# How the workers of lazy SMP have divided their work.


@dataclass(frozen=True, slots=True)
class Division:
    """How the workers of lazy SMP have divided a search. A position with a depth counts once. `alone` counts those
    whose moves only one worker has searched, for each worker, and `shared` those that several have. `nodes` are the
    nodes that each worker visited, and `answered` those of them that the table answered."""

    alone: tuple[int, ...]
    shared: int
    nodes: tuple[int, ...]
    answered: tuple[int, ...]

    @property
    def positions(self) -> int:
        """The number of different positions that were searched."""
        return sum(self.alone) + self.shared


def division(tree: SharedTree, position: Position, workers: int) -> Division:
    """Return how `workers` workers have divided the search `tree`, whose roots are `position`."""
    by: dict[Hashable, set[int]] = {}
    for node, searched in tree.with_keys(position):
        by.setdefault(searched, set()).add(tree.worker[node])
    alone = Counter(min(each) for each in by.values() if len(each) == 1)
    numbers = range(1, workers + 1)
    answered = Counter(worker for worker, end in zip(tree.worker, tree.end, strict=True) if end == End.TABLE)
    return Division(
        tuple(alone[number] for number in numbers), len(by) - alone.total(),
        tuple(tree.worker.count(number) for number in numbers), tuple(answered[number] for number in numbers),
    )  # fmt: skip
