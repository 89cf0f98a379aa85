"""Everything that is seen of a Connect Four rack, in the colours of the theme: the plate, the discs, marks.

What is shown when is the business of `ui.board.connect4`.
"""

from __future__ import annotations

import pygame

from games.connect4 import HEIGHT, WIDTH
from games.record import Mark
from ui.board.mark_art import MarkArt
from ui.board.shapes import (
    BLACK,
    WHITE,
    Labels,
    Pictures,
    cover,
    denied,
    disc,
    graded,
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
from ui.board.view import Candidate, Frame
from ui.toolkit.palette import Colour, mix

DISCS: tuple[Colour, Colour] = ((206, 58, 50), (244, 192, 52))
EDGES: tuple[Colour, Colour] = ((136, 28, 26), (176, 124, 14))
_PLATE: Colour = (36, 78, 150)
_HOLE, _DISC = 0.405, 0.43  # radii in cells
_MARGIN, _FOOT = 0.22, 0.34  # cells around the holes, and more of them below for the letters


class RackArt:
    """The pictures for one frame. `cell` arguments count row by row from the top left."""

    def __init__(self, frame: Frame) -> None:
        self._palette = frame.palette
        self._labels, self._pictures = Labels(frame.font), Pictures()
        self._marks = MarkArt(frame)
        width, height = frame.rect.size
        self.cell = max(1, int(min(width / (WIDTH + 2 * _MARGIN), height / (HEIGHT + 2 * _MARGIN + _FOOT))))
        margin = max(1, round(self.cell * _MARGIN))
        high = HEIGHT * self.cell + 2 * margin + round(self.cell * _FOOT)
        self.rack = pygame.Rect(0, 0, min(width, WIDTH * self.cell + 2 * margin), min(height, high))
        self.rack.center = frame.rect.center
        self._first = self.rack.left + margin + self.cell // 2, self.rack.top + margin + self.cell // 2
        self._lettering = round(min(self.cell * 0.32, 18 * frame.scale)) if self.cell >= 30 * frame.scale else 0

    def middle(self, cell: int) -> tuple[int, int]:
        row, column = divmod(cell, WIDTH)
        return self._first[0] + column * self.cell, self._first[1] + row * self.cell

    def column_at(self, pixel: tuple[int, int]) -> int | None:
        column = (pixel[0] - self._first[0] + self.cell // 2) // self.cell
        inside = self._first[1] - self.cell // 2 <= pixel[1] < self._first[1] - self.cell // 2 + HEIGHT * self.cell
        return column if inside and 0 <= column < WIDTH else None

    # The rack.

    def back(self, target: pygame.Surface) -> None:
        """What is seen through the holes."""
        ground = self._palette.background
        target.fill(mix(ground, BLACK, 0.35 if luminance(ground) < 0.2 else 0.12), self._holes())

    def _holes(self) -> pygame.Rect:
        left, top = self._first[0] - self.cell // 2, self._first[1] - self.cell // 2
        return pygame.Rect(left, top, WIDTH * self.cell, HEIGHT * self.cell)

    def _plate(self) -> pygame.Surface:
        """A plate without holes, lit from above: fills and four corners, since a large picture costs tens of
        milliseconds when each of its pixels is computed."""
        (width, height), radius = self.rack.size, round(self.cell * 0.22)
        picture = pygame.Surface(self.rack.size, pygame.SRCALPHA)
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

    def front(self, coordinates: bool) -> pygame.Surface:
        """The plate with its holes."""
        return self._pictures.get(("front", coordinates), self._lettered if coordinates else self._front)

    def _front(self) -> pygame.Surface:
        picture = self._plate()
        x, y = plane(self.cell, self.cell)
        hole, wide = disc(x, y, self.cell * _HOLE), max(1.0, self.cell * 0.035)
        cut = surface(WHITE, 1 - cover(hole))
        rim = stack(
            (mix(_PLATE, BLACK, 0.45), outline(hole - wide / 2, wide, 0.9)),
            (mix(_PLATE, WHITE, 0.25), outline(hole - 1.6 * wide, wide * 0.7, 0.55)),
        )
        for cell in range(WIDTH * HEIGHT):
            middle = self.middle(cell)
            corner = [at - edge - self.cell // 2 for at, edge in zip(middle, self.rack.topleft, strict=True)]
            picture.blit(cut, corner, special_flags=pygame.BLEND_RGBA_MULT)
            picture.blit(rim, corner)
        return picture

    def _lettered(self) -> pygame.Surface:
        picture = self.front(False).copy()
        if self._lettering:
            middle = self.rack.height - round(self.cell * (_MARGIN + _FOOT) * 0.5)
            for column in range(WIDTH):
                x = self._first[0] - self.rack.left + column * self.cell
                colour = mix(_PLATE, WHITE, 0.8)
                self._labels.level(picture, chr(ord("a") + column), (x, middle), self._lettering, colour, "x")
        return picture

    # Discs and marks.

    def disc(self, side: int) -> pygame.Surface:
        return self._pictures.get(("disc", side), lambda: self._disc(side))

    def _disc(self, side: int) -> pygame.Surface:
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
        def make() -> pygame.Surface:
            size = odd(self.cell * 1.3)
            x, y = plane(size, size)
            return surface(mix(self._palette.accent, WHITE, 0.5), haze(disc(x, y, size * 0.38), size * 0.12, 0.95))

        put(target, self._pictures.get("glow", make), self.middle(cell), strength)

    def _ring(self, target: pygame.Surface, cell: int, colour: Colour, width: float) -> None:
        def make() -> pygame.Surface:
            size = odd(self.cell * 0.98)
            x, y = plane(size, size)
            return surface(colour, outline(disc(x, y, size / 2 - width), width))

        put(target, self._pictures.get(("ring", colour, width), make), self.middle(cell))

    def hint(self, target: pygame.Surface, cell: int) -> None:
        self._ring(target, cell, self._palette.good, max(2.0, self.cell * 0.07))

    def cursor(self, target: pygame.Surface, cell: int) -> None:
        self._ring(target, cell, self._palette.accent, max(1.5, self.cell * 0.04))

    def last(self, target: pygame.Surface, cell: int, side: int) -> None:
        """A dot on the disc that came last."""
        def make() -> pygame.Surface:
            size = odd(self.cell * 0.2)
            x, y = plane(size, size)
            return surface(mix(DISCS[side], WHITE, 0.75), cover(disc(x, y, size / 2 - 1)))

        put(target, self._pictures.get(("last", side), make), self.middle(cell))

    def number(self, target: pygame.Surface, cell: int, number: int, side: int) -> None:
        room = self.cell * 0.46, self.cell * 0.34
        self._labels.fitting(target, str(number), self.middle(cell), room, ink_on(DISCS[side]))

    def forbidden(self, target: pygame.Surface, cell: int) -> None:
        size = odd(self.cell * 0.3)
        put(target, self._pictures.get("forbidden", lambda: denied(size, self._palette.bad)), self.middle(cell))

    def drawn(self, target: pygame.Surface, mark: Mark, cell: int, cells: bytes) -> None:
        """The mark of a person on a cell, empty or not."""
        colour = ink_on(DISCS[cells[cell] - 1]) if cells[cell] else self._palette.text
        self._marks.mark(target, mark, self.middle(cell), self.cell * 0.42, colour, None)

    def wrong(self, target: pygame.Surface, cell: int) -> None:
        x, y = self.middle(cell)
        away = self.cell * 0.3
        self._marks.wrong(target, (x + away, y - away), self.cell * 0.34, self._palette.bad)

    def candidate(self, target: pygame.Surface, cell: int, candidate: Candidate) -> None:
        """A dot that is larger and greener the better the move is, with its evaluation."""
        quality, palette = candidate.quality, self._palette
        colour = graded(quality, palette.good, palette.accent, palette.bad)
        size = odd(self.cell * (0.46 + 0.18 * quality))

        def make() -> pygame.Surface:
            x, y = plane(size, size)
            return surface(colour, cover(disc(x, y, size / 2 - 1)))

        put(target, self._pictures.get(("dot", size, colour), make), self.middle(cell))
        room = size * 0.76, size * 0.42
        self._labels.fitting(target, candidate.text, self.middle(cell), room, ink_on(colour))
