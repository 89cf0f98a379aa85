"""Sizes, fonts and rendered text of the interface.

A `Theme` is for one palette, scale and language, and replaced when one of these changes.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Protocol

import pygame
from pygame.typing import ColorLike

from games.fields import one_line, well_formed
from ui.toolkit.i18n import LANGUAGES
from ui.toolkit.resources import resource

# The colours of the two themes by purpose. The interface uses no others.


Colour = tuple[int, int, int]


def css(colour: Colour) -> str:
    """Return the colour in the notation of CSS and SVG: ``#1b1b1d``."""
    return "#" + bytes(colour).hex()


def colour_of(text: str) -> Colour:
    """Return the colour of ``#rrggbb``."""
    red, green, blue = bytes.fromhex(text.removeprefix("#"))
    return red, green, blue


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of a theme. `quiet` is for secondary text, `on_accent` for text on the accent colour. A `strong`
    palette has high contrast: its lines are as dark or light as texts."""

    key: str
    strong: bool
    background: Colour
    panel: Colour
    raised: Colour
    line: Colour
    text: Colour
    quiet: Colour
    accent: Colour
    on_accent: Colour
    good: Colour
    bad: Colour
    info: Colour

    @property
    def usual(self) -> Palette:
        """The palette of the same theme that is not `strong`, for boards and badges, whose pictures suit it."""
        return PALETTES[self.key]

    def lit(self, share: float) -> Colour:
        """Return the background of a raised control that is under the pointer or pressed. The larger `share` (0 … 1)
        is, the more it differs from `raised`; texts on it stay readable."""
        return mix(self.raised, self.accent, 0.3 * share) if self.strong else mix(self.raised, self.line, share)


def _palette(key: str, colours: str, strong: bool = False) -> Palette:
    """Return a palette of the name `key`; `colours` are its fields in order, as ``#rrggbb``, separated by spaces."""
    return Palette(key, strong, *(colour_of(colour) for colour in colours.split()))


PALETTES: dict[str, Palette] = {
    palette.key: palette
    for palette in (
        _palette(
            "ink",
            "#15171c #1c1f26 #262a33 #343a46 #e9ebf0 #98a1b0 #e2a95a #1b1408 #63b97b #e98377 #6fa8fb",
        ),
        _palette(
            "paper",
            "#f3efe7 #fbf9f4 #ffffff #ddd5c6 #24262b #65625b #9c5f14 #ffffff #27784a #b0362b #2a66b8",
        ),
    )
}


STRONG: dict[str, Palette] = {
    palette.key: palette
    for palette in (
        _palette(
            "ink",
            "#000000 #000000 #14161b #9aa3b2 #ffffff #d5dae3 #ffc46b #000000 #7fe39b #ffa79d #9cc6ff",
            strong=True,
        ),
        _palette(
            "paper",
            "#ffffff #ffffff #ffffff #5a564e #000000 #3a3732 #6b3d00 #ffffff #0b5a2e #8a1a10 #0b3f86",
            strong=True,
        ),
    )
}
"""The same themes with contrasts of 7:1 for texts, and 4.5:1 for lines."""


def series(palette: Palette, number: int) -> Colour:
    """Return the colour of the series `number` of a chart, from 0 on. There are four, which repeat: label the series,
    too."""
    teal, purple = mix(palette.good, palette.info, 0.35), mix(palette.bad, palette.info, 0.5)
    return (palette.accent, palette.info, purple, teal)[number % 4]


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """Return the colour that is `share` (0 … 1) of the way from `first` to `second`."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


_log = logging.getLogger(__name__)


class Font(pygame.font.Font):
    """Render any string on one line: U+FFFD for invalid and control characters, such as those of some file names, and
    nothing for text without width, such as a pasted zero-width space. pygame's font raises an error for both, and
    begins another line, over what is below, at each end of a line."""

    def render(
        self,
        text: str | bytes | None,
        antialias: bool,
        color: ColorLike,
        bgcolor: ColorLike | None = None,
        wraplength: int = 0,
    ) -> pygame.Surface:
        """As pygame's, but with text that pygame can draw; an empty picture for text without width."""
        shown = _drawable_text(text)
        if not super().size(shown)[0]:
            return pygame.Surface((0, self.get_height()), pygame.SRCALPHA)
        return super().render(shown, antialias, color, bgcolor, wraplength)

    def size(self, text: str | bytes) -> tuple[int, int]:
        """As pygame's, for the text that `render` draws."""
        return super().size(_drawable_text(text))


