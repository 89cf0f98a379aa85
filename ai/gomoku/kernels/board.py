"""Make and undo moves, and look up the patterns and the legality of cells.

A line is an integer that holds the contents of its cells. A move changes the patterns of the empty cells within reach
along its four lines; each change is a delta on the undo stack, from which the accumulator is updated too (evaluate.py).
The key is a Zobrist hash (https://www.chessprogramming.org/Zobrist_Hashing).
"""

from __future__ import annotations

from typing import Any

from ai.gomoku.kernels.layout import (
    CELL_MASK,
    CELLS,
    COMBINATION_BITS,
    COMBINATION_MASK,
    CONTENT_BITS,
    COUNT_BITS,
    DELTA_MASK,
    DIRECTIONS,
    EDGE,
    FIRST_COUNTED,
    KIND_BITS,
    KIND_MASK,
    LINES,
    NO_MOVE,
    PATTERN_BITS,
    PATTERN_MASK,
    STONES_MASK,
    S,
    T,
)
from ai.gomoku.kernels.patterns import B4, F3, F4, FIVE, FORBIDDEN, PERHAPS, RENJU, SIDES
from ai.system.compiler.jit import kernel

EMPTY, BLACK, _, OFF_BOARD = range(4)  # contents of a cell
CONTENT_MASK = (1 << CONTENT_BITS) - 1
EMPTY_LINE = (1 << 60) - 1  # all of it off the board
DIRECTION_MASK = (PATTERN_MASK << COMBINATION_BITS) | PATTERN_MASK  # both colours' patterns in the first direction
COUNT_MASK = (1 << COUNT_BITS) - 1

# A delta: combination of a cell before a move, with the cell and its classes.
DELTA_COMBINATION_MASK = 0xFFFFFFFF
DELTA_CELL_SHIFT, DELTA_KINDS_SHIFT = 32, 42


@kernel(S, int, int)
def count(st: Any, side: int, kind: int) -> int:
    """How many cells are of the class `kind` for `side`; THREE and THREE_PLUS are counted together."""
    return (st.counts[side] >> (COUNT_BITS * (kind - FIRST_COUNTED))) & COUNT_MASK


@kernel(S, int, int)
def kind_of(st: Any, cell: int, side: int) -> int:
    """The class of `cell` for `side`; 0 where there is a stone."""
    return (st.kind[cell] >> (KIND_BITS * side)) & KIND_MASK


@kernel(T, int, int)
def patterns_in(tb: Any, window: int, reach: int) -> int:
    """The patterns of both colours, in the first direction of a combination, for the cell in the middle of `window`."""
    side_mask = ((1 << (CONTENT_BITS * reach)) - 1) & 0x3FF
    left, right = window & side_mask, (window >> (CONTENT_BITS * (reach + 1))) & side_mask
    both = tb.pattern[tb.left[left] * SIDES + tb.right[right]]
    return (both & PATTERN_MASK) | ((both >> PATTERN_BITS) << COMBINATION_BITS)


@kernel(S, T, int)
def combination_at(st: Any, tb: Any, cell: int) -> int:
    """The combination of the empty `cell`, computed from its lines."""
    found = 0
    for direction in range(DIRECTIONS):
        at = direction * CELLS + cell
        window = st.lines[direction * LINES + tb.line_of[at]] >> (CONTENT_BITS * (tb.place_of[at] + EDGE - tb.reach))
        found |= patterns_in(tb, window, tb.reach) << (PATTERN_BITS * direction)
    return found


@kernel(S, T, int)
def key_after(st: Any, tb: Any, cell: int) -> int:
    """The key of the position after `make`."""
    return st.key ^ tb.zobrist[(st.side & 1) * CELLS + cell] ^ tb.turn_key


