"""Draws the chart of nodes against depth, in the window and for pictures in files."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from ai.search.comparison import VARIANTS
from ui.learn.compare_state import Comparison, Point
from ui.learn.comparison_words import curve_name, row_tip
from ui.learn.node_chart import ALL, BEST, LAST, Curve, Plot
from ui.toolkit.art import rounded
from ui.toolkit.canvas import Canvas, Place, SurfaceCanvas
from ui.toolkit.i18n import t
from ui.toolkit.plot import draw_grid, draw_tip, legend
from ui.toolkit.space import Space
from ui.toolkit.theme import Colour, Palette, Theme, mix
from ui.window.host import Host
from ui.window.part import Part

_AXIS, _FOOT, _LEGEND, _SWATCH, _EDGE = 44, 40, 22, 22, 8
"""Design pixels: the figures at the left, the depths below, a line of the legend, a mark in it, and at the right."""

_LINE, _DOT = 2, 4.5
_DASHES = {ALL: (8, 5), BEST: (2, 4)}


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

    def draw(self, canvas: Canvas) -> None:
        """Draw legend, scales and curves."""
        self._draw_legend(canvas)
        self._draw_scales(canvas)
        for curve in self.plot.curves:
            self._draw_curve(canvas, curve, [self.place(point) for point in curve.points])

    def _draw_legend(self, canvas: Canvas) -> None:
        """The name of each curve, with a piece of its line and its dot."""
        px = self._theme.px
        for curve, rect in self._legend:
            row, middle = Space(rect, px(6)), rect.centery
            left = row.left(px(_SWATCH)).left
            self._draw_line(canvas, curve, ((left, middle), (left + px(_SWATCH), middle)))
            if not curve.theory:
                self.draw_dot(canvas, curve.key, (left + px(_SWATCH) / 2, middle))
            canvas.text(curve_name(curve.key), row.rest, 14)

    def _tone(self, curve: Curve) -> Colour:
        """The colour of a curve: quiet for a theory."""
        return self._theme.palette.quiet if curve.theory else self._colours[curve.key]

    def _draw_scales(self, canvas: Canvas) -> None:
        """The axes: powers of ten from below, depths from the left."""
        px, room = self._theme.px, self.room
        powers = [(self.place((1, 10**power))[1], _power_text(power)) for power in range(self.plot.decades + 1)]
        depths = [(self.place((depth, 1))[0], str(depth)) for depth in range(1, self.plot.depth + 1)]
        draw_grid(canvas, room, powers, depths)
        foot = pygame.Rect(room.left, self._foot.bottom - px(20), room.width, px(20))
        canvas.text(t("compare.depth_axis"), foot, 14, self._theme.palette.quiet, align="centre")

    def _draw_curve(self, canvas: Canvas, curve: Curve, places: Sequence[Place]) -> None:
        self._draw_line(canvas, curve, places)
        for place in () if curve.theory else places:
            self.draw_dot(canvas, curve.key, place)

    def _draw_line(self, canvas: Canvas, curve: Curve, places: Sequence[Place]) -> None:
        """Theories have dashes, the smaller of the two dots."""
        px, (dash, gap) = self._theme.px, _DASHES.get(curve.key, (0, 0))
        if len(places) > 1:
            dashes = (px(dash), px(gap)) if curve.theory else None
            canvas.line(places, self._tone(curve), px(1.6 if curve.theory else _LINE), dashes)

    def draw_dot(self, canvas: Canvas, key: str, place: Place, scale: float = 1.0) -> None:
        """A point of a search: each has a shape of its own, too, for who does not tell the colours apart."""
        radius, tone = max(3.0, self._theme.scale * _DOT * scale), self._colours[key]
        x, y = place
        corners = {
            "alphabeta": ((-1, -1), (1, -1), (1, 1), (-1, 1)), "ordering": ((0, -1.3), (1.2, 1), (-1.2, 1)),
            "table": ((0, -1.35), (1.35, 0), (0, 1.35), (-1.35, 0)), "deepening": ((0, 1.3), (1.2, -1), (-1.2, -1)),
            LAST: ((0, 1.3), (1.2, -1), (-1.2, -1)),
        }.get(key)  # fmt: skip
        if corners is None:
            canvas.circle(place, round(radius), tone)
            return
        canvas.polygon([(x + right * radius * 0.9, y + down * radius * 0.9) for right, down in corners], tone)


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
        painter.draw(SurfaceCanvas(surface, theme))
        if self._state.pointed is not None:
            self._draw_pointed(surface, painter, self._state.pointed)

    def _draw_pointed(self, surface: pygame.Surface, painter: ChartPainter, pointed: Point) -> None:
        """A box with the figures of the point under the pointer."""
        row, theme = self._state.row(pointed), self._host.theme
        if row is None or not row.finished:
            return
        place = painter.place((row.depth, row.nodes))
        painter.draw_dot(SurfaceCanvas(surface, theme), row.search, place, 1.6)
        draw_tip(surface, theme, row_tip(row), place, self._rect)

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEMOTION and self._rect.collidepoint(event.pos):
            self._state.pointed = self.painter.nearest(event.pos, self._host.theme.px(_NEAR))
        return False
