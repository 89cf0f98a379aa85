"""A game as a row of a database, and back.

A row has the main line, the players, the event, the day and the result. A game with more than that, such as comments or
variations, is kept whole in it, too, so that nothing is lost.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import NamedTuple

from games.about import About
from games.database.schema import DRAWN
from games.fields import well_formed
from games.formats import MOST_BYTES, tengen
from games.formats.common import FormatError
from games.library.importing import final_node
from games.position import IllegalMove, Outcome
from games.record import PERSON, GameRecord, Node, Seat, path
from games.registry import Setup

_DAY = re.compile(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?")


class Row(NamedTuple):
    """What is stored of a game besides its positions. `winner` is as in `games.database.schema`; `ending` is why a game
    ended that the rules have not ended; `whole` is the file of a game that is more than the rest of the row."""

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
    """Return the row of a game, and its line of play. Raise `FormatError` for a game that no file could hold."""
    final = final_node(record)
    line = path(final)
    moves = packed([node.move for node in line if node.move is not None])
    first, second = (Seat(seat.player, well_formed(seat.name)) for seat in record.seats)
    event, outcome = well_formed(record.about.event), final.outcome
    winner = None if outcome is None else DRAWN if outcome.winner is None else outcome.winner
    found = _DAY.match(record.date)
    day = found[0] if found else ""
    ending = final.ending.reason if final.ending and final.position.outcome is None else None
    whole = None if _plain(record, line, day) else zlib.compress(tengen.dumps(record))
    seats = first, second
    return Row(record.setup, seats, event, day, winner, ending, moves, _digest(record, moves), whole), line


def _plain(record: GameRecord, line: Sequence[Node], day: str) -> bool:
    """Whether `record_of` makes this game of a row without its file."""
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
    """The number of a game by which duplicates are found: the board, what was set up, the moves and the players."""
    names = tuple(seat.known_as.casefold() for seat in record.seats)
    known = repr((record.setup.game, record.setup.size, record.stones, names)).encode("utf-8", "replace")
    return int.from_bytes(blake2b(known + moves, digest_size=8).digest(), "little", signed=True)


def same_day(one: str, other: str) -> bool:
    """Whether two days, of which each may be a month, a year or unknown, may be the same."""
    return one.startswith(other) or other.startswith(one)


def packed(moves: Sequence[int]) -> bytes:
    """Encode moves, two bytes each."""
    return b"".join((move & 0xFFFF).to_bytes(2, "little") for move in moves)


def unpacked(moves: bytes) -> list[int]:
    """Decode `packed`."""
    return [move if move < 1 << 15 else move - (1 << 16) for move in _words(moves)]


def _words(moves: bytes) -> Sequence[int]:
    return [int.from_bytes(moves[at : at + 2], "little") for at in range(0, len(moves) - 1, 2)]


def record_of(row: Row) -> GameRecord:
    """Return the game of a row, with the cursor at its end. Raise `FormatError` for a damaged one."""
    if row.whole is not None:
        return tengen.loads(_inflated(row.whole))
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


def _inflated(data: bytes) -> bytes:
    """Decompress a game; never more than a file may have. Raise `FormatError`."""
    machine = zlib.decompressobj()
    try:
        found = machine.decompress(data, MOST_BYTES)
    except zlib.error as error:
        raise FormatError("The game is damaged: it cannot be decompressed.") from error
    if machine.unconsumed_tail or not machine.eof:
        raise FormatError("The game is damaged: it is incomplete or too large.")
    return found

