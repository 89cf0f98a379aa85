"""What the square boards of cells share: geometry, cached pictures and the handling of positions."""

from __future__ import annotations

from typing import Protocol, TypeVar, runtime_checkable

import pygame

from games.line import LineRules
from games.position import Position
from ui.board.animated_view import AnimatedView
from ui.board.lattice import Lattice
from ui.board.mark_art import MarkArt
from ui.board.shapes import Labels, Pictures
from ui.board.view import Frame, Marks


@runtime_checkable
class LineBoard(Position, Protocol):
    """A position of stones on a board of cells; see `games.line.LinePosition`."""

    @property
    def rules(self) -> LineRules: ...

    @property
    def cells(self) -> bytes: ...

    @property
    def last(self) -> int | None: ...


def line_board(position: Position) -> LineBoard:
    """Return `position`. Raise `TypeError` if it has no cells."""
    if not isinstance(position, LineBoard):
        raise TypeError(f"{type(position).__name__} has no stones on cells")
    return position


class CellArt:
    """The cached pictures for a board of `count` rows in one frame.

    A subclass overrides `_empty` and `_letter`.
    """

    def __init__(self, frame: Frame, count: int) -> None:
        self.lattice = Lattice.within(frame.rect, frame.scale, count)
        self.marks = MarkArt(frame)
        self._labels = Labels(frame.font)
        self._pictures = Pictures()

    def ground(self, coordinates: bool) -> pygame.Surface:
        """The empty board, of the size of the lattice's square; do not draw on it."""
        return self._pictures.get(("ground", coordinates), self._lettered if coordinates else self._empty)

    def _lettered(self) -> pygame.Surface:
        ground = self.ground(False).copy()
        if self.lattice.lettering:
            self._letter(ground)
        return ground

    def _empty(self) -> pygame.Surface:
        """Make the board without coordinates."""
        raise NotImplementedError

    def _letter(self, ground: pygame.Surface) -> None:
        """Write the coordinates on `ground`."""
        raise NotImplementedError


A = TypeVar("A", bound=CellArt)


class CellView(AnimatedView[A]):
    """A `BoardView` for square boards of cells, but for `draw` and `moving`."""

    def __init__(self, kind: type[A]) -> None:
        super().__init__()
        self._kind = kind
        self._board: LineBoard | None = None

    def _take(self, position: Position) -> None:
        if position is not self._board:
            self._board = line_board(position)

    def _lay(self) -> None:
        if self._frame is None or self._board is None:
            return
        count = self._board.rules.width
        if self._art is None or self._art.lattice.count != count:
            self._art = self._kind(self._frame, count)

    @property
    def area(self) -> pygame.Rect:
        lattice = self._placed().lattice
        return lattice.square.inflate(-2 * lattice.inset, -2 * lattice.inset)

    def move_at(self, pixel: tuple[int, int]) -> int | None:
        return self._art.lattice.move_at(pixel) if self._art else None

    def pixel_of(self, move: int) -> tuple[int, int]:
        return self._placed().lattice.pixel_of(move)

    def step(self, cursor: int | None, right: int, down: int) -> int:
        return self._placed().lattice.step(cursor, right, down)


def ghosts(board: LineBoard, marks: Marks) -> list[int]:
    """The empty, unmarked cells under the pointer and the keyboard cursor, and of a mistake that was taken back."""
    taken = {*marks.forbidden, *marks.line, *(candidate.move for candidate in marks.candidates)}
    pointed = marks.pointed if marks.wrong is None else {*marks.pointed, marks.wrong}
    return [] if board.outcome else [cell for cell in pointed - taken if not board.cells[cell]]
