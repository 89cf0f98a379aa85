"""Divide rectangles. All lengths are real pixels."""

from __future__ import annotations

from itertools import pairwise

import pygame

BUTTON = 36
"""Height of a button in design pixels."""


class Space:
    """The `rest` of a rectangle: `top`, `bottom`, `left` and `right` cut off a strip, and a `gap` with it."""

    def __init__(self, rect: pygame.Rect, gap: int) -> None:
        self.rest = rect.copy()
        self.gap = gap

    def top(self, height: int) -> pygame.Rect:
        piece = self.bottom(height)
        piece.top = self.rest.top
        self.rest.top += height + self.gap
        return piece

    def bottom(self, height: int) -> pygame.Rect:
        piece = pygame.Rect(self.rest.left, self.rest.bottom - height, self.rest.width, height)
        self.rest.height = max(0, self.rest.height - height - self.gap)
        return piece

    def left(self, width: int) -> pygame.Rect:
        piece = self.right(width)
        piece.left = self.rest.left
        self.rest.left += width + self.gap
        return piece

    def right(self, width: int) -> pygame.Rect:
        piece = pygame.Rect(self.rest.right - width, self.rest.top, width, self.rest.height)
        self.rest.width = max(0, self.rest.width - width - self.gap)
        return piece


def knob(track: pygame.Rect, width: int, first: float, shown: int, whole: int, least: int) -> pygame.Rect:
    """Return the knob of a scroll bar at the right of `track`, which shows `shown` of `whole` rows or pixels from
    `first` on. It is at least `least` pixels high."""
    height = max(least, track.height * shown // whole)
    top = track.top + int((track.height - height) * first / max(1, whole - shown))
    return pygame.Rect(track.right - width, top, width, height)


def columns(rect: pygame.Rect, count: int, gap: int) -> list[pygame.Rect]:
    """Divide `rect` into `count` columns of equal width, with odd pixels spread evenly."""
    edges = [round(i * (rect.width + gap) / count) for i in range(count + 1)]
    return [
        pygame.Rect(rect.left + start, rect.top, end - start - gap, rect.height)
        for start, end in pairwise(edges)
    ]
