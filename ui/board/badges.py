"""The sign of a side beside its player: a stone, X or O, a number."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from ui.toolkit.icons import icon
from ui.toolkit.palette import Colour, mix
from ui.toolkit.text import write
from ui.toolkit.theme import Theme

Badge = Callable[[pygame.Surface, Theme, pygame.Rect, int], None]
"""Draws the sign of a side in the middle of a rectangle, no larger than that."""

_LARGEST = 11  # design pixels of the radius


def _radius(theme: Theme, rect: pygame.Rect) -> int:
    return min(theme.px(_LARGEST), (min(rect.size) - 1) // 2)


def number(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, side: int) -> None:
    ground = mix(theme.palette.line, theme.palette.quiet, 0.25)
    pygame.draw.aacircle(surface, ground, rect.center, _radius(theme, rect))
    write(surface, theme, str(side + 1), rect, 14, theme.palette.text, bold=True, align="centre")


def discs(*colours: tuple[Colour, Colour]) -> Badge:
    """A disc for each side, by its colour and that of its edge."""

    def draw(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, side: int) -> None:
        fill, edge = colours[side]
        radius = _radius(theme, rect)
        pygame.draw.aacircle(surface, edge, rect.center, radius)
        pygame.draw.aacircle(surface, fill, rect.center, radius - max(1, theme.px(1)))

    return draw


def crosses_and_circles(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, side: int) -> None:
    name, colour = (("close", theme.palette.accent), ("ring", theme.palette.info))[side]
    image = icon(name, 2 * _radius(theme, rect), colour)
    surface.blit(image, image.get_rect(center=rect.center))
