"""Several threads on one position: a simplified ABDADA, https://www.chessprogramming.org/ABDADA.

Threads defer moves that another thread is searching at this depth. Such searches are announced in a small hash table
behind the slots of the transposition table (T. Kerrigan's simplification). Entries may be overwritten or torn, which
only costs time, so nothing is locked.
"""

from __future__ import annotations

from typing import Any

from ai.gomoku.kernels.layout import BUSY_SLOTS, CELLS, A, S, T
from ai.system.compiler.jit import kernel

SHARED_DEPTH = 3  # least depth at which moves are deferred
BUSY_DEPTH_SHIFT = 52


@kernel(S, T, int, int)
def busy_hash(st: Any, tb: Any, move: int, depth: int) -> int:
    """The hash of the search of `move` to `depth`; never 0."""
    return (st.key ^ tb.zobrist[st.side * CELLS + move] ^ (depth << BUSY_DEPTH_SHIFT)) | 1


@kernel(S, int)
def busy_slot(st: Any, busy: int) -> int:
    """The index in the table of the slot in which the search with the hash `busy` is announced."""
    return 2 * (st.mask + 1) + ((busy >> 1) & (BUSY_SLOTS - 1))


@kernel(S, T, A, int, int)
def is_busy(st: Any, tb: Any, tt: Any, move: int, depth: int) -> int:
    """Whether another thread searches `move` to `depth`."""
    busy = busy_hash(st, tb, move, depth)
    return 1 if tt[busy_slot(st, busy)] == busy else 0


@kernel(S, T, A, int, int)
def enter(st: Any, tb: Any, tt: Any, move: int, depth: int) -> int:
    """Announce that this thread searches `move` to `depth`. Return the hash of the search, for `leave`; never 0."""
    busy = busy_hash(st, tb, move, depth)
    tt[busy_slot(st, busy)] = busy
    return busy


@kernel(S, A, int)
def leave(st: Any, tt: Any, busy: int) -> int:
    """Withdraw the search with the hash `busy`, which `enter` has announced. If it is 0, do nothing."""
    if busy != 0:
        tt[busy_slot(st, busy)] = 0
    return 0
