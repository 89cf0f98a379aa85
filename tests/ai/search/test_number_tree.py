import re

import pytest

from ai.core.player import Limit, answer
from ai.players.table import Context, make
from ai.search.comparison import VARIANTS, variant
from ai.search.minimax import Minimax
from ai.search.number_tree import GAME, NumberTree, parse, random_tree, text_of
from games.position import IllegalMove


def test_the_tree_of_textbooks() -> None:
    position = parse("3 12 8 | 2 4 6 | 14 5 2")
    info = answer(Minimax(), position, Limit(depth=2))
    assert (info.score, info.move, info.nodes) == (3, 0, 13)
    plain = answer(make(variant("alphabeta"), Context(GAME)), position, Limit(depth=2))
    assert (plain.score, plain.nodes) == (3, 11)  # 4 and 6 are not looked at


@pytest.mark.parametrize("seed", range(20))
def test_all_searches_agree_on_random_trees(seed: int) -> None:
    position = random_tree(2 + seed % 3, 1 + seed % 4, seed)
    found = {answer(make(variant(key), Context(GAME)), position, Limit(depth=position.depth)).score for key in VARIANTS}
    assert len(found) == 1
    assert parse(text_of(position.tree)) == position
    assert position.depth == 1 + seed % 4


def test_brackets_and_bars() -> None:
    assert parse("1 2 | 3 4") == parse("((1, 2), (3 4))") == NumberTree(((1, 2), (3, 4)))
    assert parse("−5 7").tree == (-5, 7)
    assert (text_of(((1, 2), (3, 4))), text_of(5)) == ("(1 2) (3 4)", "5")


@pytest.mark.parametrize(
    ("text", "leaves", "depth"),
    [
        (" ".join(["1"] * 26), 26, 1),
        ("|".join(["1 2 3 4 5 6 7 8"] * 8), 64, 2),
        (" ".join([f"({' '.join(['(1 2 3 4 5 6 7 8)'] * 8)})"] * 8), 512, 3),
        (" ".join([f"{7 * '('}1{7 * ')'}"] * 2), 2, 8),
    ],
)
def test_the_largest_trees(text: str, leaves: int, depth: int) -> None:
    position = parse(text)
    assert (len(re.findall(r"\d", text_of(position.tree))), position.depth) == (leaves, depth)


def test_numbers_by_chance_are_from_0_to_20() -> None:
    assert {int(each) for each in re.findall(r"\d+", text_of(random_tree(4, 4, 1).tree))} == set(range(21))


def test_the_branches_of_a_node_are_moves() -> None:
    position = NumberTree(((3, 4, 5), (2, 12, 13)))
    assert [position.move_text(move) for move in position.legal_moves()] == ["a", "b"]
    assert position.parse_move("b") == 1
    assert (position.turn, position.ply, position.evaluate()) == (0, 0, 6)
    after = position.play(1)
    assert (after.tree, after.turn, after.ply, after.evaluate()) == ((2, 12, 13), 1, 1, -9)
    leaf = after.play(2)
    assert (leaf.turn, leaf.ply, leaf.evaluate(), list(leaf.legal_moves())) == (0, 2, 13, [])
    for at, move in ((position, -1), (position, 2), (leaf, 0)):
        with pytest.raises(IllegalMove):
            at.play(move)
    for text in ("", "B", "ab", "1"):
        with pytest.raises(IllegalMove):
            position.parse_move(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "Write some numbers"),
        ("1 two", "“two” is not a whole number"),
        ("1 | 2 (3 4)", "equally deep"),
        ("(1 2", "not closed"),
        ("1 2)", "closes nothing"),
        ("()", "closes nothing"),
        ("1234 5", "not a whole number from −999 to 999"),
        (" ".join([f"({' '.join(['(1 2 3 4 5 6 7 8)'] * 8)})"] * 9), "at most 512 numbers, 8 plies"),
        (" ".join([f"{8 * '('}1{8 * ')'}"] * 2), "at most 512 numbers, 8 plies"),
        (" ".join(["1"] * 27), "at most 26"),
    ],
)
def test_what_is_no_tree_is_refused_in_a_sentence(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse(text)
