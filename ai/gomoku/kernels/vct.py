"""Victory by continuous threats: fours, and threes after which the attacker would win by fours if nothing were done.

All legal moves of the defender are tried against a three; those after which the attacker still wins by fours are
refuted, so that few defences are left to search. Entries share the transposition table under keys of their own, as
those of `vcf` do.
"""

from __future__ import annotations

from typing import Any

from ai.gomoku.kernels.board import count, find_cell, is_illegal, kind_of, make, make_null, undo, undo_null
from ai.gomoku.kernels.layout import NO_MOVE, A, S, T
from ai.gomoku.kernels.parameters import ANYWHERE
from ai.gomoku.kernels.patterns import EMPTY, FIVE, FOUR, FOUR_PLUS, FOUR_THREE, PERHAPS, THREE, THREE_PLUS, THREE_THREE
from ai.gomoku.kernels.vcf import DEPTH_MASK, PLIES_MASK, PLIES_SHIFT, SOLVED, vcf
from ai.system.compiler.jit import kernel

SLOT_SALT, KEY_SALT = 0x33CC33CC3C3C, 0x369DEA0F31A53F8
FOURS = 100  # in a win: more than any board has room for
MOST_DEFENCES = 16
"""A threat that leaves more defences is given up."""
KINDS = 7  # of moves that threaten


@kernel(int)
def threat_kind(place: int) -> int:
    """The classes of moves that threaten, in the order in which they are tried; an open four needs no search."""
    if place == 0:
        return FOUR_THREE
    if place == 1:
        return THREE_THREE
    if place == 2:
        return PERHAPS  # a double three that renju may allow
    if place == 3:
        return THREE_PLUS
    if place == 4:
        return THREE
    return FOUR_PLUS if place == 5 else FOUR


@kernel(S, T, A)
def wins_by_fours(st: Any, tb: Any, tt: Any) -> int:
    """Plies in which the side to move wins by fours, 0 if none is found."""
    st.vcf_left = st.fours_limit
    plies = vcf(st, tb, tt, FOURS, ANYWHERE)
    if plies == 0 and st.vcf_left <= 0:
        st.left_out += 1
    return plies


@kernel(S, T, A)
def refuted(st: Any, tb: Any, tt: Any) -> int:
    """How long all but at most MOST_DEFENCES moves of the side to move hold out against fours, in plies; 0 if more are
    left, if it wins itself, or if it need not answer."""
    if count(st, st.side, FIVE) > 0 or wins_by_fours(st, tb, tt) > 0:
        return 0
    make_null(st, tb)
    longest = wins_by_fours(st, tb, tt)
    undo_null(st, tb)
    if longest == 0:
        return 0
    left = 0
    for number in range(tb.cell_count):
        cell = tb.cells[number]
        if st.board[cell] != EMPTY or is_illegal(st, tb, cell) != 0:
            continue
        make(st, tb, cell)
        plies = wins_by_fours(st, tb, tt)
        undo(st, tb)
        left += 1 if plies == 0 else 0
        longest = max(longest, plies + 1)
        if left > MOST_DEFENCES:
            st.left_out += 1
            return 0
    return longest


@kernel(S, T, A, int, int)
def vct(st: Any, tb: Any, tt: Any, depth: int, only: int) -> int:
    """Plies in which the side to move wins by at most `depth` threats, and fours after them; 0 if no win is found.

    `only`, unless it is NO_MOVE, is the move that the win must begin with. `node_limit` limits the moves made,
    `fours_limit` the fours of each search for them. If no win is found and `left_out` is 0, there is none.
    """
    side, other, anything = st.side, 1 - st.side, only & NO_MOVE  # numba compiles a literal argument apart
    key = st.key ^ KEY_SALT
    slot = (((st.key ^ SLOT_SALT) >> 3) & st.mask) * 2
    if only == NO_MOVE:
        plies = wins_by_fours(st, tb, tt)
        if plies > 0:
            return plies
        entry = tt[slot + 1]
        if tt[slot] ^ entry == key and (entry & DEPTH_MASK) >= depth:
            return (entry >> PLIES_SHIFT) & PLIES_MASK
    if depth <= 0:
        st.left_out += 1
        return 0
    block, rest = only, depth - 1
    if count(st, other, FIVE) > 0:
        block, rest = find_cell(st, tb, other, FIVE), depth  # no threat of the attacker's choice
        if count(st, other, FIVE) > 1 or (only != NO_MOVE and only != block):
            return 0
    for place in range(KINDS):
        wanted = threat_kind(place)
        for number in range(tb.cell_count):
            cell = tb.cells[number]
            if block != NO_MOVE:
                if cell != block or place > 0:
                    continue
            elif kind_of(st, cell, side) != wanted:
                continue
            if is_illegal(st, tb, cell) != 0:
                continue
            if st.nodes >= st.node_limit or st.stop != 0:
                return 0
            make(st, tb, cell)
            plies = 0
            fives = count(st, side, FIVE)
            if count(st, other, FIVE) > 0 or fives > 1:
                plies = 2 if count(st, other, FIVE) == 0 else 0
            elif fives == 1:
                reply = find_cell(st, tb, side, FIVE)
                if is_illegal(st, tb, reply) != 0:
                    plies = 2
                else:
                    make(st, tb, reply)
                    found = vct(st, tb, tt, rest, anything)
                    plies = found + 1 if found > 0 else 0
                    undo(st, tb)
            else:
                plies = refuted(st, tb, tt)
                if plies > 0:
                    for answer in range(tb.cell_count):
                        reply = tb.cells[answer]
                        if st.board[reply] != EMPTY or is_illegal(st, tb, reply) != 0:
                            continue
                        make(st, tb, reply)
                        found = vct(st, tb, tt, rest, anything)
                        undo(st, tb)
                        if found == 0:
                            plies = 0
                            break
                        plies = max(plies, found + 1)
            undo(st, tb)
            if plies > 0:
                if only == NO_MOVE:
                    tt[slot + 1] = ((plies + 1) << PLIES_SHIFT) | SOLVED
                    tt[slot] = key ^ tt[slot + 1]
                return plies + 1
    if only == NO_MOVE and st.nodes < st.node_limit and st.stop == 0:
        tt[slot + 1] = depth
        tt[slot] = key ^ tt[slot + 1]
    return 0
