"""The index of the library: an SQLite file with a row, and search words, for each saved game.

It contains only what the games' files contain, so an index that is damaged, locked or of another version is set aside
and rebuilt. A damaged database may raise `sqlite3.Error`, but also `ValueError` or `TypeError` for values in its
rows. `games.library.library` reads the files.

Return many results as one row (`_whole`), since SQLite releases the GIL for each row.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from games.fields import one_of, text, well_formed, whole
from games.formats import EXTENSIONS, tengen
from games.library.file_actions import FilesByGame
from games.library.rows import COLUMNS, Entry, entry_of, path_of, path_text, values_of
from games.registry import GAMES

SORTS = {
    "newest": "at DESC, name, id",
    "oldest": "at, name, id",
    "longest": "plies DESC, at DESC, name, id",
    "shortest": "plies, at DESC, name, id",
    "name": "name, at DESC, id",
}

_SCHEMA = 7
_READING = _SCHEMA, tengen.VERSION, EXTENSIONS, tuple(GAMES)
"""Increment when the contents of rows change: older indices are then rebuilt."""

_ONCE = "(digest = '' OR digest NOT IN (SELECT origin FROM games))"
"""The condition that a file has no copy with a person's changes, which stands for it."""

_LONGEST = 16 * 1024 * 1024  # characters of any text in a row
_LEAST_INDEXED = 3  # characters: the full-text index is of trigrams


@dataclass(frozen=True, slots=True)
class Query:
    """A search; empty fields match everything. All words of `text` must match.

    `opponents` are pairs of a game and an opponent in it, see `opponent_tokens`; `since` is in the unit of `Entry.at`.
    """

    text: str = ""
    game: str = ""
    rule: str = ""
    opponents: tuple[tuple[str, str], ...] = ()
    result: str = ""
    since: float = 0.0
    sort: str = "newest"


