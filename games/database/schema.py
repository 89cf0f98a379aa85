"""The file of a database: an SQLite file that is complete in itself, so that it can be given away.

Every game is in `games`, with its main line, the players, the event, the day and the result. A game with more than
that, such as comments or variations, is kept whole in its row, too, so that nothing is lost. `positions` has a row for
each position of each game, by its key (`games.database.position_keys`), with the move played there in the canonical
form of the position, so that games that reach a position by different moves, or on another side of the board, are one
tree. `continuations` has the sums of `positions` where few cells are filled, since many games begin alike. `sources`
are the files that were imported, as far as they were.

A file may come from anybody: what is read from it is validated, and it is opened without trust in its schema.
"""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from games.fields import well_formed
from games.formats import MOST_BYTES, tengen
from games.formats.common import FormatError, quoted
from games.library.file_actions import final_node
from games.position import IllegalMove, Outcome
from games.record import PERSON, About, GameRecord, Node, Seat, path
from games.registry import Setup

EXTENSION = ".tengendb"

OPENING = 12
"""Positions with fewer filled cells have their sums in `continuations`."""

FIRST_WON, SECOND_WON, DRAWN = 0, 1, 2
"""The `winner` of a game; null where nobody knows."""

_APPLICATION = 0x54474442  # "TGDB"
_VERSION = 1
PATIENCE = 10.0  # seconds to wait for another process that writes
_CACHE = 128 << 10  # KiB, while a database is filled
_CHECKPOINT = 16 << 10  # pages in the log before they are copied into the database

_LISTED = "CREATE INDEX games_listed ON games (day, id, setup, first, second, event, winner);"
_TABLES = f"""
CREATE TABLE setups (id INTEGER PRIMARY KEY, game TEXT, size INTEGER, rule TEXT, UNIQUE (game, size, rule));
CREATE TABLE players (id INTEGER PRIMARY KEY, name TEXT, player TEXT, folded TEXT, UNIQUE (name, player));
CREATE TABLE events (id INTEGER PRIMARY KEY, name TEXT UNIQUE, folded TEXT);
CREATE TABLE sources (
    id INTEGER PRIMARY KEY, path TEXT UNIQUE, mtime INTEGER, bytes INTEGER, done INTEGER, count INTEGER,
    complete INTEGER
);
CREATE TABLE games (
    id INTEGER PRIMARY KEY, setup INTEGER, first INTEGER, second INTEGER, event INTEGER, day TEXT, winner INTEGER,
    ending TEXT, plies INTEGER, moves BLOB, digest INTEGER, source INTEGER, number INTEGER, whole BLOB
);
CREATE INDEX games_digest ON games (digest);
{_LISTED}
CREATE INDEX games_source ON games (source);
CREATE TABLE positions (key INTEGER, game INTEGER, ply INTEGER, move INTEGER, PRIMARY KEY (key, game)) WITHOUT ROWID;
CREATE TABLE continuations (
    key INTEGER, move INTEGER, games INTEGER, first INTEGER, second INTEGER, draws INTEGER, last TEXT,
    PRIMARY KEY (key, move)
) WITHOUT ROWID;
CREATE TABLE evaluations (
    key INTEGER PRIMARY KEY, score INTEGER, mate INTEGER, depth INTEGER, exact INTEGER, player TEXT
);
"""

_OLD_INDICES = ("games_day", "games_first", "games_second", "games_event")
"""In databases of version 0.14, in place of `games_listed`, which has all that a search of players and events reads."""

KINDS = ("missing", "foreign", "newer", "damaged", "busy", "unwritable")


class DatabaseError(Exception):
    """A database cannot be used; `str(error)` is a sentence. `kind` is one of `KINDS`, for translation; `name` is that
    of its file, and `reason` the further cause, if any."""

    def __init__(self, kind: str, path: Path | None, reason: str = "") -> None:
        self.kind, self.name, self.reason = kind, path.name if path else "", reason
        super().__init__(_SENTENCES[kind].format(name=quoted(self.name), reason=reason))

    def __reduce__(self) -> tuple[object, ...]:
        """Let the error be pickled, since processes pass it on: `__init__` takes other arguments than `args` has."""
        return DatabaseError, (self.kind, Path(self.name) if self.name else None, self.reason)


