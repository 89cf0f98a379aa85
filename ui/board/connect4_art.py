"""Everything that is seen of a Connect Four rack, in the colours of the theme: the plate, the discs, marks.

What is shown when is the business of `ui.board.connect4`.
"""

from __future__ import annotations

import pygame

from games.connect4 import HEIGHT, WIDTH
from games.record import Mark
from ui.board.cells import CellArt
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
from ui.board.view import Frame
from ui.toolkit.theme import Colour, mix

DISCS: tuple[Colour, Colour] = ((206, 58, 50), (244, 192, 52))
EDGES: tuple[Colour, Colour] = ((136, 28, 26), (176, 124, 14))
_PLATE: Colour = (36, 78, 150)
_HOLE, _DISC = 0.405, 0.43  # radii in cells
_MARGIN, _FOOT = 0.22, 0.34  # cells around the holes, and more of them below for the letters


class RackArt(CellArt):
    """The pictures for one frame."""

    def __init__(self, frame: Frame) -> None:
        width, height = frame.rect.size
        cell = max(1, int(min(width / (WIDTH + 2 * _MARGIN), height / (HEIGHT + 2 * _MARGIN + _FOOT))))
        margin = max(1, round(cell * _MARGIN))
        high = HEIGHT * cell + 2 * margin + round(cell * _FOOT)
        rack = pygame.Rect(0, 0, min(width, WIDTH * cell + 2 * margin), min(height, high))
        rack.center = frame.rect.center
        first = rack.left + margin + cell // 2, rack.top + margin + cell // 2
        super().__init__(frame, WIDTH, HEIGHT, cell, rack, first)
        self._lettering = round(min(cell * 0.32, 18 * frame.scale)) if cell >= 30 * frame.scale else 0

    # The rack.

    def back(self, target: pygame.Surface) -> None:
        """What is seen through the holes."""
        ground = self._palette.background
        left, top = (at - self.cell // 2 for at in self.first)
        holes = pygame.Rect(left, top, WIDTH * self.cell, HEIGHT * self.cell)
        target.fill(mix(ground, BLACK, 0.35 if luminance(ground) < 0.2 else 0.12), holes)

    def _plate(self) -> pygame.Surface:
        """A plate without holes, lit from above: fills and four corners, since a large picture costs tens of
        milliseconds when each of its pixels is computed."""
        (width, height), radius = self.rect.size, round(self.cell * 0.22)
        picture = pygame.Surface(self.rect.size, pygame.SRCALPHA)
        picture.fill(_PLATE)
        light = pygame.Surface((1, 2))
        light.fill((34, 38, 42), (0, 0, 1, 1))
        column = pygame.transform.smoothscale(light, (1, height))
        picture.blit(pygame.transform.scale(column, (width, height)), (0, 0), special_flags=pygame.BLEND_RGB_ADD)
        ends = [(x, y) for x in (0, width - radius) for y in (0, height - radius)]
        for corner, (x, y) in zip(self._corners(radius), ends, strict=True):
            picture.blit(corner, (x, y), special_flags=pygame.BLEND_RGBA_MULT)
        return picture

    def _corners(self, radius: int) -> list[pygame.Surface]:
        """Masks of the corners: top left, bottom left, top right, bottom right."""
        x, y = plane(radius, radius, (radius, radius))
        one = surface(WHITE, cover(disc(x, y, radius)))
        return [pygame.transform.flip(one, right, down) for right in (False, True) for down in (False, True)]

    def _empty(self) -> pygame.Surface:
        """The plate with its holes."""
        picture = self._plate()
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

    def _letter(self, ground: pygame.Surface) -> None:
        middle = self.rect.height - round(self.cell * (_MARGIN + _FOOT) * 0.5)
        self._letter_columns(ground, middle, mix(_PLATE, WHITE, 0.8))

    # Discs and marks.

    def disc(self, side: int) -> pygame.Surface:
        """The picture of a disc of `side`."""
        return self._picture(("disc", side), lambda: self._disc(side))

    def _disc(self, side: int) -> pygame.Surface:
        """Make the disc of `side`: rim, face and groove."""
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

    def glow(self, target: pygame.Surface, cell: int, strength: float) -> None:
        """Draw the glow of a winning disc, `strength` 0.0 to 1.0."""
        def make() -> pygame.Surface:
            size = odd(self.cell * 1.3)
            x, y = plane(size, size)
            return surface(mix(self._palette.accent, WHITE, 0.5), haze(disc(x, y, size * 0.38), size * 0.12, 0.95))

        put(target, self._picture("glow", make), self.pixel_of(cell), strength)

    def hint(self, target: pygame.Surface, cell: int) -> None:
        """Draw the ring of a hint in a cell."""
        self._ring(target, cell, self._palette.good, 0.98, 0.07, least=2.0)
        size = odd(self.cell * 0.2)
        put(target, self._picture("hint", lambda: self._dot(size, self._palette.good, False)), self.pixel_of(cell))

    def cursor(self, target: pygame.Surface, cell: int) -> None:
        """Draw the keyboard cursor in a cell."""
        self._ring(target, cell, self._palette.accent, 0.98, 0.04)

    def last(self, target: pygame.Surface, cell: int, side: int) -> None:
        """A dot on the disc that came last."""
        size, colour = odd(self.cell * 0.2), mix(DISCS[side], WHITE, 0.75)
        put(target, self._picture(("last", side), lambda: self._dot(size, colour, False)), self.pixel_of(cell))

    def number(self, target: pygame.Surface, cell: int, number: int, side: int) -> None:
        """Write the number of a move on a disc of `side`."""
        room = self.cell * 0.46, self.cell * 0.34
        self._write(target, str(number), self.pixel_of(cell), room, ink_on(DISCS[side]))

    def person_mark(self, target: pygame.Surface, mark: Mark, cell: int, cells: bytes) -> None:
        """The mark of a person on a cell, empty or not."""
        colour = ink_on(DISCS[cells[cell] - 1]) if cells[cell] else self._palette.text
        self._draw_mark(target, mark, self.pixel_of(cell), self.cell * 0.42, colour)
