"""Several threads on one position: a simplified ABDADA, https://www.chessprogramming.org/ABDADA.

A thread writes down which move it searches in which position to which depth; other threads defer that move. (T.
Kerrigan's simplification: nothing but a small table of hashes, which stands behind the transposition table's slots and
may forget.) It is enough that threads mostly see each other, so nothing is locked.
"""

from __future__ import annotations

from typing import Any

from ai.gomoku.jit import kernel
from ai.gomoku.kernels.layout import CELLS, A, S, T

SHARED_DEPTH = 3  # least depth at which moves are deferred
BUSY_SLOTS = 1 << 12
BUSY_DEPTH_SHIFT = 52


@kernel(S, T, int, int)
def busy_hash(st: Any, tb: Any, move: int, depth: int) -> int:
    """The hash of the search of `move` to `depth`; never 0."""
    return (st.key ^ tb.zobrist[st.side * CELLS + move] ^ (depth << BUSY_DEPTH_SHIFT)) | 1


@kernel(S, int)
def busy_slot(st: Any, busy: int) -> int:
    """Where `busy` stands in the table."""
    return 2 * (st.mask + 1) + ((busy >> 1) & (BUSY_SLOTS - 1))


@kernel(S, T, A, int, int)
def is_busy(st: Any, tb: Any, tt: Any, move: int, depth: int) -> int:
    """Whether another thread searches `move` to `depth`."""
    busy = busy_hash(st, tb, move, depth)
    return 1 if tt[busy_slot(st, busy)] == busy else 0


@kernel(S, T, A, int, int)
def enter(st: Any, tb: Any, tt: Any, move: int, depth: int) -> int:
    """Write down that this thread searches `move` to `depth`. Return what `leave` needs, not 0."""
    busy = busy_hash(st, tb, move, depth)
    tt[busy_slot(st, busy)] = busy
    return busy


@kernel(S, A, int)
def leave(st: Any, tt: Any, busy: int) -> int:
    """End what `enter` has written down; nothing if `busy` is 0."""
    if busy != 0:
        tt[busy_slot(st, busy)] = 0
    return 0
