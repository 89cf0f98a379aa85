"""The engine's search in a window: its trees grow, what was folded stays, and a stand-in does not pass for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, replace
from types import SimpleNamespace

import pytest

from ai.core.player import Info, Limit, Player, Stop
from ai.explain import kinds
from ai.explain.explorer import Explorer
from ai.explain.kinds import Engines, TableTracing
from ai.explain.subject import Choice, Subject
from ai.gomoku.engine import GomokuEngine
from ai.search.alphabeta import AlphaBeta
from ai.search.comparison import ENGINE, TIMED
from ai.search.trace import TableTree, empty_table_tree
from ai.service.searches import Searches
from games.formats.text import parse
from games.position import Position
from games.registry import setup
from tests.games.strategies import Time
from tests.players import Faulty
from tests.waiting import wait


class StandIn(AlphaBeta):
    """Answers in the place of the engine."""

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        for info in super().think(position, replace(limit, depth=1), stop):
            yield replace(info, stand_in=True)


@dataclass
class Window:
    """What a screen that shows a search has of its window."""

    players: list[Player]
    ready: bool = True
    failed: bool = False

    def __post_init__(self) -> None:
        self.searches = Searches(lambda *_: self.players[0], lambda: None, lambda: self.ready)

    @property
    def engines(self) -> Engines:
        return Engines(self.searches, failed=lambda: self.failed)

    def explorer(self, depth: int | None = 6, moves: str = "h8i9g7i7", game: str = "gomoku") -> Explorer:
        record = parse(moves, setup(game))
        choice = Choice(ENGINE, depth)
        return Explorer(Subject.of(record, record.cursor), choice, lambda: None, self.engines)

    def update(self, explorer: Explorer) -> None:
        self.searches.update()
        explorer.update(0.0)


@pytest.fixture
def window() -> Iterator[Window]:
    made = Window([GomokuEngine(memory_mb=16, root_vcf=False)])
    yield made
    made.searches.release()


def finished(window: Window, explorer: Explorer) -> None:
    wait(lambda: not explorer.busy, lambda: window.update(explorer))


def test_a_table_that_cannot_be_walked_ended_the_program(
    window: Window, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The error of the thread was raised again in a frame."""
    monkeypatch.setattr(window.players[0], "table_tree", lambda *_: 1 / 0)
    explorer = window.explorer()
    finished(window, explorer)
    assert explorer.tracing.failed
    assert "ZeroDivisionError" in caplog.text


def test_the_tree_and_the_depths_are_those_of_the_engine(window: Window) -> None:
    explorer = window.explorer(7)
    assert explorer.value(0) is None, "before the search"
    finished(window, explorer)
    info = explorer.info
    assert info is not None
    assert explorer.value(0) == info.score
    assert explorer.depths == info.depths
    line = explorer.line()
    assert explorer.trace.move[line[1]] == info.move
    assert len(explorer.trace) > 240, "more than while the search goes on"
    assert not explorer.by_steps
    texts = explorer.move_texts(line[3]).split()[-3:]
    assert explorer.find(" ".join(texts)) == line[3]


class Scripted(SimpleNamespace):
    """A search whose table has `trees`."""

    def __init__(self) -> None:
        super().__init__(stand_in=False, over=False, busy=True, error=None, info=Info(3), trees=[], read=[], dropped=0)

    def table_tree(self, position: Position, most: int, rest: Callable[[], object]) -> TableTree | None:
        self.read.append(most)
        return self.trees.pop(0)

    def drop(self) -> None:
        self.dropped += 1


class AtOnce:
    """An executor that does its work at once."""

    def __init__(self, _count: int, _name: str) -> None:
        pass

    def submit(self, work: Callable[[int], object], most: int) -> Future[object]:
        future: Future[object] = Future()
        future.set_result(work(most))
        return future

    def shutdown(self, wait: bool, cancel_futures: bool) -> None:
        assert (wait, cancel_futures) == (False, True), "the window does not wait for a walk"


