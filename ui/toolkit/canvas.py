"""Draw once, for the window and for pages: a small canvas on a pygame surface, or one that writes SVG.

Coordinates are pixels, as pygame counts them: a rectangle includes its left and top edges, and a point is the middle of
its pixel. Sizes of texts are in design pixels of the canvas's theme. Charts share scales, a legend, and a box with a
text at a point.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from itertools import pairwise
from typing import Protocol

import numpy as np
import numpy.typing as npt
import pygame

from games.drawing import Sheet, tag
from ui.toolkit.art import hatch, rounded
from ui.toolkit.i18n import language
from ui.toolkit.space import Space
from ui.toolkit.theme import PALETTES, Colour, Theme, css, mix
from ui.toolkit.typesetting import Align, fitted, width_of, write

Place = tuple[float, float]
Dashes = tuple[float, float]
"""The length of a dash and of the gap after it."""

Cells = npt.NDArray[np.uint8]
"""Colours by column, row and channel."""

_FINER = 4
"""How many times larger what is smooth is painted than it is shown; by a power of two colours come back unchanged."""


class Curves(Protocol):
    """Draws lines at any angle, and round or polygonal shapes."""

    def line(self, points: Sequence[Place], colour: Colour, width: float = ..., dashes: Dashes | None = None) -> None:
        """Draw a line from point to point, `width` pixels wide, by default 1; `dashes` are the lengths of a dash and of
        a gap, None for a continuous line."""

    def circle(self, centre: Place, radius: float, fill: Colour) -> None:
        """Draw a filled circle."""

    def polygon(self, points: Sequence[Place], fill: Colour) -> None:
        """Draw a filled polygon."""


class Canvas(Curves, Protocol):
    """What charts and trees are drawn on. What is drawn later covers what was drawn before."""

    theme: Theme

    def box(
        self, rect: pygame.Rect, fill: Colour | None, radius: int = ..., border: Colour | None = None, width: int = ...
    ) -> None:
        """Draw a box with corners of `radius`, by default 0, and inside of it a border of `width` pixels, by default 1,
        None for none. Without `fill` there is only the border."""

    def text(
        self, string: str, rect: pygame.Rect, size: int, colour: Colour | None = None, bold: bool = ...,
        align: Align = "left",
    ) -> None:  # fmt: skip
        """Write one line, vertically centred in `rect`, and shortened to its width; by default in the colour of usual
        text."""

    def hatch(
        self, rect: pygame.Rect, colour: Colour, ground: Colour, gap: int, parts: Sequence[pygame.Rect] | None = None
    ) -> None:
        """Fill `rect` with `ground` and slanted lines of `colour`, `gap` pixels apart; or only `parts` of it, in which
        the lines are where they would be in `rect`."""

    def mosaic(self, rect: pygame.Rect, cells: Cells) -> None:
        """Fill `rect` with a grid of cells of equal size; `cells` are their colours."""

    def smooth(self, area: pygame.Rect) -> AbstractContextManager[Curves]:
        """Return a context whose curves have smooth edges in `area`. It takes milliseconds: keep the picture."""


class SurfaceCanvas:
    """A `Canvas` that draws on a pygame surface."""

    def __init__(self, surface: pygame.Surface, theme: Theme) -> None:
        self._surface, self.theme = surface, theme

    def line(self, points: Sequence[Place], colour: Colour, width: float = 1, dashes: Dashes | None = None) -> None:
        """As `Canvas.line`; smooth, but for a line at most one pixel wide along a row or column."""
        for start, end in _drawn_pieces(points, dashes):
            if width <= 1 and (start[0] == end[0] or start[1] == end[1]):
                pygame.draw.line(self._surface, colour, start, end)
            else:
                pygame.draw.aaline(self._surface, colour, start, end, max(1, round(width)))

    def circle(self, centre: Place, radius: float, fill: Colour) -> None:
        """As `Canvas.circle`, with a smooth edge; the centre is rounded to whole pixels."""
        pygame.draw.aacircle(self._surface, fill, (round(centre[0]), round(centre[1])), radius)

    def polygon(self, points: Sequence[Place], fill: Colour) -> None:
        """As `Canvas.polygon`, with a smooth edge."""
        pygame.draw.polygon(self._surface, fill, points)
        pygame.draw.aalines(self._surface, fill, True, points)

    def box(
        self, rect: pygame.Rect, fill: Colour | None, radius: int = 0, border: Colour | None = None, width: int = 1
    ) -> None:
        """As `Canvas.box`; corners of a box with `fill` are smooth."""
        if fill is not None and border is None and not radius:
            self._surface.fill(fill, rect)
        elif fill is not None:
            rounded(self._surface, rect, fill, radius, border, width)
        elif border is not None:
            pygame.draw.rect(self._surface, border, rect, width, radius)

    def text(
        self, string: str, rect: pygame.Rect, size: int, colour: Colour | None = None, bold: bool = False,
        align: Align = "left",
    ) -> None:  # fmt: skip
        """As `Canvas.text`; `size` is in design pixels of the theme."""
        write(self._surface, self.theme, string, rect, size, colour, bold, align)

    def hatch(
        self, rect: pygame.Rect, colour: Colour, ground: Colour, gap: int, parts: Sequence[pygame.Rect] | None = None
    ) -> None:
        """As `Canvas.hatch`, by copying from a cached picture of the size of `rect`."""
        picture = _hatching(rect.size, colour, ground, gap)
        for part in (rect,) if parts is None else parts:
            self._surface.blit(picture, part, part.move(-rect.left, -rect.top))

    def mosaic(self, rect: pygame.Rect, cells: Cells) -> None:
        """As `Canvas.mosaic`, by scaling one picture with a pixel for each cell."""
        self._surface.blit(pygame.transform.scale(pygame.surfarray.make_surface(cells), rect.size), rect)

    @contextmanager
    def smooth(self, area: pygame.Rect) -> Iterator[Curves]:
        """As `Canvas.smooth`: draw on an enlarged copy of the part of `area` that is not clipped, and scale it back
        down."""
        seen = area.clip(self._surface.get_clip())
        fine = pygame.transform.scale_by(self._surface.subsurface(seen), _FINER)
        yield _FineCurves(fine, seen.topleft)
        self._surface.blit(pygame.transform.smoothscale(fine, seen.size), seen)


class _FineCurves:
    """Draws on a copy of a part of a surface, `_FINER` times as large; `origin` is the corner of that part."""

    def __init__(self, surface: pygame.Surface, origin: tuple[int, int]) -> None:
        self._surface, (left, top) = surface, origin
        self._origin = left * _FINER - _FINER // 2, top * _FINER - _FINER // 2

    def _enlarged(self, point: Place) -> Place:
        """Convert a point to pixels of the enlarged copy."""
        left, top = self._origin
        return round(point[0] * _FINER) - left, round(point[1] * _FINER) - top

    def line(self, points: Sequence[Place], colour: Colour, width: float = 1, dashes: Dashes | None = None) -> None:
        """Draw a line; without dashes, it has round ends and corners."""
        thick = width * _FINER
        for ends in _drawn_pieces(points, dashes):
            start, end = (pygame.Vector2(self._enlarged(point)) for point in ends)
            across = end - start
            if across.length():
                side = across.normalize().rotate(90) * thick / 2
                corners = (start + side, end + side, end - side, start - side)
                pygame.draw.polygon(self._surface, colour, [(round(x), round(y)) for x, y in corners])
        for point in points if dashes is None else ():
            pygame.draw.circle(self._surface, colour, self._enlarged(point), thick / 2)

    def circle(self, centre: Place, radius: float, fill: Colour) -> None:
        """Draw a filled circle; its edge gets smooth when the copy is scaled down."""
        pygame.draw.circle(self._surface, fill, self._enlarged(centre), radius * _FINER)

    def polygon(self, points: Sequence[Place], fill: Colour) -> None:
        """Draw a filled polygon; its edge gets smooth when the copy is scaled down."""
        pygame.draw.polygon(self._surface, fill, [self._enlarged(point) for point in points])


def painted(rect: pygame.Rect, theme: Theme, draw: Callable[[Canvas], object]) -> pygame.Surface:
    """Call `draw` with a canvas in coordinates of the window, and return the picture of `rect` that it draws, on the
    background colour."""
    picture = pygame.Surface(rect.bottomright)
    picture.fill(theme.palette.background)
    draw(SurfaceCanvas(picture, theme))
    return picture.subsurface(rect)


@lru_cache(maxsize=16)
def _hatching(size: tuple[int, int], colour: Colour, ground: Colour, gap: int) -> pygame.Surface:
    """Return a cached picture of slanted lines on `ground`."""
    surface = pygame.Surface(size)
    surface.fill(ground)
    hatch(surface, surface.get_rect(), colour, gap)
    return surface


def _drawn_pieces(points: Sequence[Place], dashes: Dashes | None) -> Iterator[tuple[Place, Place]]:
    """Yield both ends of each piece of a line that is drawn. A dash begins at each of `points`."""
    for start, end in pairwise(points):
        if dashes is None:
            yield start, end
            continue
        begin, way, at = pygame.Vector2(start), pygame.Vector2(end) - pygame.Vector2(start), 0.0
        while at < way.length():
            first, last = (begin + way * min(1.0, place / way.length()) for place in (at, at + dashes[0]))
            yield (first.x, first.y), (last.x, last.y)
            at += sum(dashes)


class SvgCanvas:
    """A `Canvas` that writes SVG. `size` is its width and height in units."""

    def __init__(self, size: tuple[int, int], theme: Theme) -> None:
        self._size, self.theme = size, theme
        self._parts: list[str] = []
        self._patterns: set[str] = set()

    def svg(self) -> str:
        """Return what has been drawn as an ``<svg>`` element."""
        return Sheet(*self._size, tuple(self._parts)).svg()

    def sheet(self, sheet: Sheet, rect: pygame.Rect) -> None:
        """Draw another drawing in the middle of `rect`, as large as it fits in there."""
        scale = min(rect.width / sheet.width, rect.height / sheet.height)
        left, top = rect.centerx - sheet.width * scale / 2, rect.centery - sheet.height * scale / 2
        place = f"translate({left:.1f} {top:.1f}) scale({scale:.4f})"
        self._parts.append(f'<g transform="{place}" text-anchor="middle">{"".join(sheet.parts)}</g>')

    def _add(self, name: str, content: str = "", /, **attributes: object) -> None:
        """Add an SVG element with the tag `name`."""
        self._parts.append(tag(name, content, **attributes))

    def line(self, points: Sequence[Place], colour: Colour, width: float = 1, dashes: Dashes | None = None) -> None:
        """As `Canvas.line`; corners are round without dashes."""
        how = {"stroke_dasharray": f"{dashes[0]:g} {dashes[1]:g}"} if dashes else {"stroke_linejoin": "round"}
        self._add("path", d=_line_path(points), stroke=css(colour), stroke_width=f"{width:g}", fill="none", **how)

    def circle(self, centre: Place, radius: float, fill: Colour) -> None:
        """As `Canvas.circle`, around the middle of the pixel `centre`."""
        self._add("circle", cx=_coord(centre[0] + 0.5), cy=_coord(centre[1] + 0.5), r=_coord(radius), fill=css(fill))

    def polygon(self, points: Sequence[Place], fill: Colour) -> None:
        """As `Canvas.polygon`, as one closed path."""
        self._add("path", d=f"{_line_path(points)}Z", fill=css(fill))

    def box(
        self, rect: pygame.Rect, fill: Colour | None, radius: int = 0, border: Colour | None = None, width: int = 1
    ) -> None:
        """As `Canvas.box`; a rectangle half a border smaller, as SVG draws a border on both sides of the edge."""
        edge, stroke = (0.0, {}) if border is None else (width / 2, {"stroke": css(border), "stroke_width": width})
        place = {"x": _coord(rect.x + edge), "y": _coord(rect.y + edge),
                 "width": _coord(rect.width - 2 * edge), "height": _coord(rect.height - 2 * edge)}  # fmt: skip
        corner = {"rx": _coord(radius - edge)} if radius else {}
        self._add("rect", **place, **corner, fill="none" if fill is None else css(fill), **stroke)

    def text(
        self, string: str, rect: pygame.Rect, size: int, colour: Colour | None = None, bold: bool = False,
        align: Align = "left",
    ) -> None:  # fmt: skip
        """As `Canvas.text`, in a text element; nothing for an empty `string`. The width is that in the theme's font."""
        if not string:
            return
        ends = {"left": (rect.left, "start"), "centre": (rect.centerx, "middle"), "right": (rect.right, "end")}
        (x, anchor), high, weight = ends[align], self.theme.px(size), {"font_weight": "bold"} if bold else {}
        how = {"font_size": high, "text_anchor": anchor, "fill": css(colour or self.theme.palette.text)}
        shown = fitted(self.theme, string, rect.width, size, bold)
        self._add("text", shown, x=x, y=_coord(rect.centery + 0.36 * high), **how, **weight)

    def hatch(
        self, rect: pygame.Rect, colour: Colour, ground: Colour, gap: int, parts: Sequence[pygame.Rect] | None = None
    ) -> None:
        """As `Canvas.hatch`, by a fill pattern, which is defined once for the same colours and `gap`."""
        name = f"hatch-{css(colour)[1:]}-{css(ground)[1:]}-{gap}"
        if name not in self._patterns:
            self._patterns.add(name)
            line = tag("path", d=f"M-1 {gap + 1}L{gap + 1} -1M-1 1L1 -1M{gap - 1} {gap + 1}L{gap + 1} {gap - 1}",
                       stroke=css(colour))  # fmt: skip
            inside = tag("rect", width=gap, height=gap, fill=css(ground)) + line
            size = f'width="{gap}" height="{gap}" patternUnits="userSpaceOnUse"'
            self._parts.append(f'<pattern id="{name}" {size}>{inside}</pattern>')
        boxes = [rect] if parts is None else parts
        self._add("path", d="".join(_rect_path(*each) for each in boxes), fill=f"url(#{name})")

    def mosaic(self, rect: pygame.Rect, cells: Cells) -> None:
        """Fill `rect` with a grid of cells, by one path for all cells of a colour."""
        wide, high, paths = rect.width / cells.shape[0], rect.height / cells.shape[1], dict[str, str]()
        for row in range(cells.shape[1]):
            line, top = cells[:, row], rect.top + row * high
            starts = [0, *(1 + np.flatnonzero((line[1:] != line[:-1]).any(axis=1))).tolist(), len(line)]
            for start, end in pairwise(starts):
                box = _rect_path(rect.left + start * wide, top, (end - start) * wide, high)
                key = "#" + bytes(line[start]).hex()
                paths[key] = paths.get(key, "") + box
        for colour, path in paths.items():
            self._add("path", d=path, fill=colour, shape_rendering="crispEdges")

    def smooth(self, area: pygame.Rect) -> AbstractContextManager[Curves]:
        """As `Canvas.smooth`; return this canvas itself, as SVG is smooth anyway. `area` is unused."""
        return nullcontext(self)


