"""The stages of a judgement, without threads: which searches are asked for, and what their findings change."""

from __future__ import annotations

import pytest

from ai.core.player import Info, Limit, Line
from ai.core.score import WIN
from ai.review.assessment import Aim, Assessment, ReviewTask, Verdict
from games.evaluation import Evaluation
from games.formats.text import parse
from games.record import GameRecord
from games.registry import setup

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

    def times(self) -> list[float]:
        return [task.seconds for task in self.state.tasks]

    def answer(self, number: int, score: int, best: str, scores: tuple[int, ...] = ()) -> None:
        """Answer the task that is asked for a position; `score` is from the side to move."""
        task = next(each for each in self.state.tasks if each.number == number)
        self.state.tasks.remove(task)
        self.reply(task, score, best, scores)

    def reply(self, task: ReviewTask, score: int, best: str, scores: tuple[int, ...] = ()) -> None:
        move = self.record.position.parse_move(best)
        self.state.take(Verdict(task, Info(move, score, 20, lines=(Line(score, (move,)),)), scores))
        while self.state.advance(1):
            pass


def mistaken() -> Talk:
    """The second move is a blunder, by first searches."""
    talk = Talk(parse("h8i9g7"))
    assert talk.asked() == [(number, Aim.FIRST) for number in range(4)]
    assert talk.times() == [0.4] * 4
    assert talk.state.missing == 4
    for number, score, best in ((0, 0, "h8"), (1, 0, "g8"), (2, 300, "g7"), (3, -300, "a1")):
        talk.answer(number, score, best)
    talk.answer(3, -300, "a1")  # what seems lost is searched for a proof
    return talk


@pytest.mark.parametrize(
    ("aim", "exact", "nodes", "longest", "limit"),
    [
        (Aim.FIRST, False, None, 0.5, Limit(3.0, 4, None, 2)),
        (Aim.COMPARE, False, None, 0.5, Limit(3.0, 4, None, 2)),
        (Aim.CONFIRM, False, 500_000, 1.0, Limit(3.0, 4, 500_000, 2)),
        (Aim.SEEK, False, 500_000, 1.0, Limit(3.0, 4, 500_000, 2)),
        (Aim.VERIFY, False, 500_000, 1.0, Limit(3.0, 4, 500_000, 2)),
        (Aim.CONFIRM, True, None, 0.5, Limit(None, 4, None, 2)),
    ],
)
def test_what_confirms_is_limited_by_nodes_and_takes_twice_the_time_at_most(
    aim: Aim, exact: bool, nodes: int | None, longest: float, limit: Limit
) -> None:
    task = ReviewTask(0, aim, parse("h8").position, None, 0.5, exact)
    assert (task.nodes, task.longest, task.limit(3.0, 2, 4)) == (nodes, longest, limit)
    assert task.limit(1.0).lines == 1
    assert ReviewTask(0, Aim.SEEK, parse("h8").position, None, 1e-9, without=frozenset({3})).limit(9.0) == Limit(
        9.0, None, 1, 1, frozenset({3})
    )


@pytest.mark.parametrize("confirmations", [CONFIRMATIONS, CONFIRMATIONS[::-1]])
def test_a_blunder_is_compared_confirmed_and_its_better_move_verified(
    confirmations: list[tuple[int, int, str]],
) -> None:
    talk = mistaken()
    assert [each.number for each in talk.state.judged] == [0, 2]
    assert (talk.asked(), talk.state.open) == ([(1, Aim.COMPARE)], 1)
    assert talk.times() == [1.0]
    assert talk.state.accuracy() == (None, None)
    talk.answer(1, 0, "g8", (0, -300))
    assert talk.asked() == [(1, Aim.CONFIRM), (2, Aim.CONFIRM)]
    assert talk.times() == [2.0, 2.0]
    first, second = confirmations
    talk.answer(*first)
    assert (talk.asked(), talk.state.open) == ([(second[0], Aim.CONFIRM)], 1)
    talk.answer(*second)
    assert talk.asked() == [(1, Aim.VERIFY)]
    talk.answer(1, 0, "a1")
    assert (talk.asked(), talk.state.searching, talk.state.open) == ([], False, 0)
    assert [each.kind for each in talk.state.judged] == ["best", "blunder", "best"]


