"""A font that takes any string, for what we draw ourselves and for what pygame_gui draws.

pygame's own raises an error for a string that is no text, as the name of a file may be, and for one without any
width, such as a zero-width space that was pasted.
"""

from __future__ import annotations

import logging
from functools import cache
from pathlib import Path

import pygame
import pygame_gui
from pygame.typing import ColorLike
from pygame_gui.core import gui_font_pygame

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
    """The file of our font; where that is missing or no font, of one that a library brings."""
    ours, *others = _font_files("Bold" if bold else "Regular")
    for file in (ours, *others):
        if _is_font(file):
            if file != ours:
                _log.warning("the font %s is missing or damaged; %s takes its place", ours, file)
            return file
    return ours  # there is none; opening this one says so


def _is_font(file: Path) -> bool:
    """By its first bytes: pygame also opens what is no font, and crashes when it is used."""
    try:
        with file.open("rb") as opened:
            return opened.read(4) in (b"OTTO", b"\0\1\0\0")
    except OSError:
        return False


def _font_files(weight: str) -> list[Path]:
    """In the order in which they are tried. Of pygame_gui's, the packaged program has only the one without Chinese."""
    toolkit = Path(pygame_gui.__file__).parent / "data"
    found = [resource("fonts", f"Tengen-{weight}.otf"), toolkit / f"NotoSansSC-{weight}.otf"]
    found.append(toolkit / f"NotoSans-{weight}.ttf")
    return [*found, Path(pygame.__file__).parent / pygame.font.get_default_font()]


def _text(text: str | bytes | None) -> str:
    string = text if isinstance(text, str) else (text or b"").decode(errors="replace")
    return well_formed(string).replace("\0", "\ufffd")


def teach_fonts() -> None:
    """Makes pygame_gui open fonts of this kind."""
    gui_font_pygame.Font = Font  # type: ignore[attr-defined]
