"""A model of a player who errs: the probability of each of its moves in a position.

It overlooks a chance of a kind with the probability of that kind, and then plays one of the other moves, which it
compares by their looks alone. Among the moves left it chooses by a softmax of their win probabilities: the higher the
temperature, the less it matters how good they are.

`fit` finds the model that explains the moves of a player: maximum a posteriori, with credible intervals, from counts
that add up. A `Tally` is all that it needs of some moves, so that a game is looked at only once.
"""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from math import prod
from pathlib import Path
from statistics import fmean
from typing import Protocol

from ai.core.player import Budget, Limit, Stop, answer
from ai.core.score import Score
from ai.players.levels import ShallowSearch
from ai.players.opponent.chances import chances, pool, tactics, win_chances
from ai.players.opponents import Level, opponents
from games.fields import (
    DecodeError,
    checked,
    decode,
    items,
    mapping_of,
    nested,
    number,
    one_of,
    pair,
    parsed,
    shipped,
    whole,
)
from games.position import Position, own_plans
from games.registry import GAMES
from games.storage import cache_home, read_regular

TEMPERATURES = tuple(0.004 * 1.1**step for step in range(56))
"""Those that a model may have, in win probability: from hardly an error to hardly a preference."""

DEEPEST = 8

RATE, WEIGHT = 0.2, 3.0
"""The prior of the share of chances that a player overlooks: its mean, and the chances that it counts for."""

TEMPERATURE, SPREAD = 0.08, 1.0
"""The prior of the temperature: its median, and the standard deviation of its logarithm."""

_MOST = 10**6


class Opponent(Protocol):
    """Somebody whose replies are foreseen."""

    def replies(self, position: Position, budget: Budget | None = None) -> dict[int, float]:
        """Return the probabilities of the moves, which add up to 1, most probable first. What is returned after the
        `budget` is spent does not matter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentModel:
    """`misses` are the probabilities with which each kind of chance is overlooked; `RATE` for a kind that is not there.
    `depth` is how many plies the player looks ahead."""

    temperature: float = checked(number(TEMPERATURES[0], 2 * TEMPERATURES[-1]), TEMPERATURE)
    depth: int = checked(whole(1, DEEPEST), 1)
    misses: Mapping[str, float] = checked(mapping_of(number(0, 1), _MOST), make=dict)

    def replies(self, position: Position, budget: Budget | None = None) -> dict[int, float]:
        """Return the probabilities of the moves that it considers, which add up to 1, most probable first."""
        probabilities: dict[int, float] = {}
        for choice in choices(position):
            rate = 0.0 if choice.kind is None else self.misses.get(choice.kind, RATE)
            share = choice.share(self.misses) * (1 - rate)
            for move, probability in softmax(choice.win_chances(self.depth), self.temperature).items():
                probabilities[move] = probability * share
        return dict(sorted(probabilities.items(), key=lambda each: -each[1]))


@dataclass(frozen=True, slots=True)
class ChoiceStage:
    """The moves of a player who sees the chance of `kind` (None: no further one), after it has overlooked those of the
    kinds `overlooked`."""

    position: Position
    kind: str | None
    moves: frozenset[int]
    overlooked: tuple[str, ...] = ()

    def share(self, misses: Mapping[str, float]) -> float:
        """Return the probability of overlooking the earlier chances."""
        return math.prod(misses.get(kind, RATE) for kind in self.overlooked)

    def win_chances(self, depth: int) -> Mapping[int, float]:
        """Return the win probability after each move, for a player who looks `depth` plies ahead: at most one when it
        has overlooked something, which it would see otherwise."""
        return win_chances(self.position, self.moves, 1 if self.overlooked else depth)


def choices(position: Position, played: int | None = None) -> Iterator[ChoiceStage]:
    """Yield the choices in `position`, which divide the moves that are considered, `played` among them.

    A chance that every move takes, or none, is no chance.
    """
    seen = chances(position)
    left = frozenset(pool(position)).union(*(chance.moves for chance in seen), () if played is None else (played,))
    overlooked: tuple[str, ...] = ()
    for chance in seen:
        good = chance.moves & left
        if good and good != left:
            yield ChoiceStage(position, chance.kind, good, overlooked)
            left, overlooked = left - good, (*overlooked, chance.kind)
    yield ChoiceStage(position, None, left, overlooked)


def softmax(win_chances: Mapping[int, float], temperature: float) -> dict[int, float]:
    """Return probabilities proportional to exp(chance / temperature)."""
    best = max(win_chances.values())
    weights = {move: math.exp((chance - best) / temperature) for move, chance in win_chances.items()}
    total = sum(weights.values())
    return {move: weight / total for move, weight in weights.items()}


# The probabilities of a level's moves: its search and the ways in which it errs are known, only its seed is not.


_MOST_KNOWN = 20_000  # positions


class LevelModel:
    """A `level` that `ShallowSearch` plays: not one of the gomoku engine, nor one with a `lapse_rate`."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self._exact = replace(level, noise=0, error_rate=0.0)
        self._known: dict[Position, dict[int, float]] = {}

    def replies(self, position: Position, budget: Budget | None = None) -> dict[int, float]:
        """Return the probabilities of its moves, which add up to 1, most probable first; those of some moves only if
        the `budget` is spent."""
        rate, errors = self.level.error_rate, own_plans(position)[:1] or position.legal_moves()
        probabilities = dict.fromkeys(errors, rate / len(errors)) if rate else {}
        for move, chance in self._move_chances(position, budget or Budget(Limit(), Stop())).items():
            probabilities[move] = probabilities.get(move, 0.0) + (1 - rate) * chance
        return dict(sorted(probabilities.items(), key=lambda each: -each[1]))

    def _move_chances(self, position: Position, budget: Budget) -> dict[int, float]:
        """Return how probable each move is that the level may choose when it compares moves."""
        if (known := self._known.get(position)) is not None:
            return known
        seconds = None if budget.limit.seconds is None else max(0.0, budget.limit.seconds - budget.seconds)
        limit = Limit(seconds, lines=len(position.legal_moves()))
        lines = answer(ShallowSearch(self._exact, 0), position, limit, budget.stop).lines
        order = position.candidates()
        scores = {line.moves[0]: line.score for line in sorted(lines, key=lambda line: order.index(line.moves[0]))}
        greatest = chances_of_greatest(list(scores.values()), self.level.noise)
        chosen = {move: chance for move, chance in zip(scores, greatest, strict=True) if chance}
        if not budget.spent(0):
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[position] = chosen
        return chosen


