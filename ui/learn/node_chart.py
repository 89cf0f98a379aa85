"""The chart of nodes against depth, without pixels: its curves, its axes, and where a point lies."""

from __future__ import annotations

import csv as tables
import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from ai.search.comparison import VARIANTS, SearchRow, effective_branching, full_tree, minimal_tree
from games.position import Position
from ui.learn.comparison_words import full_name
from ui.toolkit.i18n import t

LAST = "last"
"""The curve of the last iterations of iterative deepening."""

ALL, BEST = "all", "best"
"""The curves of theory, in nodes: all of a tree with b moves in each position, and those that alpha-beta
visits of it if the best move always comes first."""

_TREES = {ALL: full_tree, BEST: minimal_tree}
_LEAST_DEPTH, _LEAST_DECADES = 4, 2


@dataclass(frozen=True, slots=True)
class Curve:
    """`key` is a search, `LAST` or a theory; `points` are (depth, nodes), by depth."""

    key: str
    points: tuple[tuple[float, float], ...]

    @property
    def theory(self) -> bool:
        """Whether it is computed by a formula, not measured."""
        return self.key in (ALL, BEST)


@dataclass(frozen=True, slots=True)
class Plot:
    """`curves` over the depths from 1 to `depth`, and 1 to 10^`decades` nodes on a logarithmic scale. `b` is the
    effective branching factor."""

    curves: tuple[Curve, ...]
    depth: int
    decades: int
    b: float

    def place(self, depth: float, nodes: float) -> tuple[float, float]:
        """Where a point lies, from 0 to 1, from the left and from the bottom."""
        return (depth - 1) / (self.depth - 1), math.log10(max(1.0, nodes)) / self.decades

    def measured(self) -> list[Curve]:
        """The curves of the searches, and of last iterations."""
        return [curve for curve in self.curves if not curve.theory]


def plot(rows: Sequence[SearchRow], moves: int) -> Plot:
    """Return the chart of the finished ones of `rows`; `moves` can be made at the root."""
    finished = [row for row in rows if row.finished]
    depth = max([_LEAST_DEPTH, *(row.depth for row in finished)])
    most = max((row.nodes for row in finished), default=1)
    decades = max(_LEAST_DECADES, math.ceil(math.log10(most)))
    b = effective_branching(rows, moves)
    curves = [
        Curve(name, tuple((row.depth, row.nodes) for row in sorted(finished, key=_depth) if row.search == name))
        for name in VARIANTS
    ]
    last = [(row.depth, row.last) for row in sorted(finished, key=_depth) if row.before]
    curves.append(Curve(LAST, tuple(last)))
    theory = [Curve(key, _theory(partial(tree, b), depth, decades)) for key, tree in _TREES.items()]
    return Plot((*theory, *(curve for curve in curves if curve.points)), depth, decades, b)


def _depth(row: SearchRow) -> int:
    return row.depth


def _theory(nodes: Callable[[int], float], depth: int, decades: int) -> tuple[tuple[float, float], ...]:
    """Return the points from depth 1 to the edge of the chart."""
    points: list[tuple[float, float]] = []
    for deep in range(1, depth + 1):
        exponent = math.log10(max(1.0, nodes(deep)))
        if exponent > decades:
            if points:
                last, before = points[-1][0], math.log10(points[-1][1])
                points.append((last + (decades - before) / (exponent - before), 10.0**decades))
            break
        points.append((float(deep), 10.0**exponent))
    return tuple(points) if len(points) > 1 else ()


def csv(position: Position, rows: Sequence[SearchRow]) -> bytes:
    """The rows with a head, in UTF-8 with a mark by which spreadsheets know it. Scores are from the side to move."""
    out = io.StringIO()
    writer = tables.writer(out)
    writer.writerow([t(f"compare.csv.{name}") for name in
                     ("search", "depth", "nodes", "last", "seconds", "score", "move", "finished")])  # fmt: skip
    for row in sorted(rows, key=lambda row: row.depth):
        found = (row.score, position.move_text(row.move)) if row.finished else ("", "")
        name = full_name(row.search)
        writer.writerow([name, row.depth, row.nodes, row.last, f"{row.seconds:.6f}", *found, int(row.finished)])
    return out.getvalue().encode("utf-8-sig")
