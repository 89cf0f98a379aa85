"""A player that plays any legal move: the weakest opponent and the baseline of the others."""

from __future__ import annotations

import random
from collections.abc import Iterator

from ai.player import Info, Limit, Player, Stop
from games.position import Position


class RandomPlayer(Player):
    """Choose uniformly among the legal moves; the same `seed` plays the same game."""

    nodes: int = 0

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        self.nodes = 1
        yield Info(self._random.choice(position.legal_moves()), nodes=1)
