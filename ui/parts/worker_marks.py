"""Marks at the nodes of a search by several workers: who has searched a node, and whether that was in vain."""

from __future__ import annotations

import pygame

from ai.search.shared_tree import EXTRA, TWICE, SharedTree
from ai.search.trace import End
from ui.toolkit.box_art import hatch, rounded
from ui.toolkit.palette import mix, series
from ui.toolkit.text import width_of, write
from ui.toolkit.theme import Theme

_BADGE, _LEAST, _STRIP = 18, 26, 9  # design pixels: a badge, a board that has room for one, and a hatched strip


def draw_worker(surface: pygame.Surface, theme: Theme, tree: SharedTree, node: int, rect: pygame.Rect) -> None:
    """Mark the node whose board is at `rect`: the number of its worker, a hatched strip and a frame if it was searched
    in vain, ``2×`` if the same was searched twice, and a cross if it was stopped."""
    px, palette = theme.px, theme.palette
    tone = series(palette, tree.worker[node] - 1)
    pygame.draw.rect(surface, tone, rect.inflate(2 * px(2), 2 * px(2)), max(1, px(2)), px(4))
    if tree.marks[node] & EXTRA:
        strip = pygame.Rect(rect.left, rect.bottom - max(3, px(_STRIP)), rect.width, max(3, px(_STRIP)))
        surface.fill(palette.panel, strip)
        hatch(surface, strip, palette.bad, max(4, px(5)))
    if rect.width < px(_LEAST):
        return
    badge = pygame.Rect(0, 0, px(_BADGE), px(_BADGE))
    badge.center = rect.topleft
    rounded(surface, badge, mix(palette.panel, tone, 0.3), px(5), tone)
    write(surface, theme, str(tree.worker[node]), badge, 14, palette.text, bold=True, align="centre")
    right = pygame.Rect(0, 0, width_of(theme, "2×", 14) + px(6), px(_BADGE))
    right.center = rect.topright
    if tree.end[node] == End.STOPPED:
        rounded(surface, right, palette.panel, px(5), palette.bad)
        write(surface, theme, "×", right, 16, palette.bad, bold=True, align="centre")
    elif tree.marks[node] & TWICE:
        rounded(surface, right, palette.panel, px(5), palette.quiet)
        write(surface, theme, "2×", right, 14, palette.quiet, align="centre")
