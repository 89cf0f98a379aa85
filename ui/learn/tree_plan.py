"""Where the nodes of a search tree stand, in columns and rows: each leaf of what is unfolded has a column.

The layout does not reveal what the search will do: below a node there is nothing before the search has entered it; then
each of its moves has a place, also those that a cut will leave untried.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ai.explain.explorer import Explorer
from ai.search.trace import End

_STUB = 0.8
"""Columns of the sign for moves that were cut."""

_APART = 0.2
"""Columns between the nodes of different parents."""

_WIDEST = 11
"""Children that are shown until a person wants all."""


@dataclass(frozen=True, slots=True)
class Stub:
    """A sign below `node` for `count` of its moves that are not shown: moves that a cut left untried or, if `hidden`,
    moves for which there is no room."""

    node: int
    column: float
    row: int
    count: int
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Empty:
    """The empty place below `node` of a move that the search has not come to. A cut will leave it untried, which must
    not show yet."""

    node: int
    column: float
    row: int


@dataclass(slots=True)
class Plan:
    """Where nodes stand: `places` has the column of the middle and the row of each node that is shown, parents first.
    `width` is in columns, `height` in rows."""

    places: dict[int, tuple[float, int]] = field(default_factory=dict)
    empty: list[Empty] = field(default_factory=list)
    stubs: list[Stub] = field(default_factory=list)
    width: float = 0.0
    height: int = 1


def plan(explorer: Explorer) -> Plan:
    """Lay out the tree that `explorer` shows."""
    found = Plan()
    _place(explorer, explorer.root, 0, set(explorer.trace.path(explorer.node)), found)
    return found


def _place(explorer: Explorer, node: int, row: int, path: set[int], found: Plan) -> float:
    """Add `node` and all that is shown below it to `found`, also what is on the `path` to the node that is looked at.
    Return the column of its middle."""
    found.height = max(found.height, row + 1)
    found.places[node] = 0.0, row  # before those below it
    columns: list[float] = []
    unfolded = explorer.unfolded(node) and explorer.entered(node)
    if unfolded or (node in path and node != explorer.node):
        children, untried, left = _children(explorer, node), explorer.trace.untried[node], explorer.left(node)
        shown = children if node in explorer.widened else _shown_children(explorer, node, children, path)
        columns = [_place(explorer, child, row + 1, path, found) for child in shown]
        spare = 0 if left else untried if node in explorer.widened else min(untried, max(0, _WIDEST - len(shown)))
        columns += [_add_empty(Empty(node, found.width + 0.5, row + 1), found) for _ in range(spare)]
        hidden = len(children) - len(shown) + (0 if left else untried - spare)
        if hidden:
            columns.append(_add_stub(Stub(node, found.width + _STUB / 2, row + 1, hidden, True), found))
        if explorer.end(node) is End.CUT and untried:
            columns.append(_add_stub(Stub(node, found.width + _STUB / 2, row + 1, untried), found))
    if columns:
        found.width += _APART
        middle = (columns[0] + columns[-1]) / 2
    else:
        middle = found.width + 0.5
        found.width += 1
    found.places[node] = middle, row
    return middle


def _children(explorer: Explorer, node: int) -> list[int]:
    """Return the children of a node that may be shown: without the second search of a move before it is entered, since
    that would reveal what the first one finds."""
    trace = explorer.trace
    return [child for child in trace.children(node) if explorer.entered(child) or not trace.is_re_search(child)]


def _add_empty(empty: Empty, found: Plan) -> float:
    """Add `empty` to `found`, which becomes one column wider. Return the column of `empty`."""
    found.empty.append(empty)
    found.width += 1
    found.height = max(found.height, empty.row + 1)
    return empty.column


def _add_stub(stub: Stub, found: Plan) -> float:
    """Add a sign for moves that are not shown to `found`. Return its column."""
    found.stubs.append(stub)
    found.width += _STUB
    found.height = max(found.height, stub.row + 1)
    return stub.column


def _shown_children(explorer: Explorer, node: int, children: list[int], path: set[int]) -> list[int]:
    """Return the children to show: all if they are few, else the first ones, the best one and those on the `path`."""
    if len(children) <= _WIDEST:
        return children
    chosen = {*children[: _WIDEST - 1], explorer.steps.best(node, explorer.shown), *path}
    return [child for child in children if child in chosen]
