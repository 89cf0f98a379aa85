"""Drawings of what the compared searches needed: the chart of nodes against depth, in the window and in files, the
table of nodes and seconds at each depth, and the bars of what two threads have searched."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from ai.explain.subject import Shared
from ai.search.comparison import VARIANTS
from ui.learn.compare_state import (
    ALL,
    BEST,
    LAST,
    Comparison,
    Curve,
    Plot,
    Point,
    cell_texts,
    curve_name,
    row_sentence,
    row_tip,
    search_name,
    share_text,
)
from ui.toolkit.art import hatch, rounded
from ui.toolkit.canvas import Canvas, Place, SurfaceCanvas, draw_grid, draw_tip, legend
from ui.toolkit.i18n import t
from ui.toolkit.space import Space, centred, columns
from ui.toolkit.theme import Colour, Palette, Theme, mix
from ui.toolkit.typesetting import width_of, write
from ui.window.host import Host
from ui.window.part import Part
from ui.words.numbers import whole_text

_AXIS, _FOOT, _LEGEND, _SWATCH, _EDGE = 44, 40, 22, 22, 8
"""Design pixels: the figures at the left, the depths below, a line of the legend, a mark in it, and at the right."""

_LINE, _DOT = 2, 4.5
_DASHES = {ALL: (8, 5), BEST: (2, 4)}


def colours(palette: Palette) -> dict[str, Colour]:
    """Return the colour of each search by its key and, under `LAST`, that of the last iterations of iterative
    deepening."""
    found = palette.bad, palette.accent, palette.good, palette.info, mix(palette.bad, palette.info, 0.5)
    return dict(zip(VARIANTS, found, strict=True)) | {LAST: mix(palette.panel, found[-1], 0.6)}


class ChartPainter:
    """Draws the chart of `plot` in `rect`."""

    def __init__(self, theme: Theme, rect: pygame.Rect, plot: Plot) -> None:
        self._theme, self.plot = theme, plot
        self._colours, px = colours(theme.palette), theme.px
        space = Space(rect)
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
        """Return the pixel of a point, given as (depth, nodes)."""
        right, up = self.plot.place(*point)
        return self.room.left + right * (self.room.width - 1), self.room.bottom - 1 - up * (self.room.height - 1)

    def nearest(self, pixel: tuple[int, int], far: float) -> tuple[str, int] | None:
        """Return the search and the depth of the measured point nearest to `pixel`; None if none is less than `far`
        pixels away."""
        ways = {
            (curve.key, round(depth)): pygame.Vector2(self.place((depth, nodes))).distance_to(pixel)
            for curve in self.plot.measured() if curve.key != LAST for depth, nodes in curve.points
        }  # fmt: skip
        return min((way for way in ways if ways[way] < far), key=ways.__getitem__, default=None)

    def draw(self, canvas: Canvas) -> None:
        """Draw legend, scales and curves."""
        self._draw_legend(canvas)
        self._draw_scales(canvas)
        for curve in self.plot.curves:
            self._draw_curve(canvas, curve, [self.place(point) for point in curve.points])

    def _draw_legend(self, canvas: Canvas) -> None:
        """Draw the name of each curve, with a piece of its line and its dot."""
        px = self._theme.px
        for curve, rect in self._legend:
            row, middle = Space(rect, px(6)), rect.centery
            left = row.left(px(_SWATCH)).left
            self._draw_line(canvas, curve, ((left, middle), (left + px(_SWATCH), middle)))
            if not curve.theory:
                self.draw_dot(canvas, curve.key, (left + px(_SWATCH) / 2, middle))
            canvas.text(curve_name(curve.key), row.rest, 14)

    def _tone(self, curve: Curve) -> Colour:
        """Return the colour of a curve: grey for a theory."""
        return self._theme.palette.quiet if curve.theory else self._colours[curve.key]

    def _draw_scales(self, canvas: Canvas) -> None:
        """Draw the axes: powers of ten upwards, depths to the right."""
        px, room = self._theme.px, self.room
        powers = [(self.place((1, 10**power))[1], _power_text(power)) for power in range(self.plot.decades + 1)]
        depths = [(self.place((depth, 1))[0], str(depth)) for depth in range(1, self.plot.depth + 1)]
        draw_grid(canvas, room, powers, depths)
        foot = pygame.Rect(room.left, self._foot.bottom - px(20), room.width, px(20))
        canvas.text(t("compare.depth_axis"), foot, 14, self._theme.palette.quiet, align="centre")

    def _draw_curve(self, canvas: Canvas, curve: Curve, places: Sequence[Place]) -> None:
        """Draw the line of a curve through `places` and a dot at each of them; no dots for a theory."""
        self._draw_line(canvas, curve, places)
        for place in () if curve.theory else places:
            self.draw_dot(canvas, curve.key, place)

    def _draw_line(self, canvas: Canvas, curve: Curve, places: Sequence[Place]) -> None:
        """Draw a line through `places`, dashed or dotted for a theory; nothing for a single place."""
        px, dashes = self._theme.px, None
        if curve.theory:
            dash, gap = _DASHES[curve.key]
            dashes = px(dash), px(gap)
        if len(places) > 1:
            canvas.line(places, self._tone(curve), px(_LINE), dashes)

    def draw_dot(self, canvas: Canvas, key: str, place: Place, scale: float = 1.0) -> None:
        """Draw a point of the search `key`. Each search has a shape of its own, for people who cannot tell the colours
        apart."""
        radius, tone = self._theme.scale * _DOT * scale, self._colours[key]
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
    """Return 10 to the `power` as a label: ``1``, ``1000``, ``10k``, ``1M``."""
    return str(10**power) if power < 4 else f"{10 ** (power - 3)}k" if power < 6 else f"{10 ** (power - 6)}M"


# The chart of nodes against depth, which grows while the searches run.


_PADDING, _NEAR = 12, 24  # design pixels


class NodeChart(Part):
    """The chart of nodes against depth, in all the space. The point under the pointer, here or in the table, is
    highlighted."""

    def __init__(self, host: Host, state: Comparison) -> None:
        self._host, self._state = host, state

    @property
    def painter(self) -> ChartPainter:
        """A painter of what has been found so far."""
        around = 2 * self._host.theme.px(_PADDING)
        return ChartPainter(self._host.theme, self._rect.inflate(-around, -around), self._state.plot)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the chart of what has been found so far, and the figures of the point that is pointed at."""
        theme, painter = self._host.theme, self.painter
        rounded(surface, self._rect, theme.palette.panel, theme.px(10), theme.palette.line)
        painter.draw(SurfaceCanvas(surface, theme))
        if self._state.pointed is not None:
            self._draw_pointed(surface, painter, self._state.pointed)

    def _draw_pointed(self, surface: pygame.Surface, painter: ChartPainter, pointed: Point) -> None:
        """Draw a box with the figures of the point `pointed`; nothing if its search has not finished."""
        row, theme = self._state.row(pointed), self._host.theme
        if row is None or not row.finished:
            return
        place = painter.place((row.depth, row.nodes))
        painter.draw_dot(SurfaceCanvas(surface, theme), row.search, place, 1.6)
        draw_tip(surface, theme, row_tip(row), place, self._rect)

    def handle(self, event: pygame.event.Event) -> bool:
        """Note the measured point nearest to the mouse while it moves over the chart; the table highlights it, too.
        Consume nothing."""
        if event.type == pygame.MOUSEMOTION and self._rect.collidepoint(event.pos):
            self._state.pointed = self.painter.nearest(event.pos, self._host.theme.px(_NEAR))
        return False


