"""Searches that a window inspects, besides `Tracing`: the transposition table of the gomoku engine, read repeatedly;
Monte Carlo tree search, by snapshots or visit by visit; proof-number search round by round; and parallel searches."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
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
from ai.search.proof_number import ProofNumberSearch, ProofTree
from ai.search.shared_tree import SharedTree
from ai.search.trace import (
    TREE_NODES,
    UNKNOWN,
    End,
    Snapshot,
    SnapshotSteps,
    TableTree,
    Trace,
    empty_table_tree,
)
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
    """The `searches` of the window, through which the engine is asked, and callbacks for its state.

    `rest` waits until no frame is being drawn. `failed` and `ready` tell whether loading the engine has failed or
    ended.
    """

    searches: Searches
    rest: Callable[[], object] = lambda: None
    failed: Callable[[], bool] = lambda: False
    ready: Callable[[], bool] = lambda: True


class TableTracing:
    """The tree in the engine's transposition table, while the player called `name` searches.

    `update` replaces `trace` by a newer tree; `wake` is called on another thread when there is one. Trees of the weaker
    stand-in that answers while the engine is loading are not shown.
    """

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
        """Whether the engine is not loaded yet."""
        return self.search.stand_in and not self.failed

    @property
    def failed(self) -> bool:
        """Whether no tree will come: the engine could not be loaded, or the search or reading the table failed."""
        if self._walk_failed:
            return True
        lost = self.search.error is not None or (self.search.stand_in and self._engines.failed())
        return self.search.over and lost

    @property
    def busy(self) -> bool:
        """Whether another tree is to come: the search, or reading the table after it, is not finished."""
        if self._closed or self.failed:
            return False
        return self.search.busy or self.waiting or self._walk is not None or (self.search.over and not self._last)

    @property
    def _latest(self) -> Info | None:
        """The newest result of the engine; None while a stand-in searches for it."""
        return None if self.search.stand_in else self.search.info

    @property
    def info(self) -> Info | None:
        """The result of the engine; None until the search is over."""
        return self._latest if self.search.over and not self.failed else None

    @property
    def depths(self) -> tuple[DepthStats, ...]:
        """Statistics of each iteration of the engine."""
        return () if self._latest is None else self._latest.depths

    def update(self) -> bool:
        """Take over a tree that is ready, and begin to read the next if it is time. Return whether anything changed."""
        if self._closed or (self._last and self._walk is None):
            return False
        taken = False
        if self._walk is not None and self._walk.done():
            self._walk_failed = self._walk.exception() is not None
            tree, self._walk = result_of(self._walk), None
            taken = tree is not None or self._last
            self.trace = tree or self.trace
        now = time.monotonic()
        idle = self._walk is None and not self._last
        if idle and self._latest is not None and (self.search.over or now >= self._due):
            self._last, self._due = self.search.over, now + PAUSE
            self._walk = self._thread.submit(self._read_table, TREE_NODES if self._last else GROWING)
        return taken

    def _read_table(self, most: int) -> TableTree | None:
        """Read a tree of the `most` important nodes from the engine's table; None if it has none. For another
        thread."""
        tree = self.search.table_tree(self._position, most, self._engines.rest)
        self._wake()
        return tree

    def close(self) -> None:
        """Stop the search. The last tree stays."""
        self._closed = True
        self.search.drop()
        self._thread.shutdown(wait=False, cancel_futures=True)


# A Monte Carlo tree search in a process of its own, which sends its tree from time to time.


Found = tuple[SampleTree, Info | None, bool]
"""A tree, how far the search is, and whether it is over."""


class SampleTracing:
    """A Monte Carlo tree search of `position` in another process, which sends snapshots of its tree.

    `update` replaces `trace` by a newer snapshot; `wake` is called on another thread when there is one. If the search
    of this game needs the compiled engine, it begins when `engines` are ready.
    """

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
        """Whether the search has not begun, because the engine is not loaded yet."""
        return self._stream is None and self.busy

    @property
    def busy(self) -> bool:
        """Whether the search is still running."""
        return self.info is None and not self.failed and not self._closed

    def _begin(self) -> None:
        """Start the search, unless it needs the engine and that is not ready."""
        if not self._needs_engine or self._engines.ready():
            self._stream = Stream(self._wake, _yield_snapshots, self._position)

    def update(self) -> bool:
        """Take over the newest snapshot. Return whether `trace` changed, or the search ended or failed."""
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
        """Stop the search. The last tree stays."""
        self._closed = True
        if self._stream is not None:
            self._stream.close()
            self._stream = None


def _yield_snapshots(position: Position) -> Iterator[Found]:
    """Search in the other process: yield small snapshots, and a large one at the end."""
    player = make(MCTS, Context(position.game))
    assert isinstance(player, Mcts)
    player.warm_up(position)
    due, info = 0.0, None
    for info in player.think(position, Limit(seconds=SECONDS), Stop()):
        if time.monotonic() >= due:
            yield player.sample(GROWING), info, False
            due = time.monotonic() + PAUSE
    yield player.sample(SAMPLE_NODES), info, True


# Searches whose tree grows at its best leaf, gone through visit by visit or round by round.


class GrowingTracing(ABC):
    """A search that is replayed step by step: `trace` is the tree after the step shown, and `trail` are the nodes of
    that step, from the root. Step 0 is the root alone, `last` the number of the last step.

    The search, which always gives the same tree, runs at once in the constructor, so `info` is known; `show` repeats it
    up to a step in a fraction of a second.
    """

    depths: tuple[DepthStats, ...] = ()
    busy = waiting = failed = False
    trace: Snapshot
    info: Info | None
    trail: frozenset[int] = frozenset()
    last: int

    @abstractmethod
    def show(self, step: int) -> None:
        """Set `trace` to the tree after `step`, and `trail` to the nodes of that step. To go back, the search is
        repeated from the beginning."""

    def update(self) -> bool:
        """Return False: only `show` changes the tree."""
        return False

    def close(self) -> None:  # noqa: B027  (what the others stop has ended)
        """Do nothing: the search has ended."""


VISITS = 500
"""The most visits of a search, that of the root alone included. It ends earlier if the result is proven."""

_SEED = 1


class VisitTracing(GrowingTracing):
    """A Monte Carlo tree search that is replayed visit by visit. `key`, one of `SAMPLED`, and the weight `c` of
    exploration choose the player."""

    trace: SampleTree

    def __init__(self, key: str, position: Position, c: float = C) -> None:
        player = make(sampled_player(key, c), Context(position.game, seed=_SEED))
        assert isinstance(player, Mcts)
        player.remember()
        self._player, self._position, self._visits = player, position, 0
        self.info = self._run_visits(VISITS - 1)
        self.last = self._visits
        self.trace = self._player.sample(by_visits=False)

    def _run_visits(self, count: int) -> Info:
        """Continue the search by `count` visits, and return its result so far."""
        info = answer(self._player, self._position, Limit(nodes=count))
        self._visits += info.nodes
        return info

    def show(self, step: int) -> None:
        """As in the base class; a step is a visit."""
        if step <= self._visits:
            self._player.close()
            self._visits = 0
        self._run_visits(max(0, step - 1 - self._visits))
        before = self._player.sample(by_visits=False)
        self._run_visits(step - self._visits)
        self.trace = self._player.sample(by_visits=False)
        self.trail = frozenset(_visited_path(before, self.trace))


def _visited_path(before: SampleTree, after: SampleTree) -> list[int]:
    """Return the nodes of `after`, from the root, that have more visits there than in the tree `before`."""
    path = [0]
    while True:
        for child in after.children(path[-1]):
            old = before.node_after(after.moves_to(child))
            if old is None or before.visits[old] < after.visits[child]:
                path.append(child)
                break
        else:
            return path


ROUNDS = 500
"""The most rounds of a proof-number search. It ends earlier if the root is decided."""


class ProofTracing(GrowingTracing):
    """A proof-number search that is replayed round by round."""

    trace: ProofTree

    def __init__(self, position: Position) -> None:
        self._position = position
        began = time.monotonic()
        self._search = ProofNumberSearch(position)
        self._run_rounds(ROUNDS)
        root, self.last = self._search.root, self._search.rounds
        move = root.moves[root.next_child()] if root.children else UNKNOWN
        self.info = Info(move, nodes=self._search.nodes, seconds=time.monotonic() - began, complete=root.decided)
        self._show_tree()

    def _show_tree(self) -> None:
        """Set `trace` and `trail` to the tree as it is."""
        self.trace = self._search.tree()
        self.trail = frozenset(self.trace.trail)

    def _run_rounds(self, rounds: int) -> None:
        """Continue the search up to this number of rounds."""
        while self._search.rounds < rounds and not self._search.root.decided:
            self._search.make_round()

    def show(self, step: int) -> None:
        """As in the base class; a step is a round."""
        if step < self._search.rounds:
            self._search = ProofNumberSearch(self._position)
        self._run_rounds(step)
        self._show_tree()


class GrowingSteps(SnapshotSteps):
    """The steps of a `GrowingTracing`: each has a tree of its own, all of whose nodes are known."""

    def __init__(self, tracing: GrowingTracing) -> None:
        super().__init__(tracing.trace)
        self._last = tracing.last

    @property
    def last(self) -> int:
        """The number of the last step."""
        return self._last

    def entered(self, node: int) -> int:
        """Return 0: all nodes of the tree are shown."""
        return 0

    def left(self, node: int) -> int | None:
        """Return 0: all values of the tree are known."""
        return 0


# A search by simulated workers, written down whole: large ones in a process of their own.


MOST_NODES = 300_000
"""Nodes of the largest tree."""


class SharedTracing:
    """A search of `position` by the parallel player `name`, with the nodes marked that one worker would not visit.

    `alone` is the player for the same search with one worker. A small search is complete in the constructor. A larger
    one runs in another process; until `wake` is called, on another thread, `trace` shows its first nodes.
    """

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
            _mark_extra_nodes(self.trace, alone, position, depth)
        else:
            self._stream = Stream(wake, _yield_complete_tree, name, alone, position, depth)

    @property
    def busy(self) -> bool:
        """Whether the search is still running."""
        return self._stream is not None and self._stream.busy

    def update(self) -> bool:
        """Take over the complete tree if it has come. Return whether it has, or the search has failed."""
        if self._stream is None or not self._stream.busy:
            return False
        found = self._stream.take()
        if found:
            self.trace, self.info = found[0]
        self.failed = self._stream.failed
        return bool(found) or not self._stream.busy

    def close(self) -> None:
        """Stop the search. The tree stays."""
        if self._stream is not None:
            self._stream.close()


def _run_search(name: str, position: Position, limit: Limit) -> tuple[SharedTree, Info]:
    """Search with the parallel player `name` and record its tree; return it with the result."""
    player = make(name, Context(position.game))
    assert isinstance(player, Parallel)
    player.trace = Trace()
    info = answer(player, position, limit)
    assert isinstance(player.trace, SharedTree)
    return player.trace, info


def _mark_extra_nodes(tree: SharedTree, alone: str, position: Position, depth: int | None) -> None:
    """Mark the nodes of `tree` that a search by the player `alone`, with one worker, does not visit."""
    tree.mark_extra(_run_search(alone, position, Limit(depth=depth, nodes=MOST_NODES))[0])


def _yield_complete_tree(
    name: str, alone: str, position: Position, depth: int | None
) -> Iterator[tuple[SharedTree, Info]]:
    """In the other process: yield the complete tree, with marked nodes, and the result, once."""
    tree, info = _run_search(name, position, Limit(depth=depth, nodes=MOST_NODES))
    _mark_extra_nodes(tree, alone, position, depth)
    yield tree, info
