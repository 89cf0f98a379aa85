"""Principal variation search: the values of minimax, and what it searches again."""

from pathlib import Path

import pytest

from ai.core.player import Limit, answer
from ai.players.table import Context, make
from ai.search.comparison import variant
from ai.search.minimax import minimax
from ai.search.number_tree import NumberTree, random_tree
from ai.search.trace import INFINITY, End, Trace, Traceable
from games.formats.text import parse
from games.position import Position
from games.registry import setup

WHOLE = "extension=0,selection=0"
NAMES = (f"alphabeta:pvs=1,ordering=0,table=0,deepening=0,{WHOLE}", f"alphabeta:pvs=1,{WHOLE}", variant("pvs"))

POSITIONS = [
    ("tictactoe", "b2 a1", 4), ("tictactoe", "a3 b3", 9), ("connect4", "d d c", 3), ("connect4", "d c d c e", 4),
    ("bones", "", 8), ("gomoku", "h8 i9 g7 i7", 1),
]  # fmt: skip


def searched(name: str, position: Position, depth: int) -> tuple[int, int, Trace]:
    """The score, the nodes and the trace."""
    player = make(name, Context(position.game))
    assert isinstance(player, Traceable)
    player.trace = Trace()
    info = answer(player, position, Limit(depth=depth))
    return info.score, player.nodes, player.trace


@pytest.mark.parametrize("seed", range(60))
def test_the_value_of_random_trees_is_that_of_minimax(seed: int) -> None:
    position = random_tree(2 + seed % 4, 1 + seed % 4, seed)
    value = minimax(position, position.depth).score
    for name in (*NAMES, variant("alphabeta")):
        assert searched(name, position, position.depth)[0] == value, name


@pytest.mark.parametrize(("game", "moves", "depth"), POSITIONS)
def test_the_value_of_positions_is_that_of_minimax(game: str, moves: str, depth: int) -> None:
    position = parse(moves, setup(game)).position
    value = minimax(position, depth).score
    for name in (*NAMES, variant("ordering")):
        assert searched(name, position, depth)[0] == value, name


def plain(position: Position, depth: int, alpha: int, beta: int, rows: list[tuple[int, int]]) -> int:
    """As textbooks write it; `rows` has the window of each node."""
    rows.append((alpha, beta))
    if not depth:
        return position.evaluate()
    best = -INFINITY
    for number, move in enumerate(position.legal_moves()):
        after = position.play(move)
        if number == 0 or alpha + 1 == beta:
            value = -plain(after, depth - 1, -beta, -alpha, rows)
        else:
            value = -plain(after, depth - 1, -alpha - 1, -alpha, rows)
            if alpha < value < beta and depth > 1:
                value = -plain(after, depth - 1, -beta, -alpha, rows)
        best, alpha = max(best, value), max(alpha, value)
        if alpha >= beta:
            break
    return best


@pytest.mark.parametrize("seed", range(40))
def test_the_windows_are_those_of_textbooks(seed: int) -> None:
    position = random_tree(2 + seed % 4, 1 + seed % 4, seed)
    rows: list[tuple[int, int]] = []
    value = plain(position, position.depth, -INFINITY, INFINITY, rows)
    score, nodes, trace = searched(NAMES[0], position, position.depth)
    assert (score, nodes, list(zip(trace.alpha, trace.beta, strict=True))) == (value, len(rows), rows)


def test_a_move_that_beats_its_null_window_is_searched_again() -> None:
    """By hand: b is better than a, and so is c than b."""
    trace = searched(NAMES[0], NumberTree(((1, 2), (3, 4), (9, 8))), 2)[2]
    row = trace.children(0)
    assert [trace.move[node] for node in row] == [0, 1, 1, 2, 2]
    assert [trace.is_re_search(node) for node in row] == [False, False, True, False, True]
    assert [trace.re_search(node) for node in row] == [None, row[2], None, row[4], None]
    assert trace.distinct_children(0) == [row[0], row[2], row[4]]
    assert [trace.bound(node) for node in row] == 5 * ["exact"], "all leaves were tried, in the null window, too"
    assert trace.extra_columns()["again"] == [int(trace.is_re_search(node)) for node in range(len(trace))]
    assert End(trace.end[0]) is End.ALL


@pytest.mark.slow
def test_null_windows_save_nodes_in_good_order() -> None:
    """A row of ai/lab/PLAYERS.md."""
    position = setup("tictactoe").start()
    parts = ("", "pvs=1,", "quiescence=1,", "pvs=1,quiescence=1,")
    counts = [searched(f"alphabeta:{each}{WHOLE}", position, 9)[1] for each in parts]
    assert counts[1] < counts[0]
    row = " | ".join(f"{count:,}" for count in counts)
    assert f"| tictactoe | empty | 9 | {row} |" in Path("ai/lab/PLAYERS.md").read_text(encoding="utf-8")


def test_a_tree_of_numbers_has_no_loud_moves() -> None:
    position = random_tree(3, 3, 1)
    assert searched(variant("quiescence"), position, 3)[1] == searched(variant("ordering"), position, 3)[1]
