"""Measure what handicaps of gomoku are worth in Elo, by games of levels or of the engine.

    python -m ai.lab.measure_handicaps --resume FILE
    python -m ai.lab.measure_handicaps colour --rule renju --rounds 100
    python -m ai.lab.measure_handicaps time --rounds 200 --nodes 4000

Stones: a weaker level has black and the stones, a stronger one has white, for several differences of the two, since a
handicap that decides every game between equals tells nothing. Colour: equal levels begin on an empty board. Levels
search a fixed number of nodes, so that the machine does not matter. The worth is the Elo that, added to black's, makes
the results most likely by the logistic curve. Its error is that of these games only: the Elo of the levels have errors
of their own (ai/lab/LEVELS.md).

Time: the engine plays itself from balanced openings with a half, a quarter and an eighth of the nodes, which stand for
time. The worth is the difference of the two in Elo.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from ai.arena.arena import add_resume, add_workers, exit_on_errors
from ai.arena.journal import run_kept
from ai.core.elo import Estimate, expected
from ai.core.player import Limit
from ai.lab.node_match import NodeMatch, Scores, result
from ai.players.levels import LevelPlayer, level_elo
from games.clock import DIVISORS
from games.opening_rules import MOST_STONES, handicap_stones
from games.registry import setup

_GAME = "gomoku"
_WEAKER = (2, 4)
_STRONGER = 4  # levels above the weaker one, at most
_EQUAL = (3, 5, 7)
_FARTHEST = 2000.0  # Elo
_CONFIDENCE = 1.959964  # standard deviations of a 95 % interval


class Pairing(NamedTuple):
    """Level `black` with so many `stones` more against level `white`; 0 is the usual game."""

    stones: int
    black: int
    white: int


def pairings(handicap: str = "stones") -> list[Pairing]:
    """Return what is played, for ``stones`` or ``colour``."""
    if handicap == "colour":
        return [Pairing(0, level, level) for level in _EQUAL]
    return [
        Pairing(stones, black, black + above)
        for stones in range(MOST_STONES + 1)
        for black in _WEAKER
        for above in range(_STRONGER + 1)
    ]


def play(pairing: Pairing, rule: str, seed: int) -> float:
    """Play a game and return black's score: 1, 0.5 or 0."""
    of = setup(_GAME, rule=rule)
    start = of.start(handicap_stones(of.size, pairing.stones) if pairing.stones else None)
    black, white = LevelPlayer(pairing.black, 2 * seed), LevelPlayer(pairing.white, 2 * seed + 1)
    with closing(black), closing(white):
        return result(start, (black, white), (Limit(), Limit()))


def worth(games: Iterable[tuple[Pairing, float]]) -> Estimate:
    """Return the Elo that black's side is worth in these games, with half of its 95 % interval."""
    played = [(level_elo(_GAME, each.white).elo - level_elo(_GAME, each.black).elo, score) for each, score in games]
    low, high = -_FARTHEST, _FARTHEST
    for _ in range(60):
        middle = (low + high) / 2
        surplus = sum(score - expected(middle - ahead) for ahead, score in played)
        low, high = (middle, high) if surplus > 0 else (low, middle)
    chances = [expected(low - ahead) for ahead, _ in played]
    information = sum(chance * (1 - chance) for chance in chances) * (math.log(10) / 400) ** 2
    return Estimate(low, _CONFIDENCE / math.sqrt(information) if information else _FARTHEST)


def table(played: Sequence[tuple[Pairing, float]]) -> str:
    """Return the worth of each number of stones as a table in Markdown."""
    lines = ["| stones more | games | black's score | worth in Elo |", "|---|---|---|---|"]
    for stones in range(MOST_STONES + 1):
        games = [(pairing, score) for pairing, score in played if pairing.stones == stones]
        if games:
            found, scores = worth(games), [score for _, score in games]
            share = f"{sum(scores) / len(scores):.0%}"
            lines.append(f"| {stones} | {len(games)} | {share} | {found.elo:+.0f} ± {found.error:.0f} |")
    return "\n".join(lines)


def time_row(divisor: int, scores: Scores) -> str:
    """Return a row of a table in Markdown: what it is worth that the other one has a part of the time."""
    share, found = f"{sum(scores) / len(scores):.0%}", scores.elo
    return f"| 1/{divisor} | {len(scores)} | {share} | {found.elo:+.0f} ± {found.error:.0f} |"


def _measure_time(given: argparse.Namespace) -> None:
    """Play with each part of the nodes, and print a table."""
    print("| of the time | games | score of the full time | worth in Elo |\n|---|---|---|---|")
    for divisor in DIVISORS:
        nodes = given.nodes, given.nodes // divisor
        match = NodeMatch(_GAME, ("engine", "engine"), nodes, seed=given.seed, rule=given.rule)
        kept = given.resume and given.resume.with_name(f"{given.resume.name}.{divisor}")
        *_, scores = match.run(given.rounds, given.workers, given.cluster, kept)
        print(time_row(divisor, scores), flush=True)


@exit_on_errors()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("handicap", nargs="?", choices=("stones", "colour", "time"), default="stones")
    parser.add_argument("--rule", default="freestyle")
    parser.add_argument("--rounds", type=int, default=20, help="games of each pairing")
    parser.add_argument("--nodes", type=int, default=4000, help="for a move of who has the full time")
    parser.add_argument("--seed", type=int, default=1)
    add_workers(parser, 1)
    add_resume(parser)
    given = parser.parse_args()
    if given.handicap == "time":
        _measure_time(given)
        return
    pairs = pairings(given.handicap)
    calls = [
        (pairing, given.rule, 10_000 * given.seed + number)
        for number in range(given.rounds)
        for pairing in pairs
    ]  # fmt: skip
    head = {"program": "handicaps", "rule": given.rule, "seed": given.seed}
    keys = [f"{stones} {black} {white} {seed}" for (stones, black, white), _, seed in calls]
    played: list[tuple[Pairing, float]] = []
    kept: Path | None = given.resume
    for number, score in run_kept(play, calls, given.workers, given.cluster, kept=kept, head=head, keys=keys):
        played.append((calls[number][0], score))
        if len(played) % len(pairs) == 0:
            print(table(played), flush=True)


if __name__ == "__main__":
    main()
