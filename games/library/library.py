"""The library: every saved game, searchable by moves, players and result.

A thread compares the folder with the index and reads new or changed files, so that the library can be searched at once.
See `games.library.index` for the index and `games.library.file_actions` for changes to the files.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import stat
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from games.formats import EXTENSIONS, FormatError, format_of, load
from games.formats.text import moves_text
from games.library.file_actions import FilesByGame, final_node
from games.library.index import (
    DRAW,
    FIRST_WON,
    LOST,
    SECOND_WON,
    UNFINISHED,
    WON,
    Entry,
    Index,
    Query,
    ReviewSummary,
    open_index,
    remove,
    set_aside,
)
from games.record import GameRecord, Node, only_person, path
from games.storage import cache_home, files_below, saves_home, stamp_of

__all__ = ["Entry", "GameLibrary", "Query", "opponent_tokens", "read_entry"]

_log = logging.getLogger(__name__)

Stamp = tuple[int, int]
Answer = TypeVar("Answer")

_UNKNOWN: Stamp = (0, 0)
"""The stamp of no file, since empty ones are left out: whatever has it in the index is read again."""

_BATCH = 0.2  # seconds of reading between commits
_PAUSE = 0.0005  # seconds after each file, to release the GIL
_MOST_RENEWALS = 3
_MOST_WORDS = 20_000  # characters of search words for a game


class GameLibrary:
    """The games in `folder` (None: the default one) and in `others`, files anywhere else.

    `words` returns additional search words (such as translated names); a new `edition` of them rebuilds the index.
    `recall` returns the review that a game contains. The library's thread calls `changed` when `version`, `progress` or
    `busy` has changed, and `rest` after each file; `rest` may block. All methods belong to the thread that created the
    library.
    """

    def __init__(
        self,
        folder: Path | None = None,
        index: Path | None = None,
        others: Iterable[Path] = (),
        words: Callable[[Entry], str] = lambda _entry: "",
        edition: str = "",
        changed: Callable[[], object] = lambda: None,
        rest: Callable[[], object] = lambda: None,
        recall: Callable[[GameRecord], ReviewSummary | None] = lambda _record: None,
    ) -> None:
        self.folder = folder or saves_home()
        self.others = tuple(others)
        self.version = 0
        self.busy = False
        self.progress = (0, 0)
        """How many of the new or changed files have been read, and how many there are."""
        self._words, self._changed, self._rest, self._recall = words, changed, rest, recall
        self._edition = edition
        self._index = open_index(index or cache_home() / "library.sqlite", edition=edition)
        self._renewals = 0
        self._broken = self._full = False  # the index; the disk
        self._stop, self._wanted = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None

    def refresh(self) -> None:
        """Have the library's thread compare the files with the index again. It is started by the first call."""
        self.busy = True
        self._wanted.set()
        if self._thread is None:
            self._stop.clear()
            self._thread = threading.Thread(target=self._run, args=(self._index,), name="library", daemon=True)
            self._thread.start()

    def close(self, seconds: float = 2.0) -> None:
        """End the thread, waiting for it for `seconds` at most. The library cannot be searched afterwards."""
        self._stop.set()
        self._wanted.set()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.join(seconds)
        if thread is None or not thread.is_alive() or self._index.path is not None:  # else the thread is still using it
            self._index.close()

    # Contents.

    def search(self, query: Query) -> list[int]:
        """Return the ids of the games that match `query`, in its order."""
        return self._ask(lambda index: index.search(query), [])

    def entries(self, ids: Iterable[int]) -> dict[int, Entry]:
        """Return the entries with these ids that still exist."""
        return self._ask(lambda index: index.entries(ids), {})

    def find(self, file: Path) -> int | None:
        """Return the id of the game in `file`; None until it is in the library."""
        return self._ask(lambda index: index.find(str(file)), None)

    def count(self) -> int:
        """Number of games; 0 if the index cannot be read."""
        return sum(self.tally().values())

    def tally(self) -> dict[tuple[str, str], int]:
        """Return the number of games by (game, result), as `Entry` has them; the game is empty for a damaged file.
        Empty if the index cannot be read."""
        return self._ask(lambda index: index.tally(), {})

    def files_by_game(self) -> FilesByGame:
        """Return the files of all games in the library, by `file_actions.duplicate_key`. Empty if the index cannot be
        read."""
        return self._ask(lambda index: index.files_by_game(), {})

    def opponents(self) -> list[tuple[str, str]]:
        """Return every pair of a game and an opponent in it (see `opponent_tokens`), most frequent first."""
        return self._ask(lambda index: index.opponents(), [])

    def points_between(
        self, game: str, names: tuple[str, str], apart: Path | None = None
    ) -> tuple[float, float] | None:
        """Return the points of two people in their games of `game` against each other, without that in the file
        `apart`, as `Index.points_between` does. None if the index cannot be read."""
        return self._ask(lambda index: index.points_between(game, names, apart), None)

    def _ask(self, question: Callable[[Index], Answer], nothing: Answer) -> Answer:
        """Return what `question` finds in the index. If that is damaged, begin to rebuild it and return `nothing`."""
        if not self._broken:
            try:
                return question(self._index)
            except Exception as error:  # a damaged database may raise anything
                _log.warning("The library's index is being rebuilt: %r", error)
        self._replace_index()
        return nothing

    def _replace_index(self) -> None:
        """Set an unusable index aside and fill a new one; in memory, if the disk is full. Do nothing after several
        times."""
        self._renewals += 1
        if self._renewals > _MOST_RENEWALS:
            return
        self.close()
        self._broken, file = False, self._index.path
        try:
            if file is not None:
                (remove if self._full else set_aside)(file)
        except OSError as error:
            _log.warning("The library's index cannot be set aside: %s", error)
        self._index = Index() if self._full or file is None else open_index(file, edition=self._edition)
        self.version += 1
        self.refresh()

    # The thread.

    def _run(self, reader: Index) -> None:
        """Body of the thread: synchronise the index whenever that is requested, until stopped. `reader` is the other
        thread's connection."""
        try:
            index = reader if reader.path is None else Index(reader.path, edition=self._edition)
            try:
                while not self._stop.is_set():
                    self._sync(index)
                    self._wanted.wait()
            finally:
                if index is not reader or self._stop.is_set():
                    index.close()
        except Exception as error:  # as in `_ask`; the log tells a damaged index from a bug
            _log.warning("The library's index cannot be updated.", exc_info=True)
            self._full = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
            self._broken, self.busy = True, False
            self._announce_change()

    def _sync(self, index: Index) -> None:
        """Update the index from the files, newest first. Return early when another synchronisation is requested."""
        self._wanted.clear()
        files = dict(self._files())
        indexed = index.stamps()
        if gone := indexed.keys() - files.keys():
            index.remove(gone)
        changed = sorted((file for file in files if indexed.get(file) != files[file]), key=lambda file: -files[file][0])
        self.progress = (0, len(changed))
        if gone:
            self._announce_change()
        self._read_files(index, changed, files)
        if not self._wanted.is_set():
            self.busy = False
            self._announce_change()

    def _read_files(self, index: Index, files: list[str], stamps: dict[str, Stamp]) -> None:
        """Read `files` and put their entries into the index in batches; stop early when another synchronisation is
        requested."""
        batch, due = [], time.monotonic() + _BATCH
        for number, file in enumerate(files, 1):
            entry, record = read_entry(Path(file), stamps[file], self._recall)
            batch.append((entry, opponent_tokens(record) if record else (), self._search_text(entry, record)))
            if time.monotonic() >= due or number == len(files) or self._wanted.is_set():
                index.put(batch)
                self.progress = (number, len(files))
                self._announce_change()
                batch, due = [], time.monotonic() + _BATCH
            if self._wanted.is_set():
                return
            time.sleep(_PAUSE)
            self._rest()

    def _announce_change(self) -> None:
        """Note that search results may differ, and tell the window."""
        self.version += 1
        self._changed()

    def _files(self) -> Iterable[tuple[str, Stamp]]:
        """Yield every file of the library with its time and size, except empty ones, which reserve names for unsaved
        games."""
        others = (file for file in self.others if file.suffix and file.name.lower().endswith(EXTENSIONS))
        saved = (file for file in files_below(self.folder) if file.name.lower().endswith(EXTENSIONS))
        files: Iterable[os.DirEntry[str] | Path] = (*saved, *others)
        for file in files:
            with suppress(OSError):
                facts = file.stat()
                if facts.st_size and stat.S_ISREG(facts.st_mode):
                    yield os.fspath(file), stamp_of(facts)

    def _search_text(self, entry: Entry, record: GameRecord | None) -> str:
        """Return the search words of a game; `record` is None if its file cannot be read."""
        if record is None:
            return f"{entry.name}\n{self._words(entry)}"
        names = [part for seat in record.seats for part in (seat.name, seat.player) if part]
        comments = [node.comment for node in record.nodes() if node.comment]
        setup = record.setup
        said = (*names, *record.about.texts(), setup.game, setup.rule, record.date)
        words = (entry.name, *said, entry.moves, self._words(entry), *comments)
        return "\n".join(words)[:_MOST_WORDS]


