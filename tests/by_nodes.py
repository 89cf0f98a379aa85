"""Reviews by nodes instead of seconds: the same on any machine, whatever else runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ai.core.player import Info, Limit, Player, Stop
from ai.review.report import Reviewed, run_review
from ai.review.review import make_judge
from games.position import Position
from games.record import GameRecord

NODES_PER_SECOND = 1_200_000
"""Speed of the engine on one of two busy cores, with a judge on each."""


@dataclass(frozen=True, slots=True)
class ByNodes(Player):
    """Give `player` nodes instead of time."""

    player: Player

    @property
    def nodes(self) -> int:
        return self.player.nodes

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        if limit.seconds is not None:
            nodes = round(limit.seconds * NODES_PER_SECOND)
            limit = replace(limit, seconds=None, nodes=nodes if limit.nodes is None else min(nodes, limit.nodes))
        for info in self.player.think(position, limit, stop):
            yield replace(info, seconds=info.nodes / NODES_PER_SECOND)

    def close(self) -> None:
        self.player.close()


def judge_by_nodes() -> Player:
    """Return a judge whose results do not depend on the load of the machine."""
    return ByNodes(make_judge("gomoku"))


def reviewed_by_nodes(record: GameRecord, seconds: float) -> Reviewed:
    """Review a game of gomoku: the same on any machine, whatever else runs."""
    return run_review(record, seconds, 0, make=judge_by_nodes)
