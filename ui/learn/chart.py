"""Draws the chart of nodes against depth, in the window and for pictures in files."""

from __future__ import annotations

from itertools import pairwise

import pygame

from ai.search.comparison import VARIANTS
from ui.learn.comparison import Comparison, Point
from ui.learn.comparison_words import curve_name, row_tip
from ui.learn.node_chart import ALL, BEST, LAST, Curve, Plot
from ui.toolkit.art import clipped, rounded
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space
from ui.toolkit.plot import draw_tip, legend
from ui.toolkit.text import write
from ui.toolkit.theme import Colour, Palette, Theme, mix
from ui.window.host import Host
from ui.window.part import Part

_AXIS, _FOOT, _LEGEND, _SWATCH, _EDGE = 44, 40, 22, 22, 8
"""Design pixels: the figures at the left, the depths below, a line of the legend, a mark in it, and at the right."""

_LINE, _DOT = 2, 4.5
_PAINTED_DASHES = {ALL: (8, 13), BEST: (2, 6)}  # how long a dash is, and how far from the next one's begin

Place = tuple[float, float]


def colours(palette: Palette) -> dict[str, Colour]:
    """Return the colours of the searches; last iterations have that of the search, paler."""
    found = palette.bad, palette.accent, palette.good, palette.info, mix(palette.bad, palette.info, 0.5)
    return dict(zip(VARIANTS, found, strict=True)) | {LAST: mix(palette.panel, found[-1], 0.6)}


