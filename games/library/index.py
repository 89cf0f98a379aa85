"""The index of the library: an SQLite file with a row, and search words, for each saved game.

It contains only what the games' files contain, so an index that is damaged, locked or of another version is set aside
and rebuilt. A damaged database may raise `sqlite3.Error`, but also `ValueError` or `TypeError` for values in its rows;
all values of a row are validated before they are an `Entry`. `games.library.library` reads the files.

Many results are returned as one row (`_fetch_all`), since SQLite releases the GIL for each row.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from math import inf
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote_from_bytes, unquote_to_bytes

from games.fields import (
    DecodeError,
    checked,
    decode,
    entries,
    file_name,
    items,
    number,
    one_of,
    pair,
    parsed,
    text,
    well_formed,
    whole,
)
from games.formats import EXTENSIONS, MOST_BYTES, FormatError, file_title, format_of, tengen
from games.formats.common import KINDS
from games.library.file_actions import FilesByGame
from games.position import Stones
from games.record import PERSON, Seat
from games.registry import GAMES, Setup, setup

WON, LOST, FIRST_WON, SECOND_WON, DRAW = "won", "lost", "first", "second", "draw"
UNFINISHED, DAMAGED = "unfinished", "damaged"

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

_LONGEST = MOST_BYTES  # characters of any text in a row
_LEAST_INDEXED = 3  # characters: the full-text index is of trigrams
_DAY = 24 * 60 * 60  # seconds
_TIMES = (-7e10, 2.6e11)  # seconds since the epoch: from the year 1 to the year 9999


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewSummary:
    """A review in short: the accuracy of either side in per cent, and the number of its mistakes."""

    accuracy: tuple[float, float] = checked(pair(number(0, 100)))
    mistakes: tuple[int, int] = checked(pair(whole(0, inf)))


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of the library. `problem` says why it cannot be read; the game is then unknown.

    `result` is `WON` or `LOST` for the only person, `FIRST_WON` or `SECOND_WON` if there is not exactly one, or `DRAW`,
    `UNFINISHED`, `DAMAGED`. `at` is when it was played, in seconds since the epoch; `moves` is the position string of
    the final position, after the `stones` that were set up. `id` is 0 until the entry is in the index. `review` is None
    unless the whole game was reviewed. `score` is that of the outcome. `digest` identifies the contents of a file with
    one game in another format than ours, and `origin` is the digest of the file that one of ours was made of.
    `occasion` has the event, the place and the round.
    """

    path: Path
    mtime: int
    bytes: int
    problem: FormatError | None = None
    setup: Setup | None = None
    seats: tuple[Seat, Seat] = (Seat(), Seat())
    result: str = DAMAGED
    winner: int | None = None
    reason: str = ""
    plies: int = 0
    at: float = 0.0
    stones: Stones | None = None
    moves: str = ""
    id: int = 0
    review: ReviewSummary | None = None
    score: tuple[int, int] | None = None
    digest: str = ""
    origin: str = ""
    occasion: str = ""

    @property
    def name(self) -> str:
        """The file name without its extension."""
        return file_title(self.path)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Problem:
    message: str = checked(text(_LONGEST))
    kind: str = checked(one_of(*KINDS))
    facts: dict[str, Any] = checked(entries)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """The columns of a game, see `Entry`; `seats`, `score`, `stones` and `problem` are JSON."""

    path: str = checked(text(_LONGEST))
    mtime: int = checked(whole(-inf, inf))
    bytes: int = checked(whole(0, inf))
    problem: str = checked(text(_LONGEST))
    game: str = checked(one_of("", *GAMES))
    rule: str = checked(text(tengen.LONGEST_NAME))
    size: int = checked(whole(0, inf))
    seats: str = checked(text(_LONGEST))
    result: str = checked(one_of(WON, LOST, FIRST_WON, SECOND_WON, DRAW, UNFINISHED, DAMAGED))
    winner: int | None = checked(whole(0, 1), None)
    reason: str = checked(text(tengen.LONGEST_NAME))
    score: str = checked(text(_LONGEST))
    plies: int = checked(whole(0, inf))
    at: float = checked(number(*_TIMES))
    stones: str = checked(text(_LONGEST))
    moves: str = checked(text(_LONGEST))
    review: str = checked(text(_LONGEST))
    digest: str = checked(text(tengen.LONGEST_NAME))
    origin: str = checked(text(tengen.LONGEST_NAME))
    occasion: str = checked(text(_LONGEST))
    id: int = checked(whole(1, inf))


_NAMES = [each.name for each in fields(_Row)]
COLUMNS = ", ".join(_NAMES[:-1])