def read_entry(
    file: Path, stamp: Stamp, recall: Callable[[GameRecord], ReviewSummary | None] = lambda _record: None
) -> tuple[Entry, GameRecord | None]:
    """Return the index entry of `file` and its game; an entry with a `problem` and None if it cannot be read.

    `stamp` is the file's time in nanoseconds, and its size. The entry of a file that could not be opened has another
    one, so that it is tried again: that may pass without a change of the file. `recall` returns the review that a game
    contains.
    """
    at = stamp[0] / 1e9
    try:
        record = load(file)
        review = recall(record)
    except FormatError as error:
        return Entry(file, *(_UNKNOWN if error.kind == "unreadable" else stamp), error, at=at), None
    except Exception as error:  # one file must not hide the others
        _log.exception("%s cannot be read", file)
        return Entry(file, *stamp, FormatError(f"The file cannot be read: {error}."), at=at), None
    final = final_node(record)
    outcome = final.outcome
    digest, origin = ("", record.origin) if format_of(file).whole else (record.origin, "")
    if any(notice.kind == "more_games" for notice in record.notices):
        digest = ""  # a copy of its first game does not stand for the others
    entry = Entry(
        file, *stamp, None, record.setup, record.seats, _result(record, final),
        outcome.winner if outcome else None, outcome.reason if outcome else "",
        final.position.ply, _played_at(record.date, at), record.stones, moves_text(path(final)), review=review,
        score=outcome.score if outcome else None, digest=digest, origin=origin,
        occasion=record.about.occasion,
    )  # fmt: skip
    return entry, record


def _result(record: GameRecord, final: Node) -> str:
    """Return the `Entry.result` of a game that ended, or not, at `final`: from the only person's view if there is
    exactly one."""
    if final.outcome is None:
        return UNFINISHED
    winner = final.outcome.winner
    if winner is None:
        return DRAW
    person = only_person(record.seats)
    if person is None:
        return (FIRST_WON, SECOND_WON)[winner]
    return WON if winner == person else LOST


def _played_at(date: str, otherwise: float) -> float:
    """Return the time of an ISO date in seconds since the epoch; `otherwise` if it is not one."""
    try:
        return datetime.fromisoformat(date).timestamp()
    except (ValueError, OverflowError, OSError):
        return otherwise


def opponent_tokens(record: GameRecord) -> tuple[str, ...]:
    """Return what identifies the opponent of the only person, or both players if there is not exactly one person: ``=``
    and the name, or without a name the kind of player."""
    person = only_person(record.seats)
    seats = record.seats if person is None else (record.seats[1 - person],)
    return tuple(dict.fromkeys(f"={seat.name}" if seat.name else seat.player for seat in seats))
