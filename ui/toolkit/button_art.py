"""Draw a button: ground, icon and text."""

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
"""Design pixels between an icon and its text, and least margin beside both."""
LEAST = 4
"""Least margin of a centred text in design pixels."""


class Face(NamedTuple):
    """The contents of a button: `style` is a key of `ui.toolkit.styles.styles`; text and icon may be empty."""

    style: str
    text: str
    icon: str


def draw_button(theme: Theme, face: Face, size: tuple[int, int], state: str) -> pygame.Surface:
    """Draw a button of that size in one of `ui.toolkit.styles.STATES`, with premultiplied alpha."""
    style = styles(theme.palette)[face.style]
    ground, ink, edge = style.looks[state]
    picture = pygame.Surface(size, pygame.SRCALPHA)
    if ground is not None:
        rounded(picture, picture.get_rect(), ground, theme.px(style.radius), edge, max(1, theme.px(1)))
    left, right = _draw_icon(picture, theme, style, face, ink), size[0] - theme.px(LEAST)
    if face.style == "@menu":
        right = _draw_arrow(picture, theme, ink)
    if face.text:
        start = theme.px(LEAST) if left is None else left
        room = pygame.Rect(start, _drop(theme.font(theme.px(style.size), style.bold)), right - start, size[1])
        write(picture, theme, face.text, room, style.size, ink, style.bold, "centre" if left is None else "left")
    return picture if ground is not None else picture.premul_alpha()  # on a ground, alpha is premultiplied already


def _drop(font: pygame.font.Font) -> int:
    """Return how far to lower a line of text so that its letters are vertically centred."""
    above, below = font.get_ascent(), 1 - font.get_descent()
    return font.get_height() // 2 - below - round((above - below) / 2)


def _draw_icon(picture: pygame.Surface, theme: Theme, style: Style, face: Face, colour: Colour) -> int | None:
    """Draw the icon before a text at the left, or centre it with its text if there is room for both. Return where the
    text begins, None for centred text."""
    px = theme.px
    beginning = None if style.left is None else px(style.left)
    if not face.icon:
        return beginning
    words = width_of(theme, face.text, style.size, style.bold)
    left = (picture.width - px(ICON) - (px(GAP) + words if words else 0)) // 2 if beginning is None else beginning
    if words and left < px(GAP):
        return beginning
    picture.blit(icon(face.icon, px(ICON), colour), (left, (picture.height - px(ICON)) // 2))
    return left + px(ICON) + px(GAP)


def _draw_arrow(picture: pygame.Surface, theme: Theme, colour: Colour) -> int:
    """Draw the arrow of a menu at the right end. Return its left edge."""
    size = theme.px(ARROW)
    left = picture.width - 2 * size + size * size // picture.width
    picture.blit(icon("down", size, colour), (left, (picture.height - size) // 2))
    return left
