"""How everything in the window looks: sizes, fonts and rendered text.

A `Theme` belongs to one palette, scale and language; when one of these changes, a new one is made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

import pygame

from ui.toolkit.font import Font, font_file
from ui.toolkit.palette import Colour, Palette

KEPT_TEXTS = 600
"""How many rendered texts are kept: a full page has about a hundred."""


@dataclass(frozen=True)
class Theme:
    """`scale` is real pixels per design pixel."""

    palette: Palette
    scale: float
    language: str
    _fonts: Callable[[int, bool], pygame.font.Font] = field(init=False, repr=False, compare=False)
    _texts: Callable[[str, int, Colour, bool], pygame.Surface] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        kept = {
            "_fonts": lru_cache(maxsize=64)(self._open_font),
            "_texts": lru_cache(maxsize=KEPT_TEXTS)(self._render),
        }
        for name, value in kept.items():
            object.__setattr__(self, name, value)

    def _open_font(self, height: int, bold: bool) -> pygame.font.Font:
        font = Font(font_file(bold), height)
        if self.language == "en":
            font.set_script("Latn")  # otherwise punctuation is that of Chinese: dots float above the line
        return font

    def _render(self, string: str, height: int, colour: Colour, bold: bool) -> pygame.Surface:
        return self._fonts(height, bold).render(string, True, colour)

    def px(self, design: float) -> int:
        """A length in design pixels as real pixels."""
        return round(design * self.scale)

    def font(self, height: int, bold: bool = False) -> pygame.font.Font:
        """The font whose letters stand on `height` real pixels. Cached."""
        return self._fonts(height, bold)

    def text(self, string: str, size: int, colour: Colour, bold: bool = False) -> pygame.Surface:
        """`string` in a size given in design pixels, rendered once and kept. Not to be drawn upon."""
        return self._texts(string, self.px(size), colour, bold)
