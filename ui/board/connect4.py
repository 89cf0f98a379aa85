"""The Connect Four rack: discs that fall behind a plate with holes, and light up where four are in a row.

`RackArt` makes the pictures and draws them; `Connect4View` decides what is drawn when. Moves are columns; a move is
marked in the cell where its disc would land.
"""

from __future__ import annotations

import math
from collections.abc import Hashable

import pygame

from games.connect4 import HEIGHT, WIDTH, Connect4Position
from games.position import played
from games.record import Mark
from ui.board.animated_view import GLOWING, glow
from ui.board.cells import CellArt, CellView
from ui.board.shapes import (
    BLACK,
    WHITE,
    cover,
    disc,
    haze,
    ink_on,
    luminance,
    odd,
    outline,
    plane,
    put,
    stack,
    surface,
)
from ui.board.view import Frame, Marks
from ui.toolkit.art import clipped
from ui.toolkit.space import centred
from ui.toolkit.theme import Colour, mix

# The pictures of a Connect Four rack in the colours of the theme: the plate, the discs, marks.


DISCS: tuple[Colour, Colour] = ((206, 58, 50), (244, 192, 52))
EDGES: tuple[Colour, Colour] = ((136, 28, 26), (176, 124, 14))
_PLATE: Colour = (36, 78, 150)
_HOLE, _DISC = 0.405, 0.43  # radii in cells
_MARGIN, _FOOT = 0.22, 0.34  # cells around the holes, and more of them below for the letters


