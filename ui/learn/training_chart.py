"""The chart of a network's training, beside the text of a lesson."""

from __future__ import annotations

import pygame

from ai.network.network import Training, training
from ui.learn.lesson_state import Course
from ui.learn.training import CHANCE, Panel, line_name, panels, progress_text, tones
from ui.toolkit.art import rounded
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space
from ui.toolkit.plot import FINER, draw_tip, legend, stroke
from ui.toolkit.text import width_of, write
from ui.toolkit.theme import mix
from ui.window.host import Host
from ui.window.part import Part
from ui.words.games import game_name

_PADDING, _TITLE, _LEGEND, _SWATCH, _AXIS, _FOOT, _NAME, _EDGE = 16, 28, 24, 22, 56, 22, 22, 12
"""Design pixels: around all, the title, a line of the legend, a mark in it, the figures at the left, those below, the
name of the axis, and what is free at the right and over the highest figure."""

_UPPER = 0.6  # of the height for what the network can do
_LINE, _DOT, _DASH = 2.0, 2.6, 7  # design pixels
_DOTS = 40  # more points are a line alone


class TrainingChart(Part):
    """Fills the space with the training that the step of `course` names."""

    def __init__(self, host: Host, course: Course) -> None:
        self._host, self._course = host, course
        self._views: list[_View] = []
        self._training: Training | None = None

    def build(self, space: Space) -> None:
        px, game = self._host.theme.px, self._course.shown_step.chart
        super().build(space)
        self._training = training(game)
        inside = Space(self._rect.inflate(-2 * px(_PADDING), -2 * px(_PADDING)), 0)
        self._title, self._name = inside.top(px(_TITLE)), inside.bottom(px(_NAME))
        above, below = panels(self._training)
        self._heading = t("training.title", game=game_name(game))
        self._views = [
            _View(self._host, above, inside.top(round(inside.rest.height * _UPPER))),
            _View(self._host, below, inside.rest),
        ]

    def planes(self) -> list[pygame.Rect]:
        """Where the lines are: of what the network can do, and of its losses."""
        return [view.plot for view in self._views]

    def draw(self, surface: pygame.Surface, now: float) -> None:
        theme = self._host.theme
        rounded(surface, self._rect, theme.palette.panel, theme.px(10), theme.palette.line)
        write(surface, theme, self._heading, self._title, 16, bold=True)
        write(surface, theme, t("training.games"), self._name, 14, theme.palette.quiet, align="centre")
        for view in self._views:
            view.draw(surface)
        pointer = pygame.mouse.get_pos()
        if any(plane.collidepoint(pointer) for plane in self.planes()):
            self._draw_pointed(surface, pointer[0])

    def _draw_pointed(self, surface: pygame.Surface, x: int) -> None:
        """Draw a line at the point nearest to the pointer, and its figures."""
        assert self._training is not None
        theme, (view, other) = self._host.theme, self._views
        nearest = min(self._training.progress, key=lambda each: abs(view.place((each.games, 0))[0] - x))
        across = round(view.place((nearest.games, 0))[0])
        for each in (view, other):
            pygame.draw.line(surface, theme.palette.quiet, (across, each.plot.top), (across, each.plot.bottom - 1))
        draw_tip(surface, theme, progress_text(nearest), (across, other.plot.top), self._rect)


