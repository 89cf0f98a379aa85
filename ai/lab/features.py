"""Ablation: the Elo of each part of the search, in matches of the engine against itself without that part.

    python -m ai.lab.features [--games 400] [--nodes 20000] [--rule freestyle] [NAME …]

prints a row for each part: wins, draws and losses of the whole engine, the Elo difference, and the state of an SPRT of
0 against 30 Elo, which ends the match. Both sides search the same number of nodes a move, so that nothing depends on
the machine. With `--resume FOLDER` it goes on where it was killed.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ai.arena.arena import add_resume, add_workers, exiting, openings
from ai.arena.journal import run_kept, with_meter
from ai.core.elo import estimate, sprt
from ai.core.player import Limit, answer
from ai.gomoku.engine import GomokuEngine
from games.formats import read_target
from games.position import Position
from games.registry import Setup, setup

NEVER, NOTHING = 1_000, 30_000

WITHOUT: dict[str, dict[str, Any]] = {
    "transposition table (1,024 pairs left)": {"memory_mb": 0},
    "win by fours at the root": {"root_vcf": False},
    "quiescence": {"parameters": {"QUIESCE": 0}},
    "static win in five": {"parameters": {"WIN_IN_FIVE": 0}},
    "score of the table as evaluation": {"parameters": {"TABLE_SCORE": 0}},
    "null move": {"parameters": {"NULL_BASE": 0}},
    "late move reductions": {"parameters": {"LMR": 0, "ROOT_LMR": 0}},
    "late move pruning": {"parameters": {"LMP_DEPTH": 0}},
    "reverse futility": {"parameters": {"RFP_DEPTH": 0}},
    "razoring": {"parameters": {"RAZOR": NOTHING}},
    "internal iterative reduction": {"parameters": {"IIR": NEVER}},
    "killers and counter-moves": {"parameters": {"KILLER": 0, "COUNTER": 0}},
    "history": {"parameters": {"HISTORY": 0}},
}
"""Options of the engine that disable each part."""

_LONGEST = 150  # plies; a longer game is a draw
_ELO1 = 30.0


def game(players: tuple[GomokuEngine, GomokuEngine], start: Position, nodes: int) -> float:
    """Return the first player's score."""
    position = start
    while position.outcome is None and position.ply < _LONGEST:
        mover = players[(position.ply - start.ply) % 2]
        position = position.play(answer(mover, position, Limit(nodes=nodes)).move)
    if position.outcome is None or position.outcome.winner is None:
        return 0.5
    return float((position.outcome.winner - start.turn) % 2 == 0)


def pair(name: str, opening: str, where: Setup, nodes: int) -> list[float]:
    """Return the whole engine's scores in two games from `opening`, one with each colour."""
    whole, other = GomokuEngine(memory_mb=16), GomokuEngine(**{"memory_mb": 16} | WITHOUT[name])
    return both_ways(whole, other, opening, where, nodes)


def both_ways(one: GomokuEngine, other: GomokuEngine, opening: str, where: Setup, nodes: int) -> list[float]:
    """Return the scores of `one` in two games from `opening`, one with each colour."""
    start = read_target(opening, where).position
    return [game((one, other), start, nodes), 1 - game((other, one), start, nodes)]


def meetings(where: Setup, games: int, nodes: int) -> Iterator[tuple[str, Setup, int]]:
    """Yield opening, setup and nodes a move for each pair of games: a few more nodes in each round of the openings, so
    that no game is repeated."""
    lines = openings(where, None, 1)
    for number in range(games // 2):
        yield lines[number % len(lines)], where, nodes + number // len(lines) * nodes // 50


def match(
    name: str, where: Setup, games: int, nodes: int, workers: int, cluster: str | None = None, kept: Path | None = None
) -> Iterator[list[float]]:
    """Yield the scores of pairs of games as they end, at most `games` games; `kept` is a file for them."""
    calls = [(name, *each) for each in meetings(where, games, nodes)]
    head = {"part": name, **asdict(where), "nodes": nodes}
    for _number, scores in with_meter(run_kept(pair, calls, workers, cluster, kept=kept, head=head), len(calls)):
        yield scores


def row(name: str, pairs: Sequence[Sequence[float]]) -> str:
    """Return a row of the table: games, results, Elo and SPRT."""
    scores = [score for both in pairs for score in both]
    means = [sum(both) / 2 for both in pairs]
    found, test = estimate(means), sprt(means, 0.0, _ELO1)
    counts = " ".join(f"{sign}{scores.count(value)}" for sign, value in (("+", 1), ("=", 0.5), ("−", 0)))
    told = f"{found.elo:+.0f} ± {found.error:.0f} | {test.llr:+.2f}, {test.status}"
    return f"| {name} | {len(scores)} | {counts} | {told} |"


@exiting()
def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m ai.lab.features", description="What the search consists of.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"parts: {', '.join(WITHOUT)} (default: all)")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--rule", default="freestyle")
    add_workers(parser, os.cpu_count())
    add_resume(parser, "FOLDER")
    options = parser.parse_args()
    where = setup("gomoku", 15, options.rule)
    for name in options.names or WITHOUT:
        pairs: list[list[float]] = []
        kept = options.resume / f"{list(WITHOUT).index(name)}.jsonl" if options.resume else None
        for both in match(name, where, options.games, options.nodes, options.workers, options.cluster, kept):
            pairs.append(both)
            if len(pairs) >= 10 and sprt([sum(one) / 2 for one in pairs], 0.0, _ELO1).status != "open":
                break
        print(row(name, pairs), flush=True)


if __name__ == "__main__":
    main()
