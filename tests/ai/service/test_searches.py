"""One owner of all searches: ranks, answers that are dropped, what is kept of them, and who waits for whom."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from ai.core import player as player_module
from ai.core.player import Info, Limit, Line, Player, Stop, answer
from ai.core.score import Score
from ai.search.alphabeta import AlphaBeta
from ai.service import searches as module
from ai.service.searches import BUSY, Purpose, Report, Search, Searches, Worker
from games.formats.text import parse
from games.position import Position
from games.record import Node
from games.registry import GAMES, setup
from tests.games.strategies import Ticking
from tests.players import Faulty
from tests.waiting import wait

LONG = Limit(seconds=30.0)


class Told(Player):
    """Answers what it is told to, when it is told to."""

    nodes = 7

    def __init__(self, name: str = "engine") -> None:
        self.name = name
        self.depth, self.score, self.stand_in, self.answers = 9, 50, False, True
        self.begun = 0
        self.closed = False

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        self.begun += 1
        move = position.legal_moves()[0]
        yield Info(move, self.score, self.depth, 7, 0.50049, (Line(self.score, (move,)),), self.stand_in)
        while not (self.answers or stop.is_set()):
            time.sleep(0.001)

    def close(self) -> None:
        self.closed = True


class Window:
    """Searches by players that tests steer; `ready` tells whether the engine is."""

    def __init__(self, threads: int = 1, kind: Callable[[str], Any] = Told) -> None:
        self.players: dict[tuple[str, bool], Told] = {}
        self.ready = False

        def make(name: str, _game: str, book: bool) -> Player:
            return self.players.setdefault((name, book), kind(name))

        self.searches = Searches(make, lambda: None, lambda: self.ready, lambda: threads, lambda: 5.0)

    def player(self, name: str = "engine", book: bool = False) -> Told:
        return self.players.setdefault((name, book), Told(name))

    def answered(self, node: Node, purpose: Purpose, limit: Limit = LONG, name: str = "engine") -> Search:
        """Ask, and wait for the answer."""
        search = self.searches.ask(node, purpose, limit, name)
        self.until(lambda: search.over)
        return search

    def until(self, condition: Callable[[], object]) -> None:
        wait(condition, self.searches.update)


@pytest.fixture(autouse=True)
def _two_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "processors", lambda: 2)


def node() -> Node:
    return parse("h8i9", setup("gomoku")).cursor


def test_what_the_strongest_player_finds_is_kept_with_its_name() -> None:
    window, here = Window(), node()
    window.player().answers = False
    search = window.searches.ask(here, Purpose.ANALYSIS, Limit(seconds=3.0, lines=2))
    window.until(lambda: here.evaluation)
    assert here.evaluation.seconds == 0.5
    window.player().answers = True
    window.until(lambda: search.over)
    assert (search.opinion.seconds, search.known, search.at) == (0.5, here.evaluation, 5.0)
    assert (here.evaluation.by, here.evaluation.depth) == ("engine", 9)
    assert (here.evaluation.seconds, here.evaluation.wanted) == (3.0, 2), "it had all its time"


def test_a_search_that_was_to_answer_at_once_passed_for_one_of_all_its_time() -> None:
    """A review then took what 0.3 s had found for a search of ten."""
    window, here = Window(), node()
    window.player().answers = False
    search = window.searches.ask(here, Purpose.ANALYSIS, Limit(seconds=10.0, lines=2))
    window.until(lambda: here.evaluation)
    search.stop()
    window.until(lambda: search.over)
    assert (here.evaluation.seconds, here.evaluation.wanted) == (0.5, 1)


@pytest.mark.parametrize("depth", [0, 1])
def test_a_first_guess_is_not_kept(depth: int) -> None:
    window, here = Window(), node()
    window.player().depth = depth
    assert window.answered(here, Purpose.ANALYSIS).info is not None
    assert (here.evaluation is not None) == bool(depth)


def test_the_strongest_player_is_the_same_with_other_threads() -> None:
    window, here = Window(), node()
    window.answered(here, Purpose.MOVE, LONG, "engine:threads=1")
    assert here.evaluation is not None


@pytest.mark.parametrize(
    ("purpose", "name", "stand_in"),
    [
        (Purpose.MOVE, "level:2", False),
        (Purpose.MOVE, "alphabeta", False),
        (Purpose.MOVE, "engine", True),
        (Purpose.HINT, "engine", False),
        (Purpose.TEACHING, "engine", False),
    ],
)
def test_nobody_elses_view_passes_for_the_engines(purpose: Purpose, name: str, stand_in: bool) -> None:
    window, here = Window(), node()
    for book in (True, False):
        window.player(name, book).stand_in = stand_in
    search = window.answered(here, purpose, LONG, name)
    assert search.info is not None
    assert here.evaluation is None
    assert search.known is search.opinion is not None
    assert search.table_tree(here.position, 9, lambda: None) is search.transcript is None


def test_an_answer_that_was_dropped_never_comes() -> None:
    window, here = Window(), node()
    search = window.searches.ask(here, Purpose.MOVE, LONG)
    search.drop()
    for _ in range(50):
        window.searches.update()
        time.sleep(0.001)
    assert (search.info, search.over, search.busy, search.nodes, window.searches.busy) == (None, False, False, 0, False)
    assert here.evaluation is None


def test_asking_again_replaces_the_question() -> None:
    window = Window()
    first = window.searches.ask(node(), Purpose.HINT, LONG)
    second = window.answered(node(), Purpose.HINT)
    assert not first.busy
    assert first.info is None
    first.stop()
    first.drop()
    assert second.over, "the old handle does nothing to the new question"


def test_stop_means_move_now() -> None:
    window = Window()
    window.player(book=True).answers = False
    search = window.searches.ask(node(), Purpose.MOVE, LONG)
    window.until(lambda: search.info)
    assert search.busy
    assert search.nodes == 7
    search.stop()
    window.until(lambda: search.over)
    assert search.info is not None


def test_a_lower_purpose_waits_where_there_are_too_few_processors() -> None:
    """Though a search that wants more than there are runs alone."""
    window = Window(threads=3)
    for book in (True, False):
        window.player(book=book).answers = False
    analysis = window.searches.ask(node(), Purpose.ANALYSIS, LONG)
    window.until(lambda: analysis.info)
    assert window.searches.spare == 0
    move = window.searches.ask(node(), Purpose.MOVE, LONG)
    window.until(lambda: move.info)
    assert analysis.busy, "it goes on later"
    begun = window.player().begun
    move.stop()
    window.until(lambda: move.over)
    window.until(lambda: window.player().begun == begun + 1)
    analysis.stop()
    window.until(lambda: analysis.over)
    window.searches.update()
    assert window.searches.spare == 2


def test_a_review_has_the_processors_that_are_left_and_ends_with_all_else() -> None:
    window, judges = Window(threads=2), []

    def judge() -> Told:
        judges.append(Told())
        return judges[-1]

    window.player().answers = False
    analysis = window.searches.ask(node(), Purpose.ANALYSIS, LONG)
    window.until(lambda: analysis.info)
    review = window.searches.review(parse("h8i9g7"), 0.5, judge)
    window.until(lambda: judges)
    assert review.poll() == []
    assert not any(each.begun for each in judges), "it waits"
    analysis.drop()
    window.searches.update()
    window.until(lambda: review.poll() or review.over)
    assert any(each.begun for each in judges)
    window.searches.release()
    window.until(lambda: all(each.closed for each in judges))


def test_both_go_on_where_there_are_processors_for_both() -> None:
    window = Window(threads=1)
    for book in (True, False):
        window.player(book=book).answers = False
    analysis = window.searches.ask(node(), Purpose.ANALYSIS, LONG)
    move = window.searches.ask(node(), Purpose.MOVE, LONG)
    window.until(lambda: analysis.info and move.info)
    assert (window.searches.spare, window.player().begun) == (0, 1)
    window.searches.release()


def test_a_stand_ins_answer_is_asked_again_when_the_engine_is_ready() -> None:
    window = Window()
    player = window.player()
    player.stand_in = True
    search = window.answered(node(), Purpose.HINT)
    assert window.searches.advised_by_stand_in
    player.stand_in, window.ready = False, True
    window.until(lambda: search.over and not search.stand_in)
    assert player.begun == 2
    assert not window.searches.advised_by_stand_in


def test_a_move_of_the_stand_in_counts() -> None:
    window = Window()
    window.player(book=True).stand_in = window.ready = True
    search = window.answered(node(), Purpose.MOVE)
    for _ in range(5):
        window.searches.update()
    assert search.over
    assert search.stand_in
    assert not window.searches.advised_by_stand_in


def test_a_search_that_a_cluster_shares_needs_one_processor_here() -> None:
    shared: list[tuple[str, ...]] = []

    def share(*asked: str) -> Player:
        shared.append(asked)
        return Told()

    searches = Searches(lambda *_: Told(), lambda: None, lambda: False, lambda: 2, share=share)
    found = [searches.ask(node(), Purpose.ANALYSIS, LONG, cluster=cluster) for cluster in ("tcp://a", "")]
    assert shared == [("engine", "gomoku", "tcp://a")]
    assert (searches.spare, [each.busy for each in found], searches.wake()) == (0, [False, True], BUSY)
    found.append(searches.ask(node(), Purpose.HINT, LONG, cluster="tcp://a"))
    assert (searches.spare, len(shared)) == (1, 2)
    wait(lambda: found[-1].over and not searches.busy, searches.update)
    assert (searches.spare, searches.wake()) == (2, None)
    searches.release()


def test_a_player_that_fails_or_answers_what_is_no_answer_ends_its_search() -> None:
    for player, error in ((Faulty(), RuntimeError), (SimpleNamespace(think=lambda *_: iter((7,))), AttributeError)):
        search = Window(kind=lambda _name, player=player: player).answered(node(), Purpose.MOVE)
        assert isinstance(search.error, error)
        assert search.info is None


def test_a_player_that_cannot_be_made_ends_its_search() -> None:
    failed: list[Search] = []

    def make(*_: object) -> Player:
        raise MemoryError("no room")

    searches = Searches(make, lambda: None, lambda: False, now=lambda: 5.0, failed=failed.append)
    search = searches.ask(node(), Purpose.HINT, LONG)
    assert (str(search.error), search.over, search.at, failed, searches.spare) == ("no room", True, 5.0, [search], 1)
    searches.update()
    assert (failed, searches.spare) == ([search], 2)


def test_a_proof_is_kept_at_any_depth_and_a_search_without_a_limit_has_its_own_time() -> None:
    window, here = Window(), node()
    window.player().score, window.player().depth = Score.win_in(3), 0
    window.answered(here, Purpose.ANALYSIS, Limit(depth=9))
    assert (here.evaluation.mate, here.evaluation.seconds, here.evaluation.wanted) == (3, 0.5, 1)


def test_players_are_closed_and_made_anew() -> None:
    window = Window()
    window.answered(node(), Purpose.MOVE)
    player = window.player(book=True)
    window.searches.release()
    wait(lambda: player.closed)
    window.players.clear()
    window.answered(node(), Purpose.MOVE)
    assert window.player(book=True) is not player


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
    assert thread.daemon, "nor must the end of the process"
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
