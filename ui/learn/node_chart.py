"""The chart of nodes against depth, without pixels: its curves, its axes, and where a point lies."""

from __future__ import annotations

import csv as tables
import io
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from ai.search.comparison import VARIANTS, SearchRow, effective_branching, full_tree, minimal_tree
from games.drawing import label, tag
from games.position import Position
from ui.learn.comparison_words import curve_name, full_name
from ui.toolkit.i18n import t
from ui.toolkit.theme import Colour, Palette, css

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


# What was compared, for files: the chart as SVG, and the rows as CSV.


_WIDTH, _HEIGHT = 800, 540
_LEFT, _TOP, _RIGHT, _BOTTOM = 64, 84, 776, 484  # of the chart
_STEP = 94  # between the names of the legend
_DASHES = {ALL: "8 5", BEST: "2 4"}


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


def svg(plot: Plot, title: str, tones: Mapping[str, Colour], palette: Palette) -> bytes:
    """The chart as a drawing."""
    parts = [tag("rect", width=_WIDTH, height=_HEIGHT, fill=css(palette.panel))]
    parts.append(label(_WIDTH / 2, 24, title, 18, css(palette.text)))
    parts += _scales(plot, palette)
    for number, curve in enumerate(plot.curves):
        tone = css(palette.quiet if curve.theory else tones[curve.key])
        parts += _curve(plot, curve, tone)
        parts += _legend(number, curve, tone, palette)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif">'
    return "\n".join((head, *parts, "</svg>\n")).encode()


def _place(plot: Plot, depth: float, nodes: float) -> tuple[float, float]:
    right, up = plot.place(depth, nodes)
    return _LEFT + right * (_RIGHT - _LEFT), _BOTTOM - up * (_BOTTOM - _TOP)


def _scales(plot: Plot, palette: Palette) -> list[str]:
    line, quiet, parts = css(palette.line), css(palette.quiet), []
    for power in range(plot.decades + 1):
        y = _place(plot, 1, 10**power)[1]
        parts += [_path([(_LEFT, y), (_RIGHT, y)], line, 1), label(_LEFT - 30, y, f"{10**power:,}", 12, quiet)]
    for depth in range(1, plot.depth + 1):
        x = _place(plot, depth, 1)[0]
        parts += [_path([(x, _TOP), (x, _BOTTOM)], line, 1), label(x, _BOTTOM + 16, str(depth), 12, quiet)]
    names = (((_LEFT + _RIGHT) / 2, _BOTTOM + 38, "compare.depth_axis"), (_LEFT, _TOP - 14, "compare.nodes_axis"))
    return [*parts, *(label(x, y, t(name), 12, quiet) for x, y, name in names)]


def _curve(plot: Plot, curve: Curve, tone: str) -> list[str]:
    points = [_place(plot, *point) for point in curve.points]
    parts = [_path(points, tone, 2, _DASHES.get(curve.key, ""))] if points else []
    return parts + ([] if curve.theory else [_dot(x, y, tone) for x, y in points])


def _legend(number: int, curve: Curve, tone: str, palette: Palette) -> list[str]:
    x, y = 24 + _STEP * number, 54
    words = tag("text", curve_name(curve.key), x=x + 26, y=y + 4, font_size=12, fill=css(palette.text))
    return [_path([(x, y), (x + 20, y)], tone, 2, _DASHES.get(curve.key, "")), words]


def _path(points: Sequence[tuple[float, float]], tone: str, width: int, dashes: str = "") -> str:
    way = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    how = {"stroke_dasharray": dashes} if dashes else {}
    return tag("path", d=way, stroke=tone, stroke_width=width, fill="none", **how)


def _dot(x: float, y: float, tone: str) -> str:
    return tag("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=4, fill=tone)
