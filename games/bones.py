"""The Game of Bones: players take one to three bones from a heap; who cannot take loses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from typing import ClassVar

from games.coords import cells_with
from games.drawing import CELL, INK, MARGIN, RED, WOOD, Sheet, label, tag
from games.game import Game
from games.position import FIRST, IllegalMove, Outcome, Stones

MOST_TAKEN = 3
LARGEST_HEAP = 60

_COUNT = 34  # size of the number of bones in a drawing


@dataclass(frozen=True, slots=True)
class BonesPosition:
    """A heap with `left` bones after `ply` moves, with `turn` to move."""

    game: ClassVar[str] = "bones"

    left: int
    ply: int = 0
    turn: int = FIRST

    def arranged(self, stones: Stones) -> BonesPosition:
        """Return a new heap of this size with `stones.turn` to move. Raise `ValueError` with a sentence if `stones` has
        any cells: a heap has none."""
        cells_with(stones, 0, 0)
        return BonesPosition(self.left, turn=stones.turn)

    @property
    def key(self) -> tuple[int, int]:
        """The bones left and the side to move; the number of moves played does not matter."""
        return self.left, self.turn

    @property
    def outcome(self) -> Outcome | None:
        """A loss (``heap``) for the side that is to move with no bones left, else None. There is no draw."""
        return Outcome(1 - self.turn, "heap") if self.left == 0 else None

    def legal_moves(self) -> range:
        """Return the numbers of bones that can be taken: 1 to 3, at most those left."""
        return range(1, min(MOST_TAKEN, self.left) + 1)

    def candidates(self) -> range:
        """Return all legal moves, fewest bones first; none is preferred."""
        return self.legal_moves()

    def evaluate(self) -> int:
        """Return 0: without a search to the end, a score would reveal the theory of the game."""
        return 0

    def play(self, move: int) -> BonesPosition:
        """Take `move` bones from the heap. Raise `IllegalMove` (``over``, ``amount``)."""
        if self.left == 0:
            raise IllegalMove("over", "The game is over: the heap is empty.")
        if move not in self.legal_moves():
            most = min(MOST_TAKEN, self.left)
            raise IllegalMove("amount", f"You can take 1 to {most} bones here, not {move}.")
        return BonesPosition(self.left - move, self.ply + 1, 1 - self.turn)

    def move_text(self, move: int) -> str:
        """Return the number of bones taken, in digits."""
        return str(move)

    def parse_move(self, text: str) -> int:
        """Parse a number of bones, of at most three ASCII digits. Raise `IllegalMove` (``unreadable``)."""
        text = text.strip()
        if not (text.isascii() and text.isdigit() and len(text) < 4):
            raise IllegalMove("unreadable", f"“{text}” is not a number of bones.")
        return int(text)


def _draw_heap(heap: BonesPosition, size: int, line: Sequence[int]) -> Sheet:
    """Draw a heap that began with `size` bones: those that are left, outlines of the others, and in red those that the
    first move of `line` takes (none if `line` is empty)."""
    rows = ceil(sqrt(size / 2))  # a bone is twice as high as wide: about as many cells down as across
    columns, better = ceil(size / rows), sum(line[:1])
    width, height = 2 * MARGIN + columns * CELL, 2 * MARGIN + rows * 2 * CELL
    ground = tag("rect", width=width, height=height, rx=6, fill=WOOD)
    parts = [ground, label(width / 2, MARGIN / 2, str(heap.left), _COUNT, INK)]
    for index in range(size):
        row, column = divmod(index, columns)
        fill = "none" if index >= heap.left else RED if index >= heap.left - better else "#f6efe0"
        x, y = MARGIN + column * CELL + 9, MARGIN + row * 2 * CELL + 8
        parts.append(tag("rect", x=x, y=y, width=14, height=48, rx=7, fill=fill, stroke=INK))
    return Sheet(width, height, tuple(parts))


BONES = Game(
    key="bones",
    start=lambda size, _rule: BonesPosition(size),
    sizes=range(1, LARGEST_HEAP + 1),
    size=21,
    board=None,
    move_pattern="[0-9]+",
    arrange=BonesPosition.arranged,
    commutes=True,
    size_at=lambda heap: heap.left,
    draw=_draw_heap,
)
