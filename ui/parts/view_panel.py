"""The engine's view beside a game that is played: in words, and for experts its search as well."""

from __future__ import annotations

import pygame

from ui.game.shown_search import Search
from ui.parts.thinking import HEIGHT as THINKING_HEIGHT
from ui.parts.thinking import draw_thinking
from ui.toolkit.box_art import rounded
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space
from ui.toolkit.text import width_of, wrapped, write
from ui.toolkit.theme import Theme

_WORDS, _LINE = 60, 22  # design pixels


class ViewPanel:
    """Takes its room from the bottom of `space`."""

    def __init__(self, theme: Theme, space: Space, expert: bool) -> None:
        self._theme = theme
        self.figures = space.bottom(theme.px(THINKING_HEIGHT)) if expert else None
        self.words = space.bottom(theme.px(_WORDS))

    def draw(self, surface: pygame.Surface, sentence: str, chance: str, search: Search) -> None:
        """`sentence` and `chance` are the view in words, from `ui.words.views`."""
        theme, px = self._theme, self._theme.px
        rounded(surface, self.words, theme.palette.raised, px(8))
        space = Space(self.words.inflate(-2 * px(12), -2 * px(8)), 0)
        below = t("thinking.stand_in") if search.stand_in else chance
        if sentence and width_of(theme, sentence, 16, bold=True) <= space.rest.width:
            write(surface, theme, sentence, space.top(px(_LINE)), 16, bold=True)
            write(surface, theme, below, space.top(px(_LINE)), 14, theme.palette.quiet)
        else:
            lines = wrapped(theme, sentence or (below if search.stand_in else t("view.none")), space.rest.width, 14)
            colour = theme.palette.text if sentence else theme.palette.quiet
            for line in lines[:2]:
                write(surface, theme, line, space.top(px(_LINE)), 14, colour)
        if self.figures is not None:
            draw_thinking(surface, theme, self.figures, search)
