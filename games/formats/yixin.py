"""SAV and POS, the saved positions of Yixin-Board: the moves of one line of play, black first.

A SAV is text: height, width and number of moves, then row and column of each move, from 0 at the top left. A POS is
for 15 × 15 points: a byte with the number of moves, then a byte for each, column · 15 + row. (RenLib has POS files,
too, with row · 15 + column: the same game, mirrored.) Neither names a rule or the players.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from games.formats.common import Cuts, FormatError, notice, read_by_fitting_rule
from games.formats.sgf import GAME, rule_of
from games.position import IllegalMove
from games.record import GameRecord
from games.registry import GAMES, Setup, setup

_HEADER = 3
_MOST_NUMBERS = _HEADER + 2 * max(GAMES[GAME].sizes) ** 2
_NUMBER = re.compile(rb"[0-9]{1,4}(?![0-9])")
_POS_SIZE = 15


def load_sav(data: bytes, game: Setup | None = None) -> GameRecord:
    """Read the game in a SAV; `game` gives the rule, else it is the one that fits best. Raise `FormatError`."""
    numbers = []
    for word in data.split(None, _MOST_NUMBERS)[:_MOST_NUMBERS]:
        if not _NUMBER.fullmatch(word):
            break
        numbers.append(int(word))
    if len(numbers) < _HEADER:
        raise FormatError("The file does not begin like a position of Yixin.", "foreign")
    height, width, count, *moves = numbers
    if height != width:
        board = f"{width}×{height}"
        raise FormatError(f"The board is {board}; only square ones can be read.", "board", board=board)
    pairs = list(zip(moves[::2], moves[1::2], strict=False))[:count]
    return _play_pairs(width, pairs, count, game)


def fits_pos(data: bytes) -> bool:
    """Return whether `data` can be all of a POS: as many points as its first byte says, each once."""
    moves = data[1:]
    if not data or data[0] != len(moves):
        return False
    return len(set(moves)) == len(moves) and max(moves, default=0) < _POS_SIZE**2


def load_pos(data: bytes, game: Setup | None = None) -> GameRecord:
    """Read the game in a POS; `game` gives the rule, else it is the one that fits best. Raise `FormatError`."""
    count = data[0] if data else 0
    if count > _POS_SIZE**2 or (not count and len(data) != 1):
        raise FormatError("The file does not begin like a position of Yixin.", "foreign")
    pairs = [(byte % _POS_SIZE, byte // _POS_SIZE) for byte in data[1 : 1 + count]]
    return _play_pairs(_POS_SIZE, pairs, count, game)


def _play_pairs(size: int, pairs: list[tuple[int, int]], count: int, game: Setup | None) -> GameRecord:
    """Return the game with moves on `pairs` of row and column. `count` is how many the file promises; if there are
    fewer, add a notice."""
    try:
        size = setup(GAME, size).size
    except ValueError as error:
        raise FormatError(str(error), "foreign") from error

    def read(rule: str, cuts: Cuts) -> GameRecord:
        """Read the moves by a rule."""
        record = GameRecord(setup(GAME, size, rule))
        record.date = ""
        try:
            for row, column in pairs:
                if column >= size:  # it would be a point of another row
                    raise IllegalMove("outside", "The point is not on the board.")
                record.play(row * size + column)
        except IllegalMove as error:
            cuts.add(record, error, len(pairs) - record.position.ply)
        return record

    record = read_by_fitting_rule(read, GAME, rule_of(game))
    if len(pairs) < count:
        record.notices.append(notice("broken_off"))
    return record


def dump_sav(record: GameRecord) -> bytes:
    """Encode the line of play through the cursor as a SAV. Raise `FormatError` for a position that was set up."""
    size = record.setup.size
    moves = _rows_and_columns(record)
    rows = (size, size, len(moves), *(f"{row} {column}" for row, column in moves))
    return "".join(f"{row}\n" for row in rows).encode()


def dump_pos(record: GameRecord) -> bytes:
    """Encode the line of play through the cursor as a POS. Raise `FormatError` for another board, and for a position
    that was set up."""
    moves = _rows_and_columns(record)
    if record.setup.size != _POS_SIZE:
        raise FormatError("POS files hold games on 15 × 15 points only.", "unwritable")
    return bytes([len(moves), *(column * _POS_SIZE + row for row, column in moves)])


def _rows_and_columns(record: GameRecord) -> list[tuple[int, int]]:
    """Return (row, column) of each move of the line of play. Raise `FormatError` for a position that was set up."""
    if record.stones is not None:
        raise FormatError("Files of Yixin cannot hold a starting position that was set up.", "unwritable")
    cells: Iterable[int] = (node.move for node in record.line() if node.move is not None)
    return [divmod(cell, record.setup.size) for cell in cells]
