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
from games.formats import MOST_BYTES, tengen
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
AT_ONCE = 1_000  # games of one question
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
    """A move that was played in a position: its `results`, the `last` day on which it was played, and the engine's
    evaluation of the position after it, None if no game has one. `equal` are all moves that the symmetry of the
    position makes the same; `move` is the first of them."""

    move: int
    equal: tuple[int, ...]
    results: Results
    last: str
    evaluation: Evaluation | None = None


@dataclass(frozen=True, slots=True)
class Explored:
    """What was played in a position: `continuations`, most frequent first. `results` are those of all games that
    reached it, `ended` those of the games that ended there."""

    results: Results
    ended: Results
    continuations: tuple[Continuation, ...]


@dataclass(frozen=True, slots=True)
class GameQuery:
    """What games are searched for; an empty field matches all. `position` is one of a game of `setup`, reached by any
    rule unless there is a `rule`. `player` and `event` must be contained in a name, `text` in the name of a player or
    event. `result` is one of `RESULTS`. `since` and `until`, inclusive, are days in ISO format, or years."""

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
    """A game of a database. `plies` is its length; `ply` is where the position that was searched for is, 0 without one.
    It was game `number` in `file`, which may have been on another machine."""

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
    """A condition of an SQL query: `tests` that must all hold, and the `values` of their placeholders."""

    tests: list[str] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)

    def add(self, test: str, *values: Any) -> None:
        """Add a test with the values of its placeholders."""
        self.tests.append(test)
        self.values += values


class Reader:
    """Reads the database at `path`, or that of a `connection`. The constructor and all methods raise
    `DatabaseError`."""

    def __init__(self, path: Path | None, connection: sqlite3.Connection | None = None) -> None:
        self.path = path
        self._connection = connection or connect(path)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _rows(self, question: str, values: Iterable[Any] = ()) -> list[tuple[Any, ...]]:
        """Return all rows of an SQL query."""
        with reported(self.path):
            return self._connection.execute(question, tuple(values)).fetchall()

    def summary(self) -> Summary:
        """Return how much is in the database. The number of positions is an estimate: one more than its plies for each
        game."""
        games, plies = self._rows("SELECT count(*), coalesce(sum(plies), 0) FROM games")[0]
        files = self._rows("SELECT count(*) FROM sources")[0][0]
        size = self._rows("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")[0][0]
        return Summary(games, games + plies, files, size)

    # Positions.

    def explore(self, of: Setup, position: Position, rule: str = "") -> Explored:
        """Return what was played in a position of a game of `of`, in games by `rule`, or by any if that is empty.
        Evaluations are from the first side."""
        places = _places_by_rule(of, position, rule)
        keys = [place.key for place in places]
        if places[0].filled < OPENING:
            question = f"SELECT move, {_SUMS} FROM continuations WHERE key IN ({_qmarks(keys)}) GROUP BY move"
        else:
            question = (
                f"SELECT move, {_COUNTS} FROM positions JOIN games ON games.id = positions.game"
                f" WHERE positions.key IN ({_qmarks(keys)}) GROUP BY move"
            )
        rows = self._rows(question, keys)
        with _damage_reported(self.path):
            found = {int(move): (_decode_results(counts), text(10)(last)) for move, *counts, last in rows}
        ended = found.pop(END, (Results(), ""))[0]
        total = reduce(Results.plus, (results for results, _ in found.values()), ended)
        order = sorted(found.items(), key=lambda item: (-item[1][0].games, item[0]))
        with _damage_reported(self.path):
            moves = [(tuple(keys_of(of).moves(places[0], canonical)), *facts) for canonical, facts in order]
        known = self._evaluations(of, position, [equal[0] for equal, _, _ in moves[:_MOST_JUDGED]], rule)
        return Explored(total, ended, tuple(
            Continuation(equal[0], equal, results, last, known.get(equal[0])) for equal, results, last in moves
        ))  # fmt: skip

    def _evaluations(self, of: Setup, position: Position, moves: Sequence[int], rule: str) -> dict[int, Evaluation]:
        """Return the stored evaluations of the positions after `moves`, by move; moves without one are left out."""
        after: dict[int, int] = {}
        for move in moves:
            try:
                following = position.play(move)
            except IllegalMove:  # by another rule it was not
                continue
            after |= {place.key: move for place in _places_by_rule(of, following, rule or rule_of(position))}
        question = f"SELECT key, score, mate, depth, exact, player FROM evaluations WHERE key IN ({_qmarks(after)})"
        rows = self._rows(question, after)
        with _damage_reported(self.path):
            return {after[key]: _decode_evaluation(*facts) for key, *facts in rows}

    # Games.

    def search(self, search: GameQuery, most: int = -1, begin: int = 0) -> list[FoundGame]:
        """Return the games that match, the latest day first: at most `most`, or all if that is negative, after leaving
        out the first `begin`."""
        where, values, source = self.question(search)
        order = "ORDER BY day DESC, games.id DESC LIMIT ? OFFSET ?"
        question = f"SELECT games.id FROM {source} WHERE {where} {order}"
        ids = self._rows(question, (*values, most, begin))
        return [each for at in range(0, len(ids), AT_ONCE) for each in self._details(search, ids[at : at + AT_ONCE])]

    def _details(self, search: GameQuery, ids: Sequence[tuple[Any, ...]]) -> list[FoundGame]:
        """Return the games with these ids, rows of one column, in the order of `search`."""
        keys = [] if search.position is None else self._keys(search)
        ply = f"(SELECT max(ply) FROM positions WHERE key IN ({_qmarks(keys)}) AND game = games.id)" if keys else "0"
        rows = self._rows(
            f"SELECT games.id, {_HEAD}, plies, {ply}, sources.path, number FROM games {_JOINED}"
            f" LEFT JOIN sources ON sources.id = games.source WHERE games.id IN ({_qmarks(ids)})"
            " ORDER BY day DESC, games.id DESC",
            (*keys, *(game for (game,) in ids)),
        )
        with _damage_reported(self.path):
            return [_decode_game(*row) for row in rows]

    def count(self, search: GameQuery) -> int:
        """Return how many games match."""
        where, values, source = self.question(search)
        found: int = self._rows(f"SELECT count(*) FROM {source} WHERE {where}", values)[0][0]
        return found

    def question(self, search: GameQuery) -> tuple[str, list[Any], str]:
        """Return the SQL of a search: the condition, the values of its placeholders, and the tables to read in their
        order."""
        condition, source = _Condition(), "games"
        if search.position is not None:
            keys = self._keys(search)
            rare = self._rows(
                f"SELECT count(*) FROM (SELECT 1 FROM positions WHERE key IN ({_qmarks(keys)}) LIMIT {RARE})", keys
            )
            if rare[0][0] < RARE:
                source = "positions CROSS JOIN games ON games.id = positions.game"
                condition.add(f"positions.key IN ({_qmarks(keys)})", *keys)
            else:
                test = f"SELECT 1 FROM positions WHERE positions.key IN ({_qmarks(keys)}) AND positions.game = games.id"
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
        """Return the keys of the searched position, which must be there: one for each rule."""
        assert search.position is not None
        assert search.setup is not None
        return [place.key for place in _places_by_rule(search.setup, search.position, search.rule)]

    def record(self, game: int) -> GameRecord:
        """Return the game with this id, with the cursor at its end. Raise `FormatError`, too, if it is damaged."""
        with reported(self.path):
            return record_of(stored_row(self._connection, game, self.path))


