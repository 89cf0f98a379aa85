"""Named strengths: the levels of each game in `ai.registry`, and fractional levels between them.

A level is weaker by a smaller search: fewer plies, fewer moves, no VCF, a noisy evaluation. It is limited by nodes and
not by time, so that it is equally strong everywhere. `python -m ai.lab.ladder` measures the Elo, in ladder.json
beside this file and in ai/lab/LEVELS.md.
"""

from __future__ import annotations

import json
import random
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from math import ceil
from pathlib import Path
from typing import Any

from ai.arena.elo import Estimate
from ai.engine_handle import EngineHandle
from ai.levels.sight import Glance, Sight
from ai.levels.weak_player import Casual, chance
from ai.player import Info, Limit, Player, Stop
from ai.registry import OPPONENTS, opponents
from games.position import Position

LADDER = Path(__file__).with_name("ladder.json")

EVEN = "level:even"
"""The level that matches the person's rating; once a game has begun, with its number: ``level:even=3.4``."""

_NAME = re.compile(r"level:(?:even=)?(\d{1,2}(?:\.\d)?)", re.ASCII)
_MEMORY_MB = 2  # the table of a level is cleared before each move, and its searches are small


# Names.


def is_level(name: str) -> bool:
    """Return whether `name` is a level: ``level:3``, ``level:even``, ``level:even=3.4``."""
    try:
        number_of(name)
    except ValueError:
        return name == EVEN
    return True


def number_of(name: str) -> float:
    """Return the number of the level `name`. Raise `ValueError` with a sentence for any other name, and for
    ``level:even``, which has no number until a game begins."""
    match = _NAME.fullmatch(name)
    number = float(match[1]) if match else 0.0
    most = max(len(entry.levels) for entry in OPPONENTS.values())
    if not 1 <= number <= most:
        raise ValueError(f"There is no player “{name}”; levels are level:1 to level:{most} and {EVEN}.")
    return number


def check_level(name: str, game: str) -> None:
    """Raise `ValueError` with a sentence if `game` has no such level."""
    most = len(opponents(game).levels)
    if most == 0:
        raise ValueError(f"There are no levels at {game}.")
    if name != EVEN and number_of(name) > most:
        raise ValueError(f"There is no “{name}” at {game}; its levels are level:1 to level:{most}.")


# Ratings.


@cache
def ladder() -> dict[str, Any]:
    """Return the measurements of `ai.lab.ladder`."""
    data: dict[str, Any] = json.loads(LADDER.read_text(encoding="utf-8"))
    return data


def rungs(game: str) -> list[Estimate]:
    """Return the levels of `game`, weakest first; none if they have not been measured."""
    return [Estimate(each["elo"], each["error"]) for each in ladder()["games"].get(game, {}).get("levels", ())]


def rung(game: str, number: float) -> Estimate:
    """Interpolate the Elo of a level; small games have nothing above their highest level."""
    measured = rungs(game)
    low = max(0, min(int(number) - 1, len(measured) - 1))
    high = min(low + 1, len(measured) - 1)
    share = max(0.0, min(1.0, number - 1 - low))
    first, second = measured[low], measured[high]
    return Estimate(first.elo + share * (second.elo - first.elo), max(first.error, second.error))


def level_for(game: str, rating: float) -> float:
    """Return the level, to a tenth, against which a player of that rating is expected to score half."""
    elos = [each.elo for each in rungs(game)]
    rising = [max(elos[: index + 1]) for index in range(len(elos))]
    low = max(0, min(bisect_right(rising, rating) - 1, len(elos) - 2))
    step = rising[low + 1] - rising[low]
    share = (rating - rising[low]) / step if step > 0 else 0.0
    return round(1 + low + max(0.0, min(1.0, share)), 1)


# Players.


class LevelPlayer:
    """Play at a level, or between two: at 3.4, four moves of ten are level 4 and the others level 3.
    `number` is the level, or one for each game.

    Always the same answer for a position and a `seed`. With a handle on the `engine` it does not wait: until that is
    ready, the level plays by `Opponents.stand_in`.
    """

    def __init__(
        self, number: float | Mapping[str, float], seed: int | None = None, engine: EngineHandle | None = None
    ) -> None:
        self._number = number
        self.seed = random.randrange(1 << 30) if seed is None else seed
        self._engine = engine
        self._seen: dict[Glance | Sight, Player] = {}
        self._at_work: Player | None = None

    @property
    def nodes(self) -> int:
        return self._at_work.nodes if self._at_work else 0

    def number(self, game: str) -> float:
        """Return the level at which it plays `game`."""
        return self._number[game] if isinstance(self._number, Mapping) else self._number

    def has_engine(self, game: str) -> bool:
        """Whether it may need the gomoku engine."""
        return any(isinstance(each, Sight) for each in opponents(game).levels[: ceil(self.number(game))])

    def sight(self, position: Position) -> Glance | Sight:
        """Return the search limits for `position`."""
        entry, number = opponents(position.game), self.number(position.game)
        sights = entry.levels or (entry.stand_in,)
        level = int(number) + (chance(self.seed, "between", position) < number % 1)
        seen = sights[min(level, len(sights)) - 1]
        if isinstance(seen, Sight) and chance(self.seed, "weak", position) < seen.weak:
            return sights[level - 3]
        return seen

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        seen = self.sight(position)
        stand_in = isinstance(seen, Sight) and self._engine is not None and not self._engine.ready
        if stand_in:
            seen = opponents(position.game).stand_in
        if seen not in self._seen:
            self._seen[seen] = Casual(seen, self.seed) if isinstance(seen, Glance) else EngineLevel(seen, self.seed)
        self._at_work = self._seen[seen]
        for info in self._at_work.think(position, limit, stop):
            yield replace(info, stand_in=True) if stand_in else info


class EngineLevel:
    """The gomoku engine with the search limits of a level."""

    def __init__(self, sight: Sight, seed: int) -> None:
        from ai.gomoku.engine import GomokuEngine

        self._sight = sight
        self._engine = GomokuEngine(1, _MEMORY_MB, parameters=_parameters(sight, seed), root_vcf=sight.fours)

    @property
    def nodes(self) -> int:
        return self._engine.nodes

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        """Clear the engine first, so that equal positions have equal answers."""
        self._engine.forget()
        nodes = self._sight.nodes if limit.nodes is None else min(limit.nodes, self._sight.nodes)
        depth = self._sight.depth if limit.depth is None else min(limit.depth, self._sight.depth)
        yield from self._engine.think(position, replace(limit, nodes=nodes, depth=depth), stop)


def _parameters(sight: Sight, seed: int) -> dict[str, int]:
    chosen = {"BREADTH": sight.breadth, "NOISE": sight.blur, "NOISE_SEED": seed & 0xFFFFFF}
    return chosen if sight.fours else chosen | {"LEAF_FOURS": 99, "RAZOR_VCF": 0}
