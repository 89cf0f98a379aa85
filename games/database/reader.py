"""Query a database: continuations of a position, games, and a game itself.

`Reader` is what a window or a command asks; a thread may use it while another process imports.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path
from typing import Any, NamedTuple

from games.database.position_keys import END, Place, keys_of
from games.database.schema import (
    DRAWN,
    FIRST_WON,
    OPENING,
    SECOND_WON,
    DatabaseError,
    Row,
    connect,
    record_of,
    reported,
    row_of,
)
from games.evaluation import Evaluation
from games.fields import DecodeError, text, whole
from games.formats import tengen
from games.library.index import path_of
from games.position import IllegalMove, Position, rule_of
from games.record import LONGEST_LINE, GameRecord, Seat
from games.registry import GAMES, Setup, setup

RESULTS = {"first": FIRST_WON, "second": SECOND_WON, "draw": DRAWN, "unknown": None}
"""The results that can be searched for."""

_SUMS = "sum(games), sum(first), sum(second), sum(draws), max(last)"
_COUNTS = f"count(*), sum(winner IS {FIRST_WON}), sum(winner IS {SECOND_WON}), sum(winner IS {DRAWN}), max(day)"
_HEAD = (
    "setups.game, setups.size, setups.rule, one.name, one.player, two.name, two.player, events.name, day, winner"
)
_JOINED = (
    "JOIN setups ON setups.id = games.setup JOIN players one ON one.id = games.first"
    " JOIN players two ON two.id = games.second LEFT JOIN events ON events.id = games.event"
)
RARE = 4_000
"""A position that fewer games have is searched for first, and then what else is asked for."""
_AT_ONCE = 1_000  # games of one question
_MOST_JUDGED = 60  # continuations of which evaluations are looked up


class Results(NamedTuple):
    """How many games there are, and how many of them either side has won or were drawn; the others have no result."""

    games: int = 0
    first: int = 0
    second: int = 0
    draws: int = 0

    def plus(self, other: Results) -> Results:
        """Return the sums of both."""
        return Results(*(one + more for one, more in zip(self, other, strict=True)))


@dataclass(frozen=True, slots=True)
class Continuation:
    """A move that was played in a position: its `results`, the `last` day, and what an engine thinks of the position
    after it, if a game says. `move` is one of the `equal` ones, which the symmetry of the position makes the same."""

    move: int
    equal: tuple[int, ...]
    results: Results
    last: str
    evaluation: Evaluation | None = None


@dataclass(frozen=True, slots=True)
class Explored:
    """What the games of a database did in a position, most frequent first; `results` are those of all games that
    reached it, and `ended` of those that went no further."""

    results: Results
    ended: Results
    continuations: tuple[Continuation, ...]


@dataclass(frozen=True, slots=True)
class GameQuery:
    """What games are searched for; what is empty matches all. `position` is one of a game of `setup`, and is searched
    for by whatever rule unless there is a `rule`. `player` and `event` are contained in the names, `text` in one of
    either; `result` is one of `RESULTS`; days are in ISO format, or years, `since` and `until` included."""

    position: Position | None = None
    setup: Setup | None = None
    game: str = ""
    player: str = ""
    event: str = ""
    text: str = ""
    rule: str = ""
    result: str = ""
    since: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True)
class FoundGame:
    """A game of a database; `ply` is where the position that was searched for is, or 0. `file` is where it was read,
    which may be on another machine."""

    id: int
    setup: Setup
    seats: tuple[Seat, Seat]
    event: str
    day: str
    winner: int | None
    plies: int
    ply: int
    file: str
    number: int


@dataclass(frozen=True, slots=True)
class Summary:
    """How much is in a database."""

    games: int = 0
    positions: int = 0
    files: int = 0
    bytes: int = 0


@dataclass(slots=True)
class _Condition:
    """Part of a question, with its values."""

    tests: list[str] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)

    def add(self, test: str, *values: Any) -> None:
        """One more test."""
        self.tests.append(test)
        self.values += values


class Reader:
    """Reads the database at `path`, or a `connection` to one. Raise `DatabaseError`; all methods do."""

    def __init__(self, path: Path | None, connection: sqlite3.Connection | None = None) -> None:
        self.path = path
        self._connection = connection or connect(path)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _rows(self, question: str, values: Iterable[Any] = ()) -> list[tuple[Any, ...]]:
        with reported(self.path):
            return self._connection.execute(question, tuple(values)).fetchall()

    def summary(self) -> Summary:
        """Return how much is in the database; the positions are estimated from their plies."""
        games, plies = self._rows("SELECT count(*), coalesce(sum(plies), 0) FROM games")[0]
        files = self._rows("SELECT count(*) FROM sources")[0][0]
        size = self._rows("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")[0][0]
        return Summary(games, games + plies, files, size)

    # Positions.

    def explore(self, of: Setup, position: Position, rule: str = "") -> Explored:
        """Return what was played in a position of a game of `of`, by any rule or by one; evaluations are for the first
        side."""
        places = _places(of, position, rule)
        keys = [place.key for place in places]
        if places[0].filled < OPENING:
            question = f"SELECT move, {_SUMS} FROM continuations WHERE key IN ({_marks(keys)}) GROUP BY move"
        else:
            question = (
                f"SELECT move, {_COUNTS} FROM positions JOIN games ON games.id = positions.game"
                f" WHERE positions.key IN ({_marks(keys)}) GROUP BY move"
            )
        rows = self._rows(question, keys)
        with _valid(self.path):
            found = {int(move): (_results(counts), text(10)(last)) for move, *counts, last in rows}
        ended = found.pop(END, (Results(), ""))[0]
        total = reduce(Results.plus, (results for results, _ in found.values()), ended)
        order = sorted(found.items(), key=lambda item: (-item[1][0].games, item[0]))
        with _valid(self.path):
            moves = [(tuple(keys_of(of).moves(places[0], canonical)), *facts) for canonical, facts in order]
        known = self._evaluations(of, position, [equal[0] for equal, _, _ in moves[:_MOST_JUDGED]], rule)
        return Explored(total, ended, tuple(
            Continuation(equal[0], equal, results, last, known.get(equal[0])) for equal, results, last in moves
        ))  # fmt: skip

    def _evaluations(self, of: Setup, position: Position, moves: Sequence[int], rule: str) -> dict[int, Evaluation]:
        """What is known of the positions after `moves`."""
        after: dict[int, int] = {}
        for move in moves:
            try:
                following = position.play(move)
            except IllegalMove:  # by another rule it was not
                continue
            after |= {place.key: move for place in _places(of, following, rule or rule_of(position))}
        question = f"SELECT key, score, mate, depth, exact, player FROM evaluations WHERE key IN ({_marks(after)})"
        rows = self._rows(question, after)
        with _valid(self.path):
            return {after[key]: _evaluation(*facts) for key, *facts in rows}

    # Games.

    def search(self, search: GameQuery, most: int = 1 << 40, begin: int = 0) -> list[FoundGame]:
        """Return at most so many of the games that match, the last ones first, from number `begin` on."""
        where, values, source = self.question(search)
        order = "ORDER BY day DESC, games.id DESC LIMIT ? OFFSET ?"
        question = f"SELECT games.id FROM {source} WHERE {where} {order}"
        ids = self._rows(question, (*values, most, begin))
        return [each for at in range(0, len(ids), _AT_ONCE) for each in self._details(search, ids[at : at + _AT_ONCE])]

    def _details(self, search: GameQuery, ids: Sequence[tuple[Any, ...]]) -> list[FoundGame]:
        """Return the games of these ids, in the order of a search."""
        keys = [] if search.position is None else self._keys(search)
        ply = f"(SELECT max(ply) FROM positions WHERE key IN ({_marks(keys)}) AND game = games.id)" if keys else "0"
        rows = self._rows(
            f"SELECT games.id, {_HEAD}, plies, {ply}, sources.path, number FROM games {_JOINED}"
            f" LEFT JOIN sources ON sources.id = games.source WHERE games.id IN ({_marks(ids)})"
            " ORDER BY day DESC, games.id DESC",
            (*keys, *(game for (game,) in ids)),
        )
        with _valid(self.path):
            return [_found(*row) for row in rows]

    def count(self, search: GameQuery) -> int:
        """Return how many games match."""
        where, values, source = self.question(search)
        found: int = self._rows(f"SELECT count(*) FROM {source} WHERE {where}", values)[0][0]
        return found

    def question(self, search: GameQuery) -> tuple[str, list[Any], str]:
        """Return the condition of a search, its values, and the tables in the order in which they are to be read."""
        condition, source = _Condition(), "games"
        if search.position is not None:
            keys = self._keys(search)
            rare = self._rows(
                f"SELECT count(*) FROM (SELECT 1 FROM positions WHERE key IN ({_marks(keys)}) LIMIT {RARE})", keys
            )
            if rare[0][0] < RARE:
                source = "positions CROSS JOIN games ON games.id = positions.game"
                condition.add(f"positions.key IN ({_marks(keys)})", *keys)
            else:
                test = f"SELECT 1 FROM positions WHERE positions.key IN ({_marks(keys)}) AND positions.game = games.id"
                condition.add(f"EXISTS ({test})", *keys)
        # A plus keeps SQLite from collecting and sorting all games of the names: it reads them from the last day on.
        players, events = (f"IN (SELECT id FROM {table} WHERE instr(folded, ?) > 0)" for table in ("players", "events"))
        if name := search.player.casefold():
            condition.add(f"(+games.first {players} OR +games.second {players})", name, name)
        if name := search.event.casefold():
            condition.add(f"+games.event {events}", name)
        if name := search.text.casefold():
            condition.add(f"(+games.first {players} OR +games.second {players} OR +games.event {events})", *[name] * 3)
        if search.game:
            condition.add("games.setup IN (SELECT id FROM setups WHERE game = ?)", search.game)
        if search.rule:
            condition.add("games.setup IN (SELECT id FROM setups WHERE rule = ?)", search.rule)
        if search.result:
            condition.add("games.winner IS ?", RESULTS[search.result])
        if search.since:
            condition.add("games.day >= ?", search.since)
        if search.until:
            condition.add("games.day <> '' AND substr(games.day, 1, ?) <= ?", len(search.until), search.until)
        return " AND ".join(condition.tests) or "TRUE", condition.values, source

    def _keys(self, search: GameQuery) -> list[int]:
        assert search.position is not None
        assert search.setup is not None
        return [place.key for place in _places(search.setup, search.position, search.rule)]

    def record(self, game: int) -> GameRecord:
        """Return a game, with the cursor at its end. Raise `FormatError`, too, for a damaged one."""
        with reported(self.path):
            return record_of(stored_row(self._connection, game, self.path))


def stored_row(connection: sqlite3.Connection, game: int, path: Path | None = None) -> Row:
    """Return a row of `games`. Raise `DatabaseError` if there is none, or a damaged one."""
    row = connection.execute(
        f"SELECT {_HEAD}, ending, moves, digest, whole FROM games {_JOINED} WHERE games.id = ?",
        (game,),
    ).fetchone()
    with _valid(path):
        if row is None:
            raise DecodeError("is not there", "the game")
        *names, day, winner, ending, moves, digest, kept = row
        of, seats, event = _head(*names)
        if not isinstance(moves, bytes) or not isinstance(kept, bytes | None):
            raise DecodeError("must be bytes", "the moves")
        reason = None if ending is None else text(tengen.LONGEST_NAME)(ending)
        return Row(of, seats, event, text(10)(day), _winner(winner), reason, moves, int(digest), kept)


def stored_keys(connection: sqlite3.Connection, game: int, path: Path | None = None) -> list[int]:
    """Return the keys of the positions of a game. Raise `DatabaseError` as `stored_row`."""
    row = stored_row(connection, game, path)
    with _valid(path):  # a `FormatError` is a `ValueError`
        _, line = row_of(record_of(row))
    return [place.key for place in keys_of(row.setup).places([node.position for node in line])]


def _places(of: Setup, position: Position, rule: str) -> list[Place]:
    """The position by each rule of its game, or by the one named."""
    rules = (rule,) if rule else GAMES[of.game].rules
    return [keys_of(Setup(of.game, of.size, each)).place(position) for each in rules]


def _marks(values: Iterable[object]) -> str:
    """Question marks for the values."""
    return ", ".join("?" for _ in values)


# Rows, which may be of a damaged file, or of one that somebody has made by hand.


_BIG = 2**62


@contextmanager
def _valid(path: Path | None) -> Iterator[None]:
    """Raise invalid values in the block as `DatabaseError`."""
    try:
        yield
    except (ValueError, TypeError) as error:  # a `DecodeError` is a `ValueError`
        raise DatabaseError("damaged", path, str(error).rstrip(".")) from error


def _results(counts: Sequence[object]) -> Results:
    return Results(*(whole(0, _BIG)(count) for count in counts))


def _winner(value: object) -> int | None:
    return None if value is None else whole(FIRST_WON, DRAWN)(value)


def _evaluation(score: object, mate: object, depth: object, exact: object, by: object) -> Evaluation:
    number, plies = whole(-_BIG, _BIG), whole(-(10**6), 10**6)
    forced = None if mate is None else plies(mate)
    named = text(tengen.LONGEST_NAME)(by)
    return Evaluation(number(score), forced, plies(depth), exact=bool(exact), by=named)


def _head(*names: object) -> tuple[Setup, tuple[Seat, Seat], str]:
    """The game, the players and the event of a row."""
    game, size, rule, *seats, event = names
    name = text(tengen.LONGEST_NAME)
    of = setup(name(game), whole(1, 1000)(size), name(rule))
    first, second = (Seat(name(seats[at + 1]), name(seats[at])) for at in (0, 2))
    return of, (first, second), "" if event is None else text(LONGEST_LINE)(event)


def _found(*row: object) -> FoundGame:
    """Decode a row of a search."""
    game, *names, day, winner, plies, ply, file, number = row
    of, seats, event = _head(*names)
    count = whole(0, 1 << 20)
    where = "" if file is None else path_of(text(1 << 16)(file))
    facts = count(plies), count(ply), where, whole(0, _BIG)(number)
    return FoundGame(whole(1, _BIG)(game), of, seats, event, text(10)(day), _winner(winner), *facts)
