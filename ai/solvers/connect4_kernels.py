"""The compiled core of the Connect Four solver: alpha-beta on bit sets with a transposition table.

The ideas are those of Pascal Pons (http://blog.gamesolver.org) and John Tromp (https://tromp.github.io/c4/c4.html):
null windows, moves ordered by the threats they make, and no move that lets the opponent win at once.

A position is two bit sets in the layout of `games.connect4`: `own`, the discs of the side to move, and `filled`, all
discs. Its value is from the side to move: 0 is a draw; a side that wins with the k-th disc it plays from here, of the
m that it has left, has m - k + 1, and the other side minus that. Faster wins and slower losses are thus greater, and
no value is beyond ±21.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ai.system.compiler.jit import kernel
from ai.system.compiler.native import ArrayParameter, RecordParameter

WIDTH, HEIGHT = 7, 6
STEP = HEIGHT + 1  # bits from a cell to its neighbour in the next column
CELLS = WIDTH * HEIGHT
BOTTOM = sum(1 << STEP * column for column in range(WIDTH))
BOARD = BOTTOM * ((1 << HEIGHT) - 1)
UNKNOWN = 1 << 20
"""The value of a search that was stopped."""

NO_LIMIT = 1 << 62
"""Of the nodes."""

KEY_BITS = 49
BOUND_SHIFT = KEY_BITS  # of the value, biased by BIAS, and its kind
BIAS = 32
KIND_SHIFT = BOUND_SHIFT + 6
LOWER, UPPER = 1, 2
MIRRORED_BELOW = 24  # discs; hardly any later position is met again as its mirror image
PROBED_BELOW = 22  # discs; deeper down, probing the table for the replies costs more than it saves
DISCS_SHIFT = KIND_SHIFT + 2
KEY_MASK = (1 << KEY_BITS) - 1

STATE = np.dtype(
    [
        ("nodes", np.int64),
        ("node_limit", np.int64),  # of `nodes`
        ("stop", np.int64),  # any thread may set it
        ("moves", np.int64, (8 * (CELLS + 1),)),  # eight for each number of discs: the moves of the nodes of one line
        ("threats", np.int64, (8 * (CELLS + 1),)),  # how many each of them makes
    ],
    align=True,
)
S = RecordParameter(STATE)
A = ArrayParameter(2)


@kernel(int)
def count_bits(bits: int) -> int:
    """The number of bits that are set."""
    count = 0
    while bits != 0:
        bits &= bits - 1
        count += 1
    return count


@kernel(int, int)
def winning_cells(discs: int, filled: int) -> int:
    """The empty cells that complete four in a row of `discs`, whether they can be played yet or not."""
    found = (discs << 1) & (discs << 2) & (discs << 3)  # only upwards: what is below is filled
    for step in (STEP - 1, STEP, STEP + 1):
        pairs = (discs << step) & (discs << 2 * step)
        found |= pairs & (discs << 3 * step)
        found |= pairs & (discs >> step)
        pairs = (discs >> step) & (discs >> 2 * step)
        found |= pairs & (discs << step)
        found |= pairs & (discs >> 3 * step)
    return found & (BOARD ^ filled)


@kernel(int, int)
def safe_moves(own: int, filled: int) -> int:
    """The cells that can be played without losing to the next move. The side to move cannot win at once."""
    moves = (filled + BOTTOM) & BOARD
    deadly = winning_cells(own ^ filled, filled)
    forced = moves & deadly
    if forced != 0:
        if forced & (forced - 1) != 0:
            return 0
        moves = forced
    return moves & ~(deadly >> 1)


@kernel(int, int, int)
def key_of(own: int, filled: int, discs: int) -> int:
    """A number that is unique for a position, and for positions of few discs the same for its mirror image."""
    key = own + filled
    if discs >= MIRRORED_BELOW:
        return key
    mirrored, rest = 0, key
    for _ in range(WIDTH):
        mirrored = (mirrored << STEP) | (rest & ((1 << STEP) - 1))
        rest >>= STEP
    return min(key, mirrored)


@kernel(A, int)
def first_slot(table: Any, key: int) -> int:
    """The first of the two slots in which the position with `key` may be stored."""
    mixed = (key ^ (key >> 23)) * 0x9E3779B97F4A7 & 0x7FFFFFFFFFFFFFFF
    return (mixed ^ (mixed >> 29)) % (len(table) >> 1) * 2


@kernel(A, int)
def probe_bound(table: Any, key: int) -> int:
    """The entry of a position; 0 if it has none."""
    slot = first_slot(table, key)
    for entry in (table[slot], table[slot + 1]):
        if entry & KEY_MASK == key:
            return int(entry)
    return 0


@kernel(A, int, int, int, int)
def store_bound(table: Any, key: int, discs: int, value: int, kind: int) -> int:
    """Store a bound: in the first slot if no position with fewer discs is there, else in the second."""
    slot = first_slot(table, key)
    entry = key | ((value + BIAS) << BOUND_SHIFT) | (kind << KIND_SHIFT) | (discs << DISCS_SHIFT)
    first = table[slot]
    if first == 0 or first & KEY_MASK == key or first >> DISCS_SHIFT >= discs:
        if first & KEY_MASK != key and first != 0:
            table[slot + 1] = first
        table[slot] = entry
    else:
        table[slot + 1] = entry
    return 0


@kernel(S, int, int, int)
def order_columns(st: Any, own: int, filled: int, base: int) -> int:
    """Write the safe moves to `st.moves` from `base` on, those with the most threats first, and return their number."""
    moves = safe_moves(own, filled)
    count = 0
    for index in range(WIDTH):
        column = WIDTH // 2 + ((index + 1) // 2 if index % 2 != 0 else -(index // 2))
        move = moves & ((1 << HEIGHT) - 1) << STEP * column
        if move != 0:
            threats = count_bits(winning_cells(own | move, filled))
            place = base + count
            while place > base and st.threats[place - 1] < threats:
                st.moves[place], st.threats[place] = st.moves[place - 1], st.threats[place - 1]
                place -= 1
            st.moves[place], st.threats[place] = move, threats
            count += 1
    return count


@kernel(S, A, int, int, int, int, int)
def negamax(st: Any, table: Any, own: int, filled: int, discs: int, alpha: int, beta: int) -> int:
    """The value if it is within alpha … beta, else a bound beyond; UNKNOWN when stopped.

    The side to move cannot win at once, and the game is not over.
    """
    st.nodes += 1
    if st.nodes > st.node_limit:
        st.stop = 1
    if st.stop != 0:
        return UNKNOWN
    left = CELLS - discs
    base = 8 * discs
    count = order_columns(st, own, filled, base)
    if count == 0:
        return -(left // 2)  # the opponent wins with the next move
    if left <= 2:
        return 0
    low, high = -((left - 2) // 2), (left - 1) // 2  # neither side wins with its next move
    if low >= beta:
        return low
    if high <= alpha:
        return high
    alpha, beta = max(alpha, low), min(beta, high)
    key = key_of(own, filled, discs)
    entry = probe_bound(table, key)
    if entry != 0:
        value, kind = ((entry >> BOUND_SHIFT) & 63) - BIAS, (entry >> KIND_SHIFT) & 3
        if kind == LOWER:
            if value >= beta:
                return value
            alpha = max(alpha, value)
        else:
            if value <= alpha:
                return value
            beta = min(beta, value)
    if discs < PROBED_BELOW:
        for index in range(base, base + count):
            move = st.moves[index]
            entry = probe_bound(table, key_of(own ^ filled, filled | move, discs + 1))
            value = BIAS - ((entry >> BOUND_SHIFT) & 63)
            if (entry >> KIND_SHIFT) & 3 == UPPER and value >= beta:
                return value
    for index in range(base, base + count):
        move = st.moves[index]
        value = -negamax(st, table, own ^ filled, filled | move, discs + 1, -beta, -alpha)
        if st.stop != 0:
            return UNKNOWN
        if value >= beta:
            store_bound(table, key, discs, value, LOWER)
            return value
        alpha = max(alpha, value)
    store_bound(table, key, discs, alpha, UPPER)
    return alpha


@kernel(S, A, int, int, int, int)
def solve(st: Any, table: Any, own: int, filled: int, low: int, high: int) -> int:
    """The value of a position that is not over, known to be within low … high; UNKNOWN when stopped.

    Null windows beside 0 come first: they decide who wins.
    """
    left = CELLS - count_bits(filled)
    if winning_cells(own, filled) & (filled + BOTTOM) != 0:
        return (left + 1) // 2
    low, high = max(low, -(left // 2)), min(high, (left - 1) // 2)
    while low < high:
        middle = low + (high - low) // 2
        if low <= 0 <= high:
            middle = 0 if high > 0 else -1
        value = negamax(st, table, own, filled, CELLS - left, middle, middle + 1)
        if value == UNKNOWN:
            return UNKNOWN
        if value <= middle:
            high = value
        else:
            low = value
    return low
