"""Measure what sharing out a search costs and gains, on positions of Connect Four:

    python -m ai.lab.parallel_speed [--positions 24] [--depth 8] [--seed 1]            simulated workers: nodes and time
    python -m ai.lab.parallel_speed clock [--positions 24] [--depth 8] [--seed 1]      processes: time by the clock

Both compare with alpha-beta by one thread at the same depth, and check that the scores are equal. The first counts
time in nodes, so that it gives the same figures on any machine. The second searches each position by alpha-beta and by
one and two processes in turn; the figure is the median of the ratios, position by position.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing

from ai.core.player import Limit, Player, answer
from ai.search.alphabeta import AlphaBeta, Parts
from ai.search.parallel import Parallel, Way
from ai.search.splitting import BROTHERS, ROOT_SPLIT
from games.position import Position
from games.registry import setup

WORKERS = (1, 2, 4)
_SPLITS = (ROOT_SPLIT, BROTHERS)
_GRAIN = 4  # as processes have it
_PLIES = range(2, 9)  # moves before a position


def positions(count: int, seed: int) -> list[Position]:
    """Return different positions after some random moves, in which nobody wins at once."""
    dice, found = random.Random(seed), dict[object, Position]()
    while len(found) < count:
        position: Position = setup("connect4").start()
        for _ in range(dice.choice(_PLIES)):
            if position.outcome is None:
                position = position.play(dice.choice(list(position.legal_moves())))
        if position.outcome is None and not any(position.play(move).outcome for move in position.legal_moves()):
            found[position.key] = position
    return list(found.values())


def alone() -> AlphaBeta:
    return AlphaBeta(Parts(extension=False))


def simulated(chosen: list[Position], depth: int) -> Iterator[str]:
    """Yield a line for each split and number of workers: nodes and time compared with alpha-beta, and idle time."""
    infos = [answer(alone(), position, Limit(depth=depth)) for position in chosen]
    nodes = [info.nodes for info in infos]
    yield f"alpha-beta: {sum(nodes):,} nodes in {len(chosen)} positions, depth {depth}"
    for split in _SPLITS:
        for workers in WORKERS:
            visited, spans = [], []
            for position, info in zip(chosen, infos, strict=True):
                player = Parallel(Way(workers, split, _GRAIN, simulated=True))
                found = answer(player, position, Limit(depth=depth))
                assert found.score == info.score, "the value differs"
                visited.append(found.nodes)
                spans.append(player.span)
            more, faster = sum(visited) / sum(nodes), sum(nodes) / sum(spans)
            each = statistics.median(count / span for count, span in zip(nodes, spans, strict=True))
            idle = 1 - sum(visited) / sum(spans) / workers
            yield (
                f"{split:<5} {workers} workers: {more:5.2f} times the nodes, {faster:5.2f} times as fast "
                f"(median {each:.2f}), idle {idle:.0%}"
            )


def clocked(chosen: list[Position], depth: int) -> Iterator[str]:
    """Yield a line for each split and number of processes."""
    ways = [Way(workers, split) for split in _SPLITS for workers in WORKERS[1:2]]
    players = [Parallel(way) for way in ways]
    ratios: list[list[float]] = [[] for _ in players]
    with ExitStack() as stack:
        for player in players:
            stack.enter_context(closing(player))
            player.warm_up(chosen[0])
            answer(player, chosen[0], Limit(depth=depth))  # processes start with the first large iteration
        for position in chosen:
            single, score = _timed(alone(), position, depth)
            for player, row in zip(players, ratios, strict=True):
                seconds, found = _timed(player, position, depth)
                assert found == score, "the value differs"
                row.append(single / seconds)
    for way, row in zip(ways, ratios, strict=True):
        low, middle, high = statistics.quantiles(row, n=4)
        yield f"{way.split:<5} {way.workers} processes: {middle:.2f} times as fast, quartiles {low:.2f} {high:.2f}"


def _timed(player: Player, position: Position, depth: int) -> tuple[float, int]:
    began = time.perf_counter()
    info = answer(player, position, Limit(depth=depth))
    return time.perf_counter() - began, info.score


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what sharing out a search costs and gains.")
    parser.add_argument("way", nargs="?", choices=("simulated", "clock"), default="simulated")
    parser.add_argument("--positions", type=int, default=24)
    parser.add_argument("--depth", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chosen = positions(options.positions, options.seed)
    for line in (clocked if options.way == "clock" else simulated)(chosen, options.depth):
        print(line, flush=True)


if __name__ == "__main__":
    main()
