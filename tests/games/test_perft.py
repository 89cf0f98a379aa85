"""Count all lines of play and compare with published figures, which detects any wrong rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator

import pytest

from games.bones import BonesPosition
from games.line import LinePosition
from games.position import FIRST, SECOND, Position

TICTACTOE_PATHS = [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]  # at plies 1 to 9


def layers(start: Position) -> Iterator[list[tuple[Position, int]]]:
    """For each ply the distinct positions, each with the number of ways that lead to it."""
    layer = {start.key: (start, 1)}
    while layer:
        yield list(layer.values())
        following: dict[Hashable, tuple[Position, int]] = {}
        for position, ways in layer.values():
            for move in position.legal_moves():
                child = position.play(move)
                _, others = following.get(child.key, (child, 0))
                following[child.key] = child, others + ways
        layer = following


def test_tictactoe_paths_states_complete_games_and_final_positions() -> None:
    games: Counter[int | None] = Counter()
    finals: Counter[int | None] = Counter()
    found = list(layers(LinePosition.empty(3, 3, 3)))
    assert [sum(ways for _, ways in layer) for layer in found] == [1, *TICTACTOE_PATHS]
    assert sum(map(len, found)) == 5478
    for layer in found:
        for position, ways in layer:
            if position.outcome is not None:
                games[position.outcome.winner] += ways
                finals[position.outcome.winner] += 1
    assert games == {FIRST: 131_184, SECOND: 77_904, None: 46_080}
    assert games.total() == 255_168
    assert finals == {FIRST: 626, SECOND: 316, None: 16}


def test_positions_that_share_a_key_have_the_same_moves() -> None:
    """`layers` trusts keys; this counts the first plies without them."""

    def count(position: Position, depth: int) -> int:
        return sum(count(position.play(move), depth - 1) for move in position.legal_moves()) if depth else 1

    assert [count(LinePosition.empty(3, 3, 3), depth) for depth in range(1, 7)] == TICTACTOE_PATHS[:6]


@pytest.mark.parametrize(("heap", "games"), [(1, 1), (2, 2), (3, 4), (4, 7), (5, 13), (10, 274), (21, 223_317)])
def test_games_of_bones_are_tribonacci_numbers(heap: int, games: int) -> None:
    """Ways to write the heap as a sum of ones, twos and threes (OEIS A000073)."""
    ends = [ways for layer in layers(BonesPosition(heap)) for position, ways in layer if position.outcome]
    assert sum(ends) == games
