"""The processes of a crew, as threads that begin when they are told to: what they are asked, answer and leave."""

from __future__ import annotations

import logging
import multiprocessing
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import pytest

from ai.core.player import Budget, Limit, Stop
from ai.search import crews
from ai.search.alphabeta import Parts
from ai.search.crews import Answer, ProcessCrew
from ai.search.trace import INFINITY
from ai.search.workers import FULL, Found, Request, TreeMoves, Where, Window, Work, perform, run_to_end
from games.registry import setup
from tests.waiting import wait

LONG = 12
"""Plies of a search that nobody waits for."""


class End:
    """The end of a pipe that a process has: it stays open when this process closes its own copy."""

    def __init__(self, pipe: Any) -> None:
        self.pipe, self.send, self.recv = pipe, pipe.send, pipe.recv

    def close(self) -> None:
        pass


class Process:
    """A thread that begins by `begin`. Nobody can kill it."""

    def __init__(self, target: Callable[..., None], args: tuple[Any, ...], daemon: bool) -> None:
        assert daemon
        self.target, self.args = target, args

    def begin(self) -> None:
        threading.Thread(target=self.run, daemon=True).start()

    def run(self) -> None:
        self.target(*self.args)
        self.die()

    def die(self) -> None:
        self.args[0].pipe.close()

    def start(self) -> None:
        pass

    kill = join = close = start


def pipe(duplex: bool = True) -> tuple[Any, Any]:
    first, second = multiprocessing.Pipe(duplex)
    return (first, End(second)) if duplex else (End(first), second)


processes: list[Process] = []


@pytest.fixture
def crew(monkeypatch: pytest.MonkeyPatch) -> Iterator[ProcessCrew]:
    processes.clear()

    def process(**given: Any) -> Process:
        processes.append(Process(**given))
        return processes[-1]

    context = SimpleNamespace(Pipe=pipe, RawArray=lambda _kind, count: [0] * count, Process=process)
    monkeypatch.setattr(crews, "multiprocessing", SimpleNamespace(get_context={"spawn": context}.__getitem__))
    monkeypatch.setattr(crews, "end_with_parent", lambda *_: None)
    with closing(ProcessCrew(2)) as made:
        yield made


class Waiting(TreeMoves):
    """It begins when beta is known."""

    def score(self, *given: Any, **verify: Any) -> Any:
        wait(lambda: given[4]() == Window(-INFINITY, -30))
        return super().score(*given, **verify)


made: list[str] = []
"""By whom a process has had its search made."""


@dataclass(frozen=True)
class Maker:
    name: str = "maker"

    def __call__(self, threads: int) -> TreeMoves:
        assert threads == 1
        made.append(self.name)
        if self.name == "broken":
            raise OSError
        return (Waiting if self.name == "waiting" else TreeMoves)(Parts(extension=False))


def request(depth: int, *moves: int, maker: str = "maker") -> Request:
    return Request(Work("name", Maker(maker)), Where(setup("connect4").start()), depth, tuple(enumerate(moves)))


def told(answer: Answer | None) -> tuple[int, str, Found]:
    assert answer is not None
    assert answer.found is not None
    assert answer.error is None
    return answer.number, answer.worker, answer.found


def test_a_process_answers_what_a_search_here_finds(crew: ProcessCrew) -> None:
    assert crew.members() == {"1": 1, "2": 1}
    assert not crew.ready
    processes[1].begin()
    wait(lambda: crew.ready)
    asked, window = request(5, 3, 2), Window(-30, 90)
    alone = run_to_end(perform(Maker()(1), asked, lambda: window, Budget(Limit(), Stop()), []))
    made.clear()
    crew.send("2", 7, asked, lambda: window)
    number, worker, found = told(crew.next(60.0))
    assert (number, worker, 0 <= found.seconds < 600) == (7, "2", True)
    assert replace(found, seconds=0.0, costs=()) == replace(alone, costs=())
    assert [crew.visited(each) for each in ("1", "2", "3")] == [0, found.nodes // 64 * 64 - 1, 0]
    assert crew.next(0.0) is None
    for number, maker in ((8, "maker"), (9, "another")):
        crew.send("2", number, request(2, 3, maker=maker), lambda: FULL)
        assert told(crew.next(60.0))[:2] == (number, "2")
    assert made == ["maker", "another"], "it keeps a search until another one is wanted"


def test_a_window_that_is_narrowed_ends_what_is_under_way(crew: ProcessCrew) -> None:
    windows = [FULL]
    processes[0].begin()
    crew.send("1", 1, request(2, 3, 2, maker="waiting"), lambda: windows[-1])
    assert crew.next(0.0) is None
    windows.append(Window(-INFINITY, -30))
    number, _, found = told(crew.next(60.0))
    assert (number, found.stopped, [score.move for score in found.scores]) == (1, False, [3])


def test_what_is_not_wanted_any_more_is_stopped(crew: ProcessCrew) -> None:
    for each in processes:
        each.begin()
    crew.drop("3")
    for number, worker in enumerate("12", 4):
        crew.send(worker, number, request(LONG, 3), lambda: FULL)
        wait(lambda worker=worker: crew.visited(worker) > 100)
    assert crew.drop("1") is None
    number, worker, found = told(crew.next(60.0))
    assert (number, worker, found.stopped, crew.visited("2") > 100) == (4, "1", True, True)
    crew.send("1", 6, request(2, 3), lambda: FULL)
    assert told(crew.next(60.0))[:2] == (6, "1"), "a later one is wanted"
    crew.send("1", 7, request(LONG, 3), lambda: FULL)
    crew.halt("name")
    answers = sorted(told(crew.next(60.0))[:2] for _ in "12")
    assert answers == [(5, "2"), (7, "1")]


def test_a_process_that_dies_answers_nothing_and_is_gone(crew: ProcessCrew, caplog: pytest.LogCaptureFixture) -> None:
    processes[1].begin()
    crew.send("2", 3, request(2, 3, maker="broken"), lambda: FULL)
    with caplog.at_level(logging.WARNING):
        assert crew.next(60.0) == Answer(3, "2", None)
    assert (crew.members(), len(caplog.records)) == ({"1": 1}, 1)
    processes[0].die()
    crew.send("1", 4, request(2, 3), lambda: FULL)
    assert crew.next(60.0) == Answer(4, "1", None)
    assert (crew.members(), crew.ready) == ({}, False)
