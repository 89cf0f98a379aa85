"""Draw a position as SVG, for pages and print.

`dumps` draws a record as it stands; `diagram` draws any position with the marks that the caller chooses. A game is
drawn if its positions have `cells`, in the `style` of its descriptor, or if it can `draw` itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from games.coords import row_names
from games.drawing import RED, STONES, WOOD, Grid, Sheet, Style, label, tag
from games.formats.common import FormatError
from games.position import PASS, Position, cells_of, changed_cells, played
from games.record import GameRecord, Mark, Node, steps
from games.registry import GAMES, Setup


@dataclass(frozen=True, slots=True)
class Shown:
    """What a diagram shows besides the stones.

    `numbers` has the numbers to write on past moves, by cell. `last` is the past move to mark. `wrong` is a move that
    is drawn as if played, with a badge that has its `sign`. `line` are moves to come: their stones are translucent and
    numbered, and cells that they change are as after them. `marks` are a person's.
    """

    numbers: dict[int, int] | None = None
    last: int | None = None
    wrong: int | None = None
    sign: str = "?"
    line: tuple[int, ...] = ()
    marks: tuple[Mark, ...] = ()


def has_pictures(position: Position) -> bool:
    """Return whether there are SVG pictures of the position's game."""
    return GAMES[position.game].draw is not None or isinstance(getattr(position, "cells", None), bytes)


def dumps(
    record: GameRecord, node: Node | None = None, numbers: bool = False, wide: int | None = None
) -> bytes:
    """Draw the position of `node`, by default at the cursor, with its marks and the last move or, with `numbers`, the
    number of each move. `wide` is the width in pixels; by default a unit of the drawing is one.

    Raise `FormatError` for a game without SVG pictures.
    """
    here = node or record.cursor
    shown = Shown(_numbers_by_cell(here) if numbers else None, here.move, marks=here.marks)
    return f"{diagram(record.setup, here.position, shown, wide)}\n".encode()


def _numbers_by_cell(node: Node) -> dict[int, int]:
    """Return the number of each move that led to `node`, by the cell that it filled; empty for a game that is not drawn
    by cells."""
    if not has_pictures(node.position) or GAMES[node.position.game].draw is not None:
        return {}
    filled = (_cell_to_fill(parent.position, each.move) for parent, each in steps(node) if each.move is not None)
    return {cell: number for number, cell in enumerate(filled, 1) if cell is not None}


def diagram(setup: Setup, position: Position, shown: Shown | None = None, wide: int | None = None) -> str:
    """Return `position` as an ``<svg>`` element, `wide` pixels wide. Raise `FormatError` for a game without SVG
    pictures."""
    return sheet_of(setup, position, shown or Shown()).svg(wide)


def sheet_of(setup: Setup, position: Position, shown: Shown) -> Sheet:
    """Return the drawing of `position`. Raise `FormatError` for a game without SVG pictures."""
    draw = GAMES[setup.game].draw
    if not has_pictures(position):
        raise FormatError(f"There are no SVG pictures of {setup.game}.", "unwritable")
    return _board(setup, position, shown) if draw is None else draw(position, setup.size, shown.line)


def _cell_to_fill(position: Position, move: int) -> int | None:
    """Return the cell that `move` would fill, or the last of its cells if none is free; None for a pass."""
    if move == PASS:
        return None
    cells, filled = GAMES[position.game].fills(move), cells_of(position)
    return next((cell for cell in cells if not filled[cell]), cells[-1])


def _cell_just_filled(position: Position, move: int) -> int | None:
    """Return the cell that `move`, the last one before `position`, has filled; None for a pass."""
    if move == PASS:
        return None
    cells, filled = GAMES[position.game].fills(move), cells_of(position)
    return next((cell for cell in reversed(cells) if filled[cell]), cells[0])


def _board(setup: Setup, position: Position, shown: Shown) -> Sheet:
    """Return the drawing of a position with cells."""
    grid = Grid(*setup.board, row_names(position, *setup.board))
    parts = (*GAMES[setup.game].style.ground(grid), *_pieces(grid, position, shown), *_advice(grid, position, shown))
    return Sheet(*grid.size, parts)


def _pieces(grid: Grid, position: Position, shown: Shown) -> Iterator[str]:
    """Yield the pieces on cells that `shown.line` does not change, with their numbers, or the mark of the last move."""
    style = GAMES[position.game].style
    changed = changed_cells(position, shown.line)
    for cell, content in enumerate(cells_of(position)):
        if content and cell not in changed:
            yield style.piece(*grid.at(cell), content - 1)
            if shown.numbers is not None and cell in shown.numbers:
                yield _number(grid, cell, shown.numbers[cell], style, content - 1)
    last = None if shown.last is None or shown.numbers is not None else _cell_just_filled(position, shown.last)
    if last is not None:
        x, y = grid.at(last)
        yield tag("circle", cx=x, cy=y, r=4.5, fill=style.last)


def _advice(grid: Grid, position: Position, shown: Shown) -> Iterator[str]:
    """Yield the wrong move, the moves to come, and the marks."""
    style = GAMES[position.game].style
    wrong = None if shown.wrong is None else _cell_to_fill(position, shown.wrong)
    if wrong is not None and shown.wrong not in shown.line:
        yield style.piece(*grid.at(wrong), position.turn)
    line = enumerate(played(position, shown.line), 1)
    numbers = {_cell_to_fill(before, move): number for number, (before, move) in line}
    for cell, content in changed_cells(position, shown.line).items():
        if content:
            yield f'<g opacity="0.62">{style.piece(*grid.at(cell), content - 1)}</g>'
        if content and cell in numbers:
            yield _number(grid, cell, numbers[cell], style, content - 1)
    if wrong is not None:
        x, y = grid.at(wrong)
        yield tag("circle", cx=x + 13, cy=y + 13, r=7, fill=RED, stroke=STONES[1])
        yield label(x + 13, y + 13, shown.sign, 10, STONES[1])
    for mark in shown.marks:
        place = _cell_to_fill(position, mark.move)
        if place is not None:
            yield from _mark(*grid.at(place), mark)


def _number(grid: Grid, cell: int, number: int, style: Style, side: int) -> str:
    """Return the number of a move as SVG, on its cell, in the colour for its side."""
    (x, y), (right, down, size) = grid.at(cell), style.number
    return label(x + right, y + down, str(number), size, style.ink[side])


def _mark(x: int, y: int, mark: Mark) -> Iterator[str]:
    """Yield the shapes of a person's mark centred at (x, y)."""
    how: dict[str, object] = {"fill": "none", "stroke": RED, "stroke_width": 2}
    if mark.kind == "label":
        yield tag("circle", cx=x, cy=y, r=9, fill=WOOD)
        yield label(x, y, mark.text, 14, RED)
    elif mark.kind == "circle":
        yield tag("circle", cx=x, cy=y, r=8, **how)
    elif mark.kind in ("square", "selected"):
        yield tag("rect", x=x - 7, y=y - 7, width=14, height=14, **how)
    elif mark.kind == "triangle":
        yield tag("path", d=f"M{x} {y - 9}L{x + 8} {y + 6}H{x - 8}Z", **how)
    else:
        yield tag("path", d=f"M{x - 6} {y - 6}l12 12m0-12l-12 12", **how)
