"""A link in the status line, where its text leaves `free`, or over its end."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from ui.frame import MARGIN
from ui.host import Host
from ui.part import Part
from ui.toolkit.text import width_of, write


class StatusLink(Part):
    """Shows `text()`, and calls `press` for a click on it; nothing where it is empty. `name` is that of its place."""

    def __init__(
        self, host: Host, name: str, text: Callable[[], str], press: Callable[[], object],
        free: Callable[[], pygame.Rect],
    ) -> None:  # fmt: skip
        self._host, self._name, self._text, self._press, self._free = host, name, text, press, free

    def draw(self, surface: pygame.Surface, now: float) -> None:
        theme, px, free, text = self._host.theme, self._host.theme.px, self._free(), self._text()
        if not text:
            return
        wide = width_of(theme, text, 14, bold=True)
        start = min(free.left + px(MARGIN), free.right - wide)
        self._rect = pygame.Rect(start, free.top + 1, wide, free.height - 1)
        pygame.draw.rect(surface, theme.palette.panel, self._rect.inflate(px(12), 0))
        write(surface, theme, text, self._rect, 14, theme.palette.accent, bold=True)

    def places(self) -> dict[str, tuple[int, int]]:
        return {self._name: self._rect.center} if self._text() else {}

    def handle(self, event: pygame.event.Event) -> bool:
        pressed = event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_LEFT
        if not (pressed and self._text() and self._rect.collidepoint(event.pos)):
            return False
        self._press()
        return True

    @property
    def rect(self) -> pygame.Rect:
        """Where it is drawn."""
        return self._rect
