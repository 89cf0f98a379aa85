"""Check the modelling of opponents: is Trickster better than its search without a model, and the fit honest?

    python -m ai.lab.trickster_check play games.jsonl --game connect4 --base solver --lost 20
    python -m ai.lab.trickster_check report games.jsonl
    python -m ai.lab.trickster_check foresee --game connect4
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
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import cycle, islice, product
from pathlib import Path

from ai.arena.arena import add_workers, exit_on_errors
from ai.arena.executors import run_all
from ai.arena.journal import with_meter
from ai.core.player import Budget, Limit, Player, answer
from ai.lab.fit_levels import moves_of
from ai.lab.label_gomoku import whole_lines
from ai.lab.node_match import random_opening
from ai.players.levels import LevelPlayer
from ai.players.opponent import model as store
from ai.players.opponent.chances import chances, result, tactics
from ai.players.opponent.model import CREDIBLE, Opponent, OpponentModel, fit, tally_of
from ai.players.opponent.trickster import Trickster
from ai.players.opponents import opponents
from ai.players.table import Context, make
from games.formats.text import parse
from games.position import Position
from games.registry import Setup, setup

ARMS = ("model", "best")
_ENDLESS = 1 << 60  # nodes
_LEAST = 0.001  # probability of a move
_LATER = 10  # plies to the end of a game that begins in a lost position


@dataclass(frozen=True, slots=True)
class Terms:
    """What all games of a match have in common: Trickster searches with the player `base`, to `depth` if that is not 0.

    Games begin after the openings of the game, or if `lost` is not 0, after so many moves by chance or one more, at
    Trickster's turn in a position that is lost against perfect play, but not before `_LATER` plies.
    """

    game: str
    base: str
    depth: int = 0
    lost: int = 0
    seed: int = 1

    def opening(self, number: int, base: Player) -> tuple[Position, int]:
        """Return the position in which a game begins, and Trickster's side."""
        if not self.lost:
            texts = cycle(opponents(self.game).openings(setup(self.game)))
            return parse(next(islice(texts, number // 2, None)), setup(self.game)).position, number % 2
        dice = random.Random(f"lost {self.seed} {number}")
        while True:
            position = random_opening(self.game, self.lost + number % 2, dice)
            if (answer(base, position, Limit()).mate or 0) <= -_LATER:
                return position, position.turn


@dataclass(frozen=True, slots=True)
class Played:
    """A game of one arm: the `score` of the search against the level."""

    terms: Terms
    level: int
    number: int
    arm: str
    score: float
    plies: int


def play(terms: Terms, base: Player, level: int, number: int, arm: str, begin: tuple[Position, int]) -> Played:
    """Play a game from `Terms.opening`; arms differ in nothing but the model."""
    position, side = begin
    model = store.of_level(terms.game, level) if arm == ARMS[0] else None
    search, opponent = Trickster(base, lambda: model), LevelPlayer(level, 1000 * (terms.seed - 1) + number)
    limit = Limit(depth=terms.depth) if terms.depth else Limit(nodes=_ENDLESS)
    while (end := position.outcome) is None:
        own = position.turn == side
        position = position.play(answer(search if own else opponent, position, limit if own else Limit()).move)
    return Played(terms, level, number, arm, result(end, side), position.ply)


def play_missing(terms: Terms, number: int, missing: Sequence[tuple[int, str]]) -> list[Played]:
    """Play the games of this `number` against the levels by the arms that are `missing`."""
    base = make(terms.base, Context(terms.game))
    begin = terms.opening(number, base)
    return [play(terms, base, level, number, arm, begin) for level, arm in missing]


def play_all(
    file: Path, terms: Terms, levels: Sequence[int], games: int, workers: int = 1, cluster: str | None = None
) -> None:
    """Play what is missing in `file`; a number has all its games in one task, since they begin alike."""
    whole_lines(file)  # a new game must not be appended to a line that was cut off
    done = {(each.terms, each.level, each.number, each.arm) for each in read(file)}
    arms = list(product(levels, ARMS))
    wanted = ((number, [arm for arm in arms if (terms, arm[0], number, arm[1]) not in done]) for number in range(games))
    calls = [(terms, number, missing) for number, missing in wanted if missing]
    with file.open("a", encoding="utf-8") as out:
        for found in with_meter(run_all(play_missing, calls, workers, cluster), games, games - len(calls)):
            for played in found:
                print(json.dumps(asdict(played)), file=out, flush=True)


def read(file: Path) -> list[Played]:
    """Read the games in `file`; a line that was cut off is left out."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    found = []
    for line in lines:
        with suppress(json.JSONDecodeError):
            found.append(json.loads(line))
    return [Played(**each | {"terms": Terms(**each["terms"])}) for each in found]


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


# How well the replies of levels are foreseen.


def foresee(game: Setup, levels: Sequence[int], games: int) -> Iterator[str]:
    """Yield the lines of a table: for each level the mean log-likelihood of its moves if all moves were as probable, by
    a model fitted to other games, and by `store.of_level`; and of the moves that overlook something, how many there
    are, and how many both models expect."""
    yield "| level | moves | all alike | fitted | itself | overlooked | fitted | itself |"
    yield "|---|---|---|---|---|---|---|---|"
    for level in levels:
        fitted = fit(game.game, tally_of(moves_of(game, level, games, 1))).model
        models: list[Opponent] = [_Uniform(), fitted, store.of_level(game.game, level)]
        moves = list(moves_of(game, level, games, 2))
        likely, missed = ([0.0] * len(models), [0.0] * len(models))
        for position, move in moves:
            first = next(iter(chances(position)), None)
            missed[0] += first is not None and move not in first.moves
            for index, model in enumerate(models):
                replies = model.replies(position)
                likely[index] += math.log(max(_LEAST, replies.get(move, 0.0))) / len(moves)
                if index and first is not None:
                    missed[index] += sum(chance for reply, chance in replies.items() if reply not in first.moves)
        shown = (*(f"{each:.2f}" for each in likely), *(f"{each:.0f}" for each in missed))
        yield " | ".join((f"| {level}", str(len(moves)), *shown)) + " |"


class _Uniform:
    def replies(self, position: Position, budget: Budget | None = None) -> dict[int, float]:
        moves = position.legal_moves()
        return dict.fromkeys(moves, 1 / len(moves))


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
        misses = {kind: chooser.betavariate(0.6, 2.4) for kind in tactics(game.game).kinds}
        truth = OpponentModel(temperature=0.08 * math.exp(chooser.gauss(0, 0.7)), misses=misses)
        fitted = fit(game.game, tally_of(made_moves(game, truth, count, seed)))
        met = {kind: fitted.rates[kind] for kind in misses if kind in fitted.tally.missed}
        inside["rates"] += sum(rate.low <= misses[kind] <= rate.high for kind, rate in met.items())
        total["rates"] += len(met)
        inside["temperature"] += fitted.temperature.low <= truth.temperature <= fitted.temperature.high
        total["temperature"] += 1
    for name, count_ in inside.items():
        yield f"{game.game} {name}: {count_} of {total[name]} within the {CREDIBLE:.0%} interval"


@exit_on_errors()
def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m ai.lab.trickster_check", description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    playing, reporting = commands.add_parser("play"), commands.add_parser("report")
    foreseeing, calibrating = commands.add_parser("foresee"), commands.add_parser("calibrate")
    for each in (playing, reporting):
        each.add_argument("file", type=Path)
    for each in (playing, foreseeing, calibrating):
        each.add_argument("--game", default="connect4")
    playing.add_argument("--base", default="alphabeta", help="the player that Trickster searches with")
    playing.add_argument("--depth", type=int, default=0, help="of its searches (default: unlimited)")
    playing.add_argument("--lost", type=int, default=0, help="begin in lost positions after so many moves or one more")
    playing.add_argument("--seed", type=int, default=1)
    playing.add_argument("--games", type=int, default=400, help="for each level and arm")
    foreseeing.add_argument("--games", type=int, default=20, help="for each level, and as many to fit a model")
    for each in (playing, foreseeing):
        each.add_argument("--levels", type=int, nargs="+", default=[2, 3, 4, 5])
    add_workers(playing, 1)
    calibrating.add_argument("--seeds", type=int, default=40)
    calibrating.add_argument("--moves", type=int, default=400)
    options = parser.parse_args(arguments)
    if options.command == "play":
        terms = Terms(options.game, options.base, options.depth, options.lost, options.seed)
        play_all(options.file, terms, options.levels, options.games, options.workers, options.cluster)
    elif options.command == "report":
        print("\n".join(report(read(options.file))))
    elif options.command == "foresee":
        print("\n".join(foresee(setup(options.game), options.levels, options.games)))
    else:
        print("\n".join(calibrate(setup(options.game), options.seeds, options.moves)))


if __name__ == "__main__":
    main(sys.argv[1:])
