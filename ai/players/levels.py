"""Named strengths: the levels of each game in `ai.players.opponents`, and fractional levels between them.

A level is weaker by a smaller search: fewer plies, fewer moves, no VCF, a noisy evaluation. It is limited by nodes and
not by time, so that it is equally strong everywhere. `python -m ai.lab.ladder` measures the Elo, in ladder.json
beside this file and in ai/lab/LEVELS.md.
"""

from __future__ import annotations

import random
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from hashlib import blake2b
from math import ceil, hypot
from pathlib import Path

from ai.core.elo import Estimate
from ai.core.player import Budget, Info, Limit, Line, Player, Stop, answer
from ai.core.score import Score, delayed
from ai.gomoku.handle import EngineHandle
from ai.gomoku.kernels.parameters import PLAIN, PLAIN_WEIGHTS
from ai.players.opponents import OPPONENTS, Level, opponents
from ai.search.alphabeta import AlphaBeta
from games.fields import checked, list_of, mapping_of, nested, number, shipped, text, whole
from games.position import Position, own_plans

LADDER = Path(__file__).with_name("ladder.json")

EVEN = "level:even"
"""The level that matches the person's rating; once a game has begun, with its number: ``level:even=3.4``."""

_NUMBER = re.compile(r"(?:even=)?(\d{1,2}(?:\.\d)?)", re.ASCII)
_MEMORY_MB = 2  # the table of a level is cleared before each move, and its searches are small


# Names.


def read_level(text: str) -> float | None:
    """Return the number in ``3`` or ``even=3.4``, the part of a name after ``level:``; None for ``even``.

    ``even`` gets its number when a game begins. Raise `ValueError` with a sentence for any other text.
    """
    match = _NUMBER.fullmatch(text)
    number = float(match[1]) if match else 0.0
    most = max(len(entry.levels) for entry in OPPONENTS.values())
    if text != "even" and not 1 <= number <= most:
        raise ValueError(f"There is no player “level:{text}”; levels are level:1 to level:{most} and {EVEN}.")
    return number or None


def number_of(name: str) -> float:
    """Return the number of the level called `name`. Raise `ValueError` for other players, and for ``level:even``."""
    kind, _, text = name.partition(":")
    number = read_level(text) if kind == "level" else None
    if number is None:
        raise ValueError(f"“{name}” has no number.")
    return number


def is_level(name: str) -> bool:
    """Return whether `name` is that of a level: ``level:3``, ``level:even`` or ``level:even=3.4``."""
    with suppress(ValueError):
        return name == EVEN or bool(number_of(name))
    return False


def refuse_level(number: float | None, game: str) -> str:
    """Return a sentence that tells why `game` lacks the level `number` (None for ``level:even``); empty if it has
    it."""
    most = len(opponents(game).levels)
    if most == 0:
        return f"There are no levels at {game}."
    if number and number > most:
        return f"There is no “level:{number:g}” at {game}; its levels are level:1 to level:{most}."
    return ""


# Elo.


_elo = number(-1e4, 1e4)
_MOST = 1_000_000
_count = whole(0, _MOST)


@dataclass(frozen=True, slots=True)
class _StoredElo:
    """The measured Elo of a level, with its error."""

    elo: float = checked(_elo)
    error: float = checked(_elo)


@dataclass(frozen=True, slots=True)
class _StoredMatch(_StoredElo):
    """The result of a player's match with a `level`: the difference in Elo, with its error."""

    level: int = checked(_count)


@dataclass(frozen=True, slots=True)
class ProgramMatch:
    """The result of a player's match with another `program`, both with as many `seconds` a move."""

    program: str = checked(text(_MOST))
    seconds: float = checked(number(0.001, 3600))
    wins: int = checked(_count)
    draws: int = checked(_count)
    losses: int = checked(_count)

    @property
    def score(self) -> float:
        """The share of the points that the player won, from 0 to 1."""
        return (self.wins + self.draws / 2) / max(1, self.wins + self.draws + self.losses)


@dataclass(frozen=True, slots=True)
class LadderEntry:
    """What was measured for a game: the Elo of its levels, weakest first, matches of `players` with a level, and of
    players with other `programs`."""

    levels: list[_StoredElo] = checked(list_of(nested(_StoredElo), _MOST), make=list)
    players: dict[str, _StoredMatch] = checked(mapping_of(nested(_StoredMatch), _MOST), make=dict)
    programs: dict[str, ProgramMatch] = checked(mapping_of(nested(ProgramMatch), _MOST), make=dict)


@dataclass(frozen=True, slots=True)
class _Ladder:
    """The contents of ladder.json, by game."""

    games: dict[str, LadderEntry] = checked(mapping_of(nested(LadderEntry), _MOST))


