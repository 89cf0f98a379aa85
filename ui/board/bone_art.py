"""A bone, its outline and its glow, drawn as relief under a light; every picture is made once for its size.

How bones are laid out and which are shown is the business of `ui.board.bones`.
"""

from __future__ import annotations

import numpy as np
import pygame

from ui.board.paint import Field, Pictures, cover, disc, haze, odd, outline, plane, stack
from ui.toolkit.palette import Colour

ASPECT = 0.40
"""How wide a bone is, as a share of its length, with room to lean."""

_LEANS = (-5.0, 3.0, -2.0, 4.5, 0.5, -3.5, 1.5)  # degrees; one bone lies not quite like the next
_IVORY = np.array((250, 242, 222), np.float32)
_UMBER = np.array((140, 108, 70), np.float32)


class BoneArt:
    """Pictures of bones of `length` pixels; `index` decides how each leans."""

    def __init__(self, length: float, accent: Colour, faint: Colour) -> None:
        self.length = length
        self._accent, self._faint = accent, faint
        self._size = odd(length * (ASPECT + 0.22)), odd(length * 1.18)
        self._pictures = Pictures()

    def bone(self, index: int) -> pygame.Surface:
        lean = _lean(index)
        return self._pictures.get(("bone", lean), lambda: self._bone(_LEANS[lean]))

    def place(self, index: int) -> pygame.Surface:
        """The outline that stays where a bone was."""
        lean = _lean(index)
        return self._pictures.get(("place", lean), lambda: self._place(_LEANS[lean]))

    def glow(self, index: int) -> pygame.Surface:
        """The light around a bone that would be taken."""
        lean = _lean(index)
        return self._pictures.get(("glow", lean), lambda: self._glow(_LEANS[lean]))

    def _place(self, lean: float) -> pygame.Surface:
        field = self._field(lean, 1)
        return stack(
            (self._faint, cover(field, 0.10)), (self._faint, outline(field, max(1.0, self.length * 0.014), 0.55))
        )

    def _glow(self, lean: float) -> pygame.Surface:
        field = self._field(lean, 1)
        ring = outline(field - self.length * 0.012, max(1.6, self.length * 0.032))
        return stack((self._accent, haze(field, self.length * 0.08, 0.8)), (self._accent, ring))

    def _bone(self, lean: float) -> pygame.Surface:
        fine = 3 if self.length < 110 else 2 if self.length < 220 else 1  # the smaller, the steeper the relief
        shade = _averaged(self._shade(self._field(lean, fine), self.length * fine), fine)
        field = self._field(lean, 1)
        drop = (round(self.length * 0.018), round(self.length * 0.035))
        dark = haze(np.roll(field, drop, axis=(0, 1)), max(0.8, self.length * 0.035), 0.5)
        tint = np.clip(shade, 0, 1.0)[..., None]
        shine = np.clip(shade - 1, 0, 1)[..., None]
        return stack(((10, 8, 4), dark), (_UMBER + (_IVORY - _UMBER) * tint + 40 * shine, cover(field)))

    def _field(self, lean: float, fine: int) -> Field:
        """Distance to a bone that stands on end and leans by `lean` degrees; `fine` times as many pixels."""
        width, height = self._size
        x, y = plane(width * fine, height * fine)
        turn, unit = np.radians(lean), self.length * fine
        across = (x * np.cos(turn) + y * np.sin(turn)) / unit
        along = (y * np.cos(turn) - x * np.sin(turn)) / unit
        end = 0.5 - 0.105
        waist = 0.055 + 0.28 * np.clip(np.abs(along), 0, end) ** 2.6
        field = disc(across, along - np.clip(along, -end, end), 0) - waist
        for down in (-1, 1):
            for right, size in ((-0.080, 0.095), (0.080, 0.088 if down > 0 else 0.099)):
                knob = disc(across - right, along - down * (end + (0.095 - size)), size)
                field = _melted(field, knob, 0.035)
        return np.asarray(field * np.float32(unit), np.float32)

    def _shade(self, field: Field, unit: float) -> Field:
        """How much light falls on each pixel of a bone of length `unit`; over 1 where it shines."""
        round_ = unit * 0.09
        depth = np.clip(-field / round_, 0, 1)
        high = _smoothed(round_ * np.sqrt(1.0001 - (1 - depth) ** 2), max(1, round(unit * 0.014)))
        right, down = np.gradient(high)
        steep = 1 / np.sqrt(1 + right * right + down * down)
        light = (0.42 * right + 0.52 * down + 0.74) * steep
        grain = 0.025 * np.sin(field / unit * 210) * (1 - depth)
        shine = 0.9 * np.clip(light, 0, 1) ** 22
        return np.asarray(0.20 + 0.78 * np.clip(light, 0, 1) + grain + shine * 0.35, np.float32)


def _lean(index: int) -> int:
    """Which of `_LEANS` a bone has; mixed so that no row or column repeats another."""
    return (3 * index + index // 5) % len(_LEANS)


def _melted(first: Field, second: Field, soft: float) -> Field:
    """The union of two shapes with a rounded inner corner (the polynomial smooth minimum)."""
    share = np.clip(0.5 + 0.5 * (second - first) / soft, 0, 1)
    return np.asarray(second + (first - second) * share - soft * share * (1 - share), np.float32)


def _smoothed(field: Field, reach: int) -> Field:
    """The field without its creases."""
    for step in (reach, reach, max(1, reach // 2)):
        for axis in (0, 1):
            field = (np.roll(field, step, axis) + np.roll(field, -step, axis) + field) / 3
    return field


def _averaged(field: Field, fine: int) -> Field:
    width, height = (size // fine for size in field.shape)
    return np.asarray(field.reshape(width, fine, height, fine).mean(axis=(1, 3)), np.float32)
