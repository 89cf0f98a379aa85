"""What is known of the player of this machine: the games that a person has finished against the computer, and the
rating that follows from them. It lives on this disk only.

A game counts for the rating if it was played on a board that the ladder of levels was measured on, against a level
(and not what stood in for it where the engine cannot be loaded), from the start, without a hint and without a move that
was taken back for another. It counts once, as it ended first.
"""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from ai.levels import FRIENDLY, LEVELS, is_level, number_of, rung
from ai.rating import Rating, updated
from games.record import PERSON, GameRecord
from games.registry import GAMES, Setup
from games.storage import data_home, read_regular, set_aside

_log = logging.getLogger(__name__)

_VERSION = 1
_MOST_BYTES = 64 << 20  # of a hundred thousand games
_LEAST_BONES = 10  # of a heap on which a game is more than a trifle
_MOST_RATING = 6000  # far beyond what can be won; much further, no game could change it any more
_LEAST_PLIES = 2  # of a game that counts as one: who leaves at once has not played

WON, DRAWN, LOST = 1.0, 0.5, 0.0


@dataclass(frozen=True, slots=True)
class Result:
    """A finished game of the person, who had `side`, against the player `opponent`. `unrated` is why it does not
    count (``hint``, ``undo``, ``position``, ``engine``, ``board``, ``opponent``), or empty; `rating`, `deviation` and
    `volatility` are the person's after it."""

    file: str
    date: str
    game: str
    opponent: str
    side: int
    score: float
    plies: int
    unrated: str
    rating: float
    deviation: float
    volatility: float


@dataclass(frozen=True, slots=True)
class Removed:
    """A result that was removed, and the place it had among the results."""

    index: int
    result: Result


@dataclass
class Profile:
    """`results` in the order in which the games ended; `helped`: why a game that is not over will not count, by
    the name of its file."""

    results: list[Result] = field(default_factory=list)
    helped: dict[str, str] = field(default_factory=dict)

    def rating(self, game: str) -> Rating:
        """Of the person, now; a newcomer is taken to be as strong as the level that is offered first."""
        for result in reversed(self.results):
            if result.game == game:
                return Rating(result.rating, result.deviation, result.volatility)
        return Rating(rung(game, FRIENDLY[game]).elo)

    def played(self, game: str) -> list[Result]:
        return [result for result in self.results if result.game == game]

    def rated(self, game: str) -> list[Result]:
        """The games that count."""
        return [result for result in self.played(game) if not result.unrated]

    def result(self, record: GameRecord, file: Path) -> Result | None:
        """What the game that has ended at the cursor of `record` would count for now. None if it is not one of a
        person against the computer, is hardly begun, or was counted before."""
        side, outcome = person_side(record), record.outcome
        if side is None or outcome is None or record.position.ply < _LEAST_PLIES or self._knows(file):
            return None
        score = DRAWN if outcome.winner is None else WON if outcome.winner == side else LOST
        opponent, game = record.seats[1 - side].player, record.setup.game
        unrated = self.helped.get(file.name, "") or unrated_because(record)
        facts = (file.name, record.date, game, opponent, side, score, record.position.ply, unrated)
        return self._rated(Result(*facts, 0.0, 0.0, 0.0))

    def _rated(self, result: Result) -> Result:
        """`result` with the rating that it leads to when it follows the present results."""
        rating = self.rating(result.game)
        if not result.unrated:
            rating = updated(rating, [(rating_of(result.opponent, result.game), result.score)])
        deviation = round(rating.deviation, 1)
        return replace(result, rating=round(rating.rating, 1), deviation=deviation, volatility=rating.volatility)

    def add(self, record: GameRecord, file: Path) -> Result | None:
        """Append the `result` of the game and return it. None, and nothing is changed, if there is none."""
        result = self.result(record, file)
        if result is not None:
            self.results.append(result)
            self.helped.pop(file.name, None)
        return result

    def remove(self, file: str) -> Removed | None:
        """Remove the result of the game in `file` and recompute the ratings after it. None if there is no such
        result; else what `restore` takes."""
        index = next((index for index, result in enumerate(self.results) if result.file == file), None)
        if index is None:
            return None
        removed = Removed(index, self.results.pop(index))
        self._rate_from(index)
        return removed

    def restore(self, removed: Removed) -> None:
        """Undo a removal, and recompute the ratings after the result."""
        self.results.insert(removed.index, removed.result)
        self._rate_from(removed.index)

    def _rate_from(self, index: int) -> None:
        later = self.results[index:]
        del self.results[index:]
        for result in later:
            self.results.append(self._rated(result))

    def _knows(self, file: Path) -> bool:
        return any(result.file == file.name for result in self.results)

    def renamed(self, old: Path, new: Path) -> None:
        """The file of a game has another name now."""
        self.results = [replace(each, file=new.name) if each.file == old.name else each for each in self.results]
        self.helped = {new.name if name == old.name else name: why for name, why in self.helped.items()}

    def tally(self, game: str) -> dict[str, tuple[int, int, int]]:
        """Wins, draws and losses of the games that count, by the name of the level, weakest first."""
        counts: dict[str, list[int]] = {}
        for result in self.rated(game):
            name = result.opponent.partition("=")[0]
            counts.setdefault(name, [0, 0, 0])[(WON, DRAWN, LOST).index(result.score)] += 1
        ranked = sorted(counts, key=lambda name: number_of(name) if "even" not in name else 0)
        return {name: (counts[name][0], counts[name][1], counts[name][2]) for name in ranked}


