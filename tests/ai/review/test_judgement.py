"""How a move is judged by the evaluations before and after it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import pytest

from ai.core.player import Info, Line
from ai.core.score import PROVEN, Score
from ai.review.judgement import (
    Judged,
    confidence,
    deep_enough,
    is_only_move,
    is_sound,
    judge,
    lost_since,
    plies_to_loss,
    points_given,
)
from games.evaluation import Evaluation
from games.formats.text import parse
from games.position import FIRST, PASS, SECOND, Outcome
from games.record import Node
from games.registry import setup

GOMOKU = setup("gomoku")


def judged(moves: str, before: Evaluation, after: Evaluation | None, confirmed: bool = False) -> Judged:
    node = parse(moves).cursor
    found = judge(GOMOKU, 0, node, before, after, confirmed)
    assert found is not None
    return found


def evaluation(score: int, line: str = "", mate: int | None = None) -> Evaluation:
    return Evaluation(score, mate, 20, tuple(map(parse("").position.parse_move, line.split())))


@pytest.mark.parametrize(("moves", "sign"), [("h8", 1), ("h8i9", -1)])
def test_the_loss_is_that_of_the_side_that_moved(moves: str, sign: int) -> None:
    found = judged(moves, evaluation(0, "a1"), evaluation(-400 * sign, "b1"))
    assert found.kind == "blunder"
    assert found.loss > 0.2
    assert found.win < 0.3
    assert judged(moves, evaluation(0, "a1"), evaluation(400 * sign, "b1")).kind == "best"


@pytest.mark.parametrize(
    ("score", "confirmed", "kind"), [(-30, False, "best"), (-400, False, "blunder"), (-400, True, "best")]
)
def test_a_first_choice_is_a_mistake_only_until_longer_searches_choose_it_too(
    score: int, confirmed: bool, kind: str
) -> None:
    found = judged("h8", evaluation(0, "h8 c3"), evaluation(score, "b1"), confirmed)
    assert (found.kind, found.loss == 0.0) == (kind, kind == "best")
    assert found.line == tuple(map(found.node.position.parse_move, ("h8", "b1")))


def test_a_line_without_a_better_move_goes_on_with_best_play_after_the_move() -> None:
    found = judged("h8", evaluation(0), evaluation(0, "b1"))
    assert found.line == tuple(map(found.node.position.parse_move, ("h8", "b1")))


def test_a_win_that_is_given_away_is_missed_unless_it_is_given_to_the_other_side() -> None:
    won = evaluation(0, "a1", mate=5)
    assert judged("h8", won, evaluation(0, "b1")).kind == "missed_win"
    assert judged("h8", won, evaluation(0, "b1", mate=-6)).kind == "blunder"


@pytest.mark.parametrize(
    ("score", "mate", "left", "kind"),
    [
        (0, -9, -8, "good"),
        (0, -9, -4, "good"),  # neither is proven to be the shortest
        (0, -9, -3, "inaccuracy"),
        (0, -6, -3, "good"),
        (0, -7, -3, "good"),  # three plies earlier than it holds out
        (0, -8, -3, "inaccuracy"),
        (0, -1, None, "good"),
        (-9_000, None, -1, "mistake"),
        (-9_000, None, -10, "mistake"),  # proven by this move
    ],
)
def test_a_lost_position_is_judged_by_how_long_it_resists(score: int, mate: int | None, left: int, kind: str) -> None:
    """A stone in the corner that ignores a four was called best."""
    assert judged("h8", evaluation(score, "b2", mate=mate), evaluation(0, "c3", mate=left)).kind == kind


def test_a_position_that_nobody_evaluated_is_not_judged() -> None:
    node, known = parse("h8").cursor, evaluation(0, "h8")
    assert judge(GOMOKU, 0, node, None, known) is None
    assert judge(GOMOKU, 0, node, known, None) is None


def test_plies_to_a_loss_are_those_of_a_proof_or_none() -> None:
    position = parse("h8").position
    assert plies_to_loss(position, evaluation(0, mate=-6), 0) == 6
    assert plies_to_loss(position, evaluation(0, mate=-6), 1) is None
    assert plies_to_loss(position, evaluation(-900), 0) is None
    lost = parse("h8a1i8a2j8a3k8c3l8").position
    assert lost.outcome is not None
    assert (plies_to_loss(lost, None, 1), plies_to_loss(lost, None, 0)) == (0, None)


def test_a_move_is_the_only_one_if_every_other_is_proven_to_lose() -> None:
    """“Only move” was said of the best of bad ones."""
    assert is_only_move((0, Score.loss_in(4)))
    assert is_only_move((1 - PROVEN, -PROVEN))
    assert not is_only_move((0, -900)), "not proven"
    assert not is_only_move((Score.loss_in(8), Score.loss_in(4))), "it loses as well"
    assert is_only_move((0,)), "the engine saw no other"
    assert not is_only_move(()), "nothing is known of others"


@pytest.mark.parametrize(("after", "kind"), [(5, "inaccuracy"), (None, "missed_win"), (-3, "blunder")])
def test_a_five_that_was_there_is_marked_at_any_stage(after: int | None, kind: str) -> None:
    """It was a good move as long as the game was still won."""
    assert judged("h8", evaluation(0, "a1", mate=1), evaluation(0, "b1", mate=after)).kind == kind


def test_a_winning_line_is_told_to_its_end() -> None:
    line = " ".join(f"{column}{row}" for row in (1, 3, 5, 7) for column in "abcdefghij")
    assert len(judged("h8", evaluation(0, line, mate=41), evaluation(0, "b1")).line) == 40


def test_a_line_that_is_not_proven_is_cut() -> None:
    line = " ".join(f"{column}{row}" for row in (1, 3, 5, 7) for column in "abcdefghij")
    assert len(judged("h8", evaluation(0, line), evaluation(0, "b1")).line) == 30
    first = judged("h8", evaluation(0, "h8"), evaluation(0, line, mate=41))
    assert len(first.line) == 41, "the win after it is proven"
    assert len(judged("h8", evaluation(0, "h8"), evaluation(0, line)).line) == 30


def test_a_win_that_is_made_longer_is_as_good() -> None:
    assert judged("h8", evaluation(0, "a1", mate=3), evaluation(0, "b1", mate=9)).kind == "best"
    assert judged("h8a1i8a2j8a3k8a4l8", evaluation(0, "g8", mate=1), None).kind == "best", "another five"


@pytest.mark.parametrize(
    ("mates", "since"),
    [((None, None, None, -9, -8, -7), 3), ((None, None, None, None, -8, -7), 3), ((-12, -11, -10, -9, -8, -7), 0),
     ((None, -11, -10, -9, -8, -7), 1)],
)  # fmt: skip
def test_the_move_since_which_a_game_is_lost(mates: tuple[int | None, ...], since: int) -> None:
    """A position that was won was reached by the move of who lost, if the other side has only answered since."""
    record = parse("h8i9a1g7b1")
    for node, mate in zip(record.line(), mates, strict=True):
        node.evaluation = evaluation(0, "c3", mate=mate)
    node = record.line()[-1]
    last = judge(GOMOKU, 0, node, node.parent.evaluation, node.evaluation)
    assert lost_since(last) == since


def test_where_an_evaluation_is_missing_nothing_is_known_of_when_a_game_was_lost() -> None:
    record = parse("h8i9a1g7b1")
    for node in record.line()[3:]:
        node.evaluation = evaluation(0, "c3", mate=-8)
    node = record.line()[-1]
    assert lost_since(judge(GOMOKU, 0, node, node.parent.evaluation, node.evaluation)) == 0


@pytest.mark.parametrize(
    ("seconds", "depth"), [(0.5, 12), (1.0, 14), (2.0, 16), (0.25, 10), (0.35, 11), (0.01, 6), (0.1, 7)]
)
def test_a_search_is_deep_enough_at_twelve_plies_in_half_a_second_and_two_more_each_doubling(
    seconds: float, depth: int
) -> None:
    assert [deep_enough(Evaluation(0, None, plies), seconds) for plies in (depth - 1, depth)] == [False, True]


def test_a_search_is_deep_enough_that_was_as_long_or_proves_something() -> None:
    assert deep_enough(Evaluation(0, None, 1, seconds=0.5), 0.5)
    assert not deep_enough(Evaluation(0, None, 1, seconds=0.4), 0.5)
    assert deep_enough(Evaluation(0, 5, 1), 0.5)


def test_confidence_is_the_time_of_the_search_in_multiples_of_that_of_a_position() -> None:
    line = evaluation(0, "h8").line
    known = [None, Evaluation(0, None, 9, (), 1.0), Evaluation(0, None, 9, line, 1.0), Evaluation(0, 3, 9, line)]
    assert [confidence(each, 3.0) for each in known] == [0.0, 0.0, 0.333, math.inf]


@dataclass(frozen=True)
class Counted:
    """A position of a game that counts; the first side may only pass."""

    turn: int
    score: tuple[int, int] = (40, 40)
    ply: int = 3
    game: str = "counted"
    outcome: Outcome | None = None

    def legal_moves(self) -> list[int]:
        return [PASS] if self.turn == FIRST else [4, 5]

    def play(self, move: int) -> Counted:
        return Counted(1 - self.turn)


def wins_by(first: int, second: int) -> Evaluation:
    score = Score.of_outcome(Outcome(int(second > first), "score", score=(first, second)), 0, 6)
    return Info(4, score, 9, lines=(Line(score, (4,), exact=True),)).evaluation(0)


DRAW = Evaluation(0, None, 9, (4,), exact=True)


@pytest.mark.parametrize(
    ("before", "after", "given", "kind"),
    [
        (wins_by(35, 45), wins_by(38, 42), 6, "inaccuracy"), (wins_by(35, 45), wins_by(37, 43), 4, "inaccuracy"),
        (wins_by(35, 44), wins_by(37, 43), 3, "good"), (wins_by(35, 45), wins_by(35, 45), 0, "best"),
        (wins_by(38, 42), wins_by(35, 45), 0, "best"), (DRAW, wins_by(42, 38), 4, "blunder"),
        (wins_by(42, 38), wins_by(45, 35), 6, "inaccuracy"), (DRAW, DRAW, 0, "best"),
        (wins_by(35, 45), replace(wins_by(38, 42), exact=False), 0, "best"),
    ],
)  # fmt: skip
def test_who_wins_by_less_gives_points_away(before: Evaluation, after: Evaluation, given: int, kind: str) -> None:
    """The second side plays 5, where 4 was better."""
    start = Counted(SECOND)
    node = Node(start.play(5), 5, Node(start))
    assert points_given(node, before, after) == given
    assert points_given(node, before, None) == 0
    found = judge(setup("bones"), 0, node, before, after)
    assert found is not None
    if before.winner == SECOND or before.mate is None:
        assert found.kind == kind
    first = Node(Counted(SECOND), PASS, Node(Counted(FIRST)))
    assert points_given(first, after, before) == given


def test_the_first_choice_gives_nothing_away_unless_it_ends_the_game_with_less() -> None:
    start = Counted(SECOND)
    over = Counted(FIRST, outcome=Outcome(SECOND, "score", score=(38, 42)))
    assert points_given(Node(over, 5, Node(start)), wins_by(35, 45), None) == 6
    node = Node(start.play(4), 4, Node(start))
    assert judge(setup("bones"), 0, node, wins_by(35, 45), wins_by(38, 42)).kind == "best"


@pytest.mark.parametrize(("line", "after"), [((PASS, 5), Evaluation(0, None, 9, (5,))), ((PASS,), DRAW)])
def test_a_pass_where_nothing_else_is_legal_is_forced(line: tuple[int, ...], after: Evaluation) -> None:
    node = Node(Counted(SECOND), PASS, Node(Counted(FIRST)))
    after = after if len(line) > 1 else replace(after, line=())
    found = judge(setup("bones"), 7, node, None, after)
    assert (found.kind, found.loss, found.best, found.line, found.number) == ("forced", 0.0, PASS, line, 7)


def test_the_move_that_lost_is_pointed_to() -> None:
    record = parse("h8i9a1g7b1")
    for node, mate in zip(record.line(), (None, None, None, -9, -8, -7), strict=True):
        node.evaluation = evaluation(0, "c3", mate=mate)
    found = [judge(GOMOKU, 0, node, node.parent.evaluation, node.evaluation) for node in record.line()[1:]]
    assert [lost_since(each) for each in found] == [None, None, None, None, 3]


def test_a_move_is_sound_if_it_loses_less_than_a_mistake_and_not_everything() -> None:
    position = parse("h8").position
    assert is_sound(GOMOKU, position, 0, -20)
    assert not is_sound(GOMOKU, position, 0, -60)
    assert not is_sound(GOMOKU, position, Score.loss_in(8), Score.loss_in(4))
