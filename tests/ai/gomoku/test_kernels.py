"""The kernels against boards computed from scratch, against the rules in games/, and against themselves
interpreted."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ai.gomoku import kernels as k
from ai.gomoku import patterns as p
from ai.gomoku.engine import RULES, Board
from ai.gomoku.tables import build, cell_of, move_of
from games.line import LinePosition
from games.registry import setup

ROOT = Path(__file__).resolve().parents[3]
SIZES = (9, 15, 20)


def board(rule: str, size: int = 15) -> Board:
    made = Board(build(RULES[rule], size), 1023)
    k.reset(made.state, made.tables)
    return made


def snapshot(board: Board) -> dict[str, Any]:
    """All that the state says of the board; what a stone would make only where a stone can go."""
    st = board.state
    names = ("key", "worth", "tally", "side", "stones", "lines", "board", "kind")
    found: dict[str, Any] = {name: np.array(st[name]).tolist() for name in names}
    return found | {"comb": np.array(st.comb)[np.array(st.board) == 0].tolist()}


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", SIZES)
def test_makes_and_undos_leave_what_a_board_from_scratch_says(rule: str, size: int) -> None:
    here, scratch = board(rule, size), board(rule, size)
    dice = random.Random(size)
    cells = [int(cell) for cell in here.tables.cells[: size * size]]
    for step in range(300):
        st = here.state
        free = [cell for cell in cells if st.board[cell] == 0]
        if dice.random() < 0.6 and len(free) > 1:
            k.make(st, here.tables, dice.choice(free))
        elif st.stones:
            k.undo(st, here.tables)
        if step % 15 == 0:
            k.reset(scratch.state, scratch.tables)
            for cell in st.played[: st.stones]:
                k.make(scratch.state, scratch.tables, int(cell))
            assert snapshot(here) == snapshot(scratch)


def dense(dice: random.Random, size: int, rule: str) -> LinePosition:
    """A position in which many rows are half made, without a winner."""
    position = setup("gomoku", size, rule).start()
    assert isinstance(position, LinePosition)
    middle = size // 2
    for _ in range(dice.randint(6, 60)):
        reach = dice.choice((2, 3, 4))
        row = min(size - 1, max(0, middle + dice.randint(-reach, reach)))
        column = min(size - 1, max(0, middle + dice.randint(-reach, reach)))
        move = row * size + column
        if position.cells[move] == 0 and move in position.legal_moves():
            after = position.play(move)
            if after.outcome is None:
                position = after
    return position


@pytest.mark.parametrize("rule", RULES)
def test_fives_and_forbidden_points_are_those_of_the_rules(rule: str) -> None:
    """Every empty cell of a few hundred dense boards: five or not, forbidden or not."""
    here, dice = board(rule), random.Random(5)
    for _ in range(60):
        position = dense(dice, 15, rule)
        here.set(position)
        st, tb, side = here.state, here.tables, position.turn
        legal = set(position.legal_moves())
        for move, content in enumerate(position.cells):
            if content:
                continue
            cell = cell_of(move, 15)
            assert move_of(cell, 15) == move
            assert bool(k.denied(st, tb, cell)) == (move not in legal), position.move_text(move)
            if move in legal:
                outcome = position.play(move).outcome
                five = outcome is not None and outcome.reason == "line"
                assert (here.kinds(side)[cell] == p.FIVE) == five, position.move_text(move)


INTERPRETED = """
import json, sys
from ai.gomoku.engine import GomokuEngine
from ai.gomoku.jit import COMPILED
from ai.player import Limit, answer
from games.formats import read_target
from games.registry import setup
found = []
for rule in ("freestyle", "standard", "renju"):
    for moves in ("h8i9g7", "h8i9g7i7i8g8j8h6", "h8h9i9g9i7j10g7k11"):
        position = read_target(moves, setup("gomoku", 15, rule)).position
        info = answer(GomokuEngine(memory_mb=1), position, Limit(depth=3))
        found.append([info.move, info.score, info.nodes, list(info.pv)])
print(json.dumps([COMPILED, found]))
"""


def run(environment: dict[str, str]) -> list[Any]:
    done = subprocess.run(
        [sys.executable, "-c", INTERPRETED], cwd=ROOT, env=os.environ | environment, capture_output=True, check=True
    )
    found: list[Any] = json.loads(done.stdout)
    return found


def test_compiled_and_interpreted_kernels_agree_on_values_and_nodes() -> None:
    compiled, values = run({})
    interpreted, same = run({"TENGEN_INTERPRETED": "1"})
    assert compiled
    assert not interpreted
    assert values == same