def page_theme() -> Theme:
    """Return the theme of what is drawn for web pages and print; it needs no window."""
    pygame.font.init()
    return Theme(PALETTES["paper"], 1.0, language())


def _coord(number: float) -> str:
    """Format a coordinate with at most one decimal."""
    return f"{round(number, 1):g}"


def _line_path(points: Sequence[Place]) -> str:
    """Return SVG path data of a line through points."""
    return "M" + "L".join(f"{_coord(x + 0.5)} {_coord(y + 0.5)}" for x, y in points)


def _rect_path(left: float, top: float, wide: float, high: float) -> str:
    """Return SVG path data of a rectangle."""
    return f"M{_coord(left)} {_coord(top)}h{_coord(wide)}v{_coord(high)}h{_coord(-wide)}z"


Mark = tuple[float, str]
"""Where a line of a scale is, in pixels, and its text."""

_LABEL = 60  # design pixels


def draw_tip(surface: pygame.Surface, theme: Theme, text: str, place: Place, within: pygame.Rect) -> None:
    """Draw a box with `text` above `place`, but moved so that it is inside of `within`."""
    image = theme.text(text, 14, theme.palette.text)
    box = image.get_rect().inflate(theme.px(16), theme.px(10))
    box.midbottom = round(place[0]), round(place[1]) - theme.px(10)
    box.clamp_ip(within.inflate(-theme.px(8), -theme.px(8)))
    rounded(surface, box, theme.palette.raised, theme.px(6), theme.palette.line)
    surface.blit(image, image.get_rect(center=box.center))


