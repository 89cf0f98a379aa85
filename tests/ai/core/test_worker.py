"""The worker: answers to abandoned positions are never delivered."""

import threading
from collections.abc import Iterator

import pytest

from ai.core import player as player_module
from ai.core.player import Info, Limit, Player, Stop, answer
from ai.search.alphabeta import AlphaBeta
from ai.service.searches import Report, Worker
from games.position import Position
from games.registry import GAMES, setup
from tests.games.strategies import Ticking
from tests.waiting import wait


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker()
    yield made
    made.close()


def wait_done(worker: Worker) -> Report:
    def done() -> Report | None:
        report = worker.poll()
        return report if report is not None and report.done else None

    report = wait(done)
    assert report is not None
    return report


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seconds", [0.05, 0.3, 1.0])
def test_answers_within_the_budget(monkeypatch: pytest.MonkeyPatch, game: str, seconds: float) -> None:
    """By a clock on which a position takes a millisecond or two."""
    clock = Ticking()
    monkeypatch.setattr(player_module, "time", clock)
    position = setup(game).start().play(setup(game).start().legal_moves()[0])
    began = clock()
    info = answer(AlphaBeta(), position, Limit(seconds=seconds))
    assert info.move in position.legal_moves()
    assert clock() - began < seconds + 0.01


def test_reports_come_before_the_answer_and_stop_means_move_now(worker: Worker) -> None:
    position = setup("gomoku").start().play(112)
    worker.start(AlphaBeta(), position, Limit())
    first = wait(worker.poll)
    assert not first.done
    wait(lambda: worker.nodes > 100)
    worker.stop()
    report = wait_done(worker)
    assert report.info.move in position.legal_moves()
    assert not worker.busy


class Deaf(Player):
    """Ignore `stop`, and wait for an event that is set at the end of the test."""

    nodes = 0

    def __init__(self) -> None:
        self.begun, self.over = threading.Event(), threading.Event()

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        self.begun.set()
        self.over.wait(60)
        yield Info(1)


def test_closing_does_not_wait_for_a_player_that_does_not_stop() -> None:
    worker, deaf, before = Worker(), Deaf(), threading.enumerate()
    worker.start(deaf, setup("bones").start(), Limit())
    assert deaf.begun.wait(60)
    (thread,) = [thread for thread in threading.enumerate() if thread not in before]
    worker.close(0.2)
    assert thread.is_alive()
    deaf.over.set()
    thread.join(60)


def test_notify_is_called_from_the_workers_thread() -> None:
    callers: list[threading.Thread] = []
    worker = Worker(lambda: callers.append(threading.current_thread()))
    worker.start(AlphaBeta(), setup("bones", 5).start(), Limit(seconds=1))
    wait_done(worker)
    worker.close()
    assert callers
    assert threading.main_thread() not in callers


class Closed(Deaf):
    """Notes whether it was searching when it was closed."""

    closed: list[bool]

    def close(self) -> None:
        self.closed = [self.over.is_set()]


def test_a_released_player_is_closed_after_its_search(worker: Worker) -> None:
    player = Closed()
    worker.start(player, setup("bones").start(), Limit())
    assert player.begun.wait(60)
    worker.release(player)
    worker.drop()
    player.over.set()
    worker.close(60)
    assert player.closed == [True]


def test_a_player_that_never_searched_is_closed_at_once() -> None:
    player = Closed()
    Worker().release(player)
    assert player.closed == [False]
