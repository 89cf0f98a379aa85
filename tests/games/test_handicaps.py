"""Handicap stones: black has more, in no line with each other, and white moves first."""

from __future__ import annotations

from itertools import combinations

import pytest

from games.opening_rules import MOST_STONES, handicap_stones
from games.position import SECOND
from games.registry import GAMES, setup


@pytest.mark.parametrize("more", range(1, MOST_STONES + 1))
def test_black_has_more_stones_on_every_board_and_white_moves(more: int) -> None:
    for size in GAMES["gomoku"].sizes:
        for rule in GAMES["gomoku"].rules:
            stones = handicap_stones(size, more)
            position = setup("gomoku", size, rule).start(stones)
            assert (len(stones.of[0]), len(stones.of[1]), position.turn) == (more + 1, 0, SECOND)


def test_no_two_of_the_stones_lie_in_one_line() -> None:
    cells = [divmod(cell, 15) for cell in handicap_stones(15, MOST_STONES).of[0]]
    for (row, column), (other_row, other_column) in combinations(cells, 2):
        down, right = other_row - row, other_column - column
        assert 0 not in (down, right)
        assert abs(down) != abs(right)
