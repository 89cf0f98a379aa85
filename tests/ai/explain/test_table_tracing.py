"""The engine's search in a window: its trees grow, what was folded stays, and a stand-in does not pass for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from ai.core.player import Info, Limit, Player, Stop
from ai.explain.explorer import Explorer
from ai.explain.kinds import Engines
from ai.explain.subject import Choice, Subject
from ai.gomoku.engine import GomokuEngine
from ai.search.alphabeta import AlphaBeta
from ai.search.comparison import ENGINE, TIMED
from ai.service.searches import Searches
from games.formats.text import parse
from games.position import Position
from games.registry import setup
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
    explorer = window.explorer()
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


@pytest.mark.slow
def test_what_was_folded_and_looked_at_stays_when_the_tree_grows(window: Window) -> None:
    explorer = window.explorer(depth=None)
    # A small table may have lost the position after the best move.
    wait(lambda: len(explorer.trace) > 30 and len(explorer.line()) > 1, lambda: window.update(explorer))
    first, before = explorer.trace, explorer.line()[1]
    explorer.fold(explorer.root)
    explorer.look_at(before)
    explorer.fold(before)
    moves, unfolded = explorer.moves(before), explorer.unfolded(before)
    wait(lambda: explorer.trace is not first, lambda: window.update(explorer))
    assert explorer.busy
    assert explorer.moves(explorer.node) == moves
    assert explorer.unfolded(explorer.node) == unfolded
    explorer.close()
    assert not explorer.busy
    shown = explorer.trace
    window.update(explorer)
    assert explorer.trace is shown, "the last tree stays"


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
