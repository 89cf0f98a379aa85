"""The geometry and the pictures of the plain board: a cloth of width × height cells, stones and marks.

`ui.board.plain` decides what is drawn when.
"""

from __future__ import annotations

from functools import partial

import pygame

from games.coords import cell_text
from games.record import Mark
from ui.board.mark_art import MarkArt
from ui.board.materials import material
from ui.board.shapes import (
    BLACK,
    WHITE,
    Labels,
    Pictures,
    cover,
    denied,
    disc,
    graded,
    ink_on,
    odd,
    outline,
    plane,
    put,
    surface,
)
from ui.board.view import Candidate, Frame
from ui.toolkit.box_art import rounded
from ui.toolkit.palette import Colour, mix

_CLOTH: Colour = (58, 120, 92)
_LINE = mix(_CLOTH, BLACK, 0.5)
_LAST: Colour = (226, 96, 52)
_INK: tuple[Colour, Colour] = ((236, 234, 228), (30, 30, 32))  # on the stones of either side
_MARGIN = 0.55  # cells around the board, for the coordinates


class PlainArt:
    """The pictures for one board in one frame."""

    def __init__(self, frame: Frame, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._palette = frame.palette
        rect = frame.rect
        self._cell = max(1, int(min(rect.width / (width + 2 * _MARGIN), rect.height / (height + 2 * _MARGIN))))
        self._rect = pygame.Rect(0, 0, width * self._cell, height * self._cell)
        self._rect.center = rect.center
        edge = int(self._cell * _MARGIN)
        self.area = self._rect.inflate(2 * edge, 2 * edge)
        self._labels, self._pictures, self._marks = Labels(frame.font), Pictures(), MarkArt(frame)

    def move_at(self, pixel: tuple[int, int]) -> int | None:
        if not self._rect.collidepoint(pixel):
            return None
        return (pixel[1] - self._rect.top) // self._cell * self.width + (pixel[0] - self._rect.left) // self._cell

    def pixel_of(self, move: int) -> tuple[int, int]:
        """The middle of a cell; of the board for a pass."""
        if move < 0:
            return self._rect.centerx, self._rect.centery
        row, column = divmod(move, self.width)
        half = self._cell // 2
        return self._rect.left + column * self._cell + half, self._rect.top + row * self._cell + half

    # The board.

    def ground(self, target: pygame.Surface, coordinates: bool) -> None:
        picture = self._pictures.get(("ground", coordinates), lambda: self._ground(coordinates))
        target.blit(picture, self.area)

    def _ground(self, coordinates: bool) -> pygame.Surface:
        cell = self._cell
        ground = pygame.Surface(self.area.size, pygame.SRCALPHA)
        board = self._rect.move(-self.area.left, -self.area.top)
        rounded(ground, ground.get_rect(), mix(_CLOTH, BLACK, 0.45), round(cell * 0.2))
        ground.fill(_CLOTH, board)
        wide = max(1, round(cell * 0.025))
        for column in range(self.width + 1):
            ground.fill(_LINE, (board.left + column * cell - wide // 2, board.top, wide, board.height))
        for row in range(self.height + 1):
            ground.fill(_LINE, (board.left, board.top + row * cell - wide // 2, board.width, wide))
        if coordinates and cell >= 24:
            self._letter(ground, board)
        return ground

    def _letter(self, ground: pygame.Surface, board: pygame.Rect) -> None:
        size, colour, half = round(min(self._cell * 0.3, 18)), mix(_CLOTH, WHITE, 0.75), self._cell // 2
        for column in range(self.width):
            name = cell_text(column, self.width, self.height)[0]
            x = board.left + column * self._cell + half
            self._labels.level(ground, name, (x, board.bottom + board.top / 2), size, colour, "x")
        for row in range(self.height):
            y = board.top + row * self._cell + half
            self._labels.level(ground, str(self.height - row), (board.left / 2, y), size, colour, "0")

    # Stones and marks.

    def stone(self, target: pygame.Surface, cell: int, side: int, opacity: float = 1.0) -> None:
        size = odd(self._cell * 0.82)
        make = partial(material, ("black", "white")[side], (size, size))
        put(target, self._pictures.get(("stone", side), make), self.pixel_of(cell), opacity)

    def number(self, target: pygame.Surface, cell: int, number: int, side: int) -> None:
        self._write(target, cell, str(number), _INK[side])

    def _write(self, target: pygame.Surface, cell: int, text: str, colour: Colour) -> None:
        self._labels.fitting(target, text, self.pixel_of(cell), (self._cell * 0.58, self._cell * 0.34), colour)

    def candidate(self, target: pygame.Surface, candidate: Candidate) -> None:
        quality, palette = candidate.quality, self._palette
        colour = graded(quality, palette.good, palette.accent, palette.bad)
        size = odd(self._cell * (0.60 + 0.16 * quality))

        def make() -> pygame.Surface:
            return surface(colour, cover(disc(*plane(size, size), size / 2 - 1)))

        put(target, self._pictures.get(("dot", size, colour), make), self.pixel_of(candidate.move))
        self._write(target, candidate.move, candidate.text, ink_on(colour))

    def forbidden(self, target: pygame.Surface, cell: int) -> None:
        make = partial(denied, odd(self._cell * 0.4), self._palette.bad)
        put(target, self._pictures.get("forbidden", make), self.pixel_of(cell))

    def drawn(self, target: pygame.Surface, mark: Mark, side: int | None) -> None:
        colour = WHITE if side is None else _INK[side]
        self._marks.mark(target, mark, self.pixel_of(mark.move), self._cell * 0.5, colour, None)

    def wrong(self, target: pygame.Surface, cell: int) -> None:
        x, y = self.pixel_of(cell)
        away = self._cell * 0.3
        self._marks.wrong(target, (x + away, y - away), self._cell * 0.36, self._palette.bad)

    def last(self, target: pygame.Surface, cell: int) -> None:
        self._ring(target, cell, _LAST, 0.4, 0.05)

    def won(self, target: pygame.Surface, cell: int) -> None:
        self._ring(target, cell, mix(self._palette.accent, WHITE, 0.3), 0.96, 0.08)

    def hint(self, target: pygame.Surface, cell: int) -> None:
        self._ring(target, cell, mix(self._palette.good, WHITE, 0.5), 0.7, 0.08)

    def cursor(self, target: pygame.Surface, cell: int) -> None:
        self._ring(target, cell, WHITE, 0.96, 0.04)

    def _ring(self, target: pygame.Surface, cell: int, colour: Colour, share: float, width: float) -> None:
        size, wide = odd(self._cell * share), max(1.5, self._cell * width)

        def make() -> pygame.Surface:
            return surface(colour, outline(disc(*plane(size, size), size / 2 - wide), wide))

        put(target, self._pictures.get(("ring", size, colour), make), self.pixel_of(cell))
