"""The engine handle: loading, the stand-in meanwhile, and errors."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from ai.core.player import Info, Limit, Player, Stop, answer
from ai.gomoku import handle as engine_handle
from ai.gomoku import tables
from ai.gomoku.engine import RULES
from ai.gomoku.handle import (
    CompiledPlayer,
    EngineConfiguration,
    EngineHandle,
    EngineState,
    Make,
    load_engine,
    load_kernels,
    wait_on_terminal,
)
from ai.system.compiler.compilation import CompilationFailed, Report
from games.position import Position
from games.registry import setup
from tests.games.strategies import Ticking
from tests.waiting import PATIENCE, wait


class Ready(Player):
    """The engine, which proposes the first candidate."""

    nodes = 1

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        yield Info(position.candidates()[0], depth=99)


class Loader:
    """Loads an engine, when it is `allowed` to, after it has reported the shares `told`."""

    def __init__(self, *told: float) -> None:
        self.allowed = threading.Event()
        self.told = told
        self.times = 0

    def __call__(self, report: Report) -> Make:
        self.times += 1
        for share in self.told:
            report(share, False)
        assert self.allowed.wait(PATIENCE)
        return lambda _kind: Ready()


def test_the_states_of_an_engine() -> None:
    load = Loader(0.5)
    handle = EngineHandle(load)
    assert handle.state == EngineState("idle")
    handle.start()
    handle.start()
    wait(lambda: handle.state == EngineState("loading", 0.5))
    assert handle.busy
    assert all(thread.daemon for thread in threading.enumerate() if "loader" in thread.name), "the process may end"
    load.allowed.set()
    assert handle.wait(PATIENCE)
    assert handle.state == EngineState("ready")
    assert load.times == 1


def test_what_cannot_be_loaded_has_failed_for_a_reason() -> None:
    """It is loaded again for a player."""
    times: list[None] = []

    def load(_report: Report) -> Make:
        times.append(None)
        raise CompilationFailed("There is no compiler." if len(times) == 1 else "")

    handle = EngineHandle(load)
    handle.start()
    assert not handle.wait(PATIENCE)
    assert handle.state == EngineState("failed", reason="There is no compiler.")
    assert answer(handle.player(), setup("gomoku").start(), Limit(depth=1)).stand_in
    wait(lambda: handle.state == EngineState("failed", reason="CompilationFailed"))
    assert len(times) == 2


def test_only_what_is_precompiled_is_loaded_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for there in (True, False):
        monkeypatch.setattr(engine_handle, "precompiled", lambda there=there: there)
        handles = EngineHandle(), EngineHandle(load_kernels), EngineHandle(Loader()), EngineHandle(at_once=not there)
        assert [handle.at_once for handle in handles] == [there, there, False, not there]


def test_the_stand_in_answers_until_the_engine_is_ready_and_says_so() -> None:
    load = Loader(0.1)
    handle = EngineHandle(load)
    player, start = handle.player(), setup("gomoku", 9).start()
    handle.start()
    wait(lambda: handle.state.compiled is not None)
    info = answer(player, start, Limit(seconds=0.2))
    assert info.stand_in
    load.allowed.set()
    assert handle.wait(PATIENCE)
    info = answer(player, start, Limit(seconds=PATIENCE))
    assert not info.stand_in
    assert info.depth == 99


def test_a_search_goes_on_with_what_was_compiled_meanwhile() -> None:
    load, engine = Loader(), Noting()
    handle = EngineHandle(load)
    found = []
    for info in CompiledPlayer(handle, lambda: engine).think(setup("connect4").start(), Limit(seconds=999.0), Stop()):
        found.append(info.stand_in)
        load.allowed.set()
        if len(found) == 2:
            assert handle.wait(PATIENCE)
    assert found[0]
    assert not found[-1]
    assert 0 < (engine.asked[0][1].seconds or 0) < 999, "the rest of the time"


def test_searches_wait_for_an_engine_that_is_loaded_in_a_moment() -> None:
    """In the package no stand-in answers, however busy the machine is."""
    start, limit = setup("gomoku").start(), Limit(seconds=0.01)
    for player in (lambda handle: handle.player(), lambda handle: CompiledPlayer(handle, Ready)):
        load = Loader()
        threading.Timer(0.3, load.allowed.set).start()
        info = answer(player(EngineHandle(load, at_once=True)), start, limit)
        assert not info.stand_in
        assert info.depth == 99


def test_an_engine_that_cannot_be_loaded_at_once_is_stood_in_for() -> None:
    def load(_report: Report) -> Make:
        raise MemoryError("no room")

    start, limit = setup("gomoku").start(), Limit(depth=1)
    for player in (lambda handle: handle.player(), lambda handle: CompiledPlayer(handle, Ready)):
        assert answer(player(EngineHandle(load, at_once=True)), start, limit).stand_in


def test_a_player_wakes_a_handle_that_nobody_started() -> None:
    load = Loader()
    load.allowed.set()
    handle = EngineHandle(load)
    assert not answer(handle.player(), setup("gomoku").start(), Limit(seconds=PATIENCE)).stand_in


def test_each_kind_of_game_has_an_engine_of_its_own() -> None:
    made: list[EngineConfiguration] = []

    def make(kind: EngineConfiguration) -> Ready:
        made.append(kind)
        return Ready()

    player = EngineHandle(lambda _report: make).player(threads=2)
    for size, rule in ((15, "renju"), (15, "renju"), (9, "freestyle")):
        answer(player, setup("gomoku", size, rule).start(), Limit(seconds=PATIENCE))
    expected = [(15, "renju"), (9, "freestyle")]
    assert made == [EngineConfiguration(size, rule, {"threads": 2}) for size, rule in expected]


class Noting(Ready):
    """An engine that notes what it is asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[Position, Limit]] = []
        self.closed = 0

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        self.asked.append((position, limit))
        return super().think(position, limit, stop)

    def close(self) -> None:
        self.closed += 1


