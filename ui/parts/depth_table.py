"""The table of depths: what the engine's search found at its root and did in each iteration, newest last."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from ui.toolkit.space import Space
from ui.toolkit.typesetting import write
from ui.window.host import Host
from ui.window.part import Part
from ui.words.views import Depths, cells, depths_sentence, heads, outcome_of

_HEAD, _ROW = 22, 20  # design pixels
_WIDTHS = (40, 37, 42, 43, 36, 36, 38)  # of the columns, in design pixels
_WORDS = 28  # more for a score in words


class DepthTable(Part):
    """Takes its room from the bottom of the space, for as many rows as there is room for, but no more than `most`, and
    leaves `spared` design pixels; no room if there is not enough for `least` rows, or while `shown` returns None.

    `game` is the key of the game.
    """

    def __init__(
        self, host: Host, game: str, shown: Callable[[], Depths | None], least: int = 4, most: int = 12,
        spared: int = 0,
    ) -> None:  # fmt: skip
        self._host, self._game, self._shown = host, game, shown
        self._least, self._most, self._spared = least, most, spared
        self.rect: pygame.Rect | None = None
        self._rows = 0

    def shape(self) -> object:
        return self._shown() is not None

    def build(self, space: Space) -> None:
        self.make_room(space, self._spared)

    def make_room(self, space: Space, spared: int) -> bool:
        """Take the room, and leave `spared` design pixels. Return whether there was enough."""
        px = self._host.theme.px
        room = space.rest.height - space.gap - px(spared) - px(_HEAD)
        self._rows = max(0, min(self._most, room // px(_ROW)))
        fits = self._rows >= self._least and self._shown() is not None
        self.rect = space.bottom(px(_HEAD) + self._rows * px(_ROW)) if fits else None
        return fits

    def draw(self, surface: pygame.Surface, now: float) -> None:
        found = self._shown()
        if self.rect is None or found is None:
            return
        theme, palette = self._host.theme, self._host.theme.palette
        space, wide = Space(self.rect, 0), self._wide
        head = space.top(theme.px(_HEAD))
        self._write(surface, head, heads(), [palette.quiet] * len(_WIDTHS))
        pygame.draw.line(surface, palette.line, head.bottomleft, head.bottomright)
        for row in found.rows[-self._rows :]:
            colours = [palette.text if row is found.rows[-1] else palette.quiet] * len(_WIDTHS)
            colours[2] = (colours[2], palette.good, palette.bad)[outcome_of(found, row)]
            self._write(surface, space.top(theme.px(_ROW)), cells(found, row, not wide), colours)

    @property
    def _wide(self) -> bool:
        """Whether there is room for scores in words."""
        return self.rect is not None and self.rect.width >= self._host.theme.px(sum(_WIDTHS) + _WORDS + 12)

    def _write(
        self, surface: pygame.Surface, rect: pygame.Rect, texts: tuple[str, ...],
        colours: list[tuple[int, int, int]],
    ) -> None:  # fmt: skip
        """Write one row, each text right-aligned in its column and in its colour."""
        px, space = self._host.theme.px, Space(rect, 0)
        widths = [px(width) for width in _WIDTHS]
        widths[2] += px(_WORDS) if self._wide else 0
        space.gap = (rect.width - sum(widths)) // (len(widths) - 1)
        for text, width, colour in zip(texts, widths, colours, strict=True):
            write(surface, self._host.theme, text, space.left(width), 14, colour, align="right")

    def hint(self) -> str:
        found = self._shown()
        inside = self.rect is not None and self.rect.collidepoint(pygame.mouse.get_pos())
        return depths_sentence(found, self._game) if inside and found is not None else ""
