"""A search by simulated workers, written down whole: large ones in a process of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ai.player import DepthStats, Info, Limit, answer
from ai.players import Context, make
from ai.search.parallel import Parallel
from ai.search.shared_tree import SharedTree
from ai.search.trace import End, Trace
from ai.stream import Stream
from ai.tracing import AT_ONCE
from games.position import Position

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
        self.trace, info = _searched(name, position, Limit(depth=depth, nodes=AT_ONCE))
        if self.trace.end[self.trace.roots()[-1]] != End.STOPPED:
            self.info = info
            _compare(self.trace, alone, position, depth)
        else:
            self._stream = Stream(wake, _whole, name, alone, position, depth)

    @property
    def busy(self) -> bool:
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


def _searched(name: str, position: Position, limit: Limit) -> tuple[SharedTree, Info]:
    player = make(name, Context(position.game))
    assert isinstance(player, Parallel)
    player.trace = Trace()
    info = answer(player, position, limit)
    assert isinstance(player.trace, SharedTree)
    return player.trace, info


def _compare(tree: SharedTree, alone: str, position: Position, depth: int | None) -> None:
    tree.mark_extra(_searched(alone, position, Limit(depth=depth, nodes=MOST_NODES))[0])


def _whole(name: str, alone: str, position: Position, depth: int | None) -> Iterator[tuple[SharedTree, Info]]:
    """Yield the whole tree, in a process of its own."""
    tree, info = _searched(name, position, Limit(depth=depth, nodes=MOST_NODES))
    _compare(tree, alone, position, depth)
    yield tree, info