def draw_grid(
    canvas: Canvas, room: pygame.Rect, up: Iterable[Mark], across: Iterable[Mark] = (), right: int = sys.maxsize
) -> None:
    """Draw the scales of a chart. For each mark of `up`, draw a horizontal line in `room`, with its text at the left;
    for each of `across`, a vertical line, with its text below, which ends at the pixel `right` at the latest."""
    theme, px = canvas.theme, canvas.theme.px
    faint, quiet = mix(theme.palette.panel, theme.palette.line, 0.8), theme.palette.quiet
    for place, text in up:
        y = round(place)
        canvas.line(((room.left, y), (room.right - 1, y)), faint)
        label = pygame.Rect(room.left - px(8) - px(_LABEL), y - px(10), px(_LABEL), px(20))
        canvas.text(text, label, 14, quiet, align="right")
    for place, text in across:
        x = round(place)
        canvas.line(((x, room.top), (x, room.bottom - 1)), faint)
        wide = width_of(theme, text, 14)
        label = pygame.Rect(min(x - wide // 2, right - wide), room.bottom + px(2), wide, px(18))
        canvas.text(text, label, 14, quiet)


def legend(space: Space, theme: Theme, names: Sequence[str], high: int, mark: int) -> list[pygame.Rect]:
    """Cut rows of `high` pixels from the top of `space`, as many as `names` need. Return the place of each name,
    together with that of a mark of `mark` pixels before it."""
    row, places = Space(space.top(high)), []
    for name in names:
        wide = mark + width_of(theme, name, 14)
        if wide > row.rest.width:
            row = Space(space.top(high))
        places.append(row.left(wide))
    return places