def entry_of(values: object) -> Entry:
    """Decode the list of values of a row: those of `COLUMNS`, and the id. Raise `ValueError` or `LookupError` for an
    invalid one."""
    row = decode(_Row, dict(zip(_NAMES, items(len(_NAMES), len(_NAMES))(values), strict=True)), "a game")
    game = setup(row.game, row.size, row.rule) if row.game else None
    seats = pair(tengen.seat_of)(parsed(row.seats))
    stones = tengen.stones_of(game, parsed(row.stones)) if game and row.stones else None
    facts = (game, seats, row.result, row.winner, row.reason, row.plies, row.at, stones, row.moves, row.id)
    path = Path(file_name(path_of(row.path)))
    if not path.name:
        raise DecodeError("must be the name of a file", "“path”", "a game")
    review = decode(ReviewSummary, parsed(row.review), "a review") if row.review else None
    score = pair(whole(-inf, inf))(parsed(row.score)) if row.score else None
    last = review, score, row.digest, row.origin, row.occasion
    return Entry(path, row.mtime, row.bytes, _decode_problem(row.problem), *facts, *last)


def _decode_problem(text: str) -> FormatError | None:
    """Decode why a file cannot be read; None for an empty text."""
    if not text:
        return None
    problem = decode(_Problem, parsed(text), "a problem")
    facts = {name: problem.facts[name] for name in KINDS[problem.kind]}
    return FormatError(problem.message, problem.kind, **facts)


def values_of(entry: Entry) -> tuple[Any, ...]:
    """Return the values of `COLUMNS` for an entry, from which `entry_of` restores it."""
    setup, problem, stones = entry.setup or Setup("", 0, ""), entry.problem, entry.stones
    seats = json.dumps([asdict(seat) for seat in entry.seats])
    why = problem and json.dumps({"message": str(problem), "kind": problem.kind, "facts": problem.facts}, default=str)
    score = entry.score and json.dumps(entry.score)
    begin = stones and json.dumps(tengen.stones_entry(setup, stones))
    review = entry.review and json.dumps(asdict(entry.review))
    return (
        path_text(str(entry.path)), entry.mtime, entry.bytes, why or "", setup.game, setup.rule, setup.size, seats,
        entry.result, entry.winner, entry.reason, score or "", entry.plies, entry.at, begin or "", entry.moves,
        review or "", entry.digest, entry.origin, entry.occasion,
    )  # fmt: skip


def path_text(path: str) -> str:
    """Encode `path` as valid text. A path that is not text, as file names on Linux may be, is percent-encoded after a
    ``%``; so is one that begins with ``%``."""
    if well_formed(path) == path and not path.startswith("%"):
        return path
    return "%" + quote_from_bytes(os.fsencode(path))


def path_of(text: object) -> str:
    """Return the path that `path_text` encoded. Raise `TypeError` for a value that is no text, as a damaged file may
    hold."""
    if not isinstance(text, str):
        raise TypeError("A path is not text.")
    return os.fsdecode(unquote_to_bytes(text[1:])) if text.startswith("%") else text


class _Meeting(NamedTuple):
    """A finished game: the case-folded names of its `people`, empty for a computer, and its file."""

    people: tuple[str, str]
    winner: int | None
    at: float
    moves: str
    file: Path

    @property
    def ours(self) -> bool:
        """Whether the file is in our format."""
        return format_of(self.file).whole


def _meeting_of(row: object) -> _Meeting:
    """Decode the values (seats, winner, at, moves, path) of a finished game. Raise `ValueError` or `LookupError` for
    invalid ones."""
    seats, winner, at, moves, file = items(5, 5)(row)
    first, second = pair(tengen.seat_of)(parsed(text(_LONGEST)(seats)))
    people = tuple(seat.name.casefold() if seat.player == PERSON else "" for seat in (first, second))
    who = None if winner is None else whole(0, 1)(winner)
    path = Path(path_of(text(_LONGEST)(file)))
    return _Meeting((people[0], people[1]), who, number(*_TIMES)(at), text(_LONGEST)(moves), path)


def _without_copies(meetings: Sequence[_Meeting], apart: Path | None) -> list[_Meeting]:
    """Return one of the copies of each game; none of the game that is in the file `apart`. A copy in another format may
    be of any time of the same day."""
    alike: dict[object, list[list[_Meeting]]] = {}  # the copies of each game, by people and moves
    for each in sorted(meetings, key=lambda each: not each.ours):
        games = alike.setdefault((each.people, each.moves), [])
        for copies in games:
            later = copies[0].at - each.at
            if later == 0 or (not each.ours and 0 <= later < _DAY):
                copies.append(each)
                break
        else:
            games.append([each])
    found = itertools.chain.from_iterable(alike.values())
    return [copies[0] for copies in found if all(each.file != apart for each in copies)]


