"""The search of one position by several workers, in this process."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import replace
from functools import partial
from itertools import count, islice

import pytest

from ai.arena.executors import LOCAL, NoExecutor
from ai.core.player import Budget, Info, Limit, Line, Player, Stop, answer
from ai.core.score import WIN
from ai.distributed import cluster_player
from ai.distributed.cluster_player import Distributed, Sharer, on_cluster
from ai.players.table import Context, make, share
from ai.search.coordinator import Coordinator
from ai.search.crews import Answer, Crew, CrewLost
from ai.search.minimax import RandomPlayer
from ai.search.splitting import PrincipalVariation
from ai.search.workers import FULL, Found, MoveScore, Opening, Request, Where, Work, perform, run_to_end
from games.formats.text import parse
from games.position import Position
from games.registry import setup
from tests.ai.distributed.played import Played, Shuffled
from tests.ai.distributed.positions import CASES, context, positions

NAMES = (f"search {number}" for number in count())
FINE = partial(PrincipalVariation, first=1, least=2, work=0.0, seconds=0.0)
"""Share out as much as possible."""


def work_of(game: str, player: str = "", threads: int = 1) -> Work:
    return Work(next(NAMES), Sharer(player or CASES[game].shared, context(game)), threads)


def coordinator(crew: Crew, position: Position, limit: Limit, stop: Stop | None = None) -> Coordinator:
    return Coordinator(lambda: crew, work_of(position.game), position, limit, stop or Stop(), FINE())


def shared(crew: Crew, position: Position, limit: Limit) -> tuple[Info, Coordinator]:
    search = coordinator(crew, position, limit)
    *_, info = search.deepen()
    return info, search


def assert_same_values(game: str, number: int, workers: int, lines: int, less: int = 0) -> None:
    """Distributed search gives the scores of the single one at the same depth, `less` plies than usual."""
    case = CASES[game]
    limit = Limit(depth=case.depth - less, lines=lines)
    single = make(case.alone, context(game))
    crew = Shuffled(workers)
    with closing(single):
        for position in islice(positions(game), number):
            alone = answer(single, position, limit)
            found, _ = shared(crew, position, limit)
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
    crew, work = Played("one"), work_of("gomoku", threads=2)
    *_, found = Coordinator(lambda: crew, work, position, limit, Stop(), FINE()).deepen()
    assert found.score == answer(make(case.alone, context("gomoku")), position, limit).score
    assert found.depth == 3


class Failing(Played):
    """A worker that no longer answers after some tasks; with `noticed` it is gone."""

    def __init__(self, noticed: bool) -> None:
        super().__init__("good", "bad")
        self.noticed = noticed

    def answers(self, worker: str) -> bool:
        failed = worker == "bad" and len(self.sent) > 6
        if failed and self.noticed:
            self.names.pop(worker, None)
        return not failed


@pytest.mark.parametrize("noticed", [True, False])
def test_the_work_of_a_lost_or_slow_worker_is_taken_over(noticed: bool) -> None:
    position, crew = next(positions("connect4")), Failing(noticed)
    limit = Limit(depth=4)
    found, search = shared(crew, position, limit)
    assert found.score == answer(make(CASES["connect4"].alone, context("connect4")), position, limit).score
    assert search.again == 1
    last = [request for worker, request in crew.sent if worker == "bad"][-1]
    again = [request for worker, request in crew.sent if worker == "good"]
    assert any((each.node, each.moves, each.depth) == (last.node, last.moves, last.depth) for each in again)


def test_a_task_that_loses_each_worker_is_given_up() -> None:
    class Deadly(Played):
        def found(self, request: Request) -> Found | None:
            return None if request.moves else super().found(request)

    crew = Deadly("one", "two")
    with pytest.raises(CrewLost):
        shared(crew, next(positions("connect4")), Limit(depth=3))
    most = max(sum(each.moves == other.moves for _, other in crew.sent) for _, each in crew.sent if each.moves)
    assert most == 4, "three have been lost before"


def test_one_worker_begins_and_no_search_goes_deeper_than_90_plies() -> None:
    class Deep(Played):
        def found(self, request: Request) -> Found:
            scores = tuple(MoveScore(move, 0, (move,), 1, whole=False) for _, move in request.moves)
            if request.limit is None:
                return Found(scores, costs=len(scores) * (0.0,))
            assert request.limit == Limit(depth=90, nodes=400_000)
            return Found(opening=Opening(Info(3, 0, 88, lines=(Line(0, (3,)),)), (3, 2), False))

    crew, position = Deep("one"), setup("connect4").start()
    search = Coordinator(lambda: crew, work_of("connect4"), position, Limit(), Stop(), PrincipalVariation())
    assert [info.depth for info in search.deepen()] == [88, 89, 90]


def test_a_worker_gets_again_the_moves_that_its_table_knows() -> None:
    """If it is idle, as all are when an iteration begins."""
    crew, by = Shuffled(3), dict[int, str]()
    shared(crew, setup("connect4").start(), Limit(depth=6, lines=2))
    depth, again = 0, list[bool]()
    for worker, request in crew.sent:
        for _, move in request.moves:
            if request.depth > max(depth, 2):
                again.append(worker == by[move])
            depth, by[move] = request.depth, worker
    assert again == [True] * 4


def test_late_answers_to_an_earlier_search_are_ignored() -> None:
    position, stop = next(positions("connect4")), Stop()

    class Stopped(Played):
        def answers(self, worker: str) -> bool:
            if len(self.sent) == 12:
                stop.set()
            return True

    crew = Stopped("one", "two", "three")
    list(coordinator(crew, position, Limit(depth=4), stop).deepen())
    assert crew.left > 0
    found, _ = shared(crew, position, Limit(depth=4))
    assert found.score == answer(make(CASES["connect4"].alone, context("connect4")), position, Limit(depth=4)).score


def test_nodes_of_the_opening_do_not_limit_later_tasks() -> None:
    position = next(positions("gomoku"))
    search, stop = share("engine", context("gomoku")), Stop()
    opening = search.open(position, Limit(nodes=2000), stop)
    request = Request(work_of("gomoku"), Where(position), 15, ((0, opening.moves[0]),))
    found = run_to_end(perform(search, request, lambda: FULL, Budget(Limit(), stop), []))
    assert found.nodes > 2000


def test_tasks_carry_the_newest_bound() -> None:
    position, crew = next(positions("connect4")), Played("one")
    info, _ = shared(crew, position, Limit(depth=3, lines=2))
    first, second, *others = [request.window.alpha for _, request in crew.sent if request.depth == 3]
    assert (first, second) == (FULL.alpha, FULL.alpha)
    assert FULL.alpha < others[0] <= others[-1] == info.lines[-1].score


def lost(answers: int) -> Callable[[], AbstractContextManager[Crew]]:
    """A crew that is lost after so many answers."""

    class Lost(Played):
        def members(self) -> Mapping[str, int]:
            if len(self.sent) > answers:
                raise CrewLost("It is lost.")
            return self.names

    return lambda: nullcontext(Lost("one", "two"))


@pytest.mark.parametrize("answers", [0, 9])
def test_the_analysis_goes_on_locally_when_the_cluster_is_lost(answers: int) -> None:
    said: list[str] = []
    position = next(positions("connect4"))
    player = Distributed("alphabeta", context("connect4"), lost(answers), said.append, FINE)
    infos = list(player.think(position, Limit(depth=4), Stop()))
    assert said == ["It is lost."]
    assert player.lost
    assert [info.depth for info in infos] == sorted(info.depth for info in infos)
    assert infos[-1].depth == 4
    assert answer(player, position, Limit(depth=3)).depth == 3
    assert len(said) == 1


@pytest.mark.parametrize(("threads", "alone"), [(0, 1), (3, 3)])
def test_the_analysis_goes_on_locally_when_there_is_no_cluster(
    threads: int, alone: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make_here(name: str, about: Context) -> Player:
        made.append(about.threads)
        return make(name, about)

    monkeypatch.setitem(sys.modules, "distributed", None)  # type: ignore[arg-type]
    monkeypatch.setattr("ai.distributed.cluster_player.make", make_here)
    made, said, about = list[int](), list[str](), replace(context("connect4"), threads=threads)
    player, position = on_cluster("alphabeta", about, LOCAL, said.append), setup("connect4").start()
    with pytest.raises(NoExecutor) as refused:
        player.warm_up(position)
    assert answer(player, position, Limit(depth=3)).depth == 3
    assert (said, made) == ([str(refused.value)], [alone])


def test_who_goes_on_alone_has_the_seconds_that_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its answers count from the depth on that the cluster has reached, or with a mate."""
    crew = Played("one", "two")
    limits: list[Limit] = []
    alone = [Info(1, depth=1), Info(2, WIN - 3, 1), Info(3, depth=2), Info(4, depth=3), Info(5, depth=4)]

    class Alone(RandomPlayer):
        def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
            limits.append(limit)
            yield from alone

    monkeypatch.setattr(cluster_player, "make", lambda *_: Alone())
    player = Distributed("alphabeta", context("connect4"), lambda: nullcontext(crew), print, FINE)
    found = []
    for info in player.think(setup("connect4").start(), Limit(seconds=10.0, depth=4), Stop()):
        found.append(info)
        if info.depth == 3:
            crew.clock += 4.0
            crew.names.clear()
    assert (found[-3:], found[-4].depth, player.lost, player.workers) == ([alone[1], *alone[3:]], 3, True, ())
    assert limits == [Limit(seconds=pytest.approx(6.0, abs=0.5), depth=4)]


