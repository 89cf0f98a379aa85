"""What was compared, for files: the chart as SVG, and the rows as CSV."""

from __future__ import annotations

import csv as tables
import io
from collections.abc import Mapping, Sequence

from ai.search.comparison import Row
from games.drawing import label, tag
from games.position import Position
from ui.game.node_chart import ALL, BEST, Curve, Plot
from ui.toolkit.i18n import t
from ui.toolkit.palette import Colour, Palette, css
from ui.words.comparison import curve_name, full_name

_WIDTH, _HEIGHT = 800, 540
_LEFT, _TOP, _RIGHT, _BOTTOM = 64, 84, 776, 484  # of the chart
_STEP = 94  # between the names of the legend
_DASHES = {ALL: "8 5", BEST: "2 4"}


def csv(position: Position, rows: Sequence[Row]) -> bytes:
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
