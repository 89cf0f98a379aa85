"""Exercises: positions in which the person made a mistake, to be solved, and the deck that schedules them."""

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
    """A game up to a position where a move is to be found, as a file of our own format. `key` identifies the
    position."""

    key: str
    game: bytes

    @classmethod
    def of(cls, record: GameRecord, judged: Judged) -> Exercise:
        """Make an exercise of a mistake in `record`. It contains the mistake and the evaluations around it."""
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
        """Return the game with the cursor at the position to be solved; the mistake follows there. Raise
        `FormatError`."""
        record = tengen.loads(self.game)
        if not record.cursor.children:
            raise FormatError("The exercise has no mistake.")
        return record


def own_sides(record: GameRecord, names: Iterable[str]) -> list[int]:
    """Return the sides that the person at this computer played.

    Against the computer it is the person's side; of two people it is those called one of `names`, ignoring case and
    spaces.
    """
    person = only_person(record.seats)
    if person is not None:
        return [person]
    own = {_plain_name(name) for name in names} - {""}
    return [side for side, seat in enumerate(record.seats) if seat.player == PERSON and _plain_name(seat.name) in own]


def _plain_name(name: str) -> str:
    """Return a name without case and spaces, for comparison."""
    return "".join(normalize("NFKC", name).casefold().split())


def exercises(record: GameRecord, judgements: Iterable[Judged], sides: Iterable[int]) -> list[Exercise]:
    """Return an exercise for each mistake of `sides` that lost win probability; not for one in a lost position."""
    wanted = set(sides)
    return [
        Exercise.of(record, judged)
        for judged in judgements
        if judged.side in wanted and judged.kind in MISTAKES and judged.loss >= INACCURACY
    ]


def judge_try(record: GameRecord, node: Node, after: Evaluation | None) -> Judged | None:
    """Judge a move tried in an exercise, which led to `node`; `after` evaluates its position, None if the game is over.

    Return None if the position before it has no evaluation.
    """
    assert node.parent is not None
    return judge(record.setup, len(path(node)) - 2, node, node.parent.evaluation, after, confirmed=True)


def solution(start: Node) -> tuple[int, ...]:
    """Return the best line from the position of an exercise; empty if it is not known."""
    known = start.evaluation
    return () if known is None else playable(start.position, known.line)


# The deck.


@dataclass(frozen=True, slots=True)
class DeckCounts:
    """How many exercises there are, how many are `due`, how many were `solved` at their last answer.

    `next_due` is when the first falls due, which may be past; None without exercises.
    """

    total: int = 0
    due: int = 0
    solved: int = 0
    next_due: datetime | None = None


def _now() -> datetime:
    """Return the time in UTC."""
    return datetime.now(UTC)


