import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.coords import cell_text, images_of, parse_cell, star_points
from games.position import IllegalMove


@pytest.mark.parametrize(
    ("text", "reason"),
    [(text, "unreadable") for text in ("", "h", "8", "h-1", "hh8", "h8.", "h 8", "8h", "h123", "é8", "h٣", "h²")]
    + [(text, "outside") for text in ("p1", "a16", "a0", "z99")],
)
def test_what_is_no_point_of_the_board_is_refused(text: str, reason: str) -> None:
    sentence = {"unreadable": "is not a point", "outside": "is not on a board of 15×15"}[reason]
    with pytest.raises(IllegalMove, match=sentence) as caught:
        parse_cell(text, 15, 15)
    assert caught.value.reason == reason


@settings(deadline=None)
@given(st.integers(1, 26), st.integers(1, 99), st.data())
def test_the_name_of_a_cell_leads_back_to_it(width: int, height: int, data: st.DataObject) -> None:
    cell = data.draw(st.integers(0, width * height - 1))
    assert parse_cell(cell_text(cell, width, height), width, height) == cell


def test_width_and_height_are_not_confused() -> None:
    assert parse_cell(" E1\n", 5, 3) == 14
    assert parse_cell("a3", 5, 3) == 0
    with pytest.raises(IllegalMove):
        parse_cell("a4", 5, 3)


def test_star_points_are_where_go_boards_have_them() -> None:
    assert sorted(star_points(15)) == [(3, 3), (3, 11), (7, 7), (11, 3), (11, 11)]
    assert [len(star_points(count)) for count in (5, 6, 7, 8, 9, 16, 17, 18, 19)] == [1, 0, 1, 4, 5, 4, 9, 4, 9]
    assert [min(star_points(count)) for count in (5, 8, 11, 12, 19)] == [(2, 2), (2, 2), (2, 2), (3, 3), (3, 3)]
    for count in range(5, 21):
        stars = star_points(count)
        assert len(stars) == len(set(stars))
        assert all((count - 1 - x, y) in stars and (y, x) in stars for x, y in stars)


def test_the_images_of_a_board() -> None:
    assert images_of(3, 2, 2) == ((0, 1, 2, 3, 4, 5), (2, 1, 0, 5, 4, 3))
    assert images_of(3, 2, 1) == images_of(3, 2, 2)[:1]
    assert len(set(images_of(3, 3, 8))) == 8
    for wrong in ((3, 2, 8), (3, 3, 4), (3, 3, 0)):
        with pytest.raises(ValueError, match="has no"):
            images_of(*wrong)
