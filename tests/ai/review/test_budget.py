"""The time of reviews: what the searches of a whole game may take together, and how progress tells of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from ai.core.player import Info, Limit, Line, Player, Stop, answer
from ai.review.judgement import MISTAKES
from ai.review.report import run_review
from ai.review.review import ReviewBudget, ReviewShare
from ai.search.minimax import RandomPlayer
from games.formats.text import moves_text, parse
from games.position import Position
from games.record import GameRecord

SECONDS = 0.5


class Spender(Player):
    """Takes all its time. Whoever is to move after one of the plies `bad` is ahead. A move that was not played is worth
    `better` to its side."""

    nodes = 0

    def __init__(self, game: GameRecord, bad: range, better: int = 0) -> None:
        line, self._better = game.line(), better
        self.spent: list[float] = []
        self._bad = {node.position.key for node in line if node.position.ply in bad}
        self._played = {node.position.key: after.move for node, after in pairwise(line)}

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        seconds = limit.seconds or 0.0
        self.spent.append(seconds)
        move = next(each for each in position.legal_moves() if each != self._played.get(position.key))
        score = 900 if position.key in self._bad else 0 if position.key in self._played else -self._better
        yield Info(move, score, 10, 1, seconds, (Line(score, (move,)),))


@pytest.fixture(scope="module")
def moves() -> str:
    """A game of sixty moves."""
    record, player = parse("h8"), RandomPlayer(1)
    while record.position.ply < 60:
        record.play(answer(player, record.position, Limit()).move)
    assert record.outcome is None
    return moves_text(record.line())


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("step", [1, 2, 3])
def test_a_game_of_sixty_moves_takes_30_seconds_on_two_threads_with_any_number_of_mistakes(
    moves: str, step: int, threads: int
) -> None:
    record, told = parse(moves), list[ReviewShare]()
    player = Spender(record, range(1, 60, step), better=900)
    found = run_review(record, SECONDS, threads, told.append, lambda: player)
    assert sum(each.kind in MISTAKES for each in found.moves) > 15
    assert 50 < sum(player.spent) <= 60.6
    shares = [each.share for each in told]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    again = Spender(record, range(0))
    assert run_review(record, SECONDS, 1, make=lambda: again).facts() == found.facts()
    assert again.spent == []


def test_the_searches_that_confirm_few_mistakes_take_most_of_what_is_left(moves: str) -> None:
    record = parse(moves)
    player = Spender(record, range(20, 21))
    run_review(record, SECONDS, 1, make=lambda: player)
    assert max(player.spent) > 1.5
    assert 28 < sum(player.spent) <= 60


def test_progress_is_the_share_of_the_seconds_that_were_spent() -> None:
    record, told = parse("h8i9g7"), list[ReviewShare]()
    run_review(record, SECONDS, 0, told.append, lambda: Spender(record, range(2, 3)))
    assert [round(each.share, 3) for each in told] == [0.25, 0.25, 0.25, 0.25, 0.391, 0.51, 1.0, 1.0]


def test_each_open_move_has_its_share_of_what_is_left() -> None:
    budget = ReviewBudget(SECONDS, 60)
    assert ReviewBudget(SECONDS, 60).reserve(1000.0) == pytest.approx(30)
    budget.open = 16
    assert budget.reserve(10.0) == pytest.approx(60 / 32)
    budget.release(60 / 32, 0.5)
    assert (budget.spent, budget.left) == (0.5, pytest.approx(59.5))
    budget.open = 1
    assert budget.reserve(10.0) == 10.0


def test_a_machine_that_sleeps_during_a_search_leaves_time_for_the_others() -> None:
    budget = ReviewBudget(SECONDS, 60)
    budget.release(budget.reserve(0.4), 3600.0)
    assert budget.left == pytest.approx(59.6)


def test_short_games_have_the_time_of_sixty_moves_and_long_ones_more() -> None:
    assert ReviewBudget(SECONDS, 10).left == ReviewBudget(SECONDS, 60).left == pytest.approx(60.0)
    assert ReviewBudget(SECONDS, 120).left == pytest.approx(120.0)
