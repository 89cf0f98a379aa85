"""Where the nodes of a search tree stand, in columns and rows: each leaf of what is unfolded has a column.

Nothing tells beforehand what the search will do: below a node there is nothing before the search has entered it, and
then each of its moves has a place, also those that a cut will save.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ai.explain.explorer import Explorer
from ai.search.comparison import prunes
from ai.search.shared_tree import EXTRA, SharedTree
from ai.search.trace import End
from games.drawing import Sheet, label, tag
from games.formats.svg import Shown, has_pictures, sheet_of
from ui.learn.search_words import bound_text, level_name, move_texts, window_text
from ui.toolkit.theme import PALETTES, Palette, css, series

_STUB = 0.8
"""Columns of the sign for moves that were cut."""

_APART = 0.2
"""Columns between the nodes of different parents."""

_WIDEST = 11
"""Children that are shown until a person wants all."""


@dataclass(frozen=True, slots=True)
class Stub:
    """What is not shown of the children of `node`, in the row below it: `count` moves that were not tried, as a cut has
    saved them, or that are `hidden`, since there are too many."""

    node: int
    column: float
    row: int
    count: int
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Empty:
    """The place of a move of `node` that the search has not come to, and never will."""

    node: int
    column: float
    row: int


@dataclass(slots=True)
class Plan:
    """`places` are the column of the middle and the row of each node that is shown, parents first."""

    places: dict[int, tuple[float, int]] = field(default_factory=dict)
    empty: list[Empty] = field(default_factory=list)
    stubs: list[Stub] = field(default_factory=list)
    width: float = 0.0
    height: int = 1


def plan(explorer: Explorer) -> Plan:
    """Lay out what `explorer` shows."""
    found = Plan()
    if len(explorer.trace):
        _place(explorer, explorer.root, 0, set(explorer.trace.path(explorer.node)), found)
    return found


def _place(explorer: Explorer, node: int, row: int, path: set[int], found: Plan) -> float:
    """Place `node` over what is below it. Return the column of its middle."""
    found.height = max(found.height, row + 1)
    found.places[node] = 0.0, row  # before those below it
    columns: list[float] = []
    unfolded = explorer.unfolded(node) and explorer.entered(node)
    if unfolded or (node in path and node != explorer.node):
        children, untried, left = _children(explorer, node), explorer.trace.untried[node], explorer.left(node)
        shown = children if node in explorer.widened else _chosen(explorer, node, children, path)
        columns = [_place(explorer, child, row + 1, path, found) for child in shown]
        spare = 0 if left else untried if node in explorer.widened else min(untried, max(0, _WIDEST - len(shown)))
        columns += [_empty(Empty(node, found.width + 0.5, row + 1), found) for _ in range(spare)]
        hidden = len(children) - len(shown) + (0 if left else untried - spare)
        if hidden:
            columns.append(_stub(Stub(node, found.width + _STUB / 2, row + 1, hidden, True), found))
        if explorer.end(node) is End.CUT and untried:
            columns.append(_stub(Stub(node, found.width + _STUB / 2, row + 1, untried), found))
    if columns:
        found.width += _APART
        middle = (columns[0] + columns[-1]) / 2
    else:
        middle = found.width + 0.5
        found.width += 1
    found.places[node] = middle, row
    return middle


def _children(explorer: Explorer, node: int) -> list[int]:
    """Without a move that will be searched again: that would tell what the first search of it finds."""
    trace = explorer.trace
    return [child for child in trace.children(node) if explorer.entered(child) or not trace.is_again(child)]


def _empty(empty: Empty, found: Plan) -> float:
    found.empty.append(empty)
    found.width += 1
    found.height = max(found.height, empty.row + 1)
    return empty.column


def _stub(stub: Stub, found: Plan) -> float:
    found.stubs.append(stub)
    found.width += _STUB
    found.height = max(found.height, stub.row + 1)
    return stub.column


def _chosen(explorer: Explorer, node: int, children: list[int], path: set[int]) -> list[int]:
    """The children to show: the first ones, the best, and the one that is looked at."""
    if len(children) <= _WIDEST:
        return children
    chosen = {*children[: _WIDEST - 1], explorer.steps.best(node, explorer.shown), *path}
    return [child for child in children if child in chosen]


# A search tree as SVG, for pages and print: what is unfolded, with values, cuts, and what a lesson points at.


_COLUMN, _ROW, _BOARD, _TEXT = 84, 150, 64, 14
"""Units of the drawing: a column, a row, a board, and the size of the texts."""

_LEFT = 64  # for the names of the levels
_LEAST = 4  # columns, so that there is room beside a root alone


def tree_svg(explorer: Explorer) -> str:
    """Return the tree that `explorer` shows as an ``<svg>`` element."""
    found, palette = plan(explorer), PALETTES["paper"]
    wide, high = round(_LEFT + max(found.width, _LEAST) * _COLUMN), round(found.height * _ROW)
    parts = (*_edges(explorer, found, palette), *_empty_drawing(found, palette), *_stubs(found, palette),
             *_nodes(explorer, found, palette), *_frames(explorer, found, palette), *_levels(explorer, found, palette),
             *_windows(explorer, found, palette))  # fmt: skip
    ground = tag("rect", width=wide, height=high, fill=css(palette.background))
    return Sheet(wide, high, (ground, *parts)).svg()


def _middle(column: float, row: int) -> tuple[float, float]:
    return _LEFT + column * _COLUMN, (row + 0.5) * _ROW


def _line(above: tuple[float, float], below: tuple[float, float], colour: str, wide: float) -> str:
    start, end = above[1] + _BOARD / 2 + 1.6 * _TEXT, below[1] - _BOARD / 2 - 1.5 * _TEXT
    path = f"M{above[0]:.1f} {start:.1f}L{below[0]:.1f} {end:.1f}"
    return tag("path", d=path, stroke=colour, stroke_width=wide, fill="none")


def _edges(explorer: Explorer, found: Plan, palette: Palette) -> Iterator[str]:
    line = set(explorer.line())
    for node, place in found.places.items():
        parent = explorer.trace.parent[node]
        if parent in found.places:
            best = node in line
            colour = css(palette.accent if best else palette.quiet)
            yield _line(_middle(*found.places[parent]), _middle(*place), colour, 3 if best else 1)


def _empty_drawing(found: Plan, palette: Palette) -> Iterator[str]:
    """The places of moves that the search has not come to."""
    for each in found.empty:
        x, y = _middle(each.column, each.row)
        yield _line(_middle(*found.places[each.node]), (x, y), css(palette.line), 1)
        yield _square(x, y, palette)


def _square(x: float, y: float, palette: Palette) -> str:
    corner = {"x": x - _BOARD / 2, "y": y - _BOARD / 2, "width": _BOARD, "height": _BOARD}
    return tag("rect", **corner, fill="none", stroke=css(palette.line))


def _windows(explorer: Explorer, found: Plan, palette: Palette) -> Iterator[str]:
    """Alpha and beta on the way to the node that is looked at: beside the root, and over the move to the others."""
    if prunes(explorer.choice.key):
        for node in explorer.trace.path(explorer.node):
            if node in found.places:
                x, y = _middle(*found.places[node])
                wide = 6.5 * _TEXT
                x, y = (x, y - _BOARD / 2 - 2.6 * _TEXT) if found.places[node][1] else (x + (_BOARD + wide) / 2 + 8, y)
                box = {"x": x - wide / 2, "y": y - 0.7 * _TEXT, "width": wide, "height": 1.4 * _TEXT, "rx": 5}
                yield tag("rect", **box, fill=css(palette.panel), stroke=css(palette.info))
                yield label(x, y, window_text(explorer, node), _TEXT, css(palette.info))


def _stubs(found: Plan, palette: Palette) -> Iterator[str]:
    for stub in found.stubs:
        yield from _stub_lines(stub, found, palette)


def _stub_lines(stub: Stub, found: Plan, palette: Palette) -> Iterator[str]:
    """Moves that were not tried, crossed out, or those that are hidden."""
    colour = css(palette.quiet if stub.hidden else palette.bad)
    x, y = _middle(stub.column, stub.row)
    yield _line(_middle(*found.places[stub.node]), (x, y), colour, 1)
    half = _BOARD * 3 / 8
    yield tag("rect", x=x - half, y=y - _BOARD / 2, width=2 * half, height=_BOARD, rx=4, fill="none", stroke=colour)
    if not stub.hidden:
        cross = f"M{x - half} {y - _BOARD / 2}L{x + half} {y + _BOARD / 2}M{x + half} {y - _BOARD / 2}"
        yield tag("path", d=f"{cross}L{x - half} {y + _BOARD / 2}", stroke=colour, fill="none")
    yield label(x, y + _BOARD / 2 + _TEXT, f"{'+' if stub.hidden else '×'}{stub.count}", _TEXT, colour)


def _nodes(explorer: Explorer, found: Plan, palette: Palette) -> Iterator[str]:
    for node, place in found.places.items():
        x, y = _middle(*place)
        if explorer.entered(node):
            yield _picture(explorer, node, x, y, palette)
            yield label(x, y + _BOARD / 2 + _TEXT, bound_text(explorer, node), 1.2 * _TEXT, css(palette.text))
            if explorer.has_children(node) and node + 1 not in found.places:
                count = explorer.trace.after(node) - node - 1
                yield label(x, y + _BOARD / 2 + 2.3 * _TEXT, f"+{count:,}", _TEXT, css(palette.quiet))
            if isinstance(explorer.trace, SharedTree):
                yield _worker(explorer.trace, node, x - _BOARD / 2, y - _BOARD / 2, palette)
        else:
            yield _square(x, y, palette)
        if explorer.trace.parent[node] >= 0 and explorer.entered(node):
            name = move_texts(explorer, node)[0]
            yield label(x, y - _BOARD / 2 - 0.7 * _TEXT, name, _TEXT, css(palette.quiet))


def _worker(tree: SharedTree, node: int, x: float, y: float, palette: Palette) -> str:
    """Who has searched a node, at its corner; struck out if one worker alone would not have visited it."""
    number, half = tree.worker[node], 0.7 * _TEXT
    colour, crossed = css(series(palette, number - 1)), tree.marks[node] & EXTRA
    box = {"x": x - half, "y": y - half, "width": 2 * half, "height": 2 * half, "rx": 4}
    frame = tag("rect", **box, fill=css(palette.raised), stroke=colour)
    strike = tag("path", d=f"M{x - half} {y + half}L{x + half} {y - half}", stroke=css(palette.bad), fill="none")
    return frame + label(x, y, str(number), _TEXT, css(palette.text)) + (strike if crossed else "")


def _frames(explorer: Explorer, found: Plan, palette: Palette) -> Iterator[str]:
    """Around the nodes that a lesson points at: the move, the board and the value."""
    wide, above, below = _BOARD + 8, _BOARD / 2 + 1.4 * _TEXT, _BOARD / 2 + 1.7 * _TEXT
    for node in sorted(explorer.marked & found.places.keys()):
        x, y = _middle(*found.places[node])
        box = {"x": x - wide / 2, "y": y - above, "width": wide, "height": above + below, "rx": 8}
        yield tag("rect", **box, fill="none", stroke=css(palette.info), stroke_width=2.5)


def _picture(explorer: Explorer, node: int, x: float, y: float, palette: Palette) -> str:
    """The board; in a tree of numbers a triangle that points up for MAX and down for MIN, a square for a leaf; a chance
    node is a circle."""
    if explorer.trace.is_chance(node):
        return _circle(explorer, node, x, y, palette)
    return _board(explorer, node, x, y, palette, _BOARD)


def _circle(explorer: Explorer, node: int, x: float, y: float, palette: Palette) -> str:
    """A chance node, with the board in it."""
    ground = tag("circle", cx=x, cy=y, r=_BOARD / 2, fill=css(palette.raised), stroke=css(palette.accent))
    board = "" if explorer.subject.setup is None else _board(explorer, node, x, y, palette, 0.68 * _BOARD)
    return ground + board


def _board(explorer: Explorer, node: int, x: float, y: float, palette: Palette, wide: float) -> str:
    setup, position = explorer.subject.setup, explorer.position(node)
    if setup is not None and has_pictures(position):
        moves = explorer.trace.moves_to(node)
        sheet = sheet_of(setup, position, Shown(last=moves[-1] if moves else None))
        scale = wide / max(sheet.width, sheet.height)
        left, top = x - sheet.width * scale / 2, y - sheet.height * scale / 2
        return f'<g transform="translate({left:.1f} {top:.1f}) scale({scale:.4f})">{"".join(sheet.parts)}</g>'
    up, half = explorer.is_max(node), _BOARD * 3 / 8
    if explorer.end(node) is End.HORIZON:
        corner = {"x": x - half, "y": y - half, "width": 2 * half, "height": 2 * half, "rx": 4}
        return tag("rect", **corner, fill=css(palette.raised), stroke=css(palette.quiet))
    colour = css(palette.info if up else palette.accent)
    tip, base = (y - half, y + half) if up else (y + half, y - half)
    return tag("path", d=f"M{x} {tip}L{x + half} {base}H{x - half}Z", fill=css(palette.raised), stroke=colour)


def _levels(explorer: Explorer, found: Plan, palette: Palette) -> Iterator[str]:
    named: set[int] = set()
    for node, (_, row) in found.places.items():
        if row not in named:
            named.add(row)
            colour = palette.info if explorer.is_max(node) else palette.accent
            yield label(_LEFT / 2, _middle(0, row)[1], level_name(explorer, node), _TEXT, css(colour))
