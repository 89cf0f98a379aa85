"""The icons on buttons, from Lucide's SVG files, and the app's own icon."""

from __future__ import annotations

import io
from functools import cache, lru_cache

import pygame

from ui.toolkit.resources import resource
from ui.toolkit.theme import Colour, css


@lru_cache(maxsize=400)
def icon(name: str, size: int, colour: Colour) -> pygame.Surface:
    """Return a transparent square of `size` pixels with the icon, cached; copy it before changing it. Raise `KeyError`
    for an unknown icon."""
    coloured = _svg(name).replace("currentColor", css(colour))
    return pygame.image.load_sized_svg(io.BytesIO(coloured.encode()), (size, size))


@cache
def _svg(name: str) -> str:
    """The source of an icon. Raise `KeyError` for an unknown one."""
    try:
        return resource("icons", "lucide", f"{name}.svg").read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise KeyError(name) from error


@lru_cache(maxsize=8)
def app_icon(size: int) -> pygame.Surface:
    """Return the emblem as a square of `size` pixels with round, transparent corners."""
    picture = pygame.image.load(resource("icons", "tengen.png"))
    return pygame.transform.smoothscale(picture, (size, size))