def chances_of_greatest(scores: Sequence[int], noise: int) -> list[float]:
    """Return the probability of each of `scores` to be the greatest, and the first of those, once each that is not
    proven has got uniform noise of up to ± `noise`, rounded."""
    noises = [0 if Score(score).mate is not None else noise for score in scores]
    best = max(range(len(scores)), key=lambda index: scores[index])
    least, most = scores[best] - noises[best], max(map(sum, zip(scores, noises, strict=True)))
    chances = [0.0] * len(scores)
    for value in range(least, most + 1):
        at_most = [_at_most(value - score, most_noise) for score, most_noise in zip(scores, noises, strict=True)]
        below = [_at_most(value - 1 - score, most_noise) for score, most_noise in zip(scores, noises, strict=True)]
        later = 1.0  # the probability that none of the later ones is greater
        for index in reversed(range(len(scores))):
            chances[index] += (at_most[index] - below[index]) * later * prod(below[:index])
            later *= at_most[index]
    return chances


def _at_most(value: int, noise: int) -> float:
    """Return the probability of a noise of at most `value`: those of ± `noise` are half as probable as the others."""
    if value >= noise:
        return 1.0
    return 0.0 if value < -noise else (value + noise + 0.5) / (2 * noise)


CREDIBLE = 0.9
"""The probability of the intervals, half of the rest on either side."""

_STEPS = 2000  # of the numerical distribution of a rate
_LEAST = 1e-12  # probability of a move


def _numbers(value: object) -> tuple[float, ...]:
    """Check for log-likelihoods: one for each of `TEMPERATURES`."""
    return tuple(number(-1e12, 1e-6)(each) for each in items(len(TEMPERATURES), len(TEMPERATURES))(value))


def _table(value: object) -> tuple[tuple[float, ...], ...]:
    """Check for the log-likelihoods of a tally: a row for each depth, with a number for each of `TEMPERATURES`."""
    return tuple(map(_numbers, items(0, DEEPEST)(value)))


