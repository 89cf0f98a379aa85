"""The table of the searches: nodes and seconds at each depth."""

from __future__ import annotations

import pygame

from ai.search.variants import VARIANTS
from ui.game.comparison import Comparison, Point
from ui.host import Host
from ui.part import Part
from ui.parts.chart_painter import colours
from ui.toolkit.box_art import rounded
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space, columns
from ui.toolkit.palette import mix
from ui.toolkit.text import write
from ui.words.comparison import cell_texts, row_sentence, search_name

_HEAD, _ROW, _NAME, _PADDING, _SWATCH = 26, 38, 116, 12, 10  # design pixels
_LEAST_DEPTH = 6  # columns


class SearchTable(Part):
    """Takes its room from the bottom of the space."""

    def __init__(self, host: Host, state: Comparison) -> None:
        self._host, self._state = host, state

    def build(self, space: Space) -> None:
        px = self._host.theme.px
        self._rect = space.bottom(px(_HEAD + len(VARIANTS) * _ROW + _PADDING))

    @property
    def _depths(self) -> int:
        return max([_LEAST_DEPTH, *(row.depth for row in self._state.rows)])

    def line(self, number: int) -> tuple[pygame.Rect, list[pygame.Rect]]:
        """The name and the cells of a line of the table, 0 for its head."""
        px = self._host.theme.px
        space = Space(self._rect.inflate(-2 * px(_PADDING), -px(_PADDING)), 0)
        rect = space.top(px(_HEAD))
        for _ in range(number):
            rect = space.top(px(_ROW))
        row = Space(rect, px(8))
        return row.left(px(_NAME)), columns(row.rest, self._depths, px(2))

    def draw(self, surface: pygame.Surface, now: float) -> None:
        theme, palette, px = self._host.theme, self._host.theme.palette, self._host.theme.px
        rounded(surface, self._rect, palette.panel, px(10), palette.line)
        name, cells = self.line(0)
        write(surface, theme, t("compare.depth_axis"), name, 14, palette.quiet)
        for depth, cell in enumerate(cells, 1):
            write(surface, theme, str(depth), cell, 14, palette.quiet, align="right")
        for number, search in enumerate(VARIANTS, 1):
            name, cells = self.line(number)
            pygame.draw.line(surface, palette.line, name.topleft, (cells[-1].right, name.top))
            self._draw_name(surface, search, name)
            for depth, cell in enumerate(cells, 1):
                self._draw_cell(surface, (search, depth), cell)

    def _draw_name(self, surface: pygame.Surface, search: str, rect: pygame.Rect) -> None:
        theme, px = self._host.theme, self._host.theme.px
        space = Space(rect, px(8))
        swatch = pygame.Rect(0, 0, px(_SWATCH), px(_SWATCH))
        swatch.center = space.left(px(_SWATCH)).center
        rounded(surface, swatch, colours(theme.palette)[search], px(3))
        write(surface, theme, search_name(search), space.rest, 14)

    def _draw_cell(self, surface: pygame.Surface, point: Point, cell: pygame.Rect) -> None:
        row, theme, palette = self._state.row(point), self._host.theme, self._host.theme.palette
        if row is None:
            return
        if point == self._state.pointed:
            around = cell.inflate(theme.px(8), -theme.px(4))
            rounded(surface, around, mix(palette.panel, palette.accent, 0.16), theme.px(4))
        nodes, seconds = cell_texts(row)
        upper = pygame.Rect(cell.left, cell.top + theme.px(2), cell.width, theme.px(18))
        write(surface, theme, nodes, upper, 14, palette.text if row.finished else palette.quiet, align="right")
        lower = upper.move(0, theme.px(16))
        write(surface, theme, seconds, lower, 14, palette.quiet, align="right")

    def _at(self, pixel: tuple[int, int]) -> Point | None:
        for number, search in enumerate(VARIANTS, 1):
            for depth, cell in enumerate(self.line(number)[1], 1):
                if cell.collidepoint(pixel):
                    return search, depth
        return None

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEMOTION and self._rect.collidepoint(event.pos):
            self._state.pointed = self._at(event.pos)
        return False

    def hint(self) -> str:
        row = None if self._state.pointed is None else self._state.row(self._state.pointed)
        return "" if row is None else row_sentence(self._state.position, row)

    def status(self) -> str:
        return t("compare.busy") if self._state.busy else t("compare.lines")