@pytest.mark.parametrize(("size", "centre"), [(15, 112), (9, 40), (6, 21)])
def test_an_engine_searches_once_before_it_is_used(size: int, centre: int) -> None:
    engine, start = Noting(), setup("gomoku", size).start()
    player = EngineHandle(lambda _report: lambda _kind: engine).player()
    assert player.nodes == 0
    answer(player, start, Limit(depth=3))
    assert engine.asked == [(start.play(centre), Limit(seconds=1.0, depth=1)), (start, Limit(depth=3))]
    assert player.nodes == 1
    player.close()
    player.close()
    assert (engine.closed, player.nodes) == (1, 0)


def test_an_engine_that_is_made_for_nobody_is_dropped() -> None:
    """Because its player was closed, or plays another kind of game by then."""
    handle, engine = EngineHandle(Loader()), Noting()
    closed, other = handle.player(), handle.player()
    closed.close()
    closed.make(lambda _kind: engine)
    assert (closed.nodes, [position for position, _ in engine.asked]) == (0, [setup("gomoku").start().play(112)])

    def late(_kind: EngineConfiguration) -> Noting:
        other.prepare(EngineConfiguration(9, "renju"))
        return engine

    other.make(late)
    assert other.nodes == 0
    other.make(lambda _kind: engine)
    assert other.nodes == 1


