"""Antialiased shapes from signed distance fields. Nothing here needs a display.

A field is an array of each pixel's distance to the edge of a shape in pixels, negative inside. Functions that return
the field of a shape take the coordinates `x` and `y` from `plane`. `cover` turns a field into the coverage of each
pixel, 0 … 1.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pygame
from pygame.surfarray import pixels3d, pixels_alpha

from ui.toolkit.theme import Colour, mix

Field = npt.NDArray[np.floating[Any]]
Point = tuple[float, float]

WHITE: Colour = (255, 255, 255)
BLACK: Colour = (0, 0, 0)


def plane(width: int, height: int, origin: Point | None = None) -> tuple[Field, Field]:
    """Return the x and the y of every pixel's centre relative to `origin`, by default the centre of the plane.

    They are arrays that broadcast to (width, height), indexed like pygame's surfarrays.
    """
    left, top = (width / 2, height / 2) if origin is None else origin
    x = np.arange(width, dtype=np.float32)[:, None] + np.float32(0.5 - left)
    y = np.arange(height, dtype=np.float32)[None, :] + np.float32(0.5 - top)
    return x, y


def _length(x: Field, y: Field) -> Field:
    """Return the length of the vector at each pixel."""
    length: Field = np.sqrt(x * x + y * y)  # several times faster than np.hypot
    return length


def disc(x: Field, y: Field, radius: float) -> Field:
    """Return the field of a disc around the origin."""
    return _length(x, y) - np.float32(radius)


def box(x: Field, y: Field, width: float, height: float, radius: float) -> Field:
    """Return the field of a rectangle around the origin, with corners of `radius`."""
    right = np.abs(x) - np.float32(width / 2 - radius)
    down = np.abs(y) - np.float32(height / 2 - radius)
    inside = np.minimum(np.maximum(right, down), 0)
    return _length(np.maximum(right, 0), np.maximum(down, 0)) + inside - np.float32(radius)


def stroke(x: Field, y: Field, start: Point, end: Point, width: float) -> Field:
    """Return the field of a straight stroke with round caps, from `start` to `end`."""
    right, down = end[0] - start[0], end[1] - start[1]
    length = max(1e-9, right * right + down * down)
    along = np.clip(((x - start[0]) * right + (y - start[1]) * down) / length, 0, 1)
    field: Field = _length(x - start[0] - along * right, y - start[1] - along * down) - width / 2
    return field


def arc(x: Field, y: Field, radius: float, share: float, width: float) -> Field:
    """Return the field of a stroke with round caps along `share` (0 … 1) of a circle around the origin, clockwise from
    the top."""
    ring = np.abs(_length(x, y) - np.float32(radius))
    if share < 1:
        angle = np.arctan2(x, -y) % (2 * np.pi)
        end = 2 * np.pi * share
        tips = [_length(x - radius * np.sin(turn), y + radius * np.cos(turn)) for turn in (0.0, end)]
        ring = np.where(angle <= end, ring, np.minimum(*tips))
    return np.asarray(ring - width / 2, dtype=np.float32)


def cover(field: Field, opacity: float = 1.0) -> Field:
    """Return the coverage by the shape: the share of each pixel inside of it, times `opacity`."""
    covered: Field = np.clip(0.5 - field, 0, 1) * np.float32(opacity)
    return covered


def outline(field: Field, width: float, opacity: float = 1.0) -> Field:
    """Return the coverage by a line of `width` along the edge of the shape, times `opacity`."""
    return cover(np.abs(field) - width / 2, opacity)


def haze(field: Field, reach: float, opacity: float) -> Field:
    """Return the coverage by the shape with a soft edge. It falls from `opacity`, at `reach` pixels inside of the edge,
    to 0, at `reach` pixels outside."""
    share = np.clip(0.5 - field / np.float32(2 * reach), 0, 1)
    faded: Field = share * share * (3 - 2 * share) * np.float32(opacity)
    return faded


def surface(rgb: npt.ArrayLike, alpha: Field) -> pygame.Surface:
    """Return a surface with the colours `rgb` (one, or one for each pixel; 0 … 255) and the transparency `alpha` (0 …
    1).

    Transparent pixels have the colour, too, so that scaling leaves no dark fringe.
    """
    made = pygame.Surface(alpha.shape, pygame.SRCALPHA)
    colours = np.clip(np.asarray(rgb) + 0.5, 0, 255).astype(np.uint8)
    if colours.ndim == 1:
        made.fill(colours.tolist())
    else:
        pixels3d(made)[:] = colours
    pixels_alpha(made)[:] = (np.clip(alpha, 0, 1) * 255 + 0.5).astype(np.uint8)
    return made


def stack(*layers: tuple[npt.ArrayLike, Field]) -> pygame.Surface:
    """Return a surface composed of layers (rgb, alpha), as `surface` takes them, the lowest first."""
    bottom, *others = (surface(rgb, alpha) for rgb, alpha in layers)
    for layer in others:
        bottom.blit(layer, (0, 0))
    return bottom


def prohibition_sign(size: int, colour: Colour) -> pygame.Surface:
    """Return the picture of a prohibition sign: a ring with a bar across."""
    x, y = plane(size, size)
    width = max(1.5, size * 0.1)
    radius = size / 2 - width
    bar = stroke(x, y, (-radius * 0.7, radius * 0.7), (radius * 0.7, -radius * 0.7), width)
    return surface(colour, cover(np.minimum(bar, np.abs(disc(x, y, radius)) - width / 2)))


def put(target: pygame.Surface, picture: pygame.Surface, centre: Point, opacity: float = 1.0) -> None:
    """Blit `picture` with its centre at the pixel `centre`; `opacity` is 0.0 to 1.0."""
    width, height = picture.get_size()
    place = (round(centre[0] - (width - 1) / 2), round(centre[1] - (height - 1) / 2))
    picture.set_alpha(round(255 * min(1.0, max(0.0, opacity))))  # cheaper than a faded copy
    target.blit(picture, place)
    picture.set_alpha(255)


def odd(length: float) -> int:
    """Return the smallest odd integer not below `length`. A picture of odd size has a middle pixel."""
    return int(np.ceil(length)) | 1


def luminance(colour: Colour) -> float:
    """Return the relative luminance of a colour, as in WCAG 2.1: 0 … 1."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (value / 255 for value in colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: Colour, second: Colour) -> float:
    """Return the contrast ratio of two colours, as in WCAG 2.1: 1 … 21."""
    dark, light = sorted((luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)


@lru_cache(maxsize=200)
def ink_on(ground: Colour) -> Colour:
    """Return black or white, whichever has more contrast with `ground`; it is at least 4.5."""
    return max(WHITE, BLACK, key=lambda ink: contrast(ink, ground))


def quality_colour(quality: float, good: Colour, fair: Colour, bad: Colour) -> Colour:
    """Return the colour for `quality`: `good` for 1.0, `fair` for 0.5, `bad` for 0.0, and mixtures between them. There
    are 21, so that few pictures are cached."""
    quality = round(quality * 20) / 20
    return mix(fair, good, quality * 2 - 1) if quality > 0.5 else mix(bad, fair, quality * 2)


def ease(share: float) -> float:
    """Cubic ease-out of `share`, 0 … 1."""
    return 1 - (1 - min(1.0, max(0.0, share))) ** 3
