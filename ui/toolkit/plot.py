"""What charts have in common: a legend, and a box with words at a point."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from ui.toolkit.art import rounded
from ui.toolkit.canvas import Place
from ui.toolkit.layout import Space
from ui.toolkit.text import width_of
from ui.toolkit.theme import Theme


def draw_tip(surface: pygame.Surface, theme: Theme, text: str, place: Place, within: pygame.Rect) -> None:
    """Draw a box with `text` over `place`, inside of `within`."""
    image = theme.text(text, 14, theme.palette.text)
    box = image.get_rect().inflate(theme.px(16), theme.px(10))
    box.midbottom = round(place[0]), round(place[1]) - theme.px(10)
    box.clamp_ip(within.inflate(-theme.px(8), -theme.px(8)))
    rounded(surface, box, theme.palette.raised, theme.px(6), theme.palette.line)
    surface.blit(image, image.get_rect(center=box.center))


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
