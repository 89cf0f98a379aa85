"""Several searches of one position, to compare how many nodes each visits and how long it takes, depth by depth."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ai.player import Limit, Player, Stop
from ai.score import PROVEN
from ai.search.variants import VARIANTS, prunes
from games.position import Position

DEEPEST = 10
"""Plies of the deepest search that is compared."""

_HALVINGS = 60  # of the range in which b lies: as exact as a float


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far the searches go: in plies, and the nodes and seconds after which one is stopped."""

    depth: int = DEEPEST
    nodes: int = 600_000
    seconds: float = 8.0


@dataclass(frozen=True, slots=True)
class Row:
    """A search of one depth: `search` is a key of `VARIANTS`. `score` is from the side to move. `finished` is False if
    the search was stopped: then score and move mean nothing. `proven` means that a deeper search finds the same. Of
    the `nodes` of iterative deepening, all iterations but the last have visited those `before`."""

    search: str
    depth: int
    nodes: int
    seconds: float
    score: int
    move: int
    finished: bool = True
    proven: bool = False
    before: int = 0

    @property
    def last(self) -> int:
        """The nodes of the last iteration."""
        return self.nodes - self.before


def compared(
    position: Position, make: Callable[[str], Player], bounds: Bounds = Bounds(), searches: Sequence[str] = (*VARIANTS,)
) -> Iterator[Row]:
    """Yield the rows of all `searches`, each depth by depth; `make` makes a player by its name.

    The search that has visited the fewest nodes goes next, so that quick ones do not wait for slow ones. A search ends
    at the bounds, and when the result is proven, at the same depth as the others. `position` has a legal move.
    """
    ahead = [(0, order, 1) for order in range(len(searches))]  # nodes of the last row, place in the list, depth
    while ahead:
        ahead.sort()
        _, order, depth = ahead.pop(0)
        name = searches[order]
        row = searched(position, name, make(VARIANTS[name]), depth, bounds)
        yield row
        if row.finished and not row.proven and depth < bounds.depth:
            ahead.append((row.nodes, order, depth + 1))


def searched(position: Position, name: str, player: Player, depth: int, bounds: Bounds) -> Row:
    """Return the row of one search, by `player`."""
    stop = Stop()
    # Not by its limit: a player that knows how long it may take does not begin what it would not finish.
    timer = threading.Timer(bounds.seconds, stop.set)
    timer.daemon = True
    timer.start()
    began = time.perf_counter()
    infos = list(player.think(position, Limit(depth=depth, nodes=bounds.nodes), stop))
    info = infos[-1]
    seconds = time.perf_counter() - began
    timer.cancel()
    finished = not stop.is_set() and player.nodes < bounds.nodes
    proven = finished and (info.lines[0].exact or abs(info.score) >= PROVEN)
    before = max((each.nodes for each in infos if each.depth < info.depth), default=0)
    return Row(name, depth, player.nodes, seconds, info.score, info.move, finished, proven, before)


def effective_branching(rows: Sequence[Row], moves: int) -> float:
    """Return the effective branching factor of the deepest finished search without pruning: the b of a tree of so many
    nodes in which each inner node has b moves (Russell & Norvig: Artificial Intelligence, 3.6.1). `moves` is what to
    return without such a search."""
    nodes = {row.depth: row.nodes for row in rows if row.finished and not prunes(row.search)}
    if not nodes:
        return float(moves)
    depth = max(nodes)
    low, high = 0.0, float(nodes[depth])
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if full_tree(middle, depth) < nodes[depth] else (low, middle)
    return high


def full_tree(b: float, depth: int) -> float:
    """Return 1 + b + … + b^depth, the nodes of a tree with b moves in each position."""
    return sum(b**ply for ply in range(depth + 1))


def minimal_tree(b: float, depth: int) -> float:
    """Return the nodes that alpha-beta visits of the same tree if the best move always comes first. At the ply p these
    are b^⌈p/2⌉ + b^⌊p/2⌋ − 1 (Knuth & Moore: An Analysis of Alpha-Beta Pruning, 1975)."""
    return sum(b ** ((ply + 1) // 2) + b ** (ply // 2) - 1 for ply in range(depth + 1))


def saved(rows: Sequence[Row]) -> tuple[str, int, float] | None:
    """Return the search that needs the fewest nodes at the deepest depth that it and minimax have finished, that depth,
    and how many times as many nodes minimax visits there; None while there is none."""
    finished = {(row.search, row.depth): row.nodes for row in rows if row.finished}
    depths = [depth for name, depth in finished if not prunes(name) and depth > 1]
    for depth in sorted(depths, reverse=True):
        here = {name: nodes for (name, at), nodes in finished.items() if at == depth}
        best = min((name for name in here if prunes(name)), key=lambda name: here[name], default=None)
        if best is not None:
            plain = next(nodes for name, nodes in here.items() if not prunes(name))
            return best, depth, plain / here[best]
    return None
