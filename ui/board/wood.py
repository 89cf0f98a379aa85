"""The materials of a go board: kaya wood with straight fine grain, stones of slate and shell, their shadows.

Everything is computed from its size alone and always comes out the same. Who lays it out and caches it is
the grid's business.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt
import pygame
from pygame.surfarray import pixels2d

from ui.board.paint import Field, box, cover, disc, haze, plane, surface
from ui.toolkit.palette import Colour

LINE: Colour = (84, 52, 20)
LETTER: Colour = (82, 50, 18)

_DARK = np.array((206, 150, 84), np.float32)
_LIGHT = np.array((240, 200, 136), np.float32)
_TABLE = 4096
_SHADES = 1024
_LIGHT_FROM = (-0.42, -0.58, 0.70)


@cache
def _grain() -> Field:
    """One line across the grain of the wood, -1 … 1, periodic: broad bands, year rings, fine fibres."""
    random = np.random.default_rng(361)
    places = np.arange(_TABLE) / _TABLE
    total = np.zeros(_TABLE)
    for rings, strength in ((9, 0.55), (31, 0.5), (83, 0.5), (190, 0.4), (420, 0.3)):
        knots = random.uniform(-1, 1, rings)
        total += strength * np.interp(places * rings, np.arange(rings + 1), np.append(knots, knots[0]))
    return np.asarray(total / np.abs(total).max(), np.float32)


def _fibres(size: int) -> Field:
    """Short streaks along the grain, -1 … 1."""
    random = np.random.default_rng(19)
    streaks = random.uniform(-1, 1, (size, size // 20 + 3)).astype(np.float32)
    at = np.linspace(0, streaks.shape[1] - 2, size, dtype=np.float32)
    low = at.astype(np.intp)
    share = at - low
    return np.asarray(streaks[:, low] * (1 - share) + streaks[:, low + 1] * share, np.float32)


def _tones(size: int) -> Field:
    """How light a square of wood is, mostly 0 … 1."""
    across = ((np.arange(size, dtype=np.float32) + 0.5) / size)[:, None]
    along = across.T
    bend = 0.016 * np.sin(2.9 * along + 0.6) + 0.0045 * np.sin(9.0 * along + 7.0 * across)
    at = ((0.13 + 0.82 * across + bend) * np.float32(_TABLE)).astype(np.intp) % _TABLE
    tone = 0.56 + 0.30 * _grain()[at] + 0.07 * _fibres(size)
    tone += 0.16 * (0.5 - 0.45 * across - 0.55 * along)
    return np.asarray(tone, np.float32)


def _bevel(tone: Field) -> None:
    """Lightens the two edges towards the light and darkens the others."""
    size = tone.shape[0]
    wide = max(1, round(size * 0.0035))
    for step in range(wide):
        share = 1 - step / wide
        tone[step, :] += 0.22 * share
        tone[:, step] += 0.30 * share
        tone[-1 - step, :] -= 0.42 * share
        tone[:, -1 - step] -= 0.55 * share


def slab(side: int, inset: int, radius: float) -> pygame.Surface:
    """A square of `side` pixels with a board in it, `inset` from every edge, and its soft shadow."""
    x, y = plane(side, side)
    size = side - 2 * inset
    tone = _tones(size)
    _bevel(tone)
    shades = np.linspace(-0.6, 1.6, _SHADES, dtype=np.float32)[:, None]
    colours = (_DARK + (_LIGHT - _DARK) * shades).astype(np.uint8).tolist()
    wood = surface((0, 0, 0), cover(box(*plane(size, size), size, size, radius)))
    pixels = pixels2d(wood)
    codes = np.array([wood.map_rgb((*colour, 0)) for colour in colours], np.uint32)
    pixels |= codes[np.clip((tone + 0.6) * (_SHADES / 2.2), 0, _SHADES - 1).astype(np.intp)]
    del pixels  # unlocks the surface
    under = box(x, y - inset * 0.3, size, size, radius)
    made = surface((0, 0, 0), haze(under, max(1.0, inset * 0.7), 0.5))
    made.blit(wood, (inset, inset))
    return made


def stone(side: int, size: int) -> pygame.Surface:
    """The stone of a side, as wide as the picture of `size` (odd) pixels allows."""
    x, y = plane(size, size)
    radius = size / 2 - 0.5
    field = disc(x, y, radius)
    away = np.clip((disc(x, y, 0) / radius), 0, 1)
    high = np.sqrt(1.0001 - away * away)
    right, down, up = _LIGHT_FROM
    lit = np.clip((x * right + y * down) / radius * 0.85 + high * up, 0, 1)
    shine = np.clip((x * right + y * down) / radius * 0.72 + high * up, 0, 1)
    rgb = _slate(lit, shine) if side == 0 else _shell(lit, away)
    return surface(rgb, cover(field))


def _slate(lit: Field, shine: Field) -> npt.NDArray[np.float32]:
    grey = 17 + 40 * lit**2.2 + 62 * (shine / 0.87) ** 24
    return np.stack((grey, grey * 1.005 + 0.5, grey * 1.03 + 2), axis=2)


def _shell(lit: Field, away: Field) -> npt.NDArray[np.float32]:
    grey = 190 + 64 * lit**0.7 - 26 * np.clip(away - 0.80, 0, 1) / 0.2
    return np.stack((grey + 1, grey - 1, grey - 7), axis=2)


def shadow(size: int) -> pygame.Surface:
    """The shadow of a stone of `size`, twice as wide as it; put its middle where the stone's is."""
    wide = 2 * size + 1
    x, y = plane(wide, wide)
    field = disc(x - size * 0.045, y - size * 0.085, size * 0.49)
    near = haze(field, max(0.8, size * 0.075), 0.42)
    far = haze(disc(x - size * 0.08, y - size * 0.15, size * 0.46), size * 0.20, 0.20)
    return surface((38, 20, 4), 1 - (1 - near) * (1 - far))
