"""Undo reverts every edit of the tree exactly, the last one first."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.edits import Arrangement, Branch, Edits
from games.formats import tengen
from games.position import IllegalMove
from games.record import About, GameRecord, Mark
from games.registry import setup
from tests.games.strategies import gomoku


def test_a_variation_is_taken_back_and_what_led_on_before_leads_on_again() -> None:
    record = gomoku("h8h9")
    record.undo()
    record.play(98)
    record.undo()
    edits = Edits(record)
    assert edits.play(99)
    assert edits.undo()
    assert (record.cursor.move, [node.move for node in record.line()]) == (112, [None, 112, 98])
    assert not edits.undo()


def test_a_move_that_is_there_already_and_the_main_line_are_no_change() -> None:
    record = gomoku("h8h9")
    record.undo()
    edits = Edits(record)
    assert not edits.play(97)
    with pytest.raises(IllegalMove):
        edits.play(112)
    assert not edits.promote(record.cursor)
    assert not edits.promote(record.root)
    assert not edits


def test_a_tree_is_one_change_whose_first_moves_are_the_line_that_is_shown() -> None:
    record = gomoku("h8h9")
    record.undo()
    here, before = record.cursor, tree(record)
    edits = Edits(record)
    branch = Branch(96, (Branch(98, (Branch(99),)), Branch(100, (Branch(99),))))
    assert edits.graft(branch, "Proven.") == 5
    assert record.cursor is here
    assert [node.move for node in record.line()] == [None, 112, 96, 98, 99]
    assert (record.line()[2].comment, len(record.line()[2].children)) == ("Proven.", 2)
    assert (len(edits), edits.undo()) == (1, True)
    assert tree(record) == before
    with pytest.raises(IllegalMove):
        edits.graft(Branch(97, (Branch(98, (Branch(97),)),)), "Wrong.")
    assert (tree(record), len(edits)) == (before, 0)


def test_a_line_that_becomes_the_main_one_goes_back_to_its_place_at_each_branch() -> None:
    record = gomoku("h8h9i9")
    for way in ([112, 99, 100], [112, 99, 101]):
        record.go_to(record.root)
        for move in way:
            record.play(move)
    before, chosen, edits = tree(record), record.cursor, Edits(record)
    assert (edits.promote(chosen), record.main_end(), edits.undo()) == (True, chosen, True)
    assert (tree(record), record.cursor) == (before, chosen.parent)


kinds = st.sampled_from(("play", "remove", "promote", "go", "comment", "mark"))
acts = st.lists(st.tuples(kinds, st.integers(0, 999)), max_size=12)


@settings(deadline=None)
@given(acts)
def test_after_as_many_undos_the_tree_is_what_it_was(steps: list[tuple[str, int]]) -> None:
    record = gomoku("h8h9i9")
    record.go_to(record.root.children[0])
    record.play(99)
    before = tree(record)
    edits = Edits(record)
    for act, choice in steps:
        nodes = list(record.nodes())
        node, count = nodes[choice % len(nodes)], len(edits)
        if act == "play":
            edits.play([move for move in record.position.legal_moves() if move % 2 == 0][choice % 4])  # never a five
        elif act == "go":
            record.go_to(node)
        elif act == "comment":
            assert edits.comment(node, "a" * (choice % 3)) == (len(edits) > count)
        elif act == "mark":
            assert edits.mark(node, (Mark("cross", 3),) * (choice % 3)) == (len(edits) > count)
        elif node.parent is not None:
            (edits.remove if act == "remove" else edits.promote)(node)
    while edits.undo():
        tengen.dumps(record)  # raises where the tree does not hold together
    assert tree(record) == before


def tree(record: GameRecord) -> list[tuple[object, ...]]:
    return [(node.move, len(node.children), node.comment, node.marks) for node in record.nodes()]


def test_stones_on_another_board_stay_around_its_centre() -> None:
    large, nine, six, discs = setup("gomoku", 15), setup("gomoku", 9), setup("gomoku", 6), setup("connect4")
    for before, after, place, found in (
        (large, nine, (3, 3), (0, 0)), (large, nine, (3, 11), (0, 8)), (large, nine, (11, 3), (8, 0)),
        (large, nine, (2, 7), None), (large, nine, (12, 7), None), (large, nine, (7, 2), None),
        (large, nine, (7, 12), None), (nine, large, (0, 8), (3, 11)), (six, nine, (0, 5), (1, 6)),
        (nine, six, (1, 6), (0, 5)), (large, discs, (4, 4), (0, 0)), (large, discs, (9, 10), (5, 6)),
        (large, discs, (10, 4), None), (large, discs, (4, 11), None), (discs, large, (5, 6), (9, 10)),
    ):  # fmt: skip
        (width, height), (wide, high) = before.board, after.board
        cells, expected = bytearray(width * height), bytearray(wide * high)
        cells[place[0] * width + place[1]] = 2
        if found is not None:
            expected[found[0] * wide + found[1]] = 2
        assert Arrangement(before, bytes(cells), 1).on(after) == Arrangement(after, bytes(expected), 1)


def test_what_is_said_of_a_game_can_be_changed_and_taken_back() -> None:
    edits = Edits(gomoku())
    record, told = edits.record, About(event="Cup", ranks=("1d", ""))
    before = record.about, record.names, record.date
    assert edits.describe(told, ("Ada", ""), "2026-11-26")
    assert not edits.describe(told, ("Ada", ""), "2026-11-26")
    assert (record.about, record.names, record.date) == (told, ("Ada", ""), "2026-11-26")
    assert edits.undo()
    assert (record.about, record.names, record.date) == before
