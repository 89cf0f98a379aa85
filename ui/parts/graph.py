"""The course of a game: the first side's win probability from move to move, which a click or a drag goes through."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from ui.toolkit.box_art import clipped, rounded
from ui.toolkit.controls import Point, Widget
from ui.toolkit.palette import mix
from ui.toolkit.theme import Theme
from ui.words.review import kind_colour

_FINER = 3  # times as large as it is shown: lines without jagged edges
_PADDING, _DOT, _LINE = 8, 4.5, 2
"""Design pixels: around the curve, radius of a dot, thickness of the curve."""

Dot = tuple[int, float, str]


class WinGraph(Widget):
    """`wins` are the probabilities at the start and after each move, None where they are not known yet. `dots` are
    mistakes: the position by its number, the probability there, and the kind. `action` gets the number of a position.
    """

    def __init__(
        self, theme: Theme, rect: pygame.Rect, wins: Sequence[float | None], dots: Sequence[Dot],
        action: Callable[[int], object],
    ) -> None:  # fmt: skip
        super().__init__(theme, rect)
        self.wins, self.dots, self.action = tuple(wins), tuple(dots), action
        self.at = 0
        """The position that is shown."""
        self._picture: pygame.Surface | None = None

    def show(self, wins: Sequence[float | None], dots: Sequence[Dot]) -> None:
        """Draw these from now on."""
        if len(wins) != len(self.wins):
            self._picture = None
        before = set(enumerate(self.wins)), set(self.dots)
        self.wins, self.dots = tuple(wins), tuple(dots)
        changed = [each[0] for each in (before[0] ^ set(enumerate(self.wins))) | (before[1] ^ set(self.dots))]
        if changed and self._picture is not None:
            self._paint(self._picture, *self._strip(min(changed), max(changed)))

    @property
    def last(self) -> int:
        return max(0, len(self.wins) - 1)

    @property
    def plot(self) -> pygame.Rect:
        around = 2 * self.theme.px(_PADDING)
        return self.rect.inflate(-around, -around)

    def pixel_of(self, number: int, win: float = 0.5) -> tuple[float, float]:
        """Where a position stands, in pixels of the window."""
        plot = self.plot
        return plot.left + plot.width * number / max(1, self.last), plot.top + plot.height * (1 - win)

    @property
    def pointed(self) -> int | None:
        """The number of the position under the pointer."""
        return None if self.pointer is None else self._number_at(self.pointer)

    def _number_at(self, point: Point) -> int:
        share = (point[0] - self.plot.left) / max(1, self.plot.width)
        return max(0, min(round(share * self.last), self.last))

    def press(self, point: Point) -> None:
        self.drag(point)

    def drag(self, point: Point) -> None:
        self._go(self._number_at(point))

    def key(self, event: pygame.event.Event) -> bool:
        steps = {pygame.K_LEFT: -1, pygame.K_RIGHT: 1}
        if event.key in steps:
            self._go(self.at + steps[event.key])
        return event.key in steps

    def _go(self, number: int) -> None:
        number = max(0, min(number, self.last))
        if number != self.at:
            self.at = number
            self.action(number)

    # The picture.

    def draw(self, surface: pygame.Surface) -> None:
        if self._picture is None:
            self._picture = pygame.Surface(self.rect.size)
            self._paint(self._picture, 0, self.rect.width)
        surface.blit(self._picture, self.rect)
        palette, px = self.theme.palette, self.theme.px
        if self.pointed is not None:
            self._draw_line(surface, self.pointed, mix(palette.raised, palette.quiet, 0.6), 1)
        self._draw_line(surface, self.at, palette.accent, max(2, px(2)))

    def _draw_line(self, surface: pygame.Surface, number: int, colour: tuple[int, int, int], wide: int) -> None:
        x, top = round(self.pixel_of(number)[0]), self.rect.top + self.theme.px(3)
        surface.fill(colour, (x - wide // 2, top, wide, self.rect.height - 2 * self.theme.px(3)))

    def _strip(self, first: int, last: int) -> tuple[int, int]:
        """What positions from `first` to `last` change of the picture, with the lines to their neighbours."""
        left, right = (round(self.pixel_of(number)[0]) - self.rect.left for number in (first - 1, last + 1))
        around = self.theme.px(2 * _DOT)
        return max(0, left - around), min(self.rect.width, right + around)

    def _paint(self, picture: pygame.Surface, left: int, right: int) -> None:
        """Ground, curve and dots from `left` to `right`; what is smooth is painted larger and scaled down."""
        theme, palette = self.theme, self.theme.palette
        strip = pygame.Rect(left, 0, right - left, self.rect.height)
        fine = pygame.Surface((strip.width * _FINER, strip.height * _FINER), pygame.SRCALPHA)
        fine.fill((*palette.text, 0))
        for run in self._runs(left):
            self._draw_run(fine, run)
        with clipped(picture, strip):
            picture.fill(palette.panel)
            rounded(picture, picture.get_rect(), palette.raised, theme.px(8), palette.line)
            self._draw_middle(picture)
            picture.blit(pygame.transform.smoothscale(fine, strip.size), strip)
            for number, win, kind in self.dots:
                self._draw_dot(picture, number, win, kind)

    def _draw_middle(self, picture: pygame.Surface) -> None:
        dash, y = max(2, self.theme.px(4)), self.rect.height // 2
        for x in range(self.theme.px(_PADDING), self.rect.width - self.theme.px(_PADDING), 2 * dash):
            picture.fill(mix(self.theme.palette.raised, self.theme.palette.quiet, 0.5), (x, y, dash, 1))

    def _runs(self, left: int) -> list[list[tuple[int, int]]]:
        """The points of the curve on the fine picture, which begins at `left`, in pieces without a gap."""
        runs: list[list[tuple[int, int]]] = [[]]
        for number, win in enumerate(self.wins):
            if win is None:
                runs.append([])
                continue
            x, y = self.pixel_of(number, win)
            above = round((y - self.rect.top) * _FINER)
            runs[-1].append((round((x - self.rect.left) * _FINER) - left * _FINER, above))
        return [run for run in runs if run]

    def _draw_run(self, fine: pygame.Surface, run: list[tuple[int, int]]) -> None:
        ink, floor = self.theme.palette.text, (self.plot.bottom - self.rect.top) * _FINER
        thick = max(1.5, self.theme.scale * _LINE) * _FINER
        if len(run) > 1:
            pygame.draw.polygon(fine, (*ink, 40), [(run[0][0], floor), *run, (run[-1][0], floor)])
            pygame.draw.lines(fine, ink, False, run, round(thick))
        for point in run:  # round joints
            pygame.draw.circle(fine, ink, point, thick / 2)

    def _draw_dot(self, picture: pygame.Surface, number: int, win: float, kind: str) -> None:
        x, y = self.pixel_of(number, win)
        place, radius = (round(x - self.rect.left), round(y - self.rect.top)), self.theme.px(_DOT)
        pygame.draw.aacircle(picture, self.theme.palette.raised, place, radius + max(1, self.theme.px(1.5)))
        pygame.draw.aacircle(picture, kind_colour(kind, self.theme.palette.key), place, radius)
