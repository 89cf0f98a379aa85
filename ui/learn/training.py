"""The chart of a network's training, without pixels: what it can do above, and its losses below, by games."""

from __future__ import annotations

from dataclasses import dataclass

from ai.network.network import Training, TrainingResult, training
from games.drawing import label, tag
from ui.toolkit.i18n import t
from ui.toolkit.layout import Scale
from ui.toolkit.theme import PALETTES, Colour, Palette, css
from ui.words.numbers import percent_text

AGREEMENT, SCORE, CHANCE, POLICY, VALUE = "agreement", "score", "chance", "policy", "value"
"""The lines; that of chance is level."""

_MARKS_ACROSS, _MARKS_UP = 6, 5

Points = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Panel:
    """Lines by their names, over games `across`; what is counted `up` is a share in percent, or a loss."""

    lines: dict[str, Points]
    across: Scale
    up: Scale
    percent: bool

    def text(self, value: float) -> str:
        """What is written at a mark of the scale."""
        return percent_text(100 * value) if self.percent else f"{value:.1f}"


def panels(training: Training) -> tuple[Panel, Panel]:
    """Return what the network can do, and its losses."""
    progress, last = training.progress, training.progress[-1].games
    across = Scale.over(0, last, _MARKS_ACROSS)
    able = {
        SCORE: tuple((each.games, each.score) for each in progress),
        AGREEMENT: tuple((each.games, each.agreement) for each in progress),
        CHANCE: ((0, training.chance), (across.high, training.chance)),
    }
    losses: dict[str, Points] = {
        POLICY: tuple((each.games, each.policy_loss) for each in progress if each.policy_loss is not None),
        VALUE: tuple((each.games, each.value_loss) for each in progress if each.value_loss is not None),
    }
    most = max((loss for line in losses.values() for _, loss in line), default=1.0)
    return (Panel(able, across, Scale(0.0, 1.0, 0.2), percent=True),
            Panel(losses, across, Scale.over(0, most, _MARKS_UP), percent=False))  # fmt: skip


def line_name(key: str) -> str:
    return t(f"training.{key}")


def tones(palette: Palette) -> dict[str, Colour]:
    """Return the colours of the lines."""
    return {SCORE: palette.good, AGREEMENT: palette.accent, CHANCE: palette.quiet,
            POLICY: palette.info, VALUE: palette.bad}  # fmt: skip


def progress_text(progress: TrainingResult) -> str:
    """``5,399 games: agreement 73 %, against random moves 99 %, losses 1.48 and 0.76``."""
    texts = {"games": f"{progress.games:,}", "agreement": percent_text(100 * progress.agreement),
             "score": percent_text(100 * progress.score)}  # fmt: skip
    if progress.policy_loss is None or progress.value_loss is None:
        return t("training.point.start", **texts)
    return t("training.point", **texts, policy=f"{progress.policy_loss:.2f}", value=f"{progress.value_loss:.2f}")


def facts(training: Training) -> dict[str, str]:
    """What a text may say of a training: figures from 0 to 100 are percent."""
    first, last = training.progress[0], training.progress[-1]
    return {
        "games": f"{last.games:,}", "chance": f"{100 * training.chance:.0f}",
        "before": f"{100 * first.agreement:.0f}", "after": f"{100 * last.agreement:.0f}",
        "score_before": f"{100 * first.score:.0f}", "score_after": f"{100 * last.score:.0f}",
    }  # fmt: skip


# The chart of a network's training as SVG, for pages.


_WIDTH, _LEFT, _RIGHT, _SIZE = 720, 64, 696, 13
_TOPS = ((56, 296), (372, 532))
"""Of what the network can do, and of its losses: the top and the bottom of the plane."""

_HEIGHT = 580
_STEP, _FONT_NAME = 216, 12  # of the legend: width of an entry and font size, which leave room for wide fonts


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
        words = {"x": x + 28, "y": y + 4, "font_size": _FONT_NAME, "fill": css(palette.text), "text_anchor": "start"}
        parts.append(tag("text", line_name(key), **words))
    return parts
