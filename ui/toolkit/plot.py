"""What charts have in common: scales, a legend, and a box with words at a point."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

import pygame

from ui.toolkit.art import rounded
from ui.toolkit.canvas import Canvas, Place
from ui.toolkit.space import Space
from ui.toolkit.theme import Theme, mix
from ui.toolkit.typesetting import width_of

Mark = tuple[float, str]
"""Where a line of a scale is, in pixels, and its text."""

_LABEL = 60  # design pixels


def draw_tip(surface: pygame.Surface, theme: Theme, text: str, place: Place, within: pygame.Rect) -> None:
    """Draw a box with `text` over `place`, inside of `within`."""
    image = theme.text(text, 14, theme.palette.text)
    box = image.get_rect().inflate(theme.px(16), theme.px(10))
    box.midbottom = round(place[0]), round(place[1]) - theme.px(10)
    box.clamp_ip(within.inflate(-theme.px(8), -theme.px(8)))
    rounded(surface, box, theme.palette.raised, theme.px(6), theme.palette.line)
    surface.blit(image, image.get_rect(center=box.center))


def draw_grid(
    canvas: Canvas, room: pygame.Rect, up: Iterable[Mark], across: Iterable[Mark] = (), right: int = sys.maxsize
) -> None:
    """Draw the scales of a chart: lines across `room`, with texts at the left, and lines down, with texts below that
    end at `right` at the latest."""
    theme, px = canvas.theme, canvas.theme.px
    faint, quiet = mix(theme.palette.panel, theme.palette.line, 0.8), theme.palette.quiet
    for place, text in up:
        y = round(place)
        canvas.line(((room.left, y), (room.right - 1, y)), faint)
        label = pygame.Rect(room.left - px(8) - px(_LABEL), y - px(10), px(_LABEL), px(20))
        canvas.text(text, label, 14, quiet, align="right")
    for place, text in across:
        x = round(place)
        canvas.line(((x, room.top), (x, room.bottom - 1)), faint)
        label = pygame.Rect(0, room.bottom + px(2), width_of(theme, text, 14), px(18))
        label.centerx = x
        label.right = min(label.right, right)
        canvas.text(text, label, 14, quiet)


def legend(space: Space, theme: Theme, names: Sequence[str], high: int, mark: int) -> list[pygame.Rect]:
    """Take from the top of `space` as many rows, `high` pixels each, as `names` need; return the place of each of them
    with its mark, `mark` pixels wide."""
    row, places = Space(space.top(high), 0), []
    for name in names:
        wide = mark + width_of(theme, name, 14)
        if wide > row.rest.width:
            row = Space(space.top(high), 0)
        places.append(row.left(wide))
    return places
