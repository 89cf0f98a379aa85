"""Nodes in place of seconds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ai.core.player import Info, Limit, Player, Stop, answer
from games.formats.text import parse
from games.position import Position
from tests.by_nodes import NODES_PER_SECOND, ByNodes


class Told(Player):
    """Remembers the limit."""

    nodes = 0
    limit = Limit()

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        self.limit = limit
        yield Info(position.candidates()[0])


@pytest.mark.parametrize(
    ("limit", "told"),
    [
        (Limit(seconds=0.5, depth=7, lines=2), Limit(nodes=NODES_PER_SECOND // 2, depth=7, lines=2)),
        (Limit(), Limit()),
    ],
)
def test_nodes_stand_for_seconds(limit: Limit, told: Limit) -> None:
    player = Told()
    answer(ByNodes(player), parse("h8").position, limit)
    assert player.limit == told
