"""The index of the library: one SQLite file with a row for each saved game, and the words to find it by.

It holds nothing that the games' files do not, so one that is damaged, locked or of another version is set
aside and filled anew. `games.library.library` reads the files; here is only what concerns the database. What a damaged
database raises is not foreseen: `sqlite3.Error`, but also `ValueError` or `TypeError` for what is in its rows.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from games.fields import one_of, text, well_formed
from games.formats import EXTENSIONS, native
from games.library.rows import COLUMNS, Entry, entry_of, path_of, path_text, problem_text
from games.registry import GAMES, Setup

SORTS = {
    "newest": "at DESC, name, id",
    "oldest": "at, name, id",
    "longest": "plies DESC, at DESC, name, id",
    "shortest": "plies, at DESC, name, id",
    "name": "name, at DESC, id",
}

_SCHEMA = 2
_READING = _SCHEMA, native.VERSION, EXTENSIONS, tuple(GAMES)
"""Another one means that files may be read in another way than the rows of that index were."""

_LEAST_INDEXED = 3  # characters: the index knows every three in a row


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for; whatever is left empty admits everything. All words of `text` must be found.

    `opponents` are pairs of a game and an opponent in it, see `opponents_of`; `since` is a time as in `Entry.at`.
    """

    text: str = ""
    game: str = ""
    rule: str = ""
    opponents: tuple[tuple[str, str], ...] = ()
    result: str = ""
    since: float = 0.0
    sort: str = "newest"


