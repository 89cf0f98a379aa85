"""Draws strokes and shapes without jagged edges: on a surface four times as large, scaled down at the end.

Coordinates are those of a square of 24 units, whatever the size in pixels. What is drawn is in `ui/icons.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from math import cos, hypot, radians, sin

import pygame

from ui.palette import Colour

UNITS = 24
STROKE = 2.1
FINER = 4

Point = tuple[float, float]


def arc_points(centre: Point, radius: float, start: float, end: float, tall: float = 1.0) -> list[Point]:
    """Points from angle `start` to `end` in degrees, clockwise from the right; `tall` makes it an ellipse."""
    steps = max(8, int(abs(end - start) / 6))
    angles = [radians(start + (end - start) * i / steps) for i in range(steps + 1)]
    return [(centre[0] + radius * cos(angle), centre[1] + radius * tall * sin(angle)) for angle in angles]


def box_points(left: float, top: float, right: float, bottom: float, radius: float) -> list[Point]:
    """A rectangle with round corners, clockwise."""
    near, far = left + radius, right - radius
    centres = ((far, top + radius), (far, bottom - radius), (near, bottom - radius), (near, top + radius))
    return [
        point
        for index, centre in enumerate(centres)
        for point in arc_points(centre, radius, 90 * index - 90, 90 * index)
    ]


class Pen:
    """Draws in one colour; `result` gives the picture in its final size."""

    def __init__(self, size: int, colour: Colour, stroke: float = STROKE) -> None:
        self.size, self.stroke = size, stroke
        self._unit = size * FINER / UNITS
        self._colour = colour
        # Transparent pixels have the colour too, so that scaling does not mix black into the edges.
        self._surface = pygame.Surface((size * FINER, size * FINER), pygame.SRCALPHA)
        self._surface.fill((*colour, 0))

    def line(self, *points: Point, closed: bool = False) -> None:
        """A stroke with round ends and joints."""
        path = [*points, points[0]] if closed else list(points)
        for start, end in pairwise(path):
            self._segment(start, end)
        for point in path:
            self.disc(point, self.stroke / 2)

    def shape(self, points: Iterable[Point]) -> None:
        """A filled shape whose corners are as round as the ends of strokes."""
        corners = list(points)
        pygame.draw.polygon(self._surface, self._colour, [self._pixel(point) for point in corners])
        self.line(*corners, closed=True)

    def disc(self, centre: Point, radius: float) -> None:
        pygame.draw.circle(self._surface, self._colour, self._pixel(centre), radius * self._unit)

    def ring(self, centre: Point, radius: float) -> None:
        self.line(*arc_points(centre, radius, 0, 360))

    def arc(self, centre: Point, radius: float, start: float, end: float) -> None:
        self.line(*arc_points(centre, radius, start, end))

    def box(self, left: float, top: float, right: float, bottom: float, radius: float = 2) -> None:
        self.line(*box_points(left, top, right, bottom, radius), closed=True)

    def result(self) -> pygame.Surface:
        return pygame.transform.smoothscale(self._surface, (self.size, self.size))

    def _pixel(self, point: Point) -> Point:
        return point[0] * self._unit, point[1] * self._unit

    def _segment(self, start: Point, end: Point) -> None:
        length = hypot(end[0] - start[0], end[1] - start[1])
        if not length:
            return
        half = self.stroke / 2 / length
        across = (end[1] - start[1]) * half, (start[0] - end[0]) * half
        corners = [(start[0] + across[0], start[1] + across[1]), (end[0] + across[0], end[1] + across[1])]
        corners += [(end[0] - across[0], end[1] - across[1]), (start[0] - across[0], start[1] - across[1])]
        pygame.draw.polygon(self._surface, self._colour, [self._pixel(corner) for corner in corners])
