"""The card that warns of a move in a teaching game, and offers to take it back."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from ui.toolkit.box_art import rounded
from ui.toolkit.i18n import t
from ui.toolkit.layout import BUTTON, Space, columns
from ui.toolkit.palette import mix
from ui.toolkit.text import wrapped, write
from ui.toolkit.theme import Theme
from ui.toolkit.widgets import Widgets

_PADDING, _LINE = 12, 22  # design pixels


class TeachingCard:
    """Takes its room from the top of `space`, and has the buttons ``take_back`` and ``play_on``."""

    def __init__(
        self, theme: Theme, widgets: Widgets, space: Space, text: str, take_back: Callable[[], object],
        play_on: Callable[[], object],
    ) -> None:  # fmt: skip
        px = theme.px
        self._theme = theme
        width = space.rest.width - 2 * px(_PADDING)
        self._lines = wrapped(theme, text, width, 16)
        self.rect = space.top(len(self._lines) * px(_LINE) + px(BUTTON) + px(8) + 2 * px(_PADDING))
        inside = Space(self.rect.inflate(-2 * px(_PADDING), -2 * px(_PADDING)), 0)
        first, second = columns(inside.bottom(px(BUTTON)), 2, px(8))
        widgets.button("take_back", first, t("teach.take_back"), take_back, style="@primary", key="return")
        widgets.button("play_on", second, t("play.dismiss"), play_on, key="escape")

    def draw(self, surface: pygame.Surface) -> None:
        theme, px = self._theme, self._theme.px
        palette = theme.palette
        rounded(surface, self.rect, mix(palette.raised, palette.bad, 0.12), px(8), mix(palette.line, palette.bad, 0.7))
        space = Space(self.rect.inflate(-2 * px(_PADDING), -2 * px(_PADDING)), 0)
        for line in self._lines:
            write(surface, theme, line, space.top(px(_LINE)), 16)
