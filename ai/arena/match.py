"""One game of a match: two players by name, their clock, and the record of the game."""

from __future__ import annotations

import atexit
import base64
import threading
import time
import zlib
from dataclasses import asdict, dataclass
from typing import Any

from ai.core.player import Limit, Player, answer
from ai.pbrain.external import EngineError, IllegalAnswer, SlowEngine
from ai.players.table import Context, is_seeded, is_strongest, make
from games.fields import checked, decode, number, one_of, pair, text, whole
from games.formats import tengen
from games.formats.text import parse
from games.position import IllegalMove, Outcome
from games.record import Seat
from games.registry import Setup

_times = pair(number(0, 1e9))
_LONGEST = 1 << 24  # characters of a text of a journal

GRACE = 0.05
"""Seconds by which a player may exceed its time before it loses. A busy machine needs more."""


@dataclass(frozen=True, slots=True)
class Match:
    """Players A and B by name, the game, the `seconds` a move, and a seed for random choices.

    A player that overruns its time by more than `grace` seconds loses.
    """

    players: tuple[str, str]
    setup: Setup
    seconds: float
    seed: int | None = None
    grace: float = GRACE

    def document(self) -> dict[str, Any]:
        """Return JSON data that is equal for equal matches only."""
        about = {"format": "tengen-arena", "players": [*self.players], **asdict(self.setup)}
        return {**about, "seconds": self.seconds, "seed": self.seed}


@dataclass(frozen=True, slots=True)
class Fixture:
    """A scheduled game: its number in the match from 0, its opening, and who (0 is A) has the first side."""

    number: int
    opening: str
    first: int


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game: A's `score` (1, 0.5, 0), and its ending: an `Outcome.reason`, ``illegal`` or ``crash``.

    `note` explains the latter two. `record` is the packed game for `data`.
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

    def document(self) -> dict[str, Any]:
        """Return JSON data without the record, which has its own file."""
        return {key: value for key, value in asdict(self).items() if key != "record"}

    def data(self) -> bytes:
        """Return the game as a `.tengen.json` file."""
        return zlib.decompress(base64.b85decode(self.record))


def played_of(row: object) -> Played:
    """Decode `Played.document`. Raise `DecodeError`."""
    return decode(Played, row, "a game")


_reused: dict[tuple[str, str, int, int], Player] = {}
"""By name, game, who plays and thread, so that neither A and B nor two games at once share a player."""


@atexit.register
def _close_reused() -> None:
    """Close the players that games have shared."""
    while _reused:
        _reused.popitem()[1].close()


def _player(name: str, who: int, game: str, seed: int | None) -> Player:
    """Return a player for one game. Those without a seed are reused, since some are slow to start."""
    if is_seeded(name):
        return make(name, Context(game, seed=seed))
    key = (name, game, who, threading.get_ident())
    if key not in _reused:
        _reused[key] = make(name, Context(game))
    return _reused[key]


def play(match: Match, fixture: Fixture) -> Played:
    """Play one game in this process."""
    names = match.players if fixture.first == 0 else match.players[::-1]
    return _Game(match, fixture, names).play()


class _Game:
    """A game in progress; `names` are the players in the order of the sides."""

    def __init__(self, match: Match, fixture: Fixture, names: tuple[str, str]) -> None:
        self.match = match
        self.fixture = fixture
        self.record = parse(fixture.opening, match.setup)
        self.record.seats = (_seat(names[0], match.seconds), _seat(names[1], match.seconds))
        self.slowest = [0.0, 0.0]  # by side
        self.note = ""
        seed = None if match.seed is None else 1000 * match.seed + fixture.number
        who = (fixture.first, 1 - fixture.first)
        game = match.setup.game
        self.players = [_player(name, player, game, seed) for name, player in zip(names, who, strict=True)]

    def play(self) -> Played:
        """Play to the end; a player that is late, illegal or fails loses."""
        side = self.record.position.turn
        try:
            for side in (0, 1):
                self.players[side].warm_up(self.record.position)
            while self.record.outcome is None:
                side = self.record.position.turn
                self._move(side)
        except SlowEngine as error:
            self._lose(side, "time", str(error))
        except IllegalAnswer as error:
            self._lose(side, "illegal", str(error))
        except Exception as error:  # a failing player loses; the match continues
            self._lose(side, "crash", str(error) if isinstance(error, EngineError) else repr(error))
        for player in self.players:
            if player not in _reused.values():
                player.close()
        return self._result()

    def _move(self, side: int) -> None:
        """Ask the side to move for its move and play it."""
        position = self.record.position
        began = time.perf_counter()
        player = self.record.seats[side].player
        info = answer(self.players[side], position, Limit(seconds=self.match.seconds))
        taken = time.perf_counter() - began
        self.slowest[side] = max(self.slowest[side], taken)
        if taken > self.match.seconds + self.match.grace:
            self._lose(side, "time", f"It took {taken:.3f} s.")
            return
        try:
            node = self.record.play(info.move, taken)
        except IllegalMove as error:
            self._lose(side, "illegal", str(error))
            return
        if is_strongest(player, position.game):  # that of a weaker player would pass for the engine's
            node.evaluation = info.evaluation(side, by=player)

    def _lose(self, side: int, reason: str, note: str) -> None:
        """End the game as lost for `side`, with a note why."""
        self.note = f"{self.record.seats[side].name}: {note}"[:500]
        self.record.end(Outcome(1 - side, reason))
        self.record.cursor.comment = self.note

    def _result(self) -> Played:
        """The result from the view of player A, with the packed record."""
        outcome = self.record.outcome
        assert outcome is not None
        first = self.fixture.first
        score = {None: 0.5, first: 1.0, 1 - first: 0.0}[outcome.winner]  # A has side 0 exactly when first is 0
        slowest = (round(self.slowest[first], 4), round(self.slowest[1 - first], 4))
        packed = base64.b85encode(zlib.compress(tengen.dumps(self.record), 9)).decode("ascii")
        plies = self.record.position.ply
        game = (self.fixture.number, self.fixture.opening, first)
        return Played(*game, score, outcome.reason, plies, slowest, self.note, packed)


def _seat(name: str, seconds: float) -> Seat:
    return Seat(name[: tengen.LONGEST_NAME], name[: tengen.LONGEST_NAME], seconds)
