"""The 26 openings of renju by name: black in the centre, white beside it, and black within two points of the centre.

Thirteen are direct, with the white stone beside the black one, and thirteen indirect, with the white stone diagonally
beside it. Their numbers run from the top of the board to the bottom in direct ones, where the white stone is above the
centre, and in indirect ones along the columns from the right, where it is above on the right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from games.coords import images_of

_DIRECT, _INDIRECT = (0, 1), (1, 1)


class RenjuOpening(NamedTuple):
    """The stones of an opening after the first one, as steps to the right and up from the centre."""

    number: str
    second: tuple[int, int]
    third: tuple[int, int]

    @property
    def direct(self) -> bool:
        """Whether the white stone is beside the black one, and not diagonally so."""
        return self.second == _DIRECT


def _numbered(letter: str, second: tuple[int, int], thirds: Mapping[str, tuple[int, int]]) -> dict[str, RenjuOpening]:
    keyed = enumerate(thirds.items(), 1)
    return {key: RenjuOpening(f"{letter}{index}", second, third) for index, (key, third) in keyed}


RENJU_OPENINGS: Mapping[str, RenjuOpening] = {
    **_numbered("D", _DIRECT, {
        "kansei": (0, 2), "keigetsu": (1, 2), "sosei": (2, 2), "kagetsu": (1, 1), "zangetsu": (2, 1), "ugetsu": (1, 0),
        "kinsei": (2, 0), "shogetsu": (0, -1), "kyugetsu": (1, -1), "shingetsu": (2, -1), "zuisei": (0, -2),
        "sangetsu": (1, -2), "yusei": (2, -2),
    }),
    **_numbered("I", _INDIRECT, {
        "chosei": (2, 2), "kyogetsu": (2, 1), "kosei": (2, 0), "suigetsu": (2, -1), "ryusei": (2, -2),
        "ungetsu": (1, 0), "hogetsu": (1, -1), "rangetsu": (1, -2), "gingetsu": (0, -1), "myojo": (0, -2),
        "shagetsu": (-1, -1), "meigetsu": (-1, -2), "suisei": (-2, -2),
    }),
}  # fmt: skip
"""The openings by key, direct ones first."""


def opening_moves(key: str, size: int, image: int = 0) -> tuple[int, ...]:
    """Return the three moves of an opening on a board of odd `size`, turned or mirrored by the symmetry `image`, 0 to 7
    (see `games.coords.images_of`)."""
    centre, turned = size // 2, images_of(size, size, 8)[image]
    steps = ((0, 0), RENJU_OPENINGS[key].second, RENJU_OPENINGS[key].third)
    return tuple(turned[(centre - up) * size + centre + right] for right, up in steps)


@cache
def _known(size: int) -> dict[tuple[int, ...], str]:
    """The opening of each first three moves on a board."""
    return {opening_moves(key, size, image): key for image in range(8) for key in RENJU_OPENINGS}


def renju_opening(moves: Sequence[int], size: int) -> str:
    """Return the key of the opening that the first three of `moves` make on a board of `size`, also turned or mirrored
    and with the black stones in the other order; empty for none."""
    first = tuple(moves[:3])
    if size % 2 == 0 or len(first) < 3:
        return ""
    known = _known(size)
    return known.get(first) or known.get(first[::-1], "")
