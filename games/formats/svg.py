"""The board at the cursor as an SVG picture, for pages and print. Written only: a picture is not a game.

`dumps` draws a record as it stands; `diagram` draws any position with the marks that the caller chooses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from xml.sax.saxutils import escape, quoteattr

from games.connect4 import HEIGHT as CONNECT4_HEIGHT
from games.connect4 import WIDTH as CONNECT4_WIDTH
from games.connect4 import Connect4Position
from games.coords import star_points
from games.formats.common import FormatError
from games.line import LinePosition
from games.position import FIRST, Position
from games.record import GameRecord, Mark, Node, steps
from games.registry import Setup

_CELL = 32  # the unit of all coordinates
_MARGIN = 40
_INK, _WOOD, _RED = "#54341a", "#e9c98f", "#c8321e"
_STONES = ("#1b1b1d", "#fbfaf6")
_RACK, _HOLE, _DISCS = "#2f5aa8", "#d9d4cc", ("#d2443c", "#f4c63c")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot contain, not even escaped."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a diagram shows besides the stones.

    `numbers` are written on the moves that have been played, by cell; `last` is the move to mark, `wrong` one that is
    drawn as if played, but struck out. `ghosts` are moves still to come, each with its side: translucent and numbered.
    """

    numbers: dict[int, int] | None = None
    last: int | None = None
    wrong: int | None = None
    ghosts: Sequence[tuple[int, int]] = ()
    marks: tuple[Mark, ...] = ()


def dumps(
    record: GameRecord, node: Node | None = None, numbers: bool = False, wide: int | None = None
) -> bytes:
    """The position of `node`, or else at the cursor, with the last move or, with `numbers`, the number of each; and the
    marks of the node. The picture is `wide` pixels wide.

    Raise `FormatError` for a game of which there are no pictures.
    """
    here = node or record.cursor
    way = [(parent.position, each.move) for parent, each in steps(here) if each.move is not None]
    counted = {_cell(*step): number for number, step in enumerate(way, 1)} if numbers else None
    shown = Shown(counted, here.move, marks=here.marks)
    return f"{diagram(record.setup, here.position, shown, wide)}\n".encode()


def _cell(before: Position, move: int) -> int:
    """The cell that `move` fills, which is the move itself unless pieces fall."""
    cell = before.landing(move) if isinstance(before, Connect4Position) else move
    return move if cell is None else cell


def diagram(setup: Setup, position: Position, shown: Shown | None = None, wide: int | None = None) -> str:
    """An ``<svg>`` element of `position`. Raise `FormatError` for a game of which there are no pictures."""
    drawer = _DRAWERS.get(setup.game)
    if drawer is None:
        raise FormatError(f"There are no pictures of {setup.game}.", "unwritable")
    width, height, parts = drawer(setup, position, shown or Shown())
    view, high = f"0 0 {width} {height}", height if wide is None else round(wide * height / width)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" width="{wide or width}" height="{high}"'
    return f'{head} font-family="sans-serif" text-anchor="middle">{"".join(parts)}</svg>'


def _tag(name: str, content: str = "", /, **attributes: object) -> str:
    written = "".join(f" {key.replace('_', '-')}={quoteattr(str(value))}" for key, value in attributes.items())
    return f"<{name}{written}>{escape(_NOT_XML.sub('', content))}</{name}>" if content else f"<{name}{written}/>"


def _label(x: float, y: float, words: str, size: float, fill: str) -> str:
    return _tag("text", words, x=x, y=f"{y + 0.36 * size:g}", font_size=f"{size:g}", fill=fill, stroke="none")


# Boards of cells.


@dataclass(frozen=True, slots=True)
class _Grid:
    """Where the middles of the `columns` × `rows` cells are."""

    columns: int
    rows: int

    @property
    def size(self) -> tuple[int, int]:
        return 2 * _MARGIN + (self.columns - 1) * _CELL, 2 * _MARGIN + (self.rows - 1) * _CELL

    def at(self, cell: int) -> tuple[int, int]:
        row, column = divmod(cell, self.columns)
        return _MARGIN + column * _CELL, _MARGIN + row * _CELL

    def coordinates(self) -> Iterator[str]:
        for index in range(self.rows):
            middle = _MARGIN + index * _CELL
            yield _label(middle, self.size[1] - 12, _LETTERS[index], 12, _INK)
            yield _label(12, middle, str(self.rows - index), 12, _INK)


