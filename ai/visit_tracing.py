"""A Monte Carlo tree search that is gone through visit by visit."""

from __future__ import annotations

from ai.player import DepthStats, Info, Limit, answer
from ai.players import Context, make
from ai.search.mcts import Mcts
from ai.search.sample_tree import SampleTree
from ai.search.snapshot import SnapshotSteps
from ai.search.variants import C, sampled
from games.position import Position

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
        player = make(sampled(key, c), Context(position.game, seed=_SEED))
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
        """Show the tree after a step."""
        if step <= self._visits:
            self._player.close()
            self._visits = 0
        self._visit(max(0, step - 1 - self._visits))
        before = self._player.sample(by_visits=False)
        self._visit(step - self._visits)
        self.trace = self._player.sample(by_visits=False)
        self.trail = frozenset(_visited(before, self.trace))

    def update(self) -> bool:
        return False

    def close(self) -> None:
        """The search has ended already."""


def _visited(before: SampleTree, after: SampleTree) -> list[int]:
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
        return self._last

    def entered(self, node: int) -> int:
        return 0

    def left(self, node: int) -> int | None:
        return 0