class Index:
    """A connection to the index at `path`, for one thread. It is made, and emptied if it is of another version.

    `edition` tells one choice of words from another. Without a `path` it is in memory, and for one thread that writes
    and others that read.
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
        run = self._connection.execute
        run("PRAGMA journal_mode = WAL")  # whoever reads does not wait for whoever writes
        run("PRAGMA synchronous = OFF")  # what a power failure may damage is rebuilt
        if run("PRAGMA user_version").fetchone()[0] != self._stamp:
            with self._connection:
                self._make()
        self._indexed = "fts5" in run("SELECT sql FROM sqlite_master WHERE name = 'words'").fetchone()[0]

    def _make(self) -> None:
        run = self._connection.execute
        run("BEGIN IMMEDIATE")
        for name in ("games", "words", "opponents"):
            run(f"DROP TABLE IF EXISTS {name}")
        run(f"CREATE TABLE games (id INTEGER PRIMARY KEY, {COLUMNS}, name, UNIQUE (path))")
        run("CREATE TABLE opponents (id, game, opponent)")
        run("CREATE INDEX opponents_id ON opponents (id)")
        try:
            run("CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = 'trigram', detail = 'full')")
        except sqlite3.OperationalError:  # an SQLite without it; a plain table is searched from end to end
            run("CREATE TABLE words (text)")
        run(f"PRAGMA user_version = {self._stamp}")

    def close(self) -> None:
        with contextlib.suppress(sqlite3.Error):
            self._connection.close()

    # Writing.

    def stamps(self) -> dict[str, tuple[int, int]]:
        """The time and the size that each file had when it was read."""
        rows = self._connection.execute("SELECT path, mtime, bytes FROM games")
        return {path_of(text): (mtime, size) for text, mtime, size in rows}

    def put(self, entries: Iterable[tuple[Entry, Sequence[str], str]]) -> None:
        """Add entries, each with its opponents and the words to find it by, in place of those of the same path."""
        with self._connection:
            # Before the first look: another program may be putting the same entries here.
            self._connection.execute("BEGIN IMMEDIATE")
            for entry, opponents, words in entries:
                self._remove(str(entry.path))
                self._insert(entry, opponents, words)

    def _insert(self, entry: Entry, opponents: Sequence[str], words: str) -> None:
        setup = entry.setup or Setup("", 0, "")
        seats = json.dumps([asdict(seat) for seat in entry.seats])
        values: tuple[Any, ...] = (path_text(str(entry.path)), entry.mtime, entry.bytes, problem_text(entry.problem))
        values += (setup.game, setup.rule, setup.size, seats, entry.result, entry.winner, entry.reason)
        values += (entry.plies, entry.at, entry.moves, well_formed(entry.name).casefold())
        marks = ", ".join("?" * len(values))
        run = self._connection.execute
        made = run(f"INSERT INTO games ({COLUMNS}, name) VALUES ({marks})", values).lastrowid
        run("INSERT INTO words (rowid, text) VALUES (?, ?)", (made, well_formed(words).casefold()))
        for opponent in opponents:
            run("INSERT INTO opponents VALUES (?, ?, ?)", (made, setup.game, opponent))

    def remove(self, paths: Iterable[str]) -> None:
        with self._connection:
            for path in paths:
                self._remove(path)

    def _remove(self, path: str) -> None:
        run = self._connection.execute
        found = run("SELECT id FROM games WHERE path = ?", (path_text(path),)).fetchone()
        if found:
            for table, key in (("games", "id"), ("words", "rowid"), ("opponents", "id")):
                run(f"DELETE FROM {table} WHERE {key} = ?", found)

    # Reading.

    def search(self, query: Query) -> list[int]:
        """The ids of the entries that `query` admits, in its order."""
        tests: list[str] = []
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
        where = f"WHERE {' AND '.join(tests)}" if tests else ""
        ids: list[int] = self._whole(f"SELECT id FROM games {where} ORDER BY {SORTS[query.sort]}", "id", values)
        return ids

    def _containing(self, word: str) -> tuple[str, str]:
        """The test for a text that contains `word`, anywhere."""
        if self._indexed and len(word) >= _LEAST_INDEXED and "\0" not in word:
            quoted = word.replace('"', '""')
            return "words MATCH ?", f'"{quoted}"'
        return "instr(text, ?) > 0", word

    def entries(self, ids: Iterable[int]) -> dict[int, Entry]:
        """The entries with these ids, as far as they are there."""
        wanted = list(ids)
        marks = ", ".join("?" * len(wanted))
        row = f"json_array({COLUMNS}, id)"
        rows = self._whole(f"SELECT {COLUMNS}, id FROM games WHERE id IN ({marks})", row, wanted)
        return {entry.id: entry for entry in map(entry_of, rows)}

    def _whole(self, question: str, row: str, values: Sequence[Any]) -> list[Any]:
        """All answers to `question`, each as the expression `row` has it, by one row of the database: for every row
        the interpreter is let go, and while the library is being read it is a while until it comes back."""
        packed = self._connection.execute(f"SELECT json_group_array({row}) FROM ({question})", values).fetchone()[0]
        answers: list[Any] = json.loads(packed)
        return answers

    def find(self, path: Path) -> int | None:
        """The id of the file at `path`."""
        found = self._connection.execute("SELECT id FROM games WHERE path = ?", (path_text(str(path)),)).fetchone()
        return found[0] if found else None

    def count(self) -> int:
        found: int = self._connection.execute("SELECT count(*) FROM games").fetchone()[0]
        return found

    def opponents(self) -> list[tuple[str, str]]:
        """Every pair of a game and an opponent in it, the most frequent first."""
        rows = self._connection.execute(
            "SELECT game, opponent FROM opponents GROUP BY game, opponent ORDER BY count(*) DESC, opponent"
        )
        game, opponent = one_of("", *GAMES), text(native.LONGEST_NAME + 1)
        return [(game(row[0]), opponent(row[1])) for row in rows]


def open_index(path: Path, patience: float = 0.5, edition: str = "") -> Index:
    """The index at `path`. One that cannot be used is set aside for a new one; where no file can be made or
    replaced, the new one is in memory."""
    with contextlib.suppress(Exception):  # whatever is in it
        return Index(path, patience, edition)
    with contextlib.suppress(sqlite3.Error, OSError):
        set_aside(path)
        return Index(path, patience, edition)
    return Index()


def set_aside(path: Path) -> None:
    """Put the index at `path` out of the way, to be looked at. Raise `OSError`."""
    if path.exists():
        path.replace(path.with_name(f"{path.stem}.damaged{path.suffix}"))
    remove(path)


def remove(path: Path) -> None:
    """Remove the index at `path`. Raise `OSError`."""
    for ending in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
