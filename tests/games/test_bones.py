import pytest

from games.bones import LARGEST_HEAP, BonesPosition
from games.position import FIRST, SECOND, IllegalMove, Outcome, Stones


@pytest.mark.parametrize(
    ("left", "taken", "reason", "sentence"),
    [(2, -1, "amount", "1 to 2 bones here, not -1"), (2, 0, "amount", "not 0"), (2, 3, "amount", "not 3"),
     (9, 4, "amount", "1 to 3 bones here, not 4"), (0, 1, "over", "empty")],
)  # fmt: skip
def test_taking_another_number_is_refused_with_a_reason(left: int, taken: int, reason: str, sentence: str) -> None:
    with pytest.raises(IllegalMove, match=sentence) as caught:
        BonesPosition(left).play(taken)
    assert caught.value.reason == reason


def test_a_heap_is_set_up_with_either_side_to_move() -> None:
    heap = BonesPosition(5).arranged(Stones(((), ()), SECOND))
    assert (heap.left, heap.ply, heap.turn, heap.play(1).turn) == (5, 0, SECOND, FIRST)
    assert (heap.key != BonesPosition(5).key, heap.evaluate()) == (True, 0)
    assert heap.play(3).play(2).outcome == Outcome(FIRST, "heap")
    with pytest.raises(ValueError, match="not on the board"):
        BonesPosition(5).arranged(Stones(((0,), ())))


def test_multiples_of_four_are_lost() -> None:
    """The theory of the game, by exhaustive search through the rules."""
    wins = {0: False}
    for left in range(1, LARGEST_HEAP + 1):
        heap = BonesPosition(left)
        wins[left] = any(not wins[heap.play(move).left] for move in heap.legal_moves())
    assert [left for left, win in wins.items() if not win] == list(range(0, LARGEST_HEAP + 1, 4))


@pytest.mark.parametrize("text", ["", "x", "-1", "1.0", "²", "١", "1000", "1 2"])
def test_what_is_no_number_is_unreadable(text: str) -> None:
    with pytest.raises(IllegalMove, match="not a number of bones") as caught:
        BonesPosition(9).parse_move(text)
    assert caught.value.reason == "unreadable"
    assert BonesPosition(9).parse_move(" 7 ") == 7
