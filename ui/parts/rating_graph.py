"""A rating after each game, with a band of one deviation to either side and dates under it."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from ai.profile import Result
from ui.toolkit.box_art import rounded
from ui.toolkit.i18n import t
from ui.toolkit.palette import mix
from ui.toolkit.plot import FINER, Point, draw_tip, stroke
from ui.toolkit.scale import Scale
from ui.toolkit.text import wrapped, write
from ui.toolkit.theme import Theme

_AXIS, _FOOT, _PADDING, _DATE = 52, 26, 16, 130
"""Design pixels: room for the figures at the left, the dates below, around all, and for one date."""

_LEAST_STEP = 20  # of the scale
_MOST_LINES = 6
_DOTS = 40  # more games are a line alone


class RatingGraph:
    """Shows `results`, rated ones of one game in their order, in `rect`."""

    def __init__(self, theme: Theme, rect: pygame.Rect, results: Sequence[Result]) -> None:
        self.theme, self.rect, self.results = theme, rect, results
        px = theme.px
        inside = rect.inflate(-2 * px(_PADDING), -2 * px(_PADDING))
        self.plot = pygame.Rect(inside.left + px(_AXIS), inside.top, 0, 0)
        self.plot.size = max(1, inside.width - px(_AXIS)), max(1, inside.height - px(_FOOT))
        low = min((each.rating - each.deviation for each in results), default=900)
        high = max((each.rating + each.deviation for each in results), default=1300)
        self._scale = Scale.over(low, high, _MOST_LINES - 1, _LEAST_STEP)
        self._picture: pygame.Surface | None = None

    def draw(self, surface: pygame.Surface, pointer: tuple[int, int]) -> None:
        theme, palette = self.theme, self.theme.palette
        rounded(surface, self.rect, palette.panel, theme.px(10), palette.line)
        if not self.results:
            self._draw_empty(surface)
            return
        self._draw_scale(surface)
        self._picture = self._picture or self._painted()
        surface.blit(self._picture, self.plot)
        self._draw_foot(surface)
        if self.plot.inflate(0, theme.px(20)).collidepoint(pointer):
            self._draw_pointed(surface, pointer[0])

    def _draw_empty(self, surface: pygame.Surface) -> None:
        """Say how to get a rating."""
        theme = self.theme
        lines = wrapped(theme, t("profile.empty"), min(self.plot.width, theme.px(420)), 16)
        line = pygame.Rect(self.rect.left, 0, self.rect.width, theme.px(26))
        line.top = self.rect.centery - len(lines) * line.height // 2
        for text in lines:
            write(surface, theme, text, line, 16, theme.palette.quiet, align="centre")
            line.top += line.height

    def point(self, index: int) -> Point:
        """The place of the rating after that game, in pixels of the window."""
        return self._x(index), self._y(self.results[index].rating)

    def _x(self, index: int) -> float:
        last = len(self.results) - 1
        inset = self.theme.px(6)  # the dots at the ends are whole
        return self.plot.left + inset + (self.plot.width - 2 * inset) * (index / last if last else 0.5)

    def _y(self, rating: float) -> float:
        return self.plot.bottom - self.plot.height * self._scale.share(rating)

    def _draw_scale(self, surface: pygame.Surface) -> None:
        theme, palette = self.theme, self.theme.palette
        for rating in self._scale.marks:
            y = round(self._y(rating))
            faint = mix(palette.panel, palette.line, 0.7)
            pygame.draw.line(surface, faint, (self.plot.left, y), (self.plot.right - 1, y))
            label = pygame.Rect(self.rect.left + theme.px(8), y - theme.px(10), theme.px(_AXIS), theme.px(20))
            write(surface, theme, f"{rating:.0f}", label, 14, palette.quiet, align="right")

    def _painted(self) -> pygame.Surface:
        """Return band, line and dots, painted larger and scaled down."""
        palette = self.theme.palette
        width, height = self.plot.width * FINER, self.plot.height * FINER
        picture = pygame.Surface((width, height), pygame.SRCALPHA)
        picture.fill((*palette.accent, 0))
        indices = range(len(self.results))
        upper = [self._fine(i, 1) for i in indices]
        lower = [self._fine(i, -1) for i in indices]
        line = [self._fine(i, 0) for i in indices]
        if len(line) == 1:
            pygame.draw.line(picture, (*palette.accent, 44), upper[0], lower[0], self.theme.px(8) * FINER)
        else:
            pygame.draw.polygon(picture, (*palette.accent, 44), [*upper, *reversed(lower)])
        thick = max(2, self.theme.px(2.5)) * FINER
        stroke(picture, palette.accent, line, thick)
        if len(line) <= _DOTS:
            for point in line:
                pygame.draw.circle(picture, palette.accent, point, thick * 1.4)
        return pygame.transform.smoothscale(picture, self.plot.size)

    def _fine(self, index: int, deviations: int) -> Point:
        """A point of the large picture: the rating after a game, or an edge of its band."""
        result = self.results[index]
        y = self._y(result.rating + deviations * result.deviation)
        return (self._x(index) - self.plot.left) * FINER, (y - self.plot.top) * FINER

    def _draw_foot(self, surface: pygame.Surface) -> None:
        """Draw the dates of the first and the last game, and of as many between as there is room for."""
        theme, palette = self.theme, self.theme.palette
        foot = pygame.Rect(self.plot.left, self.plot.bottom + theme.px(8), self.plot.width, theme.px(_FOOT - 6))
        for index in self.dated():
            text = theme.text(self.results[index].date[:10], 14, palette.quiet)
            place = text.get_rect(centerx=round(self._x(index)), centery=foot.centery)
            surface.blit(text, place.clamp(foot))

    def dated(self) -> list[int]:
        """The games with a date under them: the first, the last, and those between with room on either side."""
        room, dates = self.theme.px(_DATE), [result.date[:10] for result in self.results]
        chosen = [len(dates) - 1]
        for index in range(len(dates) - 2, -1, -1):
            far = self._x(chosen[-1]) - self._x(index) >= room and (not index or self._x(index) - self._x(0) >= room)
            if far and dates[index] != dates[chosen[-1]]:
                chosen.append(index)
        return chosen[::-1]

    def _draw_pointed(self, surface: pygame.Surface, x: int) -> None:
        """Draw the rating after the game nearest to the pointer."""
        theme, palette = self.theme, self.theme.palette
        index = min(range(len(self.results)), key=lambda i: abs(self._x(i) - x))
        result, (left, top) = self.results[index], self.point(index)
        pygame.draw.aacircle(surface, palette.text, (round(left), round(top)), theme.px(5))
        text = t("profile.point", number=index + 1, rating=f"{result.rating:.0f}", date=result.date[:10])
        draw_tip(surface, theme, text, (left, top), self.rect)
