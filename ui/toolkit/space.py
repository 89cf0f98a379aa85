"""Divide rectangles. All lengths are real pixels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import pygame

BUTTON = 36
"""Height of a button in design pixels."""


class Space:
    """What is left of a rectangle, `rest`: `top`, `bottom`, `left` and `right` cut a strip from it, and a `gap` beside
    it."""

    def __init__(self, rect: pygame.Rect, gap: int = 0) -> None:
        self.rest = rect.copy()
        self.gap = gap

    def top(self, height: int) -> pygame.Rect:
        """Cut a strip of `height` from the top, and the gap below it. Return the strip."""
        piece = self.bottom(height)
        piece.top = self.rest.top
        self.rest.top += height + self.gap
        return piece

    def bottom(self, height: int) -> pygame.Rect:
        """Cut a strip of `height` from the bottom, and the gap above it. Return the strip."""
        piece = pygame.Rect(self.rest.left, self.rest.bottom - height, self.rest.width, height)
        self.rest.height = max(0, self.rest.height - height - self.gap)
        return piece

    def left(self, width: int) -> pygame.Rect:
        """Cut a strip of `width` from the left, and the gap beside it. Return the strip."""
        piece = self.right(width)
        piece.left = self.rest.left
        self.rest.left += width + self.gap
        return piece

    def right(self, width: int) -> pygame.Rect:
        """Cut a strip of `width` from the right, and the gap beside it. Return the strip."""
        piece = pygame.Rect(self.rest.right - width, self.rest.top, width, self.rest.height)
        self.rest.width = max(0, self.rest.width - width - self.gap)
        return piece


def without_sides(rect: pygame.Rect, margin: int) -> pygame.Rect:
    """Return `rect` without `margin` pixels at the left and at the right."""
    return rect.inflate(-2 * margin, 0)


def centred(width: int, height: int, middle: tuple[int, int]) -> pygame.Rect:
    """Return a rectangle of this size around a pixel."""
    return pygame.Rect(middle[0] - width // 2, middle[1] - height // 2, width, height)


def knob(track: pygame.Rect, width: int, first: float, shown: int, whole: int, least: int) -> pygame.Rect:
    """Return the knob of a vertical scroll bar, `width` pixels wide, at the right edge of `track`. Of `whole` rows or
    pixels, `shown` are in sight, from `first` on. The knob is at least `least` pixels high."""
    height = max(least, track.height * shown // whole)
    top = track.top + int((track.height - height) * first / max(1, whole - shown))
    return pygame.Rect(track.right - width, top, width, height)


def columns(rect: pygame.Rect, count: int, gap: int) -> list[pygame.Rect]:
    """Divide `rect` into `count` columns of equal width, `gap` pixels apart. Their widths differ by a pixel at most."""
    edges = [round(i * (rect.width + gap) / count) for i in range(count + 1)]
    return [
        pygame.Rect(rect.left + start, rect.top, end - start - gap, rect.height)
        for start, end in pairwise(edges)
    ]


# The scale of an axis, without pixels: round numbers from one end to the other.


_ROUND = (1, 2, 5, 10)


@dataclass(frozen=True, slots=True)
class Scale:
    """The scale of an axis from `low` to `high`, both multiples of `step`."""

    low: float
    high: float
    step: float

    @classmethod
    def over(cls, low: float, high: float, most: int, least: float = 0.0) -> Scale:
        """Return the finest scale that includes `low` and `high`, and whose step is 1, 2 or 5 times a power of ten, at
        least `least`. At most `most` steps are between the two values."""
        wanted = max((high - low) / most, least, 1e-9)
        power = 10.0 ** math.floor(math.log10(wanted) + 1e-9)
        step = next(power * digit for digit in _ROUND if power * digit >= wanted * (1 - 1e-9))
        return cls(math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step, step)

    @property
    def marks(self) -> list[float]:
        """The multiples of `step` from `low` to `high`."""
        count = round((self.high - self.low) / self.step)
        return [self.low + number * self.step for number in range(count + 1)]

    def share(self, value: float) -> float:
        """Return where a value is on the scale: 0 at `low`, 1 at `high`; below 0 or above 1 if it is outside."""
        return (value - self.low) / (self.high - self.low or 1)
