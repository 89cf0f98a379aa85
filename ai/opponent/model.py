"""A model of a player who errs: the probability of each of its moves in a position.

It overlooks a chance of a kind with the probability of that kind, and then plays one of the other moves, which it
compares by their looks alone. Among the moves left it chooses by a softmax of their win probabilities: the higher the
temperature, the less it matters how good they are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from ai.opponent.registry import chances
from ai.opponent.win_chances import pool, win_chances
from ai.player import Budget
from games.fields import checked, mapping_of, number, whole
from games.position import Position

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
class Choice:
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


def choices(position: Position, played: int | None = None) -> Iterator[Choice]:
    """Yield the choices in `position`, which divide the moves that are considered, `played` among them.

    A chance that every move takes, or none, is no chance.
    """
    seen = chances(position)
    left = frozenset(pool(position)).union(*(chance.moves for chance in seen), () if played is None else (played,))
    overlooked: tuple[str, ...] = ()
    for chance in seen:
        good = chance.moves & left
        if good and good != left:
            yield Choice(position, chance.kind, good, overlooked)
            left, overlooked = left - good, (*overlooked, chance.kind)
    yield Choice(position, None, left, overlooked)


def softmax(win_chances: Mapping[int, float], temperature: float) -> dict[int, float]:
    """Return probabilities proportional to exp(chance / temperature)."""
    best = max(win_chances.values())
    weights = {move: math.exp((chance - best) / temperature) for move, chance in win_chances.items()}
    total = sum(weights.values())
    return {move: weight / total for move, weight in weights.items()}