def _gomoku(_setup: Setup, position: Position, shown: Shown) -> tuple[int, int, list[str]]:
    line = _line(position)
    grid, count = _Grid(line.rules.width, line.rules.width), line.rules.width
    first, last = _MARGIN, _MARGIN + (count - 1) * _CELL
    parts = [_tag("rect", width=grid.size[0], height=grid.size[1], rx=6, fill=_WOOD), *grid.coordinates()]
    for index in range(count):
        along = _MARGIN + index * _CELL
        parts.append(_tag("path", d=f"M{first} {along}H{last}M{along} {first}V{last}", stroke=_INK, fill="none"))
    for column, row in star_points(count):
        parts.append(_tag("circle", cx=first + column * _CELL, cy=first + row * _CELL, r=3, fill=_INK))
    return *grid.size, parts + list(_pieces(grid, line.cells, position.turn, shown, _stone))


def _stone(x: int, y: int, side: int) -> str:
    return _tag("circle", cx=x, cy=y, r=14.5, fill=_STONES[side], stroke=_INK)


def _tictactoe(_setup: Setup, position: Position, shown: Shown) -> tuple[int, int, list[str]]:
    line = _line(position)
    grid, count = _Grid(line.rules.width, line.rules.width), line.rules.width
    first, last = _MARGIN - _CELL // 2, _MARGIN + count * _CELL - _CELL // 2
    parts = [_tag("rect", width=grid.size[0], height=grid.size[1], rx=6, fill=_WOOD), *grid.coordinates()]
    for index in range(1, count):
        along = first + index * _CELL
        parts.append(_tag("path", d=f"M{first} {along}H{last}M{along} {first}V{last}", stroke=_INK, fill="none"))
    return *grid.size, parts + list(_pieces(grid, line.cells, position.turn, shown, _nought))


def _nought(x: int, y: int, side: int) -> str:
    how: dict[str, object] = {"fill": "none", "stroke": _INK, "stroke_width": 4, "stroke_linecap": "round"}
    if side == FIRST:
        return _tag("path", d=f"M{x - 8} {y - 8}L{x + 8} {y + 8}M{x + 8} {y - 8}L{x - 8} {y + 8}", **how)
    return _tag("circle", cx=x, cy=y, r=9, **how)


def _line(position: Position) -> LinePosition:
    if not isinstance(position, LinePosition):
        raise FormatError("There are no pictures of this game.", "unwritable")
    return position


Piece = Callable[[int, int, int], str]
"""Draws a piece of a side: (x, y, side)."""


def _pieces(grid: _Grid, cells: bytes, turn: int, shown: Shown, piece: Piece) -> Iterator[str]:
    """The pieces with their numbers, the last move, marks, and the moves to come, all of which are cells here."""
    for cell, content in enumerate(cells):
        if content:
            yield piece(*grid.at(cell), content - 1)
            number = (shown.numbers or {}).get(cell)
            if number is not None:
                yield _label(*grid.at(cell), str(number), 13, _STONES[2 - content])
    if shown.numbers is None and shown.last is not None:
        x, y = grid.at(shown.last)
        yield _tag("circle", cx=x, cy=y, r=4.5, fill=_RED if piece is not _disc else _STONES[1])
    if shown.wrong is not None:
        x, y = grid.at(shown.wrong)
        yield piece(x, y, turn)
        struck = _RED if piece is not _disc else _STONES[0]
        yield _tag("path", d=f"M{x - 7} {y - 7}l14 14m0-14l-14 14", stroke=struck, stroke_width=3, fill="none")
    for number, (cell, side) in enumerate(shown.ghosts, 1):
        x, y = grid.at(cell)
        yield f'<g opacity="0.62">{piece(x, y, side)}</g>'
        yield _label(x, y, str(number), 14, _RED if piece is _nought else _STONES[1 - side])
    for mark in shown.marks:
        yield from _mark(grid, mark)


