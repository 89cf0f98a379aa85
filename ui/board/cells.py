"""What the boards of cells share: geometry, pictures and the handling of positions; and what the pictures of all boards
share: a cache, what a person drew on a cell, and the badge of a mistake."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from typing import Protocol, TypeVar, runtime_checkable

import numpy as np
import pygame

from games.line import LineRules
from games.position import Position
from games.record import Mark
from ui.board.animated_view import AnimatedView, P
from ui.board.shapes import (
    Field,
    Point,
    box,
    cover,
    disc,
    haze,
    ink_on,
    odd,
    outline,
    plane,
    prohibition_sign,
    put,
    quality_colour,
    stack,
    surface,
)
from ui.board.shapes import stroke as straight
from ui.board.view import Candidate, Frame, Marks
from ui.toolkit.space import centred
from ui.toolkit.theme import Colour

_LEAST_TYPE = 7  # pixels
_LEAST_SIGN = 15  # design pixels: the badge of a mistake, where cells are not too small
_WIDTH = 0.09  # of a line, as a share of a mark's size


class Art:
    """Makes the pictures of a board in one frame, each when it is first needed, and draws them."""

    def __init__(self, frame: Frame) -> None:
        palette = frame.palette
        self._palette = palette
        self._grades = (palette.good, palette.accent, palette.bad)  # of candidates, the best first
        self._font, self._scale = frame.font, frame.scale
        self._pictures: dict[Hashable, pygame.Surface] = {}

    def _picture(self, key: Hashable, make: Callable[[], pygame.Surface]) -> pygame.Surface:
        """Return the cached picture of a key; `make` makes it when it is first needed."""
        if key not in self._pictures:
            self._pictures[key] = make()
        return self._pictures[key]

    def text(self, text: str, height: int, colour: Colour) -> pygame.Surface:
        """Return the cached picture of a bold text, `height` pixels high, cropped to its ink."""

        def make() -> pygame.Surface:
            """Render the text, and crop it."""
            drawn = self._font(height, True).render(text, True, colour)
            ink = drawn.get_bounding_rect()
            return drawn.subsurface(ink).copy() if ink.width else drawn

        return self._picture(("text", text, height, colour), make)

    def _write(self, target: pygame.Surface, text: str, centre: Point, room: Point, colour: Colour) -> None:
        """Draw `text` as large as fits in `room` (width, height), with the middle of its ink at `centre`. Draw nothing
        if it would be illegible."""
        height = int(room[1])
        width = self.text(text, height, colour).get_width() if height >= _LEAST_TYPE else 0
        if width > room[0]:
            height = int(height * room[0] / width)
        if height >= _LEAST_TYPE:
            self.draw_centred(target, text, centre, height, colour)

    def draw_centred(self, target: pygame.Surface, text: str, centre: Point, height: int, colour: Colour) -> None:
        """Draw `text` with the middle of its ink at `centre`."""
        put(target, self.text(text, height, colour), centre)

    def _draw_mark(
        self, target: pygame.Surface, mark: Mark, centre: Point, size: float, colour: Colour,
        ground: Colour | None = None,
    ) -> None:  # fmt: skip
        """Draw the `mark` of a person, as wide as `size`, around `centre`; with `ground`, on a soft patch of that
        colour."""
        side = odd(max(9, size))
        if ground is not None:
            put(target, self._picture(("patch", side, ground), lambda: _make_patch(side, ground)), centre)
        if mark.kind == "label":
            self._write(target, mark.text, centre, (side * 0.86, side * 0.58), colour)
        else:
            key = "mark", mark.kind, side, colour
            put(target, self._picture(key, lambda: stack((colour, cover(_mark_field(mark.kind, side))))), centre)

    def _draw_badge(self, target: pygame.Surface, centre: Point, size: float, sign: str) -> None:
        """Draw the badge of a mistake: a disc with its `sign`, such as ``?``."""
        least = min(_LEAST_SIGN * self._scale, 1.7 * size)
        side, colour = odd(max(9, size, least)), self._grades[2]
        ink = ink_on(colour)
        put(target, self._picture(("wrong", side), lambda: _make_badge(side, colour, ink)), centre)
        self._write(target, sign, centre, (side * 0.62, side * 0.56), ink)

    def _draw_prohibition(self, target: pygame.Surface, centre: Point, size: float) -> None:
        """Draw a prohibition sign."""
        put(target, self._picture("denied", lambda: prohibition_sign(odd(size), self._palette.bad)), centre)


def _mark_field(kind: str, side: int) -> Field:
    """Return the signed distance field of a mark that fills a square of `side` pixels. An unknown `kind` has the shape
    of ``selected``."""
    x, y = plane(side, side)
    width = max(1.6, side * _WIDTH)
    radius = side / 2 - width / 2 - 0.5
    if kind == "circle":
        return np.asarray(np.abs(disc(x, y, radius)) - width / 2)
    if kind == "square":
        edge = 1.62 * radius
        return np.asarray(np.abs(box(x, y, edge, edge, width)) - width / 2)
    if kind == "triangle":
        top, *feet = (0.0, -radius), (0.87 * radius, 0.5 * radius), (-0.87 * radius, 0.5 * radius)
        return _strokes_field(x, y, ((top, feet[0]), (feet[0], feet[1]), (feet[1], top)), width)
    if kind == "cross":
        arm = 0.72 * radius
        return _strokes_field(x, y, (((-arm, -arm), (arm, arm)), ((-arm, arm), (arm, -arm))), width)
    return box(x, y, 1.1 * radius, 1.1 * radius, width)


def _strokes_field(x: Field, y: Field, ends: tuple[tuple[Point, Point], ...], width: float) -> Field:
    """Return the signed distance field of several strokes together, each between two `ends`."""
    return np.asarray(np.minimum.reduce([straight(x, y, *pair, width) for pair in ends]))


def _make_patch(side: int, colour: Colour) -> pygame.Surface:
    """Make the picture of a soft disc that covers the lines below a mark."""
    wide = odd(side * 1.2)
    return stack((colour, haze(disc(*plane(wide, wide), side * 0.48), wide * 0.1, 0.92)))


def _make_badge(side: int, colour: Colour, ink: Colour) -> pygame.Surface:
    """Make the picture of a disc with a rim, for the sign of a mistake."""
    field = disc(*plane(side, side), side / 2 - 0.8)
    return stack((ink, cover(field)), (colour, cover(field + max(1.2, side * 0.07))))


class CellArt(Art):
    """The pictures for a board of `columns` × `rows` cells of `cell` pixels in one frame. Cells are numbered row by row
    from the top left.

    `rect` is the place of the empty board with its shadow, `first` the middle of its top left cell. `_lettering` is the
    font height of the coordinates in pixels, 0 if they would be illegible. A subclass overrides `_make_empty` and
    `_write_coordinates`, and `area` if it draws a shadow.
    """

    _lettering: int

    WRONG = (0.3, -0.3, 0.34)
    """Where the badge of a mistake is drawn beside the middle of a cell, and its size, in cells."""
    DENIED = 0.3
    """The size of a prohibition sign in cells."""
    row_names: tuple[str, ...] = ()
    """The names of the rows, from the top; without them they are numbered from the bottom."""

    def __init__(
        self, frame: Frame, columns: int, rows: int, cell: int, rect: pygame.Rect, first: tuple[int, int]
    ) -> None:
        super().__init__(frame)
        self.columns, self.rows, self.cell, self.rect, self.first = columns, rows, cell, rect, first

    @property
    def area(self) -> pygame.Rect:
        """The rectangle of the board without its shadow; here `rect`, for boards that have none."""
        return self.rect

    def pixel_of(self, cell: int) -> tuple[int, int]:
        """The middle of a cell in pixels."""
        row, column = divmod(cell, self.columns)
        return self.first[0] + column * self.cell, self.first[1] + row * self.cell

    def cell_at(self, pixel: tuple[int, int]) -> int | None:
        """Return the cell at a pixel; None off the board."""
        column, row = ((at - start + self.cell // 2) // self.cell for at, start in zip(pixel, self.first, strict=True))
        inside = 0 <= column < self.columns and 0 <= row < self.rows
        return row * self.columns + column if inside else None

    def step(self, cell: int | None, right: int, down: int) -> int:
        """Return the cell so many columns to the right and rows down, within the board; from None, the middle one."""
        if cell is None:
            return self.rows // 2 * self.columns + self.columns // 2
        row, column = divmod(cell, self.columns)
        return max(0, min(self.rows - 1, row + down)) * self.columns + max(0, min(self.columns - 1, column + right))

    def ground(self, coordinates: bool) -> pygame.Surface:
        """Return the cached picture of the empty board, of the size of `rect`; do not draw on it."""
        return self._picture(("ground", coordinates), self._make_with_coordinates if coordinates else self._make_empty)

    def _make_with_coordinates(self) -> pygame.Surface:
        """Make the picture of the empty board with its coordinates."""
        ground = self.ground(False).copy()
        if self._lettering:
            self._write_coordinates(ground)
        return ground

    def _make_empty(self) -> pygame.Surface:
        """Make the picture of the empty board without coordinates."""
        raise NotImplementedError

    def _write_coordinates(self, ground: pygame.Surface) -> None:
        """Write the coordinates on the picture of the empty board."""
        raise NotImplementedError

    def _write_column_letters(self, ground: pygame.Surface, y: float, colour: Colour) -> None:
        """Write the letters of the columns at the height `y` of the picture."""
        for column in range(self.columns):
            x = self.first[0] - self.rect.left + column * self.cell
            self._write_on_baseline(ground, chr(ord("a") + column), (x, y), colour, "x")

    def _write_row_names(self, ground: pygame.Surface, x: float, colour: Colour) -> None:
        """Write the names of the rows at the place `x` of the picture."""
        for row, name in enumerate(self.row_names or map(str, range(self.rows, 0, -1))):
            y = self.first[1] - self.rect.top + row * self.cell
            self._write_on_baseline(ground, name, (x, y), colour, "0")

    def _write_on_baseline(self, ground: pygame.Surface, text: str, centre: Point, colour: Colour, like: str) -> None:
        """Write `text`, horizontally centred at `centre`, on the baseline on which `like` would be vertically centred
        there."""
        font = self._font(self._lettering, False)
        drawn = font.render(text, True, colour)
        ink, model = drawn.get_bounding_rect(), font.render(like, True, colour).get_bounding_rect()
        ground.blit(drawn, (round(centre[0] - ink.centerx), round(centre[1] - model.centery)))

    def draw_candidate(self, target: pygame.Surface, cell: int, candidate: Candidate) -> None:
        """Draw a disc with a candidate's evaluation; the better the move, the larger and greener it is."""
        colour, best = quality_colour(candidate.quality, *self._grades), candidate.quality == 1.0
        size, room = self._dot_size(candidate.quality)
        dot = self._picture(("dot", size, colour, best), lambda: self._make_dot(size, colour, best))
        put(target, dot, self.pixel_of(cell))
        self._write(target, candidate.text, self.pixel_of(cell), room, ink_on(colour))

    def _dot_size(self, quality: float) -> tuple[int, tuple[float, float]]:
        """Return the diameter of a candidate's disc, and the width and height for its evaluation."""
        size = odd(self.cell * (0.46 + 0.18 * quality))
        return size, (size * 0.76, size * 0.42)

    def _make_dot(self, size: int, colour: Colour, best: bool) -> pygame.Surface:
        """Make the picture of a candidate's disc, of which one is the `best`."""
        return surface(colour, cover(disc(*plane(size, size), size / 2 - 1)))

    def _draw_ring(
        self, target: pygame.Surface, cell: int, colour: Colour, share: float, width: float, least: float = 1.5
    ) -> None:
        """Draw a ring in a cell. `share` is its diameter and `width` the width of its line, in cells; `least` is the
        least width in pixels."""
        size, wide = odd(self.cell * share), max(least, self.cell * width)

        def make() -> pygame.Surface:
            """Make the picture of the ring."""
            return surface(colour, outline(disc(*plane(size, size), size / 2 - wide), wide))

        put(target, self._picture(("ring", size, colour, wide), make), self.pixel_of(cell))

    def draw_forbidden(self, target: pygame.Surface, cell: int) -> None:
        """Draw a prohibition sign on a cell."""
        self._draw_prohibition(target, self.pixel_of(cell), self.cell * self.DENIED)

    def draw_mistake(self, target: pygame.Surface, cell: int, sign: str) -> None:
        """Draw the badge of a mistake, with its `sign`, beside the middle of a cell."""
        x, y = self.pixel_of(cell)
        right, down, size = (share * self.cell for share in self.WRONG)
        self._draw_badge(target, (x + right, y + down), size, sign)