@dataclass(frozen=True, slots=True)
class Query:
    """A search; empty fields match everything. All words of `text` must match. `sort` is a key of `SORTS`.

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
    """The index at `path`, for use by one thread. A missing file is created; one of another version is emptied.

    Without a `path` the index is in memory, for one thread that writes and others that read. `patience` is how many
    seconds to wait for another process. A new `edition` of the search words counts as another version.
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
        """Set the pragmas; drop and create all tables if they are of another version."""
        run = self._connection.execute
        run("PRAGMA journal_mode = WAL")  # readers do not wait for the writer
        run("PRAGMA synchronous = OFF")  # damage by a power failure is repaired by a rebuild
        if run("PRAGMA user_version").fetchone()[0] != self._stamp:
            with self._connection:
                self._create_tables()
        self._indexed = "fts5" in run("SELECT sql FROM sqlite_master WHERE name = 'words'").fetchone()[0]

    def _create_tables(self) -> None:
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
        """Return the time in nanoseconds and the size that each file had when it was read, by path."""
        rows = self._connection.execute("SELECT path, mtime, bytes FROM games")
        return {path_of(text): (mtime, size) for text, mtime, size in rows}

    def put(self, entries: Iterable[tuple[Entry, Sequence[str], str]]) -> None:
        """Insert or replace entries, each with its opponents (see `opponent_tokens`) and search words. A replaced one
        keeps its id."""
        with self._connection:
            # Before the first read: another process may be inserting the same entries.
            self._connection.execute("BEGIN IMMEDIATE")
            for entry, opponents, words in entries:
                self._insert(self._remove(str(entry.path)), entry, opponents, words)

    def _insert(self, id_: int | None, entry: Entry, opponents: Sequence[str], words: str) -> None:
        """Insert an entry with its opponents and search words, under the id `id_` or a new one for None."""
        values = (id_, *values_of(entry), well_formed(entry.name).casefold())
        marks = ", ".join("?" * len(values))
        run = self._connection.execute
        made = run(f"INSERT INTO games (id, {COLUMNS}, name) VALUES ({marks})", values).lastrowid
        run("INSERT INTO words (rowid, text) VALUES (?, ?)", (made, well_formed(words).casefold()))
        for opponent in opponents:
            run("INSERT INTO opponents VALUES (?, ?, ?)", (made, entry.setup.game if entry.setup else "", opponent))

    def remove(self, paths: Iterable[str]) -> None:
        """Remove the entries of the files at `paths`, in one transaction."""
        with self._connection:
            for path in paths:
                self._remove(path)

    def _remove(self, path: str) -> int | None:
        """Remove the entry of `path` and return its id; None if there is none."""
        found = self._id_of(path)
        if found is not None:
            for table, key in (("games", "id"), ("words", "rowid"), ("opponents", "id")):
                self._connection.execute(f"DELETE FROM {table} WHERE {key} = ?", (found,))
        return found

    # Reading.

    def search(self, query: Query) -> list[int]:
        """Return the ids of the entries that match `query`, in its order, without files of which the library has an
        imported copy."""
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
            test, value = self._word_condition(word)
            tests.append(test)
            values.append(value)
        where = " AND ".join(tests)
        question = f"SELECT id FROM games WHERE {where} ORDER BY {SORTS[query.sort]}"
        ids: list[int] = self._fetch_all(question, "id", values)
        return ids

    def _word_condition(self, word: str) -> tuple[str, str]:
        """Return an SQL condition that the search words of a game contain `word`, with the value of its placeholder."""
        test, value = "instr(text, ?) > 0", word
        if self._indexed and len(word) >= _LEAST_INDEXED and "\0" not in word:
            quoted = word.replace('"', '""')
            test, value = "words MATCH ?", f'"{quoted}"'
        return f"id IN (SELECT rowid FROM words WHERE {test})", value

    def entries(self, ids: Iterable[int]) -> dict[int, Entry]:
        """Return the entries with these ids; ids that do not exist are left out."""
        wanted = list(ids)
        marks = ", ".join("?" * len(wanted))
        row = f"json_array({COLUMNS}, id)"
        rows = self._fetch_all(f"SELECT {COLUMNS}, id FROM games WHERE id IN ({marks})", row, wanted)
        return {entry.id: entry for entry in map(entry_of, rows)}

    def _fetch_all(self, question: str, row: str, values: Sequence[Any]) -> list[Any]:
        """Return the rows of the query `question`, each as the SQL expression `row` makes it. They are fetched as one:
        SQLite releases the GIL for every row, and may wait long to get it back while the library is being read."""
        packed = self._connection.execute(f"SELECT json_group_array({row}) FROM ({question})", values).fetchone()[0]
        answers: list[Any] = json.loads(packed)
        return answers

    def find(self, path: str) -> int | None:
        """Return the id of the file at `path`; None if it is not in the index or if the library has an imported copy of
        it."""
        return self._id_of(path, _ONCE)

    def _id_of(self, path: str, condition: str = "TRUE") -> int | None:
        """Return the id of the entry of `path` if it fulfils an SQL condition, else None."""
        question = f"SELECT id FROM games WHERE path = ? AND {condition}"
        row = self._connection.execute(question, (path_text(path),)).fetchone()
        return row[0] if row else None

    def tally(self) -> dict[tuple[str, str], int]:
        """Return the number of games by (game, result), without files of which the library has an imported copy. The
        game is empty for a file that cannot be read."""
        rows = self._connection.execute(f"SELECT game, result, count(*) FROM games WHERE {_ONCE} GROUP BY game, result")
        game, result = one_of("", *GAMES), text(tengen.LONGEST_NAME)
        return {(game(row[0]), result(row[1])): int(row[2]) for row in rows}

    def points_between(self, game: str, names: tuple[str, str], apart: Path | None) -> tuple[float, float]:
        """Return the points of two people, in the order of `names`, in their finished games of `game` against each
        other, on either side: 1 for a win, ½ for a draw. Names are compared without regard to case.

        The game in the file `apart` does not count, and one that several files contain counts once.
        """
        people = tuple(name.casefold() for name in names)
        tests = ["game = ?", "result IN (?, ?, ?)", _ONCE]
        values: list[Any] = [game, FIRST_WON, SECOND_WON, DRAW]
        for word in dict.fromkeys(" ".join(people).split()):  # what is left is few
            test, value = self._word_condition(word)
            tests.append(test)
            values.append(value)
        question = f"SELECT seats, winner, at, moves, path FROM games WHERE {' AND '.join(tests)}"
        rows = map(_meeting_of, self._fetch_all(question, "json_array(seats, winner, at, moves, path)", values))
        points = dict.fromkeys(people, 0.0)
        for meeting in _without_copies([row for row in rows if sorted(row.people) == sorted(people)], apart):
            for side, person in enumerate(meeting.people):
                points[person] += 0.5 if meeting.winner is None else meeting.winner == side
        return points[people[0]], points[people[1]]

    def files_by_game(self) -> FilesByGame:
        """Return the files of all games in the index, by `file_actions.duplicate_key`."""
        rows = self._fetch_all("SELECT game, size, moves, path FROM games", "json_array(game, size, moves, path)", ())
        known, size_of, found = text(_LONGEST), whole(0, inf), FilesByGame()
        for game, size, moves, file in rows:
            found.setdefault((known(game), size_of(size), known(moves)), []).append(Path(path_of(known(file))))
        return found

    def opponents(self) -> list[tuple[str, str]]:
        """Return every pair of a game and an opponent in it (see `opponent_tokens`), most frequent first."""
        rows = self._connection.execute(
            "SELECT game, opponent FROM opponents GROUP BY game, opponent ORDER BY count(*) DESC, opponent"
        )
        game, opponent = one_of("", *GAMES), text(tengen.LONGEST_NAME + 1)
        return [(game(row[0]), opponent(row[1])) for row in rows]


_PATIENCE = 0.5  # seconds to wait for another process, which may be the window's


def open_index(path: Path, edition: str = "") -> Index:
    """Open the index at `path`. One that cannot be used is set aside and replaced by an empty one; if that fails, too,
    it is in memory."""
    with contextlib.suppress(Exception):  # a damaged database may raise anything
        return Index(path, _PATIENCE, edition)
    with contextlib.suppress(sqlite3.Error, OSError):
        set_aside(path)
        return Index(path, _PATIENCE, edition)
    return Index()


def set_aside(path: Path) -> None:
    """Rename the index at `path` to ``name.damaged.sqlite`` for inspection, replacing an earlier one. Raise
    `OSError`."""
    if path.exists():
        path.replace(path.with_name(f"{path.stem}.damaged{path.suffix}"))
    remove(path)


def remove(path: Path) -> None:
    """Delete the SQLite database at `path`, with its temporary files. Raise `OSError`."""
    for ending in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
