"""A Monte Carlo tree search in a process of its own, which sends its tree from time to time."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from multiprocessing.connection import Connection

from ai.child import Child
from ai.player import DepthStats, Info, Limit, Stop
from ai.players import Context, make, needs_engine
from ai.search.mcts import Mcts
from ai.search.sample_tree import TREE_NODES, SampleTree, seed
from ai.search.variants import MCTS
from ai.table_tracing import SECONDS, Engines
from games.position import Position

_GROWING = 240  # nodes of a tree while the search goes on
_PAUSE = 0.4  # seconds between two of these


class SampleTracing:
    """Search `position`. Each tree replaces the one before as `trace`; `wake` is called on a thread when there is
    another. Where the search needs the compiled engine, it begins when `engines` are ready."""

    depths: tuple[DepthStats, ...] = ()

    def __init__(self, engines: Engines, position: Position, wake: Callable[[], object]) -> None:
        self.trace: SampleTree = seed(position)
        self.info: Info | None = None
        """The result, when it is known."""
        self.progress: Info | None = None
        """How far the search is."""
        self.failed = self._closed = False
        self._engines, self._position, self._wake = engines, position, wake
        self._child: Child | None = None
        self._needs_engine = needs_engine(MCTS, position.game)
        self._begin()

    @property
    def waiting(self) -> bool:
        """Whether the engine is not ready."""
        return self._child is None and self.busy

    @property
    def busy(self) -> bool:
        return self.info is None and not self.failed and not self._closed

    def _begin(self) -> None:
        if not self._needs_engine or self._engines.ready():
            self._child = Child(_work, (self._position,), self._wake)

    def update(self) -> bool:
        """Take in what has come. Return whether there is another tree, or the search has ended."""
        if not self.busy:
            return False
        if self._child is None:
            self._begin()
            self.failed = self._child is None and self._engines.failed()
            return self.failed
        received = self._child.received
        if not received:
            return False
        while received and self.busy:
            self._take(received.popleft())
        return True

    def _take(self, found: tuple[SampleTree, Info, bool] | None) -> None:
        if found is None:
            self.failed = self.info is None
        else:
            self.trace, self.progress, over = found
            self.info = self.progress if over else None
        if not self.busy:
            self.close()

    def close(self) -> None:
        """End the search. The last tree stays."""
        self._closed = True
        if self._child is not None:
            self._child.close()
            self._child = None


def _work(pipe: Connection, position: Position) -> None:
    """Search in the child process. It ends when the pipe does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    player = make(MCTS, Context(position.game))
    assert isinstance(player, Mcts)
    player.warm_up(position)
    due, info = 0.0, None
    for info in player.think(position, Limit(seconds=SECONDS), Stop()):
        if time.monotonic() >= due:
            pipe.send((player.sample(_GROWING), info, False))
            due = time.monotonic() + _PAUSE
    pipe.send((player.sample(TREE_NODES), info, True))
    pipe.close()