C = TypeVar("C", bound=CellArt)


class CellView(AnimatedView[P, C]):
    """A `BoardView` for boards of cells whose moves are cells. A subclass has `moving`, and draws in `_paint`."""

    @property
    def area(self) -> pygame.Rect:
        """The pixels of the board."""
        return self._require_art().area

    def move_at(self, pixel: tuple[int, int]) -> int | None:
        """The cell at `pixel`; None beside the board."""
        return self._art.cell_at(pixel) if self._art else None

    def pixel_of(self, move: int) -> tuple[int, int]:
        """The centre of a cell."""
        return self._require_art().pixel_of(move)

    def step(self, cursor: int | None, right: int, down: int) -> int:
        """Return the cell so many columns to the right and rows down of `cursor`, within the board; from None, the
        middle one."""
        return self._require_art().step(cursor, right, down)

    def _numbers(self) -> dict[int, int]:
        """Return the number of the move that filled each cell, from 1 on, by cell."""
        return {cell: number for number, cell in enumerate(self._moves, 1)}


class SquareArt(CellArt):
    """The pictures for a board of `count` × `count` cells, as large as possible in the middle of the frame. Its margins
    are whole pixels.

    `inset` is the width of the shadow on every side, `_zone` that of the margin for coordinates.
    """

    def __init__(self, frame: Frame, count: int) -> None:
        side, scale = min(frame.rect.size), frame.scale
        self.inset = max(2, round(side * 0.011))
        wood = side - 2 * self.inset
        rough = wood / (count + 0.8)
        lettered = wood >= 250 * scale and rough >= 13
        zone = max(15 * scale, min(rough * 0.5, 26 * scale)) if lettered else rough * 0.2
        cell = max(1, int((wood - 2 * zone) / (count + 0.04)))
        span = cell * (count - 1) + 1
        margin = min((wood - span) // 2, math.ceil(zone * 1.25 + cell * 0.6))
        whole = span + 2 * (margin + self.inset)
        square = centred(whole, whole, frame.rect.center)
        first = (square.left + self.inset + margin, square.top + self.inset + margin)
        self._lettering = round(min(zone * 0.72, 17 * scale)) if lettered else 0
        self._zone = margin - cell / 2
        super().__init__(frame, count, count, cell, square, first)

    @property
    def area(self) -> pygame.Rect:
        """The board with its margins, without the shadow around it."""
        return self.rect.inflate(-2 * self.inset, -2 * self.inset)


@runtime_checkable
class LineBoard(Position, Protocol):
    """A position of stones on a square board of cells; see `games.line.LinePosition`."""

    @property
    def rules(self) -> LineRules:
        """Size, length of a row and rule."""

    @property
    def cells(self) -> bytes:
        """The content of each cell: 0, or 1 and 2 for a stone of the first and second side."""

    @property
    def last(self) -> int | None:
        """The cell of the last move, None at the start."""


S = TypeVar("S", bound=SquareArt)


class SquareView(CellView[LineBoard, S]):
    """A `CellView` for square boards, with pictures of the class `art`."""

    def __init__(self, art: type[S]) -> None:
        super().__init__(LineBoard, art)

    def _art_key(self, position: LineBoard) -> tuple[int, ...]:
        """Return the number of columns of the board."""
        return (position.rules.width,)


def ghosts(board: LineBoard, marks: Marks) -> list[int]:
    """Return the empty cells on which a stone is shown as a ghost: under the pointer, at the keyboard cursor, and of a
    mistake that was taken back. Leave out cells with other marks, and those not in `marks.allowed`; after the end of
    the game return none."""
    taken = {*marks.forbidden, *marks.line, *(candidate.move for candidate in marks.candidates)}
    pointed = marks.pointed if marks.wrong is None else {*marks.pointed, marks.wrong}
    free = [] if board.outcome else [cell for cell in pointed - taken if not board.cells[cell]]
    return free if marks.allowed is None else [cell for cell in free if cell in marks.allowed]
