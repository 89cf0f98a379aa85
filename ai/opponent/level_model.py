"""The probabilities of a level's moves: its search and the ways in which it errs are known, only its seed is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from ai.levels.shallow_search import ShallowSearch
from ai.player import Budget, Limit, Stop, answer
from ai.registry import Level
from ai.score import Score
from games.position import Position, own_plans

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
        for move, chance in self._chosen(position, budget or Budget(Limit(), Stop())).items():
            probabilities[move] = probabilities.get(move, 0.0) + (1 - rate) * chance
        return dict(sorted(probabilities.items(), key=lambda each: -each[1]))

    def _chosen(self, position: Position, budget: Budget) -> dict[int, float]:
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
