"""Connect Four against plain rules that examine every window of four cells."""

from __future__ import annotations

import random
from collections.abc import Iterator

from ai.player import Limit, answer
from ai.search.alphabeta import AlphaBeta
from games.connect4 import HEIGHT, WIDTH, Connect4Position
from games.formats.text import parse
from games.registry import setup

WORTH = {0: 0, 1: 3, 2: 14, 3: 45, 4: 0}


def windows() -> Iterator[tuple[int, ...]]:
    for row in range(HEIGHT):
        for column in range(WIDTH):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                places = [(row + step * down, column + step * right) for step in range(4)]
                if all(0 <= r < HEIGHT and 0 <= c < WIDTH for r, c in places):
                    yield tuple(r * WIDTH + c for r, c in places)


WINDOWS = list(windows())


def rows(cells: bytes) -> tuple[int, ...]:
    won = [window for window in WINDOWS if cells[window[0]] and len({cells[cell] for cell in window}) == 1]
    return tuple(sorted(set().union(*won)))


def worth(cells: bytes, side: int) -> int:
    contents = [[cells[cell] for cell in window] for window in WINDOWS]
    return sum(WORTH[four.count(side + 1)] for four in contents if not four.count(2 - side))


def test_there_are_69_windows() -> None:
    assert len(WINDOWS) == 69


def test_rows_and_evaluation_agree_with_the_plain_rules() -> None:
    dice, lengths = random.Random(4), set()
    for _ in range(150):
        position = Connect4Position()
        while position.outcome is None:
            assert rows(position.cells) == ()
            first = worth(position.cells, 0) - worth(position.cells, 1)
            assert position.evaluate() == (first if position.turn == 0 else -first)
            move = dice.choice(position.legal_moves())
            landing = position.landing(move)
            before, position = position, position.play(move)
            assert landing is not None
            assert [cell for cell, content in enumerate(position.cells) if content != before.cells[cell]] == [landing]
        assert position.outcome.cells == rows(position.cells)
        lengths.add(len(position.outcome.cells))
    assert {4, 5} <= lengths, "longer rows too"


def test_columns_are_a_position_string() -> None:
    record = parse("ababab", setup("connect4"))
    assert [record.position.ply, record.position.landing(0), record.position.landing(6)] == [6, 14, 41]


def test_a_full_board_without_a_row_is_a_draw() -> None:
    position, dice = Connect4Position(), random.Random(0)
    while position.outcome is None or position.outcome.winner is not None:
        position = Connect4Position()
        while position.outcome is None:
            moves = list(position.candidates())
            quiet = [move for move in moves if position.play(move).outcome is None]
            position = position.play(dice.choice(quiet or moves))
    assert (position.outcome.reason, position.ply, position.legal_moves()) == ("full", 42, ())


def test_alphabeta_begins_in_the_centre_and_finds_a_win_in_three() -> None:
    assert answer(AlphaBeta(), Connect4Position(), Limit(depth=7)).move == 3
    won = answer(AlphaBeta(), parse("ddee", setup("connect4")).position, Limit(depth=5))
    assert won.mate == 3