_SENTENCES = {
    "missing": "There is no database {name}.",
    "foreign": "{name} is not a database of games.",
    "newer": "{name} was made by a newer Tengen; please update.",
    "damaged": "The database {name} is damaged: {reason}.",
    "busy": "Another program is writing to the database {name}; try again when it is done.",
    "unwritable": "The database {name} cannot be written: {reason}.",
}


def is_database(path: Path) -> bool:
    """Return whether the file at `path` begins like a database of games. Never raise `OSError`."""
    with contextlib.suppress(OSError, ValueError):
        if path.is_file():  # a pipe would block
            with path.open("rb") as file:
                head = file.read(72)
            return head.startswith(b"SQLite format 3\0") and head[68:72] == _APPLICATION.to_bytes(4, "big")
    return False


def connect(path: Path | None, writing: bool = False) -> sqlite3.Connection:
    """Open the database at `path`, for reading unless `writing`; then create it if there is none. None opens a new one
    in memory. The result may be used by any thread, one at a time. Raise `DatabaseError`."""
    with reported(path):
        if path is None:
            connection = sqlite3.connect(":memory:", check_same_thread=False)
        elif writing:
            path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(path, timeout=PATIENCE, check_same_thread=False, isolation_level=None)
        else:
            connection = _open_read_only(path)
    connection.isolation_level = None  # transactions are begun here, not by Python
    try:
        with reported(path):
            connection.execute("PRAGMA trusted_schema = OFF")
            _prepare(connection, path, writing or path is None)
    except BaseException:
        connection.close()
        raise
    return connection


def _open_read_only(path: Path) -> sqlite3.Connection:
    """Open an existing file for reading, even on a medium that cannot be written. Raise `DatabaseError` or
    `sqlite3.Error`."""
    if not path.is_file():
        raise DatabaseError("missing", path)
    place = f"file:{quote(os.fsencode(path.absolute()))}?mode=ro"
    for address in (place, f"{place}&immutable=1"):
        connection = sqlite3.connect(address, timeout=PATIENCE, uri=True, check_same_thread=False)
        try:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.OperationalError as error:
            connection.close()
            if address != place or error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_CANTOPEN:
                raise
        except BaseException:
            connection.close()
            raise
        else:
            return connection
    raise AssertionError  # the second address raised


