"""How a game is drawn in SVG: elements, the `Sheet` made of them, and the `Style` of a game's board and pieces.

`games.formats.svg` puts the picture together. Coordinates are in units: a cell is `CELL` units wide.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from html import escape  # `xml.sax.saxutils` imports urllib.request, http, email and ssl
from string import ascii_lowercase

from games.coords import star_points
from games.position import FIRST

_NOT_XML = "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
"""Characters that XML cannot contain, not even escaped. Compiled when first needed, since that takes 10 ms."""


def tag(name: str, content: str = "", /, **attributes: object) -> str:
    """Return an SVG element with `content` as its text, which is escaped. The attribute ``stroke_width`` is written as
    ``stroke-width``."""
    written = "".join(f' {key.replace("_", "-")}="{escape(str(value))}"' for key, value in attributes.items())
    if not content:
        return f"<{name}{written}/>"
    return f"<{name}{written}>{escape(re.sub(_NOT_XML, '', content), quote=False)}</{name}>"


def label(x: float, y: float, words: str, size: float, fill: str) -> str:
    """Return an SVG text element with `words` centred at (x, y), `size` units high, in the colour `fill`."""
    return tag("text", words, x=x, y=f"{y + 0.36 * size:g}", font_size=f"{size:g}", fill=fill, stroke="none")


@dataclass(frozen=True, slots=True)
class Sheet:
    """A drawing: its size in units, and its elements from back to front."""

    width: int
    height: int
    parts: tuple[str, ...]

    def svg(self, wide: int | None = None) -> str:
        """Return the drawing as an ``<svg>`` element, `wide` pixels wide; by default one pixel a unit."""
        wide = wide or self.width
        high = round(wide * self.height / self.width)
        head = f'viewBox="0 0 {self.width} {self.height}" width="{wide}" height="{high}" font-family="sans-serif"'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {head} text-anchor="middle">{"".join(self.parts)}</svg>'


CELL = 32
"""The unit of all coordinates."""

MARGIN = 40
INK, WOOD, RED = "#54341a", "#e9c98f", "#c8321e"
STONES = ("#1b1b1d", "#fbfaf6")

_RACK, _HOLE, _DISCS = "#2f5aa8", "#d9d4cc", ("#d2443c", "#f4c63c")


@dataclass(frozen=True, slots=True)
class Grid:
    """The geometry of `columns` × `rows` cells, whose rows have `names` from the top; `at` is the centre of one."""

    columns: int
    rows: int
    names: tuple[str, ...]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the drawing, margins included."""
        return 2 * MARGIN + (self.columns - 1) * CELL, 2 * MARGIN + (self.rows - 1) * CELL

    def at(self, cell: int) -> tuple[int, int]:
        """Return the centre (x, y) of a cell."""
        row, column = divmod(cell, self.columns)
        return MARGIN + column * CELL, MARGIN + row * CELL

    def ground(self, fill: str = WOOD, radius: int = 6) -> str:
        """Return the board's background as a rectangle with rounded corners."""
        return tag("rect", width=self.size[0], height=self.size[1], rx=radius, fill=fill)

    def column_letters(self, fill: str = INK) -> Iterator[str]:
        """Yield an SVG label with its letter for each column, below the board."""
        for column in range(self.columns):
            yield label(self.at(column)[0], self.size[1] - 12, ascii_lowercase[column], 12, fill)

    def row_numbers(self) -> Iterator[str]:
        """Yield an SVG label with its name for each row, left of the board."""
        for row, name in enumerate(self.names):
            yield label(12, MARGIN + row * CELL, name, 12, INK)


@dataclass(frozen=True, slots=True)
class Style:
    """How a board of cells is drawn: the elements of an empty board, and a piece of a side at (x, y).

    `last` is the colour of the dot on the last move, `ink` those of the numbers of moves, by side, and `number` where
    these are, relative to the middle of a piece, and how large.
    """

    ground: Callable[[Grid], Iterable[str]]
    piece: Callable[[int, int, int], str]
    last: str = RED
    ink: tuple[str, str] = (STONES[1], STONES[0])
    number: tuple[int, int, int] = (0, 0, 14)