def test_a_search_that_is_stopped_ends_the_tasks_of_its_workers() -> None:
    stop = Stop()

    class Silent(Played):
        def answers(self, worker: str) -> bool:
            if len(self.sent) > 9:
                stop.set()
            return not stop.is_set()

    crew = Silent("one", "two")
    *_, info = coordinator(crew, setup("connect4").start(), Limit(), stop).deepen()
    assert info.depth >= 1
    late = crew.found(crew.sent[-1][1])
    assert late is not None
    assert late.stopped


def test_each_worker_is_prepared_before_the_clock_runs() -> None:
    crew = Played("one", "two")
    player = Distributed("alphabeta", context("connect4"), lambda: nullcontext(crew), print, FINE)
    player.warm_up(setup("connect4").start())
    assert sorted(worker for worker, _ in crew.sent) == ["one", "two"]


def test_the_time_of_a_search_is_kept() -> None:
    class Slow(Played):
        def found(self, request: Request) -> Found | None:
            self.clock += 0.25
            return super().found(request)

    crew = Slow("one", "two")
    info, _ = shared(crew, setup("connect4").start(), Limit(seconds=10.0))
    assert info.depth > 1
    assert 8.0 <= crew.clock <= 10.5
    forced = Slow("one", "two")
    shared(forced, parse("dadbd", setup("connect4")).position, Limit(seconds=10.0))
    assert forced.clock <= 1.0, "there is one move only"