def person_side(record: GameRecord) -> int | None:
    """The side of the only person, against the computer."""
    people = [side for side, seat in enumerate(record.seats) if seat.player == PERSON]
    return people[0] if len(people) == 1 else None


def rating_of(opponent: str, game: str) -> Rating:
    """Of a level, as the ladder has it."""
    known = rung(game, number_of(opponent))
    return Rating(known.elo, max(30.0, known.error / 1.96))


def unrated_because(record: GameRecord) -> str:
    """Why a game cannot count, by what its record tells; empty if it can."""
    side = person_side(record)
    if side is None or not _has_rating(record.seats[1 - side].player):
        return "opponent"
    if not _measured(record.setup):
        return "board"
    if any(len(node.children) > 1 for node in record.nodes()):
        return "undo"
    return ""


def _has_rating(opponent: str) -> bool:
    return is_level(opponent) and opponent != "level:even"


def _measured(setup: Setup) -> bool:
    if setup.game not in LEVELS:
        return False
    return setup.size >= _LEAST_BONES if setup.game == "bones" else setup.size == GAMES[setup.game].size


# On the disk.


def profile_path() -> Path:
    return data_home() / "profile.json"


def load_profile() -> tuple[Profile, bool]:
    """The profile, and whether a damaged one had to be set aside (kept as ``profile.damaged.json``). One that cannot
    be read now is taken for empty, and stays as it is."""
    try:
        return read_profile()
    except OSError as error:
        _log.warning("the profile cannot be read: %s", error)
        return Profile(), False


def read_profile(data: bytes | None = None) -> tuple[Profile, bool]:
    """As `load_profile`, for who will write it; `data`, if given, is what its file is about to contain.

    Raises `OSError` when the file cannot be read.
    """
    path = profile_path()
    try:
        return _decoded(json.loads(read_regular(path, _MOST_BYTES) if data is None else data)), False
    except FileNotFoundError:
        return Profile(), False
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        _log.warning("profile set aside: %s", error)
        set_aside(path)
        return Profile(), True


def encoded(profile: Profile) -> bytes:
    """What `load_profile` reads."""
    data = {"format": "tengen-profile", "version": _VERSION, **asdict(profile)}
    text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    return text.encode(errors="surrogatepass")  # a file's name may be no text


def _decoded(data: Any) -> Profile:
    """Raises `ValueError`, `TypeError` or `LookupError` for what is not a profile."""
    if data["format"] != "tengen-profile" or data["version"] > _VERSION:
        raise ValueError("not a profile of this version")
    helped = {str(name): str(why) for name, why in dict(data["helped"]).items()}
    return Profile(list(_results(data["results"])), helped)


def _results(entries: Any) -> Iterator[Result]:
    for entry in entries:
        result = Result(**entry)
        if result.score not in (WON, DRAWN, LOST) or result.side not in (0, 1) or not math.isfinite(result.plies):
            raise ValueError("a result that is none")
        if not (abs(result.rating) <= _MOST_RATING and 0 < result.deviation <= 350 and 0 < result.volatility <= 1):
            raise ValueError("a rating that is none")
        if not all(isinstance(text, str) for text in (result.file, result.date, result.unrated)):
            raise ValueError("a result without its game")
        if result.game not in GAMES or not (result.unrated or _has_rating(result.opponent)):
            raise ValueError("a result against nobody")
        yield result