class ChartPainter:
    """The chart of `plot` in `rect`."""

    def __init__(self, theme: Theme, rect: pygame.Rect, plot: Plot) -> None:
        self._theme, self.plot = theme, plot
        self._colours, px = colours(theme.palette), theme.px
        space = Space(rect, 0)
        curves = [*plot.measured(), *(curve for curve in plot.curves if curve.theory)]
        names = [curve_name(curve.key) for curve in curves]
        places = legend(space, theme, names, px(_LEGEND), px(_SWATCH + 18))
        self._legend = list(zip(curves, places, strict=True))
        space.left(px(_AXIS))
        space.right(px(_EDGE))
        space.top(px(_EDGE))
        self._foot = space.bottom(px(_FOOT))
        self.room = space.rest

    def place(self, point: Place) -> Place:
        """Where a depth and a number of nodes lie, in pixels."""
        right, up = self.plot.place(*point)
        return self.room.left + right * (self.room.width - 1), self.room.bottom - 1 - up * (self.room.height - 1)

    def nearest(self, pixel: tuple[int, int], far: float) -> tuple[str, int] | None:
        """The search and the depth of the measured point nearest to `pixel`, if it is less than `far` away."""
        ways = [
            (pygame.Vector2(self.place(point)).distance_to(pixel), curve.key, round(point[0]))
            for curve in self.plot.measured() if curve.key != LAST for point in curve.points
        ]  # fmt: skip
        distance, key, depth = min(ways, default=(far, "", 0))
        return (key, depth) if distance < far else None

    def draw(self, surface: pygame.Surface) -> None:
        self._draw_legend(surface)
        self._draw_scales(surface)
        with clipped(surface, self.room.inflate(2 * self._theme.px(_DOT + 1), 2 * self._theme.px(_DOT + 1))):
            for curve in self.plot.curves:
                self._draw_curve(surface, curve)

    def _draw_legend(self, surface: pygame.Surface) -> None:
        px = self._theme.px
        for curve, rect in self._legend:
            row, middle = Space(rect, px(6)), rect.centery
            left = row.left(px(_SWATCH)).left
            ends = ((left, middle), (left + px(_SWATCH), middle))
            if curve.theory:
                self._dashed(surface, *ends, curve)
            else:
                pygame.draw.aaline(surface, self._tone(curve), *ends, px(_LINE))
                self.draw_dot(surface, curve.key, (left + px(_SWATCH) / 2, middle))
            write(surface, self._theme, curve_name(curve.key), row.rest, 14)

    def _tone(self, curve: Curve) -> Colour:
        return self._theme.palette.quiet if curve.theory else self._colours[curve.key]

    def _draw_scales(self, surface: pygame.Surface) -> None:
        theme, palette, px, room = self._theme, self._theme.palette, self._theme.px, self.room
        faint = mix(palette.panel, palette.line, 0.8)
        for power in range(self.plot.decades + 1):
            y = round(self.place((1, 10**power))[1])
            pygame.draw.line(surface, faint, (room.left, y), (room.right - 1, y))
            label = pygame.Rect(room.left - px(_AXIS), y - px(10), px(_AXIS - 8), px(20))
            write(surface, theme, _power_text(power), label, 14, palette.quiet, align="right")
        for depth in range(1, self.plot.depth + 1):
            x = round(self.place((depth, 1))[0])
            pygame.draw.line(surface, faint, (x, room.top), (x, room.bottom - 1))
            label = pygame.Rect(x - px(16), self._foot.top + px(2), px(32), px(18))
            write(surface, theme, str(depth), label, 14, palette.quiet, align="centre")
        foot = pygame.Rect(room.left, self._foot.bottom - px(20), room.width, px(20))
        write(surface, theme, t("compare.depth_axis"), foot, 14, palette.quiet, align="centre")

    def _draw_curve(self, surface: pygame.Surface, curve: Curve) -> None:
        px, tone = self._theme.px, self._tone(curve)
        for start, end in pairwise(map(self.place, curve.points)):
            if curve.theory:
                self._dashed(surface, start, end, curve)
            else:
                pygame.draw.aaline(surface, tone, start, end, px(_LINE))
        for point in () if curve.theory else curve.points:
            self.draw_dot(surface, curve.key, self.place(point))

    def draw_dot(self, surface: pygame.Surface, key: str, place: Place, scale: float = 1.0) -> None:
        """A point of a search: each has a shape of its own, too, for who does not tell the colours apart."""
        radius, tone = max(3.0, self._theme.scale * _DOT * scale), self._colours[key]
        x, y = place
        corners = {
            "alphabeta": ((-1, -1), (1, -1), (1, 1), (-1, 1)), "ordering": ((0, -1.3), (1.2, 1), (-1.2, 1)),
            "table": ((0, -1.35), (1.35, 0), (0, 1.35), (-1.35, 0)), "deepening": ((0, 1.3), (1.2, -1), (-1.2, -1)),
            LAST: ((0, 1.3), (1.2, -1), (-1.2, -1)),
        }.get(key)  # fmt: skip
        if corners is None:
            pygame.draw.aacircle(surface, tone, (round(x), round(y)), round(radius))
            return
        points = [(x + right * radius * 0.9, y + down * radius * 0.9) for right, down in corners]
        pygame.draw.polygon(surface, tone, points)
        pygame.draw.aalines(surface, tone, True, points)

    def _dashed(self, surface: pygame.Surface, start: Place, end: Place, curve: Curve) -> None:
        """A line of dashes, or of dots for the smaller of the two theories."""
        begin, way = pygame.Vector2(start), pygame.Vector2(end) - pygame.Vector2(start)
        dash, step = map(self._theme.px, _PAINTED_DASHES[curve.key])
        along = 0
        while along < way.length():
            first, last = (begin + way * min(1.0, at / way.length()) for at in (along, along + dash))
            pygame.draw.aaline(surface, self._tone(curve), first, last, max(1, self._theme.px(1.6)))
            along += step


def _power_text(power: int) -> str:
    """``1``, ``1000``, ``1M``."""
    return str(10**power) if power < 4 else f"{10 ** (power - 3)}k" if power < 6 else f"{10 ** (power - 6)}M"


# The chart of nodes against depth, which grows while the searches run.


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
