"""What every position can be asked, whether its game has a method for it or not."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from games import position as of
from games.bones import BonesPosition
from games.position import PASS, IllegalMove, Outcome, Position
from games.registry import setup


@dataclass(frozen=True)
class Told:
    """A position of which a test tells all that follows."""

    after: dict[int, Told] = field(default_factory=dict, hash=False)
    cells: bytes = b""
    turn: int = 0
    outcome: Outcome | None = None

    def legal_moves(self) -> list[int]:
        return sorted(self.after)

    def play(self, move: int) -> Told:
        if move not in self.after:
            raise IllegalMove("outside", "There is no such move.")
        return self.after[move]


def told(*arguments: Any, **facts: Any) -> Position:
    return cast(Position, Told(*arguments, **facts))


@pytest.mark.parametrize(
    ("left", "moves"),
    [(0, []), (1, [1]), (3, [3]), (4, [1, 2, 3]), (5, [1]), (6, []), (7, []), (8, []), (9, [])],
)
def test_urgent_moves_win_or_are_all_that_do_not_lose_at_once(left: int, moves: list[int]) -> None:
    assert list(of.urgent_moves(BonesPosition(left))) == moves


def test_a_single_move_is_urgent_only_if_it_lets_the_opponent_win() -> None:
    win = Told(turn=0, outcome=Outcome(1, "line"))
    lost = Told({1: Told({2: win}, turn=1)})
    assert list(of.urgent_moves(cast(Position, lost))) == [1]
    assert list(of.urgent_moves(told({1: Told(turn=1)}))) == []
    assert list(of.urgent_moves(told({1: Told({2: win}, turn=0)}))) == [], "the same side moves again"
    assert list(of.urgent_moves(told({1: Told(turn=1, outcome=Outcome(None, "full"))}))) == []


def test_cells_that_a_line_changes_are_told_with_those_that_were_filled_first() -> None:
    third = Told(cells=b"\1\2\0\1")
    second = Told({8: third}, b"\2\1\0\2")
    first = told({7: second}, b"\1\0\0\2")
    assert list(of.changed_cells(first, [7]).items()) == [(1, 1), (0, 2)]
    assert list(of.changed_cells(first, [7, 8]).items()) == [(1, 2), (3, 1)], "the first cell is what it was"
    assert of.changed_cells(first, [9, 7]) == {}
    assert [move for _, move in of.played(first, [7, 9, 8])] == [7]


def test_what_a_game_does_not_have_is_empty() -> None:
    bones = setup("bones").start()
    assert (of.rule_of(bones), of.forbidden_points(bones), of.score_of(bones)) == ("", {}, None)
    assert (list(of.own_plans(bones)), of.threat_moves(bones)) == ([], bones.candidates())
    with pytest.raises(TypeError, match="no `cells`"):
        of.cells_of(bones)
    for moves, passes in (([PASS], True), ([PASS, 0], False), ([], False)):
        assert of.must_pass(told(dict.fromkeys(moves, Told()))) == passes


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [(("gomoku", 4), "is 5 to 20, not 4"), (("gomoku", 21), "not 21"), (("tictactoe", 4), "is 3, not 4"),
     (("bones", 0), "is 1 to 60, not 0"), (("bones", 61), "not 61")],
)  # fmt: skip
def test_a_size_that_a_game_does_not_have_is_refused(asked: tuple[str, int], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        setup(*asked)
