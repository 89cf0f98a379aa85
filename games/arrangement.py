"""What is set up before a game begins: a value that is changed by clicks until it is a starting position."""

from __future__ import annotations

from dataclasses import dataclass, replace

from games.position import FIRST, SECOND, Position, Stones, cells_of
from games.record import GameRecord
from games.registry import GAMES, Setup


@dataclass(frozen=True, slots=True)
class Arrangement:
    """`cells` are the contents of the board, as `games.position.cells_of` has them; none in a game without cells, where
    the size and whose turn it is are all there is."""

    setup: Setup
    cells: bytes
    turn: int = FIRST

    @classmethod
    def empty(cls, setup: Setup) -> Arrangement:
        """The starting position of `setup` as an arrangement."""
        return cls(setup, _cells(setup, setup.start()))

    @classmethod
    def of(cls, record: GameRecord) -> Arrangement:
        """Return what is on the board at the cursor of `record`, or before the end of the game."""
        node = record.cursor
        while node.position.outcome is not None and node.parent is not None:
            node = node.parent
        size_at = GAMES[record.setup.game].size_at
        setup = record.setup if size_at is None else replace(record.setup, size=size_at(node.position))
        return cls(setup, _cells(setup, node.position), node.position.turn)

    def stones(self, turn: int) -> Stones:
        """The arranged stones as a starting position with `turn` to move."""
        first, second = (
            tuple(cell for cell, content in enumerate(self.cells) if content == side + 1) for side in (FIRST, SECOND)
        )
        return Stones((first, second), turn)

    def position(self, turn: int) -> Position:
        """Return the position with `turn` to move. Raise `ValueError` if the stones cannot stand."""
        return self.setup.start(self.stones(turn))

    def record(self) -> GameRecord:
        """Return a game that begins here."""
        empty = self == Arrangement.empty(self.setup)
        return GameRecord(self.setup, stones=None if empty else self.stones(self.turn))

    def clicked(self, move: int, wanted: int) -> int:
        """Return what a click on `move` makes of its cell: the `wanted` content, or nothing where it lies already."""
        return 0 if self.cells[self._cell(move, wanted)] == wanted else wanted

    def with_content(self, move: int, content: int) -> Arrangement:
        """Return this with `content` in the cell of `move`: 0, or 1 and 2 for a stone of the first and the second side.
        Where stones are piled up, the pile grows until it is full, and shrinks with 0."""
        cell = self._cell(move, content)
        return replace(self, cells=self.cells[:cell] + bytes((content,)) + self.cells[cell + 1 :])

    def played(self, move: int) -> Arrangement:
        """Return this after a stone of the side to move, or without the stone that is in the way, whose side is to move
        again."""
        there = self.cells[self._cell(move, self.turn + 1)]
        return replace(self.with_content(move, 0 if there else self.turn + 1), turn=(there or 2 - self.turn) - 1)

    def _cell(self, move: int, content: int) -> int:
        """The cell that a move changes: the next free one of its pile, or with `content` 0 the topmost filled one."""
        cells = GAMES[self.setup.game].fills(move)
        if content:
            return next((cell for cell in cells if not self.cells[cell]), cells[-1])
        return next((cell for cell in reversed(cells) if self.cells[cell]), cells[0])

    def on(self, other: Setup) -> Arrangement:
        """Return the same stones on the board of `other`, from the middle; those that are not on it are left out."""
        (width, height), (wide, high) = self.setup.board, other.board
        cells = bytearray(wide * high)
        for cell, content in enumerate(self.cells):
            row, column = divmod(cell, width)
            row, column = row + high // 2 - height // 2, column + wide // 2 - width // 2
            if 0 <= row < high and 0 <= column < wide:
                cells[row * wide + column] = content
        return replace(self, setup=other, cells=bytes(cells))


def _cells(setup: Setup, position: Position) -> bytes:
    return cells_of(position) if any(setup.board) else b""