def test_workers_are_told_once_to_answer_at_once() -> None:
    """While it is not known what to play, a search that is over waits for the answer of the first worker."""

    class Delayed(Played):
        waits, halts = 3, 0

        def next(self, timeout: float) -> Answer | None:
            self.waits -= 1
            return None if self.waits >= 0 else super().next(timeout)

        def halt(self, search: str) -> None:
            self.halts += 1
            super().halt(search)

    crew, stop = Delayed("one"), Stop()
    stop.set()
    infos = list(coordinator(crew, setup("connect4").start(), Limit(depth=6), stop).deepen())
    assert (len(infos), crew.halts) == (1, 1)


@pytest.mark.parametrize("stopped", [False, True])
def test_a_search_that_is_over_at_once_has_an_answer(stopped: bool) -> None:
    """It had none when the first worker answered after its time, and “analyse --seconds 0.2 --cluster” crashed."""

    class Late(Played):
        def found(self, request: Request) -> Found | None:
            self.clock += 0.3
            return super().found(request)

    crew, stop, position = Late("one", "two"), Stop(), setup("connect4").start()
    if stopped:
        stop.set()
    limit = Limit(seconds=None if stopped else 0.2, depth=6)
    infos = list(coordinator(crew, position, limit, stop).deepen())
    assert [info.move in position.legal_moves() for info in infos] == [True]


def test_a_player_that_cannot_share_out_its_search_is_refused() -> None:
    with pytest.raises(ValueError, match="mcts"):
        Distributed("mcts", context("connect4"), lost(0), lambda _reason: None)
