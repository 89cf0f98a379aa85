"""Why a move, and what a position threatens: boards made by hand, for all three rules."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ai.review.gomoku import double_threat, has_shape, reason, threats
from ai.review.report import THREATS, Reason
from games.line import LinePosition
from games.position import FIRST, SECOND, Stones
from games.registry import setup

RULES = ("freestyle", "standard", "renju")


def board(black: str, white: str, rule: str = "freestyle", turn: int = FIRST) -> LinePosition:
    """A 15×15 board that was set up; points are separated by spaces."""
    game = setup("gomoku", rule=rule)
    empty = game.start()
    of = tuple(tuple(empty.parse_move(point) for point in points.split()) for points in (black, white))
    position = game.start(Stones((of[0], of[1]), turn))
    assert isinstance(position, LinePosition)
    return position


def why(position: LinePosition, move: str) -> Reason:
    return reason(position, position.parse_move(move))


def named(position: LinePosition, side: int) -> dict[str, str]:
    return {position.move_text(cell): threat for cell, threat in threats(position, side).items()}


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    ("black", "white", "move", "expected"),
    [
        ("f8 g8 h8 i8", "e8", "j8", Reason(makes=("five",))),
        ("g8 h8 i8", "", "j8", Reason(makes=("open_four",))),
        ("g8 h8 i8", "f8", "j8", Reason(makes=("four",))),
        ("g8 h8", "", "i8", Reason(makes=("open_three",))),
        ("g8 h8", "f8", "i8", Reason(makes=("three",))),
        ("g8 h8 i8 j5 j6", "f8 j4", "j8", Reason(makes=("four", "three"))),
        ("", "f8 g8 h8 i8", "e8", Reason()),  # an open four cannot be blocked
        ("e8", "f8 g8 h8 i8", "j8", Reason(blocks=("four",))),
        ("", "g8 h8 i8", "f8", Reason(blocks=("open_three",))),
        ("", "g8 h8 i8", "e8", Reason()),  # white still makes an open four on j8
        ("", "g8 h8 i8", "j8", Reason(blocks=("open_three",))),
        ("f8", "g8 h8 i8", "j8", Reason(blocks=("three",))),
        ("", "g8 h8 j8", "i8", Reason(blocks=("open_three",))),
        ("e8 j6 j7", "f8 g8 h8 i8", "j8", Reason(makes=("open_three",), blocks=("four",))),
        ("h8", "c3", "i9", Reason(makes=("open_two",))),
        ("h8", "g8 i9 j9 j7", "h9", Reason(makes=("open_two",), blocks=("open_two",))),
        ("", "b15 c15 d15 e15", "f15", Reason()),  # white still makes five on a15
        ("", "", "a1", Reason()),
    ],
)  # fmt: skip
def test_what_a_move_makes_and_blocks(rule: str, black: str, white: str, move: str, expected: Reason) -> None:
    assert why(board(black, white, rule), move) == why(board(white, black, rule, SECOND), move) == expected


@pytest.mark.parametrize(
    ("rule", "side", "made"),
    [("freestyle", FIRST, ("five",)), ("standard", FIRST, ()), ("renju", FIRST, ()), ("renju", SECOND, ("five",))],
)
def test_six_in_a_row_is_a_five_where_the_rule_says_so(rule: str, side: int, made: tuple[str, ...]) -> None:
    stones = ("e8 f8 g8 i8 j8", "d8 k8")
    assert why(board(stones[side], stones[1 - side], rule, side), "h8").makes == made


def test_the_threats_of_an_open_three() -> None:
    found = named(board("g8 h8 i8", ""), FIRST)
    assert {point for point, threat in found.items() if threat == "open_four"} == {"f8", "j8"}
    assert {point for point, threat in found.items() if threat == "four"} == {"e8", "k8"}
    assert set(found.values()) <= set(THREATS)


def test_a_shape_is_seen_from_a_cell_up_to_five_from_where_it_is_completed() -> None:
    position = board("f8 g8 h8", "")
    seen = [has_shape(position, position.parse_move(cell), FIRST, "open_three") for cell in ("n8", "o8", "h9")]
    assert seen == [True, False, False]


def test_the_threats_of_either_side() -> None:
    position = board("f8 g8 h8 i8", "e8 c3 c4 c5", turn=SECOND)
    assert named(position, FIRST)["j8"] == "five"
    assert named(position, SECOND)["c6"] == "open_four"


def test_a_point_where_a_four_and_a_three_meet() -> None:
    position = board("e8 f8 g8 h6 h7", "d8")
    assert named(position, FIRST)["h8"] == "four_three"


@pytest.mark.parametrize(
    ("black", "white", "point", "freestyle"),
    [
        ("g8 i8 h7 h9", "", "h8", "double_three"),
        ("e8 f8 g8 h5 h6 h7", "d8 h4", "h8", "double_four"),
    ],
)
def test_points_that_renju_forbids_to_black(black: str, white: str, point: str, freestyle: str) -> None:
    assert named(board(black, white), FIRST)[point] == freestyle
    assert named(board(black, white, "renju"), FIRST)[point] == "forbidden"
    assert named(board(white, black, "renju"), SECOND)[point] == freestyle


def test_a_double_three_with_an_unreal_three_is_allowed() -> None:
    """One of its threes can become a straight four only on points that are forbidden themselves."""
    position = board("g8 i8 h7 h9 h12", "h13", "renju")
    point = position.parse_move("h8")
    assert (threats(position, FIRST)[point] == "forbidden") == (point in position.forbidden_points())


@pytest.mark.parametrize(
    ("black", "white", "expected"),
    [
        ("g8 h8 i8", "", False),
        ("g8 h8 i8 c3 c4 c5", "", True),
        ("f8 g8 h8 i8", "", True),
        ("f8 g8 h8 i8", "e8", False),
        ("f8 g8 h8 i8 c3 c4 c5", "e8", True),
        ("g8 h8 i8", "f8", False),
        ("h7 h8 h9", "", False),
        ("g7 h8 i9", "", False),
        ("g9 h8 i7", "", False),
        ("c3 d4 e5 k11 l12 m13", "", False),
        ("g9 h8 i7 g12 h11 i10", "", True),
    ],
)  # fmt: skip
def test_double_threats(black: str, white: str, expected: bool) -> None:
    assert double_threat(board(black, white), FIRST) == expected
    assert double_threat(board(white, black), SECOND) == expected


def test_reasons_need_no_compiled_kernels() -> None:
    code = """
import sys
from ai.review.gomoku import reason, threats
from games.registry import setup
start = setup("gomoku", rule="renju").start()
reason(start, 112), threats(start, 0)
print(sorted({"numba", "ai.system.compiler.jit", "ai.gomoku.engine"} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