@pytest.mark.parametrize(("given", "least", "most"), [(2.0, 0.6, 0.8), (100.0, 77.4, 78.0)])
def test_a_search_waits_for_half_of_its_time_and_not_for_long(
    given: float, least: float, most: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stand-in then has four fifths of the rest: the loader goes on beside it."""
    asked: list[Limit] = []

    def think(_self: object, position: Position, limit: Limit, _stop: Stop) -> Iterator[Info]:
        asked.append(limit)
        yield Info(position.candidates()[0])

    monkeypatch.setattr(engine_handle.AlphaBeta, "think", think)
    monkeypatch.setattr(engine_handle, "time", Ticking(0.1))
    load = Loader()
    handle = EngineHandle(load)
    info = answer(handle.player(), setup("gomoku").start(), Limit(seconds=given))
    assert info.stand_in
    assert asked[0].seconds is not None
    assert least <= asked[0].seconds <= most
    load.allowed.set()
    assert handle.wait(PATIENCE)


# What the gomoku engine does to be loaded.


def loaded() -> EngineHandle:
    handle = EngineHandle(load_engine)
    handle.start()
    handle.wait(2 * PATIENCE)
    return handle


def test_what_goes_wrong_while_it_is_loaded_is_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[tuple[int, int]] = []

    def broken(rule: int, size: int) -> None:
        built.append((rule, size))
        if len(built) == len(RULES):
            raise MemoryError("no room")

    monkeypatch.setattr(tables, "build", broken)
    assert loaded().state == EngineState("failed", reason="no room")
    assert built == [(rule, 15) for rule in RULES.values()]


def test_without_a_window_the_engine_is_loaded_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """A manager's START waited for the tables of all rules, and for files that were read ahead of their import."""
    done: list[object] = []
    monkeypatch.setattr(engine_handle, "find_spec", done.append)
    monkeypatch.setattr(tables, "build", lambda *kind: done.append(kind))
    handle = EngineHandle(load_kernels)
    handle.start()
    assert handle.wait(2 * PATIENCE)
    assert done == []


# On a terminal.


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("kind", [io.StringIO, Terminal])
def test_whoever_waits_on_a_terminal_sees_how_far_it_is(kind: type[io.StringIO], monkeypatch: Any) -> None:
    """`analyse` was silent for 79 s."""
    monkeypatch.setattr(engine_handle, "time", Ticking(1.0))
    load, out = Loader(0.42), kind()
    handle = EngineHandle(load)
    threading.Timer(0.6, load.allowed.set).start()
    assert wait_on_terminal(handle, out).name == "ready"
    told = out.getvalue()
    assert "Compiling the gomoku engine, once on this machine: 42%" in told
    assert ("\r" in told) == out.isatty()
    assert told.count("\n") == (0 if out.isatty() else 1)


def test_what_takes_no_compilation_is_loaded_without_a_word() -> None:
    load, out = Loader(), io.StringIO()
    load.allowed.set()
    assert wait_on_terminal(EngineHandle(load), out).name == "ready"
    assert out.getvalue() == ""


class Compiling:
    """A handle that compiles: each time one waits for it, it has come to the next share."""

    def __init__(self, *shares: float | None) -> None:
        self._left, self.state = list(shares), EngineState("loading")

    def start(self) -> None:
        self.state = EngineState("loading")

    @property
    def busy(self) -> bool:
        return bool(self._left)

    def wait(self, _seconds: float) -> None:
        self.state = EngineState("loading", self._left.pop(0))


SHARES = (None, 0.04, 0.09, 0.1, 0.19, 0.42, 1.0)


@pytest.mark.parametrize(("step", "told"), [(1.0, [4, 10, 42, 100]), (0.4, [10, 42, 100])])
def test_a_file_gets_a_line_for_each_tenth(step: float, told: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """After a second."""
    monkeypatch.setattr(engine_handle, "time", Ticking(step))
    out = io.StringIO()
    wait_on_terminal(Compiling(*SHARES), out)  # type: ignore[arg-type]
    assert [int(line.rpartition(" ")[2].rstrip("%")) for line in out.getvalue().splitlines()] == told


def test_a_terminal_has_one_line_which_is_wiped_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_handle, "time", Ticking(1.0))
    out = Terminal()
    wait_on_terminal(Compiling(*SHARES), out)  # type: ignore[arg-type]
    text = "\rCompiling the gomoku engine, once on this machine: "
    shares = "".join(f"{text}{share:.0%} " for share in SHARES if share is not None)
    assert out.getvalue() == f"{shares}\r{70 * ' '}\r"
    quiet = Terminal()
    wait_on_terminal(Compiling(None, None), quiet)  # type: ignore[arg-type]
    assert quiet.getvalue() == ""