@dataclass(frozen=True, slots=True)
class Tally:
    """Moves of a player: for each kind how many chances it `missed` and met, and the log-likelihood of its choices
    (`fits`) at each depth of the game's `Tactics` and each of `TEMPERATURES`."""

    moves: int = checked(whole(0, _MOST), 0)
    missed: dict[str, tuple[int, int]] = checked(mapping_of(pair(whole(0, _MOST)), _MOST), make=dict)
    fits: tuple[tuple[float, ...], ...] = checked(_table, ())

    def __add__(self, other: Tally) -> Tally:
        """Return the tally of both together. If one has no `fits`, those of the other are kept."""
        kinds = dict.fromkeys((*self.missed, *other.missed))
        both = ((self.missed.get(kind, (0, 0)), other.missed.get(kind, (0, 0))) for kind in kinds)
        missed = {kind: (one[0] + two[0], one[1] + two[1]) for kind, (one, two) in zip(kinds, both, strict=True)}
        if not (self.fits and other.fits):
            return Tally(self.moves + other.moves, missed, self.fits or other.fits)
        rows = zip(self.fits, other.fits, strict=True)
        return Tally(self.moves + other.moves, missed, tuple(tuple(map(sum, zip(*row, strict=True))) for row in rows))


def tally_of(moves: Iterable[tuple[Position, int]]) -> Tally:
    """Count what a player has seen and overlooked with each of its `moves`, given with the position before it."""
    return sum((_tally_move(position, move) for position, move in moves), Tally())


def _tally_move(position: Position, played: int) -> Tally:
    """The tally of one move: which tactics it missed, and how well each depth explains it."""
    missed = {}
    for choice in choices(position, played):
        taken = played in choice.moves
        if choice.kind is not None:
            missed[choice.kind] = (int(not taken), 1)
        if taken:
            depths = tactics(position.game).depths
            return Tally(1, missed, tuple(_fit(choice.win_chances(depth), played) for depth in depths))
    raise AssertionError("the choices divide all moves")


def _fit(win_chances: Mapping[int, float], played: int) -> tuple[float, ...]:
    """Log-likelihood of the played move at each temperature."""
    chances = (softmax(win_chances, temperature)[played] for temperature in TEMPERATURES)
    return tuple(round(math.log(max(_LEAST, chance)), 4) for chance in chances)