@kernel(S, T, int)
def make(st: Any, tb: Any, cell: int) -> int:
    """Play `cell` for the side to move."""
    side, stones, top = st.side & 1, st.stones & STONES_MASK, st.delta_count
    cell &= CELL_MASK
    counts_black, counts_white = st.counts[0], st.counts[1]
    st.saved_counts[2 * stones], st.saved_counts[2 * stones + 1] = counts_black, counts_white
    st.delta_start[stones] = top
    st.computed[2 * stones + 2] = st.computed[2 * stones + 3] = 0

    old, kinds, white = st.combination[cell], st.kind[cell], tb.white & 0x10000
    st.deltas[top & DELTA_MASK] = old | (cell << DELTA_CELL_SHIFT) | (kinds << DELTA_KINDS_SHIFT)
    st.delta_after[top & DELTA_MASK] = 0
    top += 1
    counts_black -= tb.count_unit[kinds & KIND_MASK]
    counts_white -= tb.count_unit[kinds >> KIND_BITS]
    st.kind[cell] = 0
    st.board[cell] = side + 1

    reach, size = tb.reach, tb.size
    for direction in range(DIRECTIONS):
        at = direction * CELLS + cell
        place = tb.place_of[at]
        index = direction * LINES + tb.line_of[at]
        line = st.lines[index] ^ ((side + 1) << (CONTENT_BITS * (place + EDGE)))
        st.lines[index] = line
        shift = PATTERN_BITS * direction
        others = ~(DIRECTION_MASK << shift)
        step = tb.step[direction]
        first = max(0, place - reach)
        last = min(size - 1, place + reach)
        other = cell + (first - place) * step
        window = line >> (CONTENT_BITS * (first + EDGE - reach))
        for _ in range(first, last + 1):
            if (window >> (CONTENT_BITS * reach)) & CONTENT_MASK == EMPTY:
                there = other & CELL_MASK
                old, kinds = st.combination[there], st.kind[there]
                new = (old & others) | (patterns_in(tb, window, reach) << shift)
                st.deltas[top & DELTA_MASK] = old | (there << DELTA_CELL_SHIFT) | (kinds << DELTA_KINDS_SHIFT)
                now_black = tb.kind[new & COMBINATION_MASK]
                now_white = tb.kind[white + ((new >> COMBINATION_BITS) & COMBINATION_MASK)]
                now = now_black | (now_white << KIND_BITS)
                st.delta_after[top & DELTA_MASK] = new | (now << DELTA_KINDS_SHIFT)
                top += 1
                counts_black += tb.count_unit[now_black] - tb.count_unit[kinds & KIND_MASK]
                counts_white += tb.count_unit[now_white] - tb.count_unit[kinds >> KIND_BITS]
                st.combination[there] = new
                st.kind[there] = now
            window >>= CONTENT_BITS
            other += step

    st.counts[0], st.counts[1] = counts_black, counts_white
    st.delta_count = top
    st.key ^= tb.zobrist[side * CELLS + cell] ^ tb.turn_key
    st.played[stones] = cell
    st.stones = stones + 1
    st.side = 1 - side
    st.nodes += 1
    return 0


@kernel(S, T)
def undo(st: Any, tb: Any) -> int:
    """Take back the last move. Return its cell."""
    side, stones = 1 - (st.side & 1), (st.stones - 1) & STONES_MASK
    cell = st.played[stones] & CELL_MASK
    for direction in range(DIRECTIONS):
        at = direction * CELLS + cell
        line = direction * LINES + tb.line_of[at]
        st.lines[line] ^= (side + 1) << (CONTENT_BITS * (tb.place_of[at] + EDGE))
    first = st.delta_start[stones]
    for number in range(first, st.delta_count):
        delta = st.deltas[number & DELTA_MASK]
        other = (delta >> DELTA_CELL_SHIFT) & CELL_MASK
        st.combination[other] = delta & DELTA_COMBINATION_MASK
        st.kind[other] = delta >> DELTA_KINDS_SHIFT
    st.delta_count = first
    st.counts[0], st.counts[1] = st.saved_counts[2 * stones], st.saved_counts[2 * stones + 1]
    st.board[cell] = EMPTY
    st.key ^= tb.zobrist[side * CELLS + cell] ^ tb.turn_key
    st.stones, st.side = stones, side
    return cell


