"""The board at the cursor as an SVG picture, for pages and print. Written only: a picture is not a game.

`dumps` draws a record as it stands; `diagram` draws any position with the marks that the caller chooses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from games.formats.common import FormatError
from games.line import LinePosition
from games.position import FIRST, Position
from games.record import GameRecord, Mark, path
from games.registry import Setup

_CELL = 32  # the unit of all coordinates
_MARGIN = 40
_INK, _WOOD, _RED = "#54341a", "#e9c98f", "#c8321e"
_STONES = ("#1b1b1d", "#fbfaf6")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


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


def dumps(record: GameRecord, numbers: bool = False) -> bytes:
    """The position at the cursor with the last move or, with `numbers`, the number of each; and the marks of the node.

    Raises `FormatError` for a game of which there are no pictures.
    """
    way = path(record.cursor)[1:]
    counted = {node.move: number for number, node in enumerate(way, 1) if node.move is not None} if numbers else None
    shown = Shown(counted, record.cursor.move, marks=record.cursor.marks)
    return f"{diagram(record.setup, record.position, shown)}\n".encode()


def diagram(setup: Setup, position: Position, shown: Shown | None = None) -> str:
    """An ``<svg>`` element of `position`. Raises `FormatError` for a game of which there are no pictures."""
    drawer = _DRAWERS.get(setup.game)
    if drawer is None:
        raise FormatError(f"There are no pictures of {setup.game}.", "unwritable")
    width, height, parts = drawer(setup, position, shown or Shown())
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    return f'{head} font-family="sans-serif" text-anchor="middle">{"".join(parts)}</svg>'


def _tag(name: str, content: str = "", /, **attributes: object) -> str:
    written = "".join(f" {key.replace('_', '-')}={quoteattr(str(value))}" for key, value in attributes.items())
    return f"<{name}{written}>{escape(content)}</{name}>" if content else f"<{name}{written}/>"


def _label(x: float, y: float, words: str, size: float, fill: str) -> str:
    return _tag("text", words, x=x, y=f"{y + 0.36 * size:g}", font_size=f"{size:g}", fill=fill, stroke="none")


# Boards of cells.


@dataclass(frozen=True, slots=True)
class _Grid:
    """Where the middles of the cells are."""

    position: LinePosition

    @property
    def side(self) -> int:
        return 2 * _MARGIN + (self.position.rules.width - 1) * _CELL

    def at(self, cell: int) -> tuple[int, int]:
        row, column = divmod(cell, self.position.rules.width)
        return _MARGIN + column * _CELL, _MARGIN + row * _CELL

    def coordinates(self) -> Iterator[str]:
        count = self.position.rules.width
        for index in range(count):
            middle = _MARGIN + index * _CELL
            yield _label(middle, self.side - 12, _LETTERS[index], 12, _INK)
            yield _label(12, middle, str(count - index), 12, _INK)


def _gomoku(_setup: Setup, position: Position, shown: Shown) -> tuple[int, int, list[str]]:
    grid, count = _grid(position), _grid(position).position.rules.width
    first, last = _MARGIN, _MARGIN + (count - 1) * _CELL
    parts = [_tag("rect", width=grid.side, height=grid.side, rx=6, fill=_WOOD), *grid.coordinates()]
    for index in range(count):
        along = _MARGIN + index * _CELL
        parts.append(_tag("path", d=f"M{first} {along}H{last}M{along} {first}V{last}", stroke=_INK, fill="none"))
    for column, row in _stars(count):
        parts.append(_tag("circle", cx=first + column * _CELL, cy=first + row * _CELL, r=3, fill=_INK))
    return grid.side, grid.side, parts + list(_pieces(grid, shown, _stone))


def _stars(count: int) -> list[tuple[int, int]]:
    edge, middle = 3 if count >= 12 else 2, count // 2
    corners = [(x, y) for x in (edge, count - 1 - edge) for y in (edge, count - 1 - edge)] if count >= 8 else []
    return corners + ([(middle, middle)] if count % 2 else [])


def _stone(x: int, y: int, side: int) -> str:
    return _tag("circle", cx=x, cy=y, r=14.5, fill=_STONES[side], stroke=_INK)


def _tictactoe(_setup: Setup, position: Position, shown: Shown) -> tuple[int, int, list[str]]:
    grid, count = _grid(position), _grid(position).position.rules.width
    first, last = _MARGIN - _CELL // 2, _MARGIN + count * _CELL - _CELL // 2
    parts = [_tag("rect", width=grid.side, height=grid.side, rx=6, fill=_WOOD), *grid.coordinates()]
    for index in range(1, count):
        along = first + index * _CELL
        parts.append(_tag("path", d=f"M{first} {along}H{last}M{along} {first}V{last}", stroke=_INK, fill="none"))
    return grid.side, grid.side, parts + list(_pieces(grid, shown, _nought))


def _nought(x: int, y: int, side: int) -> str:
    how: dict[str, object] = {"fill": "none", "stroke": _INK, "stroke_width": 4, "stroke_linecap": "round"}
    if side == FIRST:
        return _tag("path", d=f"M{x - 8} {y - 8}L{x + 8} {y + 8}M{x + 8} {y - 8}L{x - 8} {y + 8}", **how)
    return _tag("circle", cx=x, cy=y, r=9, **how)


def _grid(position: Position) -> _Grid:
    if not isinstance(position, LinePosition):
        raise FormatError("There are no pictures of this game.", "unwritable")
    return _Grid(position)


def _pieces(grid: _Grid, shown: Shown, piece: Callable[[int, int, int], str]) -> Iterator[str]:
    """The pieces with their numbers, the last move, marks, and the moves to come."""
    for cell, content in enumerate(grid.position.cells):
        if content:
            yield piece(*grid.at(cell), content - 1)
            number = (shown.numbers or {}).get(cell)
            if number is not None:
                yield _label(*grid.at(cell), str(number), 13, _STONES[2 - content])
    if shown.numbers is None and shown.last is not None:
        x, y = grid.at(shown.last)
        yield _tag("circle", cx=x, cy=y, r=4.5, fill=_RED)
    if shown.wrong is not None:
        yield from _wrong(grid, shown.wrong, piece)
    for number, (cell, side) in enumerate(shown.ghosts, 1):
        x, y = grid.at(cell)
        yield f'<g opacity="0.62">{piece(x, y, side)}</g>'
        yield _label(x, y, str(number), 14, _STONES[1 - side] if piece is _stone else _RED)
    for mark in shown.marks:
        yield from _mark(grid, mark)


def _wrong(grid: _Grid, cell: int, piece: Callable[[int, int, int], str]) -> Iterator[str]:
    x, y = grid.at(cell)
    yield piece(x, y, grid.position.turn)
    yield _tag("path", d=f"M{x - 7} {y - 7}l14 14m0-14l-14 14", stroke=_RED, stroke_width=3, fill="none")


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
}
