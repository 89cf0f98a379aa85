"""A search in a process of its own is written down as one in this process."""

import time
from collections import deque
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from ai.core.player import Limit, answer
from ai.explain import tracing as tracing_module
from ai.explain.tracing import AT_ONCE, Tracing
from ai.players.table import Context, make
from ai.search.comparison import variant
from ai.search.number_tree import NumberTree
from ai.search.trace import Trace, Traceable
from games.registry import setup
from tests.games.strategies import Ticking


def finished(tracing: Tracing) -> Tracing:
    until = time.monotonic() + 120
    while tracing.info is None and not tracing.failed and time.monotonic() < until:
        tracing.update()
        time.sleep(0.01)
    return tracing


class Done:
    """A process that has done its work at once. `sent` has what it has sent."""

    def __init__(self, work: Callable[..., None], arguments: tuple[Any, ...], _wake: object) -> None:
        self.received: deque[Any] = deque()
        work(SimpleNamespace(send=self.received.append), *arguments)
        self.sent = list(self.received)
        self.received.append(None)
        self.closed = 0
        started.append(self)

    def close(self) -> None:
        self.closed += 1


started: list[Done] = []


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    started.clear()
    monkeypatch.setattr(tracing_module, "Child", Done)
    monkeypatch.setattr(tracing_module, "time", Ticking(0.01))


def columns(trace: Trace) -> dict[str, Any]:
    return {name: getattr(trace, name) for name, _ in Trace.ARRAYS} | {"error": trace.error}


SEARCHES = [("alphabeta", 5), ("deepening", 5), ("expect", 3), ("quiescence", 4)]


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(("key", "depth"), SEARCHES)
def test_the_trace_is_that_of_the_player(key: str, depth: int) -> None:
    position = setup("tictactoe").start()
    tracing = Tracing(variant(key), position, depth, lambda: None)
    early = (tracing.busy, tracing.info, len(tracing.trace))
    assert (tracing.update(), tracing.busy, tracing.failed, tracing.update()) == (True, False, False, False)
    player = make(variant(key), Context("tictactoe"))
    assert isinstance(player, Traceable)
    player.trace = Trace()
    info = answer(player, position, Limit(depth=depth))
    assert columns(tracing.trace) == columns(player.trace)
    assert tracing.info is not None
    assert (tracing.info.score, tracing.info.nodes) == (info.score, info.nodes)
    assert (early, [each.closed for each in started]) == ((True, None, AT_ONCE), [1])


@pytest.mark.usefixtures("at_once")
def test_a_piece_is_sent_every_forty_milliseconds_at_most_and_what_has_come_stays() -> None:
    """Each 1024 nodes, which take 10 milliseconds here, it is seen whether one is due."""
    tracing = Tracing(variant("minimax"), setup("tictactoe").start(), 5, lambda: None)
    *pieces, info = started[0].sent
    assert [len(piece.arrays["parent"]) // 4 for piece in pieces] == [1024, *4 * [4096], 1322]
    assert [len(piece.earlier) for piece in pieces] == [0, *5 * [6]]
    for received, nodes, ended in ((pieces[:1], 1024, False), (pieces[1:], 18730, True)):
        started[0].received = deque(received)
        assert (tracing.update(), tracing.busy, tracing.info) == (True, True, None)
        assert (len(tracing.trace), tracing.trace.size[0] > 0) == (nodes, ended)
    tracing.close()
    assert (info.nodes, len(tracing.trace), tracing.busy, tracing.update()) == (18730, 18730, False, False)


def test_a_process_that_ends_without_a_result_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = SimpleNamespace(received=deque([None]), close=lambda: None)
    monkeypatch.setattr(tracing_module, "Child", lambda *_: ended)
    tracing = Tracing(variant("minimax"), setup("tictactoe").start(), 5, lambda: None)
    assert (tracing.update(), tracing.failed, tracing.busy, tracing.info) == (True, True, False, None)


@pytest.mark.slow
def test_a_process_of_its_own_finds_the_same() -> None:
    woken: list[int] = []
    tracing = finished(Tracing(variant("minimax"), setup("tictactoe").start(), 5, lambda: woken.append(1)))
    assert tracing.info is not None
    assert (tracing.info.nodes, len(tracing.trace), bool(woken)) == (18730, 18730, True)
    tracing.close()


@pytest.mark.parametrize(("leaves", "process"), [(398, False), (399, True)])
def test_a_search_of_400_nodes_has_a_process(leaves: int, process: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[object] = []
    monkeypatch.setattr(tracing_module, "Child", lambda *given: started.append(given[1]))
    found = Tracing("minimax", NumberTree(tuple(range(leaves))), 1, lambda: None)
    assert ([bool(started), found.info is None], len(found.trace)) == ([process, process], min(leaves + 1, 400))


def test_a_player_without_a_trace_is_refused() -> None:
    with pytest.raises(ValueError, match="does not write the tree"):
        Tracing("random", setup("tictactoe").start(), None, lambda: None)
