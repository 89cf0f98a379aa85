"""A page in the middle of the window: the card with its title and the way back."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from ui.host import Host
from ui.part import Group
from ui.parts.back_button import BackButton
from ui.toolkit.box_art import rounded
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space
from ui.toolkit.text import write
from ui.toolkit.widgets import Widgets

PADDING, HEAD, INSET = 16, 40, 24
"""Design pixels: above the head of the page and below what is on it, height of the head, and at the sides."""


class Page(Group):
    """As `wide` and `high` as wanted, in design pixels, as far as there is room. `inside` is the space under its head,
    and `head` what is right of its title."""

    def __init__(
        self, host: Host, widgets: Widgets, title: str, wide: int, high: Callable[[], int], gap: int,
        leave: Callable[[], object],
    ) -> None:  # fmt: skip
        self._back = BackButton(host, widgets, leave)
        super().__init__((self._back,))
        self._host, self._title = host, title
        self._wide, self._high, self._gap = wide, high, gap
        self._card = pygame.Rect(0, 0, 0, 0)
        self.head = self.inside = Space(self._card, 0)

    def build(self, space: Space) -> None:
        px = self._host.theme.px
        self._card = pygame.Rect(0, 0, min(px(self._wide), space.rest.width), min(px(self._high()), space.rest.height))
        self._card.center = space.rest.center
        self.inside = Space(self._card.inflate(-2 * px(INSET), -2 * px(PADDING)), px(self._gap))
        self.head = Space(self.inside.top(px(HEAD)), 0)
        self._back.build(self.head)
        self.head.gap = px(8)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        theme, palette = self._host.theme, self._host.theme.palette
        rounded(surface, self._card, palette.panel, theme.px(12), palette.line)
        write(surface, theme, t(self._title), self.head.rest, 20, bold=True)
