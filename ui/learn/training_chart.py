"""The chart of a network's training by games: how well it plays above, and its losses below. Shown beside the text of a
lesson, and on its page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from ai.network.network import Training, TrainingResult, training
from ui.learn.lesson_state import Course
from ui.toolkit.canvas import Canvas, Curves, Place, SvgCanvas, draw_grid, draw_tip, legend, page_theme, painted
from ui.toolkit.i18n import t
from ui.toolkit.space import Scale, Space
from ui.toolkit.theme import Colour, Palette, Theme
from ui.window.host import Host
from ui.window.part import Part
from ui.words.games import game_name
from ui.words.numbers import percent_text, whole_text

# What is drawn, without pixels.


AGREEMENT, SCORE, CHANCE, POLICY, VALUE = "agreement", "score", "chance", "policy", "value"
"""The lines; that of chance is level."""

_MARKS_ACROSS, _MARKS_UP = 6, 5

Points = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of the chart: `lines` by their names, with the scales of games, `across`, and of figures, `up`. The
    figures are shares if `percent`, else losses."""

    lines: dict[str, Points]
    across: Scale
    up: Scale
    percent: bool

    def text(self, value: float) -> str:
        """Return the label of a figure at the scale `up`."""
        return percent_text(100 * value) if self.percent else f"{value:.1f}"


def panels(training: Training) -> tuple[Panel, Panel]:
    """Return the panel of how well the network plays, and that of its losses."""
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
    """Return the name of a line of the chart, in the language of the window."""
    return t(f"training.{key}")


def tones(palette: Palette) -> dict[str, Colour]:
    """Return the colour of each line, by its name."""
    return {SCORE: palette.good, AGREEMENT: palette.accent, CHANCE: palette.quiet,
            POLICY: palette.info, VALUE: palette.bad}  # fmt: skip


def _progress_text(progress: TrainingResult) -> str:
    """Return the figures after some games: ``5,399 games: agreement 73 %, against random moves 99 %, losses 1.48 and
    0.76``."""
    texts = {"games": whole_text(progress.games), "agreement": percent_text(100 * progress.agreement),
             "score": percent_text(100 * progress.score)}  # fmt: skip
    if progress.policy_loss is None or progress.value_loss is None:
        return t("training.point.start", **texts)
    return t("training.point", **texts, policy=f"{progress.policy_loss:.2f}", value=f"{progress.value_loss:.2f}")


# The drawing.


_PADDING, _TITLE, _LEGEND, _SWATCH, _AXIS, _FOOT, _NAME, _EDGE = 16, 28, 24, 22, 56, 22, 22, 12
"""Design pixels: around all, the title, a line of the legend, a mark in it, the figures at the left, those below, the
name of the axis, and what is free at the right and over the highest figure."""

_UPPER = 0.6  # of the height for what the network can do
_LINE, _DOT, _DASH = 2.0, 2.6, 7  # design pixels
_DOTS = 40  # more points are a line alone
_SIZE = (720, 580)  # pixels on a page


class TrainingPainter:
    """Draws the chart of `training` in `rect`: how well the network plays above its losses."""

    def __init__(self, theme: Theme, rect: pygame.Rect, training: Training, heading: str) -> None:
        self._rect, self._heading, px = rect, heading, theme.px
        inside = Space(rect.inflate(-2 * px(_PADDING), -2 * px(_PADDING)))
        self._title, self._name = inside.top(px(_TITLE)), inside.bottom(px(_NAME))
        above, below = panels(training)
        self.views = [_View(theme, above, inside.top(round(inside.rest.height * _UPPER))),
                      _View(theme, below, inside.rest)]  # fmt: skip

    def draw(self, canvas: Canvas) -> None:
        """Draw the heading and all panels."""
        theme, palette = canvas.theme, canvas.theme.palette
        canvas.box(self._rect, palette.panel, theme.px(10), palette.line)
        canvas.text(self._heading, self._title, 16, bold=True)
        canvas.text(t("training.games"), self._name, 14, palette.quiet, align="centre")
        for view in self.views:
            view.draw(canvas)


def training_svg(game: str) -> str:
    """Return the chart of the training at `game` as an ``<svg>`` element, for pages."""
    theme, rect = page_theme(), pygame.Rect((0, 0), _SIZE)
    canvas = SvgCanvas(_SIZE, theme)
    TrainingPainter(theme, rect, training(game), _heading(game)).draw(canvas)
    return canvas.svg()


