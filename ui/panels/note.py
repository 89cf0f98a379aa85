"""Short texts that lie over the panel or the board: a note of a few lines, and the card of a paused game."""

from __future__ import annotations

import pygame

from ui.toolkit.box_art import rounded
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space
from ui.toolkit.text import wrapped, write
from ui.toolkit.theme import Theme

_LINE, _PADDING = 22, 8  # design pixels


class Note:
    """`text` in a box at the bottom of `space`, as high as it needs; an empty text needs no room."""

    def __init__(self, theme: Theme, space: Space, text: str) -> None:
        self._theme = theme
        padding = theme.px(_PADDING)
        self._lines = wrapped(theme, text, space.rest.width - 4 * padding, 14) if text else []
        self.rect = space.bottom(len(self._lines) * theme.px(_LINE) + 2 * padding) if text else None

    def draw(self, surface: pygame.Surface) -> None:
        if self.rect is None:
            return
        theme, px = self._theme, self._theme.px
        rounded(surface, self.rect, theme.palette.raised, px(8))
        space = Space(self.rect.inflate(-4 * px(_PADDING), -2 * px(_PADDING)), 0)
        for line in self._lines:
            write(surface, theme, line, space.top(px(_LINE)), 14)


def draw_paused(surface: pygame.Surface, theme: Theme, board: pygame.Rect) -> None:
    """Dims the board and says that the game is paused."""
    palette, px = theme.palette, theme.px
    veil = pygame.Surface(board.size, pygame.SRCALPHA)
    veil.fill((*palette.background, 140))
    surface.blit(veil, board)
    card = pygame.Rect(0, 0, px(320), px(112))
    card.center = board.center
    rounded(surface, card, palette.panel, px(12), palette.line)
    space = Space(card.inflate(-2 * px(16), -2 * px(20)), 0)
    write(surface, theme, t("play.paused"), space.top(px(40)), 28, bold=True, align="centre")
    write(surface, theme, t("play.paused_about"), space.top(px(32)), 16, palette.quiet, align="centre")
