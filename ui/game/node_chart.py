"""The chart of nodes against depth, without pixels: its curves, its axes, and where a point lies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ai.search.comparison import Row, branching
from ai.search.variants import VARIANTS

ALL, BEST = "all", "best"
"""The curves of theory: b^d, all positions, and b^(d/2), what alpha-beta needs if the best move always comes first."""

_LEAST_DEPTH, _LEAST_DECADES = 4, 2


@dataclass(frozen=True, slots=True)
class Curve:
    """`key` is a search or a theory; `points` are (depth, nodes), by depth."""

    key: str
    points: tuple[tuple[float, float], ...]

    @property
    def theory(self) -> bool:
        return self.key in (ALL, BEST)


@dataclass(frozen=True, slots=True)
class Plot:
    """`curves` over the depths from 1 to `depth`, and 1 to 10^`decades` nodes on a logarithmic scale. `b` is the mean
    number of moves of a position."""

    curves: tuple[Curve, ...]
    depth: int
    decades: int
    b: float

    def place(self, depth: float, nodes: float) -> tuple[float, float]:
        """Where a point lies, from 0 to 1, from the left and from the bottom."""
        return (depth - 1) / (self.depth - 1), math.log10(max(1.0, nodes)) / self.decades

    def measured(self) -> list[Curve]:
        """The curves of the searches."""
        return [curve for curve in self.curves if not curve.theory]


def plot(rows: Sequence[Row], moves: int) -> Plot:
    """Return the chart of the finished ones of `rows`; `moves` can be made at the root."""
    finished = [row for row in rows if row.finished]
    depth = max([_LEAST_DEPTH, *(row.depth for row in finished)])
    most = max((row.nodes for row in finished), default=1)
    decades = max(_LEAST_DECADES, math.ceil(math.log10(most)))
    b = branching(rows, moves)
    curves = [
        Curve(name, tuple((row.depth, row.nodes) for row in sorted(finished, key=_depth) if row.search == name))
        for name in VARIANTS
    ]
    theory = [Curve(ALL, _power(b, depth, decades)), Curve(BEST, _power(math.sqrt(b), depth, decades))]
    return Plot((*theory, *(curve for curve in curves if curve.points)), depth, decades, b)


def _depth(row: Row) -> int:
    return row.depth


def _power(base: float, depth: int, decades: int) -> tuple[tuple[float, float], ...]:
    """Return base^d from depth 1 to the edge of the chart: a straight line on a logarithmic scale."""
    top = 10.0**decades
    last = float(depth) if base <= 1 else min(depth, decades * math.log(10) / math.log(base))
    return ((1.0, base), (last, min(top, base**last))) if last > 1 else ()
