from __future__ import annotations

import random
from itertools import pairwise, zip_longest

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.line import LinePosition
from games.position import FIRST, IllegalMove, Outcome, Stones
from tests.games.strategies import drawn_game

DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1)]
SEVEN = 7


def gomoku(size: int = 15) -> LinePosition:
    return LinePosition.empty(size, size, 5)


def rows_of_five(size: int) -> list[tuple[int, ...]]:
    """All rows of five cells on a board, by plain geometry."""
    rows = []
    for row in range(size):
        for column in range(size):
            for down, right in DIRECTIONS:
                points = [(row + i * down, column + i * right) for i in range(5)]
                if all(0 <= r < size and 0 <= c < size for r, c in points):
                    rows.append(tuple(r * size + c for r, c in points))
    return rows


def with_stones(position: LinePosition, first: list[int], second: list[int]) -> LinePosition:
    """Plays the stones of both sides in turn."""
    for own, other in zip_longest(first, second):
        for move in (own, other):
            position = position if move is None else position.play(move)
    return position


def harmless(size: int, taken: set[int], count: int) -> list[int]:
    """Cells for the other side: no more than four, so that they cannot make a row of five."""
    assert count <= 4
    return [cell for cell in range(size * size) if cell not in taken][:count]


def points(position: LinePosition, text: str) -> list[int]:
    return [position.parse_move(point) for point in text.split()]


@pytest.mark.parametrize("last", range(5))
def test_every_row_of_five_wins_whichever_stone_comes_last(last: int) -> None:
    rows = rows_of_five(SEVEN)
    assert len(rows) == 2 * 7 * 3 + 2 * 3 * 3
    for row in rows:
        before = [cell for cell in row if cell != row[last]]
        position = with_stones(gomoku(SEVEN), before, harmless(SEVEN, set(row), 4))
        assert position.outcome is None
        assert position.play(row[last]).outcome == Outcome(FIRST, "line", tuple(sorted(row)))


def by_rule(rule: str, size: int = 15) -> LinePosition:
    return LinePosition.empty(size, size, 5, rule)


def test_no_candidate_claims_a_six_in_standard() -> None:
    start = by_rule("standard")
    gap = with_stones(start, points(start, "b8 c8 e8 f8 g8"), points(start, "a1 c1 e1 g1 i1"))
    assert len(gap.candidates()) > 2  # nothing wins at d8
    six = gap.play(start.parse_move("d8"))
    assert len(six.candidates()) > 2  # and nothing has to be stopped
    edge = with_stones(start, points(start, "a8 c8 d8 e8 f8"), points(start, "a1 c1 e1 g1 i1"))
    assert edge.candidates() == [start.parse_move("g8")], "and not b8"
    four = with_stones(start, points(start, "b8 d8 e8 f8 g8"), points(start, "a1 c1 e1 g1 i1"))
    assert four.candidates() == [start.parse_move("h8")]


@pytest.mark.parametrize("size", [5, 15])
def test_a_full_board_without_a_row_is_a_draw(size: int) -> None:
    position = gomoku(size)
    for move in drawn_game(size):
        assert position.outcome is None
        position = position.play(move)
    assert position.outcome == Outcome(None, "full")


def test_refusals_tell_the_reason() -> None:
    position = gomoku().play(112)
    for move, reason, words in ((225, "outside", "not on the board"), (112, "occupied", "already a stone on h8")):
        with pytest.raises(IllegalMove, match=words) as caught:
            position.play(move)
        assert caught.value.reason == reason
    won = with_stones(position, points(position, "a1 c1 e1 g1"), points(position, "h9 h10 h11 h12"))
    with pytest.raises(IllegalMove, match="over") as caught:
        won.play(0)
    assert caught.value.reason == "over"


@settings(deadline=None, max_examples=60)
@given(
    st.integers(5, 8),
    st.integers(2, 5),
    st.sampled_from(["freestyle", "standard"]),
    st.randoms(use_true_random=False),
)
def test_outcome_agrees_with_a_look_at_the_whole_board(width: int, length: int, rule: str, random) -> None:  # type: ignore[no-untyped-def]
    """Random games on boards that are not square, against a scan that knows nothing of `line.py`."""
    position = LinePosition.empty(width, width - 1, length, rule)
    while position.outcome is None:
        assert not cells_of_rows(position, length, rule)
        position = position.play(random.choice(position.legal_moves()))
    found = cells_of_rows(position, length, rule)
    assert bool(found) == (position.outcome.reason == "line")
    assert position.outcome.cells == tuple(sorted(found))


