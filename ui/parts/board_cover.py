"""What lies over the board of a game that is played: hints, the analysis, the card of a pause, and a frame."""

from __future__ import annotations

import pygame

from ui.board.view import BoardView, Marks
from ui.game.play_state import PlayState
from ui.host import Host
from ui.part import Part
from ui.toolkit.box_art import clipped, rounded
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space
from ui.toolkit.text import write

_FRAME = 3  # design pixels
_CELLS = 2.4  # from the middle of an area to its ring


class BoardCover(Part):
    """Over the board that `view` draws."""

    def __init__(self, host: Host, view: BoardView, state: PlayState) -> None:
        self._host, self._view, self._state = host, view, state

    def marks(self, marks: Marks) -> Marks:
        state = self._state
        if state.hidden:
            return marks
        if not state.over:
            marks = state.hints.marks(marks, state.shown.position)
        return state.analyst.marks(marks, state.pointer.hover)

    def hint(self) -> str:
        """The step of a hint that was asked for."""
        state = self._state
        sentence = state.hinted_view.sentence if state.hinted_view.view is not None else ""
        return state.hints.sentence(state.shown.position, sentence)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        state = self._state
        if state.hidden:
            self._draw_paused(surface)
            return
        area = state.hints.area(state.shown.position)
        if area is not None:
            self._draw_area(surface, area)
        if state.earlier is not None:
            self._draw_frame(surface)

    def _draw_paused(self, surface: pygame.Surface) -> None:
        """Dim the board and say that the game is paused."""
        theme, px = self._host.theme, self._host.theme.px
        veil = pygame.Surface(self._rect.size, pygame.SRCALPHA)
        veil.fill((*theme.palette.background, 140))
        surface.blit(veil, self._rect)
        card = pygame.Rect(0, 0, px(320), px(112))
        card.center = self._rect.center
        rounded(surface, card, theme.palette.panel, px(12), theme.palette.line)
        space = Space(card.inflate(-2 * px(16), -2 * px(20)), 0)
        write(surface, theme, t("play.paused"), space.top(px(40)), 28, bold=True, align="centre")
        write(surface, theme, t("play.paused_about"), space.top(px(32)), 16, theme.palette.quiet, align="centre")

    def _draw_frame(self, surface: pygame.Surface) -> None:
        """The board does not show the game as it stands."""
        theme = self._host.theme
        around = self._view.area.inflate(2 * theme.px(_FRAME + 2), 2 * theme.px(_FRAME + 2))
        pygame.draw.rect(surface, theme.palette.info, around, theme.px(_FRAME), theme.px(12))

    def _draw_area(self, surface: pygame.Surface, cell: int) -> None:
        """A soft ring around `cell`."""
        theme, pixel_of = self._host.theme, self._view.pixel_of
        middle, beside = pixel_of(cell), pixel_of(cell - 1 if cell else 1)
        if cell and middle[1] != beside[1]:  # the cell before is in another row
            beside = pixel_of(cell + 1)
        radius = round(_CELLS * pygame.Vector2(middle).distance_to(beside))
        size = 2 * radius + theme.px(8)
        ring = pygame.Surface((size, size), pygame.SRCALPHA)
        centre = size // 2, size // 2
        pygame.draw.circle(ring, (*theme.palette.info, 26), centre, radius)
        pygame.draw.aacircle(ring, (*theme.palette.info, 200), centre, radius, theme.px(3))
        with clipped(surface, self._rect):
            surface.blit(ring, ring.get_rect(center=middle))
