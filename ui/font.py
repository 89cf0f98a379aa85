"""A font that takes any string, for what we draw ourselves and for what pygame_gui draws.

pygame's own raises an error for a string that is no text, as the name of a file may be, and for one without any
width, such as a zero-width space that was pasted.
"""

from __future__ import annotations

import pygame
from pygame.typing import ColorLike
from pygame_gui.core import gui_font_pygame

from games.fields import well_formed


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


def _text(text: str | bytes | None) -> str:
    string = text if isinstance(text, str) else (text or b"").decode(errors="replace")
    return well_formed(string).replace("\0", "\ufffd")


def teach_fonts() -> None:
    """Makes pygame_gui open fonts of this kind."""
    gui_font_pygame.Font = Font  # type: ignore[attr-defined]
