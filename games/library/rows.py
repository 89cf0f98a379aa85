"""The rows of the library's index, and their conversion to and from `Entry`.

A row may come from a damaged file: all values are validated.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any
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
from games.formats import EXTENSIONS, FormatError, tengen
from games.formats.common import KINDS
from games.position import Stones
from games.record import LONGEST_LINE, Seat
from games.registry import GAMES, Setup, setup

WON, LOST, FIRST_WON, SECOND_WON, DRAW = "won", "lost", "first", "second", "draw"
UNFINISHED, DAMAGED = "unfinished", "damaged"

_MOST = 2**63 - 1  # SQLite's greatest integer
_LONGEST = 16 * 1024 * 1024  # characters of any text in a row
_LONGEST_OCCASION = 3 * LONGEST_LINE + 10
_TIMES = (-7e10, 2.6e11)  # seconds since the epoch: from the year 1 to the year 9999


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewSummary:
    """A review in short: the accuracy of either side in per cent, and the number of its mistakes."""

    accuracy: tuple[float, float] = checked(pair(number(0, 100)))
    mistakes: tuple[int, int] = checked(pair(whole(0, 10**6)))


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


def file_title(path: Path) -> str:
    """Return the name of a game's file without its extension."""
    for ending in EXTENSIONS:
        if path.name.lower().endswith(ending):
            return path.name[: -len(ending)]
    return path.stem


@dataclass(frozen=True, slots=True, kw_only=True)
class _Problem:
    message: str = checked(text(_LONGEST))
    kind: str = checked(one_of(*KINDS))
    facts: dict[str, Any] = checked(entries)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """The columns of a game, see `Entry`; `seats`, `score`, `stones` and `problem` are JSON."""

    path: str = checked(text(_LONGEST))
    mtime: int = checked(whole(-_MOST, _MOST))
    bytes: int = checked(whole(0, _MOST))
    problem: str = checked(text(_LONGEST))
    game: str = checked(one_of("", *GAMES))
    rule: str = checked(text(tengen.LONGEST_NAME))
    size: int = checked(whole(0, 1000))
    seats: str = checked(text(_LONGEST))
    result: str = checked(one_of(WON, LOST, FIRST_WON, SECOND_WON, DRAW, UNFINISHED, DAMAGED))
    winner: int | None = checked(whole(0, 1), None)
    reason: str = checked(text(tengen.LONGEST_NAME))
    score: str = checked(text(100))
    plies: int = checked(whole(0, 10**6))
    at: float = checked(number(*_TIMES))
    stones: str = checked(text(_LONGEST))
    moves: str = checked(text(_LONGEST))
    review: str = checked(text(200))
    digest: str = checked(text(tengen.LONGEST_NAME))
    origin: str = checked(text(tengen.LONGEST_NAME))
    occasion: str = checked(text(_LONGEST_OCCASION))
    id: int = checked(whole(1, _MOST))


_NAMES = [each.name for each in fields(_Row)]
COLUMNS = ", ".join(_NAMES[:-1])


def entry_of(values: object) -> Entry:
    """Decode a row. Raise `ValueError` or `LookupError` for an invalid one."""
    row = decode(_Row, dict(zip(_NAMES, items(len(_NAMES), len(_NAMES))(values), strict=True)), "a game")
    game = setup(row.game, row.size, row.rule) if row.game else None
    seats = pair(tengen.seat_of)(parsed(row.seats))
    stones = tengen.stones_of(game, parsed(row.stones)) if game and row.stones else None
    facts = (game, seats, row.result, row.winner, row.reason, row.plies, row.at, stones, row.moves, row.id)
    path = Path(file_name(path_of(row.path)))
    if not path.name:
        raise DecodeError("must be the name of a file", "“path”", "a game")
    review = decode(ReviewSummary, parsed(row.review), "a review") if row.review else None
    score = pair(whole(-_MOST, _MOST))(parsed(row.score)) if row.score else None
    last = review, score, row.digest, row.origin, row.occasion
    return Entry(path, row.mtime, row.bytes, _problem(row.problem), *facts, *last)


def _problem(text: str) -> FormatError | None:
    """Decode the problem of a file; None for an empty text."""
    if not text:
        return None
    problem = decode(_Problem, parsed(text), "a problem")
    facts = {name: problem.facts[name] for name in KINDS[problem.kind]}
    return FormatError(problem.message, problem.kind, **facts)


def values_of(entry: Entry) -> tuple[Any, ...]:
    """Return the values of `COLUMNS`, which `entry_of` decodes."""
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
    """Encode `path` as text. On Linux a file name need not be text; such a path is percent-encoded after a ``%``, with
    which no other begins."""
    if well_formed(path) == path and not path.startswith("%"):
        return path
    return "%" + quote_from_bytes(os.fsencode(path))


def path_of(text: str) -> str:
    """Decode `path_text`."""
    return os.fsdecode(unquote_to_bytes(text[1:])) if text.startswith("%") else text
