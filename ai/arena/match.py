"""One game of a match: two players by name, their clock, and the record of the game."""

from __future__ import annotations

import atexit
import base64
import threading
import time
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from ai.core.player import Limit, Player, PlayerFailure, answer
from ai.pbrain.external import EngineError, IllegalAnswer, SlowEngine
from ai.players.table import Context, is_seeded, is_strongest, make
from games.fields import checked, decode, number, one_of, pair, text, whole
from games.formats import tengen
from games.formats.text import parse
from games.position import IllegalMove, Outcome
from games.record import GameRecord, Seat
from games.registry import Setup

_times = pair(number(0, 1e9))
_LONGEST = 1 << 24  # characters of a text of a journal
_LONGEST_DETAIL = 200

GRACE = 0.05
"""Seconds by which a player may exceed its time before it loses. A busy machine needs more."""


@dataclass(frozen=True, slots=True)
class Match:
    """Players A and B by name, the game, the `seconds` for each move, and a seed for random choices.

    A player that exceeds its time by more than `grace` seconds loses. `own` are the seconds of A and B, in place of
    `seconds`. `names` are the names of A and B in the records, by default those in `players`.
    """

    players: tuple[str, str]
    setup: Setup
    seconds: float
    seed: int | None = None
    grace: float = GRACE
    own: tuple[float, float] | None = None
    names: tuple[str, str] | None = None

    def document(self) -> dict[str, Any]:
        """Return JSON data that identifies the match: equal data, equal match. It lacks `grace` and `names`."""
        about = {"format": "tengen-arena", "players": [*self.players], **asdict(self.setup)}
        own = {} if self.own is None else {"own": [*self.own]}
        return {**about, "seconds": self.seconds, "seed": self.seed, **own}

    def seat(self, who: int) -> Seat:
        """Return the seat of A (`who` 0) or B (1) for a record."""
        seconds = self.seconds if self.own is None else self.own[who]
        name = (self.names or self.players)[who]
        return Seat(self.players[who][: tengen.LONGEST_NAME], name[: tengen.LONGEST_NAME], seconds)


