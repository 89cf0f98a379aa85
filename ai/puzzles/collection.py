"""Puzzles to choose from, and a person's progress: ratings, records, the daily puzzle.

Ratings of puzzles and of the person are Glicko-2 ratings, separate for each game, on the Elo scale of its levels.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path
from random import Random
from statistics import mean

from ai.core.elo import DEVIATIONS, RATINGS, VOLATILITIES, Rating, updated_rating
from ai.players.levels import level_elo, level_elos
from ai.players.opponents import opponents
from ai.puzzles.puzzle import Puzzle
from games.fields import DecodeError, checked, decode, entries, list_of, number, parsed, text, whole
from games.registry import GAMES
from games.storage import data_home, read_regular, report, set_aside

_GRADED, _UNGRADED = 80.0, 250.0
"""Deviations of the rating of a puzzle that the levels have tried, and of one that they have not."""
_NEAR = 12
"""A puzzle is drawn from so many that are nearest to the rating that is wanted."""
_REMEMBERED = 500
_MOST_BYTES = 1 << 20
_MOST = 10**6
_DAILY_STEP = 7919  # a prime, so that all puzzles have their day before one comes again


@dataclass(frozen=True)
class Wish:
    """Which puzzles are wanted: those of a `game`, by a `rule`, with a `theme`; an empty text stands for any."""

    game: str = ""
    rule: str = ""
    theme: str = ""

    def __contains__(self, puzzle: Puzzle) -> bool:
        """Return whether `puzzle` has the game, rule and theme wanted; an empty wish accepts any."""
        wanted = (self.game, puzzle.game), (self.rule, puzzle.rule), (self.theme, puzzle.theme)
        return all(wish in ("", has) for wish, has in wanted)


def key(puzzle: Puzzle) -> str:
    """Return a text that identifies the puzzle in a person's progress."""
    return f"{puzzle.game} {puzzle.size} {puzzle.rule} {puzzle.moves}"


class Collection:
    """A set of puzzles, in the order of their file."""

    def __init__(self, puzzles: Iterable[Puzzle]) -> None:
        self.puzzles = tuple(puzzles)
        ratings: dict[tuple[object, ...], list[float]] = {}
        for puzzle in self.puzzles:
            if puzzle.rating is not None:
                for group in _similar_groups(puzzle):
                    ratings.setdefault(group, []).append(puzzle.rating)
        self._means = {group: mean(found) for group, found in ratings.items()}

    def rating(self, puzzle: Puzzle) -> Rating:
        """Return the rating of a puzzle: its own, or else, with more deviation, the mean of similar puzzles."""
        if puzzle.rating is not None:
            return Rating(puzzle.rating, _GRADED)
        known = (self._means[group] for group in _similar_groups(puzzle) if group in self._means)
        return Rating(next(known, newcomer(puzzle.game).rating), _UNGRADED)

    def among(self, wish: Wish) -> list[Puzzle]:
        """Return the puzzles that are wanted."""
        return [puzzle for puzzle in self.puzzles if puzzle in wish]

    def near(self, wish: Wish, progress: PuzzleProgress, chance: Random, harder: float) -> Puzzle | None:
        """Draw a wanted puzzle near the person's rating plus `harder`, if possible not a recent one; None if none is
        wanted.

        If no game is wished for, each game that has such puzzles is equally likely.
        """
        found = self.among(wish)
        if not found:
            return None
        game = chance.choice(sorted({puzzle.game for puzzle in found}))
        found = [puzzle for puzzle in found if puzzle.game == game]
        new = [puzzle for puzzle in found if key(puzzle) not in progress.recent]
        wanted = progress.rating(game).rating + harder
        mixed = chance.sample(new or found, len(new or found))  # many have one rating
        return chance.choice(sorted(mixed, key=lambda each: abs(self.rating(each).rating - wanted))[:_NEAR])

    def daily(self, day: date) -> Puzzle | None:
        """Return the puzzle of a day, the same for the same collection; None if it is empty."""
        return self.puzzles[day.toordinal() * _DAILY_STEP % len(self.puzzles)] if self.puzzles else None


