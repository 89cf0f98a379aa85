"""Colours, curves and sizes that all boards use."""

from __future__ import annotations

import numpy as np
import pytest

from ui.board.animated_view import glow
from ui.board.shapes import contrast, ease, ink_on, luminance, odd, quality_colour, surface
from ui.toolkit.theme import PALETTES, Colour, series

GOOD, FAIR, BAD = (0, 200, 0), (100, 100, 100), (200, 0, 0)


@pytest.mark.parametrize(
    ("colour", "expected"),
    [((0, 0, 0), 0.0), ((255, 255, 255), 1.0), ((255, 0, 0), 0.2126), ((0, 255, 0), 0.7152), ((0, 0, 255), 0.0722),
     ((10, 10, 10), 0.0030353), ((128, 128, 128), 0.2158605)],
)  # fmt: skip
def test_luminance_and_contrast_are_those_of_wcag(colour: Colour, expected: float) -> None:
    assert luminance(colour) == pytest.approx(expected, abs=1e-6)
    assert contrast((0, 0, 0), colour) == contrast(colour, (0, 0, 0)) == pytest.approx((expected + 0.05) / 0.05)
    assert ink_on(colour) == ((255, 255, 255) if expected < 0.179 else (0, 0, 0))


@pytest.mark.parametrize(
    ("quality", "expected"),
    [(0.0, BAD), (0.02, BAD), (0.03, (190, 10, 10)), (0.25, (150, 50, 50)), (0.5, FAIR), (0.75, (50, 150, 50)),
     (0.97, (10, 190, 10)), (1.0, GOOD)],
)  # fmt: skip
def test_a_quality_has_one_of_21_colours(quality: float, expected: Colour) -> None:
    assert quality_colour(quality, GOOD, FAIR, BAD) == expected


def test_a_surface_has_colours_and_transparency_rounded_and_within_their_range() -> None:
    alpha = np.array([[0.0, 0.5, 2.0]])
    assert [tuple(surface((10, 20, 255), alpha).get_at((0, y))) for y in range(3)] == [
        (10, 20, 255, 0), (10, 20, 255, 128), (10, 20, 255, 255),
    ]  # fmt: skip
    mixed = surface([[(0.4, 1.6, 300.0), (-5.0, 254.6, 9.5), (0, 0, 0)]], alpha)
    assert [tuple(mixed.get_at((0, y)))[:3] for y in range(2)] == [(0, 2, 255), (0, 255, 10)]


def test_motion_slows_down_and_a_row_pulses_twice() -> None:
    assert [ease(share) for share in (-1, 0, 0.5, 1, 2)] == [0, 0, 0.875, 1, 1]
    assert [round(glow(age), 4) for age in (0, 0.15, 0.65, 1.3, 1.95, 2.6, 9)] == [0, 0.8134, 0.44, 1, 0.44, 1, 1]
    assert [odd(length) for length in (0, 1, 1.01, 2, 3, 3.5, 4)] == [1, 1, 3, 3, 3, 5, 5]
    colours = [series(PALETTES["ink"], number) for number in range(5)]
    assert len(set(colours)) == 4
    assert colours[4] == colours[0]
