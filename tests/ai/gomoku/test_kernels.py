"""The kernels against boards computed from scratch, against the rules in games/, and against themselves
interpreted."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from itertools import count, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ai.gomoku.engine import RULES
from ai.gomoku.engine_board import Board
from ai.gomoku.kernels import search as kernels
from ai.gomoku.kernels.board import key_after, make, undo
from ai.gomoku.kernels.evaluate import reset, update_accumulator
from ai.gomoku.kernels.layout import BUSY_SLOTS, INFINITY, NO_MOVE, WORDS
from ai.gomoku.kernels.movegen import list_root_moves
from ai.gomoku.kernels.tt import EXACT, NO_ENTRY, pack_entry, probe
from ai.gomoku.tables import build, cell_of
from ai.lab import engine_speed as speed
from ai.lab.crosscheck import SIZES, compare
from ai.system.compiler.jit import new_table
from tests.sampling import sampled

ROOT = Path(__file__).resolve().parents[3]


def board(rule: str, size: int = 15) -> Board:
    made = Board(build(RULES[rule], size), 1023)
    reset(made.state, made.tables)
    return made


def snapshot(board: Board) -> dict[str, Any]:
    """All that the state says of the board; what a stone would make only where a stone can go."""
    st = board.state
    first = 2 * WORDS * int(st.stones)
    for side in (0, 1):
        st.side, mover = side, st.side
        update_accumulator(st, board.tables)
        st.side = mover
    names = ("key", "counts", "side", "stones", "lines", "board", "kind")
    found: dict[str, Any] = {name: np.array(getattr(st, name)).tolist() for name in names}
    found["accumulator"] = np.array(st.accumulator)[first : first + 2 * WORDS].tolist()
    return found | {"combination": np.array(st.combination)[np.array(st.board) == 0].tolist()}


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", sampled(SIZES, 1))
def test_makes_and_undos_leave_what_a_board_from_scratch_says(rule: str, size: int) -> None:
    here, scratch = board(rule, size), board(rule, size)
    dice = random.Random(size)
    cells = [int(cell) for cell in here.tables.cells[: size * size]]
    for step in range(300):
        st = here.state
        free = [cell for cell in cells if st.board[cell] == 0]
        if dice.random() < 0.6 and len(free) > 1:
            cell = dice.choice(free)
            expected = key_after(st, here.tables, cell)
            make(st, here.tables, cell)
            assert st.key == expected
        elif st.stones:
            undo(st, here.tables)
        if step % 15 == 0:
            reset(scratch.state, scratch.tables)
            for cell in st.played[: st.stones]:
                make(scratch.state, scratch.tables, int(cell))
            assert snapshot(here) == snapshot(scratch)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", sampled(SIZES, 1))
def test_fives_and_forbidden_points_are_those_of_the_rules(rule: str, size: int) -> None:
    """On few boards here; `python -m ai.lab.crosscheck` asks 100,000 of each rule (STRENGTH.md)."""
    assert not compare(rule, size, 300)


INTERPRETED = """
import json, sys
from ai.gomoku.engine import GomokuEngine
from ai.system.compiler.jit import COMPILED
from ai.core.player import Limit, answer
from games.formats import read_target
from games.registry import setup
found = []
for rule in ("freestyle", "standard", "renju"):
    for moves in ("h8i9g7", "h8i9g7i7i8g8j8h6", "h8h9i9g9i7j10g7k11"):
        position = read_target(moves, setup("gomoku", 15, rule)).position
        info = answer(GomokuEngine(memory_mb=1), position, Limit(depth=3))
        found.append([info.move, info.score, info.nodes, list(info.pv)])
        several = answer(GomokuEngine(threads=2, memory_mb=1), position, Limit(nodes=400, lines=2))
        assert several.move in position.legal_moves()
print(json.dumps([COMPILED, found]))
"""


def run(environment: dict[str, str]) -> list[Any]:
    done = subprocess.run(
        [sys.executable, "-c", INTERPRETED], cwd=ROOT, env=os.environ | environment, capture_output=True, check=True
    )
    found: list[Any] = json.loads(done.stdout)
    return found


def test_the_search_visits_the_nodes_that_it_did() -> None:
    """A change of the search that is meant changes this figure, here and in STRENGTH.md, and says so in its commit."""
    assert speed.signature() == 58_937


def test_a_search_stopped_at_its_root_returns_the_move_that_has_turned_out_to_be_better() -> None:
    """Before it knows by how much: then the line is that move alone."""
    lines: list[list[int]] = []
    for nodes in count(1):
        here = Board(build(RULES["freestyle"], 15), 1023)
        here.set(speed.positions()[2])
        list_root_moves(here.state, here.tables)
        here.state.node_limit = nodes
        kernels.search(here.state, here.tables, new_table(2048), 3, -INFINITY, INFINITY, 0, 1)
        if here.state.best_move != NO_MOVE:
            lines.append(here.line())
        if not here.state.stop:
            break
    assert len(next(later for earlier, later in pairwise(lines) if earlier[0] != later[0])) == 1


@pytest.mark.slow
def test_compiled_and_interpreted_kernels_agree_on_values_and_nodes() -> None:
    compiled, values = run({})
    interpreted, same = run({"TENGEN_KERNELS": "interpreted"})
    assert compiled
    assert not interpreted
    assert values == same


@pytest.mark.parametrize(("beta", "looks"), [(401, 2), (3000, 1)])
def test_only_a_null_window_ends_with_what_another_thread_found(
    beta: int, looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A node of the principal variation searches the other moves, too.

    The search of one position runs as plain Python here, so that its entry can appear in the table between two moves.
    """
    here, table = board("freestyle"), new_table(2 * 1024 + BUSY_SLOTS)
    for move in (112, 98, 113, 97):
        make(here.state, here.tables, cell_of(move, 15))
    here.state.shared, here.state.node_limit = 1, 1 << 40
    key, entries = int(here.state.key), [pack_entry(77, NO_MOVE, 30, EXACT, 0, 0), NO_ENTRY]

    def look(st: Any, tt: Any) -> int:
        return entries.pop() if st.key == key else int(probe(st, tt))

    monkeypatch.setattr(kernels, "probe", look)
    search = getattr(kernels.search, "py_func", kernels.search)  # itself without numba
    found = search(here.state, here.tables, table, 6, 400, beta, 1, 0)
    assert 2 - len(entries) == looks
    assert (found == 77) == (looks == 2)
