"""A proof-number search at the root: whether the side to move wins by threats."""

from __future__ import annotations

import time
from typing import Any

from ai.core.player import Stop
from ai.gomoku.engine_board import Board
from ai.gomoku.kernels.board import make, undo
from ai.gomoku.kernels.dfpn import (
    DELTA_SHIFT,
    LONGEST,
    MOVE_SHIFT,
    NEVER,
    PLIES_MASK,
    PLIES_SHIFT,
    UNKNOWN,
    proof_entry,
    prove,
)
from ai.gomoku.kernels.layout import NO_MOVE, NO_SCORE
from ai.gomoku.kernels.quiescence import exact_score

_PIECE = 50  # nodes before the first look at the clock; then twice as many, and so on


def win_by_threats(board: Board, table: Any, nodes: int, seconds: float, stop: Stop) -> tuple[int, list[int]] | None:
    """Return the plies of a win of the side to move, and the cells of its longest line as far as it is known; None if
    at most `nodes` moves made in about `seconds` prove none. A five must not be possible at once. Change the board's
    limit of nodes."""
    st = board.state
    st.proof_end = st.stones + LONGEST
    began, attacker, entry, piece, last = time.monotonic(), int(st.side), UNKNOWN, _PIECE, int(st.nodes) + nodes
    with stop.calling(board.halt):
        while entry & NEVER and (entry >> DELTA_SHIFT) & NEVER and st.nodes < last and not st.stop:
            st.node_limit = min(int(st.nodes) + piece, last)
            entry = int(prove(st, board.tables, table, NEVER, NEVER, 0, 1))
            piece *= 2
            if 3 * (time.monotonic() - began) > seconds:  # the next piece takes twice as long as all before
                break
    return None if entry & NEVER else ((entry >> PLIES_SHIFT) & PLIES_MASK, _longest_line(board, table, attacker))


def _longest_line(board: Board, table: Any, attacker: int) -> list[int]:
    """Return the cells of a proven win against the defence that holds out longest, as far as the table has them; at
    least the first move."""
    st, cells = board.state, list[int]()
    while not cells or exact_score(st, board.tables, len(cells)) == NO_SCORE:
        cell = int(proof_entry(st, table, int(st.key), attacker)) >> MOVE_SHIFT
        if cell == NO_MOVE:
            break
        make(st, board.tables, cell)
        cells.append(cell)
    for _ in cells:
        undo(st, board.tables)
    return cells
