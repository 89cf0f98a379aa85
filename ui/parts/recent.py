"""The games of the library: searched, selected, loaded while in view, and used last; and the score of two people over
their games."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from ai.review.report import review_summary
from games.formats.common import OnProgress
from games.library.index import UNFINISHED, Entry
from games.library.library import GameLibrary, Query
from games.record import PERSON, GameRecord, only_person
from games.storage import saves_home
from ui import screens
from ui.toolkit.i18n import t
from ui.toolkit.text_line import Selection
from ui.window.host import Host, Job
from ui.window.jobs import Jobs
from ui.window.part import Part
from ui.words.file_words import search_words, words_edition

_MOST_RECENT = 12


def _files_outside_library(host: Host) -> list[Path]:
    """The recent files of the settings that are not in the folder of the saved games."""
    inside = saves_home()
    return [file for file in map(Path, host.settings.recent) if not file.is_relative_to(inside)]


def _open_library(host: Host, others: list[Path], changed: Callable[[], object]) -> GameLibrary:
    """Return the library of the saved games and of the files `others`. Its thread calls `changed` after each change."""
    return GameLibrary(
        others=others, words=search_words, edition=words_edition(), changed=changed, rest=host.rest,
        recall=review_summary,
    )  # fmt: skip


class LibraryGames:
    """The games that a search has found, with the selection among them. The library is opened on first use, and again
    after `close`."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.selection = Selection()
        self.entries: dict[int, Entry] = {}
        """The entries of the games in view, by id."""
        self.total = 0
        self._library: GameLibrary | None = None
        self._version = -1  # of the library when it was searched

    @property
    def library(self) -> GameLibrary:
        """The library; it is opened on first use."""
        if self._library is None:
            self._library = _open_library(self.host, _files_outside_library(self.host), self.host.wake)
        return self._library

    @property
    def busy(self) -> bool:
        """Whether the library is reading files."""
        return self._library is not None and self._library.busy

    @property
    def changed(self) -> bool:
        """Whether the library has changed since the last `search` or `recent`."""
        return self.library.version != self._version

    def close(self) -> None:
        """Close the library; it opens again when it is asked for."""
        if self._library is not None:
            self._library.close()
            self._library, self._version = None, -1

    def search(self, query: Query) -> None:
        """Put the games that `query` finds into `selection`; `total` is the number of all games."""
        library = self.library
        self._version = library.version
        self.selection.show(library.search(query))
        self.total = library.count()
        self.entries.clear()

    def recent(self, most: int) -> list[Entry]:
        """Return up to `most` games: first those used last, then the newest others. Files that are not read yet are
        missing."""
        library = self.library
        self._version = library.version
        used = map(library.find, map(Path, (self.host.settings.unfinished, *self.host.settings.recent)))
        ids = list(dict.fromkeys(number for number in used if number is not None))[:most]
        if len(ids) < most:
            ids = list(dict.fromkeys([*ids, *library.search(Query())]))[:most]
        known = library.entries(ids)
        return [known[number] for number in ids if number in known]

    def load(self, rows: Iterable[int]) -> None:
        """Load the entries of the games in these rows of the selection, and of the one at its cursor."""
        ids = self.selection.ids
        wanted = {ids[row] for row in rows} | {self.selection.current} - {None}
        missing = [number for number in wanted if number is not None and number not in self.entries]
        if missing:
            self.entries.update(self.library.entries(missing))

    def find(self, file: Path) -> bool:
        """Put the cursor on the game in `file`. Return False if it is not among the games found."""
        found = self.library.find(file)
        if found is None or found not in self.selection.ids:
            return False
        self.selection.move(self.selection.ids.index(found))
        return True

    def current(self) -> Entry | None:
        """The entry at the cursor; None if there is none, or it is not loaded."""
        return self.entries.get(self.selection.current or 0)

    def selected(self) -> list[Entry]:
        """The entries of the selected games, in the order of the list."""
        ids = self.selection.in_order()
        known = self.library.entries(ids)
        return [known[number] for number in ids if number in known]


