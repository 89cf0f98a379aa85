"""Depth-first proof-number search (df-pn) for a win by threats.

The attacker, who moves at the root, makes fours, open threes, and quiet moves that make a four possible and threaten a
win in five plies by a four with a three. The defender has the moves that the search would try.

Each position has two numbers, seen from its side to move. `phi` is the least number of positions that must be decided
for that side to reach its goal: the attacker's is a win, the defender's is to prevent it. `delta` is that number for
the other side's goal. An entry has both numbers, the plies of a proven win and the move to play. Entries share the
transposition table under keys of their own, as those of `vcf` do.

See A. Nagai, "Df-pn Algorithm for Searching AND/OR Trees and Its Applications" (2002). The search leaves a move only
when its number exceeds that of the next one by a quarter: J. Pawlewicz and Ł. Lew, "Improving Depth-First PN-Search:
1 + ε Trick" (2007).
"""

from __future__ import annotations

from typing import Any

from ai.gomoku.kernels.board import count, find_cell, is_illegal, key_after, kind_of, make, undo
from ai.gomoku.kernels.layout import CELL_MASK, MAX_MOVES, MAX_PLY, NO_MOVE, NO_SCORE, PLY_MASK, WIN, A, S, T
from ai.gomoku.kernels.movegen import four_three_threat, generate
from ai.gomoku.kernels.patterns import BLOCKED_THREE, FIVE, FORBIDDEN, OPEN_FOUR
from ai.gomoku.kernels.quiescence import danger, exact_score
from ai.system.compiler.jit import kernel

SLOT_SALT, KEY_SALT = 0x5A3C96A5C369, 0x3C6EF372FE94F82

# An entry, from its lowest bit: phi, delta, plies, move.
NEVER = (1 << 20) - 1
"""The number of a goal that is out of reach; also a mask of the numbers."""
DELTA_SHIFT, PLIES_SHIFT, PLIES_MASK, MOVE_SHIFT = 20, 40, 0xFF, 48
UNKNOWN = 1 | (1 << DELTA_SHIFT)


@kernel(S, A, int, int)
def proof_entry(st: Any, tt: Any, key: int, attacker: int) -> int:
    """The entry of the position of `key`; UNKNOWN without one."""
    slot = (((key ^ SLOT_SALT) >> 3) & st.mask) * 2
    entry = tt[slot + 1]
    return entry if tt[slot] ^ entry == key ^ (KEY_SALT + attacker) else UNKNOWN


@kernel(S, A, int, int)
def keep_proof_entry(st: Any, tt: Any, entry: int, attacker: int) -> int:
    """Store the entry of this position, and return it."""
    slot = (((st.key ^ SLOT_SALT) >> 3) & st.mask) * 2
    tt[slot + 1] = entry
    tt[slot] = entry ^ st.key ^ (KEY_SALT + attacker)
    return entry


@kernel(S, T, int, int)
def decided(st: Any, tb: Any, ply: int, attacking: int) -> int:
    """The entry of a position whose patterns prove a win or a loss, or that is too deep; UNKNOWN for others."""
    score = exact_score(st, tb, ply) if ply < MAX_PLY - 2 else 0
    if score == NO_SCORE:
        return UNKNOWN
    reached = score > 0 or (score == 0 and attacking == 0)
    plies = WIN - abs(score) - ply if score != 0 else 0
    return (NEVER << DELTA_SHIFT if reached else NEVER) | (plies << PLIES_SHIFT)


@kernel(S, T, int)
def attacks(st: Any, tb: Any, ply: int) -> int:
    """Write the attacker's moves for `ply`; return how many. `defences` finds out whether a quiet one threatens."""
    side, start, found = st.side & 1, ply * MAX_MOVES, 0
    if count(st, 1 - side, FIVE) > 0:
        st.moves[start] = find_cell(st, tb, 1 - side, FIVE)
        return 1 if is_illegal(st, tb, st.moves[start]) == 0 else 0
    least = BLOCKED_THREE if danger(st) == 0 else BLOCKED_THREE + 1
    for number in range(tb.cell_count):
        cell = tb.cells[number] & CELL_MASK
        kind = kind_of(st, cell, side)
        if kind >= least and (kind < FORBIDDEN or is_illegal(st, tb, cell) == 0):
            st.moves[start + found] = cell
            found += 1
    return found


@kernel(S, T, int)
def defences(st: Any, tb: Any, ply: int) -> int:
    """Write the defender's moves for `ply`; return how many, -1 if nothing is threatened."""
    st.four_three[ply] = four_three_threat(st, tb) if danger(st) == 0 else 0
    if danger(st) == 0 and st.four_three[ply] == 0:
        return -1
    st.killers[2 * ply] = st.killers[2 * ply + 1] = NO_MOVE
    return generate(st, tb, ply, NO_MOVE)


@kernel(S, T, A, int, int, int, int)
def prove(st: Any, tb: Any, tt: Any, phi_limit: int, delta_limit: int, ply: int, attacking: int) -> int:
    """Search until `phi` or `delta` of the position reaches its limit, or `node_limit` moves are made. Store its entry,
    and return it. `ply` counts from the root, where the attacker is to move and has no five."""
    ply &= PLY_MASK
    first, following = ply * MAX_MOVES, 1 - attacking
    attacker = st.side if attacking != 0 else 1 - st.side
    entry = decided(st, tb, ply, attacking) if ply > 0 else UNKNOWN
    if entry != UNKNOWN:
        return keep_proof_entry(st, tt, entry, attacker)
    found = attacks(st, tb, ply) if attacking != 0 else defences(st, tb, ply)
    if found <= 0:
        plies = 4 if danger(st) == OPEN_FOUR else 6  # of the win against which there is no defence
        return keep_proof_entry(
            st, tt, NEVER << DELTA_SHIFT if found < 0 else NEVER | (plies << PLIES_SHIFT), attacker
        )  # fmt: skip
    while True:
        phi, second, delta, best, inner, shortest, slowest, longest = NEVER, NEVER, 0, NO_MOVE, 0, 0, NO_MOVE, -1
        for place in range(first, first + found):
            move = st.moves[place]
            child = proof_entry(st, tt, key_after(st, tb, move), attacker)
            child_phi, child_delta = child & NEVER, (child >> DELTA_SHIFT) & NEVER
            plies = (child >> PLIES_SHIFT) & PLIES_MASK
            delta = NEVER if max(child_phi, delta) == NEVER else min(delta + child_phi, NEVER - 1)
            if best == NO_MOVE or child_delta < phi or (child_delta == 0 and plies < shortest):
                phi, second, best, inner, shortest = child_delta, phi, move, child_phi, plies
            else:
                second = min(second, child_delta)
            if plies > longest:
                slowest, longest = move, plies
        move, plies = (slowest, longest) if delta == 0 else (best, shortest)
        entry = phi | (delta << DELTA_SHIFT) | (min(plies + 1, PLIES_MASK) << PLIES_SHIFT) | (move << MOVE_SHIFT)
        decided_here = phi == 0 or delta == 0
        ended = st.stop != 0 or st.nodes >= st.node_limit
        if decided_here or ended or phi >= phi_limit or delta >= delta_limit:
            return keep_proof_entry(st, tt, entry, attacker)
        make(st, tb, best)
        prove(
            st, tb, tt, min(delta_limit - delta + inner, NEVER), min(phi_limit, second + second // 4 + 1),
            ply + 1, following,
        )  # fmt: skip
        undo(st, tb)
