"""Draws the boxes of pygame_gui fast, from the nine pieces of a small one, and with a softer shadow.

pygame_gui smooths a rounded box by drawing all of it four times as large: a tenth of a second for a window,
and four times that at 200 %. Before it draws, it asks the shape cache of its theme; this one never says no
to a rounded box. Boxes with square corners stay with pygame_gui.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import pygame
from pygame_gui.core.colour_gradient import ColourGradient
from pygame_gui.core.surface_cache import SurfaceCache

Colour = tuple[int, int, int, int]
Rgb = tuple[int, int, int]
FINER = 4
SHADOW_ALPHA = 120
REMEMBERED = 2000
SMALL = 30_000
"""Pixels of a box of which many are kept, as buttons are: every screen has them."""


class Box(NamedTuple):
    """A rounded box; `shadow` is the room around it for its shadow. Colours are premultiplied."""

    size: tuple[int, int]
    shadow: int
    border: int
    border_colour: Colour
    colour: Colour
    radii: tuple[int, ...]


class ShapeCache(SurfaceCache):
    """A cache that draws the rounded boxes that it does not have."""

    def __init__(self) -> None:
        SurfaceCache.__init__(self)
        self._boxes: dict[str, Box] = {}

    def build_cache_id(  # type: ignore[override]  # a static method there, but always called on the cache
        self,
        shape: str,
        size: tuple[int, int],
        shadow_width: int,
        border_widths: dict[str, int],
        border_colour: pygame.Color,
        bg_colour: pygame.Color,
        corner_radius: list[int] | None = None,
    ) -> str:
        """The key of a shape, as before; a rounded box is also remembered under it, until it is asked for."""
        key = SurfaceCache.build_cache_id(
            shape, size, shadow_width, border_widths, border_colour, bg_colour, corner_radius
        )
        gradient = isinstance(border_colour, ColourGradient) or isinstance(bg_colour, ColourGradient)
        if shape == "rounded_rectangle" and corner_radius and not gradient and key not in self._boxes:
            if len(self._boxes) >= REMEMBERED:
                self._boxes.clear()
            colours = premultiplied(border_colour), premultiplied(bg_colour)
            extent = int(size[0]), int(size[1])
            self._boxes[key] = Box(extent, shadow_width, border_widths["left"], *colours, tuple(corner_radius))
        return key

    def find_surface_in_cache(self, lookup_id: str) -> pygame.Surface | None:
        box = self._boxes.get(lookup_id)
        return super().find_surface_in_cache(lookup_id) if box is None else draw_box(box)


def draw_box(box: Box) -> pygame.Surface:
    """The box in its size, as a surface with premultiplied alpha. Must not be drawn upon."""
    return _small_box(box) if box.size[0] * box.size[1] <= SMALL else _large_box(box)


def _made_box(box: Box) -> pygame.Surface:
    corner = max(box.border, *box.radii) + 2 * box.shadow + 1
    small = 2 * corner + 1
    if box.size[0] <= small or box.size[1] <= small:
        return _drawn(box)
    return _stretched(_drawn(box._replace(size=(small, small))), box.size, corner)


_small_box = lru_cache(maxsize=500)(_made_box)
_large_box = lru_cache(maxsize=8)(_made_box)


def premultiplied(colour: pygame.Color) -> Colour:
    red, green, blue = (round(part * colour.a / 255) for part in (colour.r, colour.g, colour.b))
    return red, green, blue, colour.a


@lru_cache(maxsize=500)
def _drawn(box: Box) -> pygame.Surface:
    width, height = box.size
    inside = pygame.Rect(0, 0, width, height).inflate(-2 * box.shadow, -2 * box.shadow)
    large = pygame.Surface((inside.width * FINER, inside.height * FINER), pygame.SRCALPHA)
    _rounded(large, large.get_rect(), box.border_colour if box.border else box.colour, box.radii)
    if box.border:
        inner = large.get_rect().inflate(-2 * box.border * FINER, -2 * box.border * FINER)
        _rounded(large, inner, box.colour, tuple(max(0, radius - box.border) for radius in box.radii))
    picture = _shadow(box, inside) if box.shadow else pygame.Surface(box.size, pygame.SRCALPHA)
    smooth = pygame.transform.smoothscale(large, inside.size)
    picture.blit(smooth, inside.topleft, special_flags=pygame.BLEND_PREMULTIPLIED)
    return picture


def _rounded(surface: pygame.Surface, rect: pygame.Rect, colour: Colour, radii: tuple[int, ...]) -> None:
    """`radii` are those of the upper left, upper right, lower left and lower right corner."""
    if rect.width > 0 and rect.height > 0:
        pygame.draw.rect(surface, colour, rect, 0, -1, *(radius * FINER for radius in radii))


def _shadow(box: Box, inside: pygame.Rect) -> pygame.Surface:
    picture = pygame.Surface(box.size, pygame.SRCALPHA)
    fallen = inside.move(0, box.shadow // 5).inflate(-box.shadow // 2, -box.shadow // 2)
    pygame.draw.rect(picture, (0, 0, 0, SHADOW_ALPHA), fallen, border_radius=max(box.radii))
    return pygame.transform.gaussian_blur(picture, max(1, box.shadow // 3))


def _stretched(small: pygame.Surface, size: tuple[int, int], corner: int) -> pygame.Surface:
    """`small`, whose corners measure `corner`, made as large as `size` with the corners as they are."""
    picture = pygame.Surface(size, pygame.SRCALPHA)
    picture.fill(small.get_at((corner, corner)), picture.get_rect().inflate(-2 * corner, -2 * corner))
    columns = ((0, 0, corner), (corner, corner, size[0] - 2 * corner), (corner + 1, size[0] - corner, corner))
    rows = ((0, 0, corner), (corner, corner, size[1] - 2 * corner), (corner + 1, size[1] - corner, corner))
    for from_x, to_x, wide in columns:
        for from_y, to_y, high in rows:
            if from_x == from_y == corner:
                continue  # the middle, which has one colour
            piece = small.subsurface(
                from_x, from_y, 1 if from_x == corner else corner, 1 if from_y == corner else corner
            )
            picture.blit(pygame.transform.scale(piece, (wide, high)), (to_x, to_y))
    return picture


def rounded(
    surface: pygame.Surface,
    rect: pygame.Rect,
    colour: Rgb,
    radius: int,
    line: Rgb | None = None,
) -> None:
    """A smooth box on `surface`; with `line`, it has a border one pixel wide of that colour."""
    corner = radius + 1
    inside = rect.inflate(-2 * corner, -2 * corner)
    if inside.width <= 0 or inside.height <= 0:
        surface.blit(_flat(rect.size, colour, radius, line), rect, special_flags=pygame.BLEND_PREMULTIPLIED)
        return
    # Fills and four corners: a surface for all of it would be large, and slow to make and to draw.
    x, y, width, height = inside
    for part in ((x, rect.y, width, rect.h), (rect.x, y, corner, height), (inside.right, y, corner, height)):
        surface.fill(colour, part)
    if line:
        for edge in ((x, rect.top, width, 1), (x, rect.bottom - 1, width, 1),
                     (rect.left, y, 1, height), (rect.right - 1, y, 1, height)):  # fmt: skip
            surface.fill(line, edge)
    picture = _flat((2 * corner + 1, 2 * corner + 1), colour, radius, line)
    for right, left in ((0, rect.left), (corner + 1, inside.right)):
        for down, top in ((0, rect.top), (corner + 1, inside.bottom)):
            piece = (right, down, corner, corner)
            surface.blit(picture, (left, top), piece, special_flags=pygame.BLEND_PREMULTIPLIED)


@lru_cache(maxsize=200)
def _flat(size: tuple[int, int], colour: Rgb, radius: int, line: Rgb | None) -> pygame.Surface:
    """A box without a shadow."""
    return draw_box(Box(size, 0, 1 if line else 0, (*(line or colour), 255), (*colour, 255), (radius,) * 4))
