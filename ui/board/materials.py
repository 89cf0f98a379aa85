"""What boards are made of: the pictures in assets/boards, which `assets/make_boards.py` renders, scaled to a board."""

from __future__ import annotations

from functools import cache

import pygame
from pygame.surfarray import pixels_alpha

from ui.board.shapes import BLACK, WHITE
from ui.toolkit.resources import resource
from ui.toolkit.theme import Colour, Palette, mix

INSET = 0.011
"""The width that a board leaves to its shadow on every side, as a share of its side."""
ROUND = 0.007
"""The radius of a wooden board's corners, as a share of its side."""
TABLE_ROUND = 0.034
"""That of the corners of a table."""
RIM = 0.002
"""The width of the rim of a table, as a share of its side."""
LEANS = (-5.0, 3.0, -2.0, 4.5, 0.5, -3.5, 1.5)
"""Degrees by which bones lean: one lies not quite like the next."""
BONE_ROOM = (0.62, 1.18)
"""Width and height of the picture of a bone, in lengths of a bone."""

WOODS: dict[str, tuple[Colour, Colour]] = {
    "kaya": (WHITE, BLACK),
    "maple": ((226, 232, 236), (29, 36, 50)),
    "cherry": ((238, 212, 200), (6, 2, 8)),
}
"""The kinds of wood: what the picture of kaya is multiplied by, and what is added. Marks are legible on each."""
STONES = ("shell", "yunzi", "plain")
"""The kinds of stones: slate and shell; Yunzi, which is green and ivory; and plain discs."""
_YUNZI: tuple[tuple[Colour, Colour], ...] = (((190, 222, 206), (2, 10, 8)), ((250, 247, 222), BLACK))
"""Of the two sides, by what the picture of a stone is multiplied, and what is added."""

_ROUNDING = 4  # of 255: what smoothscale loses of a value at the most

Size = tuple[int, int]


@cache
def _load(name: str) -> pygame.Surface:
    """Return the cached picture of a material, converted for fast drawing."""
    picture = pygame.image.load(resource("boards", f"{name}.png"))
    return picture.convert(pygame.Surface((1, 1), pygame.SRCALPHA))  # `convert_alpha` would need a window


def material(name: str, size: Size) -> pygame.Surface:
    """Return a new picture of a material in `size`; `name` is its file in assets/boards."""
    return _scaled(_load(name), size)


def wood(kind: str, size: Size) -> pygame.Surface:
    """Return a new picture of a wooden board; `kind` is one of `WOODS`."""
    return _tinted(material("kaya", size), *WOODS[kind])


def stone(kind: str, side: int, size: Size) -> pygame.Surface:
    """Return a new picture of a stone of `side`; `kind` is ``shell`` or ``yunzi``."""
    made = material(("black", "white")[side], size)
    return _tinted(made, *_YUNZI[side]) if kind == "yunzi" else made


def _tinted(picture: pygame.Surface, times: Colour, plus: Colour) -> pygame.Surface:
    """Multiply the colours of a picture by `times`, and add `plus`; keep its transparency. Return the picture."""
    picture.fill(times, special_flags=pygame.BLEND_RGB_MULT)
    picture.fill(plus, special_flags=pygame.BLEND_RGB_ADD)
    return picture


def table(game: str, palette: Palette, side: int) -> pygame.Surface:
    """Return a new picture of the table of `game`, which is ``bones`` or ``tictactoe``."""
    made = material(f"{game}_{palette.key}", (side, side))
    if RIM * side < 1:  # or scaling would make the rim too faint to be seen
        inset = -2 * round(INSET * side)
        colour = mix(palette.line, BLACK, 0.08)
        pygame.draw.rect(made, colour, made.get_rect().inflate(inset, inset), 1, round(TABLE_ROUND * side))
    return made


def leaning_bone(name: str, lean: int, size: Size, tint: Colour) -> pygame.Surface:
    """Return a new picture of a bone that leans by `LEANS[lean]`. `name` is a file with one for each lean; a white one
    gets the colour `tint`."""
    row = _load(name)
    width = row.get_width() // len(LEANS)
    made = _scaled(row.subsurface((lean * width, 0, width, row.get_height())), size)
    made.fill(tint, special_flags=pygame.BLEND_RGB_MULT)
    return made


def _scaled(picture: pygame.Surface, size: Size) -> pygame.Surface:
    """Return a picture scaled smoothly to `size`; opaque parts stay opaque."""
    width, height = size
    if width < picture.get_width() < 2 * width:  # rounding would differ from pixel to pixel, and show as faint lines
        picture = pygame.transform.smoothscale(picture, (2 * width, 2 * height))
    made = pygame.transform.smoothscale(picture, size)
    lost = 255 - made.get_at(made.get_rect().center).a
    if 0 < lost <= _ROUNDING:  # smoothscale rounds down, so that opaque parts became darker and translucent
        made.fill((lost, lost, lost), special_flags=pygame.BLEND_RGB_ADD)
        alpha = pixels_alpha(made)
        alpha[alpha >= 255 - _ROUNDING] = 255
    return made
