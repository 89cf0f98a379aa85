"""Draw Tengen's emblem and write the icon files of the window, installers and desktops.

Kaya wood, crossing lines, a black stone on the centre and a white one beside it. Run by hand
(`python assets/make_icons.py`, needs Pillow); the outputs are committed.
"""

from __future__ import annotations

from math import sin
from pathlib import Path

import pygame
from PIL import Image

Colour = tuple[int, int, int]

TARGET = Path(__file__).resolve().parent / "icons"
PNG_SIZES = {"tengen.png": 512, "tengen-256.png": 256}
ICO_SIZES = (16, 24, 32, 48, 64, 128, 256)

FINER = 4
WOOD_LIGHT, WOOD_DARK, LINE = (236, 196, 126), (208, 156, 84), (84, 54, 22)
BLACK_STONE = (18, 19, 23), (108, 112, 122)
WHITE_STONE = (222, 218, 210), (255, 255, 254)


def emblem(size: int) -> pygame.Surface:
    """Draw the emblem as a square of `size` pixels with round, transparent corners."""
    large = size * FINER
    picture = _wood(large)
    _lines(picture)
    _stone(picture, (0.5, 0.5), 0.235, *BLACK_STONE)
    _stone(picture, (0.77, 0.77), 0.13, *WHITE_STONE)
    _round_off(picture)
    return pygame.transform.smoothscale(picture, (size, size))


def _wood(size: int) -> pygame.Surface:
    """Draw a gradient with a fine, slightly wavy grain."""
    picture = pygame.Surface((size, size), pygame.SRCALPHA)
    for x in range(size):
        at = x / size
        grain = 0.5 + 0.2 * sin(at * 43) + 0.16 * sin(at * 97 + 1.3) + 0.1 * sin(at * 211 + 4)
        share = min(1.0, max(0.0, 0.55 * grain + 0.35 * at - 0.1))
        pygame.draw.line(picture, mix(WOOD_LIGHT, WOOD_DARK, share), (x, 0), (x, size))
    return picture


def _lines(picture: pygame.Surface) -> None:
    size = picture.get_width()
    width = max(1, round(size * 0.018))
    for at in (0.23, 0.5, 0.77):
        place = round(at * size - width / 2)
        picture.fill(LINE, (place, 0, width, size))
        picture.fill(LINE, (0, place, size, width))


def _stone(picture: pygame.Surface, centre: tuple[float, float], radius: float, dark: Colour, light: Colour) -> None:
    """Draw a round stone lit from the upper left, with a soft shadow."""
    size = picture.get_width()
    x, y, r = centre[0] * size, centre[1] * size, radius * size
    _shadow(picture, (x + r * 0.07, y + r * 0.14), r)
    pygame.draw.circle(picture, dark, (x, y), r)
    steps = 48
    for step in range(1, steps):
        share = step / steps
        place = x - r * 0.32 * share, y - r * 0.36 * share
        pygame.draw.circle(picture, mix(dark, light, share**1.7), place, r * (1 - share) * 0.97)


def _shadow(picture: pygame.Surface, centre: tuple[float, float], radius: float) -> None:
    size, (x, y) = picture.get_width() // FINER, centre
    shadow = pygame.Surface((size, size), pygame.SRCALPHA)  # blurred small: at full size it takes 0.5 s
    pygame.draw.circle(shadow, (0, 0, 0, 120), (x / FINER, y / FINER), radius / FINER)
    shadow = pygame.transform.gaussian_blur(shadow, max(1, round(radius * 0.1 / FINER)))
    picture.blit(pygame.transform.smoothscale(shadow, picture.get_size()), (0, 0))


def _round_off(picture: pygame.Surface) -> None:
    """Make the corners transparent."""
    size = picture.get_width()
    shape = pygame.Surface((size, size), pygame.SRCALPHA)
    pygame.draw.rect(shape, (255, 255, 255, 255), shape.get_rect(), border_radius=round(size * 0.22))
    picture.blit(shape, (0, 0), special_flags=pygame.BLEND_RGBA_MIN)


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """Interpolate from `first` to `second`."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


def image(size: int) -> Image.Image:
    return Image.frombytes("RGBA", (size, size), pygame.image.tobytes(emblem(size), "RGBA"))


def main() -> None:
    TARGET.mkdir(exist_ok=True)
    for name, size in PNG_SIZES.items():
        image(size).save(TARGET / name, optimize=True)
    largest, *others = (image(size) for size in reversed(ICO_SIZES))
    largest.save(TARGET / "tengen.ico", sizes=[(size, size) for size in ICO_SIZES], append_images=others)


if __name__ == "__main__":
    main()
