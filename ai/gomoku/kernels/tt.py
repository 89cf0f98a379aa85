"""Transposition table, shared by threads without locks: https://www.chessprogramming.org/Transposition_Table.

A slot is (key ^ entry, entry), so that a slot torn by another thread does not match
(https://www.chessprogramming.org/Shared_Hash_Table#Lockless). Each position maps to a bucket of two slots; a
new entry replaces that of its position, else the older or shallower one. An entry is one integer of these fields:
"""

from __future__ import annotations

from typing import Any

from ai.gomoku.kernels.board import key_after
from ai.gomoku.kernels.layout import NO_SCORE, PROVEN, A, S, T
from ai.system.compiler.jit import kernel, prefetch

SCORE_BIAS = 32_768  # makes scores non-negative
SCORE_MASK = 0xFFFF
MOVE_SHIFT, MOVE_MASK = 16, 0x3FF
DEPTH_SHIFT, DEPTH_MASK = 26, 0xFF
BOUND_SHIFT, BOUND_MASK = 34, 3
STATIC_SHIFT = 36  # the static evaluation, biased like the score
AGE_SHIFT, AGE_MASK = 52, 0xFF

NO_ENTRY = 0
EXACT, LOWER, UPPER = 1, 2, 3
OLD_PENALTY = 16  # plies of depth that an entry of an earlier search counts less


@kernel(int, int, int, int, int, int)
def pack_entry(score: int, move: int, depth: int, bound: int, static: int, age: int) -> int:
    """An entry; `score` counts wins from its own position (`score_to_tt`), `depth` is not negative."""
    biased = (score + SCORE_BIAS) | ((static + SCORE_BIAS) << STATIC_SHIFT)
    return biased | (move << MOVE_SHIFT) | (depth << DEPTH_SHIFT) | (bound << BOUND_SHIFT) | (age << AGE_SHIFT)


@kernel(int)
def entry_move(entry: int) -> int:
    """The best move; NO_MOVE without an entry or a move."""
    return (entry >> MOVE_SHIFT) & MOVE_MASK


@kernel(int)
def entry_static(entry: int) -> int:
    """The static evaluation; NO_SCORE without an entry or an evaluation."""
    return ((entry >> STATIC_SHIFT) & SCORE_MASK) - SCORE_BIAS if entry != NO_ENTRY else NO_SCORE


@kernel(int, int)
def score_to_tt(score: int, ply: int) -> int:
    """Convert a win or loss counted from the root to one counted from the position at `ply`."""
    if score > PROVEN:
        return score + ply
    return score - ply if score < -PROVEN else score


@kernel(int, int)
def score_from_tt(score: int, ply: int) -> int:
    """The inverse of `score_to_tt`."""
    return score_to_tt(score, -ply)


@kernel(int, int, int, int, int)
def cutoff(entry: int, depth: int, alpha: int, beta: int, ply: int) -> int:
    """The score of an entry that is deep enough and cuts off or is exact; else NO_SCORE."""
    if (entry >> DEPTH_SHIFT) & DEPTH_MASK < depth:
        return NO_SCORE
    score, bound = score_from_tt((entry & SCORE_MASK) - SCORE_BIAS, ply), (entry >> BOUND_SHIFT) & BOUND_MASK
    if bound == EXACT or (bound == LOWER and score >= beta) or (bound == UPPER and score <= alpha):
        return score
    return NO_SCORE


@kernel(A)
def clear(tt: Any) -> int:
    """Empty the table."""
    for index in range(len(tt)):
        tt[index] = 0
    return 0


@kernel(S, A)
def probe(st: Any, tt: Any) -> int:
    """The entry of this position, or NO_ENTRY."""
    slot = (st.key & st.mask) * 2
    entry = tt[slot + 1]
    if tt[slot] ^ entry == st.key:
        return entry
    slot ^= 2
    entry = tt[slot + 1]
    return entry if tt[slot] ^ entry == st.key else NO_ENTRY


@kernel(S, T, A, int)
def fetch(st: Any, tb: Any, tt: Any, move: int) -> int:
    """Have the bucket of the position after `move` brought into the cache, while the move is made."""
    return prefetch(tt, (key_after(st, tb, move) & st.mask) * 2)


@kernel(int, int)
def keep_value(entry: int, age: int) -> int:
    """Replacement priority of an entry: its depth, less if it is old."""
    old = ((age - (entry >> AGE_SHIFT)) & AGE_MASK) > 0
    return ((entry >> DEPTH_SHIFT) & DEPTH_MASK) - OLD_PENALTY * old


@kernel(S, A, int)
def store(st: Any, tt: Any, entry: int) -> int:
    """Store the entry of this position."""
    slot = (st.key & st.mask) * 2
    first, second = tt[slot + 1], tt[(slot ^ 2) + 1]
    mine, next_mine = tt[slot] ^ first == st.key, tt[slot ^ 2] ^ second == st.key
    if not mine and (next_mine or keep_value(second, st.age) < keep_value(first, st.age)):
        slot ^= 2
    tt[slot] = st.key ^ entry
    tt[slot + 1] = entry
    return 0