@cache
def read_ladder() -> dict[str, LadderEntry]:
    """Return what `ai.lab.ladder` has measured, by game; games that were not measured are missing."""
    return shipped(LADDER, nested(_Ladder), _Ladder({})).games


def level_elos(game: str) -> list[Estimate]:
    """Return the Elo of each level of `game`, weakest first; empty if they have not been measured."""
    return [Estimate(each.elo, each.error) for each in read_ladder().get(game, LadderEntry()).levels]


def level_elo(game: str, number: float) -> Estimate:
    """Return the Elo of a level of a measured game, interpolated between levels; outside it is that of the nearest."""
    measured = level_elos(game)
    low = max(0, min(int(number) - 1, len(measured) - 1))
    high = min(low + 1, len(measured) - 1)
    share = max(0.0, min(1.0, number - 1 - low))
    first, second = measured[low], measured[high]
    return Estimate(first.elo + share * (second.elo - first.elo), max(first.error, second.error))


def elo_by_matches(game: str, player: str) -> Estimate | None:
    """Return the Elo of a player that is not a level, at a second for each move; None if it has not been measured."""
    match = read_ladder().get(game, LadderEntry()).players.get(player)
    if match is None or not level_elos(game):
        return None
    level = level_elo(game, match.level)
    return Estimate(level.elo + match.elo, hypot(level.error, match.error))


def match_with_program(game: str, player: str) -> ProgramMatch | None:
    """Return the match of a player, which may be a level, with another program; None if there was none."""
    return read_ladder().get(game, LadderEntry()).programs.get(player)


def level_for(game: str, rating: float) -> float:
    """Return the level, to a tenth, whose Elo is nearest to `rating`; the friendly level if none was measured."""
    elos = [each.elo for each in level_elos(game)]
    if not elos:
        return opponents(game).friendly
    rising = [max(elos[: index + 1]) for index in range(len(elos))]
    low = max(0, min(bisect_right(rising, rating) - 1, len(elos) - 2))
    step = rising[low + 1] - rising[low]
    share = (rating - rising[low]) / step if step > 0 else 0.0
    return round(1 + low + max(0.0, min(1.0, share)), 1)


# Players.


def level_uses_engine(number: float | None, game: str) -> bool:
    """Return whether a player at this level may need the gomoku engine; None stands for ``level:even``, any level."""
    levels = opponents(game).levels
    return any(each.engine for each in levels[: ceil(number or len(levels))])


class LevelPlayer(Player):
    """A player at a level, or between two: at 3.4, four moves of ten are of level 4 and the others of level 3.

    Equal positions and seeds give equal moves. With an `engine` handle it never waits for the compilation: until the
    engine is ready, `Opponents.stand_in` plays in place of a level that needs it.
    """

    def __init__(self, number: float | None, seed: int | None = None, engine: EngineHandle | None = None) -> None:
        """Raise `ValueError` for the level without a number."""
        if number is None:
            raise ValueError(f"“{EVEN}” has no number until a game begins.")
        self.number = number
        self.seed = random.getrandbits(30) if seed is None else seed
        self._engine = engine
        self._searches: dict[Level, Player] = {}
        self._current: Player | None = None

    @property
    def nodes(self) -> int:
        """Nodes of the current search, or of the last one."""
        return self._current.nodes if self._current else 0

    def level(self, position: Position) -> Level:
        """Return the search limits for a move in `position`, which depend on position and seed only."""
        entry = opponents(position.game)
        levels = entry.levels or (entry.stand_in,)
        number = int(self.number) + (chance(self.seed, "between", position) < self.number % 1)
        level = levels[min(number, len(levels)) - 1]
        if level.lapse_rate and chance(self.seed, "weak", position) < level.lapse_rate:
            return levels[number - 3]
        return level

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        """Search with the limits of the level. Infos of the stand-in say that they are."""
        level = self.level(position)
        stand_in = level.engine and self._engine is not None and not self._engine.ready_at_once()
        if stand_in:
            level = opponents(position.game).stand_in
        if level not in self._searches:
            self._searches[level] = EngineLevel(level, self.seed) if level.engine else ShallowSearch(level, self.seed)
        self._current = self._searches[level]
        for info in self._current.think(position, limit, stop):
            yield replace(info, stand_in=True) if stand_in else info

    def close(self) -> None:
        """Close the searches of all levels that were used; a later search makes them anew."""
        for search in self._searches.values():
            search.close()
        self._searches.clear()


