"""The accuracy of both players, and how many moves of each kind they made."""

from __future__ import annotations

import pygame

from ai.review.report import Reviewed
from ui.board.registry import look
from ui.toolkit.layout import Space
from ui.toolkit.text import write
from ui.toolkit.theme import Theme
from ui.words import review as words

HEIGHT = 70
"""In design pixels: a row of signs, and one for each side."""

_SIGNS, _ROW, _BADGE = 22, 24, 18
_KIND, _MOST = 27, 0.68  # design pixels of a column, but at most that share of the width for all


class ReviewTable:
    """A table in `rect`. The colours of its columns are those of the kinds."""

    def __init__(self, theme: Theme, rect: pygame.Rect) -> None:
        self.theme, self.rect = theme, rect
        self._painted: tuple[Reviewed, pygame.Surface] | None = None

    def column(self, kind: str) -> pygame.Rect:
        cell = self._cell(kind, 0)
        return pygame.Rect(self.rect.left + cell.left, self.rect.top, cell.width, self.rect.height)

    def _cell(self, kind: str, row: int) -> pygame.Rect:
        """Where a number stands in the picture; row 0 is that of the signs."""
        px, count = self.theme.px, len(words.GRAVEST_FIRST)
        wide = min(px(_KIND), round(self.rect.width * _MOST / count))
        left = self.rect.width - wide * (count - words.GRAVEST_FIRST.index(kind))
        if row == 0:
            return pygame.Rect(left, 0, wide, px(_SIGNS))
        return pygame.Rect(left, px(_SIGNS) + (row - 1) * px(_ROW), wide, px(_ROW))

    def draw(self, surface: pygame.Surface, found: Reviewed) -> None:
        if self._painted is None or self._painted[0] is not found:
            self._painted = found, self._paint(found)
        surface.blit(self._painted[1], self.rect)

    def _paint(self, found: Reviewed) -> pygame.Surface:
        theme, game = self.theme, found.record.setup.game
        picture = pygame.Surface(self.rect.size)
        picture.fill(theme.palette.panel)
        for kind in words.GRAVEST_FIRST:
            self._paint_sign(picture, kind)
        for side, share in enumerate(found.accuracy):
            top = self._cell(words.GRAVEST_FIRST[0], side + 1)
            name = Space(pygame.Rect(0, top.top, top.left, top.height), theme.px(8))
            look(game).badge(picture, theme, name.left(theme.px(_BADGE)), side)
            write(picture, theme, words.accuracy_text(share), name.rest, 16, bold=True)
            for kind, count in words.counts(found, side).items():
                colour = words.kind_colour(kind, theme.palette.key) if count else theme.palette.quiet
                write(picture, theme, str(count), self._cell(kind, side + 1), 14, colour, align="centre")
        return picture

    def _paint_sign(self, picture: pygame.Surface, kind: str) -> None:
        colour, cell = words.kind_colour(kind, self.theme.palette.key), self._cell(kind, 0)
        if words.SIGNS[kind]:
            write(picture, self.theme, words.SIGNS[kind], cell, 14, colour, bold=True, align="centre")
        else:
            pygame.draw.aacircle(picture, colour, cell.center, self.theme.px(4))
