"""The card over the board of a paused game."""

from __future__ import annotations

import pygame

from ui.toolkit.box_art import rounded
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space
from ui.toolkit.text import write
from ui.toolkit.theme import Theme


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
