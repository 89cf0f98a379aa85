"""Check the modelling of opponents: is Trickster better than its search without a model, and the fit honest?

    nice -n 15 python -m ai.lab.trickster_check play games.jsonl --game connect4 --depth 4 --games 400
    python -m ai.lab.trickster_check report games.jsonl
    python -m ai.lab.trickster_check calibrate --game tictactoe --seeds 40 --moves 400

`play` goes on where it was stopped. Both arms play the same openings, sides and seeds of the level, at the same depth:
``model`` expects the replies that the model of the level makes probable, ``best`` the best reply.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import cycle, islice, product
from pathlib import Path

from ai.arena.arguments import add_workers, exiting
from ai.arena.executors import run_all
from ai.arena.progress import shown
from ai.levels.levels import LevelPlayer
from ai.opponent import store
from ai.opponent.fitting import CREDIBLE, fit, tally_of
from ai.opponent.model import OpponentModel
from ai.opponent.registry import sights
from ai.opponent.trickster import Trickster
from ai.opponent.worths import result
from ai.player import Limit, answer
from ai.registry import opponents
from ai.search.alphabeta import AlphaBeta
from games.formats.text import parse
from games.position import Position
from games.registry import Setup, setup

ARMS = ("model", "best")


@dataclass(frozen=True, slots=True)
class Played:
    """A game of one arm: the `score` of the search against the level."""

    game: str
    depth: int
    level: int
    number: int
    arm: str
    score: float
    plies: int


def play(game: Setup, level: int, number: int, arm: str, depth: int) -> Played:
    """Play a game; arms differ in nothing but the model."""
    opening = next(islice(cycle(opponents(game.game).openings(game)), number // 2, None))
    position, side = parse(opening, game).position, number % 2
    model = store.of_level(game.game, level) if arm == ARMS[0] else None
    search, opponent = Trickster(AlphaBeta(), lambda: model), LevelPlayer(level, number)
    while (end := position.outcome) is None:
        own = position.turn == side
        info = answer(search if own else opponent, position, Limit(depth=depth) if own else Limit())
        position = position.play(info.move)
    return Played(game.game, depth, level, number, arm, result(end, side), position.ply)


def play_all(
    file: Path, game: Setup, levels: Sequence[int], games: int, depth: int, workers: int = 1, cluster: str | None = None
) -> None:
    """Play what is missing in `file`, the levels in turn."""
    done = {(each.game, each.depth, each.level, each.number, each.arm) for each in read(file)}
    planned = product(range(games), levels, ARMS)
    calls = [
        (game, level, number, arm, depth)
        for number, level, arm in planned
        if (game.game, depth, level, number, arm) not in done
    ]
    with file.open("a", encoding="utf-8") as out:
        total = games * len(levels) * len(ARMS)
        for played in shown(run_all(play, calls, workers, cluster), total, total - len(calls)):
            print(json.dumps(asdict(played)), file=out, flush=True)


def read(file: Path) -> list[Played]:
    """Read the games in `file`; a line that was cut off is left out."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return [Played(**json.loads(line)) for line in lines if line.endswith("}")]


# The test.


def report(games: Sequence[Played]) -> Iterator[str]:
    """Yield the lines of a table: for each level the scores of both arms, and tests of their difference."""
    yield "| level | games an arm | W-D-L with the model | without | difference of the scores | p (wins) | p (scores) |"
    yield "|---|---|---|---|---|---|---|"
    levels = sorted({each.level for each in games})
    for level in levels:
        yield f"| {level} | {_row([each for each in games if each.level == level])} |"
    if len(levels) > 1:
        yield f"| all | {_row(games)} |"


