"""Depth-first proof-number search (df-pn) for a win by threats.

The attacker, who moves at the root, makes fours, open threes, and, but not in renju, quiet moves that make a four
possible and threaten a win in five plies by a four with a three. The defender has the moves that the search would try.
After the attacker's block of a five, fours are looked for that a pass would allow; then the defender has all legal
moves. A win must end with at most `proof_end` stones on the board.

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

from ai.gomoku.kernels.board import (
    COUNT_MASK,
    count,
    find_cell,
    is_illegal,
    key_after,
    kind_of,
    make,
    make_null,
    undo,
    undo_null,
)
from ai.gomoku.kernels.layout import (
    CELL_MASK,
    COUNT_BITS,
    FIRST_COUNTED,
    MAX_MOVES,
    MAX_PLY,
    NO_MOVE,
    NO_SCORE,
    PLY_MASK,
    STONES_MASK,
    WIN,
    A,
    S,
    T,
)
from ai.gomoku.kernels.movegen import four_three_threat, generate
from ai.gomoku.kernels.parameters import ANYWHERE
from ai.gomoku.kernels.patterns import BLOCKED_THREE, EMPTY, FIVE, FORBIDDEN, OPEN_FOUR
from ai.gomoku.kernels.quiescence import danger, exact_score
from ai.gomoku.kernels.vcf import vcf
from ai.system.compiler.jit import kernel

LONGEST = MAX_PLY - 5
"""Plies of a win at most."""
NULL_FOURS = 50
"""Budget, and depth, of a search for the fours that a pass would allow."""
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
    return entry if tt[slot] ^ entry == key ^ (KEY_SALT + 2 * st.proof_end + attacker) else UNKNOWN


@kernel(S, A, int, int)
def keep_proof_entry(st: Any, tt: Any, entry: int, attacker: int) -> int:
    """Store the entry of this position, and return it."""
    slot = (((st.key ^ SLOT_SALT) >> 3) & st.mask) * 2
    tt[slot + 1] = entry
    tt[slot] = entry ^ st.key ^ (KEY_SALT + 2 * st.proof_end + attacker)
    return entry


@kernel(S, T, int)
def decided(st: Any, tb: Any, attacking: int) -> int:
    """The entry of a position whose patterns prove a win or a loss, or in which too few moves are left; UNKNOWN for
    others."""
    score, left = exact_score(st, tb, 0), st.proof_end - st.stones
    plies = WIN - abs(score) if score != 0 else 0
    won = 1 if score != NO_SCORE and (score > 0 if attacking != 0 else score < 0) else 0
    if won != 0 and plies <= left:
        return (NEVER << DELTA_SHIFT if attacking != 0 else NEVER) | (plies << PLIES_SHIFT)
    if score == NO_SCORE and left >= 4 - attacking:
        return UNKNOWN
    st.left_out += 1 if won != 0 or score == NO_SCORE else 0
    return NEVER if attacking != 0 else NEVER << DELTA_SHIFT


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


@kernel(S, T, A)
def threatens_fours(st: Any, tb: Any, tt: Any) -> int:
    """Plies in which the attacker would win by fours if the side to move passed; 0 if none is found, or if the
    attacker's last move was no block of a five."""
    before = 2 * ((st.stones - 1) & STONES_MASK) + (st.side & 1)
    if ((st.saved_counts[before] >> (COUNT_BITS * (FIVE - FIRST_COUNTED))) & COUNT_MASK) == 0:
        return 0
    st.vcf_left = NULL_FOURS
    make_null(st, tb)
    plies = vcf(st, tb, tt, NULL_FOURS, ANYWHERE)
    undo_null(st, tb)
    st.left_out += 1 if plies == 0 and st.vcf_left <= 0 else 0
    return plies


@kernel(S, T, A, int)
def defences(st: Any, tb: Any, tt: Any, ply: int) -> int:
    """Write the defender's moves for `ply`; return how many, -1 if nothing is threatened in time."""
    danger_now = danger(st)
    st.four_three[ply] = four_three_threat(st, tb) if danger_now == 0 else 0
    if danger_now != 0 or st.four_three[ply] != 0:
        st.killers[2 * ply] = st.killers[2 * ply + 1] = NO_MOVE
        return generate(st, tb, ply, NO_MOVE)
    plies, start, found = threatens_fours(st, tb, tt), ply * MAX_MOVES, 0
    if plies == 0 or plies >= st.proof_end - st.stones:
        st.left_out += 1 if plies > 0 else 0
        return -1
    for number in range(tb.cell_count):
        cell = tb.cells[number] & CELL_MASK
        if st.board[cell] == EMPTY and is_illegal(st, tb, cell) == 0:
            st.moves[start + found] = cell
            found += 1
    return found


@kernel(S, T, A, int, int, int, int)
def prove(st: Any, tb: Any, tt: Any, phi_limit: int, delta_limit: int, ply: int, attacking: int) -> int:
    """Search until `phi` or `delta` of the position reaches its limit, or `node_limit` moves are made. Store its entry,
    and return it. `ply` counts from the root, where the attacker is to move and has no five."""
    ply &= PLY_MASK
    first, following = ply * MAX_MOVES, 1 - attacking
    attacker = st.side if attacking != 0 else 1 - st.side
    entry = decided(st, tb, attacking) if ply > 0 else UNKNOWN
    if entry != UNKNOWN:
        return keep_proof_entry(st, tt, entry, attacker)
    found = attacks(st, tb, ply) if attacking != 0 else defences(st, tb, tt, ply)
    if found <= 0:
        plies = 4 if danger(st) == OPEN_FOUR else 6  # of the win against which there is no defence
        lost = found == 0 and (attacking != 0 or plies <= st.proof_end - st.stones)
        st.left_out += 1 if found == 0 and not lost else 0
        return keep_proof_entry(st, tt, NEVER | (plies << PLIES_SHIFT) if lost else NEVER << DELTA_SHIFT, attacker)
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
