"""Draw rounded boxes with smooth edges, which pygame does not have, their shadows, and progress bars; hatch, and clip
drawings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

import pygame

from ui.toolkit.palette import Colour, Palette

_FINER = 4  # factor of supersampling
_SHADOW_ALPHA = 120


def rounded(
    surface: pygame.Surface, rect: pygame.Rect, colour: Colour, radius: int, line: Colour | None = None, width: int = 1
) -> None:
    """Draw a smooth box on `surface`; with `line`, it has a border of that colour, `width` real pixels wide."""
    corner = max(radius, width) + 1
    inside = rect.inflate(-2 * corner, -2 * corner)
    if inside.width <= 0 or inside.height <= 0:
        surface.blit(_drawn(rect.size, colour, radius, line, width), rect, special_flags=pygame.BLEND_PREMULTIPLIED)
        return
    # Fills, and four corners of a small box: a surface for the whole box would be large and slow.
    x, y, wide, high = inside
    for part in ((x, rect.y, wide, rect.h), (rect.x, y, corner, high), (inside.right, y, corner, high)):
        surface.fill(colour, part)
    if line:
        for edge in ((x, rect.top, wide, width), (x, rect.bottom - width, wide, width),
                     (rect.left, y, width, high), (rect.right - width, y, width, high)):  # fmt: skip
            surface.fill(line, edge)
    picture = _drawn((2 * corner + 1, 2 * corner + 1), colour, radius, line, width)
    for right, left in ((0, rect.left), (corner + 1, inside.right)):
        for down, top in ((0, rect.top), (corner + 1, inside.bottom)):
            piece = (right, down, corner, corner)
            surface.blit(picture, (left, top), piece, special_flags=pygame.BLEND_PREMULTIPLIED)


@lru_cache(maxsize=300)
def _drawn(size: tuple[int, int], colour: Colour, radius: int, line: Colour | None, width: int) -> pygame.Surface:
    """Draw the whole box, with premultiplied alpha."""
    large = pygame.Surface((size[0] * _FINER, size[1] * _FINER), pygame.SRCALPHA)
    pygame.draw.rect(large, line or colour, large.get_rect(), border_radius=radius * _FINER)
    inner = large.get_rect().inflate(-2 * width * _FINER, -2 * width * _FINER)
    if line and inner.width > 0 and inner.height > 0:
        pygame.draw.rect(large, colour, inner, border_radius=max(0, radius - width) * _FINER)
    return pygame.transform.smoothscale(large, size)


def veil(surface: pygame.Surface, colour: Colour, alpha: int) -> None:
    """Cover what is drawn so far with `colour`, so that what comes next stands out; `alpha` is up to 255."""
    cover = pygame.Surface(surface.get_size())
    cover.fill(colour)
    cover.set_alpha(alpha)
    surface.blit(cover, (0, 0))


def shadow(surface: pygame.Surface, rect: pygame.Rect, room: int) -> None:
    """Draw the soft shadow of a box at `rect`, `room` pixels wide."""
    surface.blit(_shadow(rect.size, room), rect.move(-room, -room + room // 5))


@lru_cache(maxsize=2)
def _shadow(size: tuple[int, int], room: int) -> pygame.Surface:
    """Draw the shadow small and enlarge it: blurring a large one takes a tenth of a second."""
    whole = size[0] + 2 * room, size[1] + 2 * room
    small = pygame.Surface((whole[0] // 4, whole[1] // 4), pygame.SRCALPHA)
    dark = small.get_rect().inflate(-room // 2, -room // 2)
    pygame.draw.rect(small, (0, 0, 0, _SHADOW_ALPHA), dark, border_radius=room // 4)
    return pygame.transform.smoothscale(pygame.transform.gaussian_blur(small, max(1, room // 8)), whole)


@contextmanager
def clipped(target: pygame.Surface, rect: pygame.Rect) -> Iterator[None]:
    """Clip drawing on `target` to `rect`, and to what it was clipped to before."""
    before = target.get_clip()
    target.set_clip(rect.clip(before))
    try:
        yield
    finally:
        target.set_clip(before)


def hatch(surface: pygame.Surface, rect: pygame.Rect, colour: Colour, gap: int) -> None:
    """Fill `rect` with slanted lines, `gap` pixels apart."""
    with clipped(surface, rect):
        for start in range(rect.left - rect.height, rect.right, gap):
            pygame.draw.aaline(surface, colour, (start, rect.bottom), (start + rect.height, rect.top))


def draw_progress(surface: pygame.Surface, palette: Palette, rect: pygame.Rect, share: float) -> None:
    """Draw the bar in `rect`, filled to `share` (0 to 1); anything above 0 is visible."""
    radius = rect.height // 2
    rounded(surface, rect, palette.line, radius)
    if share > 0:
        width = max(rect.height, round(rect.width * share))
        rounded(surface, pygame.Rect(rect.left, rect.top, width, rect.height), palette.accent, radius)
