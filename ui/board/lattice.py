"""The geometry of a square board: pixels to cells and back, and steps between cells.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import pygame


@dataclass(frozen=True, slots=True)
class Lattice:
    """`count` × `count` cells of `cell` pixels; `first` is the middle of the top left one, `square` the
    whole board with its shadow, `inset` the width of the shadow on every side.

    `lettering` is the font height of the coordinates in pixels, 0 if they would be illegible; `zone` is the width of
    the margin for them.
    """

    count: int
    square: pygame.Rect
    cell: int
    inset: int
    zone: float
    lettering: int
    first: tuple[int, int]

    @classmethod
    def within(cls, rect: pygame.Rect, scale: float, count: int) -> Lattice:
        """The largest lattice in the middle of `rect` whose cells and margins are whole pixels."""
        side = min(rect.size)
        inset = max(2, round(side * 0.011))
        wood = side - 2 * inset
        rough = wood / (count + 0.8)
        lettered = wood >= 250 * scale and rough >= 13
        zone = max(15 * scale, min(rough * 0.5, 26 * scale)) if lettered else min(rough * 0.2, 12 * scale)
        cell = max(1, int((wood - 2 * zone) / (count + 0.04)))
        span = cell * (count - 1) + 1
        margin = min((wood - span) // 2, math.ceil(zone * 1.25 + cell * 0.6))
        square = pygame.Rect(0, 0, span + 2 * (margin + inset), span + 2 * (margin + inset))
        square.center = rect.center
        first = (square.left + inset + margin, square.top + inset + margin)
        lettering = round(min(zone * 0.72, 17 * scale)) if lettered else 0
        return cls(count, square, cell, inset, margin - cell / 2, lettering, first)

    def pixel_of(self, move: int) -> tuple[int, int]:
        row, column = divmod(move, self.count)
        return self.first[0] + column * self.cell, self.first[1] + row * self.cell

    def move_at(self, pixel: tuple[int, int]) -> int | None:
        column, row = ((at - start + self.cell // 2) // self.cell for at, start in zip(pixel, self.first, strict=True))
        inside = 0 <= column < self.count and 0 <= row < self.count
        return row * self.count + column if inside else None

    def step(self, cursor: int | None, right: int, down: int) -> int:
        """The cell next to `cursor` in that direction, within the board; the middle one from None."""
        if cursor is None:
            return self.count // 2 * (self.count + 1)
        row, column = divmod(cursor, self.count)
        row, column = (min(self.count - 1, max(0, at)) for at in (row + down, column + right))
        return row * self.count + column

    def letters(self) -> list[tuple[str, int]]:
        """The name and the centre of each column."""
        return [(chr(ord("a") + i), self.first[0] + i * self.cell) for i in range(self.count)]

    def digits(self) -> list[tuple[str, int]]:
        """The name and the centre of each row."""
        return [(str(self.count - i), self.first[1] + i * self.cell) for i in range(self.count)]
