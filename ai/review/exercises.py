"""Exercises: positions in which a person made a mistake, to be solved, and the deck that brings them back in time."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from ai.review.judgement import INACCURACY, MISTAKES, Judged, judge, playable
from games.evaluation import Evaluation
from games.fields import DecodeError, checked, decode, moment, number, parsed, whole
from games.formats import FormatError, tengen
from games.record import PERSON, GameRecord, Node, moves_to, only_person, path
from games.storage import data_home, report, set_aside

if TYPE_CHECKING:
    from fsrs import Card, Rating

_SCHEMA = """CREATE TABLE IF NOT EXISTS exercises (
    key TEXT PRIMARY KEY, game BLOB NOT NULL, card TEXT NOT NULL, due REAL NOT NULL, solved INTEGER NOT NULL)"""
_COLUMNS = ("key", "game", "card", "due", "solved")
_SET_ASIDE = "CREATE TABLE IF NOT EXISTS damaged (key, game, card, due, solved)"

_VALID = f"""coalesce(typeof(key) = 'text' AND typeof(game) = 'blob' AND typeof(card) = 'text' AND solved IN (0, 1)
    AND typeof(due) IN ('real', 'integer') AND due BETWEEN 0 AND {datetime(9999, 1, 1, tzinfo=UTC).timestamp()}, 0)"""
"""Whether a row of `exercises` can be used, as far as SQL can tell: a file may contain anything."""


# One exercise.


@dataclass(frozen=True, slots=True)
class Exercise:
    """A game that ends where a move is to be found, as a file of our own format. `key` names the position."""

    key: str
    game: bytes

    @classmethod
    def of(cls, record: GameRecord, judged: Judged) -> Exercise:
        """Make an exercise of a mistake in `record`. It contains the mistake, and what is known before and after it."""
        copy = GameRecord(record.setup, record.seats, record.date, stones=record.stones)
        for move in moves_to(judged.before):
            copy.play(move)
        start = copy.cursor
        start.evaluation = judged.before.evaluation
        copy.play(judged.move).evaluation = judged.node.evaluation
        copy.go_to(start)
        setup, stones = record.setup, record.stones
        about = (setup.game, setup.size, setup.rule, stones and tengen.stones_entry(setup, stones), moves_to(start))
        return cls(repr(about), tengen.dumps(copy))

    def record(self) -> GameRecord:
        """Return the game, at the position to be solved, which the mistake follows. Raise `FormatError`."""
        record = tengen.loads(self.game)
        if not record.cursor.children:
            raise FormatError("The exercise has no mistake.")
        return record


def own_sides(record: GameRecord, names: Iterable[str]) -> list[int]:
    """Return the sides of the person at this computer: its side in a game against the computer, and of two people those
    who are called one of `names`, whatever the case and the spaces."""
    person = only_person(record.seats)
    if person is not None:
        return [person]
    own = {_key(name) for name in names} - {""}
    return [side for side, seat in enumerate(record.seats) if seat.player == PERSON and _key(seat.name) in own]


def _key(name: str) -> str:
    """A name without case and spaces, for comparison."""
    return "".join(normalize("NFKC", name).casefold().split())


def exercises(record: GameRecord, judgements: Iterable[Judged], sides: Iterable[int]) -> list[Exercise]:
    """Return an exercise for each mistake of `sides`, except in lost positions, where there is nothing to find."""
    wanted = set(sides)
    return [
        Exercise.of(record, judged)
        for judged in judgements
        if judged.side in wanted and judged.kind in MISTAKES and judged.loss >= INACCURACY
    ]


def verdict(record: GameRecord, node: Node, after: Evaluation | None) -> Judged | None:
    """Judge the move that led to `node`, which was tried in an exercise. `after` evaluates the position after it, None
    where the game is over. Return None where the position before it is not evaluated."""
    assert node.parent is not None
    return judge(record.setup, len(path(node)) - 2, node, node.parent.evaluation, after, confirmed=True)


def solution(start: Node) -> tuple[int, ...]:
    """Return best play from the position of an exercise."""
    known = start.evaluation
    return () if known is None else playable(start.position, known.line)


# The deck.


@dataclass(frozen=True, slots=True)
class DeckCounts:
    """How many exercises there are in all, how many of them are `due`, how many were `solved` when last shown, and when
    the next of all is due."""

    total: int = 0
    due: int = 0
    solved: int = 0
    next_due: datetime | None = None


def _now() -> datetime:
    return datetime.now(UTC)


class Deck:
    """All exercises of a person, in a database at `file`, each with the time when it is due.

    Due times are by FSRS (the `fsrs` package), in days; `now` is the clock, in UTC. Every method may raise `OSError`.

    A damaged database is set aside; a new one gets the rows that can be read of it. A row with an invalid value is
    moved to the table `damaged`. Both are reported.
    """

    def __init__(self, file: Path | None = None, now: Callable[[], datetime] = _now) -> None:
        self.file, self._now = file or data_home() / "exercises.sqlite", now

    def add(self, found: Iterable[Exercise]) -> None:
        """Add those that are new; they are due at once."""
        rows = [(each.key, each.game, "", self._now().timestamp(), 0) for each in found]
        if rows:
            with self._open(write=True) as database:
                database.executemany("INSERT OR IGNORE INTO exercises VALUES (?, ?, ?, ?, ?)", rows)

    def due(self) -> list[Exercise]:
        """Return the exercises that are due, the oldest first."""
        with self._open() as database:
            return [
                Exercise(key, game)
                for key, game in database.execute(
                    f"SELECT key, game FROM exercises WHERE {_VALID} AND due <= ? ORDER BY due, rowid",
                    (self._now().timestamp(),),
                )
            ]

    def counts(self) -> DeckCounts:
        """Count the exercises: all, due, solved, and when the first falls due."""
        with self._open() as database:
            total, due, solved, first = database.execute(
                "SELECT COUNT(*), COUNT(*) FILTER (WHERE due <= ?), COUNT(*) FILTER (WHERE solved), MIN(due)"
                f" FROM exercises WHERE {_VALID}",
                (self._now().timestamp(),),
            ).fetchone()
        return DeckCounts(total, due, solved, None if first is None else datetime.fromtimestamp(first, UTC))

    def record_answer(self, exercise: Exercise, grade: str) -> None:
        """Schedule `exercise`, and add it if it is new. `grade` is a rating of FSRS: ``again``, ``hard`` or ``good``.
        It is solved unless that is ``again``."""
        from fsrs import Rating

        self.add([exercise])
        with self._open(write=True) as database:
            (text,) = database.execute("SELECT card FROM exercises WHERE key = ?", (exercise.key,)).fetchone()
            if (card := _card(text)) is None:
                self._keep_aside(database, "key = ?", (exercise.key,))
            card = _schedule(card, Rating[grade.title()], self._now())
            database.execute(
                "UPDATE exercises SET card = ?, due = ?, solved = ? WHERE key = ?",
                (card.to_json(), card.due.timestamp(), grade != "again", exercise.key),
            )

    def set_aside(self, exercise: Exercise) -> None:
        """Move an exercise whose game cannot be read out of the deck."""
        with self._open(write=True) as database:
            self._move_aside(database, "key = ?", (exercise.key,))

    @contextmanager
    def _open(self, write: bool = False) -> Iterator[sqlite3.Connection]:
        """A transaction; only one that writes creates the file. A file that is no database is replaced by a new one."""
        try:
            if write:
                self.file.parent.mkdir(parents=True, exist_ok=True)
            there = os.path.lexists(self.file)
            if there and not self.file.is_file():
                raise sqlite3.OperationalError("it is not a regular file")
            with closing(self._connect(str(self.file) if write or there else ":memory:")) as database, database:
                yield database
        except sqlite3.Error as error:
            if _is_damage(error):
                self._renew()
            raise OSError(errno.EIO, f"The exercises cannot be read or saved: {error}") from error

    def _connect(self, file: str) -> sqlite3.Connection:
        """Connect; a damaged database is set aside and replaced."""
        try:
            return self._open_database(file)
        except sqlite3.Error as error:
            if not _is_damage(error):  # it is full, locked, or must not be written
                raise
        self._renew()
        return self._open_database(file)

    def _open_database(self, file: str) -> sqlite3.Connection:
        """Connect to the database, without rows that are invalid. Raise `sqlite3.Error`."""
        database = sqlite3.connect(file)
        database.text_factory = partial(str, encoding="utf-8", errors="replace")
        try:
            database.execute(_SCHEMA)
            columns = [(row[1], row[5]) for row in database.execute("PRAGMA table_info(exercises)")]
            if columns != [(name, int(name == "key")) for name in _COLUMNS]:
                raise sqlite3.DatabaseError("it has other columns")
            with suppress(sqlite3.OperationalError), database:  # if it must not be written, reading leaves them out
                self._move_aside(database, f"NOT {_VALID}")
        except BaseException as error:
            database.close()
            if isinstance(error, UnicodeDecodeError):  # of a name in the schema
                raise sqlite3.DatabaseError("a name in it is not text") from error
            raise
        return database

    def _move_aside(self, database: sqlite3.Connection, which: str, values: Sequence[str] = ()) -> None:
        """Delete the rows that match, once they are kept in another file."""
        if self._keep_aside(database, which, values):
            database.execute(f"DELETE FROM exercises WHERE {which}", values)

    def _keep_aside(self, database: sqlite3.Connection, which: str, values: Sequence[str] = ()) -> int:
        """Copy rows to the table `damaged`, report them, and return their number."""
        (count,) = database.execute(f"SELECT COUNT(*) FROM exercises WHERE {which}", values).fetchone()
        if count:
            database.execute(_SET_ASIDE)
            columns = ", ".join(_COLUMNS)
            database.execute(f"INSERT INTO damaged SELECT {columns} FROM exercises WHERE {which}", values)
            report("rows", self.file, str(count))
        return int(count)

    def _renew(self) -> None:
        """Set a damaged database aside, and begin another one with the rows that can be read."""
        if (aside := set_aside(self.file)) is None:
            return
        with suppress(sqlite3.Error), closing(self._open_database(str(self.file))) as database, database:
            for row in _readable(aside):
                database.execute("INSERT OR IGNORE INTO exercises VALUES (?, ?, ?, ?, ?)", row)


def _is_damage(error: sqlite3.Error) -> bool:
    """Whether the file is no database of ours: other errors, such as a full disk, end by themselves."""
    if isinstance(error, sqlite3.OperationalError):  # our statements have no error, so the database has
        return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR
    return isinstance(error, sqlite3.DatabaseError)


_UNREADABLE = sqlite3.Error, UnicodeDecodeError
"""What reading a damaged database may raise."""


def _readable(file: Path) -> Iterator[tuple[Any, ...]]:
    """Yield rows of exercises of a damaged database, as far as they can be read."""
    with suppress(*_UNREADABLE), closing(sqlite3.connect(file)) as database:
        ids = []
        with suppress(*_UNREADABLE):
            for (number,) in database.execute("SELECT rowid FROM exercises"):
                ids.append(number)
        for number in ids:
            with suppress(*_UNREADABLE):
                question = f"SELECT {', '.join(_COLUMNS)} FROM exercises WHERE rowid = ? AND {_VALID}"
                yield from database.execute(question, (number,))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Card:
    """A card of FSRS as JSON, with the ranges that the scheduler keeps to."""

    card_id: int = checked(whole(0, 2**63 - 1))
    state: int = checked(whole(1, 3))
    step: int | None = checked(whole(0, 100), None)
    stability: float | None = checked(number(1e-6, 1e6), None)
    difficulty: float | None = checked(number(1, 10), None)
    due: datetime = checked(moment)
    last_review: datetime | None = checked(moment, None)


def _card(text: str) -> Card | None:
    """Decode a card; return a new one for empty text, and None for a damaged one."""
    from fsrs import Card, State

    if not text:
        return Card()
    try:
        known = decode(_Card, parsed(text), "a card")
    except DecodeError:
        return None
    facts = known.stability, known.difficulty, known.last_review
    if None in facts and (known.state > 1 or known.last_review is not None):  # only a new card has none of them
        return None
    return Card(
        known.card_id, State(known.state), known.step, known.stability, known.difficulty, known.due, known.last_review
    )


def _schedule(card: Card | None, rating: Rating, now: datetime) -> Card:
    """Return `card`, or a new one, after an answer. There are no steps of minutes, so that it comes back on another
    day."""
    from fsrs import Card, Scheduler

    scheduler = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    return scheduler.review_card(card or Card(due=now), rating, now)[0]
