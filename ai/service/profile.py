"""The profile: the person's finished games against the computer on this machine, and the rating they lead to.

A game counts for the rating if it was played from the start, on a board for which levels have been measured, against a
player with an Elo (not its stand-in), without a hint and without replacing a move. It counts once, as it first ended.
"""

from __future__ import annotations

import json
import logging
import math
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from ai.core.elo import DEVIATIONS, RATINGS, VOLATILITIES, Rating, updated_rating
from ai.players.levels import EVEN, level_elo, level_elos, level_for
from ai.players.opponents import opponents
from ai.players.table import elo
from games.fields import DecodeError, checked, decode, entries, file_name, items, number, one_of, parsed, text, whole
from games.record import GameRecord, only_person
from games.registry import GAMES
from games.storage import data_home, read_regular, replace_damaged, report, saves_home, set_aside

_log = logging.getLogger(__name__)

_VERSION = 1
_MOST_PLIES = 10**6
_MOST_RESULTS = 10**6
_LEAST_PLIES = 2  # shorter games are not recorded

WON, DRAWN, LOST = 1.0, 0.5, 0.0

UNRATED = ("hint", "threats", "search", "games", "teaching", "undo", "position", "engine", "board", "opponent", "clock")
"""Why a game is unrated; each reason has a text in `assets/locales`."""


def file_key(file: Path) -> str:
    """Return what the profile calls `file`: its path below the folder of saved games, with slashes; elsewhere its
    name."""
    home = saves_home()
    return file.relative_to(home).as_posix() if file.is_relative_to(home) else file.name


@dataclass(frozen=True, slots=True)
class Result:
    """A finished game of the person, who played `side` against `opponent`.

    `file` is its `file_key`. A name may be used again once its file was deleted: `file` and `date` together identify a
    game. `unrated` is one of `UNRATED`, or empty for a rated game. `rating`, `deviation` and `volatility` are the
    person's after it.
    """

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
class RemovedResult:
    """What `Profile.restore` needs: a removed result and its index among the results."""

    index: int
    result: Result


@dataclass
class Profile:
    """The person's `results`, in the order in which the games ended.

    `helped` maps the files of unfinished games, as in `Result.file`, to why they will be unrated. `forgotten` maps
    games to a date: from games until then habits are not learned.
    """

    results: list[Result] = field(default_factory=list)
    helped: dict[str, str] = field(default_factory=dict)
    forgotten: dict[str, str] = field(default_factory=dict)

    def rating(self, game: str) -> Rating:
        """Return the current rating in a game; before any result the Elo of the level offered first."""
        for result in reversed(self.results):
            if result.game == game:
                return Rating(result.rating, result.deviation, result.volatility)
        return Rating(level_elo(game, opponents(game).friendly).elo) if level_elos(game) else Rating()

    def played(self, game: str) -> list[Result]:
        """Return the results of one game, rated or not, oldest first."""
        return [result for result in self.results if result.game == game]

    def rated(self, game: str) -> list[Result]:
        """Return the rated results of one game, oldest first."""
        return [result for result in self.played(game) if not result.unrated]

    def result(self, record: GameRecord, file: Path) -> Result | None:
        """Return the result of the finished game at the cursor of `record`, with the new rating, without adding it.

        Return None if the game is not over, not between a person and the computer, too short, or was counted before.
        """
        side, outcome = only_person(record.seats), record.outcome
        if side is None or outcome is None or record.position.ply < _LEAST_PLIES:
            return None
        if self._index(file_key(file), record.date) is not None:
            return None
        score = DRAWN if outcome.winner is None else WON if outcome.winner == side else LOST
        opponent, game, key = record.seats[1 - side].player, record.setup.game, file_key(file)
        unrated = self.helped.get(key, "") or unrated_because(record)
        facts = (key, record.date, game, opponent, side, score, record.position.ply, unrated)
        return self._with_rating(Result(*facts, 0.0, 0.0, 0.0))

    def _with_rating(self, result: Result) -> Result:
        """Return `result` with the rating after it, as if it were added now."""
        rating = self.rating(result.game)
        if not result.unrated:
            rating = updated_rating(rating, [(_rating_of(result.opponent, result.game), result.score)])
        deviation = round(rating.deviation, 1)
        return replace(result, rating=round(rating.rating, 1), deviation=deviation, volatility=rating.volatility)

    def add(self, record: GameRecord, file: Path) -> Result | None:
        """Append the `result` of the game to the results, and return it; None, without a change, if it has none."""
        result = self.result(record, file)
        if result is not None:
            self.results.append(result)
            self.helped.pop(file_key(file), None)
        return result

    def remove(self, result: Result) -> RemovedResult | None:
        """Remove the result of the same game as `result`, and recompute the ratings after it.

        Return the argument for `restore`, or None if there is no such result.
        """
        index = self._index(result.file, result.date)
        if index is None:
            return None
        removed = RemovedResult(index, self.results.pop(index))
        self._rate_from(index)
        return removed

    def restore(self, removed: RemovedResult) -> None:
        """Put a removed result back, and recompute the ratings after it."""
        self.results.insert(removed.index, removed.result)
        self._rate_from(removed.index)

    def _rate_from(self, index: int) -> None:
        """Recompute the ratings of all results from `index` on."""
        later = self.results[index:]
        del self.results[index:]
        for result in later:
            self.results.append(self._with_rating(result))

    def _index(self, file: str, date: str) -> int | None:
        """Return the index of the result of a game; None if it was not counted."""
        found = (index for index, each in enumerate(self.results) if (each.file, each.date) == (file, date))
        return next(found, None)

    def renamed(self, old: Path, new: Path) -> None:
        """Adapt the profile to a file, or a folder of games, that was renamed from `old` to `new`."""
        before, after = file_key(old), file_key(new)

        def moved(file: str) -> str:
            """Return what `file` is called now."""
            return after + file[len(before) :] if f"{file}/".startswith(f"{before}/") else file

        self.results = [replace(each, file=moved(each.file)) for each in self.results]
        self.helped = {moved(file): why for file, why in self.helped.items()}

    def tally(self, game: str) -> dict[str, tuple[int, int, int]]:
        """Return wins, draws and losses in rated games against each opponent: ``level:even`` first, then by
        strength."""
        counts: dict[str, list[int]] = {}
        for result in self.rated(game):
            name = result.opponent.partition("=")[0]
            counts.setdefault(name, [0, 0, 0])[(WON, DRAWN, LOST).index(result.score)] += 1
        strength = {name: -math.inf if (known := elo(name, game)) is None else known.elo for name in counts}
        ranked = sorted(counts, key=strength.__getitem__)
        return {name: (counts[name][0], counts[name][1], counts[name][2]) for name in ranked}


