"""The base of scenes that are one page in the middle of the window: settings and about."""

from __future__ import annotations

import pygame

from ui.host import Host
from ui.scene import MARGIN, Scene
from ui.toolkit.box_art import rounded
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space
from ui.toolkit.text import write

PADDING, HEAD = 16, 40
"""Design pixels: above the head of the page and below what is on it, and the height of the head."""


class Page(Scene):
    """`build` begins with `lay`, and collects the labels in `_texts` and the values in `_values`."""

    title = ""
    bindings: tuple[Binding, ...] = (Binding(("escape",), "do_back", "keys.back"),)

    def __init__(self, host: Host, back: Scene | None = None) -> None:
        super().__init__(host)
        self.back = back

    def lay(self, width: int, height: int, gap: int) -> Space:
        """Lay out the page, in design pixels, as far as there is room. Return the space under its head."""
        px = self.host.theme.px
        self._texts: list[tuple[pygame.Rect, str]] = []
        self._values: list[tuple[pygame.Rect, str]] = []
        window = Space(pygame.Rect((0, 0), self.host.size), 0)
        self.status = window.bottom(px(28))
        most = window.rest.inflate(-2 * px(MARGIN), -2 * px(8))
        self.page = pygame.Rect(0, 0, min(px(width), most.width), min(px(height), most.height))
        self.page.center = window.rest.center
        space = Space(self.page.inflate(-2 * px(24), -2 * px(PADDING)), px(gap))
        self.title_rect = self.back_button(space.top(px(HEAD)))
        return space

    def about(self) -> str:
        """The sentence in the status line."""
        return ""

    def draw(self, surface: pygame.Surface, now: float) -> None:
        theme, palette = self.host.theme, self.host.theme.palette
        rounded(surface, self.page, palette.panel, theme.px(12), palette.line)
        write(surface, theme, t(self.title), self.title_rect, 20, bold=True)
        for rect, text in self._texts:
            write(surface, theme, text, rect, 16)
        for rect, text in self._values:
            rounded(surface, rect, palette.raised, theme.px(8))
            write(surface, theme, text, rect, 16, align="centre")
        self.draw_status(surface, self.status, self.about(), t("status.keys"))
