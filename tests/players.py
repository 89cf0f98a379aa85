"""Shared by all tests of searches: players that are slow or fail."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

from ai.core.player import Info, Limit, Player, Stop
from ai.system.threads import behind_window
from games.position import Position


class Slow(Player):
    """Answers only when stopped; `behind` says of each search whether it gave way to a window."""

    nodes = 0

    def __init__(self) -> None:
        self.began = threading.Event()
        self.behind: list[bool] = []

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        self.behind.append(behind_window.get())
        self.began.set()
        yield Info(position.candidates()[0], 0, 1)
        while not stop.is_set():
            time.sleep(0.001)


class Faulty(Player):
    nodes = 0

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        raise RuntimeError("a fault")
        yield
