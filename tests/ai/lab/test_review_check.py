"""The check of reviews: what counts as found, and nodes in place of seconds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ai.core.player import Info, Limit, Player, Stop, answer
from ai.lab.review_check import NODES_PER_SECOND, ByNodes, Checked, figures
from games.formats.text import parse
from games.position import Position


def test_only_blunders_and_missed_wins_count_as_found() -> None:
    one = Checked(
        "a", "renju", 20, ("9:blunder(0.50)",), ("12:blunder(0.30)", "14:missed_win(0.50)"), ("14:0.40",), 1.0, 1.0
    )
    other = Checked("b", "renju", 30, ("9:mistake(0.50)",), (), (), 1.0, 1.0)
    sums = {"games": 2, "moves": 50, "planted": 2, "found": 1, "others": 2, "false": 1}
    assert figures([one, other]) == sums


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
