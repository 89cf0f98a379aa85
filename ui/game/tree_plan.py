"""Where the nodes of a search tree stand, in columns and rows: each leaf of what is unfolded has a column."""

from __future__ import annotations

from dataclasses import dataclass, field

from ai.explorer import Explorer
from ai.search.trace import End

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


@dataclass(slots=True)
class Plan:
    """`places` are the column of the middle and the row of each node that is shown, parents first."""

    places: dict[int, tuple[float, int]] = field(default_factory=dict)
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
    if explorer.unfolded(node) or (node in path and node != explorer.node):
        children = explorer.trace.children(node)
        shown = children if node in explorer.widened else _chosen(explorer, node, children, path)
        columns = [_place(explorer, child, row + 1, path, found) for child in shown]
        if len(shown) < len(children):
            columns.append(_stub(Stub(node, found.width + _STUB / 2, row + 1, len(children) - len(shown), True), found))
        if explorer.end(node) is End.CUT and explorer.trace.untried[node]:
            columns.append(_stub(Stub(node, found.width + _STUB / 2, row + 1, explorer.trace.untried[node]), found))
    if columns:
        found.width += _APART
        middle = (columns[0] + columns[-1]) / 2
    else:
        middle = found.width + 0.5
        found.width += 1
    found.places[node] = middle, row
    return middle


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
