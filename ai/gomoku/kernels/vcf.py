"""Victory by continuous fours: a narrow, deep search in which every move makes a four and every reply is forced.

Its entries share the transposition table under keys of their own: the depth searched without success, or SOLVED
and the plies of the win.
"""

from __future__ import annotations

from typing import Any

from ai.gomoku.kernels.board import count, find_cell, is_illegal, kind_of, make, undo
from ai.gomoku.kernels.layout import NO_MOVE, A, S, T
from ai.gomoku.kernels.parameters import FIRST_ANYWHERE, NEARBY
from ai.gomoku.kernels.patterns import FIVE, FOUR, FOUR_PLUS, FOUR_THREE, OPEN_FOUR
from ai.system.compiler.jit import kernel

SLOT_SALT = 0x55AA55AA5A5A
KEY_SALT = 0x2545F4914F6CDD1
WHERE_SHIFT = 50  # of `where` in the key
DEPTH_MASK, SOLVED = 0xFF, 0xFF
PLIES_SHIFT, PLIES_MASK = 8, 0xFF
NEARBY_CELLS = 9  # on a line through the last four


@kernel(S, T, A, int, int)
def vcf(st: Any, tb: Any, tt: Any, depth: int, where: int) -> int:
    """Plies in which the side to move wins by at most `depth` fours; 0 when no such win is found.

    Every four tried decrements the budget `vcf_left`. `where` restricts the fours: ANYWHERE, or, after the first one,
    to the lines through the last four (FIRST_ANYWHERE, then NEARBY).
    """
    side, other = st.side, 1 - st.side
    if count(st, side, FIVE) > 0:
        return 1
    block = NO_MOVE
    if count(st, other, FIVE) > 0:
        if count(st, other, FIVE) > 1:
            return 0
        block = find_cell(st, tb, other, FIVE)
        kind = kind_of(st, block, side)
        if kind < FOUR or kind > OPEN_FOUR:
            return 0
    elif count(st, side, OPEN_FOUR) > 0:
        return 3
    fours = count(st, side, FOUR) + count(st, side, FOUR_PLUS) + count(st, side, FOUR_THREE)
    if depth <= 0 or (fours == 0 and block == NO_MOVE) or st.vcf_left <= 0 or st.stop != 0:
        return 0
    slot = (((st.key ^ SLOT_SALT) >> 3) & st.mask) * 2
    key = st.key ^ KEY_SALT ^ (where << WHERE_SHIFT)
    entry = tt[slot + 1]
    if tt[slot] ^ entry == key and (entry & DEPTH_MASK) >= depth:
        return (entry >> PLIES_SHIFT) & PLIES_MASK
    last = st.played[st.stones - 2] if where == NEARBY else NO_MOVE
    candidates = 4 * NEARBY_CELLS if where == NEARBY else tb.cell_count
    then = where if where != FIRST_ANYWHERE else where + 1
    for wanted in range(OPEN_FOUR, FOUR - 1, -1):
        if block != NO_MOVE and wanted != kind_of(st, block, side):
            continue
        unseen = count(st, side, wanted)
        if unseen == 0:
            continue
        for number in range(candidates):
            cell = block
            if block == NO_MOVE and where == NEARBY:
                cell = last + tb.step[number // NEARBY_CELLS] * (number % NEARBY_CELLS - NEARBY_CELLS // 2)
            elif block == NO_MOVE:
                cell = tb.cells[number]
            if unseen == 0:
                break
            if kind_of(st, cell, side) != wanted:
                continue
            unseen -= 1
            st.vcf_left -= 1
            make(st, tb, cell)
            plies = 3
            if count(st, side, FIVE) == 1:
                reply = find_cell(st, tb, side, FIVE)
                if is_illegal(st, tb, reply) == 0:
                    make(st, tb, reply)
                    found = vcf(st, tb, tt, depth - 1, then)
                    plies = found + 2 if found > 0 else 0
                    undo(st, tb)
            undo(st, tb)
            if plies > 0:
                tt[slot + 1] = (plies << PLIES_SHIFT) | SOLVED
                tt[slot] = key ^ tt[slot + 1]
                return plies
            if st.stop != 0 or st.vcf_left <= 0:
                return 0
            if block != NO_MOVE:
                break
    tt[slot + 1] = min(depth, SOLVED - 1)
    tt[slot] = key ^ tt[slot + 1]
    return 0
