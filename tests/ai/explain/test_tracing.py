"""A search in a process of its own is written down as one in this process."""

import time

import pytest

from ai.core.player import Limit, answer
from ai.explain import tracing as tracing_module
from ai.explain.tracing import AT_ONCE, Tracing
from ai.players.table import Context, make
from ai.search.comparison import variant
from ai.search.number_tree import NumberTree
from ai.search.trace import Trace, Traceable
from games.registry import setup
from tests.sampling import sampled


def finished(tracing: Tracing) -> Tracing:
    until = time.monotonic() + 120
    while tracing.info is None and not tracing.failed and time.monotonic() < until:
        tracing.update()
        time.sleep(0.01)
    return tracing


SEARCHES = [("alphabeta", None), ("minimax", 5), ("deepening", None), ("minimax", 2)]


@pytest.mark.parametrize(("key", "depth"), sampled(SEARCHES, 1))
def test_the_trace_is_that_of_the_player(key: str, depth: int | None) -> None:
    position, woken = setup("tictactoe").start(), []
    tracing = finished(Tracing(variant(key), position, depth, lambda: woken.append(1)))
    player = make(variant(key), Context("tictactoe"))
    assert isinstance(player, Traceable)
    player.trace = Trace()
    info = answer(player, position, Limit(depth=depth))
    assert {name: getattr(tracing.trace, name) for name, _ in Trace.ARRAYS} == {
        name: getattr(player.trace, name) for name, _ in Trace.ARRAYS
    }
    assert tracing.info is not None
    assert (tracing.info.score, tracing.info.nodes) == (info.score, info.nodes)
    assert bool(woken) == (info.nodes > AT_ONCE)
    tracing.close()


def test_a_closed_search_keeps_what_has_come() -> None:
    tracing = Tracing(variant("minimax"), setup("tictactoe").start(), None, lambda: None)
    while len(tracing.trace) <= AT_ONCE:
        tracing.update()
        time.sleep(0.01)
    tracing.close()
    assert not tracing.busy
    assert tracing.info is None
    assert not tracing.trace.size[0]


@pytest.mark.parametrize(("leaves", "process"), [(398, False), (399, True)])
def test_a_search_of_400_nodes_has_a_process(leaves: int, process: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[object] = []
    monkeypatch.setattr(tracing_module, "Child", lambda *given: started.append(given[1]))
    found = Tracing("minimax", NumberTree(tuple(range(leaves))), 1, lambda: None)
    assert ([bool(started), found.info is None], len(found.trace)) == ([process, process], min(leaves + 1, 400))


def test_a_player_without_a_trace_is_refused() -> None:
    with pytest.raises(ValueError, match="does not write the tree"):
        Tracing("random", setup("tictactoe").start(), None, lambda: None)