@dataclass(frozen=True, slots=True)
class Figure:
    """A fitted figure, and the ends of its credible interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Fitted:
    """What is known of a player: the `rates` at which it overlooks each kind of chance, and its `temperature`."""

    tally: Tally
    rates: dict[str, Figure]
    temperature: Figure
    depth: int

    @property
    def model(self) -> OpponentModel:
        """The opponent model with the mean of each estimate."""
        misses = {kind: rate.mean for kind, rate in self.rates.items()}
        return OpponentModel(temperature=self.temperature.mean, depth=self.depth, misses=misses)


def fit(game: str, tally: Tally) -> Fitted:
    """Fit the model of a player of `game`; without moves it is the prior."""
    known = tactics(game)
    rates = {kind: rate_of(*tally.missed.get(kind, (0, 0))) for kind in known.kinds}
    weights = {depth: _posterior(row) for depth, row in zip(known.depths, tally.fits, strict=False)}
    depth = max(weights, key=lambda each: _evidence(weights[each]), default=known.depths[0])
    temperature = _figure(TEMPERATURES, _exponentials(weights.get(depth, _posterior(()))))
    return Fitted(tally, rates, temperature, depth)


def rate_of(missed: int, met: int) -> Figure:
    """Return the share of chances that is overlooked: a Beta prior, and `missed` of those that were `met`."""
    first, second = RATE * WEIGHT + missed, (1 - RATE) * WEIGHT + met - missed
    rates = [(step + 0.5) / _STEPS for step in range(_STEPS)]
    logs = [(first - 1) * math.log(rate) + (second - 1) * math.log1p(-rate) for rate in rates]
    figure = _figure(rates, _exponentials(logs))
    return Figure(first / (first + second), figure.low, figure.high)


def _posterior(fits: Sequence[float]) -> list[float]:
    """Return the logarithm of the posterior of each temperature, up to a constant."""
    prior = [-(math.log(each / TEMPERATURE) ** 2) / (2 * SPREAD**2) for each in TEMPERATURES]
    return [fit + log for fit, log in zip(fits, prior, strict=True)] if fits else prior


def _evidence(logs: Sequence[float]) -> float:
    """Return the logarithm of the sum of what the `logs` are logarithms of."""
    return max(logs) + math.log(math.fsum(_exponentials(logs)))


def _exponentials(logs: Sequence[float]) -> list[float]:
    """Return what the `logs` are logarithms of, scaled so that the greatest is 1."""
    most = max(logs)
    return [math.exp(each - most) for each in logs]


def _figure(values: Sequence[float], weights: Sequence[float]) -> Figure:
    """Return the mean of `values`, ascending, with these weights, and their interval, to half-way between two."""
    total = math.fsum(weights)
    sums, rest = list(accumulate(weights)), (1 - CREDIBLE) / 2 * total
    edges = [values[0], *map(fmean, pairwise(values)), values[-1]]
    first = next(place for place, reached in enumerate(sums) if reached >= rest)
    last = next(place for place, reached in enumerate(sums) if reached >= total - rest)
    mean = math.fsum(value * weight for value, weight in zip(values, weights, strict=True)) / total
    return Figure(mean, edges[first], edges[last + 1])


# The models that are there: those of levels, of which `ai.lab.fit_levels` makes some, and that of the person.


LEVELS = Path(__file__).with_name("levels.json")

_log = logging.getLogger(__name__)

_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class StudiedGame:
    """A game of the person that was looked at: the `stamp` of its file then, and its tally."""

    game: str = checked(one_of(*GAMES))
    stamp: Sequence[object] = checked(items(2, 2))
    tally: Tally = checked(nested(Tally))


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    format: str = checked(one_of("tengen-habits"))
    version: int = checked(whole(_VERSION, _VERSION))
    games: dict[str, StudiedGame] = checked(mapping_of(nested(StudiedGame), _MOST))


def path() -> Path:
    """Return the file of the tallies of the person's games; it can be deleted, and is made again."""
    return cache_home() / "habits.json"


def read_games() -> dict[str, StudiedGame]:
    """Return what is known of the person's games, by file; nothing if their file is missing, damaged or of another
    version."""
    try:
        facts = path().stat()
    except OSError:
        return {}
    return dict(_contents(path(), facts.st_mtime_ns, facts.st_size))


@lru_cache(maxsize=1)
def _contents(file: Path, _changed: int, _bytes: int) -> dict[str, StudiedGame]:
    """The cached contents of the file, keyed by its time and size."""
    try:
        return decode(_File, parsed(read_regular(file)), "the file of habits").games
    except (OSError, DecodeError) as error:
        _log.warning("What was learned of the person is learned again: %s", error)
        return {}


def encoded(games: dict[str, StudiedGame]) -> bytes:
    """Encode `games` for `read`."""
    entries = {name: asdict(each) for name, each in games.items()}
    return json.dumps({"format": "tengen-habits", "version": _VERSION, "games": entries}).encode()


def of_person(game: str) -> OpponentModel:
    """Return the model of the person: the prior until games were learned from."""
    return fit(game, sum((each.tally for each in read_games().values() if each.game == game), Tally())).model


@cache
def fitted_levels() -> dict[str, dict[int, OpponentModel]]:
    """Return the models that were fitted to levels, by game and number."""
    models = shipped(LEVELS, nested(_Levels), _Levels({})).games
    return {
        game: {int(number): each for number, each in known.items() if number.isdecimal()}
        for game, known in models.items()
    }


@dataclass(frozen=True, slots=True)
class _Levels:
    """The models by game, and by the number of the level as text."""

    games: dict[str, dict[str, OpponentModel]] = checked(mapping_of(mapping_of(nested(OpponentModel), _MOST), _MOST))


@cache
def of_level(game: str, number: int) -> Opponent:
    """Return what is known of a level: itself, or the model fitted to it if the gomoku engine plays it; the prior where
    there is neither."""
    known = opponents(game).levels[number - 1 : number]
    if known and not known[0].engine:
        return LevelModel(known[0])
    return fitted_levels().get(game, {}).get(number) or fit(game, Tally()).model
