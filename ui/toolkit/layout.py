"""Cutting a rectangle into smaller ones. All lengths are real pixels."""

from __future__ import annotations

from itertools import pairwise

import pygame

BUTTON = 36
"""Height of a button in design pixels."""


class Space:
    """What is left of `rect`; each `top`, `bottom`, `left`, `right` cuts a strip off, and `gap` with it."""

    def __init__(self, rect: pygame.Rect, gap: int) -> None:
        self.rest = rect.copy()
        self.gap = gap

    def top(self, height: int) -> pygame.Rect:
        piece = pygame.Rect(self.rest.left, self.rest.top, self.rest.width, height)
        self._shrink(height, 0, 1)
        return piece

    def bottom(self, height: int) -> pygame.Rect:
        piece = pygame.Rect(self.rest.left, self.rest.bottom - height, self.rest.width, height)
        self._shrink(height, 0, 0)
        return piece

    def left(self, width: int) -> pygame.Rect:
        piece = pygame.Rect(self.rest.left, self.rest.top, width, self.rest.height)
        self._shrink(width, 1, 1)
        return piece

    def right(self, width: int) -> pygame.Rect:
        piece = pygame.Rect(self.rest.right - width, self.rest.top, width, self.rest.height)
        self._shrink(width, 1, 0)
        return piece

    def _shrink(self, length: int, across: int, from_start: int) -> None:
        taken = length + self.gap
        if across:
            self.rest.width = max(0, self.rest.width - taken)
            self.rest.left += taken * from_start
        else:
            self.rest.height = max(0, self.rest.height - taken)
            self.rest.top += taken * from_start


def columns(rect: pygame.Rect, count: int, gap: int) -> list[pygame.Rect]:
    """`rect` in `count` columns of equal width, the odd pixels spread."""
    edges = [round(i * (rect.width + gap) / count) for i in range(count + 1)]
    return [
        pygame.Rect(rect.left + start, rect.top, end - start - gap, rect.height)
        for start, end in pairwise(edges)
    ]
