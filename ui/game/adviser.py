"""An engine that is asked about a position without playing in it: for hints, analysis and teaching."""

from __future__ import annotations

from ai.player import Info, Limit, Player
from ai.players import strongest
from ai.worker import Worker
from games.position import Position
from ui.host import Host


class Adviser:
    """Thinks about one position at a time; `info` is the newest it knows of `position`.

    The engine is made when it is asked first, and again after `close`. An answer that another player gave in its place
    is asked for again as soon as the engine is ready.
    """

    def __init__(self, host: Host) -> None:
        self.position: Position | None = None
        self.info: Info | None = None
        self._worker = Worker(host.wake)
        self._host = host
        self._limit = Limit()
        self._player: Player | None = None

    @property
    def busy(self) -> bool:
        return self._worker.busy

    @property
    def nodes(self) -> int:
        return self._worker.nodes

    @property
    def stand_in(self) -> bool:
        """Whether `info` is from the player that stands in for the engine."""
        return self.info is not None and self.info.stand_in

    def ask(self, position: Position, limit: Limit) -> None:
        """Begin to think about `position`, unless it is over, and forget the one before."""
        self.forget()
        if position.outcome is None:
            self.position, self._limit = position, limit
            self._begin(position)

    def _make(self) -> Player:
        assert self.position is not None
        return self._host.player(strongest(self.position.game), self.position.game, book=False)

    def _begin(self, position: Position) -> None:
        self._player = self._player or self._make()
        self._worker.start(self._player, position, self._limit)

    def forget(self) -> None:
        self._worker.drop()
        self.position = self.info = None

    def update(self) -> bool:
        """True when `info` is new."""
        if self.stand_in and self.position is not None and self._host.engine.ready:
            self.info = None
            self._begin(self.position)
        report = self._worker.poll()
        if report is None or report.info is None:
            return False
        self.info = report.info
        return True

    def close(self) -> None:
        """Forgets, and ends the thread until the next `ask`."""
        self.forget()
        if self._player is not None:
            self._worker.release(self._player)
            self._player = None
        self._worker.close(0.0)
