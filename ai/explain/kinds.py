"""Searches that a window looks into while they run, or afterwards: the engine's, whose table is walked from time to
time, Monte Carlo tree searches, sampled or visit by visit, and searches by several workers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from ai.core.player import DepthStats, Info, Limit, Stop, answer
from ai.explain.tracing import AT_ONCE
from ai.players.table import Context, make, needs_engine
from ai.search.comparison import MCTS, C, sampled_player
from ai.search.mcts import Mcts
from ai.search.mcts_tree import SAMPLE_NODES, SampleTree, empty_sample_tree
from ai.search.parallel import Parallel
from ai.search.shared_tree import SharedTree
from ai.search.trace import TREE_NODES, End, SnapshotSteps, TableTree, Trace, empty_table_tree
from ai.service.searches import Purpose, Search, Searches
from ai.system.stream import Stream
from ai.system.threads import result_of
from games.position import Position
from games.record import Node

SECONDS = 10.0
"""Of a search."""

GROWING, PAUSE = 240, 0.4
"""Nodes of a tree while the search goes on, and seconds between two of these."""


@dataclass(frozen=True, slots=True)
class Engines:
    """Where engines are asked: the `searches` of a window. `rest` waits until no frame is being made; `failed` tells
    whether the engine could not be loaded, `ready` whether it has been."""

    searches: Searches
    rest: Callable[[], object] = lambda: None
    failed: Callable[[], bool] = lambda: False
    ready: Callable[[], bool] = lambda: True


class TableTracing:
    """Ask `engines` for a search by the player called `name`. Each tree replaces the one before as `trace`; `wake` is
    called on a thread when there is another. What a stand-in finds is not shown."""

    def __init__(
        self, engines: Engines, name: str, position: Position, depth: int | None, wake: Callable[[], object]
    ) -> None:
        limit = Limit(seconds=SECONDS, depth=depth)
        self.search: Search = engines.searches.ask(Node(position), Purpose.ANALYSIS, limit, name)
        self.trace: TableTree = empty_table_tree(position)
        self._position, self._engines, self._wake = position, engines, wake
        self._thread = ThreadPoolExecutor(1, "tengen-table")
        self._walk: Future[TableTree | None] | None = None
        self._walk_failed = False
        self._last = False  # whether the walk is the one after the search
        self._due = 0.0
        self._closed = False

    @property
    def waiting(self) -> bool:
        """Whether the engine is not ready."""
        return self.search.stand_in and not self.failed

    @property
    def failed(self) -> bool:
        """Whether there will be no tree: the engine, the search or the walk failed."""
        if self._walk_failed:
            return True
        lost = self.search.error is not None or (self.search.stand_in and self._engines.failed())
        return self.search.over and lost

    @property
    def busy(self) -> bool:
        """Whether another tree is to come: the search, or the walk after it, is not over."""
        if self._closed or self.failed:
            return False
        return self.search.busy or self.waiting or self._walk is not None or (self.search.over and not self._last)

    @property
    def _found(self) -> Info | None:
        """The engine's last Info; None while a stand-in searches."""
        return None if self.search.stand_in else self.search.info

    @property
    def info(self) -> Info | None:
        """The last Info of the engine, once the search is over."""
        return self._found if self.search.over and not self.failed else None

    @property
    def depths(self) -> tuple[DepthStats, ...]:
        """Statistics of each iteration of the engine."""
        return () if self._found is None else self._found.depths

    def update(self) -> bool:
        """Take a tree that is finished, and begin another. Return whether there is news."""
        if self._closed or (self._last and self._walk is None):
            return False
        taken = False
        if self._walk is not None and self._walk.done():
            self._walk_failed = self._walk.exception() is not None
            tree, self._walk = result_of(self._walk), None
            taken = tree is not None or self._last
            self.trace = tree or self.trace
        now = time.monotonic()
        if self._walk is None and not self._last and self._found is not None and (self.search.over or now >= self._due):
            self._last, self._due = self.search.over, now + PAUSE
            self._walk = self._thread.submit(self._tree, TREE_NODES if self._last else GROWING)
        return taken

    def _tree(self, most: int) -> TableTree | None:
        """Walk the engine's table for the `most` relevant nodes. Runs on a thread."""
        tree = self.search.table_tree(self._position, most, self._engines.rest)
        self._wake()
        return tree

    def close(self) -> None:
        """End the search. The last tree stays."""
        self._closed = True
        self.search.drop()
        self._thread.shutdown(wait=False, cancel_futures=True)


