"""The engine behind the protocol: compiled in the background, and represented by alpha-beta until it is ready."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from ai.alphabeta import AlphaBeta
from ai.player import Info, Limit, Player, Stop, answer
from games.position import Position
from games.registry import setup

_log = logging.getLogger(__name__)

_WAIT_SHARE = 0.5  # of the time for a move, that is waited for an engine that is not ready
_STAND_IN_SHARE = 0.8  # of the time, for a search that shares the interpreter with a compiler
_SOON = 2.5  # seconds within which an engine is ready, unless it has to be compiled first
_LOOK = 0.005  # seconds between two looks at the stop

Make = Callable[[int, int], Player]
"""Makes a player that uses so many threads and so many megabytes."""


class Kind(NamedTuple):
    """What an engine has to be prepared for."""

    size: int
    rule: str
    threads: int
    memory_mb: int


def gomoku_engine(book: bool = True) -> Make:
    """Loads the gomoku engine, with or without its opening book, which takes as long as its compilation."""
    from ai.gomoku.engine import GomokuEngine

    return lambda threads, memory_mb: GomokuEngine(threads=threads, memory_mb=memory_mb, book=book)


class Brain:
    """Answers at any time: with the player that `load` brings, once it is there and has warmed up for the kind of
    game, and with alpha-beta before. All methods belong to one thread.

    It has a thread of its own only while something is loaded or made: one that waited for more would keep the brain,
    and the memory of its engine, for good.
    """

    def __init__(self, load: Callable[[], Make] = gomoku_engine) -> None:
        self._load = load
        self._changed = threading.Condition()
        self._wanted: Kind | None = None
        self._player: Player | None = None
        self._soon = time.monotonic() + _SOON
        self._make: Make | None = None  # once it is loaded
        self._failed = False
        self._stand_in = AlphaBeta()
        self._begin()

    @property
    def nodes(self) -> int:
        """Positions visited by whoever answers now."""
        return (self._player or self._stand_in).nodes

    def prepare(self, kind: Kind) -> None:
        """Makes an engine for `kind` in the background. Does nothing if it is there or being made."""
        with self._changed:
            if kind != self._wanted:
                self._wanted = kind
                if self._make is not None:
                    self._soon = time.monotonic() + _SOON
                self._player = None  # before the next one is made: they might not fit into memory together
            if self._player is None and not self._working:
                self._begin()

    def settle(self, stop: Stop) -> None:
        """Waits for the engine to be ready, but not for its compilation. While it is loaded nothing else runs
        well, and a move asked for in that time would be late or weak."""
        self._wait(self._soon, stop)

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        """As a `Player` thinks, about a position of the kind prepared."""
        began = time.monotonic()
        # A good part of the time may be waited for the engine.
        share = None if limit.seconds is None else began + limit.seconds * _WAIT_SHARE
        player = self._wait(self._soon if share is None else min(self._soon, share), stop)
        if limit.seconds is not None:
            left = limit.seconds - (time.monotonic() - began)
            limit = replace(limit, seconds=max(0.0, left if player else left * _STAND_IN_SHARE))
        yield from (player or self._stand_in).think(position, limit, stop)

    def _wait(self, until: float, stop: Stop) -> Player | None:
        """The engine, if it is ready by the time `until`."""
        with self._changed:
            while self._player is None and not (self._failed or stop.is_set()) and time.monotonic() < until:
                self._changed.wait(_LOOK)
            return self._player

    def _begin(self) -> None:
        self._working = True
        # A daemon, since a compilation cannot be interrupted and the program must be able to leave.
        threading.Thread(target=self._run, name="tengen-loader", daemon=True).start()

    def _run(self) -> None:
        try:
            self._make = make = self._make or self._load()
            while (kind := self._missing()) is not None:
                self._provide(make, kind)
        except Exception:  # alpha-beta stays
            _log.exception("the engine cannot be loaded")
            self._failed = True

    def _missing(self) -> Kind | None:
        """The kind for which an engine has yet to be made; where there is none, the thread ends."""
        with self._changed:
            self._working = self._player is None and self._wanted is not None
            return self._wanted if self._working else None

    def _provide(self, make: Make, kind: Kind) -> None:
        player = make(kind.threads, kind.memory_mb)
        start = setup("gomoku", kind.size, kind.rule).start()
        centre = kind.size // 2 * kind.size + kind.size // 2
        answer(player, start.play(centre), Limit(seconds=1.0, depth=1))
        with self._changed:
            if kind == self._wanted:
                self._player = player
            self._changed.notify_all()
