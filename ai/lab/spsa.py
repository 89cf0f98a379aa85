"""Tune parameters of the gomoku engine's search by games: simultaneous perturbation stochastic approximation
(Spall, 1998; https://www.chessprogramming.org/SPSA).

    python -m ai.lab.spsa RFP:10 LMR:20 HISTORY:6 --nodes 20000 --pairs 5000 --resume F

Each parameter has the step by which it is changed at the end. In a pair of games the engine with all parameters
changed, each up or down at random, plays itself with the opposite changes, from one opening with both colours. The
values then move towards the better side. The rules are played in turn. As a node match does not depend on how busy the
machine is, the same command gives the same values; `--resume` keeps the results of the pairs.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from itertools import islice
from math import floor
from pathlib import Path

from ai.arena.arena import add_resume, exit_on_errors
from ai.arena.executors import open_executor
from ai.arena.journal import Journal, locked
from ai.gomoku.kernels.parameters import PARAMETERS
from ai.lab.node_match import NodeMatch
from games.fields import checked, decode, list_of, whole
from games.position import Position
from games.registry import GAMES

Values = Mapping[str, float]

_ALPHA, _GAMMA = 0.602, 0.101  # Spall's exponents of the decay of gain and step
_EARLY = 0.1  # part of the pairs by which the decay of the gain is delayed
_BATCH = 16  # pairs between two moves of the values
_SHOWN = 10  # batches for a line
_PLAYER = "engine:memory_mb=16"


@dataclass(frozen=True, slots=True)
class Tuning:
    """What is tuned: the end `steps` by parameter, in how many `pairs` of games with `nodes` a move, under which
    `rules` in turn. `rate` is the part of its step that a value moves for each point won, at the end."""

    steps: Mapping[str, float]
    pairs: int
    nodes: int
    rules: Sequence[str]
    rate: float = 0.006
    seed: int = 1
    openings: str | None = None

    @property
    def batches(self) -> int:
        """How often the values move."""
        return -(-self.pairs // _BATCH)

    def step(self, pair: int) -> float:
        """Return the size of the steps at the pair of this number relative to those at the end."""
        return float((self.pairs / (pair + 1)) ** _GAMMA)

    def gain(self, pair: int) -> float:
        """Return the part of its step at the end that a value moves for each point won at the pair of this number."""
        early = _EARLY * self.pairs
        decayed = ((early + self.pairs) / (early + pair + 1)) ** _ALPHA
        return float(self.rate * decayed / self.step(pair))


@dataclass(frozen=True, slots=True)
class Perturbation:
    """The changes of one pair of games: `signs`, 1 or -1 by parameter, and the two players' names."""

    pair: int
    signs: Mapping[str, int]
    players: tuple[str, str]


def perturbation(tuning: Tuning, values: Values, pair: int) -> Perturbation:
    """Draw the changes of the pair of this number. Values are rounded at random, so that their mean is kept."""
    dice = random.Random(f"{tuning.seed} {pair}")
    signs = {name: dice.choice((-1, 1)) for name in tuning.steps}
    size = tuning.step(pair)
    names = []
    for side in (1, -1):
        exact = {name: values[name] + side * signs[name] * size * tuning.steps[name] for name in tuning.steps}
        options = ",".join(f"{name}={max(0, floor(value + dice.random()))}" for name, value in exact.items())
        names.append(f"{_PLAYER},{options}")
    return Perturbation(pair, signs, (names[0], names[1]))


def moved(tuning: Tuning, values: Values, batch: Sequence[Perturbation], points: Sequence[int]) -> Values:
    """Return the values after a batch. `points` are the wins less the losses of the first player of each pair."""
    new = dict(values)
    for changes, difference in zip(batch, points, strict=True):
        gain = tuning.gain(changes.pair) * difference
        for name, sign in changes.signs.items():
            new[name] = max(0.0, new[name] + gain * sign * tuning.steps[name])
    return new


