"""Lazy SMP by simulated workers: the value of alpha-beta, and who has searched what."""

from __future__ import annotations

import pytest

from ai.core.player import Limit, Stop, answer
from ai.players.table import Context, make
from ai.search.alphabeta import AlphaBeta, Parts
from ai.search.parallel import Parallel, Way, division
from ai.search.shared_tree import SharedTree
from ai.search.splitting import LAZY
from ai.search.trace import End
from games.formats.text import parse
from games.registry import setup
from tests.sampling import sampled

POSITIONS = [
    ("tictactoe", None, "", None),
    ("tictactoe", None, "a3b2", None),
    ("tictactoe", None, "", 5),
    ("tictactoe", None, "a3", 6),
    ("connect4", None, "ddedc", 5),
    ("gomoku", 15, "h8i9g7i7", 3),
    ("gomoku", 7, "d4c3e5", 4),
    ("bones", 14, "", None),
]


@pytest.mark.parametrize(("game", "size", "moves", "depth"), sampled(POSITIONS, 3))
@pytest.mark.parametrize("workers", [2, 8])
def test_a_finished_search_has_the_value_of_alpha_beta(
    game: str, size: int | None, moves: str, depth: int | None, workers: int
) -> None:
    position = parse(moves, setup(game, size)).position
    expected = list(AlphaBeta(Parts(extension=False)).think(position, Limit(depth=depth), Stop()))
    values = {info.depth: info.score for info in expected}
    player = make(f"parallel:workers={workers},split=lazy", Context(game))
    for found in player.think(position, Limit(depth=depth), Stop()):
        assert found.score == values.get(found.depth, expected[-1].score), found.depth
    assert found.score == expected[-1].score
    follow = position
    for move in found.pv:
        follow = follow.play(move)


def test_several_lines_are_those_of_alpha_beta() -> None:
    position, limit = setup("connect4").start(), Limit(depth=4, lines=3)
    players = AlphaBeta(Parts(extension=False)), Parallel(Way(2, LAZY))
    alone, together = (answer(player, position, limit).lines for player in players)
    assert [line.score for line in together] == [line.score for line in alone]


def test_all_workers_end_at_the_bounds() -> None:
    player = Parallel(Way(4, LAZY))
    info = answer(player, setup("gomoku").start().play(112), Limit(nodes=3_000))
    assert info.nodes == player.nodes
    assert 2_900 < player.nodes <= 3_000 + 4 * 4  # each worker may be within a node
    stop = Stop()
    for info in player.think(setup("connect4").start(), Limit(), stop):
        if info.depth == 3:
            stop.set()
    assert info.depth == 3


def tree_of(workers: int, depth: int = 5) -> SharedTree:
    player = Parallel(Way(workers, LAZY))
    player.trace = SharedTree()
    answer(player, setup("connect4").start(), Limit(depth=depth))
    assert isinstance(player.trace, SharedTree)
    assert len(player.trace) == player.nodes
    return player.trace


def test_all_search_the_same_at_the_same_time_and_only_the_first_to_the_end() -> None:
    tree = tree_of(3)
    *_, last = tree.roots()
    visited = {worker: {tree.moves_to(node) for node in range(last, len(tree)) if tree.worker[node] == worker}
               for worker in (1, 2, 3)}  # fmt: skip
    assert all(visited.values())
    stretches = [each for each in tree.stretches if each.node > last]
    assert len({each.began for each in stretches[:3]}) == 1
    assert [each.worker for each in stretches if not each.dropped and each.ended == tree.span] == [1]
    assert tree.count_marked(2) == 0, "nothing is compared with one worker"


def test_the_same_search_takes_the_same_course() -> None:
    first, second = tree_of(2), tree_of(2)
    assert (first.move, first.worker, first.time) == (second.move, second.worker, second.time)


def test_a_division_counts_positions_by_who_has_tried_their_moves() -> None:
    position, workers = setup("connect4").start(), 3
    tree = tree_of(workers)
    by: dict[object, set[int]] = {}
    for root, after in zip(tree.roots(), (*tree.roots()[1:], len(tree)), strict=True):
        for node in range(root + 1, after):
            reached = position
            for move in tree.moves_to(node):
                reached = reached.play(move)
            if tree.end[node] in (End.CUT, End.ALL, End.STOPPED):
                by.setdefault((root, reached.key, tree.rest[node]), set()).add(tree.worker[node])
    found = division(tree, position, workers)
    assert found.positions == len(by)
    assert found.shared == sum(len(each) > 1 for each in by.values())
    assert found.alone == tuple(sum(each == {worker} for each in by.values()) for worker in (1, 2, 3))
    assert sum(found.nodes) == len(tree)
    assert sum(found.answered) == tree.end.count(End.TABLE)


def test_helpers_do_not_do_all_over_again() -> None:
    found = division(tree_of(2), setup("connect4").start(), 2)
    assert all(found.alone)
    assert found.shared < found.positions / 2
    assert sum(found.answered) > 0
