"""The picture of a button: ground, icon and text."""

from __future__ import annotations

from typing import NamedTuple

import pygame

from ui.toolkit.box_art import rounded
from ui.toolkit.icons import icon
from ui.toolkit.palette import Colour
from ui.toolkit.styles import Style, styles
from ui.toolkit.text import width_of, write
from ui.toolkit.theme import Theme

ICON, ARROW = 20, 14
GAP = 8
"""Design pixels between an icon and its text, and at least beside the two of them."""
LEAST = 4
"""Design pixels beside a text in the middle."""


class Shown(NamedTuple):
    """What is to be seen on a button: `style` is a key of `ui.toolkit.styles.styles`; `icon` may be empty."""

    style: str
    text: str
    icon: str


def draw_face(theme: Theme, shown: Shown, size: tuple[int, int], state: str) -> pygame.Surface:
    """A button of that size in one of `ui.toolkit.styles.STATES`, with premultiplied alpha."""
    style = styles(theme.palette)[shown.style]
    ground, ink, edge = style.looks[state]
    face = pygame.Surface(size, pygame.SRCALPHA)
    if ground is not None:
        rounded(face, face.get_rect(), ground, theme.px(style.radius), edge, max(1, theme.px(1)))
    left, right = _draw_icon(face, theme, style, shown, ink), size[0] - theme.px(LEAST)
    if shown.style == "@menu":
        right = _draw_arrow(face, theme, ink)
    if shown.text:
        start = theme.px(LEAST) if left is None else left
        room = pygame.Rect(start, _drop(theme.font(theme.px(style.size), style.bold)), right - start, size[1])
        write(face, theme, shown.text, room, style.size, ink, style.bold, "centre" if left is None else "left")
    return face if ground is not None else face.premul_alpha()  # on nothing, icon and text lie as they were drawn


def _drop(font: pygame.font.Font) -> int:
    """How far below the middle a line is to be, so that what stands on it is in the middle."""
    above, below = font.get_ascent(), 1 - font.get_descent()
    return font.get_height() // 2 - below - round((above - below) / 2)


def _draw_icon(face: pygame.Surface, theme: Theme, style: Style, shown: Shown, colour: Colour) -> int | None:
    """In the middle, with its text, if there is room for both. Returns where the text begins, None for the middle."""
    px = theme.px
    beginning = None if style.left is None else px(style.left)
    if not shown.icon:
        return beginning
    words = width_of(theme, shown.text, style.size, style.bold)
    left = (face.width - px(ICON) - (px(GAP) + words if words else 0)) // 2
    if words and left < px(GAP):
        return beginning
    face.blit(icon(shown.icon, px(ICON), colour), (left, (face.height - px(ICON)) // 2))
    return left + px(ICON) + px(GAP)


def _draw_arrow(face: pygame.Surface, theme: Theme, colour: Colour) -> int:
    """At the right end of what opens a menu. Returns where it begins."""
    size = theme.px(ARROW)
    left = face.width - 2 * size + size * size // face.width
    face.blit(icon("down", size, colour), (left, (face.height - size) // 2))
    return left
