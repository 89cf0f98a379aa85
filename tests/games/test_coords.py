import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.coords import cell_text, parse_cell, star_points
from games.position import IllegalMove


@pytest.mark.parametrize(
    ("text", "cell"),
    [("h8", 7 * 15 + 7), ("h9", 6 * 15 + 7), ("a15", 0), ("o15", 14), ("a1", 14 * 15), ("o1", 224), ("i1", 218)],
)
def test_points_of_a_gomoku_board(text: str, cell: int) -> None:
    assert parse_cell(text, 15, 15) == cell
    assert cell_text(cell, 15, 15) == text


@given(st.integers(1, 26), st.integers(1, 99), st.data())
def test_the_name_of_a_cell_leads_back_to_it(width: int, height: int, data: st.DataObject) -> None:
    cell = data.draw(st.integers(0, width * height - 1))
    assert parse_cell(cell_text(cell, width, height), width, height) == cell


def test_capitals_and_spaces_are_fine() -> None:
    assert parse_cell(" H8\n", 15, 15) == 112


@pytest.mark.parametrize("text", ["", "h", "8", "h-1", "hh8", "h8.", "h 8", "8h", "h123", "é8", "h٣", "h²"])
def test_what_is_not_a_point_is_unreadable(text: str) -> None:
    with pytest.raises(IllegalMove, match="is not a point") as caught:
        parse_cell(text, 15, 15)
    assert caught.value.reason == "unreadable"


@pytest.mark.parametrize("text", ["p1", "a16", "a0", "z99"])
def test_points_beyond_the_board_are_outside(text: str) -> None:
    with pytest.raises(IllegalMove, match="is not on a board of 15×15") as caught:
        parse_cell(text, 15, 15)
    assert caught.value.reason == "outside"


def test_width_and_height_are_not_confused() -> None:
    assert parse_cell("e1", 5, 3) == 14
    assert parse_cell("a3", 5, 3) == 0
    with pytest.raises(IllegalMove):
        parse_cell("a4", 5, 3)


def test_star_points_are_where_go_boards_have_them() -> None:
    assert sorted(star_points(15)) == [(3, 3), (3, 11), (7, 7), (11, 3), (11, 11)]
    assert len(star_points(19)) == 9
    assert star_points(5) == [(2, 2)]
    for count in range(5, 21):
        stars = star_points(count)
        assert len(stars) == len(set(stars))
        assert all((count - 1 - x, y) in stars and (y, x) in stars for x, y in stars)
