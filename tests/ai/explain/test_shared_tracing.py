"""Searches by simulated workers that a window shows: at once, or from a process."""

from __future__ import annotations

import pytest

from ai.explain import kinds
from ai.explain.kinds import SharedTracing
from ai.search.comparison import shared_player
from ai.search.shared_tree import EXTRA
from ai.search.trace import End
from games.registry import setup
from tests.ai.explain.at_once import AtOnce, Dead


def tracing(depth: int, workers: int = 4) -> SharedTracing:
    names = (shared_player("brothers", count) for count in (workers, 1))
    return SharedTracing(*names, setup("connect4").start(), depth, lambda: None)


def test_a_small_search_is_there_at_once() -> None:
    found = tracing(3)
    assert [found.busy, found.failed, found.waiting, found.update()] == [False] * 4
    assert found.info is not None
    assert found.trace.end[0] == End.ALL
    assert found.trace.alone is not None
    assert len(found.trace) - found.trace.count_marked(EXTRA) <= found.trace.alone


def test_the_tree_of_a_large_one_replaces_its_first_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinds, "Stream", AtOnce)
    found = tracing(5)
    assert (found.busy, found.info, len(found.trace), found.trace.alone) == (True, None, 396, None)
    assert (found.update(), found.busy, found.failed, found.update()) == (True, False, False, False)
    assert found.info is not None
    tree = found.trace
    assert (found.info.depth, tree.workers, len(tree), tree.count_marked(EXTRA), tree.alone) == (5, 4, 1319, 662, 1086)


def test_a_process_that_dies_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinds, "Stream", Dead)
    found = tracing(5)
    assert (found.update(), found.failed, found.info) == (True, True, None)


def test_a_search_that_is_closed_is_not_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinds, "Stream", AtOnce)
    for depth in (3, 5):
        found = tracing(depth)
        found.close()
        assert (found.busy, found.update()) == (False, False)
