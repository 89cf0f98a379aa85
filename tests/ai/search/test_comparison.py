"""Searches side by side: equal values, their bounds, and what is derived from their rows."""

from __future__ import annotations

from functools import partial
from itertools import product

import pytest

from ai.core.player import Limit, Player, answer
from ai.core.score import WIN
from ai.explain.subject import compare, share
from ai.players.table import Context, make
from ai.search.comparison import (
    ENGINE,
    FURTHER,
    MCTS,
    SAMPLED,
    SHARED,
    VARIANTS,
    Bounds,
    SearchRow,
    compare_searches,
    effective_branching,
    fewest_nodes,
    full_tree,
    minimal_tree,
    prunes,
    sampled_player,
    shared_player,
    variant,
)
from ai.search.number_tree import Branches, NumberTree
from games.formats.text import parse
from games.registry import setup
from tests.sampling import sampled

POSITIONS = [
    ("tictactoe", None, "", 5),
    ("tictactoe", None, "a3b2c3", 6),
    ("connect4", None, "", 4),
    ("connect4", None, "ddedc", 4),
    ("gomoku", 5, "c3b2", 3),
    ("gomoku", 15, "h8i9g7i7", 2),
    ("bones", 21, "", 6),
    ("bones", 9, "2", 9),
]


def rows_of(game: str, size: int | None, moves: str, bounds: Bounds) -> list[SearchRow]:
    return list(compare(parse(moves, setup(game, size)).position, bounds))


@pytest.mark.parametrize(("game", "size", "moves", "depth"), sampled(POSITIONS, 3))
def test_all_searches_find_the_same_value_at_the_same_depth(game: str, size: int, moves: str, depth: int) -> None:
    rows = rows_of(game, size, moves, Bounds(depth, 100_000, 60.0))
    assert all(row.finished for row in rows)
    for at in range(1, depth + 1):
        values = {row.search: row.score for row in rows if row.depth == at}
        assert len(set(values.values())) <= 1, (at, values)
    assert {row.search for row in rows if row.depth == 1} == set(VARIANTS)


@pytest.mark.parametrize(("game", "moves", "depth"), [("bones", "", 3), ("tictactoe", "a3b2c3b3", 5)])
def test_all_searches_end_at_the_depth_that_proves_the_result(game: str, moves: str, depth: int) -> None:
    rows = rows_of(game, 5 if game == "bones" else None, moves, Bounds(10, 100_000, 60.0))
    assert {row.search for row in rows if row.proven} == set(VARIANTS)
    assert {row.depth for row in rows if row.proven} == {depth} == {max(row.depth for row in rows)}


def test_counts_of_deepening_were_those_of_all_depths_and_nothing_told_it() -> None:
    rows = {row.depth: row for row in rows_of("connect4", None, "", Bounds(4)) if row.search == "deepening"}
    for depth in range(2, 5):
        assert rows[depth].before == rows[depth - 1].nodes, "searches of the same position begin in the same way"
        assert 0 < rows[depth].last < rows[depth].nodes
    assert {row.before for row in rows_of("tictactoe", None, "a3b2", Bounds(3)) if row.search != "deepening"} == {0}


def test_what_minimax_had_found_by_some_of_the_moves_passed_for_an_earlier_iteration() -> None:
    """It tells the best line after each move at the root, and the first lines were shorter."""
    rows = rows_of("tictactoe", None, "b1c1b2", Bounds(5))
    assert {row.before for row in rows if row.search == "minimax"} == {0}
    assert all(row.before for row in rows if row.search == "deepening" and row.depth > 1)


def test_a_search_beyond_its_nodes_is_not_finished_and_goes_no_deeper() -> None:
    rows = [row for row in rows_of("connect4", None, "", Bounds(4, 1_000, 60.0)) if row.search == "minimax"]
    assert [row.finished for row in rows] == [True, True, True, False]
    assert rows[-1].nodes == 1_000


def test_a_search_beyond_its_seconds_is_not_finished() -> None:
    *_, last = compare_searches(setup("connect4").start(), _make, Bounds(10, 10**9, 0.05), ["minimax"])
    assert not last.finished
    assert last.depth < 10


def _make(name: str) -> Player:
    return make(name, Context("connect4"))


@pytest.mark.slow
def test_quick_searches_do_not_wait_for_slow_ones() -> None:
    rows = rows_of("tictactoe", None, "", Bounds(9, 20_000, 60.0))
    order = [(row.search, row.depth) for row in rows]
    assert order.index(("table", 9)) < order.index(("minimax", 5))


