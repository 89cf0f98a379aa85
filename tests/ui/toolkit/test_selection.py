"""Which rows of a list are selected."""

from __future__ import annotations

from ui.toolkit.text_line import Selection


def selection(count: int = 6) -> Selection:
    made = Selection()
    made.show(range(100, 100 + count))
    return made


def test_the_first_game_stays_selected_while_the_list_grows_until_somebody_selects() -> None:
    """While the files were read for the first time, a game far down was selected, which nobody saw."""
    made = selection()
    made.show([7, *range(100, 105)])
    assert (made.current, made.in_order()) == (7, [7])
    made.move(1)
    made.show([5, 6, 7, *range(100, 105)])
    assert (made.current, made.in_order()) == (100, [100])


def test_the_cursor_stays_within_and_extends_from_where_it_began() -> None:
    made = selection()
    made.move(3)
    made.move(1, extend=True)
    assert made.in_order() == [101, 102, 103]
    made.move(5, extend=True)
    assert made.in_order() == [103, 104, 105]
    made.move(99)
    assert made.in_order() == [105]
    made.move(-1)
    assert made.in_order() == [100]


def test_rows_are_toggled_and_all_are_selected() -> None:
    made = selection()
    made.toggle(2)
    made.toggle(4)
    made.toggle(0)
    assert made.in_order() == [102, 104]
    made.all()
    assert len(made.in_order()) == 6


def test_the_selection_survives_another_list() -> None:
    made = selection()
    made.move(2)
    made.toggle(4)
    made.show([104, 50, 102])
    assert made.in_order() == [104, 102]
    assert made.current == 104
    made.show([7, 8])
    assert made.in_order() == [7]
    made.show([])
    assert made.current is None
    assert made.in_order() == []
    made.move(1)
    made.toggle()
    assert (made.at, made.in_order()) == (0, [])


def test_the_cursor_stays_at_its_place_where_its_row_is_gone() -> None:
    made = selection()
    made.move(4)
    made.show([1, 2, 3, 4, 5, 6])
    assert (made.at, made.in_order()) == (4, [5])
    made.move(2, extend=True)
    assert made.in_order() == [3, 4, 5]
    made.toggle()
    assert (made.current, made.in_order()) == (3, [4, 5])
    made.show([9, 3])
    assert (made.at, made.in_order()) == (1, [3])
    made.toggle()
    assert (made.chosen, made.in_order()) == (set(), [3])
    made.show([9, 8, 7])
    assert (made.at, made.in_order()) == (1, [8])