@pytest.mark.parametrize(
    ("score", "asked", "seconds"),
    [
        (0, [], 0.0),
        (30, [(1, Aim.CONFIRM), (2, Aim.CONFIRM)], 1.0),  # an inaccuracy
        (60, [(1, Aim.CONFIRM), (2, Aim.CONFIRM)], 2.0),  # a mistake
        (-60, [], 0.0),
        (-300, [(2, Aim.CONFIRM)], 1.0),  # it seems decided
        (WIN - 11, [(1, Aim.COMPARE)], 1.0),
    ],
)
def test_how_long_a_move_is_confirmed(score: int, asked: list[tuple[int, Aim]], seconds: float) -> None:
    """The score after the second move, of the side that replies."""
    talk = Talk(parse("h8i9"))
    for number, each, best in ((0, 0, "h8"), (1, 0, "g8"), (2, score, "a1")):
        talk.answer(number, each, best)
    assert talk.asked() == asked
    assert set(talk.times()) == ({seconds} if asked else set())


@pytest.mark.parametrize(("plies", "seconds"), [(11, 2.0), (13, 4.0)])
def test_a_forced_win_that_is_far_is_confirmed_longer(plies: int, seconds: float) -> None:
    talk = Talk(parse("h8i9"))
    for number, score, best in ((0, 0, "h8"), (1, 0, "g8"), (2, WIN - plies, "a1")):
        talk.answer(number, score, best)
    talk.answer(1, 0, "g8", (0, -300))
    assert (talk.asked(), talk.times()) == ([(1, Aim.CONFIRM)], [seconds])


def test_a_first_choice_that_longer_searches_choose_again_is_no_mistake() -> None:
    talk = Talk(parse("h8i9"))
    for number, score, best in ((0, 0, "h8"), (1, 0, "i9"), (2, 300, "a1")):
        talk.answer(number, score, best)
    talk.answer(1, 0, "i9", (0, -300))
    assert talk.asked() == [(1, Aim.CONFIRM), (2, Aim.CONFIRM)]
    talk.answer(1, 0, "i9")
    talk.answer(2, 300, "a1")
    assert talk.asked() == []
    assert [each.kind for each in talk.state.judged] == ["best", "best"]


@pytest.mark.parametrize(("depth", "missing"), [(10, [0, 1, 2]), (11, [1, 2])])
def test_an_evaluation_as_deep_as_that_of_a_first_search_is_not_searched_again(depth: int, missing: list[int]) -> None:
    record = parse("h8i9")
    record.root.evaluation = Evaluation(0, None, depth, (112,), 0.1)
    assert Talk(record).asked() == [(number, Aim.FIRST) for number in missing]


def test_a_position_in_which_the_game_is_over_is_not_missing() -> None:
    talk = Talk(parse("a1a2b1b2c1", setup("tictactoe")))
    assert (talk.state.missing, len(talk.asked())) == (5, 5)


def test_no_search_that_confirms_comes_before_the_last_first_search() -> None:
    talk = Talk(parse("h8i9g7"))
    for number, score, best in ((1, 0, "g8"), (2, 300, "g7"), (3, -300, "a1")):
        talk.answer(number, score, best)
    assert talk.asked() == [(0, Aim.FIRST)]


