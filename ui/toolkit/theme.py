"""How everything in the window looks: sizes, fonts, rendered text, and a pygame_gui manager that agrees.

A `Theme` belongs to one palette, scale and language; when one of these changes, a new one is made and
with it a new manager. The blocks that pygame_gui reads are written in `ui/toolkit/theme_json.py`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

import pygame
import pygame_gui
from pygame_gui.core.utility import set_default_manager

from ui.toolkit.box_art import ShapeCache
from ui.toolkit.font import Font, font_file, teach_fonts
from ui.toolkit.i18n import teach_toolkit
from ui.toolkit.palette import Colour, Palette
from ui.toolkit.styles import Block, Looks
from ui.toolkit.theme_json import theme_of

KEPT_TEXTS = 600
"""How many rendered texts are kept: a full page has about a hundred."""

# The handle of a scroll bar is made before its size is known, and pygame_gui warns that it is too small.
warnings.filterwarnings("ignore", "Clamping border_width", UserWarning)


@dataclass(frozen=True)
class Theme:
    """`scale` is real pixels per design pixel."""

    palette: Palette
    scale: float
    language: str
    _blocks: Block = field(init=False, repr=False, compare=False)
    _fonts: Callable[[int, bool], pygame.font.Font] = field(init=False, repr=False, compare=False)
    _texts: Callable[[str, int, Colour, bool], pygame.Surface] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        paths = str(font_file()), str(font_file(bold=True))
        kept = {
            "_blocks": theme_of(Looks(self.palette, self.scale, *paths)),
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

    def block(self, name: str) -> Block:
        """What ui/toolkit/theme_json.py says of one kind of widget. Not to be changed."""
        found: Block = self._blocks[name]
        return found

    def manager(self, size: tuple[int, int]) -> pygame_gui.UIManager:
        """A new manager for a window of `size`, with the look and the language of this theme.

        To pygame_gui the language is always `en`: it keeps fonts per language, and for `zh` it would load its
        own 8 MB font. What it says itself is in our language all the same.
        """
        teach_fonts()
        made = pygame_gui.UIManager(size, self._blocks, enable_live_theme_updates=False)
        made.get_theme().shape_cache = ShapeCache()
        set_default_manager(made)
        teach_toolkit(self.language)
        return made
