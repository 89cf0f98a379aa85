"""Draws the boxes of a whole search: a row for each ply, coloured by value, and hatched where moves were not tried."""

from __future__ import annotations

import numpy as np
import pygame

from ui.game.icicle_rows import WIDE, IcicleRows, hatching, runs, shades
from ui.toolkit.box_art import hatch
from ui.toolkit.theme import Theme


def icicle_picture(found: IcicleRows, row: int, theme: Theme) -> pygame.Surface:
    """Return a picture of all boxes, each `row` pixels high."""
    palette, rows = theme.palette, found.rows
    tones, pixels = np.array(shades(palette), np.uint8), np.empty((found.pixels, len(rows), 3), np.uint8)
    for level, nodes in enumerate(rows):
        pixels[:, level] = tones[found.kinds(nodes)]
        pixels[[start for start, end, _ in runs(nodes) if end - start >= WIDE], level] = palette.panel
    small = pygame.surfarray.make_surface(pixels)
    picture = pygame.transform.scale(small, (found.pixels, len(rows) * row))
    for level in range(1, len(rows)):
        picture.fill(palette.panel, (0, level * row - 1, found.pixels, 1))
    hatched = _hatched(picture.get_size(), theme)
    for level, nodes in enumerate(rows):
        for start, end in found.cut(nodes) if level else ():
            box = pygame.Rect(start, level * row, end - start, row - 1)
            picture.blit(hatched, box, box)
    return picture


def _hatched(size: tuple[int, int], theme: Theme) -> pygame.Surface:
    """What was cut away, everywhere."""
    surface = pygame.Surface(size)
    surface.fill(theme.palette.panel)
    hatch(surface, surface.get_rect(), hatching(theme.palette), max(5, theme.px(6)))
    return surface