def test_at_most_three_better_moves_are_verified() -> None:
    talk = mistaken()
    talk.answer(1, 0, "g8", (0, -300))
    for confirmation in CONFIRMATIONS:
        talk.answer(*confirmation)
    sought: frozenset[int] = frozenset()
    for better in ("f8", "e8"):
        assert talk.asked() == [(1, Aim.VERIFY)]
        refuted = {talk.state.tasks[0].move, *sought}
        talk.answer(1, WIN - 5, "a1")
        assert talk.asked() == [(1, Aim.SEEK)]
        sought = talk.state.tasks[0].without
        assert sought == refuted
        talk.answer(1, 0, better)
    talk.answer(1, WIN - 5, "a1")
    assert talk.asked() == [(1, Aim.SEEK)]
    talk.answer(1, 0, "d8")
    assert (talk.asked(), talk.state.searching) == ([], False)


def test_a_position_is_lost_if_every_other_move_is_proven_to_lose() -> None:
    talk = mistaken()
    talk.answer(1, 0, "g8", (0, -300))
    for confirmation in CONFIRMATIONS:
        talk.answer(*confirmation)
    talk.answer(1, WIN - 5, "a1")
    talk.answer(1, 8 - WIN, "f8")
    assert talk.state.judged[1].kind == "good"
    known = talk.record.line()[1].evaluation
    assert known is not None
    assert known.mate == 8


def test_a_move_that_is_proven_to_lose_is_searched_for_another_though_it_was_the_first_choice() -> None:
    """What refuted it was beyond the engine's horizon, and the move that lost the game was the best."""
    talk = Talk(parse("h8i9g7"))
    played = talk.record.line()[2].move
    for number, score, best in ((0, 0, "h8"), (1, 0, "i9"), (2, WIN - 21, "g7"), (3, 20 - WIN, "a1")):
        talk.answer(number, score, best)
    assert talk.asked() == [(1, Aim.CONFIRM)]
    talk.answer(1, 0, "i9")
    assert talk.asked() == [(1, Aim.SEEK)]
    assert talk.state.tasks[0].without == {played}
    talk.answer(1, 0, "g8")
    while talk.asked():
        talk.answer(1, 0, "a1", (0, 0))
    assert talk.state.judged[1].kind == "mistake"


@pytest.mark.parametrize(("plies", "longest", "best"), [(8, 22, "i9"), (22, 22, "g8"), (30, 30, "g8")])
def test_of_moves_that_all_lose_the_one_that_resists_the_longest_is_the_best(
    plies: int, longest: int, best: str
) -> None:
    talk = Talk(parse("h8i9g7"))
    for number, score, first in ((0, 0, "h8"), (1, 0, "i9"), (2, WIN - 21, "g7"), (3, 20 - WIN, "a1"), (1, 0, "i9")):
        talk.answer(number, score, first)
    talk.answer(1, plies - WIN, "g8")
    known = talk.record.line()[1].evaluation
    assert known is not None
    assert (known.mate, known.line[0]) == (longest, talk.record.position.parse_move(best))


def test_an_only_move_has_a_second_best_that_loses_but_the_first_of_a_game_is_none() -> None:
    talk = Talk(parse("h8i9"))
    for number, best, scores in ((0, "h8", (0,)), (1, "i9", (0, 7 - WIN)), (2, "a1", ())):
        talk.answer(number, 0, best, scores)
    assert [each.kind for each in talk.state.judged] == ["best", "only_move"]


def test_a_proof_that_is_found_while_a_better_move_is_verified_ends_the_search_for_one() -> None:
    """The move that was played took the place of the better one, and was called refuted."""
    talk = mistaken()
    talk.answer(1, 0, "g8", (0, -300))
    for confirmation in CONFIRMATIONS:
        talk.answer(*confirmation)
    line = talk.record.line()
    talk.reply(ReviewTask(2, Aim.CONFIRM, line[2].position, line[3].move, 2.0), 6 - WIN, "g7")
    assert talk.asked() == [(1, Aim.VERIFY)]
    talk.answer(1, WIN - 5, "a1")
    assert (0, Aim.CONFIRM) in talk.asked(), "the move before loses, though it was the first choice"
    assert talk.state.wins[1] == 0.0
    assert talk.state.judged[0].kind == "best"
    known = line[1].evaluation
    assert (known.mate, known.line[0]) == (-7, line[2].move)
