"""The tic-tac-toe board: what is shown on it, in which order, and how X and O are drawn stroke by stroke.

`TicTacToeArt` makes the pictures and draws them; `TicTacToeView` decides what is drawn when.
"""

from __future__ import annotations

import math

import numpy as np
import pygame

from games.position import played
from games.record import Mark
from ui.board.animated_view import GLOWING
from ui.board.cells import LineBoard, SquareArt, SquareView, ghosts
from ui.board.materials import table
from ui.board.shapes import (
    BLACK,
    WHITE,
    Field,
    Point,
    arc,
    box,
    cover,
    disc,
    ease,
    haze,
    odd,
    outline,
    plane,
    put,
    stack,
    stroke,
    surface,
)
from ui.board.view import Frame, Marks
from ui.toolkit.theme import Colour, mix

# The pictures of a tic-tac-toe board in the colours of the theme: the ground, X and O, marks.


_STROKE = 0.115  # width of X and O, in cells
_ARM = 0.245  # half the side of the square that X fills
_RADIUS = 0.275  # of O


class TicTacToeArt(SquareArt):
    """The pictures of a tic-tac-toe board in one frame."""

    WRONG = (0.36, 0.36, 0.2)

    def __init__(self, frame: Frame, count: int) -> None:
        super().__init__(frame, count)
        self._colours = (frame.palette.accent, frame.palette.info)

    def _make_empty(self) -> pygame.Surface:
        """Make the picture of the table with the grooves between the cells."""
        ground = table("tictactoe", self._palette, self.rect.width)
        first = self.first[0] - self.rect.left
        middle = first + (self.columns - 1) * self.cell / 2
        for index in range(1, self.columns):
            at = first + (index - 0.5) * self.cell
            self._draw_groove(ground, (at, middle))
            self._draw_groove(ground, (middle, at), level=True)
        return ground

    def _draw_groove(self, ground: pygame.Surface, centre: Point, level: bool = False) -> None:
        """Draw a line between cells on the picture of the board, dark, with light on its lower edge; it is horizontal
        if `level`, else vertical."""
        cell, count = self.cell, self.columns
        width = max(1.2, cell * 0.024)
        length, drop = cell * (count - 0.12) + width, max(1, round(width * 0.3))
        # An even number of pixels lies exactly between two cells of an odd number of pixels.
        across, along = odd(width + 2 * drop) + cell % 2, odd(length + 2 * drop) + cell * (count - 1) % 2
        if level:
            field = box(*plane(along, across), length, width, width / 2)
        else:
            field = box(*plane(across, along), width, length, width / 2)
        put(ground, surface(WHITE, cover(np.roll(field, drop, axis=(0, 1)), 0.07)), centre)
        put(ground, surface(mix(self._palette.line, self._palette.quiet, 0.35), cover(field)), centre)

    def _write_coordinates(self, ground: pygame.Surface) -> None:
        """Write the letters of the columns below the cells and the names of the rows at their left."""
        near = self.inset + self._zone * 0.62
        self._write_column_letters(ground, self.rect.width - 1 - near, self._palette.quiet)
        self._write_row_names(ground, near, self._palette.quiet)

    def draw_symbol(self, target: pygame.Surface, centre: Point, side: int, opacity: float = 1.0) -> None:
        """Draw a whole X (`side` 0) or O (1); `opacity` is 0.0 to 1.0."""
        put(target, self._picture(("mark", side), lambda: self.strokes(side, 1.0)), centre, opacity)

    def strokes(self, side: int, share: float) -> pygame.Surface:
        """Return a new picture of X (`side` 0) or O (1) of which the first `share` (0 … 1) is drawn."""
        cell = self.cell
        size = odd(cell * 0.84)
        x, y = plane(size, size)
        wide = max(2.0, cell * _STROKE)
        field = self._cross_field(x, y, share, wide) if side == 0 else arc(x, y, cell * _RADIUS, share, wide)
        colour = self._colours[side]
        light, deep = (np.array(mix(colour, other, 0.13), np.float32) for other in (WHITE, BLACK))
        fall = (0.5 + (x + y) / cell)[..., None]
        drop = np.roll(field, (round(cell * 0.006), round(cell * 0.018)), axis=(0, 1))
        return stack((BLACK, haze(drop, max(0.8, cell * 0.022), 0.36)), (light + (deep - light) * fall, cover(field)))

    def _cross_field(self, x: Field, y: Field, share: float, wide: float) -> Field:
        """Return the signed distance field of a cross of which the first `share` (0 … 1) is drawn, with lines of the
        width `wide`."""
        arm = self.cell * _ARM
        first, second = min(1.0, share * 2), max(0.0, share * 2 - 1)
        field = stroke(x, y, (-arm, -arm), (arm * (2 * first - 1), arm * (2 * first - 1)), wide)
        if second:
            end = arm * (2 * second - 1)
            field = np.minimum(field, stroke(x, y, (arm, -arm), (-end, end), wide))
        return field

    def draw_tint(self, target: pygame.Surface, cell: int, side: int) -> None:
        """Tint the background of `cell` in the colour of `side`."""
        size = odd(self.cell * 0.86)
        put(target, self._picture(("tint", side), lambda: self._make_tint(size, side)), self.pixel_of(cell))

    def _make_tint(self, size: int, side: int) -> pygame.Surface:
        """Make the picture of a tinted cell."""
        field = box(*plane(size, size), size - 1, size - 1, size * 0.12)
        return surface(self._colours[side], cover(field, 0.13))

    def draw_cursor(self, target: pygame.Surface, cell: int) -> None:
        """Draw the keyboard cursor in a cell."""
        size = odd(self.cell * 0.94)
        put(target, self._picture("cursor", lambda: self._make_cursor(size)), self.pixel_of(cell))

    def _make_cursor(self, size: int) -> pygame.Surface:
        """Make the picture of the keyboard cursor, a frame."""
        width = max(1.6, size * 0.018)
        field = box(*plane(size, size), size - 3 * width, size - 3 * width, size * 0.12)
        return stack(
            (self._palette.text, haze(np.abs(field), width * 1.5, 0.3)), (self._palette.text, outline(field, width))
        )

    def draw_hint(self, target: pygame.Surface, cell: int) -> None:
        """Draw the ring of a hint in a cell."""
        size = odd(self.cell * 0.7)
        put(target, self._picture("hint", lambda: self._make_hint(size)), self.pixel_of(cell))

    def _make_hint(self, size: int) -> pygame.Surface:
        """Make the picture of a hint: a ring with a glow and a dot in its middle."""
        x, y = plane(size, size)
        ring = disc(x, y, size * 0.26)
        colour = self._palette.good
        return stack(
            (colour, haze(ring, size * 0.2, 0.5)),
            (colour, outline(ring, max(1.5, size * 0.035))),
            (colour, cover(disc(x, y, size * 0.08))),
        )

    def _dot_size(self, quality: float) -> tuple[int, tuple[float, float]]:
        """Return a disc a little smaller than on other boards of cells, and the room for its evaluation."""
        size = odd(self.cell * (0.40 + 0.16 * quality))
        return size, (size * 0.72, size * 0.40)

    def _make_dot(self, size: int, colour: Colour, best: bool) -> pygame.Surface:
        """Make the picture of a candidate's disc, with a shadow; the `best` one does not differ."""
        x, y = plane(size, size)
        drop = haze(disc(x, y - size * 0.02, size * 0.46), size * 0.04, 0.4)
        return stack((BLACK, drop), (colour, cover(disc(x, y, size * 0.46))))

    def draw_number(self, target: pygame.Surface, cell: int, number: int, strong: bool) -> None:
        """Write the number of a move in the corner of its cell, in a strong colour or a quiet one."""
        x, y = self.pixel_of(cell)
        away = self.cell * 0.385
        room = (self.cell, self.cell * 0.15)
        colour = self._palette.text if strong else mix(self._palette.quiet, self._palette.text, 0.4)
        self._write(target, str(number), (x + away, y - away), room, colour)

    def draw_person_mark(self, target: pygame.Surface, mark: Mark, taken: bool) -> None:
        """Draw a mark that a person has set: in the middle of an empty cell, in the corner of one that is `taken`."""
        x, y = self.pixel_of(mark.move)
        cell, colour = self.cell, mix(self._palette.text, self._palette.quiet, 0.3)
        if taken:
            self._draw_mark(target, mark, (x - cell * 0.36, y - cell * 0.36), cell * 0.18, colour)
        else:
            self._draw_mark(target, mark, (x, y), cell * 0.5, colour)

    def draw_row(self, target: pygame.Surface, ends: tuple[int, int], side: int, share: float, strength: float) -> None:
        """Draw a glowing stroke through a winning row of `side`, from the first of the cells `ends` to the last:
        `share` (0 … 1) of its length, with the brightness `strength` (0 … 1)."""
        picture, place = self._row_picture(ends, side)
        picture.set_alpha(round(255 * strength))
        # Revealed from its first end; rows run down, right, or down and left.
        (x1, y1), (x2, y2) = map(self.pixel_of, ends)
        width, height = picture.get_size()
        wide, high = width if x1 == x2 else round(width * share), height if y1 == y2 else round(height * share)
        left = width - wide if x2 < x1 else 0
        target.blit(picture, (place[0] + left, place[1]), (left, 0, wide, high))

    def _row_picture(self, ends: tuple[int, int], side: int) -> tuple[pygame.Surface, Point]:
        """Return the cached picture of the stroke between the cells `ends`, and its top left corner."""
        (x1, y1), (x2, y2) = (self.pixel_of(cell) for cell in ends)
        edge = odd(self.cell * 0.62)
        size = abs(x2 - x1) + edge, abs(y2 - y1) + edge
        place = min(x1, x2) - edge // 2, min(y1, y2) - edge // 2
        start, end = (x1 - place[0], y1 - place[1]), (x2 - place[0], y2 - place[1])
        return self._picture(("row", ends), lambda: self._make_row(size, start, end, side)), place

    def _make_row(self, size: tuple[int, int], start: Point, end: Point, side: int) -> pygame.Surface:
        """Make the picture of a stroke from `start` to `end`, which are pixels of the picture."""
        x, y = plane(*size, (0.5, 0.5))
        cell = self.cell
        length = float(np.hypot(end[0] - start[0], end[1] - start[1]))
        past = 0.16 * cell / length if length else 0.0  # the stroke reaches a little past the marks' middles
        right, down = (end[0] - start[0]) * past, (end[1] - start[1]) * past
        field = stroke(x, y, (start[0] - right, start[1] - down), (end[0] + right, end[1] + down), cell * 0.05)
        colour = self._colours[side]
        return stack((colour, haze(field, cell * 0.15, 1.0)), (mix(colour, WHITE, 0.9), cover(field)))


