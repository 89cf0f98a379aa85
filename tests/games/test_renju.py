"""Forbidden points: drawn examples; `tests/ai/gomoku/test_kernels.py` compares the rules with the kernels on random
boards.

In the drawings X is black, O white; the points looked at are empty: 3 is a double three, 4 a double four,
6 an overline, 5 a five that wins, and + a point that looks forbidden and is not.
"""

from __future__ import annotations

import pickle
import random

import pytest

from games.formats import tengen, text
from games.line import LinePosition
from games.position import FIRST, SECOND, IllegalMove, Outcome, Stones
from games.position import forbidden_points as forbidden_moves
from games.registry import setup
from games.renju import forbidden, forbidden_points

REASONS = {"3": "double_three", "4": "double_four", "6": "overline"}


def drawn(drawing: str) -> tuple[bytes, int, int, dict[int, str]]:
    """The cells, width and height of a drawing, and the points with a mark."""
    rows = [line.split() for line in drawing.strip().splitlines()]
    flat = [character for row in rows for character in row]
    assert {len(row) for row in rows} == {len(rows[0])}
    marks = {cell: character for cell, character in enumerate(flat) if character not in ".XO"}
    cells = bytes(".XO".index(character) if character in "XO" else 0 for character in flat)
    return cells, len(rows[0]), len(rows), marks


def check(drawing: str) -> None:
    cells, width, height, marks = drawn(drawing)
    found = forbidden_points(cells, width, height)
    assert marks
    for cell, mark in marks.items():
        assert forbidden(cells, width, height, cell) == found.get(cell) == REASONS.get(mark)


