"""A font that takes any string.

pygame's own raises an error for a string that is no text, as the name of a file may be, and for one without any
width, such as a zero-width space that was pasted.
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
    """Draws U+FFFD for what is no character, and nothing for what has no width."""

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
    """The file of our font; where that is missing or no font, of the one that pygame brings."""
    ours = resource("fonts", f"Tengen-{'Bold' if bold else 'Regular'}.otf")
    if _is_font(ours):
        return ours
    other = Path(pygame.__file__).parent / pygame.font.get_default_font()
    _log.warning("the font %s is missing or damaged; %s takes its place", ours, other)
    return other


def _is_font(file: Path) -> bool:
    """By its first bytes: pygame also opens what is no font, and crashes when it is used."""
    try:
        with file.open("rb") as opened:
            return opened.read(4) in (b"OTTO", b"\0\1\0\0")
    except OSError:
        return False


def _text(text: str | bytes | None) -> str:
    string = text if isinstance(text, str) else (text or b"").decode(errors="replace")
    return well_formed(string).replace("\0", "\ufffd")
