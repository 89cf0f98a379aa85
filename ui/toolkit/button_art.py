"""How our buttons look: ground, icon and text, drawn from the boxes, icons and texts that are kept anyway.

pygame_gui would look forty things up in its theme for each button, and lay out its text like a page: a screen with
forty buttons would hold up a frame. Colours and sizes are those of ui/toolkit/theme_json.py all the same.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import sqrt
from typing import NamedTuple

import pygame

from ui.toolkit.box_art import Box, draw_box, premultiplied
from ui.toolkit.icons import icon
from ui.toolkit.palette import Colour
from ui.toolkit.text import width_of, write
from ui.toolkit.theme import Theme

ICON, ARROW = 20, 14
GAP = 8
"""Design pixels between an icon and its text, and at least beside the two of them."""
LEAST = 4
"""Design pixels beside a text in the middle."""


class Style(NamedTuple):
    """A block of the theme. `left` is where a text begins, in real pixels, or None where it is in the middle; `drop`
    is how far below the middle its line is, so that what stands on the line is in the middle."""

    colours: dict[str, pygame.Color]
    radius: int
    border: int
    left: int | None
    drop: int
    size: int
    bold: bool


class Shown(NamedTuple):
    """What is to be seen on a button: `style` is a class of ui/toolkit/theme_json.py, and `icon` may be empty, too."""

    style: str
    text: str
    icon: str


@lru_cache(maxsize=64)
def style_of(theme: Theme, name: str) -> Style:
    """The style of that name, such as ``@primary``; of a plain button without a name."""
    block = theme.block(name or "button")
    misc, font = block["misc"], block["font"]
    radius, border = int(misc["shape_corner_radius"]), int(misc["border_width"])
    left = None
    if misc.get("text_horiz_alignment") == "left":
        left = border + round(radius * (1 - sqrt(0.5))) + int(misc["text_horiz_alignment_padding"])
    colours = {key: pygame.Color(colour) for key, colour in block["colours"].items()}
    size, bold = round(int(font["size"]) / theme.scale), font["bold"] == "1"
    return Style(colours, radius, border, left, _drop(theme.font(theme.px(size), bold)), size, bold)


def _drop(font: pygame.font.Font) -> int:
    above, below = font.get_ascent(), 1 - font.get_descent()
    return font.get_height() // 2 - below - round((above - below) / 2)


def draw_face(theme: Theme, shown: Shown, size: tuple[int, int], state: str) -> pygame.Surface:
    """A button of that size in a state of pygame_gui's, with premultiplied alpha. Must not be drawn upon."""
    style = style_of(theme, shown.style)
    ground, ink, edge = (style.colours[f"{state}_{part}"] for part in ("bg", "text", "border"))
    box = Box(size, 0, style.border, premultiplied(edge), premultiplied(ground), (style.radius,) * 4)
    menu = shown.style == "@menu"
    if not (shown.text or shown.icon or menu):
        return draw_box(box)
    face, colour = draw_box(box).copy(), (ink.r, ink.g, ink.b)
    left, right = _draw_icon(face, theme, shown, colour), size[0] - theme.px(LEAST)
    if menu:
        right = _draw_arrow(face, theme, colour)
    if shown.text:
        start = theme.px(LEAST) if left is None else left
        room = pygame.Rect(start, style.drop, right - start, size[1])
        write(face, theme, shown.text, room, style.size, colour, style.bold, "centre" if left is None else "left")
    return face if ground.a else face.premul_alpha()  # on nothing, icon and text lie as they were drawn


def _draw_icon(face: pygame.Surface, theme: Theme, shown: Shown, colour: Colour) -> int | None:
    """In the middle, with its text, if there is room for both. Returns where the text begins, None for the middle."""
    style, px = style_of(theme, shown.style), theme.px
    if not shown.icon:
        return style.left
    words = width_of(theme, shown.text, style.size, style.bold)
    left = (face.width - px(ICON) - (px(GAP) + words if words else 0)) // 2
    if words and left < px(GAP):
        return style.left
    face.blit(icon(shown.icon, px(ICON), colour), (left, (face.height - px(ICON)) // 2))
    return left + px(ICON) + px(GAP)


def _draw_arrow(face: pygame.Surface, theme: Theme, colour: Colour) -> int:
    """At the right end of what opens a menu. Returns where it begins."""
    size = theme.px(ARROW)
    left = face.width - 2 * size + size * size // face.width
    face.blit(icon("down", size, colour), (left, (face.height - size) // 2))
    return left


class Face:
    """What pygame_gui asks of the shape of a button that measures `rect`, the button's own. `draw` makes the picture
    of a state: not before it is shown, and that of another state only when the button comes to be in it."""

    def __init__(self, rect: pygame.Rect, state: str, draw: Callable[[str], pygame.Surface]) -> None:
        self._rect, self._state, self._draw = rect, state, draw
        self._fresh = True

    def set_active_state(self, state: str) -> None:
        self._fresh |= state != self._state
        self._state = state

    def has_fresh_surface(self) -> bool:
        return self._fresh

    def get_fresh_surface(self) -> pygame.Surface:
        self._fresh = False
        return self._draw(self._state)

    def set_text(self, text: str) -> None:
        self._fresh = True

    def set_dimensions(self, size: tuple[int, int]) -> bool:
        self._fresh = True
        return True

    def set_position(self, point: tuple[int, int]) -> None:
        """Nothing: the rectangle is the button's own."""

    def update(self, seconds: float) -> None:
        """Nothing: no state fades into another."""

    def collide_point(self, point: tuple[float, float]) -> bool:
        return self._rect.collidepoint(point)