def _rating_of(opponent: str, game: str) -> Rating:
    """Return the rating of an opponent, which must have an Elo."""
    known = elo(opponent, game)
    assert known is not None
    return Rating(known.elo, max(30.0, known.error / 1.96))


def unrated_because(record: GameRecord) -> str:
    """Return why the game of a record is unrated, one of `UNRATED`; empty if it can be rated."""
    side = only_person(record.seats)
    game = record.setup.game
    if side is None or elo(record.seats[1 - side].player, game) is None:
        return "opponent"
    if not opponents(game).rated(record.setup):
        return "board"
    if record.stones is not None:
        return "position"
    if any(len(node.children) > 1 for node in record.nodes()):
        return "undo"
    if record.control is not None and any(seat.divisor > 1 for seat in record.seats):
        return "clock"
    return ""


# Even matches.


def resolve_level(name: str, game: str) -> str:
    """Return the name of a player for a game that begins now: ``level:even=3.4`` for ``level:even``, others unchanged.

    The number is that of the level which matches the person's rating.
    """
    if not name.startswith(EVEN):
        return name
    return f"{EVEN}={level_for(game, load_profile()[0].rating(game).rating):g}"


# The file.


def profile_path() -> Path:
    """Return the path of the profile in the data folder."""
    return data_home() / "profile.json"


def load_profile() -> tuple[Profile, bool]:
    """Return the profile, and whether its file was damaged.

    A damaged file is repaired: its good entries are kept, and a copy of it is saved as ``profile.damaged.json``. If the
    file cannot be read now, it stays as it is, and the profile is empty.
    """
    try:
        return read_profile()
    except OSError as error:
        report("unreadable", profile_path(), error)
        return Profile(), False


def read_profile(data: bytes | None = None) -> tuple[Profile, bool]:
    """As `load_profile`, but raise `OSError` if the file cannot be read, for a caller that would overwrite it.

    `data`, if given, is decoded in place of the file: contents that are still to be written.
    """
    path = profile_path()
    try:
        contents = read_regular(path) if data is None else data
    except FileNotFoundError:
        return Profile(), False
    try:
        profile, problems = decoded(contents)
    except DecodeError as error:
        _log.warning("The profile is damaged and was set aside: %s", error)
        set_aside(path)
        return Profile(), True
    if problems:
        _log.warning("Invalid entries of the profile were left out: %s", " ".join(map(str, problems)))
        replace_damaged(path, contents, encoded(profile))
    return profile, bool(problems)


def encoded(profile: Profile) -> bytes:
    """Encode the profile for `load_profile`."""
    data = {"format": "tengen-profile", "version": _VERSION, **asdict(profile)}
    text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    return text.encode(errors="surrogatepass")  # a file name need not be valid text


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    """The contents of the file."""

    format: str = checked(one_of("tengen-profile"))
    version: int = checked(whole(1, _VERSION))
    results: list[object] = checked(items(0, _MOST_RESULTS))
    helped: dict[str, object] = checked(entries)
    forgotten: dict[str, object] = checked(entries, make=dict)


def decoded(data: bytes) -> tuple[Profile, list[DecodeError]]:
    """Decode a profile. Return it, and the errors of the entries that were left out.

    Raise `DecodeError` if `data` is not a profile, or one of a newer version.
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
    for game, date in file.forgotten.items():
        try:
            profile.forgotten[one_of(*GAMES)(game)] = text(200)(date)
        except DecodeError as error:
            problems.append(error)
    return profile, problems


def _result(entry: object, owner: str) -> Result:
    """Decode a result. Raise `DecodeError`, also for a rated result against an opponent without an Elo."""
    result = decode(Result, entry, owner)
    if not (result.unrated or elo(result.opponent, result.game)):
        raise DecodeError("must be a player with an Elo", "“opponent”", owner)
    return result
