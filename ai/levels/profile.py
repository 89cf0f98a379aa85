"""What is known of the player of this machine: the games that a person has finished against the computer, and the
rating that follows from them. It lives on this disk only.

A game counts for the rating if it was played on a board that the ladder of levels was measured on, against a level
(and not what stood in for it where the engine cannot be loaded), from the start, without a hint and without a move that
was taken back for another. It counts once, as it ended first.
"""

from __future__ import annotations

import contextlib
import json
import logging
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from ai.levels.levels import EVEN, is_level, level_for, number_of, rung, rungs
from ai.levels.rating import DEVIATIONS, RATINGS, VOLATILITIES, Rating, updated
from ai.registry import opponents
from games.fields import DecodeError, checked, decode, entries, file_name, items, number, one_of, parsed, text, whole
from games.record import PERSON, GameRecord
from games.registry import GAMES
from games.storage import data_home, read_regular, set_aside, unused, write_atomic

_log = logging.getLogger(__name__)

_VERSION = 1
_MOST_BYTES = 64 << 20  # of a hundred thousand games
_MOST_PLIES = 10**6
_MOST_RESULTS = 10**6
_LEAST_PLIES = 2  # of a game that counts as one: who leaves at once has not played

WON, DRAWN, LOST = 1.0, 0.5, 0.0

UNRATED = ("hint", "undo", "position", "engine", "board", "opponent")
"""Why a game does not count, each with its words in `assets/locales`."""


@dataclass(frozen=True, slots=True)
class Result:
    """A finished game of the person, who had `side`, against the player `opponent`. `unrated` is one of `UNRATED`, or
    empty for a game that counts; `rating`, `deviation` and `volatility` are the person's after it."""

    file: str = checked(file_name)
    date: str = checked(text(200))
    game: str = checked(one_of(*GAMES))
    opponent: str = checked(text(200))
    side: int = checked(whole(0, 1))
    score: float = checked(one_of(WON, DRAWN, LOST))
    plies: int = checked(whole(0, _MOST_PLIES))
    unrated: str = checked(one_of("", *UNRATED))
    rating: float = checked(number(*RATINGS))
    deviation: float = checked(number(*DEVIATIONS))
    volatility: float = checked(number(*VOLATILITIES))


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
        return Rating(rung(game, opponents(game).friendly).elo) if rungs(game) else Rating()

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
    if not (rungs(record.setup.game) and opponents(record.setup.game).rated(record.setup)):
        return "board"
    if any(len(node.children) > 1 for node in record.nodes()):
        return "undo"
    return ""


def _has_rating(opponent: str) -> bool:
    return is_level(opponent) and opponent != EVEN


# The even match.


def even_levels() -> dict[str, float]:
    """The level of each game that is even with the player of this machine."""
    profile = load_profile()[0]
    return {game: level_for(game, profile.rating(game).rating) for game in GAMES if rungs(game)}


def begun(name: str, game: str) -> str:
    """The name that a player has in a game that begins now: ``level:even`` is another level at another time."""
    return f"{EVEN}={even_levels()[game]:g}" if name.startswith(EVEN) else name


# On the disk.


def profile_path() -> Path:
    return data_home() / "profile.json"


def load_profile() -> tuple[Profile, bool]:
    """The profile, and whether it was damaged. What is right in a damaged one is kept, and the whole of it is set
    aside as ``profile.damaged.json``. One that cannot be read now is taken for empty, and stays as it is."""
    try:
        return read_profile()
    except OSError as error:
        _log.warning("the profile cannot be read: %s", error)
        return Profile(), False


def read_profile(data: bytes | None = None) -> tuple[Profile, bool]:
    """As `load_profile`, for who will write it; `data`, if given, is what its file is about to contain.

    Raise `OSError` when the file cannot be read.
    """
    path = profile_path()
    try:
        known = read_regular(path, _MOST_BYTES) if data is None else data
    except FileNotFoundError:
        return Profile(), False
    try:
        profile, problems = decoded(known)
    except DecodeError as error:
        _log.warning("profile set aside: %s", error)
        set_aside(path)
        return Profile(), True
    if problems:
        _log.warning("left out of the profile: %s", " ".join(map(str, problems)))
        _replace(path, known, profile)
    return profile, bool(problems)


def _replace(path: Path, damaged: bytes, profile: Profile) -> None:
    """Put `profile` in the place of the damaged file, after a copy of that is safe; or else leaves all as it is."""
    with contextlib.suppress(OSError):
        write_atomic(unused(path.parent, f"{path.stem}.damaged", path.suffix), damaged)
        write_atomic(path, encoded(profile))


def encoded(profile: Profile) -> bytes:
    """What `load_profile` reads."""
    data = {"format": "tengen-profile", "version": _VERSION, **asdict(profile)}
    text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    return text.encode(errors="surrogatepass")  # a file's name may be no text


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    format: str = checked(one_of("tengen-profile"))
    version: int = checked(whole(1, _VERSION))
    results: list[object] = checked(items(0, _MOST_RESULTS))
    helped: dict[str, object] = checked(entries)


def decoded(data: bytes) -> tuple[Profile, list[DecodeError]]:
    """The profile in `data`, and what is wrong with the entries that were left out of it.

    Raise `DecodeError` for what is not a profile, or that of a newer version.
    """
    file = decode(_File, parsed(data), "the profile")
    profile, problems = Profile(), []
    for index, entry in enumerate(file.results, 1):
        try:
            profile.results.append(_result(entry, f"result {index}"))
        except DecodeError as error:
            problems.append(error)
    for name, why in file.helped.items():
        try:
            profile.helped[file_name(name)] = one_of(*UNRATED)(why)
        except DecodeError as error:
            problems.append(error)
    return profile, problems


def _result(entry: object, owner: str) -> Result:
    result = decode(Result, entry, owner)
    if not (result.unrated or _has_rating(result.opponent)):
        raise DecodeError("must be a level", "“opponent”", owner)
    return result
