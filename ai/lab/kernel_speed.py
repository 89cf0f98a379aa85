"""Compare the speed of the same search in several libraries of kernels, or in several checkouts.

    python -m ai.lab.kernel_speed FOLDER numba ../other=../other/ai/native

Each argument is a value of `TENGEN_KERNELS`, after the folder of a checkout and `=` where it is not this one. All
search the same positions, in turn, each in a process of its own and each position so many times; the least processor
time counts, since other work on the machine only adds to it. The last column is the speed relative to the first one,
the geometric mean over the positions with its standard error. It is an error if the numbers of nodes differ.
"""

from __future__ import annotations

import argparse
import math
import os
import statistics
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

from ai.arena.arena import exit_on_errors

_CHECKOUT = Path(__file__).parents[2]
_OPENINGS = Path(__file__).with_name("openings.txt")
_EVERY = 2  # openings from one position to the next

_SEARCHER = """
import sys, time
from ai.core.player import Limit, answer
from ai.players.table import Context, make
from games.formats.text import parse
from games.registry import setup

player = make(sys.argv[1], Context("gomoku"))
for line in sys.stdin:
    moves, nodes = line.split()
    position = parse(moves, setup("gomoku", 15, "freestyle")).position
    player.forget()
    begun = time.process_time()
    info = answer(player, position, Limit(nodes=int(nodes)))
    print(info.nodes, time.process_time() - begun, flush=True)
"""
"""What runs in each checkout: it reads positions with numbers of nodes, and reports nodes and seconds."""


class Differs(Exception):
    """The searches are not the same; `str(error)` is a sentence."""


@dataclass(frozen=True, slots=True)
class Speed:
    """Nodes per second of processor time, and relative to those of the first kernels, with the standard error."""

    name: str
    nodes_per_second: float
    ratio: float
    error: float

    def __str__(self) -> str:
        return f"{self.name}: {self.nodes_per_second:,.0f} nodes/s, {self.ratio:.3f} ± {self.error:.3f}"


class _Searcher:
    """A process that searches with one kind of kernels."""

    def __init__(self, name: str, player: str) -> None:
        folder, _, kernels = name.rpartition("=")
        if kernels not in ("numba", "interpreted", "native"):
            kernels = str(Path(kernels).absolute())
        checkout = Path(folder or _CHECKOUT).absolute()
        environment = os.environ | {"TENGEN_KERNELS": kernels, "PYTHONPATH": str(checkout)}
        self.name = name
        self.process = subprocess.Popen([sys.executable, "-c", _SEARCHER, player], cwd=checkout, env=environment,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # fmt: skip

    def search(self, moves: str, nodes: int) -> tuple[int, float]:
        """Return the nodes of a search and its seconds. Raise `Differs` if the process has failed."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with suppress(OSError):
            print(moves, nodes, file=self.process.stdin, flush=True)
        found = self.process.stdout.readline().split()
        if len(found) != 2:
            raise Differs(f"{self.name} does not answer.")
        return int(found[0]), float(found[1])

    def close(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.communicate()


def measure(names: Sequence[str], player: str, nodes: int, positions: Sequence[str], times: int) -> list[Speed]:
    """Return the speed of each of the kernels. Raise `Differs`."""
    with ExitStack() as stack:
        searchers = []
        for name in names:
            searchers.append(_Searcher(name, player))
            stack.callback(searchers[-1].close)
        least = [_least_times(searchers, moves, nodes, times) for moves in positions]
    speeds = []
    for number, name in enumerate(names):
        ratios = [math.log(seconds[0] / seconds[number]) for _, seconds in least]
        error = statistics.stdev(ratios) / math.sqrt(len(ratios)) if len(ratios) > 1 else math.inf
        total = sum(visited for visited, _ in least) / sum(seconds[number] for _, seconds in least)
        speeds.append(Speed(name, total, math.exp(statistics.mean(ratios)), error))
    return speeds


def _least_times(searchers: Sequence[_Searcher], moves: str, nodes: int, times: int) -> tuple[int, list[float]]:
    """Return the nodes of the search of a position, and the least seconds of each searcher. Raise `Differs`."""
    least = [math.inf] * len(searchers)
    visited: set[int] = set()
    for turn in range(times):
        for step in range(len(searchers)):
            number = (turn + step) % len(searchers)
            found, seconds = searchers[number].search(moves, nodes)
            least[number] = min(least[number], seconds)
            visited.add(found)
    if len(visited) > 1:
        raise Differs(f"The searches of {moves} visit different numbers of nodes: {sorted(visited)}.")
    return visited.pop(), least


@exit_on_errors(Differs)
def main(arguments: Sequence[str]) -> None:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernels", nargs="+", metavar="[CHECKOUT=]KERNELS")
    parser.add_argument("--player", default="engine:memory_mb=64")
    parser.add_argument("--nodes", type=int, default=40_000)
    parser.add_argument("--positions", type=int, default=24)
    parser.add_argument("--times", type=int, default=7, help="each position is searched")
    given = parser.parse_args(arguments)
    positions = _OPENINGS.read_text(encoding="utf-8").split()[: _EVERY * given.positions : _EVERY]
    for speed in measure(given.kernels, given.player, given.nodes, positions, given.times):
        print(speed)


if __name__ == "__main__":
    main(sys.argv[1:])