def _prepare(connection: sqlite3.Connection, path: Path | None, writing: bool) -> None:
    """Raise `DatabaseError` if the file is not a database of games, or of a newer version. If `writing`, create the
    tables of an empty file, and replace outdated indices."""
    run = connection.execute
    application, version = (run(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
    empty = run("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    if application != _APPLICATION and not (empty and writing and application == 0):
        raise DatabaseError("foreign", path)
    if version > _VERSION:
        raise DatabaseError("newer", path)
    if not writing:
        return
    run("PRAGMA journal_mode = WAL")  # readers do not wait for the writer; a kill leaves the last transaction
    run("PRAGMA synchronous = NORMAL")
    run(f"PRAGMA cache_size = -{_CACHE}")
    run(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT}")
    if empty:
        connection.executescript(
            f"BEGIN IMMEDIATE; PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {_VERSION};"
            f"{_TABLES} COMMIT;"
        )
    elif run("SELECT 1 FROM sqlite_master WHERE name = 'games_day'").fetchone():
        drop = "".join(f"DROP INDEX IF EXISTS {name};" for name in _OLD_INDICES)
        connection.executescript(f"BEGIN IMMEDIATE; {drop} {_LISTED} COMMIT;")


def close(connection: sqlite3.Connection) -> None:
    """Close a connection that has written. One file remains, without SQLite's temporary ones, unless another connection
    is open."""
    with contextlib.suppress(sqlite3.Error):
        connection.execute("PRAGMA optimize")
    with contextlib.suppress(sqlite3.Error):
        connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()


@contextlib.contextmanager
def reported(path: Path | None) -> Iterator[None]:
    """Raise errors of SQLite and the disk in the block as a `DatabaseError` that names `path`; also a `ValueError` or
    `TypeError`, by which a damaged file may show. A `FormatError` stays."""
    try:
        yield
    except (DatabaseError, FormatError):
        raise
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise DatabaseError("busy", path) from error
        if code == sqlite3.SQLITE_NOTADB:
            raise DatabaseError("foreign", path) from error
        written = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR)
        raise DatabaseError("unwritable" if code in written else "damaged", path, str(error)) from error
    except (ValueError, TypeError, OverflowError) as error:
        raise DatabaseError("damaged", path, str(error).rstrip(".")) from error
    except OSError as error:
        raise DatabaseError("unwritable", path, error.strerror or str(error)) from error


_DAY = re.compile(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?")


class Row(NamedTuple):
    """What is stored of a game besides its positions. `winner` is a side or `DRAWN`, None if unknown. `ending` is the
    reason of an end outside the rules, None without one. `moves` are those of the line of play, see `packed`. `whole`
    is the compressed file of a game that has more than the other fields can hold, else None."""

    setup: Setup
    seats: tuple[Seat, Seat]
    event: str
    day: str
    winner: int | None
    ending: str | None
    moves: bytes
    digest: int
    whole: bytes | None


def row_of(record: GameRecord) -> tuple[Row, list[Node]]:
    """Return the row of a game, and the nodes of its line of play. Raise `FormatError` for a game that no file could
    hold."""
    final = final_node(record)
    line = path(final)
    moves = packed([node.move for node in line if node.move is not None])
    first, second = (Seat(seat.player, well_formed(seat.name)) for seat in record.seats)
    event, outcome = well_formed(record.about.event), final.outcome
    winner = None if outcome is None else DRAWN if outcome.winner is None else outcome.winner
    found = _DAY.match(record.date)
    day = found[0] if found else ""
    ending = final.ending.reason if final.ending and final.position.outcome is None else None
    whole = None if _fits_columns(record, line, day) else zlib.compress(tengen.dumps(record))
    seats = first, second
    return Row(record.setup, seats, event, day, winner, ending, moves, _digest(record, moves), whole), line


def _fits_columns(record: GameRecord, line: Sequence[Node], day: str) -> bool:
    """Return whether `record_of` could restore this game from its row without `whole`."""
    about = record.about
    if record.stones or record.opening or record.control or record.date != day or about != About(event=about.event):
        return False
    if record.cursor is not line[-1] or any(seat.player != PERSON or seat.seconds is not None for seat in record.seats):
        return False
    *before, last = line
    if not all(node.is_bare and len(node.children) == 1 for node in before) or last.children:
        return False
    ended = last.ending is not None and last.ending.score is None
    return (replace(last, ending=None) if ended else last).is_bare


def _digest(record: GameRecord, moves: bytes) -> int:
    """Return the hash by which duplicates are found: of the board, what was set up, the moves and the players."""
    names = tuple(seat.known_as.casefold() for seat in record.seats)
    known = repr((record.setup.game, record.setup.size, record.stones, names)).encode("utf-8", "replace")
    return int.from_bytes(blake2b(known + moves, digest_size=8).digest(), "little", signed=True)


def same_day(one: str, other: str) -> bool:
    """Return whether two days may be the same; each may be a day, a month, a year or unknown (empty)."""
    return one.startswith(other) or other.startswith(one)


def packed(moves: Sequence[int]) -> bytes:
    """Encode moves in two bytes each."""
    return b"".join((move & 0xFFFF).to_bytes(2, "little") for move in moves)


def unpacked(moves: bytes) -> list[int]:
    """Decode what `packed` returned."""
    return [move if move < 1 << 15 else move - (1 << 16) for move in _unsigned_words(moves)]


def _unsigned_words(moves: bytes) -> Sequence[int]:
    """Return the numbers from 0 to 65,535 that each two bytes encode."""
    return [int.from_bytes(moves[at : at + 2], "little") for at in range(0, len(moves) - 1, 2)]


def record_of(row: Row) -> GameRecord:
    """Return the game of a row, with the cursor at its end. Raise `FormatError` for a damaged one."""
    if row.whole is not None:
        return tengen.loads(_decompress(row.whole))
    record = GameRecord(row.setup, row.seats)
    record.date, record.about = row.day, About(event=row.event)
    try:
        for move in unpacked(row.moves):
            record.play(move)
    except IllegalMove as error:
        raise FormatError(f"The game is damaged: {error}") from error
    if row.ending is not None:
        record.end(Outcome(None if row.winner == DRAWN else row.winner, row.ending))
    return record


def _decompress(data: bytes) -> bytes:
    """Decompress a game; at most `MOST_BYTES` bytes. Raise `FormatError`."""
    machine = zlib.decompressobj()
    try:
        found = machine.decompress(data, MOST_BYTES)
    except zlib.error as error:
        raise FormatError("The game is damaged: it cannot be decompressed.") from error
    if machine.unconsumed_tail or not machine.eof:
        raise FormatError("The game is damaged: it is incomplete or too large.")
    return found