# The view: what is drawn when.


_DRAWING = 0.20  # seconds to draw X or O
_STRIKING = 0.30  # then seconds for the stroke through a winning row
_THREATENED = 0.5  # how bright the row is that threatens


class TicTacToeView(SquareView[TicTacToeArt]):
    """A `BoardView` for square boards of few cells."""

    def __init__(self) -> None:
        super().__init__(TicTacToeArt)

    def moving(self, now: float) -> bool:
        """Whether the last X or O is being drawn or, where it wins, the stroke through its row still pulses."""
        return self._age(now) < _DRAWING + (GLOWING if self._position and _winning_rows(self._position) else 0)

    def _paint(self, surface: pygame.Surface, art: TicTacToeArt, board: LineBoard, marks: Marks, now: float) -> None:
        """Draw the table, tinted cells, strokes, advice, numbers, the stroke through a winning row, threats, a person's
        marks, the sign of a mistake and the cursor."""
        surface.blit(art.ground(marks.coordinates), art.rect)
        for cell in self._tinted_cells(board, now):
            art.draw_tint(surface, cell, board.cells[cell] - 1)
        self._draw_strokes(surface, art, board, now)
        _draw_advice(surface, art, board, marks)
        self._draw_numbers(surface, art, board, marks)
        self._draw_rows(surface, art, board, now)
        _draw_threat(surface, art, board, marks)
        for mark in marks.drawn_on(range(len(board.cells))):
            art.draw_person_mark(surface, mark, bool(board.cells[mark.move]))
        if marks.wrong is not None:
            art.draw_mistake(surface, marks.wrong, marks.sign)
        if marks.cursor is not None:
            art.draw_cursor(surface, marks.cursor)

    def _tinted_cells(self, board: LineBoard, now: float) -> tuple[int, ...]:
        """Return the cells whose background is tinted: the last move, or the winning row."""
        won = board.outcome.cells if board.outcome else ()
        if won and self._age(now) >= _DRAWING:
            return won
        return () if board.last is None else (board.last,)

    def _draw_strokes(self, surface: pygame.Surface, art: TicTacToeArt, board: LineBoard, now: float) -> None:
        """Draw every X and O, the last one as far as its animation has come; beside a winning row they are faint."""
        drawing = board.last if self._age(now) < _DRAWING else None
        won = board.outcome.cells if board.outcome else ()
        for cell, content in enumerate(board.cells):
            place = art.pixel_of(cell)
            if content and cell == drawing:
                share = max(0.0, self._age(now) / _DRAWING)
                put(surface, art.strokes(content - 1, ease(share)), place)
            elif content:
                beside = bool(won) and cell not in won and drawing is None
                art.draw_symbol(surface, place, content - 1, 0.4 if beside else 1.0)

    def _draw_numbers(self, surface: pygame.Surface, art: TicTacToeArt, board: LineBoard, marks: Marks) -> None:
        """Write the numbers of the moves, with `marks.numbers`, and those of the moves of `marks.line`."""
        if marks.numbers:
            for number, cell in enumerate(self._moves, 1):
                art.draw_number(surface, cell, number, strong=cell == board.last)
        for number, cell in enumerate(marks.line, 1):
            if not board.cells[cell]:
                art.draw_number(surface, cell, number, strong=True)

    def _draw_rows(self, surface: pygame.Surface, art: TicTacToeArt, board: LineBoard, now: float) -> None:
        """Draw the stroke through each winning row, as far as its animation has come."""
        age = self._age(now) - _DRAWING
        if age <= 0 or board.last is None:
            return
        share = ease(age / _STRIKING)
        pulse = 1.0 if age >= GLOWING else 0.78 + 0.22 * math.cos(age / GLOWING * 4 * math.pi)
        for ends in _winning_rows(board):
            art.draw_row(surface, ends, board.cells[board.last] - 1, share, pulse)


