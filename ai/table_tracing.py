"""The engine's search of a position in a window, of which the table is walked from time to time."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from ai.player import DepthStats, Info, Limit
from ai.search.table_tree import TREE_NODES, TableTree, seed
from ai.searches import Purpose, Search, Searches
from ai.threads import result_of
from games.position import Position
from games.record import Node

SECONDS = 10.0
"""Of a search."""

GROWING, PAUSE = 240, 0.4
"""Nodes of a tree while the search goes on, and seconds between two of these."""


@dataclass(frozen=True, slots=True)
class Engines:
    """Where engines are asked: the `searches` of a window. `rest` waits until no frame is being made; `failed` tells
    whether the engine could not be loaded, `ready` whether it has been."""

    searches: Searches
    rest: Callable[[], object] = lambda: None
    failed: Callable[[], bool] = lambda: False
    ready: Callable[[], bool] = lambda: True


class TableTracing:
    """Ask `engines` for a search by the player called `name`. Each tree replaces the one before as `trace`; `wake` is
    called on a thread when there is another. What a stand-in finds is not shown."""

    def __init__(
        self, engines: Engines, name: str, position: Position, depth: int | None, wake: Callable[[], object]
    ) -> None:
        limit = Limit(seconds=SECONDS, depth=depth)
        self.search: Search = engines.searches.ask(Node(position), Purpose.ANALYSIS, limit, name)
        self.trace: TableTree = seed(position)
        self._position, self._engines, self._wake = position, engines, wake
        self._thread = ThreadPoolExecutor(1, "tengen-table")
        self._walk: Future[TableTree | None] | None = None
        self._walk_failed = False
        self._last = False  # whether the walk is the one after the search
        self._due = 0.0
        self._closed = False

    @property
    def waiting(self) -> bool:
        """Whether the engine is not ready."""
        return self.search.stand_in and not self.failed

    @property
    def failed(self) -> bool:
        if self._walk_failed:
            return True
        lost = self.search.error is not None or (self.search.stand_in and self._engines.failed())
        return self.search.over and lost

    @property
    def busy(self) -> bool:
        if self._closed or self.failed:
            return False
        return self.search.busy or self.waiting or self._walk is not None or (self.search.over and not self._last)

    @property
    def _found(self) -> Info | None:
        return None if self.search.stand_in else self.search.info

    @property
    def info(self) -> Info | None:
        return self._found if self.search.over and not self.failed else None

    @property
    def depths(self) -> tuple[DepthStats, ...]:
        return () if self._found is None else self._found.depths

    def update(self) -> bool:
        """Take a tree that is finished, and begin another. Return whether there is news."""
        if self._closed or (self._last and self._walk is None):
            return False
        taken = False
        if self._walk is not None and self._walk.done():
            self._walk_failed = self._walk.exception() is not None
            tree, self._walk = result_of(self._walk), None
            taken = tree is not None or self._last
            self.trace = tree or self.trace
        now = time.monotonic()
        if self._walk is None and not self._last and self._found is not None and (self.search.over or now >= self._due):
            self._last, self._due = self.search.over, now + PAUSE
            self._walk = self._thread.submit(self._tree, TREE_NODES if self._last else GROWING)
        return taken

    def _tree(self, most: int) -> TableTree | None:
        tree = self.search.table_tree(self._position, most, self._engines.rest)
        self._wake()
        return tree

    def close(self) -> None:
        """End the search. The last tree stays."""
        self._closed = True
        self.search.drop()
        self._thread.shutdown(wait=False, cancel_futures=True)