def stored_row(connection: sqlite3.Connection, game: int, path: Path | None = None) -> Row:
    """Return the row of the game with this id. Raise `DatabaseError`, which names `path`, if there is none or if it is
    damaged."""
    row = connection.execute(
        f"SELECT {_HEAD}, ending, moves, digest, whole FROM games {_JOINED} WHERE games.id = ?",
        (game,),
    ).fetchone()
    with _damage_reported(path):
        if row is None:
            raise DecodeError("is not there", "the game")
        *names, day, winner, ending, moves, digest, kept = row
        of, seats, event = _decode_head(*names)
        if not isinstance(moves, bytes) or not isinstance(kept, bytes | None):
            raise DecodeError("must be bytes", "the moves")
        reason = None if ending is None else text(tengen.LONGEST_NAME)(ending)
        return Row(of, seats, event, text(10)(day), _decode_winner(winner), reason, moves, int(digest), kept)


def stored_keys(connection: sqlite3.Connection, game: int, path: Path | None = None) -> list[int]:
    """Return the keys of all positions of the game with this id. Raise `DatabaseError`, which names `path`, if there is
    none or if it is damaged."""
    row = stored_row(connection, game, path)
    with _damage_reported(path):  # a `FormatError` is a `ValueError`
        _, line = row_of(record_of(row))
    return [place.key for place in keys_of(row.setup).places([node.position for node in line])]


def _places_by_rule(of: Setup, position: Position, rule: str) -> list[Place]:
    """Return key and symmetries of a position by `rule`; if that is empty, by each rule of its game."""
    rules = (rule,) if rule else GAMES[of.game].rules
    return [keys_of(Setup(of.game, of.size, each)).place(position) for each in rules]


def _qmarks(values: Iterable[object]) -> str:
    """Return an SQL list of placeholders, one for each of `values`."""
    return ", ".join("?" for _ in values)


# Rows, which may be of a damaged file, or of one that somebody has made by hand.


_number = whole(-(2**62), 2**62)
_count = whole(0, 2**62)


@contextmanager
def _damage_reported(path: Path | None) -> Iterator[None]:
    """Raise `DatabaseError` (``damaged``), which names `path`, for a `ValueError` or `TypeError` in the block."""
    try:
        yield
    except (ValueError, TypeError) as error:  # a `DecodeError` is a `ValueError`
        raise DatabaseError("damaged", path, str(error).rstrip(".")) from error


def _decode_results(counts: Sequence[object]) -> Results:
    """Decode numbers of games: all, won by either side, drawn."""
    return Results(*map(_count, counts))


def _decode_winner(value: object) -> int | None:
    """Decode who won: a side or `DRAWN`, None if unknown."""
    return None if value is None else whole(FIRST_WON, DRAWN)(value)


def _decode_evaluation(score: object, mate: object, depth: object, exact: object, by: object) -> Evaluation:
    """Decode an evaluation; each parameter is a value of its row."""
    forced = None if mate is None else _number(mate)
    named = text(tengen.LONGEST_NAME)(by)
    return Evaluation(_number(score), forced, _number(depth), exact=bool(exact), by=named)


def _decode_head(*names: object) -> tuple[Setup, tuple[Seat, Seat], str]:
    """Decode game, players and event of a row, in the order of `_HEAD`."""
    game, size, rule, *seats, event = names
    name = text(tengen.LONGEST_NAME)
    of = setup(name(game), _number(size), name(rule))
    first, second = (Seat(name(seats[at + 1]), name(seats[at])) for at in (0, 2))
    return of, (first, second), "" if event is None else text(LONGEST_LINE)(event)


def _decode_game(*row: object) -> FoundGame:
    """Decode a row of a search."""
    game, *names, day, winner, plies, ply, file, number = row
    of, seats, event = _decode_head(*names)
    where = "" if file is None else path_of(text(MOST_BYTES)(file))
    facts = _count(plies), _count(ply), where, _count(number)
    return FoundGame(_count(game), of, seats, event, text(10)(day), _decode_winner(winner), *facts)