def _mark(grid: _Grid, mark: Mark) -> Iterator[str]:
    x, y = grid.at(mark.move)
    how: dict[str, object] = {"fill": "none", "stroke": _RED, "stroke_width": 2}
    if mark.kind == "label":
        yield _tag("circle", cx=x, cy=y, r=9, fill=_WOOD)
        yield _label(x, y, mark.text, 14, _RED)
    elif mark.kind == "circle":
        yield _tag("circle", cx=x, cy=y, r=8, **how)
    elif mark.kind in ("square", "selected"):
        yield _tag("rect", x=x - 7, y=y - 7, width=14, height=14, **how)
    elif mark.kind == "triangle":
        yield _tag("path", d=f"M{x} {y - 9}L{x + 8} {y + 6}H{x - 8}Z", **how)
    else:
        yield _tag("path", d=f"M{x - 6} {y - 6}l12 12m0-12l-12 12", **how)


# The rack.


def _connect4(_setup: Setup, position: Position, shown: Shown) -> tuple[int, int, list[str]]:
    if not isinstance(position, Connect4Position):
        raise FormatError("There are no pictures of this game.", "unwritable")
    grid = _Grid(CONNECT4_WIDTH, CONNECT4_HEIGHT)
    width, height = grid.size
    parts = [_tag("rect", width=width, height=height, rx=12, fill=_RACK)]
    middles = map(grid.at, range(CONNECT4_WIDTH * CONNECT4_HEIGHT))
    parts += [_tag("circle", cx=x, cy=y, r=14, fill=_HOLE) for x, y in middles]
    parts += [_label(grid.at(column)[0], height - 12, _LETTERS[column], 12, _HOLE) for column in range(CONNECT4_WIDTH)]
    cells = _with_cells(position, shown)
    return width, height, parts + list(_pieces(grid, position.cells, position.turn, cells, _disc))


def _disc(x: int, y: int, side: int) -> str:
    return _tag("circle", cx=x, cy=y, r=14, fill=_DISCS[side], stroke=_INK)


def _with_cells(position: Connect4Position, shown: Shown) -> Shown:
    """`shown` with the cells into which the discs fall in place of their columns."""
    last, wrong = shown.last, shown.wrong
    if last is not None:
        free = position.landing(last)
        last = last if free is None else free + CONNECT4_WIDTH
    ghosts, after = [], position
    for column, side in shown.ghosts:
        if (cell := after.landing(column)) is None or after.outcome is not None:
            break
        ghosts.append((cell, side))
        after = after.play(column)
    marks = tuple(replace(mark, move=_cell(position, mark.move)) for mark in shown.marks)
    wrong = None if wrong is None else position.landing(wrong)
    return replace(shown, last=last, wrong=wrong, ghosts=ghosts, marks=marks)


# The heap.

_COLUMNS = 12


def _bones(setup: Setup, position: Position, shown: Shown) -> tuple[int, int, list[str]]:
    """The bones that are left, the others as outlines; those that the better move takes are marked."""
    left = getattr(position, "left", 0)
    rows = -(-setup.size // _COLUMNS)
    width, height = 2 * _MARGIN + _COLUMNS * _CELL, 2 * _MARGIN + rows * 2 * _CELL
    parts = [_tag("rect", width=width, height=height, rx=6, fill=_WOOD), _label(width / 2, 20, str(left), 20, _INK)]
    better = shown.ghosts[0][0] if shown.ghosts else 0
    for index in range(setup.size):
        row, column = divmod(index, _COLUMNS)
        fill = "none" if index >= left else _RED if index >= left - better else "#f6efe0"
        x, y = _MARGIN + column * _CELL + 9, _MARGIN + row * 2 * _CELL + 8
        parts.append(_tag("rect", x=x, y=y, width=14, height=48, rx=7, fill=fill, stroke=_INK))
    return width, height, parts


_DRAWERS: dict[str, Callable[[Setup, Position, Shown], tuple[int, int, list[str]]]] = {
    "gomoku": _gomoku,
    "tictactoe": _tictactoe,
    "bones": _bones,
    "connect4": _connect4,
}