def test_names_of_the_players_of_searches() -> None:
    assert [variant(key, False) for key in ("minimax", "ordering", "expect")] == [
        "minimax:distance=0",
        "alphabeta:table=0,deepening=0,extension=0,selection=0,distance=0",
        "minimax:expect=0.2,distance=0",
    ]
    assert (variant("minimax"), sampled_player("sampled")) == ("minimax", "mcts:c=0.7")
    assert sampled_player("playouts", 1.4) == "mcts:playouts=1,c=2.8"
    parts = "ordering=1,table=0,deepening=0,selection=0"
    assert shared_player("brothers", 2) == f"parallel:workers=2,split=ybw,simulated=1,{parts},distance=1"
    assert shared_player("root_splitting", 4, False) == f"parallel:workers=4,split=root,simulated=1,{parts},distance=0"
    keys = (*VARIANTS, *FURTHER, *SHARED, *SAMPLED, MCTS, ENGINE)
    assert [key for key in keys if prunes(key)] == [*list(VARIANTS)[1:], "pvs", "quiescence", *SHARED]


def test_the_search_with_the_fewest_nodes_goes_next() -> None:
    rows = rows_of("connect4", None, "", Bounds(2))
    assert [(row.search, row.depth, row.nodes) for row in rows] == [
        *((key, 1, 8) for key in VARIANTS), ("minimax", 2, 57), ("alphabeta", 2, 42), ("ordering", 2, 26),
        ("table", 2, 26), ("deepening", 2, 34),
    ]  # fmt: skip
    assert all(row.finished and not row.proven for row in rows)


_row = partial(SearchRow, seconds=0.0, score=0, move=0)


def test_b_is_the_effective_branching_factor() -> None:
    """It was nodes^(1/d): 7.2 where each position has seven moves."""
    for moves, depth in product((1, 2, 3, 7, 10), (1, 2, 3, 6)):
        nodes = sum(moves**ply for ply in range(depth + 1))
        assert effective_branching([_row("minimax", depth, nodes)], 9) == pytest.approx(moves)
    assert effective_branching([], 9) == 9.0
    rows = [_row("minimax", 1, 8), _row("minimax", 2, 57), _row("table", 3, 9)]
    assert effective_branching(rows, 9) == pytest.approx(7)
    assert effective_branching([_row("minimax", 1, 8), _row("minimax", 2, 20, finished=False)], 9) == pytest.approx(7)
    assert effective_branching(rows_of("connect4", None, "", Bounds(4)), 0) == pytest.approx(7)


def best_first(moves: int, depth: int) -> NumberTree:
    """A tree in which the best move always comes first."""

    def grown(plies: int, turn: int, value: int) -> Branches:
        if not plies:
            return value
        worse = value + (1 if turn else -1)
        return tuple(grown(plies - 1, 1 - turn, worse if move else value) for move in range(moves))

    return NumberTree(grown(depth, 0, 0))


@pytest.mark.parametrize(("moves", "depth"), [(3, 3), (2, 5), (4, 4), (10, 4)])
def test_alpha_beta_visits_the_minimal_tree_if_the_best_move_comes_first(moves: int, depth: int) -> None:
    player = _make(VARIANTS["alphabeta"])
    answer(player, best_first(moves, depth), Limit(depth=depth))
    assert player.nodes == minimal_tree(moves, depth)
    plain = make(VARIANTS["minimax"], Context("connect4"))
    answer(plain, best_first(moves, depth), Limit(depth=depth))
    assert plain.nodes == full_tree(moves, depth)


def test_what_pruning_saves_is_told_at_the_deepest_common_depth() -> None:
    rows = [_row("minimax", 2, 80), _row("table", 2, 40), _row("ordering", 2, 20), _row("table", 3, 50)]
    assert fewest_nodes(rows) == ("ordering", 2, 4.0)
    assert fewest_nodes([_row("minimax", 1, 10), _row("table", 1, 10)]) is None
    rows += [_row("minimax", 3, 300), _row("ordering", 3, 25, finished=False)]
    assert fewest_nodes(rows) == ("table", 3, 6.0)
    assert fewest_nodes([_row("minimax", 4, 900), *rows[:3]]) == ("ordering", 2, 4.0), "the deepest that both finished"


SHARED_OUT = [
    ("connect4", None, Bounds(3, 10_000, 60.0), [(2, 30, 34, -9), (3, 120, 137, 32)]),
    ("connect4", None, Bounds(6, 300, 60.0), [(2, 30, 34, -9), (3, 120, 137, 32)]),
    ("bones", 7, Bounds(10, 10_000, 60.0), [(2, 12, 13, 0), (3, 28, 38, WIN - 3)]),
]


@pytest.mark.parametrize(("game", "size", "bounds", "rows"), SHARED_OUT)
def test_two_threads_and_one_are_compared_to_the_depth_that_both_reach_or_that_sees_the_whole_game(
    game: str, size: int | None, bounds: Bounds, rows: list[tuple[int, int, int, int]]
) -> None:
    found = list(share(setup(game, size).start(), 2, bounds))
    assert [(each.depth, each.span, each.alone, each.score) for each in found] == rows
    assert all(len(each.division.nodes) == 2 and all(each.division.nodes) for each in found)
