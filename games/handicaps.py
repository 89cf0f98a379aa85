"""Handicaps of gomoku: the weaker player has black, with more stones than one on the board before white moves first."""

from __future__ import annotations

from games.position import SECOND, Stones

MOST_STONES = 3
"""The most stones that black may have besides the usual one."""

_PLACES = ((0, 0), (2, 1), (-1, 2), (-2, -1))
"""Steps to the right and up from the centre: a knight's move from it each, so that no two lie in a line of five."""


def handicap_stones(size: int, more: int) -> Stones:
    """Return the starting position on a board of `size` × `size` points with `more` black stones besides the first one,
    1 to `MOST_STONES`, and white to move."""
    centre = size // 2
    cells = ((centre - up) * size + centre + right for right, up in _PLACES[: more + 1])
    return Stones((tuple(cells), ()), SECOND)
