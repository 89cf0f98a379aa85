"""A Monte Carlo tree search in a process of its own, which sends its tree from time to time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from ai.player import DepthStats, Info, Limit, Stop
from ai.players import Context, make, needs_engine
from ai.search.mcts import Mcts
from ai.search.sample_tree import TREE_NODES, SampleTree, seed
from ai.search.variants import MCTS
from ai.stream import Stream
from ai.table_tracing import GROWING, PAUSE, SECONDS, Engines
from games.position import Position

Found = tuple[SampleTree, Info | None, bool]
"""A tree, how far the search is, and whether it is over."""


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
        self._stream: Stream[Found] | None = None
        self._needs_engine = needs_engine(MCTS, position.game)
        self._begin()

    @property
    def waiting(self) -> bool:
        """Whether the engine is not ready."""
        return self._stream is None and self.busy

    @property
    def busy(self) -> bool:
        return self.info is None and not self.failed and not self._closed

    def _begin(self) -> None:
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
    yield player.sample(TREE_NODES), info, True
