import pytest

from ai.core.player import Limit, answer
from ai.players.table import Context, make
from ai.search.comparison import VARIANTS, variant
from ai.search.minimax import Minimax
from ai.search.number_tree import GAME, NumberTree, parse, random_tree, text_of


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


def test_brackets_and_bars() -> None:
    assert parse("1 2 | 3 4") == parse("((1, 2), (3 4))") == NumberTree(((1, 2), (3, 4)))
    assert parse("−5 7").tree == (-5, 7)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "Write some numbers"),
        ("1 two", "“two” is not a whole number"),
        ("1 | 2 (3 4)", "equally deep"),
        ("(1 2", "not closed"),
        ("1 2)", "closes nothing"),
        ("()", "closes nothing"),
        ("1234 5", "not a whole number"),
        (" ".join(["1"] * 600), "at most 512"),
        (" ".join(["1"] * 30), "at most 26"),
    ],
)
def test_what_is_no_tree_is_refused_in_a_sentence(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse(text)
