"""Exercises: positions in which a person made a mistake, to be solved, and the deck that brings them back in time."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import normalize

from ai.review.judgement import Judged, judge, playable
from ai.review.kinds import INACCURACY, MISTAKES
from games.evaluation import Evaluation
from games.formats import native
from games.record import PERSON, GameRecord, Node, moves_to, only_person, path
from games.storage import data_home, set_aside

if TYPE_CHECKING:
    from fsrs import Card, Rating

_SCHEMA = """CREATE TABLE IF NOT EXISTS exercises (
    key TEXT PRIMARY KEY, game BLOB NOT NULL, card TEXT NOT NULL, due REAL NOT NULL, solved INTEGER NOT NULL)"""


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
        about = (setup.game, setup.size, setup.rule, stones and native.stones_entry(setup, stones), moves_to(start))
        return cls(repr(about), native.dumps(copy))

    def record(self) -> GameRecord:
        """Return the game, at the position to be solved. Raise `FormatError`."""
        return native.loads(self.game)


def own_sides(record: GameRecord, names: Iterable[str]) -> list[int]:
    """Return the sides of the person at this computer: its side in a game against the computer, and of two people those
    who are called one of `names`, whatever the case and the spaces."""
    person = only_person(record.seats)
    if person is not None:
        return [person]
    own = {_key(name) for name in names} - {""}
    return [side for side, seat in enumerate(record.seats) if seat.player == PERSON and _key(seat.name) in own]


def _key(name: str) -> str:
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
class Counts:
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

    Due times are by FSRS (the `fsrs` package), in days; `now` is the clock, in UTC. Every method may raise `OSError`. A
    damaged database is set aside.
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
                    "SELECT key, game FROM exercises WHERE due <= ? ORDER BY due, rowid", (self._now().timestamp(),)
                )
            ]

    def counts(self) -> Counts:
        with self._open() as database:
            total, due, solved, first = database.execute(
                "SELECT COUNT(*), COUNT(*) FILTER (WHERE due <= ?), COUNT(*) FILTER (WHERE solved), MIN(due)"
                " FROM exercises",
                (self._now().timestamp(),),
            ).fetchone()
        return Counts(total, due, solved, None if first is None else datetime.fromtimestamp(first, UTC))

    def answered(self, exercise: Exercise, grade: str) -> None:
        """Schedule `exercise`, and add it if it is new. `grade` is a rating of FSRS: ``again``, ``hard`` or ``good``.
        It is solved unless that is ``again``."""
        from fsrs import Rating

        self.add([exercise])
        with self._open(write=True) as database:
            (text,) = database.execute("SELECT card FROM exercises WHERE key = ?", (exercise.key,)).fetchone()
            card = _scheduled(text, Rating[grade.title()], self._now())
            database.execute(
                "UPDATE exercises SET card = ?, due = ?, solved = ? WHERE key = ?",
                (card.to_json(), card.due.timestamp(), grade != "again", exercise.key),
            )

    @contextmanager
    def _open(self, write: bool = False) -> Iterator[sqlite3.Connection]:
        """A transaction; only one that writes creates the file. A file that is no database is replaced by an empty
        one."""
        try:
            if write:
                self.file.parent.mkdir(parents=True, exist_ok=True)
            file = str(self.file) if write or self.file.exists() else ":memory:"
            with closing(self._connected(file)) as database, database:
                yield database
        except sqlite3.Error as error:
            raise OSError(errno.EIO, f"The exercises cannot be read or saved: {error}") from error

    def _connected(self, file: str) -> sqlite3.Connection:
        for attempt in range(2):
            database = sqlite3.connect(file)
            try:
                database.execute(_SCHEMA)
                return database
            except sqlite3.Error as error:
                database.close()
                if attempt or isinstance(error, sqlite3.OperationalError):  # full, locked, not to be written
                    raise
                set_aside(self.file)
        raise AssertionError


def _scheduled(text: str, rating: Rating, now: datetime) -> Card:
    """Return the card in `text`, or a new one, after an answer. There are no steps of minutes, so that it comes back on
    another day."""
    from fsrs import Card, Scheduler

    try:
        card = Card.from_json(text) if text else Card(due=now)
    except (ValueError, KeyError, TypeError):  # damaged
        card = Card(due=now)
    scheduler = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    return scheduler.review_card(card, rating, now)[0]