class EngineLevel(Player):
    """The gomoku engine with the search limits of a level, on one thread."""

    def __init__(self, level: Level, seed: int) -> None:
        from ai.gomoku.engine import GomokuEngine

        self._level = level
        parameters = _parameters(level, seed)
        self._engine = GomokuEngine(1, _MEMORY_MB, PLAIN_WEIGHTS, parameters, root_vcf=level.vcf)

    @property
    def nodes(self) -> int:
        """Nodes of the current search, or of the last one."""
        return self._engine.nodes

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        """Search with an empty table, so that equal positions give equal moves."""
        self._engine.forget()
        nodes = self._level.nodes if limit.nodes is None else min(limit.nodes, self._level.nodes)
        depth = self._level.depth if limit.depth is None else min(limit.depth, self._level.depth)
        yield from self._engine.think(position, replace(limit, nodes=nodes, depth=depth), stop)

    def close(self) -> None:
        """Close the engine."""
        self._engine.close()


def _parameters(level: Level, seed: int) -> dict[str, int]:
    """Return the kernel parameters for a level."""
    chosen = PLAIN | {"BREADTH": level.breadth, "NOISE": level.noise, "NOISE_SEED": seed & 0xFFFFFF}
    return chosen if level.vcf else chosen | {"LEAF_FOURS": 99, "RAZOR_VCF": 0}


# A shallow search with noise and errors, for any game, in plain Python.
#
# The lower levels use it, and it stands in for the gomoku engine while that is compiled.


def chance(seed: int, about: str, position: Position, move: int = -1) -> float:
    """Return a pseudo-random number, at least 0 and below 1, that depends on the arguments only."""
    digest = blake2b(f"{seed} {about} {position.key!r} {move}".encode(), digest_size=6).digest()
    return int.from_bytes(digest, "big") / (1 << 48)


class ShallowSearch(Player):
    """A search with the limits of a `level`, in plain Python. Equal positions and seeds give equal moves, if time
    allows.

    The strings passed to `chance` are part of the levels as measured: do not change them.
    """

    nodes: int = 0

    def __init__(self, level: Level, seed: int) -> None:
        self._level = level
        self._seed = seed

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        """Yield an Info for the first move, for each better one, and at the end."""
        budget = Budget(limit, stop)
        self.nodes = 0
        lines: list[Line] = []
        depth = self._level.depth if limit.depth is None else min(limit.depth, self._level.depth)
        moves = self._moves(position)
        for move in moves:
            lines.append(self._line(position, move, depth, len(moves), limit, stop))
            lines.sort(key=lambda line: -line.score)
            if lines[0].moves[0] == move:
                yield self._info(lines, depth, limit, budget)
            if budget.spent(self.nodes):
                break
        yield self._info(lines, depth, limit, budget)

    def _info(self, lines: list[Line], depth: int, limit: Limit, budget: Budget) -> Info:
        """Return the best of `lines`, which are sorted by score, as an Info."""
        best = tuple(lines[: limit.lines])
        return Info(best[0].moves[0], best[0].score, depth, self.nodes, budget.seconds, best)

    def _moves(self, position: Position) -> Sequence[int]:
        """Return the moves to compare; a single careless one with the probability `error_rate`."""
        if chance(self._seed, "care", position) < self._level.error_rate:
            return own_plans(position)[:1] or [self._random_move(position)]
        moves = position.candidates()
        return moves[: self._level.breadth] if self._level.breadth else moves

    def _random_move(self, position: Position) -> int:
        """Return a pseudo-random legal move."""
        moves = position.legal_moves()
        return moves[int(chance(self._seed, "any", position) * len(moves))]

    def _line(self, position: Position, move: int, depth: int, count: int, limit: Limit, stop: Stop) -> Line:
        """Return the best line that begins with `move`, with noise added to its score.

        `count` moves share the nodes of the level.
        """
        after = position.play(move)
        self.nodes += 1
        sign = 1 if after.turn == position.turn else -1  # of scores after the move
        line: tuple[int, ...] = (move,)
        if (outcome := after.outcome) is not None:
            score = int(Score.of_outcome(outcome, position.turn, 1))
        elif depth <= 1:
            score = sign * after.evaluate()
        else:
            share = Limit(limit.seconds, depth - 1, max(1, self._level.nodes // count))
            info = answer(player := AlphaBeta(), after, share, stop)
            self.nodes += player.nodes
            score, line = delayed(sign * info.score, 1), (move, *info.pv)
        return Line(score + self._noise(position, move, score), line)

    def _noise(self, position: Position, move: int, score: int) -> int:
        """Return the pseudo-random error that is added to `score`; 0 for a proven result."""
        if Score(score).mate is not None:
            return 0
        return round((2 * chance(self._seed, "blur", position, move) - 1) * self._level.noise)
