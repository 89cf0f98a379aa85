"""The stages of a judgement, without threads: which searches are asked for, and what their findings change."""

from __future__ import annotations

import pytest

from ai.player import Info, Line
from ai.review.assessment import Assessment
from ai.review.judges import Aim, Task, Verdict
from ai.score import WIN
from games.formats.text import parse
from games.record import GameRecord

CONFIRMATIONS = [(1, 0, "g8"), (2, 300, "g7")]
"""Position, score and best move of the searches that confirm the mistake of `mistaken`."""


class Talk:
    """An assessment of a game of gomoku whose searches are answered by hand."""

    def __init__(self, record: GameRecord) -> None:
        self.record = record
        self.state = Assessment(record.setup, record.line(), 0.5)
        self.state.begin()

    def asked(self) -> list[tuple[int, Aim]]:
        return sorted(((task.number, task.aim) for task in self.state.tasks), key=lambda each: each[0])

    def answer(self, number: int, score: int, best: str, scores: tuple[int, ...] = ()) -> None:
        """Answer the task that is asked for a position; `score` is from the side to move."""
        task = next(each for each in self.state.tasks if each.number == number)
        self.state.tasks.remove(task)
        self.tell(task, score, best, scores)

    def tell(self, task: Task, score: int, best: str, scores: tuple[int, ...] = ()) -> None:
        move = self.record.position.parse_move(best)
        self.state.take(Verdict(task, Info(move, score, 20, lines=(Line(score, (move,)),)), scores))
        while self.state.advance(1):
            pass


def mistaken() -> Talk:
    """The second move is a blunder, by first searches."""
    talk = Talk(parse("h8i9g7"))
    assert talk.asked() == [(number, Aim.FIRST) for number in range(4)]
    for number, score, best in ((0, 0, "h8"), (1, 0, "g8"), (2, 300, "g7"), (3, -300, "a1")):
        talk.answer(number, score, best)
    return talk


@pytest.mark.parametrize("confirmations", [CONFIRMATIONS, CONFIRMATIONS[::-1]])
def test_a_blunder_is_compared_confirmed_and_its_better_move_verified(
    confirmations: list[tuple[int, int, str]],
) -> None:
    talk = mistaken()
    assert [each.number for each in talk.state.judged] == [0, 2]
    assert (talk.asked(), talk.state.open) == ([(1, Aim.COMPARE)], 1)
    talk.answer(1, 0, "g8", (0, -300))
    assert talk.asked() == [(1, Aim.CONFIRM), (2, Aim.CONFIRM)]
    first, second = confirmations
    talk.answer(*first)
    assert (talk.asked(), talk.state.open) == ([(second[0], Aim.CONFIRM)], 1)
    talk.answer(*second)
    assert talk.asked() == [(1, Aim.VERIFY)]
    talk.answer(1, 0, "a1")
    assert (talk.asked(), talk.state.searching, talk.state.open) == ([], False, 0)
    assert [each.kind for each in talk.state.judged] == ["best", "blunder", "best"]


def test_no_search_that_confirms_comes_before_the_last_first_search() -> None:
    talk = Talk(parse("h8i9g7"))
    for number, score, best in ((1, 0, "g8"), (2, 300, "g7"), (3, -300, "a1")):
        talk.answer(number, score, best)
    assert (talk.asked(), talk.state.open) == ([(0, Aim.FIRST)], 1)


def test_at_most_three_better_moves_are_verified() -> None:
    talk = mistaken()
    talk.answer(1, 0, "g8", (0, -300))
    for confirmation in CONFIRMATIONS:
        talk.answer(*confirmation)
    for better in ("f8", "e8"):
        assert talk.asked() == [(1, Aim.VERIFY)]
        talk.answer(1, WIN - 5, "a1")
        assert talk.asked() == [(1, Aim.CONFIRM)]
        talk.answer(1, 0, better)
    talk.answer(1, WIN - 5, "a1")
    assert (talk.asked(), talk.state.searching) == ([], False)
    judged = talk.state.judged[1]
    assert (judged.kind, judged.best) == ("best", judged.move)


def test_an_only_move_has_a_much_worse_second_best_but_the_first_of_a_game_is_none() -> None:
    talk = Talk(parse("h8i9"))
    for number, best, scores in ((0, "h8", (0,)), (1, "i9", (0, -300)), (2, "a1", ())):
        talk.answer(number, 0, best, scores)
    assert [each.kind for each in talk.state.judged] == ["best", "only_move"]


def test_a_proof_that_is_found_while_a_better_move_is_verified_ends_the_search_for_one() -> None:
    """The move that was played took the place of the better one, and was called refuted."""
    talk = mistaken()
    talk.answer(1, 0, "g8", (0, -300))
    for confirmation in CONFIRMATIONS:
        talk.answer(*confirmation)
    line = talk.record.line()
    talk.tell(Task(2, Aim.CONFIRM, line[2].position, line[3].move, 2.0), 6 - WIN, "g7")
    assert talk.asked() == [(1, Aim.VERIFY)]
    talk.answer(1, WIN - 5, "a1")
    assert talk.asked() == [(0, Aim.COMPARE)], "the move before is a blunder now"
    assert talk.state.wins[1] == 0.0
    assert talk.state.judged[1].kind == "best"
    known = line[1].evaluation
    assert (known.mate, known.line[0]) == (-7, line[2].move)
