"""A search in another process that sends its tree in pieces. Whoever owns the `Tracing` takes them over by `update`."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Protocol

from ai.core.player import DepthStats, Info, Limit, Stop, answer
from ai.players.table import Context, make
from ai.search.trace import Trace
from ai.service.analyse import enable_tracing
from ai.system.stream import Child
from games.position import Position

AT_ONCE = 400
"""Nodes that are searched before a process is started: small trees are there at once."""

MOST_NODES = 1_200_000
"""Nodes of the largest tree, which takes 41 MB."""

_PERIOD = 0.04  # seconds between two pieces
_CHECK = 1023  # nodes between two looks at the clock, less one; a power of 2, less one


@dataclass(frozen=True, slots=True)
class Piece:
    """What a search has added to its trace since the last piece: the new nodes, by the names of their arrays.

    `earlier` are nodes sent before that were still open then: (node, value, end, untried, size, stands), as in `Trace`.
    """

    arrays: dict[str, bytes]
    earlier: tuple[tuple[int, int, int, int, int, int], ...]


class Traced(Protocol):
    """A search with a tree: `update` lets `trace` grow, or replaces it."""

    @property
    def trace(self) -> Trace:
        """The tree as far as it is known."""

    @property
    def info(self) -> Info | None:
        """The result of the search; None until it is known."""

    @property
    def depths(self) -> tuple[DepthStats, ...]:
        """Statistics of each depth; empty if the search keeps none."""

    @property
    def busy(self) -> bool:
        """Whether the search is running, or more of its tree is to come."""

    @property
    def waiting(self) -> bool:
        """Whether the search has not begun, because its player is still being loaded."""

    @property
    def failed(self) -> bool:
        """Whether the search failed before its end."""

    def update(self) -> bool:
        """Take over what has arrived. Return whether the tree changed, or the search ended."""

    def close(self) -> None:
        """Stop the search and end its process or thread. The tree stays."""


class Tracing:
    """A search by the player called `name` with its tree: a small one at once, a larger one in another process.

    `update` lets `trace` grow; `wake` is called on another thread when there is more. Raise `ValueError` with a
    sentence for a player that cannot record its tree.
    """

    depths: tuple[DepthStats, ...] = ()
    waiting = False

    def __init__(self, name: str, position: Position, depth: int | None, wake: Callable[[], object]) -> None:
        player = enable_tracing(make(name, Context(position.game)), name)
        self.began = time.monotonic()
        self.info: Info | None = None
        """The result, when it is known."""
        self.failed = False
        """Whether the process has ended before the search."""
        self._child: Child | None = None
        info = answer(player, position, Limit(depth=depth, nodes=AT_ONCE))
        assert player.trace is not None
        self.trace = player.trace
        if player.nodes < AT_ONCE:
            self.info = info
            return
        self._early = True  # whether the trace is that of the first nodes
        self._child = Child(_search_and_send, (name, position, depth), wake)

    @property
    def busy(self) -> bool:
        """Whether the search is still running."""
        return self._child is not None

    def update(self) -> bool:
        """Take over what the process has sent. Return whether the trace has grown, or the search has ended."""
        if self._child is None or not self._child.received:
            return False
        received = self._child.received
        while received:
            piece = received.popleft()
            if isinstance(piece, Piece):
                if self._early:
                    error, self.trace, self._early = self.trace.error, Trace(), False
                    self.trace.error = error
                _append_piece(self.trace, piece)
            elif isinstance(piece, Info):
                self.info = piece
            else:
                self.failed = self.info is None and self.busy
                self.close()
        return True

    def close(self) -> None:
        """Stop the search. What has been taken over stays."""
        if self._child is not None:
            self._child.close()
            self._child = None


def _append_piece(trace: Trace, piece: Piece) -> None:
    """Append a received piece to `trace`, and update its nodes that were open before."""
    for name, data in piece.arrays.items():
        getattr(trace, name).frombytes(data)
    for node, value, end, untried, size, stands in piece.earlier:
        trace.value[node], trace.end[node], trace.untried[node], trace.size[node] = value, end, untried, size
        trace.stands[node] = stands


class _SendingTrace(Trace):
    """A trace in the searching process that sends itself through `pipe` in pieces."""

    def __init__(self, pipe: Connection) -> None:
        super().__init__()
        self._pipe, self._sent = pipe, 0
        self._open: list[int] = []  # the nodes that were being searched when the last piece was sent
        self._due = 0.0

    def enter(self, move: int, turn: int, alpha: int, beta: int, rest: int = 0) -> None:
        """As `Trace.enter`, and send a piece from time to time."""
        super().enter(move, turn, alpha, beta, rest)
        if not len(self.move) & _CHECK and time.monotonic() >= self._due:
            self.send()

    def send(self) -> None:
        """Send the nodes added since the last piece, and the new values of nodes that were open then."""
        arrays = {name: getattr(self, name)[self._sent :].tobytes() for name, _ in self.ARRAYS}
        earlier = tuple(
            (node, self.value[node], self.end[node], self.untried[node], self.size[node], self.stands[node])
            for node in self._open
        )
        self._pipe.send(Piece(arrays, earlier))
        self._sent, self._open = len(self), self._path.copy()
        self._due = time.monotonic() + _PERIOD


def _search_and_send(pipe: Connection, name: str, position: Position, depth: int | None) -> None:
    """In the other process: search, send the pieces of the trace, and finally the result."""
    player = enable_tracing(make(name, Context(position.game)), name)
    player.trace = trace = _SendingTrace(pipe)
    info = answer(player, position, Limit(depth=depth, nodes=MOST_NODES), Stop())
    trace.send()
    pipe.send(info)
