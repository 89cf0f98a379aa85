"""A card over the scene that tells how far something is, and lets it be stopped."""

from __future__ import annotations

import time
from collections.abc import Callable

import pygame

from ui.toolkit.box_art import rounded, veil
from ui.toolkit.display import Display
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space
from ui.toolkit.palette import mix
from ui.toolkit.progress_bar import draw_progress
from ui.toolkit.text import width_of, write

_SHOWN = 0.3  # seconds after which the card is drawn


class ProgressCard:
    """Lies over the scene while something is under way that may take long; takes every event.

    `share` tells how far it is, from 0 to 1; Esc or its button call `stop`. It is not drawn before a moment has passed.
    """

    typing = False

    def __init__(
        self, display: Display, title: str, name: str, share: Callable[[], float], stop: Callable[[], object]
    ) -> None:
        self.display, self.title, self.name, self.share, self.stop = display, title, name, share, stop
        self._since = time.monotonic()
        self._button = pygame.Rect(0, 0, 0, 0)

    @property
    def shown(self) -> bool:
        return time.monotonic() - self._since > _SHOWN

    def handle(self, event: pygame.event.Event) -> bool:
        """False when the card is to be closed."""
        escape = event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE
        pressed = event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self._button.collidepoint(event.pos)
        if escape or pressed:
            self.stop()
        return not (escape or pressed)

    def draw(self, surface: pygame.Surface) -> None:
        if not self.shown:
            return
        theme = self.display.theme
        palette, px = theme.palette, theme.px
        veil(surface, palette.background, 160)
        box = pygame.Rect(0, 0, px(440), px(148))
        box.center = surface.get_rect().center
        rounded(surface, box, palette.panel, px(12), palette.line)
        space = Space(box.inflate(-2 * px(24), -2 * px(20)), px(8))
        head = Space(space.top(px(28)), px(12))
        write(surface, theme, t("percent", number=round(100 * self.share())), head.right(px(60)), 16, align="right")
        write(surface, theme, self.title, head.rest, 20, bold=True)
        write(surface, theme, self.name, space.top(px(20)), 14, palette.quiet)
        draw_progress(surface, palette, space.top(px(6)), self.share())
        self._draw_button(surface, space.bottom(px(28)))

    def _draw_button(self, surface: pygame.Surface, row: pygame.Rect) -> None:
        theme = self.display.theme
        palette, px = theme.palette, theme.px
        text = t("opening.cancel")
        wide = width_of(theme, text, 14) + px(24)
        self._button = pygame.Rect(row.right - wide, row.top, wide, row.height)
        hovered = self._button.collidepoint(pygame.mouse.get_pos())
        ground = mix(palette.raised, palette.line, 0.8) if hovered else palette.raised
        rounded(surface, self._button, ground, px(8), palette.line)
        write(surface, theme, text, self._button, 14, align="centre")
