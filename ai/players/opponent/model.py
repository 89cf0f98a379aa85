"""A model of a player who errs: the probability of each of its moves in a position.

It overlooks a chance of a kind with the probability of that kind, and then plays one of the other moves, which it
compares by their looks alone. Among the moves left it chooses by a softmax of their win probabilities: the higher the
temperature, the less it matters how good they are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Protocol

from ai.core.player import Budget, Limit, Stop, answer
from ai.core.score import Score
from ai.players.levels import ShallowSearch
from ai.players.opponent.chances import pool, win_chances
from ai.players.opponent.tactics import chances
from ai.players.opponents import Level
from games.fields import checked, mapping_of, number, whole
from games.position import Position, own_plans

TEMPERATURES = tuple(0.004 * 1.1**step for step in range(56))
"""Those that a model may have, in win probability: from hardly an error to hardly a preference."""

DEEPEST = 8

RATE, WEIGHT = 0.2, 3.0
"""The prior of the share of chances that a player overlooks: its mean, and the chances that it counts for."""

TEMPERATURE, SPREAD = 0.08, 1.0
"""The prior of the temperature: its median, and the standard deviation of its logarithm."""

_KINDS = 64


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
    misses: Mapping[str, float] = checked(mapping_of(number(0, 1), _KINDS), make=dict)

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
    overlooked: tuple[str, ...] = field(default=())

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
