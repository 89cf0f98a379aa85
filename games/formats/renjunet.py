"""RIF, the database of games of RenjuNet: XML with tables of countries, cities, rules, openings, players and
tournaments, and then the games, which refer to them by number.

Parsed as a stream, since there are more than a hundred thousand games. Entities are not expanded, and nothing that the
file refers to is read. A game tells who played where, by which rule, with which opening and result; the result of black
is 1, 0.5 or 0. What it says of offered moves (`alt`) and of `swap` is kept as a note.
"""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from xml.parsers import expat

from games.formats.common import (
    MOST_GAMES,
    Cuts,
    FormatError,
    OnProgress,
    conclude,
    notice,
    shortened,
    silent,
)  # fmt: skip
from games.formats.encodings import UTF_8, Decoded, codec_for, decode, guess_notices
from games.formats.sgf import GAME, rule_of
from games.formats.tengen import LONGEST_NAME, MOST_NODES
from games.formats.terms import rule_named
from games.position import FIRST, SECOND, IllegalMove, Outcome
from games.record import LONGEST_LINE, LONGEST_NOTE, PERSON, About, GameRecord, Seat
from games.registry import Setup, setup

_SIZE = 15
_HEAD = 4096  # bytes
_ROOT = re.compile(rb"<database\b")
_SAMPLE = 1 << 20  # bytes by which the encoding is known
CHUNK = 1 << 16
"""Bytes that are parsed at a time."""
_TABLES = frozenset({"country", "city", "rule", "opening", "player", "tournament"})
_TEXTS = frozenset({"move", "info"})
_RESULTS = {"1": FIRST, "0": SECOND, "0.5": None}
_DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_GOMOKU = "gomoku"
"""The category of the rules that are no renju."""

_Row = Mapping[str, str]
"""The attributes of an element."""


@dataclass(slots=True)
class _Game:
    """A game of the file: the attributes of its element, the texts in it by the names of their elements, and the byte
    of the file at which it ends, counted in UTF-8."""

    row: _Row
    end: int = 0
    texts: dict[str, str] = field(default_factory=dict)


def recognises(data: bytes) -> bool:
    """Return whether `data` begins like a database of RenjuNet."""
    head = data[:_HEAD]
    return head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"<" and _ROOT.search(head) is not None


def loads(
    data: bytes, game: Setup | None = None, _on_progress: OnProgress = silent, encoding: str | None = None
) -> GameRecord:
    """Read the first game in `data`; a notice counts the others. Raise `FormatError`."""
    decoded, database = _open_database(data, encoding)
    games = database.games()
    first = next(games, None)
    if first is None:
        raise _no_games_error()
    record = _record(first, database, game)
    if count := sum(1 for _ in islice(games, MOST_GAMES)):
        record.notices.insert(0, notice("more_games", count=count))
    record.notices += guess_notices(decoded)
    return record


def loads_all(data: bytes, game: Setup | None = None, encoding: str | None = None) -> list[GameRecord]:
    """Read the games in `data`, at most `MOST_GAMES`; a notice of the first counts the others. Raise `FormatError` if
    there is none."""
    decoded, database = _open_database(data, encoding)
    games = database.games()
    records = [_record(each, database, game) for each in islice(games, MOST_GAMES)]
    if not records:
        raise _no_games_error()
    if count := sum(1 for _ in games):
        records[0].notices.append(notice("other_games", count=count))
    if database.broken:
        records[0].notices.append(notice("broken_off"))
    records[0].notices += guess_notices(decoded)
    return records


def read_each(data: bytes, begin: int = 0) -> Iterator[tuple[int, GameRecord | FormatError]]:
    """Yield every game in `data` with the byte at which it ends, counted in UTF-8: passed as `begin`, that leaves out
    the games up to it. At the end, yield an error if the file is damaged. Raise `FormatError` if there is no game."""
    _, database = _open_database(data, None)
    count = 0
    for found in database.games():
        count += 1
        if found.end > begin:
            yield found.end, _record(found, database, None)
    if database.broken:
        yield len(data) + 1, FormatError(f"The file is damaged after {count:,} games.")
    elif not count:
        raise _no_games_error()


def _no_games_error() -> FormatError:
    """Return the error for a file without games."""
    return FormatError("The file has no games of RenjuNet.", "foreign")


# From XML.


def _open_database(data: bytes, encoding: str | None) -> tuple[Decoded, _Database]:
    """Return the decoded beginning of the file, which tells the encoding, and a reader of all of it. Raise
    `FormatError` for an invalid `encoding`."""
    decoded = decode(data[:_SAMPLE].rpartition(b">")[0], encoding)
    return decoded, _Database(data, decoded.encoding)