class RackArt(CellArt):
    """The pictures of the rack in one frame."""

    def __init__(self, frame: Frame) -> None:
        width, height = frame.rect.size
        cell = max(1, int(min(width / (WIDTH + 2 * _MARGIN), height / (HEIGHT + 2 * _MARGIN + _FOOT))))
        margin = round(cell * _MARGIN)
        high = HEIGHT * cell + 2 * margin + round(cell * _FOOT)
        rack = centred(WIDTH * cell + 2 * margin, high, frame.rect.center).clip(frame.rect)
        first = rack.left + margin + cell // 2, rack.top + margin + cell // 2
        super().__init__(frame, WIDTH, HEIGHT, cell, rack, first)
        self._lettering = round(min(cell * 0.32, 18 * frame.scale)) if cell >= 30 * frame.scale else 0

    # The rack.

    def draw_back(self, target: pygame.Surface) -> None:
        """Draw the background that is seen through the holes."""
        ground = self._palette.background
        left, top = (at - self.cell // 2 for at in self.first)
        holes = pygame.Rect(left, top, WIDTH * self.cell, HEIGHT * self.cell)
        target.fill(mix(ground, BLACK, 0.35 if luminance(ground) < 0.2 else 0.12), holes)

    def _make_plate(self) -> pygame.Surface:
        """Make the picture of the plate without holes, lit from above. It is put together from fills and four corners,
        since computing each pixel of a large picture takes tens of milliseconds."""
        (width, height), radius = self.rect.size, round(self.cell * 0.22)
        picture = pygame.Surface(self.rect.size, pygame.SRCALPHA)
        picture.fill(_PLATE)
        light = pygame.Surface((1, 2))
        light.set_at((0, 0), (34, 38, 42))
        column = pygame.transform.smoothscale(light, (1, height))
        picture.blit(pygame.transform.scale(column, (width, height)), (0, 0), special_flags=pygame.BLEND_RGB_ADD)
        ends = [(x, y) for x in (0, width - radius) for y in (0, height - radius)]
        for corner, (x, y) in zip(self._corner_masks(radius), ends, strict=True):
            picture.blit(corner, (x, y), special_flags=pygame.BLEND_RGBA_MULT)
        return picture

    def _corner_masks(self, radius: int) -> list[pygame.Surface]:
        """Make masks for the rounded corners: top left, bottom left, top right, bottom right."""
        x, y = plane(radius, radius, (radius, radius))
        one = surface(WHITE, cover(disc(x, y, radius)))
        return [pygame.transform.flip(one, right, down) for right in (False, True) for down in (False, True)]

    def _make_empty(self) -> pygame.Surface:
        """Make the picture of the plate with its holes."""
        picture = self._make_plate()
        x, y = plane(self.cell, self.cell)
        hole, wide = disc(x, y, self.cell * _HOLE), max(1.0, self.cell * 0.035)
        cut = surface(WHITE, 1 - cover(hole))
        rim = stack(
            (mix(_PLATE, BLACK, 0.45), outline(hole - wide / 2, wide, 0.9)),
            (mix(_PLATE, WHITE, 0.25), outline(hole - 1.6 * wide, wide * 0.7, 0.55)),
        )
        for cell in range(WIDTH * HEIGHT):
            middle = self.pixel_of(cell)
            corner = [at - edge - self.cell // 2 for at, edge in zip(middle, self.rect.topleft, strict=True)]
            picture.blit(cut, corner, special_flags=pygame.BLEND_RGBA_MULT)
            picture.blit(rim, corner)
        return picture

    def _write_coordinates(self, ground: pygame.Surface) -> None:
        """Write the letters of the columns on the lower edge of the plate; rows have no names."""
        middle = self.rect.height - round(self.cell * (_MARGIN + _FOOT) * 0.5)
        self._write_column_letters(ground, middle, mix(_PLATE, WHITE, 0.8))

    # Discs and marks.

    def disc(self, side: int) -> pygame.Surface:
        """Return the cached picture of a disc of `side`."""
        return self._picture(("disc", side), lambda: self._make_disc(side))

    def _make_disc(self, side: int) -> pygame.Surface:
        """Make the picture of a disc of `side`, with rim, face and groove."""
        size = odd(self.cell * 2 * _DISC)
        x, y = plane(size, size)
        radius = size / 2 - 1
        field = disc(x, y, radius)
        return stack(
            (EDGES[side], cover(field)),
            (DISCS[side], cover(disc(x, y, radius * 0.93))),
            (WHITE, cover(disc(x, y, radius * 0.93)) * (0.20 * (0.5 - y / size))),
            (EDGES[side], outline(disc(x, y, radius * 0.66), max(1.0, size * 0.045), 0.55)),
            (WHITE, outline(disc(x, y - size * 0.012, radius * 0.70), max(1.0, size * 0.02), 0.25)),
        )

    def draw_glow(self, target: pygame.Surface, cell: int, strength: float) -> None:
        """Draw the glow of a disc in a winning row; `strength` is 0.0 to 1.0."""
        def make() -> pygame.Surface:
            """Make the picture of the glow."""
            size = odd(self.cell * 1.3)
            x, y = plane(size, size)
            return surface(mix(self._palette.accent, WHITE, 0.5), haze(disc(x, y, size * 0.38), size * 0.12, 0.95))

        put(target, self._picture("glow", make), self.pixel_of(cell), strength)

    def draw_hint(self, target: pygame.Surface, cell: int) -> None:
        """Draw the ring of a hint in a cell."""
        self._draw_ring(target, cell, self._palette.good, 0.98, 0.07, least=2.0)
        self._draw_dot(target, "hint", cell, self._palette.good)

    def draw_cursor(self, target: pygame.Surface, cell: int) -> None:
        """Draw the keyboard cursor in a cell."""
        self._draw_ring(target, cell, self._palette.accent, 0.98, 0.04)

    def draw_last_mark(self, target: pygame.Surface, cell: int, side: int) -> None:
        """Draw a dot on the disc that was played last."""
        self._draw_dot(target, ("last", side), cell, mix(DISCS[side], WHITE, 0.75))

    def _draw_dot(self, target: pygame.Surface, key: Hashable, cell: int, colour: Colour) -> None:
        """Draw a small dot in the middle of a cell; `key` is that of its picture."""
        size = odd(self.cell * 0.2)
        put(target, self._picture(key, lambda: self._make_dot(size, colour, False)), self.pixel_of(cell))

    def draw_number(self, target: pygame.Surface, cell: int, number: int, side: int) -> None:
        """Write the number of a move on a disc of `side`."""
        room = self.cell, self.cell * 0.34
        self._write(target, str(number), self.pixel_of(cell), room, ink_on(DISCS[side]))

    def draw_person_mark(self, target: pygame.Surface, mark: Mark, cell: int, cells: bytes) -> None:
        """Draw a mark that a person has set on `cell`, readable on its disc if it has one. `cells` is the content of
        all cells."""
        colour = ink_on(DISCS[cells[cell] - 1]) if cells[cell] else self._palette.text
        self._draw_mark(target, mark, self.pixel_of(cell), self.cell * 0.42, colour)


# The view: what is drawn when.


_FALL = 0.34  # seconds from the top to the lowest cell, with the bounce; less to higher cells
_LANDED = 0.62  # of that time when the disc first touches the ground
_BOUNCE = 0.05  # of the height that it fell from


class Connect4View(CellView[Connect4Position, RackArt]):
    """A `BoardView` for Connect Four."""

    def __init__(self) -> None:
        super().__init__(Connect4Position, RackArt)

    # Places.

    def move_at(self, pixel: tuple[int, int]) -> int | None:
        """Return the column at a pixel; None off the board."""
        cell = super().move_at(pixel)
        return None if cell is None else cell % WIDTH

    def pixel_of(self, move: int) -> tuple[int, int]:
        """Return the middle of the cell where the next disc in the column `move` would land."""
        return super().pixel_of(move if self._position is None else _landing_cell(self._position, move))

    def step(self, cursor: int | None, right: int, down: int) -> int:
        """Return the column so many to the right, within the board; from None, the middle one. `down` has no effect."""
        return super().step(cursor, right, down) % WIDTH

    # Motion.

    def _last_cell(self) -> int | None:
        """Return the cell of the disc that was played last; None at the start."""
        numbers = self._numbers()
        return max(numbers, key=lambda cell: numbers[cell]) if numbers else None

    def _numbers(self) -> dict[int, int]:
        """Return the number of the move that filled each cell, by cell. Discs that were set up lie below those of the
        moves, and have none."""
        numbers: dict[int, int] = {}
        if self._position is not None:
            free = list(map(self._position.landing, range(WIDTH)))
            top = [column if cell is None else cell + WIDTH for column, cell in enumerate(free)]
            for number, column in reversed(list(enumerate(self._moves, 1))):
                numbers[top[column]] = number
                top[column] += WIDTH
        return numbers

    def _fall_time(self) -> float:
        """Return how many seconds the last disc falls."""
        last = self._last_cell()
        return 0.0 if last is None else _FALL * math.sqrt((last // WIDTH + 1) / HEIGHT)

    def _falling_cell(self, now: float) -> int | None:
        """Return the cell to which the last disc is still falling; None if it has landed."""
        return self._last_cell() if self._age(now) < self._fall_time() else None

    def moving(self, now: float) -> bool:
        """Whether the last disc falls or, where it wins, its row still pulses."""
        outcome = self._position.outcome if self._position else None
        return self._age(now) < self._fall_time() + (GLOWING if outcome and outcome.cells else 0)

    # Picture.

    def _paint(
        self, surface: pygame.Surface, art: RackArt, position: Connect4Position, marks: Marks, now: float
    ) -> None:
        """Draw the discs behind the plate, then on it the glow of a row, numbers, advice and a person's marks. A
        winning row glows once the last disc has landed."""
        falling = self._falling_cell(now)
        won = position.outcome.cells if position.outcome and falling is None else ()
        art.draw_back(surface)
        self._draw_discs(surface, art, position, falling, now, won if marks.veil else ())
        surface.blit(art.ground(marks.coordinates), art.rect)
        for cell in won or marks.row:
            art.draw_glow(surface, cell, glow(max(0.0, self._age(now) - self._fall_time())))
            if position.cells[cell]:
                put(surface, art.disc(position.cells[cell] - 1), art.pixel_of(cell))
        self._draw_numbers(surface, art, position, marks, falling)
        self._draw_advice(surface, art, position, marks)
        self._draw_person_marks(surface, art, position, marks)

    def _draw_discs(
        self, surface: pygame.Surface, art: RackArt, position: Connect4Position, falling: int | None, now: float,
        won: tuple[int, ...],
    ) -> None:  # fmt: skip
        """Draw all discs. `falling` is the cell of one on its way down, None without one. If there is a winning row
        `won`, draw the discs outside of it pale."""
        for cell, content in enumerate(position.cells):
            if content and cell != falling:
                put(surface, art.disc(content - 1), art.pixel_of(cell), 0.45 if won and cell not in won else 1.0)
        if falling is not None:
            x, y = art.pixel_of(falling)
            above = (falling // WIDTH + 1) * _fall_height(self._age(now) / self._fall_time())
            with clipped(surface, art.rect):
                put(surface, art.disc(position.cells[falling] - 1), (x, y - above * art.cell))

    def _draw_numbers(
        self, surface: pygame.Surface, art: RackArt, position: Connect4Position, marks: Marks, falling: int | None
    ) -> None:
        """Write the numbers of the moves on their discs, except the `falling` one; without `marks.numbers`, mark the
        last disc."""
        last = self._last_cell()
        if marks.numbers:
            for cell, number in self._numbers().items():
                if cell != falling:
                    art.draw_number(surface, cell, number, position.cells[cell] - 1)
        elif last is not None and falling is None:
            art.draw_last_mark(surface, last, position.cells[last] - 1)

    def _draw_person_marks(
        self, surface: pygame.Surface, art: RackArt, position: Connect4Position, marks: Marks
    ) -> None:
        """Draw the marks that a person has set on columns where the next disc would land, and the badge of a mistake:
        on its disc if it was played last, else where that would land."""
        for mark in marks.drawn_on(range(WIDTH)):
            art.draw_person_mark(surface, mark, _landing_cell(position, mark.move), position.cells)
        if marks.wrong is not None:
            played = self._moves[-1:] == (marks.wrong,)
            last = self._last_cell() if played else None
            art.draw_mistake(surface, _landing_cell(position, marks.wrong) if last is None else last, marks.sign)

    def _draw_advice(self, surface: pygame.Surface, art: RackArt, position: Connect4Position, marks: Marks) -> None:
        """Draw ghosts, candidates, forbidden columns, the line, hints and the cursor; nothing after the end of the
        game."""
        if position.outcome is not None:
            return
        marked = {candidate.move for candidate in marks.candidates} | set(marks.line)
        taken_back = None if self._moves[-1:] == (marks.wrong,) else marks.wrong
        for column in {*marks.pointed, taken_back} - marked:
            if column is not None and (cell := position.landing(column)) is not None:
                put(surface, art.disc(position.turn), art.pixel_of(cell), 0.5)
        for candidate in marks.candidates:
            if candidate.move not in marks.line and (cell := position.landing(candidate.move)) is not None:
                art.draw_candidate(surface, cell, candidate)
        for column in marks.forbidden:
            art.draw_forbidden(surface, column)
        for number, (before, column) in enumerate(played(position, marks.line), 1):
            cell = _landing_cell(before, column)
            put(surface, art.disc(before.turn), art.pixel_of(cell), 0.8)
            art.draw_number(surface, cell, number, before.turn)
        pointed = [] if marks.cursor is None else [(marks.cursor, art.draw_cursor)]
        for column, mark in (*((column, art.draw_hint) for column in marks.hints), *pointed):
            mark(surface, _landing_cell(position, column))


def _landing_cell(position: Connect4Position, column: int) -> int:
    """Return the cell in which the next disc would land; in a full column, the uppermost one."""
    cell = position.landing(column)
    return column if cell is None else cell


def _fall_height(share: float) -> float:
    """Return how high a falling disc is after `share` of its time: 1 at first, 0 where it lands. It bounces once."""
    if share < _LANDED:
        return 1 - (max(0.0, share) / _LANDED) ** 2
    bounce = (share - _LANDED) / (1 - _LANDED)
    return _BOUNCE * 4 * bounce * max(0.0, 1 - bounce)
