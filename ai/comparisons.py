"""What the window runs in a process of its own (`ai.stream`) to compare searches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ai.player import Limit, Player, Stop, answer
from ai.players import Context, make
from ai.search.comparison import Bounds, Row, compared
from ai.search.lazy_smp import Division, LazySmp, division
from games.position import Position


def compare(position: Position, bounds: Bounds) -> Iterator[Row]:
    """Compare all searches of `position`, which has a legal move."""

    def player(name: str) -> Player:
        return make(name, Context(position.game))

    return compared(position, player, bounds)


@dataclass(frozen=True, slots=True)
class Shared:
    """How `workers` threads have divided a search to `depth`, in `seconds`, and the nodes and seconds that one thread
    needs for the same. `score` is that of both."""

    depth: int
    seconds: float
    division: Division
    alone_nodes: int
    alone_seconds: float
    score: int


def share(position: Position, workers: int, bounds: Bounds) -> Iterator[Shared]:
    """Search `position` by several threads, depth by depth; yield after each depth that is finished."""
    together, alone = LazySmp(workers), LazySmp(1)
    together.watched = True
    for depth in range(2, bounds.depth + 1):
        limit = Limit(bounds.seconds, depth, bounds.nodes)
        infos = [answer(player, position, limit, Stop()) for player in (alone, together)]
        if any(info.depth < depth and not info.lines[0].exact for info in infos):
            return
        one, both = infos
        yield Shared(depth, both.seconds, division(together.work), one.nodes, one.seconds, both.score)
        if both.lines[0].exact:
            return