class Index:
    """Connect to the index at `path`, for one thread. Create it, or clear it if it is of another version.

    `edition` identifies the search words. Without a `path` the index is in memory, for one thread that writes and
    others that read.
    """

    def __init__(self, path: Path | None = None, patience: float = 10.0, edition: str = "") -> None:
        self.path = path
        self._stamp = zlib.crc32(repr((_READING, edition)).encode()) & 0x7FFFFFFF
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
        self._connection = sqlite3.connect(path or ":memory:", timeout=patience, check_same_thread=path is not None)
        try:
            self._prepare()
        except BaseException:
            self._connection.close()
            raise

    def _prepare(self) -> None:
        """Set the pragmas, and make the tables anew if their version differs."""
        run = self._connection.execute
        run("PRAGMA journal_mode = WAL")  # readers do not wait for the writer
        run("PRAGMA synchronous = OFF")  # damage by a power failure is repaired by a rebuild
        if run("PRAGMA user_version").fetchone()[0] != self._stamp:
            with self._connection:
                self._make()
        self._indexed = "fts5" in run("SELECT sql FROM sqlite_master WHERE name = 'words'").fetchone()[0]

    def _make(self) -> None:
        """Drop all tables and create empty ones; without FTS5 `words` is a plain table."""
        run = self._connection.execute
        run("BEGIN IMMEDIATE")
        for name in ("games", "words", "opponents"):
            run(f"DROP TABLE IF EXISTS {name}")
        run(f"CREATE TABLE games (id INTEGER PRIMARY KEY, {COLUMNS}, name, UNIQUE (path))")
        run("CREATE INDEX games_origin ON games (origin)")
        run("CREATE TABLE opponents (id, game, opponent)")
        run("CREATE INDEX opponents_id ON opponents (id)")
        try:
            run("CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = 'trigram', detail = 'full')")
        except sqlite3.OperationalError:  # SQLite without FTS5; a plain table is scanned
            run("CREATE TABLE words (text)")
        run(f"PRAGMA user_version = {self._stamp}")

    def close(self) -> None:
        """Close the database; errors are ignored."""
        with contextlib.suppress(sqlite3.Error):
            self._connection.close()

    # Writing.

    def stamps(self) -> dict[str, tuple[int, int]]:
        """Return the time and size of each file when it was read."""
        rows = self._connection.execute("SELECT path, mtime, bytes FROM games")
        return {path_of(text): (mtime, size) for text, mtime, size in rows}

    def put(self, entries: Iterable[tuple[Entry, Sequence[str], str]]) -> None:
        """Insert or replace entries, each with its opponents and search words. A replaced one keeps its id."""
        with self._connection:
            # Before the first read: another process may be inserting the same entries.
            self._connection.execute("BEGIN IMMEDIATE")
            for entry, opponents, words in entries:
                self._insert(self._remove(str(entry.path)), entry, opponents, words)

    def _insert(self, id_: int | None, entry: Entry, opponents: Sequence[str], words: str) -> None:
        """Insert an entry with its opponents and its searchable words."""
        values = (id_, *values_of(entry), well_formed(entry.name).casefold())
        marks = ", ".join("?" * len(values))
        run = self._connection.execute
        made = run(f"INSERT INTO games (id, {COLUMNS}, name) VALUES ({marks})", values).lastrowid
        run("INSERT INTO words (rowid, text) VALUES (?, ?)", (made, well_formed(words).casefold()))
        for opponent in opponents:
            run("INSERT INTO opponents VALUES (?, ?, ?)", (made, entry.setup.game if entry.setup else "", opponent))

    def remove(self, paths: Iterable[str]) -> None:
        """Forget the files at `paths`, in one transaction."""
        with self._connection:
            for path in paths:
                self._remove(path)

    def _remove(self, path: str) -> int | None:
        """Remove the entry of `path` and return its id, if there is one."""
        found = self._id_of(path)
        if found is not None:
            for table, key in (("games", "id"), ("words", "rowid"), ("opponents", "id")):
                self._connection.execute(f"DELETE FROM {table} WHERE {key} = ?", (found,))
        return found

    # Reading.

    def search(self, query: Query) -> list[int]:
        """Return the ids of the entries that match `query`, in its order. A file with a copy is left out."""
        tests: list[str] = [_ONCE]
        values: list[Any] = []
        for column in ("game", "result"):
            if wanted := getattr(query, column):
                tests.append(f"{column} = ?")
                values.append(wanted)
        if query.rule:
            games = [game.key for game in GAMES.values() if len(game.rules) > 1]
            tests.append(f"rule = ? AND game IN ({', '.join('?' * len(games))})")
            values += [query.rule, *games]
        if query.since:
            tests.append("at >= ?")
            values.append(query.since)
        if query.opponents:
            pairs = ", ".join(["(?, ?)"] * len(query.opponents))
            tests.append(f"id IN (SELECT id FROM opponents WHERE (game, opponent) IN (VALUES {pairs}))")
            values += [part for pair in query.opponents for part in pair]
        for word in query.text.casefold().split():
            test, value = self._containing(word)
            tests.append(f"id IN (SELECT rowid FROM words WHERE {test})")
            values.append(value)
        where = " AND ".join(tests)
        ids: list[int] = self._whole(f"SELECT id FROM games WHERE {where} ORDER BY {SORTS[query.sort]}", "id", values)
        return ids

    def _containing(self, word: str) -> tuple[str, str]:
        """Return the condition that a text contains `word`."""
        if self._indexed and len(word) >= _LEAST_INDEXED and "\0" not in word:
            quoted = word.replace('"', '""')
            return "words MATCH ?", f'"{quoted}"'
        return "instr(text, ?) > 0", word

    def entries(self, ids: Iterable[int]) -> dict[int, Entry]:
        """Return the entries with these ids that exist."""
        wanted = list(ids)
        marks = ", ".join("?" * len(wanted))
        row = f"json_array({COLUMNS}, id)"
        rows = self._whole(f"SELECT {COLUMNS}, id FROM games WHERE id IN ({marks})", row, wanted)
        return {entry.id: entry for entry in map(entry_of, rows)}

    def _whole(self, question: str, row: str, values: Sequence[Any]) -> list[Any]:
        """Return all answers to `question` in one row, with the expression `row` for each: SQLite releases the GIL for
        every row, and may wait long to get it back while the library is being read."""
        packed = self._connection.execute(f"SELECT json_group_array({row}) FROM ({question})", values).fetchone()[0]
        answers: list[Any] = json.loads(packed)
        return answers

    def find(self, path: str) -> int | None:
        """Return the id of the file at `path`, unless a copy stands for it."""
        return self._id_of(path, _ONCE)

    def _id_of(self, path: str, condition: str = "TRUE") -> int | None:
        """The row id of a path that fulfils an SQL condition; None if there is none."""
        question = f"SELECT id FROM games WHERE path = ? AND {condition}"
        row = self._connection.execute(question, (path_text(path),)).fetchone()
        return row[0] if row else None

    def tally(self) -> dict[tuple[str, str], int]:
        """Return the number of games by game and result, without foreign files that have been imported."""
        rows = self._connection.execute(f"SELECT game, result, count(*) FROM games WHERE {_ONCE} GROUP BY game, result")
        game, result = one_of("", *GAMES), text(tengen.LONGEST_NAME)
        return {(game(row[0]), result(row[1])): int(row[2]) for row in rows}

    def known(self) -> FilesByGame:
        """Return the files of all games that can be read, by what `importing.duplicate_key` returns of them."""
        rows = self._whole("SELECT game, size, moves, path FROM games", "json_array(game, size, moves, path)", ())
        known, size_of, found = text(_LONGEST), whole(0, 1000), FilesByGame()
        for game, size, moves, file in rows:
            found.setdefault((known(game), size_of(size), known(moves)), []).append(Path(path_of(known(file))))
        return found

    def opponents(self) -> list[tuple[str, str]]:
        """Return every pair of a game and an opponent in it, most frequent first."""
        rows = self._connection.execute(
            "SELECT game, opponent FROM opponents GROUP BY game, opponent ORDER BY count(*) DESC, opponent"
        )
        game, opponent = one_of("", *GAMES), text(tengen.LONGEST_NAME + 1)
        return [(game(row[0]), opponent(row[1])) for row in rows]


_PATIENCE = 0.5  # seconds to wait for another process, which may be the window's


def open_index(path: Path, edition: str = "") -> Index:
    """Open the index at `path`. Set aside one that cannot be used; where no file can be created or replaced, use
    memory."""
    with contextlib.suppress(Exception):  # a damaged database may raise anything
        return Index(path, _PATIENCE, edition)
    with contextlib.suppress(sqlite3.Error, OSError):
        set_aside(path)
        return Index(path, _PATIENCE, edition)
    return Index()


def set_aside(path: Path) -> None:
    """Rename the index at `path` for inspection. Raise `OSError`."""
    if path.exists():
        path.replace(path.with_name(f"{path.stem}.damaged{path.suffix}"))
    remove(path)


def remove(path: Path) -> None:
    """Remove the index at `path`. Raise `OSError`."""
    for ending in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
