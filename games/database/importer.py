"""Fill a database with the games of files and folders.

Transactions end after some hundred games, each with how far it has come in a file: an import that was stopped, killed
or cut off by a full disk continues there. What it keeps in memory does not depend on how many games there are.
"""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import inf
from pathlib import Path

from games.database.position_keys import KeyedMove, keys_of
from games.database.reader import stored_keys
from games.database.schema import (
    DRAWN,
    EXTENSION,
    FIRST_WON,
    OPENING,
    SECOND_WON,
    DatabaseError,
    Row,
    close,
    connect,
    reported,
    row_of,
    same_day,
)  # fmt: skip
from games.evaluation import Evaluation
from games.fields import whole
from games.formats import FormatError, read_each
from games.library.file_actions import game_files
from games.library.index import path_of, path_text, remove
from games.record import GameRecord, Node, Seat
from games.storage import cache_home, saves_home, stamp_of

MOST_BYTES = 256 << 20
"""Larger files are left out, with a sentence."""

GAMES_AT_ONCE = 500  # in a transaction
_MOST_SECONDS = 2.0  # of a transaction
PERIOD = 0.2  # seconds between two reports of the progress
_MOST_NAMES = 50_000  # kept in memory
_count = whole(0, inf)


@dataclass(frozen=True, slots=True)
class UnreadGame:
    """A game that could not be read: game `number` of `file`, from 1; with number 0 the whole file."""

    file: str
    error: FormatError
    number: int = 0

    def __str__(self) -> str:
        """Return the error, with the number of the game in its file if that is known."""
        return f"Game {self.number}: {self.error}" if self.number else str(self.error)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an import is: bytes `done` of the `total` that were to be read, and the numbers of imported `games` and
    of `duplicates`. `file` is being read; it is empty at the end. `failures` are those since the last report."""

    done: int = 0
    total: int = 0
    games: int = 0
    duplicates: int = 0
    file: str = ""
    failures: tuple[UnreadGame, ...] = ()

    @property
    def share(self) -> float:
        """The progress from 0 to 1."""
        return min(1.0, self.done / self.total) if self.total else 1.0


def import_games(
    database: Path, chosen: Iterable[Path], mirror: bool = False, pace: Callable[[], object] = lambda: None
) -> Iterator[Progress]:
    """Import the games of the files and folders `chosen` into `database`, which is created if there is none. Yield the
    progress from time to time, and at the end. `pace` is called after each game.

    Files that were imported before are left out unless they have changed; of one that was read in part the rest is
    imported. A game that is there already is counted as a duplicate. With `mirror`, the games of each file are replaced
    by what it has now, duplicates included, and those of files that are not among the chosen ones any more are removed.

    Raise `DatabaseError`; what was imported before stays.
    """
    writer = Writer(database)
    try:
        yield from _Import(writer, chosen, mirror, pace).run()
    finally:
        writer.close()


def library_database() -> Path:
    """Return the path of the database of the saved games, which `mirror_library` brings up to date."""
    return cache_home() / f"library{EXTENSION}"


def mirror_library(database: Path | None = None, folder: Path | None = None) -> Iterator[Progress]:
    """Bring the `database` of the saved games in `folder` up to date with their files; yield the progress. By default
    these are the user's. A database that is damaged, of a newer version or of another program is deleted and filled
    anew. Raise `DatabaseError`."""
    database = database or library_database()
    mirrored = partial(import_games, database, [folder or saves_home()], mirror=True)
    try:
        yield from mirrored()
    except DatabaseError as error:
        if error.kind not in ("foreign", "newer", "damaged"):
            raise
        with reported(database):
            remove(database)
        yield from mirrored()


class _Import:
    """An import under way."""

    def __init__(
        self, writer: Writer, chosen: Iterable[Path], mirror: bool, pace: Callable[[], object]
    ) -> None:
        self._writer, self._mirror, self._pace = writer, mirror, pace
        self._stamps = {os.fspath(path): stamp for path, stamp in _stamps(chosen)}
        self._done, self._total = 0, sum(size for _, size in self._stamps.values())
        self._games = self._duplicates = 0
        self._failures: list[UnreadGame] = []
        self._due = 0.0

    def run(self) -> Iterator[Progress]:
        """Import the files, and yield the progress."""
        if self._mirror:
            self._writer.forget([path for path in self._writer.paths() if path not in self._stamps])
        for path, (mtime, size) in self._stamps.items():
            known = self._writer.source(path)
            if known is not None and known.stamp != (mtime, size):
                if self._mirror:
                    self._writer.forget([path])
                known = None
            if known is None or not known.complete:
                yield from self._import_file(path, known or _Source((mtime, size)))
            self._done += size
        self._writer.commit()
        yield self._progress("")

    def _import_file(self, path: str, known: _Source) -> Iterator[Progress]:
        """Import the games of a file that are not imported yet, from `known.done` on; yield the progress."""
        source, number, size = self._writer.begin(path, known), known.count, known.stamp[1]
        try:
            for at, found in read_each(Path(path), known.done, MOST_BYTES):
                number += 1
                if isinstance(found, FormatError):
                    self._failures.append(UnreadGame(path, found, number))
                else:
                    self._store_game(found, source, number, path)
                self._writer.reached(source, at, number)
                self._pace()
                if time.monotonic() >= self._due:
                    yield self._progress(path, min(at, size))
        except FormatError as error:
            self._failures.append(UnreadGame(path, error))
            if error.kind == "unreadable" or not self._mirror:  # another time, or a later version, may read it
                return
        self._writer.reached(source, None)
        if time.monotonic() >= self._due:
            yield self._progress(path, size)

    def _store_game(self, record: GameRecord, source: int, number: int, path: str) -> None:
        """Store a game, and count it as new, as a duplicate or as a failure."""
        try:
            new = self._writer.put(record, source, number, unique=not self._mirror)
        except FormatError as error:
            self._failures.append(UnreadGame(path, error, number))
            return
        self._games += new
        self._duplicates += not new

    def _progress(self, path: str, read: int = 0) -> Progress:
        """Return the progress after `read` bytes of the file at `path`, with the failures since the last report."""
        failures, self._failures = tuple(self._failures), []
        self._due = time.monotonic() + PERIOD
        return Progress(self._done + read, self._total, self._games, self._duplicates, path, failures)


def _stamps(chosen: Iterable[Path]) -> Iterator[tuple[Path, tuple[int, int]]]:
    """Yield each file in the files and folders `chosen`, with its (time in nanoseconds, size); (0, 0) if that is
    unknown, as for a missing file."""
    for path in chosen:
        for file in game_files(path):
            try:
                facts = file.stat()
                yield file.absolute(), stamp_of(facts)
            except (OSError, ValueError):
                yield file.absolute(), (0, 0)


# Writing.


@dataclass(slots=True)
class _Source:
    """How far a file with this `stamp` (time, size) was imported: its first `count` games, up to `done`, a number that
    `games.formats.read_each` can begin at."""

    stamp: tuple[int, int]
    done: int = 0
    count: int = 0
    complete: bool = False


@dataclass(slots=True)
class _Sum:
    """What a transaction adds to a row of `continuations`."""

    games: int = 0
    results: list[int] = field(default_factory=lambda: [0, 0, 0])
    last: str = ""


class Writer:
    """Writes games into the database at `path`; into one in memory if that is None. Raise `DatabaseError`."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self.connection = connect(path, writing=True)
        self._setups: dict[object, int] = {}
        self._names: dict[object, int] = {}
        self._reset_queue()

    def _reset_queue(self) -> None:
        """Begin a new transaction's queue of positions and sums."""
        self._positions: list[tuple[int, int, int, int]] = []
        self._sums: defaultdict[tuple[int, int], _Sum] = defaultdict(_Sum)
        self._games, self._until = 0, time.monotonic() + _MOST_SECONDS

    def close(self) -> None:
        """Discard what was not committed, and close the database."""
        if self.connection.in_transaction:
            self.connection.rollback()
        close(self.connection)

    # Files.

    def paths(self) -> list[str]:
        """Return the paths of the imported files."""
        with reported(self._path):
            return [path_of(path) for (path,) in self.connection.execute("SELECT path FROM sources")]

    def source(self, path: str) -> _Source | None:
        """Return how far the file at `path` was imported; None if it was not."""
        with reported(self._path):
            question = "SELECT mtime, bytes, done, count, complete FROM sources WHERE path = ?"
            row = self.connection.execute(question, (path_text(path),)).fetchone()
            return None if row is None else _Source((row[0], row[1]), _count(row[2]), _count(row[3]), bool(row[4]))

    def begin(self, path: str, known: _Source) -> int:
        """Note that the file at `path` is being imported from `known` on; return its id in the database."""
        with reported(self._path):
            self._begin()
            self.connection.execute(
                "INSERT INTO sources (path, mtime, bytes, done, count, complete) VALUES (?, ?, ?, ?, ?, 0)"
                " ON CONFLICT (path) DO UPDATE SET mtime = excluded.mtime, bytes = excluded.bytes,"
                " done = excluded.done, count = excluded.count, complete = 0",
                (path_text(path), *known.stamp, known.done, known.count),
            )
            question = "SELECT id FROM sources WHERE path = ?"
            found: int = self.connection.execute(question, (path_text(path),)).fetchone()[0]
        return found

    def reached(self, source: int, at: int | None, count: int = 0) -> None:
        """Note that the file with the id `source` is imported up to `at`, its first `count` games; None means to its
        end. Commit if the transaction is large or old enough; otherwise only the end of a file is noted."""
        due = self._games >= GAMES_AT_ONCE or time.monotonic() >= self._until
        if not (due or at is None):
            return
        with reported(self._path):
            self._begin()
            change = "complete = 1" if at is None else f"done = {at:d}, count = {count:d}"
            self.connection.execute(f"UPDATE sources SET {change} WHERE id = ?", (source,))
        if due:
            self.commit()

    def forget(self, paths: Sequence[str]) -> None:
        """Remove files with their games from the database, and commit."""
        touched: set[int] = set()
        with reported(self._path):
            for path in paths:
                self._begin()
                run = self.connection.execute
                found = run("SELECT id FROM sources WHERE path = ?", (path_text(path),)).fetchone()
                games = run("SELECT id FROM games WHERE source = ?", found).fetchall() if found else ()
                for (game,) in games:
                    keys = stored_keys(self.connection, game, self._path)
                    touched |= set(keys)
                    self.connection.executemany(
                        "DELETE FROM positions WHERE key = ? AND game = ?", ((key, game) for key in keys)
                    )
                    run("DELETE FROM games WHERE id = ?", (game,))
                run("DELETE FROM sources WHERE path = ?", (path_text(path),))
            for key in touched:
                self._add_up(key)
        self.commit()

    def _add_up(self, key: int) -> None:
        """Compute the sums of a position in `continuations` again, if it has any."""
        run = self.connection.execute
        if run("SELECT 1 FROM continuations WHERE key = ?", (key,)).fetchone():
            run("DELETE FROM continuations WHERE key = ?", (key,))
            run(f"INSERT INTO continuations {SUMS} WHERE positions.key = ? GROUP BY positions.key, move", (key,))

    # Games.

    def put(self, record: GameRecord, source: int = 0, number: int = 0, unique: bool = True) -> bool:
        """Store a game, the one with this `number` in the file with the id `source`. Return False, without storing it,
        for a duplicate if games are `unique`. Raise `FormatError` for a game that no file could hold."""
        row, line = row_of(record)
        with reported(self._path):
            self._begin()
            if unique and self._is_known(row):
                return False
            game = self._insert(row, source, number)
        self._queue_positions(game, row, line)
        self._games += 1
        return True

    def _begin(self) -> None:
        """Begin a transaction, unless one has begun."""
        if not self.connection.in_transaction:
            self.connection.execute("BEGIN IMMEDIATE")

    def _is_known(self, row: Row) -> bool:
        """Return whether the database has a game with the same moves and players, perhaps of the same day. If the given
        one has more comments and variations, keep those instead."""
        question = "SELECT id, moves, day, coalesce(length(whole), 0) FROM games WHERE digest = ?"
        for game, moves, day, size in self.connection.execute(question, (row.digest,)).fetchall():
            if moves == row.moves and same_day(day, row.day):
                if row.whole is not None and len(row.whole) > size:
                    self.connection.execute("UPDATE games SET whole = ? WHERE id = ?", (row.whole, game))
                return True
        return False

    def _insert(self, row: Row, source: int, number: int) -> int:
        """Insert a row of `games`; return its id."""
        setup, first, second = row.setup, self._player(row.seats[0]), self._player(row.seats[1])
        values = (
            self._id(self._setups, "setups", game=setup.game, size=setup.size, rule=setup.rule), first, second,
            self._event(row.event), row.day, row.winner, row.ending, len(row.moves) // 2, row.moves, row.digest,
            source, number, row.whole,
        )  # fmt: skip
        marks = ", ".join("?" * (1 + len(values)))
        made = self.connection.execute(f"INSERT INTO games VALUES ({marks})", (None, *values)).lastrowid
        assert made is not None
        return made

    def _player(self, seat: Seat) -> int:
        """Return the id of a player, who is inserted if new."""
        folded = seat.known_as.casefold()
        return self._id(self._names, "players", {"folded": folded}, name=seat.name, player=seat.player)

    def _event(self, name: str) -> int | None:
        """Return the id of an event, which is inserted if new; None for an empty name."""
        return self._id(self._names, "events", {"folded": name.casefold()}, name=name) if name else None

    def _id(self, known: dict[object, int], table: str, more: dict[str, str] | None = None, **unique: str | int) -> int:
        """Return the id of the row of `table` with the values `unique`; insert it, with the further values `more`, if
        there is none. `known` caches ids."""
        name = (table, *unique.values())
        if name not in known:
            if len(known) >= _MOST_NAMES:
                known.clear()
            values = unique | (more or {})
            columns, marks = ", ".join(values), ", ".join("?" * len(values))
            run = self.connection.execute
            run(f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({marks})", tuple(values.values()))
            test = " AND ".join(f"{column} = ?" for column in unique)
            known[name] = run(f"SELECT id FROM {table} WHERE {test}", tuple(unique.values())).fetchone()[0]
        return known[name]

    def _queue_positions(self, game: int, row: Row, line: Sequence[Node]) -> None:
        """Queue the positions of a game, each once, and their sums for the end of the transaction; store their
        evaluations."""
        seen: set[int] = set()
        for ply, (node, step) in enumerate(zip(line, steps_of(row, line), strict=True)):
            if step.key in seen:
                continue
            seen.add(step.key)
            self._positions.append((step.key, game, ply, step.move))
            if step.filled < OPENING:
                sums = self._sums[step.key, step.move]
                sums.games += 1
                if row.winner is not None:
                    sums.results[row.winner] += 1
                sums.last = max(sums.last, row.day)
            if node.evaluation is not None:
                self._store_evaluation(step.key, node.evaluation)

    def _store_evaluation(self, key: int, found: Evaluation) -> None:
        """Store an engine's evaluation of a position, unless the present one is better."""
        question = "SELECT score, mate, depth, exact FROM evaluations WHERE key = ?"
        with reported(self._path):
            known = self.connection.execute(question, (key,)).fetchone()
            if known and not found.improves(Evaluation(known[0], known[1], known[2], exact=bool(known[3]))):
                return
            values = (key, found.score, found.mate, found.depth, found.exact, found.by)
            self.connection.execute("INSERT OR REPLACE INTO evaluations VALUES (?, ?, ?, ?, ?, ?)", values)

    def commit(self) -> None:
        """Write the queued positions, and end the transaction."""
        with reported(self._path):
            if self._positions:
                sums = sorted(self._sums.items(), key=_sum_key)
                self._begin()
                self._positions.sort()  # neighbours share pages of the file
                self.connection.executemany("INSERT INTO positions VALUES (?, ?, ?, ?)", self._positions)
                self.connection.executemany(
                    "INSERT INTO continuations VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key, move) DO UPDATE SET"
                    " games = games + excluded.games, first = first + excluded.first,"
                    " second = second + excluded.second, draws = draws + excluded.draws,"
                    " last = max(last, excluded.last)",
                    ((*at, each.games, *each.results, each.last) for at, each in sums),
                )
            if self.connection.in_transaction:
                self.connection.commit()
        self._reset_queue()


def _sum_key(item: tuple[tuple[int, int], _Sum]) -> tuple[int, int]:
    """Return the key of an item of `Writer._sums`: that of the position, and the move."""
    return item[0]


def steps_of(row: Row, line: Sequence[Node]) -> list[KeyedMove]:
    """Return the positions of a line of play, each with its key and the move played there."""
    moves = [node.move for node in line if node.move is not None]
    return list(keys_of(row.setup).steps([node.position for node in line], moves))


SUMS = f"""SELECT positions.key, move, count(*), sum(winner IS {FIRST_WON}), sum(winner IS {SECOND_WON}),
 sum(winner IS {DRAWN}), max(day) FROM positions JOIN games ON games.id = positions.game"""
"""What `continuations` has of a position, from `positions`; a condition and a grouping are to follow."""
