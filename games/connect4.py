"""Connect Four: discs fall into seven columns of six cells, and four in a row win.

A position is two bit sets, one for each side, in the well-known layout by John Tromp: a column is seven bits, the
lowest cell first, and the seventh bit is always 0, so that no row runs on into the next column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from games.coords import cells_with
from games.drawing import DISCS
from games.game import Game
from games.position import FIRST, SECOND, IllegalMove, Outcome, Stones

WIDTH, HEIGHT = 7, 6
CELLS = WIDTH * HEIGHT

_STEP = HEIGHT + 1  # bits from a cell to its neighbour in the next column
_DIRECTIONS = (1, _STEP, _STEP - 1, _STEP + 1)
_COLUMN = (1 << HEIGHT) - 1
_BOTTOM = sum(1 << _STEP * column for column in range(WIDTH))
_BOARD = _BOTTOM * _COLUMN
_BITS = [_STEP * column + HEIGHT - 1 - row for row in range(HEIGHT) for column in range(WIDTH)]  # of each cell
_CENTRE_FIRST = sorted(range(WIDTH), key=lambda column: abs(column - WIDTH // 2))
_ONE, _TWO, _THREE = 3, 14, 45  # value of four cells in a row with so many discs of one side and none of the other


@dataclass(frozen=True, slots=True)
class Connect4Position:
    """The discs of the `first` and the `second` side as bit sets, after `ply` moves, with `turn` to move."""

    game: ClassVar[str] = "connect4"

    first: int = 0
    second: int = 0
    ply: int = 0
    turn: int = FIRST

    def arranged(self, stones: Stones) -> Connect4Position:
        """Return a position that was set up. Raise `ValueError` with a sentence for discs that share a cell, are
        outside or hang in the air, and if one side has won already."""
        cells = cells_with(stones, WIDTH, HEIGHT)
        first, second = (sum(1 << _BITS[cell] for cell in range(CELLS) if cells[cell] == side) for side in (1, 2))
        filled = first | second
        if filled & (filled + _BOTTOM):  # adding one to a column without gaps leaves none of its bits
            raise ValueError("A disc of the starting position has nothing below it.")
        if _fours(first) or _fours(second):
            raise ValueError("One side has already won in the starting position.")
        return Connect4Position(first, second, turn=stones.turn)

    @property
    def key(self) -> tuple[int, int, int]:
        """Both bit sets and the side to move."""
        return self.first, self.second, self.turn

    @property
    def cells(self) -> bytes:
        """Each cell, row by row from the top: 0, or 1 and 2 for a disc of the first and the second side."""
        return bytes((self.first >> bit & 1) + 2 * (self.second >> bit & 1) for bit in _BITS)

    @property
    def outcome(self) -> Outcome | None:
        """A win (``line``) of the side that moved last, with the cells of all its rows of four; a draw (``full``) on a
        full board; else None."""
        winner = 1 - self.turn
        won = _fours(self._discs(winner))
        if won:
            return Outcome(winner, "line", tuple(sorted(_cell(bit) for bit in range(_STEP * WIDTH) if won >> bit & 1)))
        return Outcome(None, "full") if self.first | self.second == _BOARD else None

    def _discs(self, side: int) -> int:
        """Return the bit set of a side."""
        return self.first if side == FIRST else self.second

    def landing(self, column: int) -> int | None:
        """Return the cell, as in `cells`, in which a disc in `column` lands; None if the column is full."""
        bit = self._landing_bit(column)
        return _cell(bit.bit_length() - 1) if bit else None

    def _landing_bit(self, column: int) -> int:
        """Return the bit, as a bit set, of the cell in which a disc in `column` lands; 0 if the column is full."""
        mask = _COLUMN << _STEP * column
        return ((self.first | self.second) + (1 << _STEP * column)) & mask

    def legal_moves(self) -> Sequence[int]:
        """Return the columns, from 0, that are not full; none when the game is over."""
        return () if self.outcome else [column for column in range(WIDTH) if self._landing_bit(column)]

    def candidates(self) -> Sequence[int]:
        """Return the moves that win at once, or those that block a win, or else all from the centre outwards."""
        if self.outcome:
            return ()
        return self.urgent_moves() or [column for column in _CENTRE_FIRST if self._landing_bit(column)]

    def urgent_moves(self) -> Sequence[int]:
        """Return the moves that win at once, or else those that block a win of the other side; empty if there is
        neither."""
        if self.outcome:
            return ()
        legal = [column for column in _CENTRE_FIRST if self._landing_bit(column)]
        for discs in (self._discs(self.turn), self._discs(1 - self.turn)):
            urgent = [column for column in legal if _fours(discs | self._landing_bit(column))]
            if urgent:
                return urgent
        return ()

    def evaluate(self) -> int:
        """Return, for the side to move, the difference of the values of the rows of four cells in which only one side
        has discs."""
        score = _value(self.first, self.second) - _value(self.second, self.first)
        return score if self.turn == FIRST else -score

    def play(self, move: int) -> Connect4Position:
        """Drop a disc into the column `move`. Raise `IllegalMove` (``outside``, ``over``, ``occupied``)."""
        if not 0 <= move < WIDTH:
            raise IllegalMove("outside", "There is no such column.")
        if self.outcome is not None:
            raise IllegalMove("over", "The game is over.")
        disc = self._landing_bit(move)
        if not disc:
            raise IllegalMove("occupied", f"Column {self.move_text(move)} is full.")
        if self.turn == FIRST:
            return Connect4Position(self.first | disc, self.second, self.ply + 1, SECOND)
        return Connect4Position(self.first, self.second | disc, self.ply + 1, FIRST)

    def move_text(self, move: int) -> str:
        """Return the letter of the column, from ``a`` at the left."""
        return chr(ord("a") + move)

    def parse_move(self, text: str) -> int:
        """Parse a letter from a to g, small or capital. Raise `IllegalMove` (``unreadable``)."""
        text = text.strip().lower()
        if not (len(text) == 1 and "a" <= text <= "g"):
            raise IllegalMove("unreadable", f"“{text}” is not a column from a to g.")
        return ord(text) - ord("a")


def _cell(bit: int) -> int:
    """Return the cell, as in `Connect4Position.cells`, of the bit with this number in a bit set."""
    column, height = divmod(bit, _STEP)
    return (HEIGHT - 1 - height) * WIDTH + column


def _fours(discs: int) -> int:
    """Return the bit set of those `discs` that are in a row of four or more."""
    found = 0
    for step in _DIRECTIONS:
        pairs = discs & discs >> step
        start = pairs & pairs >> 2 * step
        found |= start | start << step | start << 2 * step | start << 3 * step
    return found


def _value(own: int, other: int) -> int:
    """Return the score of the discs `own`: the sum of the values, by the number of own discs, of the windows of four
    cells without a disc of `other`."""
    free, value = _BOARD & ~other, 0
    for step in _DIRECTIONS:
        window = free & free >> step
        window &= window >> 2 * step
        low, high = own ^ own >> step, own & own >> step
        odd, carry = low ^ low >> 2 * step, low & low >> 2 * step
        two = (high ^ high >> 2 * step ^ carry) & window
        odd &= window
        value += _THREE * (odd & two).bit_count() + _TWO * (two & ~odd).bit_count() + _ONE * (odd & ~two).bit_count()
    return value


CONNECT4 = Game(
    key="connect4",
    start=lambda _size, _rule: Connect4Position(),
    sizes=(WIDTH,),
    size=WIDTH,
    sides=("red", "yellow"),
    board=lambda _size: (WIDTH, HEIGHT),
    move_pattern="[a-g]",
    digits="abcdefg",
    arrange=Connect4Position.arranged,
    fills=lambda column: range(CELLS - WIDTH + column, -1, -WIDTH),
    symmetries=2,
    style=DISCS,
)
