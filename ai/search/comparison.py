"""The searches that are compared and taught, by keys: each of `VARIANTS` has one part more than the one before."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ai.core.player import Limit, Player, Stop
from ai.core.score import settled
from games.position import Position

VARIANTS: dict[str, str] = {
    "minimax": "minimax",
    "alphabeta": "alphabeta:ordering=0,table=0,deepening=0,extension=0,selection=0",
    "ordering": "alphabeta:table=0,deepening=0,extension=0,selection=0",
    "table": "alphabeta:deepening=0,extension=0,selection=0",
    "deepening": "alphabeta:extension=0,selection=0",
}
"""Names of players by what is new in them. All try all legal moves, so that their results agree at the same depth."""

FURTHER: dict[str, str] = {
    "pvs": "alphabeta:pvs=1,table=0,deepening=0,extension=0,selection=0",
    "quiescence": "alphabeta:quiescence=1,table=0,deepening=0,extension=0,selection=0",
    "expect": "minimax:expect=0.2",
    "expect_random": "minimax:expect=1",
}
"""The searches that are taught, but not compared with the others: the first two have one part more than `ordering`, the
others expect errors, and have chance nodes."""

EXPECTING = ("expect", "expect_random")
"""Those of `FURTHER` with chance nodes."""

SHARED = {"root_splitting": "root", "brothers": "ybw"}
"""The searches by several workers that are taught, with the way in which they split (`ai.search.splitting`)."""

WORKERS = (1, 2, 4)
"""How many workers a person can choose."""

ENGINE = "engine"
"""The key of the gomoku engine, which is shown by the tree of its table (`ai.search.trace`)."""

MCTS = "mcts"
"""The key, and the player, of Monte Carlo tree search, which is shown by the nodes that were visited most."""

SAMPLED = {"sampled": MCTS, "playouts": f"{MCTS}:playouts=1", "network": f"{MCTS}:network"}
"""The players of Monte Carlo tree search that are shown visit by visit, by keys: with the game's evaluation, with
random games, and at last with a network where there is one."""

PROOF = "proof"
"""The key of proof-number search, which is shown round by round (`ai.search.proof_number`)."""

C, CHOICES_OF_C = 0.35, (0.1, 0.35, 0.7, 1.4)
"""How much Monte Carlo tree search explores, if a win counts 1 and a loss 0: the usual c, and those to choose from."""

TIMED = (MCTS, ENGINE)
"""The searches that have their time, and a tree without steps (`ai.search.trace`)."""

ENGINE_PLAYER = "engine:root_vcf=0"
"""Without the search for continuous fours at the root, after which there would be no tree of a position that is won."""


def variant(key: str, distance: bool = True) -> str:
    """Return the name of the player for a key of `VARIANTS` or `FURTHER`. Without `distance` all its wins have the same
    value."""
    name = VARIANTS.get(key) or FURTHER[key]
    return name if distance else f"{name}{',' if ':' in name else ':'}distance=0"


def sampled_player(key: str, c: float = C) -> str:
    """Return the name of the player for a key of `SAMPLED` that explores by `c`, on the scale from 0 to 1. The player's
    results run from -1 to 1, so that its name has twice `c`."""
    name = SAMPLED[key]
    return f"{name}{',' if ':' in name else ':'}c={2 * c:g}"


def shared_player(key: str, workers: int, distance: bool = True) -> str:
    """Return the name of the player that shares its search out among simulated workers, for a key of `SHARED`. Like
    `ordering`, it has no table, no deepening, and tries all legal moves."""
    parts = "ordering=1,table=0,deepening=0,selection=0"
    return f"parallel:workers={workers},split={SHARED[key]},simulated=1,{parts},distance={int(distance)}"


def prunes(key: str) -> bool:
    """Whether the search with this key prunes, so that alpha and beta of its trace mean something."""
    return key not in ("minimax", *EXPECTING, *SAMPLED, PROOF, *TIMED)


# Several searches of one position, to compare how many nodes each visits and how long it takes, depth by depth.


DEEPEST = 10
"""Plies of the deepest search that is compared."""

_HALVINGS = 60  # of the range in which b lies: as exact as a float


@dataclass(frozen=True, slots=True)
class Bounds:
    """How deep the searches go, in plies, and after how many nodes or seconds each of them is stopped."""

    depth: int = DEEPEST
    nodes: int = 600_000
    seconds: float = 8.0


@dataclass(frozen=True, slots=True)
class SearchRow:
    """The result of one search to one depth: `search` is a key of `VARIANTS`, `score` is from the side to move.
    `finished` is False if the search was stopped: then score and move mean nothing. `proven` means that a deeper search
    finds the same. `nodes` counts all iterations of iterative deepening, `before` all but the last."""

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


def compare_searches(
    position: Position, make: Callable[[str], Player], bounds: Bounds = Bounds(), searches: Sequence[str] = (*VARIANTS,)
) -> Iterator[SearchRow]:
    """Run each of `searches` to depth 1, 2 and so on, and yield a row for each depth; `make` makes a player by its
    name.

    The search that has visited the fewest nodes goes next, so that quick ones do not wait for slow ones. A search goes
    no deeper once it was stopped by the bounds or its result is proven. `position` has a legal move.
    """
    ahead = [(0, order, 1) for order in range(len(searches))]  # nodes of the last row, place in the list, depth
    while ahead:
        ahead.sort()
        _, order, depth = ahead.pop(0)
        name = searches[order]
        row = search_row(position, name, make(VARIANTS[name]), depth, bounds)
        yield row
        if row.finished and not row.proven and depth < bounds.depth:
            ahead.append((row.nodes, order, depth + 1))


def search_row(position: Position, name: str, player: Player, depth: int, bounds: Bounds) -> SearchRow:
    """Run one search to `depth` by `player`, stop it at the nodes and seconds of `bounds`, and return its row. `name`
    is its key."""
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
    proven = finished and (info.lines[0].exact or settled(info.score))
    iterations = (each for each in infos if each.depth < info.depth and each.complete is not False)
    before = max((each.nodes for each in iterations), default=0)
    return SearchRow(name, depth, player.nodes, seconds, info.score, info.move, finished, proven, before)


def effective_branching(rows: Sequence[SearchRow], moves: int) -> float:
    """Return the effective branching factor of the deepest finished search without pruning: the b of a full tree with
    as many nodes, in which each inner node has b moves (Russell & Norvig: Artificial Intelligence, 3.6.1). Return
    `moves` if there is no such search."""
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
    """Return 1 + b + … + b^depth: the nodes of a tree of this depth with b moves in each position."""
    return sum(b**ply for ply in range(depth + 1))


def minimal_tree(b: float, depth: int) -> float:
    """Return the nodes that alpha-beta visits in a `full_tree` if the best move always comes first. At the ply p these
    are b^⌈p/2⌉ + b^⌊p/2⌋ − 1 (Knuth & Moore: An Analysis of Alpha-Beta Pruning, 1975)."""
    return sum(b ** ((ply + 1) // 2) + b ** (ply // 2) - 1 for ply in range(depth + 1))


def fewest_nodes(rows: Sequence[SearchRow]) -> tuple[str, int, float] | None:
    """Find the greatest depth above 1 that minimax and a search with pruning have both finished. Return the search with
    the fewest nodes there, the depth, and the ratio of minimax's nodes to its; None if there is no such depth."""
    finished = {(row.search, row.depth): row.nodes for row in rows if row.finished}
    depths = [depth for name, depth in finished if not prunes(name) and depth > 1]
    for depth in sorted(depths, reverse=True):
        here = {name: nodes for (name, at), nodes in finished.items() if at == depth}
        best = min((name for name in here if prunes(name)), key=lambda name: here[name], default=None)
        if best is not None:
            plain = next(nodes for name, nodes in here.items() if not prunes(name))
            return best, depth, plain / here[best]
    return None
