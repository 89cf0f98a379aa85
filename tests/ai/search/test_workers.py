"""How a worker answers requests: with which window, when it ends early, and with which search it does so."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any, ClassVar

import pytest

from ai.core.player import Budget, Info, Limit, Stop
from ai.search import workers
from ai.search.alphabeta import Spent
from ai.search.workers import (
    FULL,
    Found,
    MoveScore,
    MoveSearch,
    Opening,
    Request,
    Runner,
    Where,
    Window,
    Work,
    perform,
    run_to_end,
)
from games.bones import BonesPosition

NODE = Where(BonesPosition(20), (1, 2))


class Scripted(MoveSearch):
    """It knows the score of each move, and notes with which window it was asked."""

    scores: ClassVar = {1: -5, 2: 30, 3: 10}

    def __init__(self, threads: int = 1) -> None:
        self.threads, self.closed = threads, 0
        self.asked: list[tuple[int, int, int, Window, bool]] = []

    def open(self, root: Any, limit: Limit, stop: Stop) -> Opening:
        return Opening(Info(1, nodes=9), (1, 2), False)

    def moves(self, node: Where) -> Sequence[int]:
        return [2, 1]

    def score(
        self, node: Where, move: int, index: int, depth: int, window: Callable[[], Window], budget: Budget, verify: bool
    ) -> Generator[None, None, MoveScore]:
        yield
        if budget.stop.is_set():
            raise Spent
        self.asked.append((move, index, depth, window(), verify))
        return MoveScore(move, self.scores[move], (move,), 7, unverified=not verify, whole=move > 1)

    def close(self) -> None:
        self.closed += 1


def request(*moves: int, make: Callable[[int], MoveSearch] = Scripted, threads: int = 1, **more: Any) -> Request:
    return Request(Work("name", make, threads), NODE, 4, tuple(enumerate(moves)), **more)


def performed(asked: Request, window: Window = FULL, stop: Stop | None = None) -> tuple[Found, Scripted]:
    search = Scripted()
    budget = Budget(Limit(), stop or Stop())
    return run_to_end(perform(search, asked, lambda: window, budget, [])), search


def test_the_position_of_a_node() -> None:
    assert NODE.position == BonesPosition(17, 2)
    assert Window(-3, 9).negated == Window(-9, 3)


def test_each_score_raises_alpha_for_the_moves_after_it() -> None:
    found, search = performed(request(1, 2, 3), Window(-20, 90))
    assert [row[:3] for row in search.asked] == [(1, 0, 4), (2, 1, 4), (3, 2, 4)]
    assert [row[3] for row in search.asked] == [Window(-20, 90), Window(-5, 90), Window(30, 90)]
    assert [score.score for score in found.scores] == [-5, 30, 10]
    assert (found.nodes, len(found.costs), found.stopped, found.whole) == (21, 3, False, False)
    assert performed(request(2, 3))[0].whole


@pytest.mark.parametrize("more", [{"rises": False}, {"verify": False}])
def test_where_several_lines_are_wanted_or_a_score_is_not_verified_alpha_stays(more: dict[str, bool]) -> None:
    _, search = performed(request(1, 2, 3, **more), Window(-20, 90))
    assert [row[3].alpha for row in search.asked] == 3 * [-20]
    assert {row[4] for row in search.asked} == {more.get("verify", True)}


@pytest.mark.parametrize(("beta", "count"), [(31, 3), (30, 2), (-5, 1), (-6, 1)])
def test_a_score_of_beta_ends_the_request(beta: int, count: int) -> None:
    assert len(performed(request(1, 2, 3), Window(-20, beta))[0].scores) == count


def test_other_requests() -> None:
    assert performed(request())[0].moves == (2, 1)
    opened = performed(request(1, limit=Limit(depth=1)))[0]
    assert opened.opening is not None
    assert (opened.nodes, opened.scores) == (9, ())
    stop = Stop()
    stop.set()
    stopped = performed(request(1), stop=stop)[0]
    assert (stopped.stopped, stopped.scores) == (True, ())


def test_a_runner_keeps_its_search_for_equal_requests() -> None:
    made: list[Scripted] = []

    def make(threads: int) -> Scripted:
        made.append(Scripted(threads))
        return made[-1]

    runner = Runner()
    for asked in (request(1, make=make), request(2, make=make), request(3, make=make, threads=3)):
        found = runner.run(asked)
        assert (found.stopped, 0 <= found.seconds < 600, 0 <= found.costs[0] < 600) == (False, True, True)
    assert [(each.threads, len(each.asked), each.closed) for each in made] == [(1, 2, 1), (3, 1, 0)]
    runner.run(request(1, make=make, threads=0))
    assert [(each.threads, len(each.asked), each.closed) for each in made[1:]] == [(3, 1, 1), (1, 1, 0)]


def test_a_search_that_is_halted_stops_now_and_later() -> None:
    runner = Runner()

    class Halting(Scripted):
        def score(self, *arguments: Any, **verify: Any) -> Generator[None, None, MoveScore]:
            runner.halt("another")
            assert not arguments[5].stop.is_set()
            runner.halt("name")
            return super().score(*arguments, **verify)

    assert not runner.run(request(1)).stopped
    assert runner.run(request(1, make=Halting)).stopped
    assert runner.run(request(1)).stopped
    other = Request(Work("new", Scripted), NODE, 4, ((0, 1),))
    assert not runner.run(other).stopped
    for number in range(64):
        assert runner.run(request(1)).stopped
        runner.halt(str(number))
    assert not runner.run(request(1)).stopped, "so many others have been halted since"


def test_a_request_has_its_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that strikes as soon as it is wound up."""
    said: list[object] = []

    class Timer:
        daemon = False

        def __init__(self, seconds: float, strike: Callable[[], None]) -> None:
            said.append(seconds)
            self._strike = strike

        def start(self) -> None:
            said.append(self.daemon)
            self._strike()

        def cancel(self) -> None:
            said.append("cancelled")

    monkeypatch.setattr(workers.threading, "Timer", Timer)
    assert Runner().run(request(1, seconds=2.5)).stopped
    assert said == [2.5, True, "cancelled"]
    assert not Runner().run(request(1)).stopped
