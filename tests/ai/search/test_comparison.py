"""Searches side by side: equal values, their bounds, and what is derived from their rows."""

from __future__ import annotations

from functools import partial

import pytest

from ai.comparisons import compare, share
from ai.player import Player
from ai.players import Context, make
from ai.search.comparison import Bounds, Row, branching, compared, saved
from ai.search.variants import VARIANTS
from games.formats.text import parse
from games.registry import setup

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


def rows_of(game: str, size: int | None, moves: str, bounds: Bounds) -> list[Row]:
    return list(compare(parse(moves, setup(game, size)).position, bounds))


@pytest.mark.parametrize(("game", "size", "moves", "depth"), POSITIONS)
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


def test_a_search_beyond_its_nodes_is_not_finished_and_goes_no_deeper() -> None:
    rows = [row for row in rows_of("connect4", None, "", Bounds(4, 1_000, 60.0)) if row.search == "minimax"]
    assert [row.finished for row in rows] == [True, True, True, False]
    assert rows[-1].nodes == 1_000


def test_a_search_beyond_its_seconds_is_not_finished() -> None:
    *_, last = compared(setup("connect4").start(), _make, Bounds(10, 10**9, 0.05), ["minimax"])
    assert not last.finished
    assert last.depth < 10


def _make(name: str) -> Player:
    return make(name, Context("connect4"))


def test_quick_searches_do_not_wait_for_slow_ones() -> None:
    rows = rows_of("tictactoe", None, "", Bounds(9, 20_000, 60.0))
    order = [(row.search, row.depth) for row in rows]
    assert order.index(("table", 9)) < order.index(("minimax", 5))


def test_branching_is_the_root_of_the_nodes_of_minimax() -> None:
    row = partial(Row, seconds=0.0, score=0, move=0)
    assert branching([], 9) == 9.0
    assert branching([row("minimax", 1, 8), row("minimax", 2, 49), row("table", 3, 9)], 7) == 7.0
    assert branching([row("minimax", 1, 8), row("minimax", 2, 20, finished=False)], 9) == 8.0


def test_what_pruning_saves_is_told_at_the_deepest_common_depth() -> None:
    row = partial(Row, seconds=0.0, score=0, move=0)
    rows = [row("minimax", 2, 80), row("table", 2, 40), row("ordering", 2, 20), row("table", 3, 50)]
    assert saved(rows) == ("ordering", 2, 4.0)
    assert saved([row("minimax", 1, 10), row("table", 1, 10)]) is None


def test_two_threads_and_one_need_the_same_depths() -> None:
    found = list(share(setup("connect4").start(), 2, Bounds(5, 100_000, 60.0)))
    assert [each.depth for each in found] == [2, 3, 4, 5]
    assert all(sum(each.division.nodes) > 0 for each in found)


def test_threads_end_where_one_has_seen_the_whole_game() -> None:
    found = list(share(setup("bones", 6).start(), 2, Bounds(10, 100_000, 60.0)))
    assert found[-1].depth <= 6
    assert found[-1].alone_nodes > 0


