"""Compare the moves of two settings of the gomoku engine at labelled positions: a filter, no substitute for games
(ai/lab/STRENGTH.md).

    python -m ai.lab.regret engine:REPLY=1 engine --nodes 5000 5000 --positions 3000

The positions are from `ai/lab/labels` (ai/lab/deep_labels.py), none of them proven. A new player searches each. Where
the answers differ, the engine with its usual settings judges both by a search of `--judge` nodes after them. What is
printed is how often each player answers as the label says, and how much more of its chance of winning the first one
keeps with a move, with the standard error.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from ai.arena.arena import exit_on_errors
from ai.core.player import Info, Limit, answer
from ai.core.score import win_probability
from ai.lab.deep_labels import packed
from ai.players.table import Context, make
from games.line import LinePosition
from games.registry import GAMES, setup

_LABELS = Path(__file__).with_name("labels")
_JUDGE = "engine:memory_mb=16"
_CLOSE = 600  # greatest score of a label
_EVERY = 250  # positions for a line


def fresh(player: str, position: LinePosition, nodes: int) -> Info:
    """Return the answer of a new player of this name, which has searched nothing before."""
    with closing(make(player, Context("gomoku"))) as new:
        return answer(new, position, Limit(nodes=nodes))


def labelled(rule: str, seed: int) -> Iterator[tuple[LinePosition, int]]:
    """Yield the positions of the labels that are not far from even, in random order, with the best move."""
    _, games = packed(_LABELS / f"{rule}.jsonl.xz")
    chosen = [(game, ply, move) for game in games for ply, move, score in game.labels
              if score is not None and abs(score) < _CLOSE]  # fmt: skip
    random.Random(seed).shuffle(chosen)
    for game, ply, move in chosen:
        position = next(each for each in game.positions(rule) if each.ply == ply)
        yield position, move


class Judge:
    """The engine with its usual settings, which tells what a move keeps of the chance of winning."""

    def __init__(self, rule: str, nodes: int) -> None:
        self._nodes, self._setup = nodes, setup("gomoku", 15, rule)

    def gain(self, position: LinePosition, first: int, second: int) -> float:
        """Return the chance after the `first` move less that after the `second`."""
        return self._chance(position, first) - self._chance(position, second)

    def _chance(self, position: LinePosition, move: int) -> float:
        after = position.play(move)
        if after.outcome is not None:
            return 0.5 if after.outcome.winner is None else 1.0
        info = fresh(_JUDGE, after, self._nodes)
        return 1 - win_probability(self._setup, info.score, info.mate, after.ply)


def gains(
    players: Sequence[str], nodes: Sequence[int], rule: str, judged: int, seed: int
) -> Iterator[tuple[tuple[bool, bool], float]]:
    """Yield for each position whether the players answer as its label says, and what the first one gains."""
    judge = Judge(rule, judged)
    for position, best in labelled(rule, seed):
        first, second = (fresh(player, position, most).move for player, most in zip(players, nodes, strict=True))
        yield (first == best, second == best), judge.gain(position, first, second) if first != second else 0.0


@exit_on_errors()
def main(arguments: Sequence[str]) -> None:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("players", nargs=2, metavar="PLAYER")
    parser.add_argument("--nodes", type=int, nargs=2, default=(5_000, 5_000), help="for a move of each")
    parser.add_argument("--positions", type=int, default=3_000)
    parser.add_argument("--judge", type=int, default=25_000, metavar="NODES")
    parser.add_argument("--rule", choices=GAMES["gomoku"].rules, default="freestyle")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    found: list[float] = []
    right = [0, 0]
    for agreed, gain in gains(given.players, given.nodes, given.rule, given.judge, given.seed):
        found.append(gain)
        right = [before + now for before, now in zip(right, agreed, strict=True)]
        if len(found) in (2, given.positions) or len(found) % _EVERY == 0:
            error = statistics.stdev(found) / len(found) ** 0.5
            first, second = (f"{each / len(found):.1%}" for each in right)
            other = sum(each != 0 for each in found)
            print(f"{len(found)} positions: as labelled {first}, {second}; {other} moves differ in worth; "
                  f"gain {statistics.mean(found):+.5f} ± {error:.5f}", flush=True)  # fmt: skip
        if len(found) >= given.positions:
            break


if __name__ == "__main__":
    main(sys.argv[1:])
