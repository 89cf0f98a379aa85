"""The bar beside the board: how likely each side is to win."""

from __future__ import annotations

import math

import pygame

from ui.board.registry import look
from ui.toolkit.box_art import rounded
from ui.toolkit.clip import clipped
from ui.toolkit.palette import mix
from ui.toolkit.theme import Theme

WIDTH, GAP = 12, 10
"""In design pixels: of the bar, and between it and the board at its right."""

_RATE = 9.0  # of the way that is left, a second
_NEAR = 0.002  # of the bar, where the motion ends


class WinBar:
    """`show` what is to be shown, and `draw`; the share of the first side is at the bottom. With `motion`, the bar
    moves to a new value."""

    def __init__(self, game: str, motion: bool) -> None:
        self._game = game
        self.motion = motion
        self.rect = pygame.Rect(0, 0, 0, 0)
        self.wins: float | None = None
        """What is shown finally: win probability of the first side, None for an empty bar."""
        self._shown = 0.5
        self._at: float | None = None  # the time of the last update

    def place(self, board: pygame.Rect, theme: Theme) -> None:
        """Stand at the left of what a `board` takes, and be as high."""
        self.rect = pygame.Rect(board.left - theme.px(WIDTH + GAP), board.top, theme.px(WIDTH), board.height)

    def show(self, wins: float | None, now: float) -> None:
        elapsed, self._at = 0.0 if self._at is None else max(0.0, now - self._at), now
        start, self.wins = self.wins is None, wins
        if wins is not None:
            rest = 0.0 if start or not self.motion else math.exp(-_RATE * elapsed)
            self._shown = wins + (self._shown - wins) * rest
            if abs(self._shown - wins) < _NEAR:
                self._shown = wins

    @property
    def moving(self) -> bool:
        return self.wins is not None and self._shown != self.wins

    def draw(self, surface: pygame.Surface, theme: Theme) -> None:
        palette, radius = theme.palette, theme.px(4)
        if self.wins is None:
            rounded(surface, self.rect, mix(palette.background, palette.line, 0.4), radius)
            return
        first, second = look(self._game).sides or (palette.accent, palette.info)
        rounded(surface, self.rect, second, radius)
        height = round(self.rect.height * self._shown)
        with clipped(surface, pygame.Rect(self.rect.left, self.rect.bottom - height, self.rect.width, height)):
            rounded(surface, self.rect, first, radius)
        pygame.draw.rect(surface, mix(palette.line, palette.quiet, 0.6), self.rect, max(1, theme.px(1)), radius)
        middle = self.rect.centery
        pygame.draw.line(surface, palette.bad, (self.rect.left, middle), (self.rect.right - 1, middle))