class _Database:
    """Reads the games in a file, and the tables before them. After the games, `broken` tells whether the XML is
    damaged."""

    def __init__(self, data: bytes, encoding: str) -> None:
        self._data = data
        codec = "utf-8-sig" if encoding == UTF_8 else codec_for(encoding) or encoding
        self._decoder = getincrementaldecoder(codec)("replace")
        self._tables: dict[str, dict[str, _Row]] = {name: {} for name in _TABLES}
        self._found: list[_Game] = []
        self._game: _Game | None = None
        self._inside = ""
        self.broken = False
        self._parser = expat.ParserCreate(UTF_8)  # whatever the file says that it has been in
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.EntityDeclHandler = self._refuse_entity

    def row(self, table: str, number: str) -> _Row:
        """Return the row of `table` with this number, as far as the file has been read; an empty one if there is
        none."""
        return self._tables[table].get(number, {})

    def games(self) -> Iterator[_Game]:
        """Yield the games, each after its tables; stop where the XML is damaged. Raise `FormatError` for a file that
        declares entities."""
        for at in range(0, len(self._data), CHUNK):
            last = at + CHUNK >= len(self._data)
            text = self._decoder.decode(self._data[at : at + CHUNK], last)
            try:
                self._parser.Parse(text.encode(UTF_8, "replace"), last)
            except expat.ExpatError:
                self.broken = True
            found, self._found = self._found, []
            yield from found
            if self.broken:
                return

    def _start(self, name: str, row: dict[str, str]) -> None:
        """Handle the start of an element: note a row of a table, or begin a game."""
        if name == "game":
            self._game = _Game(row)
        elif name in _TABLES and "id" in row:
            self._tables[name][row["id"]] = row
        self._inside = name if name in _TEXTS else ""

    def _end(self, name: str) -> None:
        """Handle the end of an element: at that of a game, add it to those found."""
        self._inside = ""
        if name == "game" and self._game is not None:
            self._game.end = self._parser.CurrentByteIndex
            self._found.append(self._game)
            self._game = None

    def _characters(self, text: str) -> None:
        """Handle text inside an element: add it to the texts of the game."""
        if self._inside and self._game is not None:
            before = self._game.texts.get(self._inside, "")
            if len(before) <= LONGEST_NOTE:  # in proportion to the text, however many pieces it has
                self._game.texts[self._inside] = before + text

    def _refuse_entity(self, *_declaration: object) -> None:
        """Raise `FormatError`: entities can make a small file expand without limit."""
        raise FormatError("The file declares entities, which no database of RenjuNet does.", "foreign")


# From a game of the file to a record.


def _record(found: _Game, database: _Database, game: Setup | None) -> GameRecord:
    """Return a game of the file; `game` gives the rule, or else the file. Moves that cannot be played are left out,
    with what follows them."""
    row = found.row
    moves = found.texts.get("move", "").lower().split()[: MOST_NODES]
    seats = tuple(Seat(PERSON, _player(database.row("player", row.get(side, "")))) for side in ("black", "white"))
    tournament = database.row("tournament", row.get("tournament", ""))
    opening = database.row("opening", row.get("opening", ""))
    about = _about(found, tournament, database)
    rule = rule_of(game) or _rule(database.row("rule", row.get("rule", "")))
    record = GameRecord(setup(GAME, _SIZE, rule), (seats[0], seats[1]))
    record.date, record.about = _day(tournament), about
    try:
        for move in moves:
            record.play(record.position.parse_move(shortened(move)))
    except IllegalMove as error:
        Cuts().add(record, error, len(moves))
    if name := opening.get("name", "")[:LONGEST_LINE]:
        record.root.extra["ON"] = (_escaped(name),)
    result = row.get("bresult", "").strip()
    if result in _RESULTS:
        winner = _RESULTS[result]
        conclude(record, Outcome(winner, "agreed" if winner is None else "other"))
    return record


def _player(row: _Row) -> str:
    """Return the full name of a player."""
    return " ".join(filter(None, (row.get("name", ""), row.get("surname", ""))))[:LONGEST_NAME]


def _rule(row: _Row) -> str:
    """Return the rule of a game: the one that `row` names, else ``standard`` in the category gomoku, else renju."""
    gomoku = row.get("category", "").strip().casefold() == _GOMOKU
    return rule_named(row.get("name", "")) or ("standard" if gomoku else "renju")


def _about(found: _Game, tournament: _Row, database: _Database) -> About:
    """Return what is known of a game besides the moves and the players."""
    city = database.row("city", tournament.get("city", ""))
    country = database.row("country", tournament.get("country", ""))
    place = ", ".join(filter(None, (city.get("name", ""), country.get("name", ""))))
    said = [(name, found.row.get(name, "")) for name in ("alt", "swap")]
    notes = found.texts.get("info", "").strip(), *(f"{name}: {text.strip()}" for name, text in said if text.strip())
    return About(
        event=tournament.get("name", "")[:LONGEST_LINE], place=place[:LONGEST_LINE],
        round=found.row.get("round", "")[:LONGEST_LINE], note="\n".join(filter(None, notes))[:LONGEST_NOTE],
    )  # fmt: skip


def _day(tournament: _Row) -> str:
    """Return the day, month or year in ISO format on which a tournament began, or else ended; empty if unknown."""
    for name in ("start", "end"):
        found = _DAY.fullmatch(tournament.get(name, "").strip())
        if found and int(found[1]):
            year, month, day = found.groups()
            return "-".join((year, month, day)[: 1 + bool(int(month)) * (1 + bool(int(day)))])
    year, month = tournament.get("year", "").strip(), tournament.get("month", "").strip()
    if not re.fullmatch("[0-9]{4}", year) or not int(year):
        return ""
    return f"{year}-{int(month):02}" if re.fullmatch("0?[1-9]|1[0-2]", month) else year


def _escaped(text: str) -> str:
    """Return a text with the escapes of an SGF value."""
    return re.sub(r"[]\\:]", r"\\\g<0>", text)
