"""The chart of nodes against depth, which grows while the searches run."""

from __future__ import annotations

import pygame

from ui.game.comparison import Comparison, Point
from ui.host import Host
from ui.part import Part
from ui.parts.chart_painter import ChartPainter
from ui.toolkit.box_art import rounded
from ui.toolkit.plot import draw_tip
from ui.words.comparison import row_tip

_PADDING, _NEAR = 12, 24  # design pixels


class NodeChart(Part):
    """Takes all the space. Points at what is pointed at in the table, too."""

    def __init__(self, host: Host, state: Comparison) -> None:
        self._host, self._state = host, state

    @property
    def painter(self) -> ChartPainter:
        """Draws what has been found by now."""
        around = 2 * self._host.theme.px(_PADDING)
        return ChartPainter(self._host.theme, self._rect.inflate(-around, -around), self._state.plot)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        theme, painter = self._host.theme, self.painter
        rounded(surface, self._rect, theme.palette.panel, theme.px(10), theme.palette.line)
        painter.draw(surface)
        if self._state.pointed is not None:
            self._draw_pointed(surface, painter, self._state.pointed)

    def _draw_pointed(self, surface: pygame.Surface, painter: ChartPainter, pointed: Point) -> None:
        row, theme = self._state.row(pointed), self._host.theme
        if row is None or not row.finished:
            return
        place = painter.place((row.depth, row.nodes))
        painter.draw_dot(surface, row.search, place, 1.6)
        draw_tip(surface, theme, row_tip(row), place, self._rect)

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEMOTION and self._rect.collidepoint(event.pos):
            self._state.pointed = self.painter.nearest(event.pos, self._host.theme.px(_NEAR))
        return False
