"""Othello, as a newcomer adds it: pieces are turned over, a side without a move must pass, and the discs are counted.

Rows are numbered from the top, as Othello players do: the first move is mostly ``d3`` or ``f5``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from games.game import Game
from games.position import FIRST, PASS, IllegalMove, Outcome

_DIRECTIONS = [(right, down) for right in (-1, 0, 1) for down in (-1, 0, 1) if right or down]


@dataclass(frozen=True, slots=True)
class OthelloPosition:
    """The discs on a square board of `size`, row by row from the top: 0, or 1 and 2 for a disc of a side."""

    game: ClassVar[str] = "othello"

    cells: bytes
    size: int
    ply: int = 0
    turn: int = FIRST

    @property
    def key(self) -> tuple[bytes, int]:
        return self.cells, self.turn

    @property
    def score(self) -> tuple[int, int]:
        return self.cells.count(1), self.cells.count(2)

    @property
    def outcome(self) -> Outcome | None:
        if any(True for side in (self.turn, 1 - self.turn) for _ in self._placements(side)):
            return None
        first, second = self.score
        return Outcome(None if first == second else int(second > first), "score", score=self.score)

    def _turned(self, cell: int, side: int) -> list[int]:
        """The discs that one of `side` on the empty `cell` turns over."""
        if self.cells[cell]:
            return []
        turned: list[int] = []
        row, column = divmod(cell, self.size)
        for right, down in _DIRECTIONS:
            x, y, run = column + right, row + down, []
            while 0 <= x < self.size and 0 <= y < self.size and self.cells[y * self.size + x] == 2 - side:
                run.append(y * self.size + x)
                x, y = x + right, y + down
            if 0 <= x < self.size and 0 <= y < self.size and self.cells[y * self.size + x] == side + 1:
                turned += run
        return turned

    def _placements(self, side: int) -> Iterator[int]:
        return (cell for cell in range(len(self.cells)) if self._turned(cell, side))

    def legal_moves(self) -> Sequence[int]:
        moves = list(self._placements(self.turn))
        return moves or ([] if self.outcome else [PASS])

    def candidates(self) -> Sequence[int]:
        """Return all moves: corners first, and what is beside one last."""
        return sorted(self.legal_moves(), key=self._value, reverse=True)

    def _value(self, cell: int) -> int:
        row, column = divmod(cell, self.size)
        edges = [min(place, self.size - 1 - place) for place in (row, column)]
        return {(0, 0): 8, (1, 1): -4, (0, 1): -2}.get((min(edges), max(edges)), int(0 in edges))

    def evaluate(self) -> int:
        """Return the worth of the cells that each side has, and of the moves it can choose from."""
        own = self.turn + 1
        held = sum(self._value(cell) * (1 if disc == own else -1) for cell, disc in enumerate(self.cells) if disc)
        mobility = len(list(self._placements(self.turn))) - len(list(self._placements(1 - self.turn)))
        return 50 * held + 30 * mobility

    def play(self, move: int) -> OthelloPosition:
        legal = self.legal_moves()
        if not legal:
            raise IllegalMove("over", "The game is over.")
        if move not in legal:
            raise IllegalMove("turns_none", "A disc must turn over one of the other side's.")
        cells = bytearray(self.cells)
        for cell in [] if move == PASS else [move, *self._turned(move, self.turn)]:
            cells[cell] = self.turn + 1
        return OthelloPosition(bytes(cells), self.size, self.ply + 1, 1 - self.turn)

    def move_text(self, move: int) -> str:
        return "pass" if move == PASS else f"{chr(ord('a') + move % self.size)}{move // self.size + 1}"

    def parse_move(self, text: str) -> int:
        text = text.strip().lower()
        if text == "pass":
            return PASS
        if not (text[:1].isascii() and text[:1].isalpha() and text[1:].isascii() and text[1:].isdigit()):
            raise IllegalMove("unreadable", f"“{text}” is not a cell such as “d3”.")
        column, row = ord(text[0]) - ord("a"), int(text[1:3]) - 1
        if len(text) > 3 or not (column < self.size and 0 <= row < self.size):
            raise IllegalMove("outside", f"“{text}” is not on a board of {self.size}×{self.size} cells.")
        return row * self.size + column


def _start(size: int, _rule: str) -> OthelloPosition:
    cells, middle = bytearray(size * size), size // 2
    for row, column in ((middle - 1, middle), (middle, middle - 1)):
        cells[row * size + column] = 1
        cells[row * size + 2 * middle - 1 - column] = 2
    return OthelloPosition(bytes(cells), size)


OTHELLO = Game(
    key="othello",
    start=_start,
    sizes=(6, 8),
    size=8,
    sides=("black", "white"),
    passes=True,
    sgf_number=2,
)
