"""PSQ and REC, the game files of Piskvork, the manager of Gomocup tournaments.

A PSQ has a header with the size, ``x,y,milliseconds`` a move, counted from 1 at the top left, then perhaps the names of
the two players, an error code and, in files of Gomocup, ``winner,rule``. Read as leniently as Piskvork does: moves may
lack their time, have more numbers or share a line, lines may be empty, and what follows the moves may be missing.

A REC, of the older manager Gomotur, has the names of the players, who moves first before the other, and then the moves,
counted from 0, on a board of 20 × 20 points.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, takewhile

from games.formats.common import Cuts, FormatError, conclude, quoted, read_by_fitting_rule
from games.formats.encodings import decode, guess_notices
from games.formats.sgf import GAME, rule_of
from games.formats.tengen import LONGEST_NAME, MOST_SECONDS
from games.formats.terms import rule_named, unknown_rule
from games.position import IllegalMove, Outcome
from games.record import PERSON, GameRecord, Seat
from games.registry import Setup, setup

_HEADER = re.compile(
    r"piskvorky?\s+(\d{1,4})\s*x\s*(\d{1,4})(?:\s*,\s*(-?\d{1,9})\s*:\s*(-?\d{1,9})\s*(?:,\s*(-?\d{1,9}))?)?",
    re.IGNORECASE,
)
_MOVE = re.compile(
    r"\s*([+-]?\d{1,9})[ \t]*,[ \t]*([+-]?\d{1,9})"
    r"(?:[ \t]*,[ \t]*([+-]?\d{0,18}))?(?:[ \t]*+,[ \t]*+[+-]?\d{0,18}){0,20}(?!\S)"
)
_NUMBER = re.compile(r"\s*-?\d+\s*")
_VERDICT = re.compile(r"\s*(-?\d{1,9})\s*,\s*([^\W\d]\w*)\s*")
_BRAIN = re.compile(r"^pbrain-|\.(zip|exe)$", re.IGNORECASE)
_UNNAMED = re.compile(r"homo-[12]")  # as Piskvork calls people
_PLAYERS = 2
_REC_SIZE = 20
_SAVED_BY_HAND = "-1"
_USUAL_RULE = "freestyle"  # of a file that names none
_NO_RESULT = -1  # in place of the winner, where only the rule is to be told
_TIME_OUT = "15"
"""The error code of a game lost on time."""


def recognises(data: bytes) -> bool:
    """Return whether `data` begins like a PSQ file."""
    return _HEADER.match(data[:100].decode("latin-1").lstrip("\ufeffï»¿ \r\n\t")) is not None


def loads(data: bytes, game: Setup | None = None, encoding: str | None = None) -> GameRecord:
    """Read the game in `data`; `game` gives the rule if the file does not. Without an `encoding` it is guessed if need
    be, of which a notice tells. Raise `FormatError`."""
    decoded = decode(data, encoding)
    lines = [line for line in decoded.text.lstrip("\ufeff").splitlines() if line.strip()]
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
    verdict = _VERDICT.fullmatch(lines[-1])
    named = rule_named(verdict[2]) if verdict else None
    body = "\n".join(lines[1:])
    moves = list(islice(_match_moves(body), size * size + 1))  # more cannot be played
    rest = body[moves[-1].end() if moves else 0 :].split("\n")
    code, names = _parse_footer(rest)
    if second_begins:  # the file names the first player first, whoever begins
        names.reverse()

    record = _record(size, named or rule_of(game), names, moves, rest)
    if verdict and named is None:
        record.notices.append(unknown_rule(verdict[2], record.setup.rule))
    if verdict and (outcome := _outcome(int(verdict[1]), code, second_begins)) is not None:
        conclude(record, outcome)
    record.notices += guess_notices(decoded)
    return record


def load_rec(data: bytes, game: Setup | None = None, encoding: str | None = None) -> GameRecord:
    """Read the game in a REC; parameters and errors as those of `loads`."""
    decoded = decode(data, encoding)
    lines = [line for line in decoded.text.lstrip("\ufeff").splitlines() if line.strip()]
    names = list(takewhile(lambda line: not _MOVE.match(line), lines))
    if len(names) == len(lines) and names[-1:] == [_SAVED_BY_HAND]:  # a game without moves
        names.pop()
    if len(names) > _PLAYERS or len(names) == len(lines):
        raise FormatError("The file does not begin like a game of Gomotur.", "foreign")
    body = "\n".join(lines[len(names) :])
    moves = list(islice(_match_moves(body), _REC_SIZE**2 + 1))
    rest = body[moves[-1].end() if moves else 0 :].split("\n")
    record = _record(_REC_SIZE, rule_of(game), [*map(_name, names), "", ""], moves, rest, 0)
    record.notices += guess_notices(decoded)
    return record


def _record(
    size: int, rule: str | None, names: list[str], moves: list[re.Match[str]], rest: list[str], begin: int = 1
) -> GameRecord:
    """Return the game with these `moves`, matches of `_MOVE` with coordinates counted from `begin`. `rest` are the
    lines after them. Without a `rule` it is the one that fits best."""

    def read(rule: str, cuts: Cuts) -> GameRecord:
        """Read the game by a rule."""
        record = GameRecord(setup(GAME, size, rule), (Seat(PERSON, names[0]), Seat(PERSON, names[1])))
        record.date = ""
        _play_moves(record, moves, rest, cuts, begin)
        return record

    return read_by_fitting_rule(read, GAME, rule)


def _outcome(winner: int, code: str, second_begins: bool) -> Outcome | None:
    """Return the outcome of a game that the file's player 1 or 2 has won, or that was drawn (0); None for another
    number. `code` is the error code; `second_begins` tells that player 2 has the first side."""
    if winner == 0:
        return Outcome(None, "agreed")
    if winner not in (1, 2):
        return None
    return Outcome((winner - 1) ^ second_begins, "time" if code == _TIME_OUT else "other")


def _play_moves(record: GameRecord, moves: list[re.Match[str]], rest: list[str], cuts: Cuts, begin: int) -> None:
    """Play the `moves` up to the first illegal one; count the others in `cuts`. Moves that follow other lines in `rest`
    are left out, too."""
    try:
        for move in moves:
            record.play(_cell(int(move[1]) - begin, int(move[2]) - begin, record.setup.size), _seconds(move[3]))
        if any(map(_MOVE.match, rest)):
            raise IllegalMove("unreadable", f"{quoted(next(filter(str.strip, rest)))} is not a move.")
    except IllegalMove as error:
        cuts.add(record, error, len(moves) - record.position.ply)


def _match_moves(body: str) -> Iterator[re.Match[str]]:
    """Yield a match of `_MOVE` for each move at the beginning of `body`: column, row and milliseconds."""
    found = _MOVE.match(body)
    while found is not None:
        yield found
        found = _MOVE.match(body, found.end())


def _parse_footer(rest: list[str]) -> tuple[str, list[str]]:
    """Return the error code and the two players' names, each empty if it is missing, from the lines after the moves. A
    last line with winner and rule is ignored."""
    lines = [line for line in rest if line.strip() and not _MOVE.match(line)]
    if lines and _VERDICT.fullmatch(lines[-1]):
        lines.pop()
    code = lines.pop().strip() if lines and _NUMBER.fullmatch(lines[-1]) else ""
    return code, [*map(_name, lines), "", ""][:_PLAYERS]


def _seconds(milliseconds: str | None) -> float | None:
    """Convert a time in milliseconds to seconds, at least 0 and at most `MOST_SECONDS`; None if there is no number."""
    return min(max(0, int(milliseconds)) / 1000, MOST_SECONDS) if milliseconds and milliseconds[-1].isdigit() else None


def _cell(x: int, y: int, size: int) -> int:
    """Return the cell of column `x` and row `y`, counted from 0. Raise `IllegalMove` outside the board."""
    if not (0 <= x < size and 0 <= y < size):
        raise IllegalMove("outside", f"Column {x + 1}, row {y + 1} is not on the board.")
    return y * size + x


def _name(line: str) -> str:
    """Return the player's name in a line, without the folder, ``pbrain-`` and the extension of a program; empty for a
    name that Piskvork gives to people."""
    name = _BRAIN.sub("", _BRAIN.sub("", line.strip().rpartition("\\")[2]))[:LONGEST_NAME]
    return "" if _UNNAMED.fullmatch(name) else name


def dumps(record: GameRecord) -> bytes:
    """Encode the line of play through the cursor as a PSQ in UTF-8: players, times, winner and rule, as newer managers
    do.

    Raise `FormatError` for a game that begins with a position that was set up.
    """
    size = record.setup.size
    kinds = ":".join("0" if seat.player == PERSON else "1" for seat in record.seats)
    rows = [f"Piskvorky {size}x{size}, {kinds}, 0", *_move_rows(record, 1), *_name_rows(record)]
    outcome = record.line()[-1].outcome
    rows.append(_TIME_OUT if outcome is not None and outcome.reason == "time" else _SAVED_BY_HAND)
    if outcome is not None or record.setup.rule != _USUAL_RULE:
        winner = _NO_RESULT if outcome is None else 0 if outcome.winner is None else outcome.winner + 1
        rows.append(f"{winner},{record.setup.rule.capitalize()}")
    return ("\r\n".join(rows) + "\r\n").encode("utf-8", "replace")


def dump_rec(record: GameRecord) -> bytes:
    """Encode the line of play through the cursor as a REC. Raise `FormatError` for another board than 20 × 20, and for
    a position that was set up."""
    if record.setup.size != _REC_SIZE:
        raise FormatError("REC files hold games on 20 × 20 points only.", "unwritable")
    rows = [*_name_rows(record), *_move_rows(record, 0), _SAVED_BY_HAND]
    return ("\r\n".join(rows) + "\r\n").encode("utf-8", "replace")


def _move_rows(record: GameRecord, begin: int) -> Iterator[str]:
    """Yield a line for each move, coordinates counted from `begin`. Raise `FormatError` for a position that was set
    up."""
    if record.stones is not None:
        raise FormatError("Files of Piskvork cannot hold a starting position that was set up.", "unwritable")
    for node in record.line()[1:]:
        assert node.move is not None
        row, column = divmod(node.move, record.setup.size)
        yield f"{column + begin},{row + begin},{round(1000 * (node.seconds or 0))}"


def _name_rows(record: GameRecord) -> Iterator[str]:
    """Yield the names of both players, without characters that have a meaning in the file; ``homo-1`` or ``homo-2`` for
    none."""
    for number, seat in enumerate(record.seats, 1):
        yield " ".join(seat.known_as.replace(",", " ").replace("\\", "/").split()) or f"homo-{number}"
