"""The link in the status line of the library that undoes the last change of files."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from ui.game.library_files import LibraryFiles
from ui.host import Host
from ui.part import Part
from ui.parts.frame import MARGIN
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.text import width_of, write


class UndoLink(Part):
    """Stands where the text of the status line leaves `free`, or over its end."""

    bindings = (Binding(("ctrl+z",), "do_undo", "library.undo"),)

    def __init__(self, host: Host, files: LibraryFiles, free: Callable[[], pygame.Rect]) -> None:
        self._host, self._files, self._free = host, files, free
        self._rect = pygame.Rect(0, 0, 0, 0)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        if not self._files.can_undo:
            return
        theme, px, free = self._host.theme, self._host.theme.px, self._free()
        text = t("library.undo_link")
        wide = width_of(theme, text, 14, bold=True)
        start = min(free.left + px(MARGIN), free.right - wide)
        self._rect = pygame.Rect(start, free.top + 1, wide, free.height - 1)
        pygame.draw.rect(surface, theme.palette.panel, self._rect.inflate(px(12), 0))
        write(surface, theme, text, self._rect, 14, theme.palette.accent, bold=True)

    def places(self) -> dict[str, tuple[int, int]]:
        return {"undo": self._rect.center} if self._files.can_undo else {}

    def handle(self, event: pygame.event.Event) -> bool:
        pressed = event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_LEFT
        if not (pressed and self._files.can_undo and self._rect.collidepoint(event.pos)):
            return False
        self.do_undo()
        return True

    def do_undo(self) -> None:
        self._files.undo()