@kernel(S, T)
def make_null(st: Any, tb: Any) -> int:
    """Pass."""
    stones = st.stones & STONES_MASK
    st.side = 1 - st.side
    st.key ^= tb.turn_key
    st.played[stones] = NO_MOVE
    st.delta_start[stones] = st.delta_count
    st.stones = stones + 1
    st.computed[2 * stones + 2] = st.computed[2 * stones + 3] = 0
    return 0


@kernel(S, T)
def undo_null(st: Any, tb: Any) -> int:
    """Take back a pass."""
    st.stones -= 1
    st.key ^= tb.turn_key
    st.side = 1 - st.side
    return 0


@kernel(S, T)
def clear_board(st: Any, tb: Any) -> int:
    """Empty the board, with black to move."""
    for index in range(DIRECTIONS * LINES):
        st.lines[index] = EMPTY_LINE
    for cell in range(CELLS):
        st.board[cell] = OFF_BOARD
        st.combination[cell] = st.kind[cell] = 0
    for number in range(tb.cell_count):
        cell = tb.cells[number]
        st.board[cell] = EMPTY
        for direction in range(DIRECTIONS):
            at = direction * CELLS + cell
            line = direction * LINES + tb.line_of[at]
            st.lines[line] ^= OFF_BOARD << (CONTENT_BITS * (tb.place_of[at] + EDGE))
    st.side = st.stones = st.key = st.delta_count = 0
    st.counts[0] = st.counts[1] = 0
    for number in range(tb.cell_count):
        cell = tb.cells[number]
        found = combination_at(st, tb, cell)
        st.combination[cell] = found
        for side in range(2):
            kind = tb.kind[side * tb.white + ((found >> (COMBINATION_BITS * side)) & COMBINATION_MASK)]
            st.counts[side] += tb.count_unit[kind]
            st.kind[cell] |= kind << (KIND_BITS * side)
    return 0


@kernel(S, T, int, int)
def find_cell(st: Any, tb: Any, side: int, kind: int) -> int:
    """A cell of the class `kind` for `side`, or NO_MOVE. Looks around the last move first."""
    if st.stones > 0:
        last = st.played[st.stones - 1]
        for direction in range(DIRECTIONS):
            step = tb.step[direction]
            for distance in range(-4, 5):
                cell = last + distance * step
                if kind_of(st, cell, side) == kind:
                    return cell
    for number in range(tb.cell_count):
        cell = tb.cells[number]
        if kind_of(st, cell, side) == kind:
            return cell
    return NO_MOVE


@kernel(S, T, int)
def is_forbidden(st: Any, tb: Any, cell: int) -> int:
    """Whether renju forbids black the empty `cell`, whoever is to move.

    A double three is forbidden only if its threes are real: each becomes a straight four with one more stone that is
    itself allowed, hence the recursion.
    """
    kind = st.kind[cell] & KIND_MASK
    if kind == FORBIDDEN:
        return 1
    if kind != PERHAPS:
        return 0
    combination = st.combination[cell]
    side = st.side
    st.side = 0
    make(st, tb, cell)
    threes = 0
    for direction in range(DIRECTIONS):
        shift = PATTERN_BITS * direction
        pattern = (combination >> shift) & PATTERN_MASK
        if pattern < F3 or pattern >= B4:
            continue
        step = tb.step[direction]
        # A straight four through `cell` is a row without a gap, so only the next empty cells can make it.
        real = False
        for sign in range(-1, 2, 2):
            way = sign * step
            other = cell + way
            while st.board[other] == BLACK:
                other += way
            straight = st.board[other] == EMPTY and (st.combination[other] >> shift) & PATTERN_MASK == F4
            if straight and st.kind[other] & KIND_MASK != FIVE and is_forbidden(st, tb, other) == 0:
                real = True
        if real:
            threes += 1
    undo(st, tb)
    st.side = side
    return 1 if threes > 1 else 0


@kernel(S, T, int)
def is_illegal(st: Any, tb: Any, cell: int) -> int:
    """Whether the rule forbids the side to move the empty `cell`."""
    if tb.rule != RENJU or st.side != 0 or st.kind[cell] & KIND_MASK < FORBIDDEN:
        return 0
    return is_forbidden(st, tb, cell)