def _similar_groups(puzzle: Puzzle) -> Sequence[tuple[object, ...]]:
    """Return keys of groups of similar puzzles to which this one belongs, the most similar first."""
    return (puzzle.game, puzzle.theme, puzzle.plies), (puzzle.game, puzzle.theme), (puzzle.game,)


def newcomer(game: str) -> Rating:
    """Return the first puzzle rating of a person in a game: the Elo of the friendly level, or else the default."""
    return Rating(level_elo(game, opponents(game).friendly).elo) if level_elos(game) else Rating()


# What a person has done.


@dataclass
class PuzzleProgress:
    """What a person has done in puzzles.

    `ratings` are by game. `tried` counts puzzles, `solved` those solved at the first move. `streak` and `storm` are
    records of these two modes. `daily` is the last day (ISO) whose puzzle was solved, `days` how many days in a row.
    `recent` are keys of puzzles.
    """

    ratings: dict[str, Rating] = field(default_factory=dict)
    tried: int = 0
    solved: int = 0
    streak: int = 0
    storm: int = 0
    daily: str = ""
    days: int = 0
    recent: list[str] = field(default_factory=list)

    def rating(self, game: str) -> Rating:
        """Return the person's rating in a game."""
        return self.ratings.get(game) or newcomer(game)

    def note(self, puzzle: Puzzle, rating: Rating, solved: bool, rated: bool) -> None:
        """Count the first answer to a puzzle, which was right if `solved`. With `rated`, update the person's rating.

        `rating` is that of the puzzle.
        """
        self.tried += 1
        self.solved += solved
        self.recent = [*(each for each in self.recent if each != key(puzzle)), key(puzzle)][-_REMEMBERED:]
        if rated:
            self.ratings[puzzle.game] = updated_rating(self.rating(puzzle.game), [(rating, float(solved))])

    def note_daily(self, day: date) -> None:
        """Count the puzzle of a day as solved, once."""
        if self.daily != day.isoformat():
            before = date.fromordinal(day.toordinal() - 1).isoformat()
            self.days = self.days + 1 if self.daily == before else 1
            self.daily = day.isoformat()


@dataclass(frozen=True, kw_only=True)
class _StoredRating:
    """A rating in the file."""

    rating: float = checked(number(*RATINGS))
    deviation: float = checked(number(*DEVIATIONS))
    volatility: float = checked(number(*VOLATILITIES))


@dataclass(frozen=True, kw_only=True)
class _File:
    """The contents of the file."""

    version: int = checked(whole(1, 1))
    ratings: dict[str, object] = checked(entries)
    tried: int = checked(whole(0, _MOST))
    solved: int = checked(whole(0, _MOST))
    streak: int = checked(whole(0, _MOST))
    storm: int = checked(whole(0, _MOST))
    daily: str = checked(text(10))
    days: int = checked(whole(0, _MOST))
    recent: list[str] = checked(list_of(text(3_000), _REMEMBERED))


def progress_path() -> Path:
    """Return the path of the person's progress in the data folder."""
    return data_home() / "puzzles.json"


def load_progress(data: bytes | None = None) -> PuzzleProgress:
    """Read the person's progress from the file, or decode `data`, which will be its contents.

    A damaged file is moved aside. Then, and if it does not exist or cannot be read, the progress is empty.
    """
    path = progress_path()
    try:
        contents = read_regular(path, _MOST_BYTES) if data is None else data
    except FileNotFoundError:
        return PuzzleProgress()
    except OSError as error:
        report("unreadable", path, error)
        return PuzzleProgress()
    try:
        file = decode(_File, parsed(contents), "the progress")
        known = {game: decode(_StoredRating, value, game) for game, value in file.ratings.items() if game in GAMES}
    except DecodeError:
        set_aside(path)
        return PuzzleProgress()
    ratings = {game: Rating(each.rating, each.deviation, each.volatility) for game, each in known.items()}
    counts = file.tried, file.solved, file.streak, file.storm
    return PuzzleProgress(ratings, *counts, file.daily, file.days, file.recent)


def encoded_progress(progress: PuzzleProgress) -> bytes:
    """Encode a person's progress for `load_progress`."""
    return (json.dumps({"version": 1, **asdict(progress)}, indent=1) + "\n").encode()
