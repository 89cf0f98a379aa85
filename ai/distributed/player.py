"""A player whose search is shared out to the workers of a cluster."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from functools import partial

from ai.arena.cluster import NoExecutor
from ai.core.player import Info, Limit, Player, Stop
from ai.distributed.coordinator import DEFAULT, Coordinator, Split
from ai.distributed.dispatcher import ClusterLost, Task, Team, Work
from ai.distributed.teams import open_team
from ai.players.table import Context, check_shareable, make
from games.position import Position

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Doing:
    """What the worker `name` does: it searches moves of a node, `line` and what follows, to `depth`."""

    name: str
    line: tuple[int, ...]
    depth: int


class Distributed(Player):
    """The player `name`, whose search is shared out to the team that `open_team` opens, which may raise `NoExecutor`.

    When the cluster is lost the player goes on by itself, on this machine, and `tell` is called once, on the searching
    thread, with the reason in a sentence. With `threads` 0 in its `context` a worker uses as many as it has.
    Raise `ValueError` with a sentence if the player cannot share out its search.
    """

    def __init__(
        self, name: str, context: Context, open_team: Callable[[], AbstractContextManager[Team]],
        tell: Callable[[str], object], split: Split = DEFAULT,
    ) -> None:  # fmt: skip
        check_shareable(name, context.game)
        self._work = Work("", name, replace(context, engine=None))
        self._context, self._open_team, self._tell, self._split = context, open_team, tell, split
        self._open = ExitStack()
        self._team: Team | None = None
        self._search: Coordinator | None = None
        self._alone: Player | None = None  # what goes on when the cluster is lost

    @property
    def nodes(self) -> int:
        if self._alone is not None:
            return self._alone.nodes
        return 0 if self._search is None else self._search.nodes

    @property
    def lost(self) -> bool:
        """Whether the cluster is lost."""
        return self._alone is not None

    @property
    def workers(self) -> tuple[Doing, ...]:
        """What each worker does that is at work; any thread may ask."""
        search = None if self.lost else self._search
        tasks = {} if search is None else search.dispatcher.at_work
        return tuple(_doing(name, task) for name, task in sorted(tasks.items()))

    def connect(self) -> Team:
        """Connect to the cluster, unless that has been done. Raise `NoExecutor`."""
        if self._team is None:
            self._team = self._open.enter_context(self._open_team())
        return self._team

    def warm_up(self, position: Position) -> None:
        """Connect, and let each worker prepare the player. Raise `NoExecutor`."""
        team = self.connect()
        search = self._new(team, position, Limit(), Stop())
        search.warm_up()

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        if self._alone is None:
            best: Info | None = None
            try:
                self._search = self._new(self.connect(), position, limit, stop)
                for best in self._search.deepen():
                    yield best
            except (ClusterLost, NoExecutor) as error:
                _log.warning("The cluster is lost.", exc_info=error)
                self._tell(str(error))
                yield from self._go_on(position, limit, stop, best)
        else:
            yield from self._alone.think(position, limit, stop)

    def _go_on(self, position: Position, limit: Limit, stop: Stop, best: Info | None) -> Iterator[Info]:
        """Search with what is left of the time on this machine; what is known of greater depths stands."""
        alone = self._alone = make(self._work.player, replace(self._context, threads=max(1, self._context.threads)))
        if limit.seconds is not None and self._search is not None:
            limit = replace(limit, seconds=max(0.0, limit.seconds - self._search.seconds))
        for info in alone.think(position, limit, stop):
            if best is None or info.depth >= best.depth or info.mate is not None:
                yield info

    def _new(self, team: Team, position: Position, limit: Limit, stop: Stop) -> Coordinator:
        return Coordinator(team, replace(self._work, name=uuid.uuid4().hex), position, limit, stop, self._split)

    def close(self) -> None:
        self._open.close()
        self._team = self._search = None
        if self._alone is not None:
            self._alone.close()


def _doing(name: str, task: Task) -> Doing:
    return Doing(name, (*task.node.line, *(move for _, move in task.moves[:1])), task.depth)


def on_cluster(
    name: str, context: Context, address: str, tell: Callable[[str], object] = lambda _reason: None
) -> Distributed:
    """Return the player `name` on the Dask cluster at `address`, or on one that is started here if that is `LOCAL`."""
    return Distributed(name, context, partial(open_team, address), tell)
