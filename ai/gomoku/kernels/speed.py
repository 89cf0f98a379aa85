"""What `ai.lab.engine_speed` measures of the board, in one call: one from Python takes longer than a move."""

from __future__ import annotations

from typing import Any

from ai.gomoku.kernels.board import make, undo
from ai.gomoku.kernels.layout import S, T
from ai.system.compiler.jit import kernel


@kernel(S, T)
def make_and_undo(st: Any, tb: Any) -> int:
    """Make and undo a move on each empty cell, and return how many there are."""
    count = 0
    for number in range(tb.cell_count):
        cell = tb.cells[number]
        if st.board[cell] == 0:
            make(st, tb, cell)
            undo(st, tb)
            count += 1
    return count