def _row(games: Sequence[Played]) -> str:
    scores = [{(each.level, each.number): each.score for each in games if each.arm == arm} for arm in ARMS]
    both = sorted(scores[0].keys() & scores[1].keys())
    one, two = ([arm[key] for key in both] for arm in scores)
    differences = [a - b for a, b in zip(one, two, strict=True)]
    mean = sum(differences) / len(both)
    error = math.sqrt(sum((each - mean) ** 2 for each in differences) / (len(both) - 1) / len(both))
    shown = f"{100 * mean:+.1f} ± {196 * error:.1f} %"
    chances = (two_proportions(one.count(1), two.count(1), len(both)), _tail(mean / error if error else 0.0))
    tallies = ("-".join(str(arm.count(score)) for score in (1, 0.5, 0)) for arm in (one, two))
    return " | ".join((str(len(both)), *tallies, shown, *(f"{chance:.2g}" for chance in chances)))


def two_proportions(wins: int, other: int, games: int) -> float:
    """Return the probability of so many more wins, or even more, if both arms were as strong: the pooled z-test."""
    pooled = (wins + other) / (2 * games)
    error = math.sqrt(2 * pooled * (1 - pooled) / games)
    return _tail((wins - other) / games / error if error else 0.0)


def _tail(deviations: float) -> float:
    """Return the probability of a normal deviate beyond `deviations`."""
    return math.erfc(deviations / math.sqrt(2)) / 2


# The calibration.


def made_moves(game: Setup, model: OpponentModel, count: int, seed: int) -> Iterator[tuple[Position, int]]:
    """Yield `count` moves of a player who is exactly as `model` says, with the positions before them."""
    chooser = random.Random(seed)
    position = game.start()
    for _ in range(count):
        replies = model.replies(position)
        move = chooser.choices(list(replies), list(replies.values()))[0]
        yield position, move
        after = position.play(move)
        position = game.start() if after.outcome is not None else after


def calibrate(game: Setup, seeds: int, count: int) -> Iterator[str]:
    """Yield how often the true figures of players with random error rates lie within their intervals."""
    inside, total = {"rates": 0, "temperature": 0}, {"rates": 0, "temperature": 0}
    for seed in range(seeds):
        chooser = random.Random(f"calibrate {seed}")
        misses = {kind: chooser.betavariate(0.6, 2.4) for kind in sights(game.game).kinds}
        truth = OpponentModel(temperature=0.08 * math.exp(chooser.gauss(0, 0.7)), misses=misses)
        fitted = fit(game.game, tally_of(made_moves(game, truth, count, seed)))
        met = {kind: fitted.rates[kind] for kind in misses if kind in fitted.tally.missed}
        inside["rates"] += sum(rate.low <= misses[kind] <= rate.high for kind, rate in met.items())
        total["rates"] += len(met)
        inside["temperature"] += fitted.temperature.low <= truth.temperature <= fitted.temperature.high
        total["temperature"] += 1
    for name, count_ in inside.items():
        yield f"{game.game} {name}: {count_} of {total[name]} within the {CREDIBLE:.0%} interval"


@exiting()
def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m ai.lab.trickster_check", description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    playing, reporting = commands.add_parser("play"), commands.add_parser("report")
    calibrating = commands.add_parser("calibrate")
    for each in (playing, reporting):
        each.add_argument("file", type=Path)
    for each in (playing, calibrating):
        each.add_argument("--game", default="connect4")
    playing.add_argument("--depth", type=int, default=4)
    playing.add_argument("--games", type=int, default=400, help="for each level and arm")
    playing.add_argument("--levels", type=int, nargs="+", default=[2, 3, 4, 5])
    add_workers(playing, 1)
    calibrating.add_argument("--seeds", type=int, default=40)
    calibrating.add_argument("--moves", type=int, default=400)
    options = parser.parse_args(arguments)
    if options.command == "play":
        where = options.workers, options.cluster
        play_all(options.file, setup(options.game), options.levels, options.games, options.depth, *where)
    elif options.command == "report":
        print("\n".join(report(read(options.file))))
    else:
        print("\n".join(calibrate(setup(options.game), options.seeds, options.moves)))


if __name__ == "__main__":
    main(sys.argv[1:])