def _draw_advice(surface: pygame.Surface, art: TicTacToeArt, board: LineBoard, marks: Marks) -> None:
    """Draw ghosts, forbidden cells, candidates, hints and the moves of the line."""
    free = {cell for cell, content in enumerate(board.cells) if not content}
    for cell in ghosts(board, marks):
        art.draw_symbol(surface, art.pixel_of(cell), board.turn, 0.3)
    for cell in free.intersection(marks.forbidden):
        art.draw_forbidden(surface, cell)
    for candidate in marks.candidates:
        if candidate.move in free and candidate.move not in marks.line:
            art.draw_candidate(surface, candidate.move, candidate)
    for cell in free.intersection(marks.hints):
        art.draw_hint(surface, cell)
    for before, cell in played(board, marks.line):
        art.draw_symbol(surface, art.pixel_of(cell), before.turn, 0.5)


def _draw_threat(surface: pygame.Surface, art: TicTacToeArt, board: LineBoard, marks: Marks) -> None:
    """Draw the stroke through each row with which the variation `marks.line` wins, if `marks.row` says that it does."""
    steps = list(played(board, marks.line)) if marks.row else []
    for before, move in steps[-1:]:
        for ends in _winning_rows(before.play(move)):
            art.draw_row(surface, ends, before.turn, 1.0, _THREATENED)


def _winning_rows(board: LineBoard) -> list[tuple[int, int]]:
    """Return the first and the last cell of every winning row; one move may complete two. Empty if none has won."""
    outcome, last = board.outcome, board.last
    if outcome is None or last is None:
        return []
    found = (_run_through(outcome.cells, last, board.rules.width, *way) for way in ((0, 1), (1, 0), (1, 1), (1, -1)))
    return [(run[0], run[-1]) for run in found if len(run) >= board.rules.length]


def _run_through(cells: tuple[int, ...], through: int, width: int, down: int, right: int) -> list[int]:
    """Return the unbroken run of `cells` that contains the cell `through`, in the direction `down`, `right` and its
    opposite, in order."""
    points = {divmod(cell, width) for cell in cells}
    row, column = divmod(through, width)
    while (row - down, column - right) in points:
        row, column = row - down, column - right
    run = []
    while (row, column) in points:
        run.append(row * width + column)
        row, column = row + down, column + right
    return run