DRAWINGS = {
    "a broken three and a three on a diagonal": """
        . . . . . . . . . .
        . . . . . . . . . .
        . . . X . . . . . .
        . . . . X . . . . .
        . . X X . 3 . . . .
        . . . . . . + . . .
        . . . . . . . . . .
        . . . . . . . . . .""",
    "a three with white beside it is none": """
        . . . . . . . . .
        . . . . O . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . X X + . . . .
        . . . . . . . . .
        . . . . . . . . .""",
    "a three with no room to become a straight four is none": """
        . . . . . . . .
        . . . . X . . .
        . . . . X . . .
        O . X X + . O .
        . . . . . . . .
        . . . . . . . .""",
    "threes one point from two edges": """
        . . . . . . .
        . 3 X X . . .
        . X . . . . .
        . X . . . . .
        . . . . . . .
        . . . . . . .""",
    "threes along the edge are none": """
        + X X . . . .
        X . . . . . .
        X . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .""",
    "a straight four and a four": """
        . . . . . . . .
        . . . . X . . .
        . . . . X . . .
        . . . . X . . .
        O X X X 4 . . .
        . . . . + . . .
        . . . . . . . .""",
    "a four and a three are allowed": """
        . . . . . . . .
        . . . . . . . .
        . . . . X . . .
        . . . . X . . .
        O X X X + . . .
        . . . . . . . .
        . . . . . . . .""",
    "four, three and three are a double three": """
        . . . . . . . . .
        . . . . . . . . .
        . . X . X . . . .
        . . . X X . . . .
        O X X X 3 . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
    "a five wins though it is an overline and two fours": """
        . . . . O . . . .
        . O . . X . . . .
        . . X . X . . . .
        . . . X X . . . .
        X X X X 5 . . . .
        . . . . X X . . .
        . . . . X . . . .
        . . . . . . . . .
        . . . . . . . . .""",
    "each way on leaves an end where a fifth stone makes six": """
        . . . . . . . . .
        . . . . X . . . .
        . . . . X . . . .
        X . . X + X . . X
        . . . . . . . . .
        . . . . . . . . .""",
    "with more room on one side it is a three again": """
        . . . . . . . . . .
        . . . . X . . . . .
        . . . . X . . . . .
        X . . X 3 X . . . .
        . . . . . . . . . .
        . . . . . . . . . .""",
    "the stone between would make an overline": """
        . . . . . . . . .
        . . . . . . . . .
        . . . X . . . . .
        . . . X . X . . .
        . . . X . X . . .
        . . X . X + . . .
        . . . X . . . . .
        . . . X . . . . .
        . . . . . . . . .""",
    "the stone between would make two fours": """
        . . . . . . . . .
        . . . . . . . . .
        . . . O . . . . .
        . . . X . X . . .
        . . . X . X . . .
        . . X . X + . . .
        . . . X . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
    "the stone between would make a four and a three, as it may": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . X . X . . .
        . . . X . X . . .
        . . X . X 3 . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .""",
    "the stone between would make a five": """
        . . . . . . . . .
        . . . . . . . . .
        . . . X . . . . .
        . . . X . X . . .
        . . . X . X . . .
        . . X . X + . . .
        . . . X . . . . .
        . . . O . . . . .
        . . . . . . . . .""",
    # The number is how often one has to ask whether a move that makes a straight four is itself forbidden.
    "depth 1": """
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . + . . . . . . . .
        . . . X . . . . . . .
        . . X . . X X . . . .
        . . X . . X . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .""",
    "depth 2": """
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . X . . . .
        . . . . . . . 3 . . .
        . . . . . . X . . X .
        . . . . . X . X . X .
        . . . . . . X . . . .
        . . . . . . . . . X .""",
    "depth 3": """
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . X . . . .
        . . . . . X X . . . .
        . . . . . . . + . X .
        . . . . . . . X . X .
        . . . . . . . X . X .
        . . . . . . . . . . .
        . . . . . . . . . X .
        . . . . . . . . . . .
        . . . . . . . . . . .""",
}


@pytest.mark.parametrize("drawing", DRAWINGS.values(), ids=DRAWINGS.keys())
def test_drawn_examples(drawing: str) -> None:
    check(drawing)


@pytest.mark.parametrize(
    "row",
    [
        "..X.X4X.X...",
        "X.4XX.X",  # from edge to edge, where each four has but one way on
        "X.X4X.X",
        "..XX.4X.XX..",
        "XX.X4.XX",
        "..XXX.4.XXX..",
        "XXX.4.XXX",
        ".XXX6XX..",
        "XX6XXX",
        ".XXXXX6..",  # longer than a five that is there, as it cannot be in a game
        "OXXXX5.XX",
        "..XXX+...",  # a straight four is one four
        ".XX.+XX..",
        "..XX.+.XX..",
        "X..XX+..X",
        "O.XX+.X.O",  # a four in one way: the other end would make six
        ".X.XX+X..",
    ],
)
def test_fours_and_overlines_in_one_line(row: str) -> None:
    check(" ".join(row))


# The game


def renju(moves: str) -> LinePosition:
    position = text.parse(moves, setup("gomoku", 15, "renju")).position
    assert isinstance(position, LinePosition)
    return position


DOUBLE_THREE = "h8a1h9a15f7o1g7o15"
"""Black to move: h7 would make two threes."""


@pytest.mark.parametrize(
    ("moves", "point", "reason", "words"),
    [
        (DOUBLE_THREE, "h7", "double_three", "two open threes at once"),
        ("h8a1h9a15h10o1e7o15f7a3g7a5", "h7", "double_four", "two fours at once"),
        ("d7a1e7a15f7o1h7o15i7a3", "g7", "overline", "more than five in a row"),
    ],
)
def test_a_forbidden_move_is_refused_with_its_reason(moves: str, point: str, reason: str, words: str) -> None:
    position = renju(moves)
    move = position.parse_move(point)
    assert position.forbidden_points()[move] == reason
    with pytest.raises(IllegalMove, match=f"Black may not play {point}: it would make {words}") as caught:
        position.play(move)
    assert caught.value.reason == reason
    assert move not in {*position.legal_moves(), *position.candidates()}
    assert len(position.legal_moves()) == 225 - position.ply - len(position.forbidden_points())


@pytest.mark.parametrize(
    ("moves", "rule"),
    [("a1h8a15h9o1f7o15g7a3", "renju"), (DOUBLE_THREE, "freestyle"), (DOUBLE_THREE, "standard")],
)
def test_white_and_other_rules_are_free_to_play_anywhere(moves: str, rule: str) -> None:
    position = text.parse(moves, setup("gomoku", 15, rule)).position
    assert forbidden_moves(position) == {}
    assert position.play(position.parse_move("h7")).outcome is None


def test_white_wins_with_six_and_black_with_five() -> None:
    white = renju("a1d8c1e8e1f8g1h8i1i8k1g8")
    assert (white.outcome.winner, len(white.outcome.cells)) == (SECOND, 6)
    black = renju("d8a1e8c1f8e1h8g1g8")
    assert black.outcome == Outcome(FIRST, "line", tuple(black.parse_move(f"{column}8") for column in "defgh"))
    over = renju("h8a1h9b1f7c1g7d1o15e1")
    assert (over.outcome.winner, over.forbidden_points()) == (SECOND, {}), "nothing is forbidden any more"


def test_black_without_a_move_ends_in_a_draw() -> None:
    """No game is likely to come here: XXX.XX fills a board but for one point, where black is to move."""
    rows = "".join(["OXOXOX", "XXXOXX", "XOXOOO", "OXOXOX", "OXOOXX"])
    hole = 9
    black, white = (tuple(at for at, stone in enumerate(rows) if stone == side and at != hole) for side in "XO")
    position = LinePosition.empty(6, 5, 5, "renju").arranged(Stones((black, white), FIRST))
    assert position.forbidden_points() == {hole: "overline"}
    assert position.outcome == Outcome(None, "full")
    assert not position.legal_moves()
    assert not position.candidates()


def test_no_point_is_forbidden_that_has_no_stone_within_two() -> None:
    """A board is not searched for a point that is allowed if there is one of these."""
    chance = random.Random(1)
    far = [cell for cell in range(225) if 3 <= max(abs(cell // 15 - 7), abs(cell % 15 - 7)) <= 5]
    for share in (0.3, 0.6, 0.9, 1.0):
        for _ in range(50):
            cells = bytearray(225)
            for cell in far:
                cells[cell] = 1 + (chance.random() < 0.1) if chance.random() < share else 0
            assert forbidden(bytes(cells), 15, 15, 112) is None


def test_a_file_with_a_forbidden_move_is_refused_and_others_come_back() -> None:
    of = setup("gomoku", 15, "renju")
    record = text.parse(DOUBLE_THREE, of)
    assert tengen.loads(tengen.dumps(record)) == record
    with pytest.raises(text.FormatError, match=r"Move 9, “h7”, cannot be played: Black may not play h7"):
        text.parse(DOUBLE_THREE + "h7", of)
    damaged = tengen.dumps(text.parse(DOUBLE_THREE + "h7", setup("gomoku"))).replace(b"freestyle", b"renju")
    with pytest.raises(text.FormatError, match="cannot be played: Black may not play h7"):
        tengen.loads(damaged)


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
def test_a_position_can_be_sent_to_another_process(rule: str) -> None:
    position = text.parse(DOUBLE_THREE, setup("gomoku", 15, rule)).position
    assert isinstance(position, LinePosition)
    assert position.candidates()
    again = pickle.loads(pickle.dumps(position))
    assert again == position
    assert again.rules is position.rules


def test_there_are_no_other_rules() -> None:
    for length, rule in ((5, "caro"), (3, "renju")):
        with pytest.raises(ValueError, match=f"no rule “{rule}”"):
            LinePosition.empty(9, 9, length, rule)
