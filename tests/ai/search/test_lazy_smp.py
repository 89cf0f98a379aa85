"""Several threads on one tree: the value of alpha-beta, and who has searched what."""

from __future__ import annotations

import threading

import pytest

from ai.core.player import Limit, Stop, answer
from ai.players.table import Context, make
from ai.search.alphabeta import AlphaBeta, Parts
from ai.search.parallel import LazySmp, Work, division, owners, twice
from ai.search.trace import ROOT, End, Trace
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
    players = AlphaBeta(Parts(extension=False)), LazySmp(2)
    alone, together = (answer(player, position, limit).lines for player in players)
    assert [line.score for line in together] == [line.score for line in alone]


def test_the_threads_end_with_the_search() -> None:
    player, before = LazySmp(4), threading.active_count()
    info = answer(player, setup("gomoku").start().play(112), Limit(nodes=3_000))
    assert info.nodes > 0
    assert player.nodes <= 3_000 + 4 * 4  # each thread may be within a node
    assert threading.active_count() == before


def test_stop_ends_all_threads() -> None:
    player, stop = LazySmp(2), Stop()
    for info in player.think(setup("connect4").start(), Limit(), stop):
        if info.depth == 3:
            stop.set()
    assert info.depth < 10


def watched(workers: int = 2) -> LazySmp:
    player = LazySmp(workers)
    player.watched = True
    answer(player, setup("connect4").start(), Limit(depth=5))
    return player


def test_each_thread_has_a_trace_and_each_node_of_it_a_position() -> None:
    player = watched(3)
    assert len(player.work) == 3
    assert all(len(work.trace) == len(work.positions) > 0 for work in player.work)
    assert sum(len(work.trace) for work in player.work) == player.nodes


def test_the_positions_are_those_of_the_trace() -> None:
    root = setup("connect4").start()
    for work in watched().work:
        for node in range(0, len(work.trace), 37):
            position = root
            for move in work.trace.moves_to(node):
                position = position.play(move)
            assert work.positions[node][0] == position.key


def _work(*searched: tuple[str, int, End]) -> Work:
    work = Work(Trace(), [(key, depth) for key, depth, _ in searched])
    for *_, end in searched:
        work.trace.enter(ROOT, 0, -1, 1)
        work.trace.leave(0, end)
    return work


def test_owners_and_what_was_searched_twice() -> None:
    first = _work(("a", 2, End.ALL), ("b", 1, End.CUT), ("c", 1, End.ALL), ("c", 1, End.ALL), ("d", 0, End.HORIZON))
    second = _work(("a", 2, End.ALL), ("a", 1, End.ALL), ("b", 1, End.TABLE), ("d", 0, End.HORIZON))
    assert owners([first, second]) == {
        ("a", 2): {0, 1}, ("b", 1): {0}, ("c", 1): {0}, ("a", 1): {1},
    }  # fmt: skip
    assert twice([first, second]) == {("a", 2), ("c", 1)}
    found = division([first, second])
    assert (found.alone, found.shared, found.positions) == ((2, 1), 1, 4)
    assert (found.nodes, found.answered) == ((5, 4), (0, 1))


def test_helpers_do_not_do_all_over_again() -> None:
    found = division(watched().work)
    assert all(found.alone)
    assert found.shared < found.positions / 2
    assert sum(found.answered) > 0