def _heading(game: str) -> str:
    """The title of the chart of a game's network."""
    return t("training.title", game=game_name(game))


class TrainingChart(Part):
    """Fills the space with the training that the step of `course` names."""

    def __init__(self, host: Host, course: Course) -> None:
        self._host, self._course = host, course
        self._painter: TrainingPainter
        self._picture: pygame.Surface
        self._training: Training

    def build(self, space: Space) -> None:
        """Take all the space, read the training that the step names, and paint its chart once."""
        theme, game = self._host.theme, self._course.shown_step.chart
        super().build(space)
        self._training = training(game)
        self._painter = TrainingPainter(theme, self._rect, self._training, _heading(game))
        self._picture = painted(self._rect, theme, self._painter.draw)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the painted chart and, with the mouse over its panels, the figures measured there."""
        surface.blit(self._picture, self._rect)
        pointer = pygame.mouse.get_pos()
        if any(view.plot.collidepoint(pointer) for view in self._painter.views):
            self._draw_pointed(surface, pointer[0])

    def _draw_pointed(self, surface: pygame.Surface, x: int) -> None:
        """Draw a line at the measured number of games nearest to `x`, and its figures."""
        theme, (view, other) = self._host.theme, self._painter.views
        nearest = min(self._training.progress, key=lambda each: abs(view.place((each.games, 0))[0] - x))
        across = round(view.place((nearest.games, 0))[0])
        for each in (view, other):
            pygame.draw.line(surface, theme.palette.quiet, (across, each.plot.top), (across, each.plot.bottom - 1))
        draw_tip(surface, theme, _progress_text(nearest), (across, other.plot.top), self._rect)


class _View:
    """Draws a panel in `rect`: the legend, the scales and the lines."""

    def __init__(self, theme: Theme, panel: Panel, rect: pygame.Rect) -> None:
        self._panel, px = panel, theme.px
        space = Space(rect)
        names = [line_name(key) for key in panel.lines]
        places = legend(space, theme, names, px(_LEGEND), px(_SWATCH + 24))
        self._legend = list(zip(panel.lines, places, strict=True))
        space.left(px(_AXIS))
        space.right(px(_EDGE))
        space.top(px(_EDGE))
        space.bottom(px(_FOOT))
        self.plot = space.rest

    def place(self, point: Place) -> Place:
        """Return the pixel of a point, given as (games, figure)."""
        across, up = self._panel.across.share(point[0]), self._panel.up.share(point[1])
        return self.plot.left + across * (self.plot.width - 1), self.plot.bottom - 1 - up * (self.plot.height - 1)

    def draw(self, canvas: Canvas) -> None:
        """Draw the grid, the curves and the legend."""
        theme, margin, up, across = canvas.theme, canvas.theme.px(_EDGE), self._panel.up.marks, self._panel.across.marks
        draw_grid(canvas, self.plot, [(self.place((0, mark))[1], self._panel.text(mark)) for mark in up],
                  [(self.place((mark, 0))[0], whole_text(mark)) for mark in across],
                  self.plot.right + theme.px(_EDGE + _PADDING // 2))  # fmt: skip
        with canvas.smooth(self.plot.inflate(margin, margin)) as curves:
            for key, points in self._panel.lines.items():
                self._draw_line(curves, theme, key, [self.place(point) for point in points])
        for key, rect in self._legend:
            row = Space(rect, theme.px(6))
            swatch = row.left(theme.px(_SWATCH))
            with canvas.smooth(swatch) as curves:
                self._draw_line(curves, theme, key, [swatch.midleft, swatch.midright])
            canvas.text(line_name(key), row.rest, 14)

    def _draw_line(self, curves: Curves, theme: Theme, key: str, places: Sequence[Place]) -> None:
        """Draw the line called `key`: dashed for agreement and chance, with dots if it has few points."""
        tone = tones(theme.palette)[key]
        if key == CHANCE:
            curves.line(places, tone, theme.scale * 1.5, 2 * (theme.px(_DASH),))
            return
        dashes = (theme.px(3 * _DASH), theme.px(_DASH)) if key == AGREEMENT else None
        curves.line(places, tone, theme.scale * _LINE, dashes)
        for place in places if 2 < len(places) <= _DOTS else ():
            curves.circle(place, theme.scale * _DOT, tone)