class _View:
    """A panel in `rect`: the legend, the scales and the lines."""

    def __init__(self, host: Host, panel: Panel, rect: pygame.Rect) -> None:
        self._theme, self._panel = host.theme, panel
        self._tones, px = tones(host.theme.palette), host.theme.px
        space = Space(rect, 0)
        names = [line_name(key) for key in panel.lines]
        places = legend(space, self._theme, names, px(_LEGEND), px(_SWATCH + 24))
        self._legend = list(zip(panel.lines, places, strict=True))
        space.left(px(_AXIS))
        space.right(px(_EDGE))
        space.top(px(_EDGE))
        self._foot = space.bottom(px(_FOOT))
        self.plot = space.rest
        self._picture = self._painted()

    def place(self, point: tuple[float, float]) -> tuple[float, float]:
        """Where a number of games and a figure lie, in pixels of the window."""
        across, up = self._panel.across.share(point[0]), self._panel.up.share(point[1])
        return self.plot.left + across * (self.plot.width - 1), self.plot.bottom - 1 - up * (self.plot.height - 1)

    def _painted(self) -> pygame.Surface:
        """The lines, painted larger and scaled down, with a margin for their thickness."""
        margin = self._theme.px(_EDGE) // 2
        size = self.plot.width + 2 * margin, self.plot.height + 2 * margin
        picture = pygame.Surface((size[0] * FINER, size[1] * FINER), pygame.SRCALPHA)
        picture.fill((*self._theme.palette.panel, 0))
        left, top = self.plot.left - margin, self.plot.top - margin
        for key, points in self._panel.lines.items():
            fine = [((x - left) * FINER, (y - top) * FINER) for x, y in map(self.place, points)]
            if key == CHANCE:
                self._dash(picture, fine)
                continue
            stroke(picture, self._tones[key], fine, self._theme.scale * _LINE * FINER)
            for point in fine if len(fine) <= _DOTS else ():
                pygame.draw.circle(picture, self._tones[key], point, self._theme.scale * _DOT * FINER)
        return pygame.transform.smoothscale(picture, size)

    def _dash(self, picture: pygame.Surface, points: list[tuple[float, float]]) -> None:
        """Draw a level line of dashes."""
        (x, y), (end, _) = points
        step = self._theme.px(_DASH) * FINER
        while x < end:
            stroke(picture, self._tones[CHANCE], [(x, y), (min(x + step, end), y)], self._theme.scale * 1.5 * FINER)
            x += 2 * step

    def draw(self, surface: pygame.Surface) -> None:
        margin = self._theme.px(_EDGE) // 2
        self._draw_scales(surface)
        surface.blit(self._picture, (self.plot.left - margin, self.plot.top - margin))
        for key, rect in self._legend:
            px, row, middle = self._theme.px, Space(rect, self._theme.px(6)), rect.centery
            swatch = row.left(px(_SWATCH))
            wide = max(2, px(_LINE))
            ends = ((0.0, 0.38), (0.62, 1.0)) if key == CHANCE else ((0.0, 1.0),)
            for start, end in ends:
                bar = pygame.Rect(swatch.left + round(start * swatch.width), middle, 0, 0)
                bar.size = round((end - start) * swatch.width), wide
                pygame.draw.rect(surface, self._tones[key], bar)
            write(surface, self._theme, line_name(key), row.rest, 14)

    def _draw_scales(self, surface: pygame.Surface) -> None:
        theme, palette, px, plot = self._theme, self._theme.palette, self._theme.px, self.plot
        faint = mix(palette.panel, palette.line, 0.8)
        for mark in self._panel.up.marks:
            y = round(self.place((0, mark))[1])
            pygame.draw.line(surface, faint, (plot.left, y), (plot.right - 1, y))
            label = pygame.Rect(plot.left - px(_AXIS), y - px(10), px(_AXIS - 8), px(20))
            write(surface, theme, self._panel.text(mark), label, 14, palette.quiet, align="right")
        for mark in self._panel.across.marks:
            x = round(self.place((mark, 0))[0])
            pygame.draw.line(surface, faint, (x, plot.top), (x, plot.bottom - 1))
            text = f"{mark:,.0f}"
            label = pygame.Rect(0, self._foot.top + px(2), width_of(theme, text, 14), self._foot.height - px(2))
            label.centerx = x
            label.right = min(label.right, self._foot.right + px(_EDGE + _PADDING // 2))
            write(surface, theme, text, label, 14, palette.quiet)
