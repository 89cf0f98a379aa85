"""The bar beside the board: the win probability of each side, with a piece of each side at its ends."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import pygame

from ai.players.opponents import opponents
from games.position import FIRST, SECOND
from ui.board.looks import look
from ui.board.shapes import contrast, ink_on
from ui.board.view import BoardView
from ui.parts.knowledge import Knowledge
from ui.toolkit.art import clipped, rounded
from ui.toolkit.space import Space
from ui.toolkit.theme import Colour, Theme, mix
from ui.toolkit.typesetting import write
from ui.window.host import Host
from ui.window.part import Part
from ui.words.views import sides_text

_WIDTH, _GAP, _END = 24, 8, 4
"""In design pixels: of the bar, between it and the board at its right, and between it and the pieces."""

_SCALE = (25, 50, 75)
_ALIKE = 1.5  # contrast to the background
_RATE = 9.0  # of the way that is left, a second
_NEAR = 0.002  # of the bar, where the motion ends


def bar_colours(theme: Theme, game: str) -> tuple[Colour, Colour]:
    """The colours of both sides in bars, mixed with grey where they are too much like the background."""
    palette = theme.palette
    first, second = look(game).sides or (palette.accent, palette.info)
    return _visible_colour(theme, first), _visible_colour(theme, second)


def _visible_colour(theme: Theme, colour: Colour) -> Colour:
    """Return `colour`, mixed with grey if it is too much like the background."""
    like = contrast(colour, theme.palette.background) < _ALIKE
    return mix(colour, theme.palette.quiet, 0.2) if like else colour


class WinBar(Part):
    """A vertical bar beside `board`, filled from the bottom by the first side's win probability in `knowledge`. A
    change is animated if the settings allow motion. The bar takes room while `wanted` returns True, and is drawn only
    if there is a win probability."""

    def __init__(
        self, host: Host, game: str, board: BoardView, knowledge: Knowledge, wanted: Callable[[], bool] = lambda: True
    ) -> None:
        self._host, self._game, self._board, self._knowledge, self._wanted = host, game, board, knowledge, wanted
        self.wins: float | None = None
        """What is shown finally, None where nothing is known."""
        self.shown = 0.5
        self._at: float | None = None  # the time of the last update

    def build(self, space: Space) -> None:
        """Take room from the left of `space`, while the bar is wanted."""
        if self._wanted():
            gap, space.gap = space.gap, self._host.theme.px(_GAP)
            space.left(self._host.theme.px(_WIDTH))
            space.gap = gap

    def shape(self) -> object:
        """What the layout depends on: whether the bar is wanted."""
        return self._wanted()

    @property
    def rect(self) -> pygame.Rect:
        """The place of the bar, without the pieces at its ends."""
        return self._outer_rect.inflate(0, -2 * self._host.theme.px(_WIDTH + _END))

    @property
    def _outer_rect(self) -> pygame.Rect:
        """The place of the bar with the pieces at its ends, as high as the board."""
        board, px = self._board.area, self._host.theme.px
        return pygame.Rect(board.left - px(_WIDTH + _GAP), board.top, px(_WIDTH), board.height)

    def update(self, now: float) -> None:
        """Move the bar towards the present win probability."""
        wins = self._knowledge.wins if self._wanted() else None
        elapsed, self._at = 0.0 if self._at is None else max(0.0, now - self._at), now
        start, self.wins = self.wins is None, wins
        if wins is not None:
            rest = 0.0 if start or not self._host.motion else math.exp(-_RATE * elapsed)
            self.shown = wins + (self.shown - wins) * rest
            if abs(self.shown - wins) < _NEAR:
                self.shown = wins

    def wake(self, now: float) -> float | None:
        """Return 0 while the bar moves towards the present win probability, else None."""
        return 0.0 if self.wins is not None and self.shown != self.wins else None

    def hint(self) -> str:
        """The win probability in words, while the mouse is over the bar."""
        pointed = self._wanted() and self.wins is not None and self._outer_rect.collidepoint(pygame.mouse.get_pos())
        return sides_text(self._game, self.wins) if pointed and self.wins is not None else ""

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the bar and a piece of each side at its ends; nothing while there is no win probability."""
        if not self._wanted() or self.wins is None:
            return
        rect, room, theme = self.rect, self._outer_rect, self._host.theme
        surface.blit(_picture(theme, self._game, rect.size, round(rect.height * self.shown)), rect)
        end = pygame.Rect(0, 0, room.width, room.width)
        for side, place in ((FIRST, {"midbottom": room.midbottom}), (SECOND, {"midtop": room.midtop})):
            look(self._game).badge(surface, theme, end.move_to(**place), side)


@lru_cache(maxsize=16)
def _picture(theme: Theme, game: str, size: tuple[int, int], height: int) -> pygame.Surface:
    """Render a bar, cached. The part of the first side is `height` pixels high."""
    palette, radius = theme.palette, theme.px(4)
    picture = pygame.Surface(size)
    picture.fill(palette.background)
    rect = picture.get_rect()
    first, second = bar_colours(theme, game)
    for colour, share in ((second, rect), (first, pygame.Rect(0, rect.bottom - height, *size))):
        with clipped(picture, share):
            rounded(picture, rect, colour, radius)
            if not opponents(game).solvable:  # there it shows results, and no probabilities
                _draw_scale(picture, theme, ink_on(colour))
    pygame.draw.rect(picture, palette.quiet, rect, theme.px(1), radius)
    return picture


def _draw_scale(picture: pygame.Surface, theme: Theme, ink: Colour) -> None:
    """Draw the percentages at their heights."""
    width, height = picture.get_size()
    place = pygame.Rect(0, 0, width, theme.px(16))
    for percent in _SCALE:
        place.centery = height - round(height * percent / 100)
        write(picture, theme, str(percent), place, 14, ink, align="centre")