def play(match: NodeMatch, position: Position, seed: int, turn: int) -> int:
    """Play a pair of games; return the wins of the first player less its losses."""
    return round(2 * sum(match.pair(position, seed, turn)) - 2)


def starts(tuning: Tuning) -> Iterator[tuple[str, Position, int]]:
    """Yield for each pair its rule, its opening, and the number of the round of the openings."""
    by_rule = [
        NodeMatch("gomoku", ("", ""), (0, 0), seed=tuning.seed, rule=rule, openings=tuning.openings).starts()
        for rule in tuning.rules
    ]
    while True:
        for rule, openings in zip(tuning.rules, by_rule, strict=True):
            yield rule, *next(openings)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """A line of the journal: the points of a batch."""

    points: list[int] = checked(list_of(whole(-2, 2), _BATCH))


def _points(value: object) -> list[int]:
    """Decode a line of the journal. Raise `DecodeError`."""
    return decode(_Row, value, "a row").points


def tune(tuning: Tuning, workers: int, kept: Path | None = None) -> Iterator[tuple[int, Values]]:
    """Yield how many pairs have been played and the values, after each batch. `kept` keeps the results. Raise
    `BadJournal` if it has those of other work."""
    values: Values = {name: float(PARAMETERS[name]) for name in tuning.steps}
    with ExitStack() as stack:
        if kept is not None:
            name = f"{kept.name}.lock"
            stack.enter_context(locked(kept.with_name(name), f"Another process is at the work in “{kept.name}”."))
        journal = Journal(kept, "tuning", asdict(tuning), _points)
        executor = stack.enter_context(open_executor(workers))
        where = starts(tuning)
        for number in range(tuning.batches):
            first = number * _BATCH
            pairs = range(first, min(first + _BATCH, tuning.pairs))
            batch = [perturbation(tuning, values, pair) for pair in pairs]
            openings = list(islice(where, len(batch)))
            if number < len(journal.rows):
                points: Sequence[int] = journal.rows[number]
            else:
                games = [
                    executor.submit(play, NodeMatch("gomoku", changes.players, (tuning.nodes, tuning.nodes), rule=rule),
                                    position, changes.pair, turn)
                    for changes, (rule, position, turn) in zip(batch, openings, strict=True)
                ]  # fmt: skip
                points = [game.result() for game in games]
                journal.add({"points": points})
            values = moved(tuning, values, batch, points)
            yield pairs.stop, values


def _parameter(text: str) -> tuple[str, float]:
    """Read ``NAME:STEP``. Raise `ArgumentTypeError`."""
    name, _, step = text.partition(":")
    try:
        size = float(step)
    except ValueError:
        size = 0.0
    if name not in PARAMETERS or not 0 < size < 10_000:
        raise argparse.ArgumentTypeError(f"“{text}” is not the name of a parameter with a step above 0, as RFP:10.")
    return name, size


@exit_on_errors()
def main(arguments: Sequence[str]) -> None:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parameters", nargs="+", type=_parameter, metavar="NAME:STEP")
    parser.add_argument("--nodes", type=int, default=20_000, help="for a move")
    parser.add_argument("--pairs", type=int, default=5_000, help="of games")
    parser.add_argument("--rule", action="append", choices=GAMES["gomoku"].rules, help="usually all, in turn")
    parser.add_argument("--rate", type=float, default=0.006, help="part of a step that a value moves for a point")
    parser.add_argument("--openings", metavar="F", help="a file of position strings, one a line")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    add_resume(parser)
    given = parser.parse_args(arguments)
    rules = given.rule or GAMES["gomoku"].rules
    tuning = Tuning(dict(given.parameters), given.pairs, given.nodes, tuple(rules), given.rate, given.seed,
                    given.openings)  # fmt: skip
    for number, (played, values) in enumerate(tune(tuning, given.workers, given.resume), 1):
        if number % _SHOWN == 0 or played == tuning.pairs:
            print(f"{played} pairs:", " ".join(f"{name}={value:.1f}" for name, value in values.items()), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
