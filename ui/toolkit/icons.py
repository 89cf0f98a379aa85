"""The icons on buttons, from Lucide's SVG files, and the app's own icon."""

from __future__ import annotations

import io
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import pygame

from ui.toolkit.palette import Colour
from ui.toolkit.resources import resource

if TYPE_CHECKING:
    from pygame_gui.elements import UIButton

STATES = ("normal", "hovered", "selected", "disabled")


@lru_cache(maxsize=400)
def icon(name: str, size: int, colour: Colour) -> pygame.Surface:
    """A transparent square of `size` pixels with the icon. Kept; copy it before changing it.

    Raises `KeyError` when there is no such icon.
    """
    red, green, blue = colour
    coloured = _svg(name).replace("currentColor", f"#{red:02x}{green:02x}{blue:02x}")
    return pygame.image.load_sized_svg(io.BytesIO(coloured.encode()), (size, size))


@cache
def _svg(name: str) -> str:
    try:
        return resource("icons", "lucide", f"{name}.svg").read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise KeyError(name) from error


@lru_cache(maxsize=8)
def app_icon(size: int) -> pygame.Surface:
    """The emblem as a square of `size` pixels with round, transparent corners."""
    picture = pygame.image.load(resource("icons", "tengen.png"))
    return pygame.transform.smoothscale(picture, (size, size))


def put_icon(button: UIButton, name: str, size: int, place: tuple[float, float] = (0.5, 0.5)) -> None:
    """Puts an icon of `size` pixels on a button of pygame_gui's, in each state in the colour of its text there.

    `place` is where on the button, from (0, 0), the upper left corner, to (1, 1). pygame_gui copies an image
    that lies on a clear button as it is, and takes it for one with premultiplied alpha.
    """
    for state in STATES:
        *colour, _ = _rgba(button, f"{state}_text")
        clear = _rgba(button, f"{state}_bg")[3] == 0
        image = icon(name, size, (colour[0], colour[1], colour[2]))
        setattr(button, f"{state}_images", [image.premul_alpha() if clear else image])
        setattr(button, f"{state}_image_positions", [place])
    button.rebuild()


def _rgba(button: UIButton, colour_id: str) -> tuple[int, int, int, int]:
    colour = button.colours[colour_id]
    if not isinstance(colour, pygame.Color):
        raise TypeError(f"{colour_id} is a gradient; our themes have none")
    return colour.r, colour.g, colour.b, colour.a
