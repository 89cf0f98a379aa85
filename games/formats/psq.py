"""PSQ, the game files of Piskvork, the manager of Gomocup tournaments.

A header with the size, ``x,y,milliseconds`` a move, counted from 1 at the top left, then perhaps the names of the two
players, an error code and, in files of Gomocup, ``winner,rule``. Read as leniently as Piskvork does: moves may lack
their time or share a line, lines may be empty, and what follows the moves may be missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from games.formats.common import FormatError, notice, quoted, read_by_fitting_rule
from games.formats.native import LONGEST_NAME, MOST_SECONDS
from games.formats.sgf import GAME, GOMOKU, rule_of
from games.position import IllegalMove
from games.record import PERSON, GameRecord, Seat
from games.registry import GAMES, Setup, setup

_HEADER = re.compile(
    r"piskvorky?\s+(\d{1,4})\s*x\s*(\d{1,4})(?:\s*,\s*(-?\d{1,9})\s*:\s*(-?\d{1,9})\s*(?:,\s*(-?\d{1,9}))?)?",
    re.IGNORECASE,
)
_MOVE = re.compile(r"\s*([+-]?\d{1,9})[ \t]*,[ \t]*([+-]?\d{1,9})(?:[ \t]*,[ \t]*([+-]?\d{0,18}))?(?!\S)")
_NUMBER = re.compile(r"\s*-?\d+\s*")
_VERDICT = re.compile(r"\s*-?\d+\s*,\s*([a-z]+)[\d_]*\s*", re.IGNORECASE)
_BRAIN = re.compile(r"^pbrain-|\.(zip|exe)$", re.IGNORECASE)
_UNNAMED = re.compile(r"homo-[12]")  # as Piskvork calls people
_SAVED_BY_HAND = "-1"


def recognises(data: bytes) -> bool:
    """Return whether `data` begins like a PSQ file."""
    return _HEADER.match(data[:100].decode("latin-1").lstrip("\ufeffï»¿ \r\n\t")) is not None


def loads(data: bytes, game: Setup | None = None) -> GameRecord:
    """Read the game in `data`; `game` gives the rule if the file does not. Raise `FormatError`."""
    lines = [line for line in _text(data).lstrip("\ufeff").splitlines() if line.strip()]
    header = _HEADER.match(lines[0].lstrip()) if lines else None
    if header is None:
        raise FormatError("The file does not begin like a game of Piskvork.", "foreign")
    if header[1] != header[2]:
        raise FormatError(f"The board is {header[1]}×{header[2]}; only square ones can be read.", "foreign")
    try:
        size = setup(GAME, int(header[1])).size
    except ValueError as error:
        raise FormatError(str(error), "foreign") from error
    second_begins = header[5] is not None and int(header[5]) == 1
    rule = _rule(lines) or rule_of(game)
    body = "\n".join(lines[1:])
    return read_by_fitting_rule(lambda rule: _record(body, setup(GAME, size, rule), second_begins), GAME, rule)


def _rule(lines: list[str]) -> str | None:
    """Return the rule that the last line names, or None."""
    found = _VERDICT.fullmatch(lines[-1])
    named = found[1].lower() if found else None
    return named if named in GAMES[GAME].rules else None


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _record(body: str, of: Setup, second_begins: bool) -> GameRecord:
    moves = list(_moves(body))
    rest = body[moves[-1].end() if moves else 0 :].split("\n")
    names = [_name(line) for line in _names(rest)]
    if second_begins:  # the file names the first player first, whoever begins
        names.reverse()
    record = GameRecord(of, (Seat(PERSON, names[0]), Seat(PERSON, names[1])))
    record.date = ""
    try:
        for move in moves:
            record.play(_cell(int(move[1]), int(move[2]), of.size), _seconds(move[3]))
        if any(map(_MOVE.match, rest)):
            raise IllegalMove("unreadable", f"{quoted(next(filter(str.strip, rest)))} is not a move.")
    except IllegalMove as error:
        ply = record.position.ply + 1
        record.notices.append(notice("cut", ply=ply, reason=str(error), why=error.reason))
    return record


def _moves(body: str) -> Iterator[re.Match[str]]:
    """Yield a match for each move, with column and row from 1 and milliseconds; end at anything else."""
    found = _MOVE.match(body)
    while found is not None:
        yield found
        found = _MOVE.match(body, found.end())


def _names(rest: list[str]) -> list[str]:
    """Return the two lines after the moves that name the players, or empty ones. Ignore an error code and a verdict at
    the end."""
    lines = [line for line in rest if line.strip() and not _MOVE.match(line)]
    for kind in (_VERDICT, _NUMBER):
        if lines and kind.fullmatch(lines[-1]):
            lines.pop()
    return [*lines, "", ""][:2]


def _seconds(milliseconds: str | None) -> float | None:
    return min(max(0, int(milliseconds)) / 1000, MOST_SECONDS) if milliseconds and milliseconds[-1].isdigit() else None


def _cell(x: int, y: int, size: int) -> int:
    if not (1 <= x <= size and 1 <= y <= size):
        raise IllegalMove("outside", f"The point {x},{y} is not on the board.")
    return (y - 1) * size + x - 1


def _name(line: str) -> str:
    """Return the name of a player, without the folder, ``pbrain-`` and the extension of a program."""
    name = _BRAIN.sub("", _BRAIN.sub("", line.strip().rpartition("\\")[2]))[:LONGEST_NAME]
    return "" if _UNNAMED.fullmatch(name) else name


def dumps(record: GameRecord) -> bytes:
    """Encode the line of play through the cursor, with the players and the times, as UTF-8 with CRLF.

    Raise `FormatError` for a game of another kind, or one with a position that was set up.
    """
    size = record.setup.size
    if GAMES[record.setup.game].sgf_number != GOMOKU:
        raise FormatError("PSQ files hold games of gomoku only.", "unwritable")
    if record.stones is not None:
        raise FormatError("PSQ files cannot hold a starting position that was set up.", "unwritable")
    kinds = ":".join("0" if seat.player == PERSON else "1" for seat in record.seats)
    rows = [f"Piskvorky {size}x{size}, {kinds}, 0"]
    for node in record.line()[1:]:
        assert node.move is not None
        row, column = divmod(node.move, size)
        rows.append(f"{column + 1},{row + 1},{round(1000 * (node.seconds or 0))}")
    names = (seat.known_as.replace(",", " ").replace("\\", "/") for seat in record.seats)
    rows += [" ".join(name.split()) or f"homo-{number}" for number, name in enumerate(names, 1)]
    return ("\r\n".join([*rows, _SAVED_BY_HAND]) + "\r\n").encode("utf-8", "replace")
