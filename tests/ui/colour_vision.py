"""How people without one kind of cones see colours, and how far apart two colours are for them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import numpy as np
import numpy.typing as npt

from ui.toolkit.theme import Colour

Values = npt.NDArray[np.float64]

KINDS: dict[str, Values] = {
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
"""Machado, Oliveira and Fernandes 2009, of severity 1.0, for linear sRGB."""

APART = 0.07
"""Least distance in Oklab of signs that differ in colour only; just noticeable is 0.02."""

_LMS = np.array(
    [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
     [0.0883024619, 0.2817188376, 0.6299787005]]
)  # fmt: skip
_LAB = np.array(
    [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
     [0.0259040371, 0.7827717662, -0.8086757660]]
)  # fmt: skip
"""Ottosson 2020: from linear sRGB to the cones, and from their cube roots to Oklab."""


def linear(colours: npt.ArrayLike) -> Values:
    """Linear sRGB from 0 to 1 of colours from 0 to 255, in the last axis."""
    share = np.asarray(colours, np.float64) / 255
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def seen(colours: npt.ArrayLike, kind: str) -> Values:
    """What a person of `kind` sees, in linear sRGB; ``""`` for all cones."""
    exact = linear(colours)
    return np.clip(exact @ KINDS[kind].T, 0.0, 1.0) if kind else exact


def oklab(light: Values) -> Values:
    """Linear sRGB in Oklab."""
    return np.cbrt(light @ _LMS.T) @ _LAB.T


def distance(one: Colour, other: Colour) -> float:
    """How far apart two colours are in Oklab for whom they are nearest."""
    return min(float(np.linalg.norm(np.subtract(*oklab(seen((one, other), kind))))) for kind in ("", *KINDS))


def alike(colours: Iterable[tuple[str, Colour]]) -> dict[str, float]:
    """The pairs of names whose colours somebody does not tell apart, with their distances."""
    pairs = combinations(colours, 2)
    found = {f"{one[0]} and {other[0]}": round(distance(one[1], other[1]), 3) for one, other in pairs}
    return {pair: apart for pair, apart in found.items() if apart < APART}