def _ground_of_points(grid: Grid) -> Iterator[str]:
    """Yield the SVG of an empty board of lines with coordinates, and with star points if it is square."""
    yield from (grid.ground(), *grid.column_letters(), *grid.row_numbers())
    (left, top), (right, bottom) = grid.at(0), grid.at(grid.columns * grid.rows - 1)
    yield from _lines((top + row * CELL for row in range(grid.rows)), f"M{left} {{0}}H{right}")
    yield from _lines((left + column * CELL for column in range(grid.columns)), f"M{{0}} {top}V{bottom}")
    for column, row in star_points(grid.columns) if grid.columns == grid.rows else ():
        yield tag("circle", cx=left + column * CELL, cy=top + row * CELL, r=3, fill=INK)


def _ground_of_cells(grid: Grid) -> Iterator[str]:
    """Yield the SVG of an empty board of cells between lines, with coordinates, without an outer frame."""
    yield from (grid.ground(), *grid.column_letters(), *grid.row_numbers())
    begin = MARGIN - CELL // 2
    right, bottom = begin + grid.columns * CELL, begin + grid.rows * CELL
    yield from _lines((begin + row * CELL for row in range(1, grid.rows)), f"M{begin} {{0}}H{right}")
    yield from _lines((begin + column * CELL for column in range(1, grid.columns)), f"M{{0}} {begin}V{bottom}")


def _ground_of_framed_cells(grid: Grid) -> Iterator[str]:
    """Yield the SVG of `_ground_of_cells` with a frame around all cells."""
    yield from _ground_of_cells(grid)
    begin, width, height = MARGIN - CELL // 2, grid.columns * CELL, grid.rows * CELL
    yield tag("rect", x=begin, y=begin, width=width, height=height, stroke=INK, fill="none")


def _lines(places: Iterable[int], path: str) -> Iterator[str]:
    """Return the SVG of parallel grid lines: for each coordinate in `places`, the path data `path` with ``{0}``
    replaced by it."""
    return (tag("path", d=path.format(place), stroke=INK, fill="none") for place in places)


def _ground_of_rack(grid: Grid) -> Iterator[str]:
    """Yield the SVG of the empty rack of Connect Four, with its holes and the letters of its columns."""
    yield grid.ground(_RACK, radius=12)
    for x, y in map(grid.at, range(grid.columns * grid.rows)):
        yield tag("circle", cx=x, cy=y, r=14, fill=_HOLE)
    yield from grid.column_letters(_HOLE)


def _stone(x: int, y: int, side: int) -> str:
    """Return the SVG of a stone of `side`."""
    return tag("circle", cx=x, cy=y, r=14.5, fill=STONES[side], stroke=INK)


def _sign(x: int, y: int, side: int) -> str:
    """Return the SVG of a side's sign at tic-tac-toe: a cross for the first side, a nought for the second."""
    how: dict[str, object] = {"fill": "none", "stroke": INK, "stroke_width": 4, "stroke_linecap": "round"}
    if side == FIRST:
        return tag("path", d=f"M{x - 8} {y - 8}L{x + 8} {y + 8}M{x + 8} {y - 8}L{x - 8} {y + 8}", **how)
    return tag("circle", cx=x, cy=y, r=9, **how)


def _disc(x: int, y: int, side: int) -> str:
    """Return the SVG of a disc of `side`."""
    return tag("circle", cx=x, cy=y, r=14, fill=_DISCS[side], stroke=INK)


STONES_IN_CELLS = Style(_ground_of_framed_cells, _stone)
STONES_ON_POINTS = Style(_ground_of_points, _stone)
NOUGHTS = Style(_ground_of_cells, _sign, ink=(INK, INK), number=(12, -12, 8))
DISCS = Style(_ground_of_rack, _disc, last=STONES[1])