# A Monte Carlo tree search in a process of its own, which sends its tree from time to time.


Found = tuple[SampleTree, Info | None, bool]
"""A tree, how far the search is, and whether it is over."""


class SampleTracing:
    """Search `position`. Each tree replaces the one before as `trace`; `wake` is called on a thread when there is
    another. Where the search needs the compiled engine, it begins when `engines` are ready."""

    depths: tuple[DepthStats, ...] = ()

    def __init__(self, engines: Engines, position: Position, wake: Callable[[], object]) -> None:
        self.trace: SampleTree = empty_sample_tree(position)
        self.info: Info | None = None
        """The result, when it is known."""
        self.progress: Info | None = None
        """How far the search is."""
        self.failed = self._closed = False
        self._engines, self._position, self._wake = engines, position, wake
        self._stream: Stream[Found] | None = None
        self._needs_engine = needs_engine(MCTS, position.game)
        self._begin()

    @property
    def waiting(self) -> bool:
        """Whether the engine is not ready."""
        return self._stream is None and self.busy

    @property
    def busy(self) -> bool:
        """Whether the search is still running."""
        return self.info is None and not self.failed and not self._closed

    def _begin(self) -> None:
        """Start the stream of trees once the engine is ready, if it is needed."""
        if not self._needs_engine or self._engines.ready():
            self._stream = Stream(self._wake, _trees, self._position)

    def update(self) -> bool:
        """Take in what has come. Return whether there is another tree, or the search has ended."""
        if not self.busy:
            return False
        if self._stream is None:
            self._begin()
            self.failed = self._stream is None and self._engines.failed()
            return self.failed
        found = self._stream.take()
        if found:
            self.trace, self.progress, over = found[-1]
            self.info = self.progress if over else None
        self.failed = self.info is None and self._stream.failed
        if not self.busy:
            self.close()
        return self.failed or bool(found)

    def close(self) -> None:
        """End the search. The last tree stays."""
        self._closed = True
        if self._stream is not None:
            self._stream.close()
            self._stream = None


def _trees(position: Position) -> Iterator[Found]:
    """Search in a process of its own."""
    player = make(MCTS, Context(position.game))
    assert isinstance(player, Mcts)
    player.warm_up(position)
    due, info = 0.0, None
    for info in player.think(position, Limit(seconds=SECONDS), Stop()):
        if time.monotonic() >= due:
            yield player.sample(GROWING), info, False
            due = time.monotonic() + PAUSE
    yield player.sample(SAMPLE_NODES), info, True


# A Monte Carlo tree search that is gone through visit by visit.


VISITS = 500
"""The most visits of a search, that of the root alone included. It ends earlier if the result is proven."""

_SEED = 1


class VisitTracing:
    """Search `position` with the player of `key`, one of `SAMPLED`, and `c`. `trace` is the tree after some visits.

    The search is repeated up to there, which takes a fraction of a second, and is the same each time. All of it is done
    at once, so that the `info` is known from the beginning.
    """

    depths: tuple[DepthStats, ...] = ()
    busy = waiting = failed = False

    def __init__(self, key: str, position: Position, c: float = C) -> None:
        player = make(sampled_player(key, c), Context(position.game, seed=_SEED))
        assert isinstance(player, Mcts)
        player.remember()
        self._player, self._position, self._visits = player, position, 0
        self.info: Info | None = self._visit(VISITS - 1)
        self.last = self._visits
        """The step of the last visit. The first visit, step 0, is that of the root alone."""
        self.trace: SampleTree = self._player.sample(by_visits=False)
        self.trail: frozenset[int] = frozenset()
        """The nodes of the last visit that is shown."""

    def _visit(self, count: int) -> Info:
        """Go on with the search by `count` visits."""
        info = answer(self._player, self._position, Limit(nodes=count))
        self._visits += info.nodes
        return info

    def show(self, step: int) -> None:
        """Set `trace` to the tree after visit `step`, and `trail` to the path of that visit.

        A step that the search has passed restarts it from the beginning.
        """
        if step <= self._visits:
            self._player.close()
            self._visits = 0
        self._visit(max(0, step - 1 - self._visits))
        before = self._player.sample(by_visits=False)
        self._visit(step - self._visits)
        self.trace = self._player.sample(by_visits=False)
        self.trail = frozenset(_visited_path(before, self.trace))

    def update(self) -> bool:
        """Return False: the tree changes only by a visit that is asked for."""
        return False

    def close(self) -> None:
        """The search has ended already."""


