"""PSQ, the game files of Piskvork, the manager of Gomocup tournaments.

A header with the size, ``x,y,milliseconds`` a move, counted from 1 at the top left, then perhaps the names of the two
players, an error code and, in files of Gomocup, ``winner,rule``. Read as leniently as Piskvork does: moves may lack
their time, lines may be empty, and what follows the moves may be missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from games.formats.common import FormatError, notice, read_by_fitting_rule
from games.formats.sgf import GAME, GOMOKU
from games.position import FIRST, SECOND, IllegalMove
from games.record import PERSON, GameRecord, Seat
from games.registry import GAMES, Setup, setup

_HEADER = re.compile(
    r"piskvorky?\s+(\d{1,4})\s*x\s*(\d{1,4})(?:\s*,\s*(-?\d{1,9})\s*:\s*(-?\d{1,9})\s*(?:,\s*(-?\d{1,9}))?)?",
    re.IGNORECASE,
)
_MOVE = re.compile(r"\s*(\d{1,4})\s*,\s*(\d{1,4})(?:\s*,\s*(-?\d{1,12}))?\s*")
_NUMBER = re.compile(r"\s*-?\d+\s*")
_VERDICT = re.compile(r"\s*-?\d\s*,\s*([a-z]+)\s*", re.IGNORECASE)
_BRAIN = re.compile(r"^pbrain-|\.(zip|exe)$", re.IGNORECASE)
_LONGEST_NAME = 200
_MOST_SECONDS = 10**9
_SAVED_BY_HAND = "-1"


def recognises(data: bytes) -> bool:
    """Whether `data` begins like a PSQ file."""
    return _HEADER.match(data[:100].decode("latin-1").lstrip("\ufeffï»¿ \r\n\t")) is not None


def loads(data: bytes, game: Setup | None = None) -> GameRecord:
    """The game in `data`; `game` tells the rule where the file does not. Raises `FormatError`."""
    lines = [line for line in _text(data).lstrip("\ufeff").splitlines() if line.strip()]
    header = _HEADER.match(lines[0].lstrip()) if lines else None
    if header is None:
        raise FormatError("The file does not begin as a game of Piskvork does.", "foreign")
    if header[1] != header[2]:
        raise FormatError(f"The board is {header[1]}×{header[2]}; only square ones can be read.", "foreign")
    try:
        size = setup(GAME, int(header[1])).size
    except ValueError as error:
        raise FormatError(str(error), "foreign") from error
    second_begins = header[5] is not None and int(header[5]) == 1
    rule = _rule(lines) or (None if game is None else game.rule)
    return read_by_fitting_rule(lambda rule: _record(lines[1:], setup(GAME, size, rule), second_begins), GAME, rule)


def _rule(lines: list[str]) -> str | None:
    """The rule that the last line names, if it is one of ours."""
    found = _VERDICT.fullmatch(lines[-1])
    named = found[1].lower() if found else None
    return named if named in GAMES[GAME].rules else None


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _record(lines: list[str], of: Setup, second_begins: bool) -> GameRecord:
    moves = list(_moves(lines))
    others = (_NUMBER, _MOVE, _VERDICT)
    rest = [line for line in lines[len(moves) :] if not any(kind.fullmatch(line) for kind in others)]
    names = [_name(line) for line in rest][:2]
    names += [""] * (2 - len(names))
    if second_begins:  # the file names the first player first, whoever begins
        names.reverse()
    record = GameRecord(of, (Seat(PERSON, names[0]), Seat(PERSON, names[1])))
    record.date = ""
    for x, y, seconds in moves:
        try:
            record.play(_cell(x, y, of.size), seconds)
        except IllegalMove as error:
            ply = record.position.ply + 1
            record.notices.append(notice("cut", ply=ply, reason=str(error), why=error.reason))
            break
    return record


def _moves(lines: list[str]) -> Iterator[tuple[int, int, float | None]]:
    """Column and row from 1, and the seconds, of each move; a line of another kind ends them."""
    for line in lines:
        found = _MOVE.fullmatch(line)
        if found is None:
            return
        seconds = None if found[3] is None else min(max(0, int(found[3])) / 1000, _MOST_SECONDS)
        yield int(found[1]), int(found[2]), seconds


def _cell(x: int, y: int, size: int) -> int:
    if not (1 <= x <= size and 1 <= y <= size):
        raise IllegalMove("outside", f"The point {x},{y} is not on the board.")
    return (y - 1) * size + x - 1


def _name(line: str) -> str:
    """The name of a player without what Piskvork's brains have around theirs."""
    return _BRAIN.sub("", _BRAIN.sub("", line.strip().rpartition("\\")[2]))[:_LONGEST_NAME]


def dumps(record: GameRecord) -> bytes:
    """The line of play through the cursor, with the players and the times, as UTF-8 with CRLF.

    Raises `FormatError` for a game of another kind, or one with a position that was set up.
    """
    size = record.setup.size
    if GAMES[record.setup.game].sgf_number != GOMOKU:
        raise FormatError("PSQ has no such game.", "unwritable")
    if record.stones is not None:
        raise FormatError("PSQ has no positions that were set up.", "unwritable")
    kinds = ":".join("0" if seat.player == PERSON else "1" for seat in record.seats)
    rows = [f"Piskvorky {size}x{size}, {kinds}, 0"]
    for node in record.line()[1:]:
        assert node.move is not None
        row, column = divmod(node.move, size)
        rows.append(f"{column + 1},{row + 1},{round(1000 * (node.seconds or 0))}")
    names = [record.seats[side].name or record.seats[side].player for side in (FIRST, SECOND)]
    rows += [" ".join(name.replace(",", " ").split()) or "?" for name in names]
    return ("\r\n".join([*rows, _SAVED_BY_HAND]) + "\r\n").encode("utf-8", "replace")
