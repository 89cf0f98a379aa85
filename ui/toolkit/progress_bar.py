"""A bar that tells how much of something is done."""

from __future__ import annotations

import pygame

from ui.toolkit.box_art import rounded
from ui.toolkit.palette import Palette


def draw_progress(surface: pygame.Surface, palette: Palette, rect: pygame.Rect, share: float) -> None:
    """Draw the bar in `rect`, filled to `share` (0 to 1); anything above 0 is visible."""
    radius = rect.height // 2
    rounded(surface, rect, palette.line, radius)
    if share > 0:
        width = max(rect.height, round(rect.width * share))
        rounded(surface, pygame.Rect(rect.left, rect.top, width, rect.height), palette.accent, radius)