class Deck:
    """The exercises of a person in a database at `file`, each with the time when it is due.

    Due times are by FSRS (the `fsrs` package), in days; `now` is the clock, in UTC. Every method may raise `OSError`.

    A damaged database is moved aside, and replaced by a new one with the rows that can be read. A row with an invalid
    value is moved to the table `damaged`. Both are reported.
    """

    def __init__(self, file: Path | None = None, now: Callable[[], datetime] = _now) -> None:
        self.file, self._now = file or data_home() / "exercises.sqlite", now

    def add(self, found: Iterable[Exercise]) -> None:
        """Add the exercises that are not in the deck; they are due at once."""
        rows = [(each.key, each.game, "", self._now().timestamp(), 0) for each in found]
        if rows:
            with self._transaction(write=True) as database:
                database.executemany("INSERT OR IGNORE INTO exercises VALUES (?, ?, ?, ?, ?)", rows)

    def due(self) -> list[Exercise]:
        """Return the exercises that are due, the longest due first."""
        with self._transaction() as database:
            return [
                Exercise(key, game)
                for key, game in database.execute(
                    f"SELECT key, game FROM exercises WHERE {_VALID} AND due <= ? ORDER BY due, rowid",
                    (self._now().timestamp(),),
                )
            ]

    def counts(self) -> DeckCounts:
        """Return the counts of the deck."""
        with self._transaction() as database:
            total, due, solved, first = database.execute(
                "SELECT COUNT(*), COUNT(*) FILTER (WHERE due <= ?), COUNT(*) FILTER (WHERE solved), MIN(due)"
                f" FROM exercises WHERE {_VALID}",
                (self._now().timestamp(),),
            ).fetchone()
        return DeckCounts(total, due, solved, None if first is None else datetime.fromtimestamp(first, UTC))

    def record_answer(self, exercise: Exercise, grade: str) -> None:
        """Schedule `exercise` after an answer; add it if it is new.

        `grade` is a rating of FSRS: ``again``, which counts as not solved, ``hard`` or ``good``.
        """
        from fsrs import Rating

        self.add([exercise])
        with self._transaction(write=True) as database:
            (text,) = database.execute("SELECT card FROM exercises WHERE key = ?", (exercise.key,)).fetchone()
            if (card := _decode_card(text)) is None:
                self._copy_aside(database, "key = ?", (exercise.key,))
            card = _schedule(card, Rating[grade.title()], self._now())
            database.execute(
                "UPDATE exercises SET card = ?, due = ?, solved = ? WHERE key = ?",
                (card.to_json(), card.due.timestamp(), grade != "again", exercise.key),
            )

    def set_aside(self, exercise: Exercise) -> None:
        """Remove an exercise whose game cannot be read from the deck; its row is kept in the table `damaged`."""
        with self._transaction(write=True) as database:
            self._move_aside(database, "key = ?", (exercise.key,))

    @contextmanager
    def _transaction(self, write: bool = False) -> Iterator[sqlite3.Connection]:
        """Open the database for a transaction. Only with `write` a missing file is created. Raise `OSError`.

        A damaged file is replaced, as the class says.
        """
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
                self._replace_damaged()
            raise OSError(errno.EIO, f"The exercises cannot be read or saved: {error}") from error

    def _connect(self, file: str) -> sqlite3.Connection:
        """Open the database; replace it if it is damaged. Raise `sqlite3.Error`."""
        try:
            return self._open_database(file)
        except sqlite3.Error as error:
            if not _is_damage(error):  # it is full, locked, or must not be written
                raise
        self._replace_damaged()
        return self._open_database(file)

    def _open_database(self, file: str) -> sqlite3.Connection:
        """Open the database, and move rows that are invalid to the table `damaged`. Raise `sqlite3.Error`."""
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
        """Move the rows for which the condition `which` holds to the table `damaged`, and report them."""
        if self._copy_aside(database, which, values):
            database.execute(f"DELETE FROM exercises WHERE {which}", values)

    def _copy_aside(self, database: sqlite3.Connection, which: str, values: Sequence[str] = ()) -> int:
        """Copy the rows for which the condition `which` holds to the table `damaged`, report them, return their
        number."""
        (count,) = database.execute(f"SELECT COUNT(*) FROM exercises WHERE {which}", values).fetchone()
        if count:
            database.execute(_SET_ASIDE)
            columns = ", ".join(_COLUMNS)
            database.execute(f"INSERT INTO damaged SELECT {columns} FROM exercises WHERE {which}", values)
            report("rows", self.file, str(count))
        return int(count)

    def _replace_damaged(self) -> None:
        """Move a damaged database aside, and begin a new one with the rows that can be read. If it cannot be moved, it
        stays."""
        if (aside := set_aside(self.file)) is None:
            return
        with suppress(sqlite3.Error), closing(self._open_database(str(self.file))) as database, database:
            for row in _readable_rows(aside):
                database.execute("INSERT OR IGNORE INTO exercises VALUES (?, ?, ?, ?, ?)", row)


def _is_damage(error: sqlite3.Error) -> bool:
    """Return whether the error means that the file is damaged, or no deck. Others, as of a full disk, may pass."""
    if isinstance(error, sqlite3.OperationalError):  # our statements have no error, so the database has
        return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR
    return isinstance(error, sqlite3.DatabaseError)


_UNREADABLE = sqlite3.Error, UnicodeDecodeError
"""What reading a damaged database may raise."""


def _readable_rows(file: Path) -> Iterator[tuple[Any, ...]]:
    """Yield the valid rows of a damaged database, as far as they can be read."""
    with suppress(*_UNREADABLE), closing(sqlite3.connect(file)) as database:
        ids = []
        with suppress(*_UNREADABLE):
            for (number,) in database.execute("SELECT rowid FROM exercises"):
                ids.append(number)
        for number in ids:
            with suppress(*_UNREADABLE):
                question = f"SELECT {', '.join(_COLUMNS)} FROM exercises WHERE rowid = ? AND {_VALID}"
                yield from database.execute(question, (number,))


_whole = whole(0, 2**63 - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Card:
    """A card of FSRS in JSON, with the ranges of values that its scheduler keeps to."""

    card_id: int = checked(_whole)
    state: int = checked(whole(1, 3))
    step: int | None = checked(_whole, None)
    stability: float | None = checked(number(1e-6, 1e6), None)
    difficulty: float | None = checked(number(1, 10), None)
    due: datetime = checked(moment)
    last_review: datetime | None = checked(moment, None)


def _decode_card(text: str) -> Card | None:
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
    if known.step is None and known.state > 2:
        return None
    return Card(
        known.card_id, State(known.state), known.step, known.stability, known.difficulty, known.due, known.last_review
    )


def _schedule(card: Card | None, rating: Rating, now: datetime) -> Card:
    """Return `card`, a new one if None, after an answer. It is due after a day at the earliest."""
    from fsrs import Card, Scheduler

    scheduler = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    return scheduler.review_card(card or Card(due=now), rating, now)[0]
