"""A player whose search is shared out to the workers of a cluster, by PV splitting (`ai.search.splitting`)."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial

from ai.arena.executors import NoExecutor, open_client
from ai.core.player import Limit, Player, Stop
from ai.players.table import Context, check_shareable, make, share
from ai.search.coordinator import Coordinator
from ai.search.crews import ClusterCrew, Crew, CrewLost
from ai.search.parallel import CrewPlayer
from ai.search.splitting import PrincipalVariation
from ai.search.workers import MoveSearch, Work
from ai.system.threads import processors
from games.position import Position


@dataclass(frozen=True, slots=True)
class Sharer:
    """Makes the search of a worker for the player with the name `player`."""

    player: str
    context: Context

    def __call__(self, threads: int) -> MoveSearch:
        """Return the search of the player that a worker makes, with `threads` threads."""
        return share(self.player, replace(self.context, threads=threads))


class Distributed(CrewPlayer):
    """The player `name`, whose search is shared out to a crew. `open_crew` opens it when it is first needed, and may
    raise `NoExecutor`.

    When the cluster is lost the player searches alone, on this machine, and `on_loss` is called once, on the searching
    thread, with the reason in a sentence. With `threads` 0 in its `context` a worker uses as many threads as it has.
    Raise `ValueError` with a sentence if the player cannot share out its search.
    """

    def __init__(
        self, name: str, context: Context, open_crew: Callable[[], AbstractContextManager[Crew]],
        on_loss: Callable[[str], object], policy: Callable[[], PrincipalVariation] = PrincipalVariation,
    ) -> None:  # fmt: skip
        check_shareable(name, context.game)
        self._name, self._context, self._open_crew, self._policy = name, context, open_crew, policy
        self._on_loss, self._open = on_loss, ExitStack()
        self._crew: Crew | None = None

    def connect(self) -> Crew:
        """Return the crew; connect to the cluster first if that has not been done. Raise `NoExecutor`."""
        if self._crew is None:
            self._crew = self._open.enter_context(self._open_crew())
        return self._crew

    def warm_up(self, position: Position) -> None:
        """Connect, and let each worker make the player ready. Raise `NoExecutor`."""
        self.connect()
        self._coordinator(position, Limit(), Stop()).warm_up()

    def _coordinator(self, position: Position, limit: Limit, stop: Stop) -> Coordinator:
        """Return the coordinator of a new search, after connecting if necessary. Raise `CrewLost` if there is no
        executor."""
        try:
            crew = self.connect()
        except NoExecutor as error:
            raise CrewLost(str(error)) from error
        work = Work(uuid.uuid4().hex, Sharer(self._name, replace(self._context, engine=None)), self._context.threads)
        return Coordinator(lambda: crew, work, position, limit, stop, self._policy())

    def _fallback(self) -> Player:
        """Make the same player on this machine, with the threads of the context, at least one."""
        return make(self._name, replace(self._context, threads=max(1, self._context.threads)))

    def _report_loss(self, reason: str) -> None:
        """Call `on_loss` with the reason."""
        self._on_loss(reason)

    def close(self) -> None:
        """Disconnect from the cluster, and close the player that searches alone, if any."""
        self._open.close()
        self._crew = self._search = None
        super().close()


@contextmanager
def open_crew(address: str) -> Iterator[Crew]:
    """Open the crew of the Dask cluster at `address`; `LOCAL` starts a cluster on this machine. Close it at the end.
    Raise `NoExecutor` with a sentence."""
    with open_client(address, processors()) as client:
        yield ClusterCrew(client)


def on_cluster(
    name: str, context: Context, address: str, on_loss: Callable[[str], object] = lambda _reason: None
) -> Distributed:
    """Return the player `name`, whose search is shared out to the Dask cluster at `address`, or to one that is started
    here if that is `LOCAL`. `on_loss` is called with a sentence when the cluster is lost."""
    return Distributed(name, context, partial(open_crew, address), on_loss)