def _visited_path(before: SampleTree, after: SampleTree) -> list[int]:
    """Return the nodes of `after`, from the root on, that have a visit more than in the tree `before`."""
    path = [0]
    while True:
        for child in after.children(path[-1]):
            old = before.node_after(after.moves_to(child))
            if old is None or before.visits[old] < after.visits[child]:
                path.append(child)
                break
        else:
            return path


class VisitSteps(SnapshotSteps):
    """Each step is a visit, and has a tree of its own, in which all nodes are known."""

    def __init__(self, tracing: VisitTracing) -> None:
        super().__init__(tracing.trace)
        self._last = tracing.last

    @property
    def last(self) -> int:
        """The number of the last visit."""
        return self._last

    def entered(self, node: int) -> int:
        return 0

    def left(self, node: int) -> int | None:
        return 0


# A search by simulated workers, written down whole: large ones in a process of their own.


MOST_NODES = 300_000
"""Nodes of the largest tree."""


class SharedTracing:
    """Search `position` by the player called `name` and by `alone`, the same with one worker, to tell what the others
    have searched in vain. The `trace` is complete as soon as it is known; until then, it shows the beginning. `wake` is
    called on a thread when it is."""

    depths: tuple[DepthStats, ...] = ()
    waiting = False

    def __init__(
        self, name: str, alone: str, position: Position, depth: int | None, wake: Callable[[], object]
    ) -> None:
        self.info: Info | None = None
        """The result, when it is known."""
        self.failed = False
        self._stream: Stream[tuple[SharedTree, Info]] | None = None
        self.trace, info = _run_search(name, position, Limit(depth=depth, nodes=AT_ONCE))
        if self.trace.end[self.trace.roots()[-1]] != End.STOPPED:
            self.info = info
            _compare(self.trace, alone, position, depth)
        else:
            self._stream = Stream(wake, _whole, name, alone, position, depth)

    @property
    def busy(self) -> bool:
        """Whether the search is still running."""
        return self._stream is not None and self._stream.busy

    def update(self) -> bool:
        """Take in what has come. Return whether there is another tree, or the search has ended."""
        if self._stream is None or not self._stream.busy:
            return False
        found = self._stream.take()
        if found:
            self.trace, self.info = found[0]
        self.failed = self._stream.failed
        return bool(found) or not self._stream.busy

    def close(self) -> None:
        """End the search. What there is stays."""
        if self._stream is not None:
            self._stream.close()


def _run_search(name: str, position: Position, limit: Limit) -> tuple[SharedTree, Info]:
    """Search with a traced parallel player; return its tree and the last Info."""
    player = make(name, Context(position.game))
    assert isinstance(player, Parallel)
    player.trace = Trace()
    info = answer(player, position, limit)
    assert isinstance(player.trace, SharedTree)
    return player.trace, info


def _compare(tree: SharedTree, alone: str, position: Position, depth: int | None) -> None:
    """Mark the nodes that a search by one worker would not visit."""
    tree.mark_extra(_run_search(alone, position, Limit(depth=depth, nodes=MOST_NODES))[0])


def _whole(name: str, alone: str, position: Position, depth: int | None) -> Iterator[tuple[SharedTree, Info]]:
    """Yield the whole tree, in a process of its own."""
    tree, info = _run_search(name, position, Limit(depth=depth, nodes=MOST_NODES))
    _compare(tree, alone, position, depth)
    yield tree, info