def test_a_tree_is_read_every_two_fifths_of_a_second_and_a_large_one_at_the_end(
    monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, search, woken = Time(), Scripted(), []
    monkeypatch.setattr(kinds, "time", SimpleNamespace(monotonic=clock))
    monkeypatch.setattr(kinds, "ThreadPoolExecutor", AtOnce)
    position = setup("gomoku").start()
    trees = [empty_table_tree(position) for _ in range(4)]
    search.trees = [trees[0], None, trees[1], trees[2], None]
    engines = Engines(SimpleNamespace(ask=lambda *_: search))
    tracing = TableTracing(engines, "engine", position, None, lambda: woken.append(clock()))
    first, seen = tracing.trace, []
    for seconds in (0.0, 0.0, 0.3, 0.2, 0.0, 0.5, 0.0):
        clock.passes(seconds)
        changed = tracing.update()
        seen.append((changed, len(search.read), (first, *trees).index(tracing.trace), tracing.busy, tracing.info))
    assert seen == [(False, 1, 0, True, None), (True, 1, 1, True, None), (False, 1, 1, True, None),
                    (False, 2, 1, True, None), (False, 2, 1, True, None), (False, 3, 1, True, None),
                    (True, 3, 2, True, None)]  # fmt: skip
    search.over, search.busy = True, False
    assert (tracing.busy, tracing.update(), tracing.busy, search.read) == (True, False, True, [240, 240, 240, 1500])
    assert (tracing.update(), tracing.busy, tracing.trace is trees[2], tracing.info) == (True, False, True, Info(3))
    assert (tracing.update(), len(search.read), len(woken)) == (False, 4, 4)
    last = TableTracing(engines, "engine", position, None, lambda: None)
    assert [last.update(), last.busy, last.update(), last.busy] == [False, True, True, False], "over, without a tree"
    closed = TableTracing(engines, "engine", position, None, lambda: None)
    closed.close()
    assert (closed.busy, closed.update(), search.dropped) == (False, False, 1)


def test_a_stand_in_does_not_pass_for_the_engine(window: Window) -> None:
    window.players, window.ready = [StandIn()], False
    explorer = window.explorer()
    wait(lambda: not window.searches.busy, lambda: window.update(explorer))
    assert explorer.tracing.waiting
    assert explorer.busy, "the engine will be ready"
    assert len(explorer.trace) == 1
    assert explorer.value(0) is None
    assert explorer.depths == ()
    window.failed = True
    assert explorer.tracing.failed
    assert not explorer.busy
    assert explorer.info is None


class Late(GomokuEngine):
    """A stand-in answers in its place until it is `loaded`."""

    loaded = False

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        yield from (super() if self.loaded else StandIn()).think(position, limit, stop)


def test_the_engine_searches_once_it_is_ready() -> None:
    engine = Late(memory_mb=1, root_vcf=False)
    window = Window([engine], ready=False)
    explorer = window.explorer()
    wait(lambda: not window.searches.busy, lambda: window.update(explorer))
    engine.loaded = window.ready = True
    finished(window, explorer)
    assert explorer.value(0) is not None
    assert len(explorer.trace) > 100
    window.searches.release()


def test_a_player_that_fails_ends_the_search() -> None:
    window = Window([Faulty()])
    explorer = window.explorer()
    finished(window, explorer)
    assert explorer.tracing.failed
    assert explorer.info is None
    window.searches.release()


def test_the_engine_is_offered_where_it_plays(window: Window) -> None:
    gomoku = window.explorer()
    assert ENGINE in {choice.key for choice in gomoku.choices}
    assert all(choice.depth is not None for choice in gomoku.choices if choice.key not in TIMED), "they would never end"
    record = parse("a1", setup("tictactoe"))
    small = Explorer(Subject.of(record, record.cursor), Choice("minimax"), lambda: None, Engines(window.searches))
    assert ENGINE not in {choice.key for choice in small.choices}
    alone = Explorer(gomoku.subject, Choice("alphabeta", 1), lambda: None)
    assert ENGINE not in {choice.key for choice in alone.choices}
    for each in (gomoku, small, alone):
        each.close()