# The table of the searches.


_HEAD, _ROW, _NAME, _MARK = 26, 38, 116, 10  # design pixels
_LEAST_DEPTH = 6  # columns


class SearchTable(Part):
    """The nodes and seconds of each search at each depth. Takes its room from the bottom of the space."""

    def __init__(self, host: Host, state: Comparison) -> None:
        self._host, self._state = host, state

    def build(self, space: Space) -> None:
        """Take a head and a row for each search from the bottom of the space."""
        px = self._host.theme.px
        self._rect = space.bottom(px(_HEAD + len(VARIANTS) * _ROW + _PADDING))

    @property
    def _depths(self) -> int:
        """The number of columns."""
        return max([_LEAST_DEPTH, *(row.depth for row in self._state.search_rows)])

    def line(self, number: int) -> tuple[pygame.Rect, list[pygame.Rect]]:
        """Return the places of the name and of the cells in row `number` of the table; row 0 is the head."""
        px = self._host.theme.px
        space = Space(self._rect.inflate(-2 * px(_PADDING), -px(_PADDING)))
        rect = space.top(px(_HEAD))
        for _ in range(number):
            rect = space.top(px(_ROW))
        row = Space(rect, px(8))
        return row.left(px(_NAME)), columns(row.rest, self._depths, px(2))

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the head with the depths, and for each search its colour, name and figures; the cell pointed at is
        highlighted."""
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
                self._draw_pointed(surface, (search, depth), cell)
                self._draw_cell(surface, (search, depth), cell)

    def _draw_name(self, surface: pygame.Surface, search: str, rect: pygame.Rect) -> None:
        """Write the name of a search behind a square in the colour of its curve."""
        theme, px = self._host.theme, self._host.theme.px
        space = Space(rect, px(8))
        swatch = centred(px(_MARK), px(_MARK), space.left(px(_MARK)).center)
        rounded(surface, swatch, colours(theme.palette)[search], px(3))
        write(surface, theme, search_name(search), space.rest, 14)

    def _draw_pointed(self, surface: pygame.Surface, point: Point, cell: pygame.Rect) -> None:
        """Highlight a cell if it is under the pointer and has figures."""
        theme, palette = self._host.theme, self._host.theme.palette
        if point == self._state.pointed and self._state.row(point) is not None:
            around = cell.inflate(0, -theme.px(4))
            around.width += theme.px(4)  # not on the left, where the column before ends
            rounded(surface, around, mix(palette.panel, palette.accent, 0.16), theme.px(4))

    def _draw_cell(self, surface: pygame.Surface, point: Point, cell: pygame.Rect) -> None:
        """Draw the nodes and the time of one search at one depth."""
        row, theme, palette = self._state.row(point), self._host.theme, self._host.theme.palette
        if row is None:
            return
        nodes, seconds = cell_texts(row)
        upper = pygame.Rect(cell.left, cell.top + theme.px(2), cell.width, theme.px(18))
        write(surface, theme, nodes, upper, 14, palette.text if row.finished else palette.quiet, align="right")
        lower = upper.move(0, theme.px(16))
        write(surface, theme, seconds, lower, 14, palette.quiet, align="right")

    def _point_at(self, pixel: tuple[int, int]) -> Point | None:
        """Return the search and the depth of the cell at `pixel`; None outside the cells."""
        for number, search in enumerate(VARIANTS, 1):
            for depth, cell in enumerate(self.line(number)[1], 1):
                if cell.collidepoint(pixel):
                    return search, depth
        return None

    def handle(self, event: pygame.event.Event) -> bool:
        """Note the cell under the mouse while it moves over the table; the chart highlights its point, too. Consume
        nothing."""
        if event.type == pygame.MOUSEMOTION and self._rect.collidepoint(event.pos):
            self._state.pointed = self._point_at(event.pos)
        return False

    def hint(self) -> str:
        """Say in a sentence what the search at the cell or point that is pointed at has found; empty without one."""
        row = None if self._state.pointed is None else self._state.row(self._state.pointed)
        return "" if row is None else row_sentence(self._state.position, row)

    def status(self) -> str:
        """Say that searches are running, else what the dashed and dotted lines of the chart are."""
        return t("compare.busy") if self._state.busy else t("compare.lines")


# How two threads have divided the search of a tree: what each has searched alone, and what both have.


_BAR_PADDING, _CARD, _BAR_HEAD, _BAR, _GAP, _BAR_NAME, _SUM = 16, 122, 28, 30, 10, 84, 72  # design pixels
_STRIPE = 6


class ThreadBars(Part):
    """How two threads divided the searches: figures of the deepest one, and a bar for each depth. Takes all the space.
    """

    def __init__(self, host: Host, state: Comparison) -> None:
        self._host, self._state = host, state

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the cards of the deepest search, and below them bars for as many of the deepest searches as fit; only
        the background before the first result."""
        theme, palette, px = self._host.theme, self._host.theme.palette, self._host.theme.px
        rounded(surface, self._rect, palette.panel, px(10), palette.line)
        if not self._state.shared:
            return
        space = Space(self._rect.inflate(-2 * px(_BAR_PADDING), -2 * px(_BAR_PADDING)), px(_GAP))
        self._draw_cards(surface, space.top(px(_CARD)), self._state.shared[-1])
        write(surface, theme, t("compare.threads.head"), space.top(px(_BAR_HEAD)), 14, palette.quiet)
        fits = (space.rest.height + px(_GAP)) // px(_BAR + _GAP)
        for shared in self._state.shared[-fits:]:
            self._draw_row(surface, space.top(px(_BAR)), shared)

    def _draw_cards(self, surface: pygame.Surface, rect: pygame.Rect, shared: Shared) -> None:
        """Draw three cards, for thread 1, both threads and thread 2: the positions that only the one thread visited, or
        both did."""
        theme, done = self._host.theme, shared.division
        first, both, second = columns(rect, 3, theme.px(12))
        whole = done.positions
        for number, card in enumerate((first, second)):
            note = t("compare.thread.nodes", nodes=whole_text(done.nodes[number]),
                     answered=whole_text(done.answered[number]))  # fmt: skip
            self._draw_card(surface, card, t("compare.thread", number=number + 1), done.alone[number], whole, note,
                            _tones(theme)[2 * number])  # fmt: skip
        self._draw_card(surface, both, t("compare.both"), done.shared, whole, t("compare.both.about"), _tones(theme)[1])

    def _draw_card(
        self, surface: pygame.Surface, rect: pygame.Rect, name: str, count: int, whole: int, note: str, tone: Colour
    ) -> None:
        """Draw a card with `name`, `count`, its share of the `whole`, and `note`, a line for each part between `` · ``.
        """
        theme, palette, px = self._host.theme, self._host.theme.palette, self._host.theme.px
        rounded(surface, rect, palette.raised, px(8), palette.line)
        space = Space(rect.inflate(-2 * px(12), -2 * px(10)))
        head = Space(space.top(px(22)), px(8))
        rounded(surface, centred(px(10), px(10), head.left(px(10)).center), tone, px(3))
        write(surface, theme, name, head.rest, 16, bold=True)
        figures = Space(space.top(px(40)), px(8))
        text = whole_text(count)
        write(surface, theme, text, figures.left(width_of(theme, text, 28)), 28)
        write(surface, theme, share_text(count, whole), figures.rest.move(0, px(4)), 16, palette.quiet)
        lines = note.split(" · ")
        for line in lines:
            write(surface, theme, line, space.top(px(19)), 14, palette.quiet)

    def _draw_row(self, surface: pygame.Surface, rect: pygame.Rect, shared: Shared) -> None:
        """Draw one depth as a bar: what each thread visited alone and, striped between these, what both did."""
        theme, px, done = self._host.theme, self._host.theme.px, shared.division
        row = Space(rect, px(8))
        write(surface, theme, t("compare.threads.depth", depth=shared.depth), row.left(px(_BAR_NAME)), 14)
        write(surface, theme, whole_text(done.positions), row.right(px(_SUM)), 14, theme.palette.quiet, align="right")
        parts = (done.alone[0], done.shared, done.alone[1])
        left, whole, gone = row.rest.left, done.positions, 0
        for part, tone, striped in zip(parts, _tones(theme), (False, True, False), strict=True):
            start, gone = left + row.rest.width * gone // whole, gone + part
            piece = pygame.Rect(start, rect.top, left + row.rest.width * gone // whole - start, rect.height)
            self._draw_piece(surface, piece, tone, striped, share_text(part, whole))

    def _draw_piece(self, surface: pygame.Surface, rect: pygame.Rect, tone: Colour, striped: bool, text: str) -> None:
        """Draw one part of a bar. `text` is written in it if it fits, but not in a striped one."""
        theme, palette = self._host.theme, self._host.theme.palette
        soft = mix(palette.panel, tone, 0.3)
        surface.fill(soft, rect)
        if striped:
            hatch(surface, rect, mix(palette.panel, tone, 0.5), theme.px(_STRIPE))
        surface.fill(tone, (rect.left, rect.bottom - theme.px(4), rect.width, theme.px(4)))
        if not striped and width_of(theme, text, 14) + theme.px(8) <= rect.width:
            write(surface, theme, text, rect, 14, align="centre")

    def status(self) -> str:
        """Say that searches are running; empty otherwise."""
        return t("compare.busy") if self._state.busy else ""


def _tones(theme: Theme) -> tuple[Colour, Colour, Colour]:
    """Return the colours of thread 1, of both threads, and of thread 2."""
    palette = theme.palette
    return palette.accent, palette.quiet, palette.info
