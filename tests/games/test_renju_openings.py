"""The 26 openings of renju, as diagrams of the Renju International Federation number them."""

from __future__ import annotations

from itertools import permutations

import pytest

from games.coords import images_of
from games.opening_rules import RENJU_OPENINGS, opening_moves, renju_opening

DIRECT = """
. . 1 2 3
. . o 4 5
. . x 6 7
. . 8 9 10
. . 11 12 13
"""
"""The third stone of each direct opening: x is the first, o the second."""

INDIRECT = """
. . . . 1
. . . o 2
. . x 6 3
. 11 9 7 4
13 12 10 8 5
"""


def _numbers(diagram: str) -> dict[str, tuple[int, int]]:
    rows = [line.split() for line in diagram.split("\n") if line]
    return {sign: (column - 2, 2 - row) for row, signs in enumerate(rows) for column, sign in enumerate(signs)}


@pytest.mark.parametrize(("letter", "diagram", "second"), [("D", DIRECT, (0, 1)), ("I", INDIRECT, (1, 1))])
def test_the_openings_are_those_of_the_diagrams(letter: str, diagram: str, second: tuple[int, int]) -> None:
    third = _numbers(diagram)
    openings = [each for each in RENJU_OPENINGS.values() if each.number.startswith(letter)]
    assert [each.number for each in openings] == [f"{letter}{number}" for number in range(1, 14)]
    assert all(each.second == second == third["o"] for each in openings)
    assert all(each.third == third[each.number[1:]] for each in openings)
    assert all(each.direct == (letter == "D") for each in openings)


def test_every_opening_within_five_points_is_one_of_them_and_only_one() -> None:
    """Of all first moves that the rules allow, none lacks a name, and no two names are the same turned or mirrored."""
    centre = 112
    near = [centre + 15 * row + column for row in (-1, 0, 1) for column in (-1, 0, 1) if row or column]
    area = [centre + 15 * row + column for row in range(-2, 3) for column in range(-2, 3)]
    found = {}
    for second, third in ((second, third) for second in near for third in area if third not in (centre, second)):
        moves = (centre, second, third)
        forms = {tuple(image[move] for move in moves) for image in images_of(15, 15, 8)}
        found.setdefault(renju_opening(moves, 15), set()).add(min(forms))
    assert set(found) == set(RENJU_OPENINGS)
    assert all(len(forms) == 1 for forms in found.values())


@pytest.mark.parametrize("size", [11, 15, 19])
def test_names_hold_on_other_boards_and_whichever_black_stone_was_first(size: int) -> None:
    for key in RENJU_OPENINGS:
        for image in range(8):
            first, second, third = opening_moves(key, size, image)
            assert renju_opening((first, second, third, 0), size) == key
            assert renju_opening((third, second, first), size) == key


def test_other_moves_have_no_name() -> None:
    first, second, third = opening_moves("kagetsu", 15)
    named = [moves for moves in permutations((first, second, third)) if renju_opening(moves, 15) == "kagetsu"]
    assert named == [(first, second, third), (third, second, first)], "white has the second stone"
    assert not renju_opening((first, second), 15)
    assert not renju_opening((0, 1, 2), 15)
    assert not renju_opening((first, second, third), 14)
