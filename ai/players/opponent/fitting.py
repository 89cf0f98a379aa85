"""Fit a model to the moves of a player: maximum a posteriori, with credible intervals, from counts that add up.

A `Tally` is all that the fit needs of some moves, so that a game is looked at only once.
"""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from pathlib import Path
from statistics import fmean

from ai.players.opponent.model import (
    RATE,
    SPREAD,
    TEMPERATURE,
    TEMPERATURES,
    WEIGHT,
    LevelModel,
    Opponent,
    OpponentModel,
    choices,
    softmax,
)
from ai.players.opponent.tactics import tactics
from ai.players.opponents import opponents
from games.fields import (
    DecodeError,
    checked,
    decode,
    items,
    list_of,
    mapping_of,
    nested,
    number,
    one_of,
    pair,
    parsed,
    shipped,
    whole,
)
from games.position import Position
from games.registry import GAMES
from games.storage import cache_home, read_regular

CREDIBLE = 0.9
"""The probability of the intervals, half of the rest on either side."""

_STEPS = 2000  # of the numerical distribution of a rate
_LEAST = 1e-12  # probability of a move
_MOST = 10**6


def _numbers(value: object) -> tuple[float, ...]:
    return tuple(number(-1e12, 1e-6)(each) for each in items(0, len(TEMPERATURES))(value))


def _table(value: object) -> tuple[tuple[float, ...], ...]:
    """Check for the log-likelihoods of a tally: none, or a row for each depth."""
    rows = tuple(map(_numbers, items(0, 16)(value)))
    if any(len(row) != len(TEMPERATURES) for row in rows):
        raise DecodeError("must have a number for each temperature")
    return rows


@dataclass(frozen=True, slots=True)
class Tally:
    """Moves of a player: for each kind how many chances it `missed` and met, and the log-likelihood of its choices
    (`fits`) at each depth of the game's `Tactics` and each of `TEMPERATURES`."""

    moves: int = checked(whole(0, _MOST), 0)
    missed: dict[str, tuple[int, int]] = checked(mapping_of(pair(whole(0, _MOST)), 64), make=dict)
    fits: tuple[tuple[float, ...], ...] = checked(_table, ())

    def __add__(self, other: Tally) -> Tally:
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
    rates: dict[str, Figure] = field(repr=False)
    temperature: Figure = field(repr=False)
    depth: int = 1

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
    last = next((place for place, reached in enumerate(sums) if reached >= total - rest), len(values) - 1)
    mean = math.fsum(value * weight for value, weight in zip(values, weights, strict=True)) / total
    return Figure(mean, edges[first], edges[last + 1])


# The models that are there: those of levels, of which `ai.lab.fit_levels` makes some, and that of the person.


LEVELS = Path(__file__).with_name("levels.json")

_log = logging.getLogger(__name__)

_VERSION = 1
_MOST_BYTES = 64 << 20
_MOST_BYTES = 10**5


@dataclass(frozen=True, slots=True, kw_only=True)
class StudiedGame:
    """A game of the person that was looked at: the `stamp` of its file then, and its tally."""

    game: str = checked(one_of(*GAMES))
    stamp: list[int] = checked(list_of(whole(-(2**63), 2**63 - 1), 2))
    tally: Tally = checked(nested(Tally))


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    format: str = checked(one_of("tengen-habits"))
    version: int = checked(whole(_VERSION, _VERSION))
    games: dict[str, StudiedGame] = checked(mapping_of(nested(StudiedGame), _MOST_BYTES))


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
        return decode(_File, parsed(read_regular(file, _MOST_BYTES)), "the file of habits").games
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

    games: dict[str, dict[str, OpponentModel]] = checked(mapping_of(mapping_of(nested(OpponentModel), 100), 1000))


@cache
def of_level(game: str, number: int) -> Opponent:
    """Return what is known of a level: itself, or the model fitted to it if the gomoku engine plays it; the prior where
    there is neither."""
    known = opponents(game).levels[number - 1 : number]
    if known and not known[0].engine:
        return LevelModel(known[0])
    return fitted_levels().get(game, {}).get(number) or fit(game, Tally()).model