@dataclass(frozen=True, slots=True)
class Fixture:
    """A scheduled game: its number in the match from 0, its opening, and which player, A (0) or B (1), has the first
    side."""

    number: int
    opening: str
    first: int


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game: A's `score` (1, 0.5, 0), and its `ending`: an `Outcome.reason`, ``illegal`` or ``crash``.

    `first` is as in `Fixture`. `note` explains a loss by time, an illegal move or a crash. `problem` and `detail` are
    those of the `PlayerFailure`, if one was raised. `record` is the packed game for `data`, empty if it is stored
    elsewhere.
    """

    number: int = checked(whole(0, 10**9))
    opening: str = checked(text(_LONGEST))
    first: int = checked(whole(0, 1))
    score: float = checked(one_of(1.0, 1, 0.5, 0.0, 0))
    ending: str = checked(text(_LONGEST))
    plies: int = checked(whole(0, 10**6))
    slowest: tuple[float, float] = checked(_times)
    """The longest move times of A and B, in seconds."""
    note: str = checked(text(_LONGEST))
    record: str = checked(text(_LONGEST), "")
    problem: str = checked(text(_LONGEST), "")
    detail: str = checked(text(_LONGEST), "")

    def document(self) -> dict[str, Any]:
        """Return JSON data for `played_of`, without `record`, which has its own file, and without empty `problem` and
        `detail`."""
        left_out = {"record", *(key for key in ("problem", "detail") if not getattr(self, key))}
        return {key: value for key, value in asdict(self).items() if key not in left_out}

    def data(self) -> bytes:
        """Unpack `record`: the contents of a `.tengen.json` file."""
        return zlib.decompress(base64.b85decode(self.record))


def played_of(row: object) -> Played:
    """Decode JSON data that `Played.document` made. Raise `DecodeError`."""
    return decode(Played, row, "a game")


_reused: dict[tuple[str, str, int, int], Player] = {}
"""By name, game, thread and, in a match of a player against itself, who plays: neither A and B nor two games at once
share a player."""


@atexit.register
def _close_reused() -> None:
    """Close the players that are kept for further games."""
    while _reused:
        _reused.popitem()[1].close()


def _player_for_game(name: str, who: int, game: str, seed: int | None) -> Player:
    """Return a player for one game: a new one if it takes a seed, otherwise the one kept in `_reused`.

    `who` is 0 or 1 in a match of a player against itself, so that its sides differ; otherwise 0.
    """
    if is_seeded(name):
        return make(name, Context(game, seed=seed))
    key = (name, game, who, threading.get_ident())
    if key not in _reused:
        _reused[key] = make(name, Context(game))
    return _reused[key]


def play(match: Match, fixture: Fixture) -> Played:
    """Play one game in this process and return it. A failing player loses; nothing is raised for it."""
    *_, played = play_live(match, fixture)
    assert isinstance(played, Played)
    return played


def play_live(match: Match, fixture: Fixture) -> Iterator[int | Played]:
    """As `play`, but yield each move as it is played, then the finished game."""
    game = _Game(match, fixture)
    yield from game.moves()
    yield game.result()


def begin(match: Match, fixture: Fixture) -> GameRecord:
    """Return a new record of the game, with its opening played and its seats set."""
    record = parse(fixture.opening, match.setup)
    record.seats = match.seat(fixture.first), match.seat(1 - fixture.first)
    return record


class _Game:
    """A game in progress; sides are 0 and 1."""

    def __init__(self, match: Match, fixture: Fixture) -> None:
        self.match = match
        self.fixture = fixture
        self.record = begin(match, fixture)
        self.slowest = [0.0, 0.0]  # by side
        self.note = self.problem = self.detail = ""
        seed = None if match.seed is None else 1000 * match.seed + fixture.number
        twins = match.players[0] == match.players[1]
        who = (fixture.first, 1 - fixture.first)
        game = match.setup.game
        self._make = [partial(_player_for_game, match.players[one], one if twins else 0, game, seed) for one in who]
        self.players: list[Player] = []

    def moves(self) -> Iterator[int]:
        """Play the game to its end, and yield each move. A player that is late, plays an illegal move or fails
        loses."""
        try:
            for side in range(len(self._make)):
                self.players.append(self._make[side]())
            for side in range(len(self.players)):
                self.players[side].warm_up(self.record.position)
            while self.record.outcome is None:
                side = self.record.position.turn
                if (move := self._play_move(side)) is not None:
                    yield move
        except SlowEngine as error:
            self._fail(side, "time", error)
        except IllegalAnswer as error:
            self._fail(side, "illegal", error)
        except Exception as error:  # a failing player loses; the match continues
            self._fail(side, "crash", error)
        finally:
            for player in self.players:
                if player not in _reused.values():
                    player.close()

    def _fail(self, side: int, reason: str, error: Exception) -> None:
        """End the game as lost for `side`, with the `Outcome.reason` `reason`; its player has raised `error`."""
        if isinstance(error, PlayerFailure):
            self.problem, self.detail = error.problem, error.detail[:_LONGEST_DETAIL]
        self._lose(side, reason, str(error) if isinstance(error, EngineError) else repr(error))

    def _play_move(self, side: int) -> int | None:
        """Ask the player of `side` for a move, play it and return it. Return None if it lost the game by time or an
        illegal move."""
        position = self.record.position
        began = time.perf_counter()
        player, seconds = self.record.seats[side].player, self.record.seats[side].seconds
        assert seconds is not None
        info = answer(self.players[side], position, Limit(seconds=seconds))
        taken = time.perf_counter() - began
        self.slowest[side] = max(self.slowest[side], taken)
        if taken > seconds + self.match.grace:
            self._lose(side, "time", f"It took {taken:.3f} s.")
            return None
        try:
            node = self.record.play(info.move, taken)
        except IllegalMove as error:
            self._lose(side, "illegal", str(error))
            return None
        if is_strongest(player, position.game):  # that of a weaker player would pass for the engine's
            node.evaluation = info.evaluation(side, by=player)
        return info.move

    def _lose(self, side: int, reason: str, note: str) -> None:
        """End the game as lost for `side`, with the `Outcome.reason` `reason`; `note` explains it."""
        self.note = f"{self.record.seats[side].known_as}: {note}"[:500]
        self.record.end(Outcome(1 - side, reason))
        self.record.cursor.comment = self.note

    def result(self) -> Played:
        """Return the finished game, with the packed record and move times."""
        return replace(
            result_of(self.fixture, self.record, self.note), problem=self.problem, detail=self.detail,
            slowest=(round(self.slowest[self.fixture.first], 4), round(self.slowest[1 - self.fixture.first], 4)),
            record=base64.b85encode(zlib.compress(tengen.dumps(self.record), 9)).decode("ascii"),
        )  # fmt: skip


def result_of(fixture: Fixture, record: GameRecord, note: str = "") -> Played:
    """Return the finished game of `record`, scored for player A, without `record` and move times."""
    outcome, first = record.outcome, fixture.first
    assert outcome is not None
    score = {None: 0.5, first: 1.0, 1 - first: 0.0}[outcome.winner]  # A has side 0 exactly when first is 0
    ending = score, outcome.reason, record.position.ply, (0.0, 0.0), note
    return Played(fixture.number, fixture.opening, first, *ending)
