"""A font that renders any string.

pygame's font raises an error for invalid text, such as some file names, and for text without width, such as a pasted
zero-width space.
"""

from __future__ import annotations

import logging
from functools import cache
from pathlib import Path

import pygame
from pygame.typing import ColorLike

from games.fields import well_formed
from ui.toolkit.resources import resource

_log = logging.getLogger(__name__)


class Font(pygame.font.Font):
    """Render U+FFFD for invalid characters, and nothing for text without width."""

    def render(
        self,
        text: str | bytes | None,
        antialias: bool,
        color: ColorLike,
        bgcolor: ColorLike | None = None,
        wraplength: int = 0,
    ) -> pygame.Surface:
        shown = _text(text)
        if not super().size(shown)[0]:
            return pygame.Surface((0, self.get_height()), pygame.SRCALPHA)
        return super().render(shown, antialias, color, bgcolor, wraplength)

    def size(self, text: str | bytes) -> tuple[int, int]:
        return super().size(_text(text))


@cache
def font_file(bold: bool = False) -> Path:
    """Return the file of our font; if that is missing or damaged, of pygame's."""
    ours = resource("fonts", f"Tengen-{'Bold' if bold else 'Regular'}.otf")
    if _is_font(ours):
        return ours
    other = Path(pygame.__file__).parent / pygame.font.get_default_font()
    _log.warning("the font %s is missing or damaged; %s takes its place", ours, other)
    return other


def _is_font(file: Path) -> bool:
    """Check the first bytes: pygame opens other files too, and crashes when they are used."""
    try:
        with file.open("rb") as opened:
            return opened.read(4) in (b"OTTO", b"\0\1\0\0")
    except OSError:
        return False


def _text(text: str | bytes | None) -> str:
    string = text if isinstance(text, str) else (text or b"").decode(errors="replace")
    return well_formed(string).replace("\0", "\ufffd")
