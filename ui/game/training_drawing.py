"""The chart of a network's training as SVG, for pages."""

from __future__ import annotations

from ai.network.training import training
from games.drawing import label, tag
from ui.game.training_chart import CHANCE, Panel, line_name, panels, tones
from ui.toolkit.i18n import t
from ui.toolkit.palette import PALETTES, Palette, css

_WIDTH, _LEFT, _RIGHT, _SIZE = 720, 64, 696, 13
_TOPS = ((56, 296), (372, 532))
"""Of what the network can do, and of its losses: the top and the bottom of the plane."""

_HEIGHT = 580
_STEP, _NAME = 216, 12  # of the legend: width of an entry and font size, which leave room for wide fonts


def training_svg(game: str) -> str:
    """Return the chart as an ``<svg>`` element."""
    palette = PALETTES["paper"]
    parts = [tag("rect", width=_WIDTH, height=_HEIGHT, fill=css(palette.panel))]
    for panel, (top, bottom) in zip(panels(training(game)), _TOPS, strict=True):
        parts += [*_scales(panel, top, bottom, palette), *_lines(panel, top, bottom, palette)]
    parts.append(label((_LEFT + _RIGHT) / 2, _HEIGHT - 14, t("training.games"), _SIZE, css(palette.quiet)))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif"'
    return f'{head} text-anchor="middle">{"".join(parts)}</svg>'


def _place(panel: Panel, top: int, bottom: int, point: tuple[float, float]) -> tuple[float, float]:
    across, up = panel.across.share(point[0]), panel.up.share(point[1])
    return _LEFT + across * (_RIGHT - _LEFT), bottom - up * (bottom - top)


def _path(points: list[tuple[float, float]], tone: str, width: float, dashes: str = "none") -> str:
    way = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return tag("path", d=way, stroke=tone, stroke_width=width, stroke_dasharray=dashes, fill="none")


def _scales(panel: Panel, top: int, bottom: int, palette: Palette) -> list[str]:
    line, quiet, parts = css(palette.line), css(palette.quiet), []
    for mark in panel.up.marks:
        y = _place(panel, top, bottom, (0, mark))[1]
        parts += [_path([(_LEFT, y), (_RIGHT, y)], line, 1), label(_LEFT - 28, y, panel.text(mark), _SIZE, quiet)]
    for mark in panel.across.marks:
        x = _place(panel, top, bottom, (mark, 0))[0]
        parts += [_path([(x, top), (x, bottom)], line, 1), label(x, bottom + 16, f"{mark:,.0f}", _SIZE, quiet)]
    return parts


def _lines(panel: Panel, top: int, bottom: int, palette: Palette) -> list[str]:
    parts = []
    for number, (key, points) in enumerate(panel.lines.items()):
        tone, x, y = css(tones(palette)[key]), _LEFT + number * _STEP, top - 22
        dashes = "7 7" if key == CHANCE else "none"
        parts.append(_path([_place(panel, top, bottom, point) for point in points], tone, 2, dashes))
        parts.append(_path([(x, y), (x + 22, y)], tone, 2, dashes))
        words = {"x": x + 28, "y": y + 4, "font_size": _NAME, "fill": css(palette.text), "text_anchor": "start"}
        parts.append(tag("text", line_name(key), **words))
    return parts