def cells_of_rows(position: LinePosition, length: int, rule: str) -> set[int]:
    width, height = position.rules.width, position.rules.height
    board = {divmod(cell, width): content for cell, content in enumerate(position.cells)}
    assert len(board) == width * height
    found: set[int] = set()
    for (row, column), stone in board.items():
        for down, right in DIRECTIONS:
            there = [(row + i * down, column + i * right) for i in range(-1, length + 1)]
            full = stone and all(board.get(point) == stone for point in there[1:-1])
            if full and not (rule == "standard" and stone in (board.get(there[0]), board.get(there[-1]))):
                found.update(r * width + c for r, c in there[1:-1])
    return found


def test_one_more_in_a_row_is_worth_more_and_the_other_side_sees_the_negative() -> None:
    start = gomoku()
    scores = []
    for row in ("h8", "h8 h9", "h8 h9 h10", "h8 h9 h10 h11"):
        stones = points(start, row)
        position = with_stones(start, stones, points(start, "a1 o1 a15 o15")[: len(stones)])
        scores.append(position.evaluate())
        assert position.turn == FIRST
        assert position.play(0 if position.cells[0] == 0 else 1).evaluate() < 0
    assert all(fewer < more for fewer, more in pairwise(scores))
    assert scores == [22, 55, 163, 2299]
    assert start.play(112).evaluate() == 5 - 4 * 5, "20 windows of one stone, and the move"


def test_the_order_of_the_moves_that_are_looked_at() -> None:
    """With three in a row, those that make a four, and then others by what they are worth to either side."""
    assert LinePosition.empty(3, 3, 3).candidates() == [4, 0, 1, 2, 3, 5, 6, 7, 8]
    start = LinePosition.empty(5, 5, 4)
    assert (start.candidates(), start.own_plans()) == ((12,), [])
    three = with_stones(gomoku(), points(gomoku(), "e8 f8 g8"), points(gomoku(), "a1 c1 e1"))
    first = " ".join(map(start.move_text, start.play(12).candidates()))
    assert first == "b4 c4 d4 b3 d3 b2 c2 d2 a5 b5 c5 d5 e5 a4 e4 a3 e3 a2 e2 a1"
    for moves, expected in (
        (three.candidates(), "h8 d8 i8 c8 d1 b1 f9 f7 e9 g9 e7 g7 e10 g10 e6 g6 h9 h7 f1 f10"),
        (three.own_plans()[:12], "h8 d8 i8 c8 f9 f7 e9 g9 e7 g7 e10 g10"),
        (three.threat_moves(), "h8 d8 i8 c8"),
        (three.urgent_moves(), ""),
    ):
        assert " ".join(map(three.move_text, moves)) == expected


def test_candidates_are_only_wins_or_else_only_the_points_that_stop_one() -> None:
    start = gomoku()
    four = with_stones(start, points(start, "e8 f8 g8 h8"), points(start, "a1 c1 e1 g1"))
    assert sorted(four.candidates()) == sorted(four.urgent_moves()) == sorted(points(start, "d8 i8"))
    assert four.play(four.urgent_moves()[0]).urgent_moves() == ()
    assert sorted(four.play(0).candidates()) == sorted(points(start, "d8 i8"))
    three = LinePosition.empty(3, 3, 3)
    blocked = with_stones(three, points(three, "a3 b3"), points(three, "b2 c2"))
    assert blocked.urgent_moves() == points(three, "c3"), "which is in no other row that is open"


def test_a_position_that_was_set_up_is_asked_as_one_that_was_played() -> None:
    played = with_stones(gomoku(), [112, 97], [113, 98])
    fewer, same = (gomoku().arranged(Stones(of)) for of in (((112,), (113,)), ((112, 97), (113, 98))))
    for position in (fewer.play(97).play(98), same):
        assert (position.candidates(), position.own_plans()) == (played.candidates(), played.own_plans())
    full = LinePosition.empty(3, 3, 3).arranged(Stones(((4, 8), (6, 0))))
    for move in (3, 5, 1, 7, 2):
        assert full.outcome is None
        full = full.play(move)
    assert full.outcome == Outcome(None, "full")


def test_the_score_is_the_same_whenever_it_is_asked_for() -> None:
    """Positions of a file are not asked for it, which took half of the time of reading them."""
    chance = random.Random(4)
    start, asked = (LinePosition.empty(9, 9, 5, "renju") for _ in range(2))
    asked.evaluate()
    scores, moves = set(), list[int]()
    while asked.outcome is None:
        move = chance.choice(asked.legal_moves())
        moves.append(move)
        asked, unasked = asked.play(move), with_stones(start, moves[::2], moves[1::2])
        assert asked == unasked
        assert unasked.evaluate() == asked.evaluate()
        scores.add(asked.evaluate())
    assert len(scores) > 5
