"""Draws boards for pictures in files; no display is needed."""

from __future__ import annotations

from dataclasses import replace

import pygame

from games.record import Node, moves_to
from ui.board.looks import board_view
from ui.board.view import Frame, Marks
from ui.toolkit.theme import Palette, Theme

_DESIGN = 640  # design pixels of the board that a picture shows smaller or larger


class Painter:
    """Pictures of the positions of one `game`: squares with sides of `width` pixels, opaque."""

    def __init__(self, game: str, width: int, palette: Palette, numbers: bool, coordinates: bool) -> None:
        pygame.font.init()
        self.size = width, width
        self._background = palette.background
        self._numbers, self._coordinates = numbers, coordinates
        self._board = board_view(game)
        scale = width / _DESIGN
        theme = Theme(palette, scale, "en")
        self._board.place(Frame(pygame.Rect(0, 0, *self.size), scale, palette, theme.font, motion=False))

    def paint(self, node: Node) -> bytes:
        """The pixels of the position and the marks of `node`, three bytes each, row by row."""
        return self.paint_with(node, Marks(numbers=self._numbers, drawn=node.marks))

    def paint_with(self, node: Node, marks: Marks) -> bytes:
        """The pixels of the position of `node` with these `marks` on it, as `paint` returns them."""
        picture = pygame.Surface(self.size)
        picture.fill(self._background)
        self._board.show(node.position, moves_to(node), 0.0)
        self._board.draw(picture, replace(marks, coordinates=self._coordinates, veil=False), 0.0)
        return pygame.image.tobytes(picture, "RGB")
