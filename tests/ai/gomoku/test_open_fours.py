"""Which moves may stop an open four: all others lose at once, by the patterns alone."""

from __future__ import annotations

import random

import pytest

from ai.gomoku.engine import RULES
from ai.gomoku.engine_board import Board
from ai.gomoku.kernels import patterns as p
from ai.gomoku.kernels.board import find_cell, kind_of, make, undo
from ai.gomoku.kernels.layout import NO_SCORE, WIN
from ai.gomoku.kernels.movegen import stops
from ai.gomoku.kernels.quiescence import danger, exact_score
from ai.gomoku.tables import build
from games.formats.text import parse
from games.line import LinePosition
from games.registry import setup

SIZE = 11


def dense(dice: random.Random, rule: str) -> LinePosition | None:
    """Stones near the centre, of both sides by turns; None if that ends the game."""
    position = parse("", setup("gomoku", SIZE, rule)).position
    assert isinstance(position, LinePosition)
    for _ in range(dice.randint(9, 22)):
        move = dice.choice(position.candidates()) if dice.random() < 0.7 else dice.choice(position.legal_moves())
        position = position.play(move)
        if position.outcome is not None:
            return None
    return position


@pytest.mark.parametrize("rule", RULES)
def test_a_move_that_does_not_stop_an_open_four_loses(rule: str) -> None:
    """It is no four, and the other side can still make the open four; most moves are of this kind."""
    dice = random.Random(f"open four {rule}")
    board = Board(build(RULES[rule], SIZE), 1023)
    st, tables, losing, tried, seen = board.state, board.tables, 0, 0, 0
    while seen < 12:
        position = dense(dice, rule)
        if position is None:
            continue
        board.set(position)
        if danger(st) != p.OPEN_FOUR or exact_score(st, tables, 0) != NO_SCORE:
            continue
        seen += 1
        open_four = int(find_cell(st, tables, 1 - position.turn, p.OPEN_FOUR))
        for move in position.legal_moves():
            cell = (move // SIZE + 5) * 32 + move % SIZE + 5
            if p.FOUR <= kind_of(st, cell, position.turn) <= p.OPEN_FOUR:
                continue
            tried += 1
            if not stops(st, tables, cell, open_four):
                make(st, tables, cell)
                losing += 1
                assert exact_score(st, tables, 1) == WIN - 4, (position.cells, move)
                undo(st, tables)
    assert losing > tried // 2
