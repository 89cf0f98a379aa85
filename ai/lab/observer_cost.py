"""Measure what the hooks of the trace cost the players when nobody observes them:

    git worktree add /tmp/before COMMIT && python -m ai.lab.observer_cost --against /tmp/before [--rounds N]

compares this checkout with another one, such as the commit before the trace: the parent of the one that added
ai/search/trace.py. Both do the same searches by turns, in processor time. Prints for
each player how many times as long as there a search takes here, without an observer and with one: the median of all
rounds, and the quartiles. With `--against .` it prints the noise.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

SEARCHES = {
    "alphabeta": ("tictactoe", "connect4:8", "gomoku:5", "bones:16"),
    "minimax": ("tictactoe:6", "connect4:5", "gomoku:2", "bones:9"),
}
"""By player: games, and the depths of the searches from their first positions."""

Way = tuple[Path, bool]
"""A checkout, and whether there is an observer."""

# In the other checkout this module may be missing, so that the source goes to both as it is. `gc` is off, since when
# it runs depends on what has been allocated before.
_WORKER = """
import gc, sys, time
sys.path.insert(0, ".")
from ai.core.player import Limit, answer
from ai.search.alphabeta import AlphaBeta
from ai.search.minimax import Minimax
from games.registry import setup
PLAYERS = {"alphabeta": AlphaBeta, "minimax": Minimax}
for line in sys.stdin:
    name, task, observed = line.split()
    game, _, depth = task.partition(":")
    position, player = setup(game).start(), PLAYERS[name]()
    if observed == "observed":
        from ai.search.trace import Trace
        player.trace = Trace()
    limit = Limit(depth=int(depth) if depth else None)
    gc.collect()
    gc.disable()
    began = time.process_time()
    info = answer(player, position, limit)
    seconds = time.process_time() - began
    gc.enable()
    print(seconds, info.move, flush=True)
"""


def seconds(player: str, way: Way) -> tuple[float, list[str]]:
    """Return the processor time of all searches of a player, and the moves that it finds.

    The process is a new one, since how fast one is depends on where its objects happen to lie."""
    folder, observed = way
    lines = "".join(f"{player} {task} {'observed' if observed else 'alone'}\n" for task in SEARCHES[player])
    command = [sys.executable, "-c", _WORKER]
    done = subprocess.run(command, cwd=folder, input=lines, capture_output=True, text=True, check=True)
    found = [line.split() for line in done.stdout.splitlines()]
    return sum(float(each[0]) for each in found), [each[-1] for each in found]


def compared(player: str, ways: Sequence[Way], rounds: int) -> list[list[float]]:
    """Return for each way but the first the ratios of its times to those of the first, round by round. Each round
    begins with another one."""
    ratios: list[list[float]] = [[] for _ in ways[1:]]
    for number in range(rounds):
        order = [(number + place) % len(ways) for place in range(len(ways))]
        found = {place: seconds(player, ways[place]) for place in order}
        assert all(moves == found[0][1] for _, moves in found.values()), "the checkouts play differently"
        for place, row in enumerate(ratios, 1):
            row.append(found[place][0] / found[0][0])
    return ratios


def report(folder: Path, rounds: int) -> Iterator[str]:
    """Yield a line for each player and way."""
    for player in SEARCHES:
        found = compared(player, ((folder, False), (Path(), False), (Path(), True)), rounds)
        for name, ratios in zip(("without an observer", "with one"), found, strict=True):
            low, middle, high = statistics.quantiles(ratios, n=4)
            yield f"{player:<10} {name:<20} {middle:.3f}   quartiles {low:.3f} {high:.3f}   {len(ratios)} rounds"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what the hooks of the trace cost the players.")
    parser.add_argument("--against", type=Path, default=Path(), help="another checkout; the default shows the noise")
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    for line in report(options.against, options.rounds):
        print(line, flush=True)


if __name__ == "__main__":
    main()
