"""The whole searches of one position by minimax and by alpha-beta, without pixels, to be seen to one scale."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ai.search.trace import Trace
from ai.search.variants import variant
from ai.subject import Choice, Subject, deeper, usual_depth
from ai.tracing import Tracing
from games.position import Position

WHOLE = "minimax"
PRUNING = ("alphabeta", "ordering", "table")
"""What is seen beside it: searches that visit a part of its nodes, each at most once."""


class SideBySide:
    """Minimax beside `pruning`, a key of `PRUNING`. `wake` is called on a thread when there is more to show."""

    def __init__(self, subject: Subject, wake: Callable[[], object]) -> None:
        self.subject, self._wake = subject, wake
        self.depth = usual_depth(subject)
        """Plies of both searches; None for to the end."""
        self.pruning = PRUNING[0]
        self.whole: Tracing | None = None
        self.pruned: Tracing | None = None
        self.pointed: tuple[int, ...] | None = None
        """The moves to the node under the pointer."""

    @property
    def busy(self) -> bool:
        return any(each is not None and each.busy for each in (self.whole, self.pruned))

    @property
    def begun(self) -> bool:
        return self.pruned is not None

    @property
    def traces(self) -> list[Trace]:
        """What minimax and the other search have visited; fewer than two before both have begun."""
        return [each.trace for each in (self.whole, self.pruned) if each is not None]

    @property
    def failed(self) -> bool:
        return any(each is not None and each.failed for each in (self.whole, self.pruned))

    @property
    def finished(self) -> bool:
        """Whether both searches have ended without being stopped."""
        found = (self.whole, self.pruned)
        return all(each is not None and each.info is not None and each.trace.size[0] for each in found)

    def start(self) -> None:
        """Search anew."""
        self.close()
        self.pointed = None
        self.whole, self.pruned = self._search(WHOLE), self._search(self.pruning)

    def choose(self, pruning: str) -> None:
        """Show another search beside that of minimax, which stays."""
        if pruning != self.pruning:
            self.pruning = pruning
            if self.pruned is not None:
                self.pruned.close()
                self.pruned = self._search(pruning)

    def deepen(self, by: int) -> None:
        """Search both to another depth."""
        lasts = None if self.whole is None else self.whole.trace.lasted(self.depth is None)
        depth = deeper(self.subject, Choice(depth=self.depth), by, lasts).depth
        if depth != self.depth:
            self.depth = depth
            self.start()

    def _search(self, key: str) -> Tracing:
        return Tracing(variant(key), self.subject.position, self.depth, self._wake)

    def update(self) -> None:
        """Take in what has come."""
        for each in (self.whole, self.pruned):
            if each is not None:
                each.update()

    def close(self) -> None:
        """End the searches; what was found stays."""
        for each in (self.whole, self.pruned):
            if each is not None:
                each.close()

    # Nodes.

    def position(self) -> Position:
        """The position under the pointer, or else the one that is searched."""
        position = self.subject.position
        for move in self.pointed or ():
            position = position.play(move)
        return position

    def nodes_below(self) -> tuple[int, int] | None:
        """How many nodes both searches have from the one under the pointer on, itself included."""
        if self.pointed is None or len(self.traces) < 2:
            return None
        whole, pruned = (_below(trace, self.pointed) for trace in self.traces)
        return whole, pruned


def _below(trace: Trace, moves: Sequence[int]) -> int:
    node = trace.node_after(moves)
    return 0 if node is None else trace.after(node) - node
