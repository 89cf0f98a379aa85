"""Sizes, fonts and rendered text of the interface.

A `Theme` is for one palette, scale and language, and replaced when one of these changes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

import pygame

from ui.toolkit.font import Font, font_file
from ui.toolkit.palette import Colour, Palette

CACHED_TEXTS = 600
"""Size of the cache of rendered texts: a full page has about a hundred."""


@dataclass(frozen=True)
class Theme:
    """`scale` is real pixels per design pixel."""

    palette: Palette
    scale: float
    language: str
    _fonts: Callable[[int, bool], pygame.font.Font] = field(init=False, repr=False, compare=False)
    _texts: Callable[[str, int, Colour, bool], pygame.Surface] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        caches = {
            "_fonts": lru_cache(maxsize=64)(self._open_font),
            "_texts": lru_cache(maxsize=CACHED_TEXTS)(self._render),
        }
        for name, value in caches.items():
            object.__setattr__(self, name, value)

    def _open_font(self, height: int, bold: bool) -> pygame.font.Font:
        font = Font(font_file(bold), height)
        if self.language == "en":
            font.set_script("Latn")  # otherwise punctuation is Chinese, with full stops above the line
        return font

    def _render(self, string: str, height: int, colour: Colour, bold: bool) -> pygame.Surface:
        return self._fonts(height, bold).render(string, True, colour)

    def px(self, design: float) -> int:
        """Convert design pixels to real pixels."""
        return round(design * self.scale)

    def font(self, height: int, bold: bool = False) -> pygame.font.Font:
        """Return the font of `height` real pixels, cached."""
        return self._fonts(height, bold)

    def text(self, string: str, size: int, colour: Colour, bold: bool = False) -> pygame.Surface:
        """Return `string` rendered in a size in design pixels, cached. Do not draw on it."""
        return self._texts(string, self.px(size), colour, bold)
