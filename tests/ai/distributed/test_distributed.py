"""The search of one position by several workers, in this process."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace
from itertools import count, islice

import pytest

from ai.arena.cluster import LOCAL, NoExecutor
from ai.core.player import Info, Limit, Stop, answer
from ai.distributed.coordinator import Coordinator, Split
from ai.distributed.dispatcher import ClusterLost, Dispatcher, Found, Over, Task, Team, Work
from ai.distributed.player import Distributed, on_cluster
from ai.distributed.teams import ThreadTeam
from ai.players.table import make, share
from ai.search.moves import FULL, Where
from games.position import Position
from games.registry import setup
from tests.ai.distributed.played import Played
from tests.ai.distributed.positions import CASES, context, positions

NAMES = (f"search {number}" for number in count())
FINE = Split(first=1, least=2, work=0.0, seconds=0.0)
"""Share out as much as possible."""


def shared(team: Team, position: Position, limit: Limit, split: Split = FINE) -> tuple[Info, Coordinator]:
    work = Work(next(NAMES), CASES[position.game].shared, context(position.game))
    search = Coordinator(team, work, position, limit, Stop(), split)
    *_, info = search.deepen()
    return info, search


def assert_same_values(game: str, number: int, workers: int, lines: int, less: int = 0) -> None:
    """Distributed search gives the scores of the single one at the same depth, `less` plies than usual."""
    case = CASES[game]
    limit = Limit(depth=case.depth - less, lines=lines)
    single = make(case.alone, context(game))
    with closing(ThreadTeam(workers)) as team, closing(single):
        for position in islice(positions(game), number):
            alone = answer(single, position, limit)
            found, _ = shared(team, position, limit)
            assert [line.score for line in found.lines] == [line.score for line in alone.lines], position


@pytest.mark.parametrize("game", CASES)
def test_workers_find_the_value_of_a_single_search(game: str) -> None:
    assert_same_values(game, 2, workers=2, lines=1, less=1)
    assert_same_values(game, 1, workers=3, lines=3, less=1)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2, 4])
@pytest.mark.parametrize("game", CASES)
def test_workers_find_the_value_of_a_single_search_in_50_positions(game: str, workers: int) -> None:
    assert_same_values(game, 50, workers, lines=1)
    assert_same_values(game, 50, workers, lines=3)


def test_two_threads_of_a_worker_find_the_value_of_one() -> None:
    case, limit = CASES["gomoku"], Limit(depth=3)
    position = next(islice(positions("gomoku"), 1, None))
    work = Work(next(NAMES), case.shared, replace(context("gomoku"), threads=2))
    *_, found = Coordinator(Played("one"), work, position, limit, Stop(), FINE).deepen()
    assert found.score == answer(make(case.alone, context("gomoku")), position, limit).score
    assert found.depth == 3


class Failing(Played):
    """A worker that no longer answers after some tasks; with `noticed` it is gone."""

    def __init__(self, noticed: bool) -> None:
        super().__init__("good", "bad")
        self.noticed = noticed

    def answers(self, member: str) -> bool:
        failed = member == "bad" and len(self.sent) > 6
        if failed and self.noticed:
            self.names.pop(member, None)
        return not failed


@pytest.mark.parametrize("noticed", [True, False])
def test_the_work_of_a_lost_or_slow_worker_is_taken_over(noticed: bool) -> None:
    position, team = next(positions("connect4")), Failing(noticed)
    limit = Limit(depth=4)
    found, search = shared(team, position, limit)
    assert found.score == answer(make(CASES["connect4"].alone, context("connect4")), position, limit).score
    assert search.dispatcher.again == 1
    done_by = [task for member, task in team.sent if member == "bad"][-1]
    assert ("good", done_by) in team.sent


def test_a_task_that_loses_each_worker_is_given_up() -> None:
    class Deadly(Played):
        def found(self, task: Task) -> Found | None:
            return None if task.moves else super().found(task)

    team = Deadly("one", "two")
    with pytest.raises(ClusterLost):
        shared(team, next(positions("connect4")), Limit(depth=3))
    assert len(team.sent) < 20


def test_a_worker_gets_again_the_moves_that_its_table_knows() -> None:
    team = Played("one", "two")
    dispatcher = Dispatcher(team, lambda: None)
    work, node = Work(next(NAMES), "alphabeta", context("connect4")), Where(setup("connect4").start())
    first, second = (Task(work, node, 2, ((0, move),)) for move in (2, 3))
    for order in ([first, second], [second, first]):
        list(dispatcher.run(lambda left=order: left.pop(0) if left else None))  # type: ignore[misc]
    assert team.sent == [("one", first), ("two", second), ("two", second), ("one", first)]


def test_late_answers_to_an_earlier_search_are_ignored() -> None:
    team, node = Played("one", "two"), Where(setup("connect4").start())

    def over() -> None:
        raise Over

    def tasks(*moves: int) -> Callable[[], Task | None]:
        work = Work(next(NAMES), "alphabeta", context("connect4"))
        left = [Task(work, node, 2, ((0, move),)) for move in moves]
        return lambda: left.pop(0) if left else None

    with pytest.raises(Over):
        list(Dispatcher(team, over).run(tasks(0, 1)))
    for task, found in Dispatcher(team, lambda: None).run(tasks(2, 3, 4)):
        assert [score.move for score in found.scores] == [move for _, move in task.moves]


def test_nodes_of_the_opening_do_not_limit_later_tasks() -> None:
    position = next(positions("gomoku"))
    search, stop = share("engine", context("gomoku")), Stop()
    opening = search.open(position, Limit(nodes=2000), stop)
    found = search.score(Where(position), opening.moves[0], 0, 12, FULL, stop)
    assert found is not None
    assert found.nodes > 2000


def test_tasks_carry_the_newest_bound() -> None:
    position, team = next(positions("connect4")), Played("one")
    info, _ = shared(team, position, Limit(depth=3, lines=2), Split(first=1, seconds=0.0))
    first, second, *others = [task.window.alpha for _, task in team.sent if task.depth == 3]
    assert (first, second) == (FULL.alpha, FULL.alpha)
    assert FULL.alpha < others[0] <= others[-1] == info.lines[-1].score


def lost(answers: int) -> Callable[[], Iterator[Team]]:
    """A team that is lost after so many answers."""

    class Lost(Played):
        def members(self) -> Mapping[str, int]:
            if len(self.sent) > answers:
                raise ClusterLost("It is lost.")
            return self.names

    @contextmanager
    def open_team() -> Iterator[Team]:
        yield Lost("one", "two")

    return open_team  # type: ignore[return-value]


@pytest.mark.parametrize("answers", [0, 9])
def test_the_analysis_goes_on_locally_when_the_cluster_is_lost(answers: int) -> None:
    said: list[str] = []
    position = next(positions("connect4"))
    player = Distributed("alphabeta", context("connect4"), lost(answers), said.append, FINE)  # type: ignore[arg-type]
    infos = list(player.think(position, Limit(depth=4), Stop()))
    assert said == ["It is lost."]
    assert player.lost
    assert [info.depth for info in infos] == sorted(info.depth for info in infos)
    assert infos[-1].depth == 4
    assert answer(player, position, Limit(depth=3)).depth == 3
    assert len(said) == 1


def test_the_analysis_goes_on_locally_when_there_is_no_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)  # type: ignore[arg-type]
    said: list[str] = []
    player, position = on_cluster("alphabeta", context("connect4"), LOCAL, said.append), setup("connect4").start()
    with pytest.raises(NoExecutor) as refused:
        player.warm_up(position)
    assert answer(player, position, Limit(depth=3)).depth == 3
    assert said == [str(refused.value)]


def test_a_search_that_is_stopped_ends_the_tasks_of_its_workers() -> None:
    stop = Stop()

    class Silent(Played):
        def answers(self, member: str) -> bool:
            if len(self.sent) > 9:
                stop.set()
            return not stop.is_set()

    team = Silent("one", "two")
    work = Work(next(NAMES), "alphabeta", context("connect4"))
    *_, info = Coordinator(team, work, setup("connect4").start(), Limit(), stop, FINE).deepen()
    assert info.depth >= 1
    late = team.found(team.sent[-1][1])
    assert late is not None
    assert late.stopped


def test_each_worker_is_prepared_before_the_clock_runs() -> None:
    team = Played("one", "two")
    player = Distributed("alphabeta", context("connect4"), lambda: nullcontext(team), print, FINE)
    player.warm_up(setup("connect4").start())
    assert sorted(member for member, _ in team.sent) == ["one", "two"]


def test_the_time_of_a_search_is_kept() -> None:
    class Slow(Played):
        def found(self, task: Task) -> Found | None:
            self.clock += 0.25
            return super().found(task)

    team = Slow("one", "two")
    info, _ = shared(team, setup("connect4").start(), Limit(seconds=10.0))
    assert info.depth > 1
    assert team.clock <= 10.5


@pytest.mark.parametrize("stopped", [False, True])
def test_a_search_that_is_over_at_once_has_an_answer(stopped: bool) -> None:
    """It had none when the first worker answered after its time, and “analyse --seconds 0.2 --cluster” crashed."""

    class Late(Played):
        def found(self, task: Task) -> Found | None:
            self.clock += 0.3
            return super().found(task)

    team, stop, position = Late("one", "two"), Stop(), setup("connect4").start()
    if stopped:
        stop.set()
    work = Work(next(NAMES), "alphabeta", context("connect4"))
    limit = Limit(seconds=None if stopped else 0.2, depth=6)
    infos = list(Coordinator(team, work, position, limit, stop, FINE).deepen())
    assert [info.move in position.legal_moves() for info in infos] == [True]


def test_a_player_that_cannot_share_out_its_search_is_refused() -> None:
    with pytest.raises(ValueError, match="mcts"):
        Distributed("mcts", context("connect4"), lost(0), lambda _reason: None)  # type: ignore[arg-type]