class RecentGames:
    """The games of the home screen. `unfinished` is the one to continue, None without one; `entries` are others, last
    used first. `sought` is True until the library has read the file of the unfinished game."""

    def __init__(self, host: Host) -> None:
        self._host, self._games = host, LibraryGames(host)
        self.unfinished: Entry | None = None
        self.sought = False
        self.entries: list[Entry] = []

    def refresh(self) -> None:
        """Have the library look for changed files, on its thread."""
        self._games.library.refresh()

    def close(self) -> None:
        """Close the library."""
        self._games.close()

    def load(self) -> None:
        """Take the games from the library, if it has changed since the last time."""
        if not self._games.changed:
            return
        known, wanted = self._games.recent(_MOST_RECENT), self._host.settings.unfinished
        self.unfinished = next((entry for entry in known if _is_unfinished(entry, wanted)), None)
        self.sought = bool(wanted) and self._games.library.find(Path(wanted)) is None and os.path.exists(wanted)  # noqa: PTH110
        self.entries = [entry for entry in known if entry is not self.unfinished and entry.problem is None]

    def update(self) -> None:
        """Once a frame: take changes of the library."""
        self.load()
        self.sought = self.sought and self._games.busy

    def wake(self) -> float | None:
        """Seconds until the next update is due; None while no file is being read."""
        return 0.0 if self._games.changed else 0.2 if self._games.busy else None

    def proceed(self, file: Path) -> None:
        """Read the game in `file`, and open the screen on which it is continued."""
        self._host.read_game(file, lambda opened: self._host.open(screens.play, opened.record, file))

    def open(self, entry: Entry) -> None:
        """Open the game of `entry`: to be continued if it is unfinished, else in a replay."""
        if to_be_continued(entry):
            self.proceed(entry.path)
        else:
            self._host.open_file(entry.path)


def _is_unfinished(entry: Entry, wanted: str) -> bool:
    """Whether `entry` is an unfinished game and its file is `wanted`, a path or empty."""
    return bool(wanted) and entry.path == Path(wanted) and entry.result == UNFINISHED


def to_be_continued(entry: Entry) -> bool:
    """Whether the game is unfinished and has exactly one person. A game without a result between others may be a study.
    """
    return entry.result == UNFINISHED and only_person(entry.seats) is not None


# The score of two people.


_LOOK = 0.1  # seconds between two looks at whether anybody waits for the score


class HeadToHead(Part):
    """The score of the two named people who play `record`, over all their saved games of this kind. A thread reads it
    whenever the screen is opened. `file` returns where the record is saved, None before that."""

    def __init__(self, host: Host, record: GameRecord, file: Callable[[], Path | None]) -> None:
        self._host, self._record, self._file = host, record, file
        self._jobs = Jobs(host, card=False)
        self._before: dict[str, float] | None = None  # points in other games, by `_people`

    @property
    def _people(self) -> tuple[str, str]:
        """The names of both players, case-folded for comparison."""
        first, second = self._record.names
        return first.casefold(), second.casefold()

    @property
    def score(self) -> tuple[float, float] | None:
        """The points of each side, including this game once it is over. None until they are read, if both have no
        points, and unless two people with different names play."""
        people = self._people
        if self._before is None or self._before.keys() != set(people):
            return None
        first, second = (self._before[person] for person in people)
        if outcome := self._record.outcome:
            first += 0.5 if outcome.winner is None else outcome.winner == 0
            second += 0.5 if outcome.winner is None else outcome.winner == 1
        return (first, second) if first or second else None

    def open(self) -> None:
        """Start reading the score, if the players are two people with different names."""
        people, seats = self._people, self._record.seats
        if all(people) and people[0] != people[1] and {seat.player for seat in seats} == {PERSON}:
            game, names = self._record.setup.game, self._record.names
            work = partial(_read_score, self._host, _files_outside_library(self._host), game, names, self._file)
            title = t("library.title")
            self._jobs.start(Job(self._host, title, title, "", work, partial(self._take_score, people)))

    def _take_score(self, people: tuple[str, str], score: tuple[float, float] | None) -> None:
        """Keep the points of the two people in other games; `score` is None if the index could not be read."""
        if score is not None:
            self._before = dict(zip(people, score, strict=True))

    def update(self, now: float) -> None:
        """Take the score once the thread has read it."""
        self._jobs.update()

    def wake(self, now: float) -> float | None:
        """Return the seconds until the thread is checked again; None if it is not reading."""
        return self._jobs.due()

    def close(self) -> None:
        """Stop reading."""
        self._jobs.stop()


def _read_score(
    host: Host, others: list[Path], game: str, names: tuple[str, str], file: Callable[[], Path | None],
    on_progress: OnProgress,
) -> tuple[float, float] | None:  # fmt: skip
    """Wait until the library has read all files. Return the points of two people in the games of `game`, not counting
    the one in `file`; None if the index cannot be read."""
    changed = threading.Event()
    library = _open_library(host, others, changed.set)
    try:
        library.refresh()
        while True:
            while library.busy:
                on_progress(0.0)  # ends the work once nobody waits
                changed.wait(_LOOK)
                changed.clear()
            score = library.points_between(game, names, file())
            if not library.busy:  # else the index is being rebuilt
                return score
    finally:
        library.close()
