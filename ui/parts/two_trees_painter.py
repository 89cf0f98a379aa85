"""Draws two whole searches to one scale, in the window and for pictures in files."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from ai.side_by_side import SideBySide
from ui.game.icicle_plan import Plans
from ui.game.icicle_rows import IcicleRows
from ui.parts.icicle_painter import icicle_picture
from ui.toolkit.box_art import clipped
from ui.toolkit.layout import Space
from ui.toolkit.text import width_of, write
from ui.toolkit.theme import Theme
from ui.words.comparison import trees_titles

_TITLE, _ROW, _APART = 26, 56, 14  # design pixels: a line above, the height of a row at most, and below a picture
_LEAST = 3  # pixels of a frame


Picture = tuple[str, str, IcicleRows]
"""A title, a note, and what is drawn."""


def tree_pictures(trees: SideBySide, plans: Plans, wide: int) -> list[Picture]:
    """Return minimax, the other search in its places, and the other one alone; the first is `wide` pixels wide."""
    whole, pruned = plans.traces
    alone = max(2, round(plans.share * wide))
    found = ((plans.whole, whole, wide), (plans.pruned, pruned, wide), (plans.alone, pruned, alone))
    rows = [IcicleRows(plan, trace, 2 * len(trace), pixels) for plan, trace, pixels in found]
    return [(*titles, each) for titles, each in zip(trees_titles(trees), rows, strict=True)]


@dataclass(frozen=True, slots=True)
class Band:
    """What is drawn in `boxes`, with a line above it."""

    title: str
    note: str
    found: IcicleRows
    head: pygame.Rect
    boxes: pygame.Rect


class TwoTreesPainter:
    """The pictures of `plans` in `rect`, which are painted one by one: they take milliseconds."""

    def __init__(self, theme: Theme, rect: pygame.Rect, plans: Plans, trees: SideBySide) -> None:
        self._theme, self.plans = theme, plans
        rows = max(1, plans.whole.rows)
        high = (rect.height - 3 * theme.px(_TITLE) - 2 * theme.px(_APART)) // (3 * rows)
        self._row = max(2, min(theme.px(_ROW), high))
        self._bands, space = [], Space(rect, 0)
        for title, note, found in tree_pictures(trees, plans, rect.width):
            head, boxes = space.top(theme.px(_TITLE)), space.top(rows * self._row)
            boxes.width = found.pixels
            self._bands.append(Band(title, note, found, head, boxes))
            space.top(theme.px(_APART))
        self._pictures: list[pygame.Surface] = []

    def paint(self) -> bool:
        """Paint one more picture. Return whether all are there."""
        if len(self._pictures) < len(self._bands):
            found = self._bands[len(self._pictures)].found
            self._pictures.append(icicle_picture(found, self._row, self._theme))
        return len(self._pictures) == len(self._bands)

    def draw(self, surface: pygame.Surface) -> None:
        while not self.paint():
            pass
        theme, palette = self._theme, self._theme.palette
        for band, picture in zip(self._bands, self._pictures, strict=True):
            line = Space(band.head, theme.px(12))
            note = line.right(width_of(theme, band.note, 14) + 1)
            write(surface, theme, band.note, note, 14, palette.quiet, align="right")
            write(surface, theme, band.title, line.rest, 16, bold=True)
            around = pygame.Rect(band.boxes.left, band.boxes.top, band.head.width, band.boxes.height)
            pygame.draw.rect(surface, palette.line, around.inflate(2, 2), 1)
            surface.blit(picture, band.boxes)

    def draw_pointed(self, surface: pygame.Surface, moves: tuple[int, ...]) -> None:
        """Frame the node after `moves` in all pictures."""
        for band in self._bands:
            plan = band.found.plan
            node = band.found.trace.node_after(moves)
            if node is None or node >= plan.count:
                continue
            left, wide = plan.place(node, band.boxes.width)
            top = band.boxes.top + int(plan.ply[node]) * self._row
            box = pygame.Rect(band.boxes.left + int(left), top, max(_LEAST, round(wide)), self._row)
            with clipped(surface, band.boxes.inflate(4, 4)):
                pygame.draw.rect(surface, self._theme.palette.text, box.inflate(2, 2), max(2, self._theme.px(2)))

    def moves_at(self, pixel: tuple[int, int]) -> tuple[int, ...] | None:
        """Return the moves to the node at `pixel`, also where only minimax visits it."""
        for band in self._bands:
            if band.boxes.collidepoint(pixel):
                share = (pixel[0] - band.boxes.left) / band.boxes.width
                level = (pixel[1] - band.boxes.top) // self._row
                for found in (band.found, self._bands[0].found):
                    if (node := found.plan.node_at(level, share)) >= 0:
                        return found.trace.moves_to(node)
        return None