@cache
def font_file(bold: bool) -> Path:
    """Return the path of our font; of pygame's font, with a warning in the log, if ours is missing or damaged."""
    ours = resource("fonts", f"Tengen-{'Bold' if bold else 'Regular'}.otf")
    if _is_font(ours):
        return ours
    other = Path(pygame.__file__).parent / pygame.font.get_default_font()
    _log.warning("the font %s is missing or damaged; %s takes its place", ours, other)
    return other


@cache
def _font_data(bold: bool) -> bytes:
    """Return the contents of the font file: a font that reads a file keeps it open, and each size and theme has its
    own."""
    return font_file(bold).read_bytes()


def _is_font(file: Path) -> bool:
    """Whether a file begins as a font: pygame opens other files too, and crashes when they are used."""
    try:
        with file.open("rb") as opened:
            return opened.read(4) in (b"OTTO", b"\0\1\0\0")
    except OSError:
        return False


def _drawable_text(text: str | bytes | None) -> str:
    """Return text that pygame can draw: well-formed and on one line."""
    string = text if isinstance(text, str) else (text or b"").decode(errors="replace")
    return one_line(well_formed(string), "\ufffd")


CACHED_TEXTS = 600
"""Size of the cache of rendered texts: a full page has about a hundred."""


@dataclass(frozen=True)
class Theme:
    """Colours, fonts and cached pictures of texts. `scale` is real pixels per design pixel."""

    palette: Palette
    scale: float
    language: str

    @cached_property
    def _fonts(self) -> Callable[[int, bool], pygame.font.Font]:
        """The cache of fonts, by height and weight."""
        return lru_cache(maxsize=64)(self._open_font)

    @cached_property
    def _texts(self) -> Callable[[str, int, Colour, bool], pygame.Surface]:
        """The cache of rendered texts."""
        return lru_cache(maxsize=CACHED_TEXTS)(self._render)

    def _open_font(self, height: int, bold: bool) -> pygame.font.Font:
        """Open our font with the character forms of the theme's language."""
        font = Font(io.BytesIO(_font_data(bold)), height)
        if script := LANGUAGES[self.language].script:
            font.set_script(script)
        return font

    def _render(self, string: str, height: int, colour: Colour, bold: bool) -> pygame.Surface:
        """Render a text in a font `height` real pixels high; `text` caches the pictures."""
        return self._fonts(height, bold).render(string, True, colour)

    def px(self, design: float) -> int:
        """Convert design pixels to real pixels, rounded."""
        return round(design * self.scale)

    def text_px(self, size: float) -> int:
        """Convert the size of a text from design pixels to real pixels, rounded down: a text must not grow more than
        the room that was made for it."""
        return int(size * self.scale + 1e-6)  # 20 by 1.15 is 22.999…

    def font(self, height: int, bold: bool) -> pygame.font.Font:
        """Return the cached font of `height` real pixels."""
        return self._fonts(height, bold)

    def text(self, string: str, size: int, colour: Colour, bold: bool = False) -> pygame.Surface:
        """Return the cached picture of `string`; `size` is in design pixels. Do not draw on it."""
        return self._texts(string, self.text_px(size), colour, bold)


class Display(Protocol):
    """The theme and size of the window. Read them anew whenever they are needed: resizing or restyling the window
    replaces them."""

    @property
    def theme(self) -> Theme:
        """Colours, fonts and scale."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the window in pixels."""
