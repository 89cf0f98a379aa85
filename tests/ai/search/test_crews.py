"""The crew of a cluster against a client of our own, and what a worker process reads from shared memory."""

from __future__ import annotations

from concurrent.futures import CancelledError, Future

import pytest

from ai.search.crews import Answer, ClusterCrew, CrewLost, RequestBudget
from ai.search.workers import FULL, Found, Request, Where, Window, Work
from games.bones import BonesPosition
from tests.games.strategies import Time


class Client:
    """A cluster of Dask with two workers, which answer when they are told to."""

    status = "running"

    def __init__(self) -> None:
        self.threads = {"one": 2, "two": 0}
        self.pinned: list[str] = []
        self.sent: list[tuple[Request, Future[Found]]] = []
        self.asked = 0
        self.halted: list[str] = []

    def nthreads(self) -> dict[str, int]:
        self.asked += 1
        return dict(self.threads)

    def get_executor(self, workers: list[str], allow_other_workers: bool, pure: bool) -> Client:
        assert (allow_other_workers, pure) == (False, False)
        self.pinned += workers
        return self

    def submit(self, _run: object, request: Request) -> Future[Found]:
        self.sent.append((request, Future()))
        return self.sent[-1][1]

    def run(self, _halt: object, search: str, wait: bool, on_error: str) -> None:
        assert (wait, on_error) == (False, "ignore")
        self.halted.append(search)


def request(threads: int = 0) -> Request:
    return Request(Work("name", lambda _threads: None, threads), Where(BonesPosition(3)), 2)  # type: ignore[arg-type,return-value]


def test_who_is_there_is_asked_every_half_second(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, client = Time(), Client()
    monkeypatch.setattr(ClusterCrew, "now", lambda _self: clock())
    crew = ClusterCrew(client)
    assert crew.members() == {"one": 2, "two": 0}
    del client.threads["two"]
    clock.passes(0.4)
    assert (len(crew.members()), client.asked) == (2, 1)
    clock.passes(0.1)
    assert (len(crew.members()), client.asked) == (1, 2)
    client.status = "closed"
    clock.passes(0.5)
    with pytest.raises(CrewLost, match="no longer answers"):
        crew.members()


def test_a_request_goes_to_one_worker_with_as_many_threads_as_it_has() -> None:
    client = Client()
    crew = ClusterCrew(client)
    crew.members()
    for number, (worker, threads) in enumerate([("one", 0), ("two", 0), ("one", 5), ("three", 0)]):
        crew.send(worker, number, request(threads), lambda: FULL)
    assert [sent.work.threads for sent, _ in client.sent] == [2, 1, 5, 1]
    assert client.pinned == ["one", "two", "three"]
    assert crew.next(0.0) is None


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (CancelledError(), False), (OSError(), False), (type("KilledWorker", (Exception,), {})(), False),
        (ValueError("It is no game."), True),
    ],
)  # fmt: skip
def test_a_worker_that_is_lost_has_no_answer_and_a_request_that_fails_its_error(error: Exception, told: bool) -> None:
    client = Client()
    crew = ClusterCrew(client)
    for number in (7, 8):
        crew.send("one", number, request(), lambda: FULL)
    client.sent[0][1].set_exception(error)
    found = Found(nodes=3)
    client.sent[1][1].set_result(found)
    assert crew.next(0.0) == Answer(7, "one", None, error if told else None)
    assert crew.next(0.0) == Answer(8, "one", found)


def test_a_search_is_halted_unless_the_cluster_is_gone() -> None:
    client = Client()
    ClusterCrew(client).halt("search")
    client.status = "closed"
    ClusterCrew(client).halt("another")
    assert client.halted == ["search"]


def test_a_process_looks_at_shared_memory_every_64_nodes() -> None:
    memory = [0, 0, 0, 0, 0, 6, -30, 40, 0, 1]  # of the second worker: dropped, alpha, beta, nodes, ready
    budget = RequestBudget(memory, 5, 7)
    assert budget.window() == Window(-30, 40)
    assert [budget.spent(nodes) for nodes in range(100, 129)] == 29 * [False]
    assert memory == [0, 0, 0, 0, 0, 6, -30, 40, 29, 1]
    memory[5] = 7
    assert [budget.spent(nodes) for nodes in (191, 192)] == [False, True]
    memory[5] = 8
    assert budget.spent(256), "a later one was cancelled, so that nobody waits for this one"
    assert memory[8] == 157
    first = RequestBudget(memory, 0, 1)
    assert [first.spent(nodes) for nodes in range(1, 65)] == 64 * [False]
    assert memory[:5] == [0, 0, 0, 64, 0]
