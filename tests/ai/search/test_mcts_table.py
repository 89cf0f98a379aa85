"""Nodes that are left behind are freed a few at a time; while a tree is large there are no full collections."""

from __future__ import annotations

import gc
from itertools import pairwise

import pytest

from ai.core.player import Limit, answer
from ai.search.mcts import Mcts, Table
from ai.search.mcts_tree import MctsNode
from ai.search.oracles import StaticOracle
from games.bones import BonesPosition
from games.connect4 import Connect4Position
from games.position import Position


@pytest.fixture(autouse=True)
def no_garbage() -> None:
    """Collect the trees of earlier tests: collected during a test, they would count as freed by it."""
    gc.collect()


def alive() -> int:
    """The nodes in memory, in any tree."""
    gc.unfreeze()  # objects that the load of an engine exempted from collection would not be listed
    return sum(issubclass(type(each), MctsNode) for each in gc.get_objects())


def grown(visits: int) -> tuple[Mcts, Position]:
    player = Mcts(StaticOracle())
    info = answer(player, Connect4Position(), Limit(nodes=visits))
    return player, Connect4Position().play(info.move)


def far() -> Position:
    """A position of another game."""
    position: Position = Connect4Position()
    for move in (0, 1, 0, 1, 6, 5):
        position = position.play(move)
    return position


@pytest.mark.slow
def test_a_tree_that_is_left_is_not_freed_at_once() -> None:
    before = alive()
    player, _ = grown(1000)
    size = player.size
    assert alive() - before == size
    counts = [size]
    for _ in range(4):
        answer(player, far(), Limit(nodes=10))
        counts.append(alive() - before)
    assert max(old - new for old, new in pairwise(counts)) < size // 2, "a stop would wait"
    answer(player, far(), Limit(nodes=200))
    assert alive() - before == player.size, "what was left is freed in the end"


@pytest.mark.slow
def test_there_are_never_more_nodes_than_a_tree_may_have() -> None:
    before = alive()
    player = Mcts(StaticOracle(), nodes=1000)
    for position in (Connect4Position(), far(), Connect4Position(), far()):
        answer(player, position, Limit(nodes=700))
        assert alive() - before <= 1000


@pytest.mark.slow
def test_there_are_no_full_collections_while_a_tree_is_large() -> None:
    usual, table, other = gc.get_threshold(), Table(), Table()
    for number in range(5000):
        table.add(MctsNode(BonesPosition(number + 1), 1))
    assert gc.get_threshold()[:2] == usual[:2]
    assert gc.get_threshold()[2] > 1_000_000
    for number in range(5000):
        other.add(MctsNode(BonesPosition(number + 1), 1))
    table.close()
    table.close()
    assert gc.get_threshold()[2] > 1_000_000, "the other one is large still"
    del other
    assert gc.get_threshold() == usual
