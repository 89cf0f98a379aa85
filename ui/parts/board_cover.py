"""What is drawn over a board: the card of a paused game, a frame, the ring of a hint."""

from __future__ import annotations

import pygame

from ui.board.view import BoardView
from ui.toolkit.box_art import rounded
from ui.toolkit.clip import clipped
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space
from ui.toolkit.text import write
from ui.toolkit.theme import Theme

_FRAME = 3  # design pixels
_CELLS = 2.4  # from the middle of an area to its ring


def draw_paused(surface: pygame.Surface, theme: Theme, board: pygame.Rect) -> None:
    """Dim the board and say that the game is paused."""
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


def draw_frame(surface: pygame.Surface, theme: Theme, board: pygame.Rect) -> None:
    """The frame of a board that does not show the game as it stands."""
    around = board.inflate(2 * theme.px(_FRAME + 2), 2 * theme.px(_FRAME + 2))
    pygame.draw.rect(surface, theme.palette.info, around, theme.px(_FRAME), theme.px(12))


def draw_area(surface: pygame.Surface, theme: Theme, board: BoardView, rect: pygame.Rect, cell: int) -> None:
    """A soft ring around `cell` on the `board` in `rect`."""
    middle, beside = board.pixel_of(cell), board.pixel_of(cell - 1 if cell else 1)
    radius = round(_CELLS * pygame.Vector2(middle).distance_to(beside))
    if cell and board.pixel_of(cell)[1] != beside[1]:  # the cell before is in another row
        radius = round(_CELLS * pygame.Vector2(middle).distance_to(board.pixel_of(cell + 1)))
    size = 2 * radius + theme.px(8)
    ring = pygame.Surface((size, size), pygame.SRCALPHA)
    centre = size // 2, size // 2
    pygame.draw.circle(ring, (*theme.palette.info, 26), centre, radius)
    pygame.draw.aacircle(ring, (*theme.palette.info, 200), centre, radius, theme.px(3))
    with clipped(surface, rect):
        surface.blit(ring, ring.get_rect(center=middle))
