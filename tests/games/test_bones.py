import pytest

from games.bones import LARGEST_HEAP, BonesPosition
from games.position import FIRST, SECOND, IllegalMove, Outcome, Stones


def test_whoever_cannot_take_loses() -> None:
    assert BonesPosition(1).play(1).outcome == Outcome(FIRST, "heap")
    assert BonesPosition(3).play(1).play(2).outcome == Outcome(SECOND, "heap")


def test_one_to_three_bones_but_no_more_than_there_are() -> None:
    assert [list(BonesPosition(left).legal_moves()) for left in (5, 3, 2, 1, 0)] == [
        [1, 2, 3], [1, 2, 3], [1, 2], [1], [],
    ]  # fmt: skip


@pytest.mark.parametrize("taken", [-1, 0, 3, 4])
def test_taking_another_number_is_refused_with_a_reason(taken: int) -> None:
    with pytest.raises(IllegalMove, match=f"1 to 2 bones here, not {taken}") as caught:
        BonesPosition(2).play(taken)
    assert caught.value.reason == "amount"


def test_an_empty_heap_ends_the_game() -> None:
    with pytest.raises(IllegalMove, match="empty") as caught:
        BonesPosition(0).play(1)
    assert caught.value.reason == "over"


def test_a_heap_is_set_up_with_either_side_to_move() -> None:
    heap = BonesPosition(5).arranged(Stones(((), ()), SECOND))
    assert (heap.left, heap.ply, heap.turn, heap.play(1).turn) == (5, 0, SECOND, FIRST)
    assert heap.key != BonesPosition(5).key
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


def test_a_number_out_of_reach_is_readable() -> None:
    assert BonesPosition(9).parse_move(" 7 ") == 7
