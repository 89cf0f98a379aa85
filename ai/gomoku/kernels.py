"""The board and the search of the gomoku engine, compiled. All kernels are in this one file, because numba
does not notice when a kernel in another file has changed.

The board: a cell is `(row + 5) * 32 + column + 5`, so that every cell has neighbours in all directions. A line
of cells is an integer, two bits a cell (0 empty, 1 black, 2 white, 3 off the board). For each empty cell and
colour `comb` holds the four patterns that a stone there would make (ai/gomoku/patterns.py), four bits each;
their class is in `kind`, and how many cells there are of a class in `tally`.

The search: principal variation search. Scores are from the side to move; `WIN` minus the plies to the win.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ai.gomoku.jit import array_type, kernel, record_type
from ai.gomoku.patterns import (
    B4,
    BLOCKED_THREE,
    CLASSES,
    F3,
    F4,
    FIVE,
    FORBIDDEN,
    FOUR,
    FOUR_PLUS,
    FOUR_THREE,
    NONE,
    OPEN_FOUR,
    PERHAPS,
    RENJU,
    SIDES,
    THREE,
    THREE_PLUS,
    THREE_THREE,
    TWO,
)

STRIDE, EDGE = 32, 5
CELLS = 30 * STRIDE
DIRECTIONS = 4
LINES = 64  # per direction
COMBINATIONS = 1 << 16
SETS = 2380  # of four patterns
VECTOR, HIDDEN, PAIRS = 15, 16, 8
INPUTS = 2 * VECTOR
LANES, LANE = 4, 16  # lanes of a word, each a signed number of so many bits, and all added up at once
HALF = (VECTOR + 1) // LANES
WORDS = 2 * HALF  # vector and worth to the side to move, and to the other
SIGN = 1 << (LANE - 1)
VECTOR_BITS, UNIT_BITS = 9, 8  # the units of vectors, and of what they are mixed with
CLIPPED = 4 << VECTOR_BITS
MOST_MOVES = 400
MOST_PLIES = 100
MOST_STONES = MOST_MOVES + 2 * MOST_PLIES
MOST_CHANGES = 41  # of a move: its own cell, and five on each side in four directions
KEPT = 3
FIELD, FULL = 9, 511  # bits of a field of `tally`
PV = MOST_PLIES + 1
SHARED_DEPTH = 3  # least depth at which threads keep out of each other's way

WIN = 30_000
PROVEN = 29_000
INFINITY = 31_000
NO_MOVE = 0
NO_EVAL = 32_767

EXACT, LOWER, UPPER = 1, 2, 3

# The knobs.
RFP, RAZOR, LMP_BASE, LMP_SCALE, NULL_BASE, NULL_SLOPE, LEAF_VCF = range(7)
RAZOR_VCF, IIR, RFP_DEPTH, LMP_DEPTH, LEAF_FOURS, LMR, ROOT_LMR = range(8, 15)
# Those that make a weaker player: moves tried at a node (0: all), error of the evaluation, and its seed.
BREADTH, NOISE, NOISE_SEED = range(15, 18)
LEAF_WHERE, RAZOR_WHERE, KEEP_LEAF, KILLER, COUNTER, HISTORY = range(19, 25)
ANYWHERE, FIRST_ANYWHERE, NEARBY = range(3)
BEYOND = 18  # plies beyond the horizon in which an open four is still prevented
KNOB_COUNT = 32

PARTS = 2  # bits: worth is counted in quarters of the evaluation, for most of them are small
THREATS = 1 << 11  # what `threats` may tell of a position

i1, u1, u2 = np.int8, np.uint8, np.uint16
i4, u4, i8 = np.int32, np.uint32, np.int64

TABLES = np.dtype(
    [
        ("rule", i8),
        ("size", i8),
        ("reach", i8),
        # What is on one side of a cell, by its cells, to the left and to the right; the patterns, by both sides.
        ("left", u1, (1024,)),
        ("right", u1, (1024,)),
        ("pattern", u1, (SIDES * SIDES,)),
        ("kind", u1, (2 * COMBINATIONS,)),  # class by combination, for black, then, where it differs, for white
        ("white", i8),  # where those of white begin
        ("unit", i8, (CLASSES,)),  # by class, a one in the field in which `tally` counts it
        ("set", u2, (COMBINATIONS,)),  # the number of the set of patterns
        # By set, for black, then, where it differs, for white: vector and worth to the side to move, and to the other
        ("vectors", i8, (2 * SETS * WORDS,)),
        ("white_vectors", i8),
        # What becomes of the sums of vectors, with black to move, then white; of the hidden units two are in a word
        ("shift", i4, (2 * INPUTS,)),
        ("mixing", i8, (2 * INPUTS * PAIRS,)),
        ("mixing_shift", i8, (2 * PAIRS,)),
        ("out", i4, (2 * HIDDEN,)),
        # Worth as a move, for ordering, to make for black and for white, and to prevent for black and for white
        ("rank", i4, (4 * COMBINATIONS,)),
        ("near_last", i4, (2 * CELLS,)),  # the same, by how far it is from the other side's last move
        ("near_own", i4, (2 * CELLS,)),  # … and from one's own last move
        ("threat", i4, (2 * THREATS,)),  # worth of the classes there are, with black to move, then white
        ("zobrist", i8, (2 * CELLS,)),
        ("turn_key", i8),
        ("line_of", i4, (DIRECTIONS * CELLS,)),
        ("place_of", i4, (DIRECTIONS * CELLS,)),
        ("step", i4, (DIRECTIONS,)),
        ("cells", i4, (MOST_MOVES,)),
        ("cell_count", i8),
        ("reduction", i4, (64 * 64,)),
        ("tempo", i4, (2,)),
        ("knob", i4, (KNOB_COUNT,)),  # what is tuned of the search, by the numbers below
    ],
    align=True,
)

STATE = np.dtype(
    [
        ("stop", i8),
        ("nodes", i8),
        ("node_limit", i8),
        ("deepest", i8),
        ("side", i8),
        ("stones", i8),
        ("key", i8),
        ("changed", i8),
        ("tally", i8, (2,)),  # how many cells are of each class, by colour
        ("vcf_left", i8),
        ("age", i8),
        ("mask", i8),
        ("shared", i8),  # other threads search the same position, and know it from the table
        ("root_count", i8),
        ("root_from", i8),
        ("root_depth", i8),
        ("best_move", i8),
        ("lines", i8, (DIRECTIONS * LINES,)),
        ("board", i1, (CELLS,)),
        ("comb", u4, (CELLS,)),  # 16 bits for black, 16 for white
        ("kind", u1, (CELLS,)),  # four bits for black, four for white; 0 where there is a stone
        ("kept", i8, (KEPT * MOST_STONES,)),  # for each move `tally` and `changed` before it
        ("changes", i8, (MOST_CHANGES * MOST_STONES,)),  # what was in `comb` and `kind`, with the cell
        ("became", u4, (MOST_CHANGES * MOST_STONES,)),  # what came into `comb`; 0 under a stone
        ("sums", i8, (2 * WORDS * (MOST_STONES + 1),)),  # of the vectors, by stones on the board and side to move
        ("summed", i1, (2 * (MOST_STONES + 1),)),  # whether they have been worked out
        ("hidden", i8, (PAIRS,)),
        ("played", i4, (MOST_STONES,)),
        ("history", i4, (2 * CELLS,)),
        ("counter", i4, (2 * CELLS,)),
        ("killers", i4, (2 * (MOST_PLIES + 4),)),
        ("static", i4, (MOST_PLIES + 4,)),
        ("moves", i4, ((MOST_PLIES + 2) * MOST_MOVES,)),
        ("later", i4, ((MOST_PLIES + 2) * MOST_MOVES,)),
        ("places", i4, ((MOST_PLIES + 2) * MOST_MOVES,)),
        ("scores", i4, ((MOST_PLIES + 2) * MOST_MOVES,)),
        ("pv", i4, ((PV + 1) * PV,)),
        ("pv_length", i4, (PV + 1,)),
        ("root_moves", i4, (MOST_MOVES,)),
        ("root_scores", i4, (MOST_MOVES,)),
    ],
    align=True,
)

S = record_type(STATE)
T = record_type(TABLES)
A = array_type()


# The board.


@kernel(S, int, int)
def tallied(st: Any, side: int, kind: int) -> int:
    """How many cells are of the class for `side`; THREE and THREE_PLUS are counted together."""
    return (st.tally[side] >> (FIELD * (kind - THREE_PLUS))) & FULL


@kernel(S, T, int)
def look_up(st: Any, tb: Any, cell: int) -> int:
    """What a stone on the empty `cell` would make in all directions, as `comb` has it."""
    reach = tb.reach
    low = (1 << (2 * reach)) - 1
    found = 0
    for direction in range(DIRECTIONS):
        at = direction * CELLS + cell
        window = st.lines[direction * LINES + tb.line_of[at]] >> (2 * (tb.place_of[at] + EDGE - reach))
        both = tb.pattern[tb.left[window & low] * SIDES + tb.right[(window >> (2 * reach + 2)) & low]]
        found |= ((both & 15) | ((both & 240) << 12)) << (4 * direction)
    return found


@kernel(S, T, int)
def make(st: Any, tb: Any, cell: int) -> int:
    """Plays `cell` for the side to move."""
    side, stones, top = st.side & 1, st.stones & 0x3FF, st.changed
    cell &= 0x3FF
    tally_black, tally_white = st.tally[0], st.tally[1]
    kept = KEPT * stones
    st.kept[kept], st.kept[kept + 1], st.kept[kept + 2] = tally_black, tally_white, top
    st.summed[2 * stones + 2] = st.summed[2 * stones + 3] = 0

    old, kinds, white = st.comb[cell], st.kind[cell], tb.white & 0x10000
    st.changes[top & 0x7FFF] = old | (cell << 32) | (kinds << 42)
    st.became[top & 0x7FFF] = 0
    top += 1
    tally_black -= tb.unit[kinds & 15]
    tally_white -= tb.unit[kinds >> 4]
    st.kind[cell] = 0
    st.board[cell] = side + 1

    reach, size = tb.reach, tb.size
    low = ((1 << (2 * reach)) - 1) & 0x3FF
    for direction in range(DIRECTIONS):
        at = direction * CELLS + cell
        place = tb.place_of[at]
        index = direction * LINES + tb.line_of[at]
        line = st.lines[index] ^ ((side + 1) << (2 * (place + EDGE)))
        st.lines[index] = line
        shift = 4 * direction
        keep = ~(0xF000F << shift)
        step = tb.step[direction]
        first = max(0, place - reach)
        last = min(size - 1, place + reach)
        other = cell + (first - place) * step
        window = line >> (2 * (first + EDGE - reach))
        for _ in range(first, last + 1):
            if (window >> (2 * reach)) & 3 == 0:
                both = tb.pattern[tb.left[window & low] * SIDES + tb.right[(window >> (2 * reach + 2)) & low]]
                there = other & 0x3FF  # the masks show the compiler that no index is negative
                old, kinds = st.comb[there], st.kind[there]
                new = (old & keep) | (((both & 15) | ((both & 240) << 12)) << shift)
                st.changes[top & 0x7FFF] = old | (there << 32) | (kinds << 42)
                st.became[top & 0x7FFF] = new
                top += 1
                now_black, now_white = tb.kind[new & 0xFFFF], tb.kind[white + ((new >> 16) & 0xFFFF)]
                tally_black += tb.unit[now_black] - tb.unit[kinds & 15]
                tally_white += tb.unit[now_white] - tb.unit[kinds >> 4]
                st.comb[there] = new
                st.kind[there] = now_black | (now_white << 4)
            window >>= 2
            other += step

    st.tally[0], st.tally[1] = tally_black, tally_white
    st.changed = top
    st.key ^= tb.zobrist[side * CELLS + cell] ^ tb.turn_key
    st.played[stones] = cell
    st.stones = stones + 1
    st.side = 1 - side
    st.nodes += 1
    return 0


@kernel(S, T)
def undo(st: Any, tb: Any) -> int:
    """Takes back the last move. Returns its cell."""
    side, stones = 1 - (st.side & 1), (st.stones - 1) & 0x3FF
    cell = st.played[stones] & 0x3FF
    for direction in range(DIRECTIONS):
        at = direction * CELLS + cell
        st.lines[direction * LINES + tb.line_of[at]] ^= (side + 1) << (2 * (tb.place_of[at] + EDGE))
    kept = KEPT * stones
    first = st.kept[kept + 2]
    for number in range(first, st.changed):
        change = st.changes[number & 0x7FFF]
        other = (change >> 32) & 0x3FF
        st.comb[other] = change & 0xFFFFFFFF
        st.kind[other] = change >> 42
    st.changed = first
    st.tally[0], st.tally[1] = st.kept[kept], st.kept[kept + 1]
    st.board[cell] = 0
    st.key ^= tb.zobrist[side * CELLS + cell] ^ tb.turn_key
    st.stones, st.side = stones, side
    return cell


@kernel(S, T)
def reset(st: Any, tb: Any) -> int:
    """Makes the board empty."""
    for index in range(DIRECTIONS * LINES):
        st.lines[index] = (1 << 60) - 1
    for cell in range(CELLS):
        st.board[cell] = 3
        st.comb[cell] = st.kind[cell] = 0
    for number in range(tb.cell_count):
        cell = tb.cells[number]
        st.board[cell] = 0
        for direction in range(DIRECTIONS):
            at = direction * CELLS + cell
            st.lines[direction * LINES + tb.line_of[at]] ^= 3 << (2 * (tb.place_of[at] + EDGE))
    st.side = st.stones = st.key = st.changed = 0
    st.tally[0] = st.tally[1] = 0
    for word in range(2 * WORDS):
        st.sums[word] = 0
    st.summed[0] = st.summed[1] = 1
    for number in range(tb.cell_count):
        cell = tb.cells[number]
        found = look_up(st, tb, cell)
        st.comb[cell] = found
        for side in range(2):
            combination = (found >> (16 * side)) & 0xFFFF
            kind = tb.kind[side * tb.white + combination]
            st.tally[side] += tb.unit[kind]
            st.kind[cell] |= kind << (4 * side)
            vector = side * tb.white_vectors + tb.set[combination] * WORDS
            for word in range(HALF):  # its own view first, then the other side's
                st.sums[side * WORDS + word] += tb.vectors[vector + word]
                st.sums[(1 - side) * WORDS + HALF + word] += tb.vectors[vector + HALF + word]
    return 0


@kernel(S, int)
def threats(st: Any, side: int) -> int:
    """Which classes of moves there are for `side`, a bit each."""
    fours = (tallied(st, side, FOUR) > 0) | ((tallied(st, side, FOUR_PLUS) > 0) << 1)
    threes = (tallied(st, side, THREE_PLUS) > 0) | ((tallied(st, side, THREE_THREE) > 0) << 1)
    return fours | ((tallied(st, side, FOUR_THREE) > 0) << 2) | (threes << 3)


@kernel(S, T)
def sum_up(st: Any, tb: Any) -> int:
    """Brings `sums` up to date as the side to move sees them: from the last position in which they are known, by all
    that has changed since. They are worked out for the position before this one too, where its other moves find them.
    """
    view, stones = st.side & 1, st.stones  # as elsewhere, a mask shows that no index is negative
    known = stones
    while st.summed[(2 * known + view) & 0xFFF] == 0:
        known -= 1
    black_row, white_row = HALF * view, (tb.white_vectors & 0xFFFF) + HALF - HALF * view
    for target in range(max(known + 1, stones - 1), stones + 1):
        st.summed[(2 * target + view) & 0xFFF] = 1
        before, own = WORDS * ((2 * known + view) & 0xFFF), WORDS * ((2 * target + view) & 0xFFF)
        # One by one, and kept out of `sums`, so that the processor may add four words at once.
        black_0, white_0 = st.sums[before + black_row], st.sums[before + HALF - black_row]
        black_1, white_1 = st.sums[before + black_row + 1], st.sums[before + HALF - black_row + 1]
        black_2, white_2 = st.sums[before + black_row + 2], st.sums[before + HALF - black_row + 2]
        black_3, white_3 = st.sums[before + black_row + 3], st.sums[before + HALF - black_row + 3]
        last = st.changed if target == stones else st.kept[(KEPT * target + 2) & 0xFFF]
        for number in range(st.kept[(KEPT * known + 2) & 0xFFF], last):
            old, new = st.changes[number & 0x7FFF], st.became[number & 0x7FFF]
            was, now = tb.set[old & 0xFFFF], tb.set[new & 0xFFFF]
            if now != was:
                plus, minus = now * WORDS + black_row, was * WORDS + black_row
                black_0 += tb.vectors[plus] - tb.vectors[minus]
                black_1 += tb.vectors[plus + 1] - tb.vectors[minus + 1]
                black_2 += tb.vectors[plus + 2] - tb.vectors[minus + 2]
                black_3 += tb.vectors[plus + 3] - tb.vectors[minus + 3]
            was, now = tb.set[(old >> 16) & 0xFFFF], tb.set[(new >> 16) & 0xFFFF]
            if now != was:
                plus, minus = now * WORDS + white_row, was * WORDS + white_row
                white_0 += tb.vectors[plus] - tb.vectors[minus]
                white_1 += tb.vectors[plus + 1] - tb.vectors[minus + 1]
                white_2 += tb.vectors[plus + 2] - tb.vectors[minus + 2]
                white_3 += tb.vectors[plus + 3] - tb.vectors[minus + 3]
        st.sums[own + black_row], st.sums[own + HALF - black_row] = black_0, white_0
        st.sums[own + black_row + 1], st.sums[own + HALF - black_row + 1] = black_1, white_1
        st.sums[own + black_row + 2], st.sums[own + HALF - black_row + 2] = black_2, white_2
        st.sums[own + black_row + 3], st.sums[own + HALF - black_row + 3] = black_3, white_3
        known = target
    return 0


@kernel(int)
def low_half(word: int) -> int:
    """The lower of two signed numbers that were added as (one << 32) + other."""
    return ((word & 0xFFFFFFFF) ^ 0x80000000) - 0x80000000


@kernel(S, T)
def judge(st: Any, tb: Any) -> int:
    """What the stones are worth to the side to move, in quarters: the sums of their worths, and the network that sees
    the sums of their vectors."""
    sum_up(st, tb)
    side = st.side & 1
    first = WORDS * ((2 * st.stones + side) & 0xFFF)
    for pair in range(PAIRS):
        st.hidden[pair] = tb.mixing_shift[PAIRS * side + pair]
    at = INPUTS * side
    worth = 0
    for half in range(2):
        word = 0
        for number in range(HALF):
            word = st.sums[first + HALF * half + number]
            for _ in range(LANES if number < HALF - 1 else LANES - 1):
                lane = ((word & (2 * SIGN - 1)) ^ SIGN) - SIGN
                word = (word - lane) >> LANE
                seen = max(0, min(CLIPPED, lane + tb.shift[at & 0x3F])) >> (VECTOR_BITS - UNIT_BITS)
                if seen > 0:
                    for pair in range(PAIRS):
                        st.hidden[pair] += seen * tb.mixing[PAIRS * (at & 0x3F) + pair]
                at += 1
        worth += word if half == 0 else -word  # which is in the last lane
    value = 0
    for pair in range(PAIRS):
        units, low = st.hidden[pair], low_half(st.hidden[pair])
        value += (max(0, low) >> UNIT_BITS) * tb.out[HIDDEN * side + 2 * pair]
        value += (max(0, (units - low) >> 32) >> UNIT_BITS) * tb.out[HIDDEN * side + 2 * pair + 1]
    return worth + (value >> UNIT_BITS)


@kernel(S, T)
def evaluate(st: Any, tb: Any) -> int:
    """The worth of the board for the side to move, without looking ahead."""
    side = st.side
    value = judge(st, tb) + tb.tempo[side]
    urgent = (tallied(st, 1 - side, OPEN_FOUR) > 0) << 10
    value += tb.threat[side * THREATS + threats(st, side) + (threats(st, 1 - side) << 5) + urgent]
    value >>= PARTS
    noise = tb.knob[NOISE]
    if noise != 0:
        drawn = (((st.key ^ tb.knob[NOISE_SEED]) & 0xFFFFFFF) * 0x9E3779B1) >> 20
        value += ((drawn & 0x3FF) - 512) * noise // 512
    return max(-PROVEN + 1000, min(PROVEN - 1000, value))


@kernel(S, T, int, int)
def find(st: Any, tb: Any, side: int, kind: int) -> int:
    """A cell of that class for `side`, or NO_MOVE. Looks around the last move first."""
    shift = 4 * side
    if st.stones > 0:
        last = st.played[st.stones - 1]
        for direction in range(DIRECTIONS):
            step = tb.step[direction]
            for distance in range(-4, 5):
                cell = last + distance * step
                if (st.kind[cell] >> shift) & 15 == kind:
                    return cell
    for number in range(tb.cell_count):
        cell = tb.cells[number]
        if (st.kind[cell] >> shift) & 15 == kind:
            return cell
    return NO_MOVE


@kernel(S, T, int)
def forbidden(st: Any, tb: Any, cell: int) -> int:
    """Whether black may not play the empty `cell` in renju. Only real threes count: those that a further
    legal stone makes a straight four."""
    kind = st.kind[cell] & 15
    if kind == FORBIDDEN:
        return 1
    if kind != PERHAPS:
        return 0
    combination = st.comb[cell]
    side = st.side
    st.side = 0
    make(st, tb, cell)
    threes = 0
    for direction in range(DIRECTIONS):
        pattern = (combination >> (4 * direction)) & 15
        if pattern < F3 or pattern >= B4:
            continue
        step = tb.step[direction]
        # A straight four through `cell` is a row without a gap, so only the next empty cells can make it.
        real = False
        for sign in range(-1, 2, 2):
            way = sign * step
            other = cell + way
            while st.board[other] == 1:
                other += way
            made = (st.comb[other] >> (4 * direction)) & 15
            if st.board[other] == 0 and made == F4 and st.kind[other] & 15 != FIVE and forbidden(st, tb, other) == 0:
                real = True
        if real:
            threes += 1
    undo(st, tb)
    st.side = side
    return 1 if threes > 1 else 0


@kernel(S, T, int)
def denied(st: Any, tb: Any, cell: int) -> int:
    """Whether the rule forbids the side to move to play `cell`."""
    if tb.rule != RENJU or st.side != 0 or st.kind[cell] & 15 < FORBIDDEN:
        return 0
    return forbidden(st, tb, cell)


# Victory by continuous fours.


@kernel(S, T, A, int, int)
def vcf(st: Any, tb: Any, tt: Any, depth: int, where: int) -> int:
    """Plies in which the side to move wins by fours alone, at most `depth` of them; 0 when none is found.

    Spends `vcf_left`. `where` the fours may be: ANYWHERE, or, after a first one, on a line with the last one
    (FIRST_ANYWHERE, then NEARBY).
    """
    own, other = st.side, 1 - st.side
    if tallied(st, own, FIVE) > 0:
        return 1
    must = NO_MOVE
    if tallied(st, other, FIVE) > 0:
        if tallied(st, other, FIVE) > 1:
            return 0
        must = find(st, tb, other, FIVE)
        kind = (st.kind[must] >> (4 * own)) & 15
        if kind < FOUR or kind > OPEN_FOUR:
            return 0
    elif tallied(st, own, OPEN_FOUR) > 0:
        return 3
    fours = tallied(st, own, FOUR) + tallied(st, own, FOUR_PLUS) + tallied(st, own, FOUR_THREE)
    if depth <= 0 or (fours == 0 and must == NO_MOVE) or st.vcf_left <= 0 or st.stop != 0:
        return 0
    slot = (((st.key ^ 0x55AA55AA5A5A) >> 3) & st.mask) * 2
    kept = tt[slot + 1]
    salted = st.key ^ 0x2545F4914F6CDD1 ^ (where << 50)
    if tt[slot] ^ kept == salted and (kept & 0xFF) >= depth:
        return (kept >> 8) & 0xFF
    shift = 4 * own
    last = st.played[st.stones - 2] if where == NEARBY else NO_MOVE
    candidates = 4 * 9 if where == NEARBY else tb.cell_count
    then = where if where != FIRST_ANYWHERE else where + 1
    for wanted in range(OPEN_FOUR, FOUR - 1, -1):
        if must != NO_MOVE and wanted != (st.kind[must] >> shift) & 15:
            continue
        unseen = tallied(st, own, wanted)
        if unseen == 0:
            continue
        for number in range(candidates):
            cell = must
            if must == NO_MOVE and where == NEARBY:
                cell = last + tb.step[number // 9] * (number % 9 - 4)
            elif must == NO_MOVE:
                cell = tb.cells[number]
            if unseen == 0:
                break
            if (st.kind[cell] >> shift) & 15 != wanted:
                continue
            unseen -= 1
            st.vcf_left -= 1
            make(st, tb, cell)
            plies = 3
            if tallied(st, own, FIVE) == 1:
                reply = find(st, tb, own, FIVE)
                if denied(st, tb, reply) == 0:
                    make(st, tb, reply)
                    found = vcf(st, tb, tt, depth - 1, then)
                    plies = found + 2 if found > 0 else 0
                    undo(st, tb)
            undo(st, tb)
            if plies > 0:
                tt[slot + 1] = (plies << 8) | 0xFF
                tt[slot] = salted ^ tt[slot + 1]
                return plies
            if st.stop != 0 or st.vcf_left <= 0:
                return 0
            if must != NO_MOVE:
                break
    tt[slot + 1] = min(depth, 0xFE)
    tt[slot] = salted ^ tt[slot + 1]
    return 0


# Moves.


@kernel(S, T, int, int)
def blocks(st: Any, tb: Any, threat: int, cell: int) -> int:
    """Whether `cell` may stop the side not to move from making an open four on `threat`."""
    if cell == threat:
        return 1
    combination = st.comb[threat] >> (16 - 16 * st.side)
    for direction in range(DIRECTIONS):
        if (combination >> (4 * direction)) & 15 < B4:
            continue
        if tb.line_of[direction * CELLS + cell] == tb.line_of[direction * CELLS + threat]:
            away = tb.place_of[direction * CELLS + cell] - tb.place_of[direction * CELLS + threat]
            if -tb.reach <= away <= tb.reach:
                return 1
    return 0


@kernel(S, T, int, int)
def generate(st: Any, tb: Any, ply: int, hint: int) -> int:
    """Writes the moves worth trying and their ranks for `ply`; returns how many."""
    own = st.side & 1
    other = 1 - own
    ply &= 0x7F
    start = ply * MOST_MOVES
    count = 0
    if tallied(st, other, FIVE) > 0:
        st.moves[start] = find(st, tb, other, FIVE)
        st.scores[start] = 0
        return 1
    threat = NO_MOVE
    if tallied(st, other, OPEN_FOUR) > 0:
        threat = find(st, tb, other, OPEN_FOUR)
    killer_1, killer_2 = st.killers[2 * ply], st.killers[2 * ply + 1]
    last = st.played[st.stones - 1] if st.stones > 0 else NO_MOVE
    before = st.played[st.stones - 2] if st.stones > 1 else NO_MOVE
    answer = st.counter[other * CELLS + last]
    own_rank, other_rank = own * COMBINATIONS, (2 + own) * COMBINATIONS
    for least in range(TWO, NONE, -1):  # what is next to nothing only where there is nothing else
        for number in range(tb.cell_count):
            cell = tb.cells[number] & 0x3FF
            kinds = st.kind[cell]  # 0 on a stone
            if (kinds & 15) < least and (kinds >> 4) < least:
                continue
            own_kind, other_kind = (kinds >> (4 * own)) & 15, (kinds >> (4 * other)) & 15
            idle = threat != NO_MOVE and (own_kind < FOUR or own_kind > OPEN_FOUR)
            if idle and (other_kind < BLOCKED_THREE or not blocks(st, tb, threat, cell)):
                continue
            if own_kind >= FORBIDDEN and denied(st, tb, cell) != 0:
                continue
            both = st.comb[cell]
            rank = tb.rank[own_rank + ((both >> (16 * own)) & 0xFFFF)]
            rank += tb.rank[other_rank + ((both >> (16 * other)) & 0xFFFF)]
            rank += tb.near_last[CELLS + cell - last] + tb.near_own[CELLS + cell - before]
            rank += (st.history[own * CELLS + cell] * tb.knob[HISTORY]) >> 8
            if cell in (killer_1, killer_2):
                rank += tb.knob[KILLER]
            if cell == answer:
                rank += tb.knob[COUNTER]
            if cell == hint:
                rank += 1 << 24
            st.moves[start + count] = cell
            st.scores[start + count] = rank
            count += 1
        if count > 0:
            break
    return count


@kernel(S, int, int, int)
def pick(st: Any, ply: int, index: int, count: int) -> int:
    """Brings the best of the moves from `index` on to that place, and returns it."""
    start = (ply & 0x7F) * MOST_MOVES
    best = start + index
    for other in range(best + 1, start + count):
        if st.scores[other] > st.scores[best]:
            best = other
    here = start + index
    move, score = st.moves[best], st.scores[best]
    st.moves[best], st.scores[best] = st.moves[here], st.scores[here]
    st.moves[here], st.scores[here] = move, score
    return move


@kernel(S, int, int, int)
def reward(st: Any, side: int, cell: int, amount: int) -> int:
    """Moves the history of a move towards `amount`, which is at most 2,000 either way."""
    at = side * CELLS + cell
    st.history[at] += amount - st.history[at] * abs(amount) // 4000
    return 0


# The transposition table: pairs of (key ^ data, data), so that a pair torn by another thread does not match.


@kernel(int, int, int, int, int, int)
def packed(score: int, move: int, depth: int, bound: int, static: int, age: int) -> int:
    return (
        (score + 32_768)
        | (move << 16)
        | (depth << 26)
        | (bound << 34)
        | ((static + 32_768) << 36)
        | (age << 52)
    )


@kernel(A)
def clear(tt: Any) -> int:
    """Empties the table."""
    for index in range(len(tt)):
        tt[index] = 0
    return 0


@kernel(S, A)
def probe(st: Any, tt: Any) -> int:
    """The data kept for this position, or 0."""
    slot = (st.key & st.mask) * 2
    data = tt[slot + 1]
    if tt[slot] ^ data == st.key:
        return data
    slot ^= 2
    data = tt[slot + 1]
    return data if tt[slot] ^ data == st.key else 0


@kernel(S, A, int)
def store(st: Any, tt: Any, data: int) -> int:
    """Keeps `data` in place of an older or shallower pair."""
    slot = (st.key & st.mask) * 2
    first, second = tt[slot + 1], tt[(slot ^ 2) + 1]
    if tt[slot] ^ first != st.key:
        if tt[slot ^ 2] ^ second == st.key:
            slot ^= 2
        else:
            worth_first = ((first >> 26) & 0xFF) - 16 * (((st.age - (first >> 52)) & 0xFF) > 0)
            worth_second = ((second >> 26) & 0xFF) - 16 * (((st.age - (second >> 52)) & 0xFF) > 0)
            if worth_second < worth_first:
                slot ^= 2
    tt[slot] = st.key ^ data
    tt[slot + 1] = data
    return 0


@kernel(int, int)
def from_root(score: int, ply: int) -> int:
    """A kept score, which counts plies from its own position, as one that counts from the root."""
    if score > PROVEN:
        return score - ply
    return score + ply if score < -PROVEN else score


# Several threads: a move that another one is searching at the same depth comes later. What is being searched stands
# behind the pairs of the table. (T. Kerrigan's simplification of ABDADA.)

BUSY = 1 << 12


@kernel(S, T, int, int)
def busy_key(st: Any, tb: Any, move: int, depth: int) -> int:
    """What is written while `move` is searched to `depth`."""
    return (st.key ^ tb.zobrist[st.side * CELLS + move] ^ (depth << 52)) | 1


@kernel(S, A, int, int)
def set_busy(st: Any, tt: Any, busy: int, value: int) -> int:
    tt[2 * (st.mask + 1) + ((busy >> 1) & (BUSY - 1))] = value
    return 0


@kernel(S, A, int)
def is_busy(st: Any, tt: Any, busy: int) -> int:
    return 1 if tt[2 * (st.mask + 1) + ((busy >> 1) & (BUSY - 1))] == busy else 0


# The search.


@kernel(S, T, A, int, int, int, int, int)
def search(st: Any, tb: Any, tt: Any, depth: int, alpha: int, beta: int, ply: int, nullable: int) -> int:
    """The score of the position for the side to move, exact if within alpha … beta, else a bound.

    `depth` in plies; `nullable` 0 right after a null move. Meaningless once `stop` is set.
    """
    # A literal as an argument of a recursive call breaks the cache of numba: these are not literals.
    yes, no = nullable | 1, nullable & 0
    ply &= 0x7F
    st.pv_length[ply] = 0
    own = st.side & 1
    other = 1 - own
    if tallied(st, own, FIVE) > 0:
        return WIN - ply - 1
    if st.stones >= tb.cell_count:
        return 0
    fives = tallied(st, other, FIVE)
    if fives > 1:
        return ply + 2 - WIN
    if fives == 1:
        if denied(st, tb, find(st, tb, other, FIVE)) != 0:
            return ply + 2 - WIN
    elif tallied(st, own, OPEN_FOUR) > 0:
        return WIN - ply - 3
    alpha, beta = max(alpha, ply + 2 - WIN), min(beta, WIN - ply - 1)
    if alpha >= beta:
        return alpha
    if st.stop != 0:
        return 0
    if st.nodes >= st.node_limit:
        st.stop = 1
        return 0
    st.deepest = max(st.deepest, ply)
    wide = beta - alpha > 1
    urgent = fives > 0 or tallied(st, other, OPEN_FOUR) > 0

    data = probe(st, tt)
    hint = NO_MOVE
    static = NO_EVAL
    if data != 0:
        hint = (data >> 16) & 0x3FF
        static = ((data >> 36) & 0xFFFF) - 32_768
        kept = from_root((data & 0xFFFF) - 32_768, ply)
        bound = (data >> 34) & 3
        deep_enough = not wide and ((data >> 26) & 0xFF) >= max(depth, 0)
        if deep_enough and (bound == EXACT or (bound == LOWER and kept >= beta) or (bound == UPPER and kept <= alpha)):
            return kept
    if static == NO_EVAL and (fives == 0 or ply >= MOST_PLIES - 2):
        static = evaluate(st, tb)
    st.static[ply] = static if static != NO_EVAL or ply < 2 else st.static[ply - 2]  # a forced reply is not judged
    if ply >= MOST_PLIES - 2:
        return static

    if depth <= 0 and fives == 0:
        # A single plain four leads nowhere by itself.
        fours = tallied(st, own, FOUR) + 2 * tallied(st, own, FOUR_PLUS) + 3 * tallied(st, own, FOUR_THREE)
        if fours >= tb.knob[LEAF_FOURS]:
            st.vcf_left = tb.knob[LEAF_VCF]
            plies = vcf(st, tb, tt, 10, tb.knob[LEAF_WHERE])
            if plies > 0:
                store(st, tt, packed(WIN - plies, NO_MOVE, 0, LOWER, static, st.age))
                return WIN - ply - plies
        if not urgent or depth <= -tb.knob[BEYOND]:
            if tb.knob[KEEP_LEAF] != 0:
                store(st, tt, packed(static, NO_MOVE, 0, EXACT, static, st.age))
            return static
    beyond = min(depth - 1, 0)
    depth = max(depth, 1)

    improving = ply >= 2 and static > st.static[ply - 2]
    if not wide and not urgent and abs(beta) < PROVEN:
        # Far above beta, or so far below alpha that only continuous fours could help.
        if depth <= tb.knob[RFP_DEPTH] and static - tb.knob[RFP] * (depth - improving) >= beta:
            return static
        if depth <= 3 and static + tb.knob[RAZOR] * depth < alpha:
            st.vcf_left = tb.knob[RAZOR_VCF]
            plies = vcf(st, tb, tt, 14, tb.knob[RAZOR_WHERE])
            return WIN - ply - plies if plies > 0 else static
        may_pass = tb.knob[NULL_BASE] > 0 and nullable != 0 and st.stones + 1 < tb.cell_count
        if may_pass and depth >= 3 and static >= beta:
            # The right to move is worth so much that a side which can pass it up stands above beta.
            st.side = other
            st.key ^= tb.turn_key
            st.played[st.stones] = NO_MOVE
            st.kept[KEPT * st.stones + 2] = st.changed
            st.stones += 1
            st.summed[2 * st.stones] = st.summed[2 * st.stones + 1] = 0
            shallow = depth - tb.knob[NULL_BASE] - depth // tb.knob[NULL_SLOPE]
            score = -search(st, tb, tt, shallow, -beta, 1 - beta, ply + 1, no)
            st.stones -= 1
            st.key ^= tb.turn_key
            st.side = own
            if st.stop != 0:
                return 0
            if score >= beta:
                return beta if score > PROVEN else score
    if hint == NO_MOVE and depth >= tb.knob[IIR] and not urgent:
        depth -= 1

    start = ply * MOST_MOVES
    count = MOST_MOVES
    if hint == NO_MOVE:
        count = generate(st, tb, ply, hint)
        if count == 0:  # not one move that means anything, or is allowed
            return ply + 4 - WIN if urgent else 0
    st.killers[2 * ply + 2] = st.killers[2 * ply + 3] = NO_MOVE
    best, best_move, floor = -INFINITY, NO_MOVE, alpha
    breadth = tb.knob[BREADTH] if tb.knob[BREADTH] > 0 else MOST_MOVES
    defer = st.shared != 0 and depth >= SHARED_DEPTH
    deferred, turn, picked = 0, 0, count
    while turn < picked + deferred:
        if turn == 1 and picked == MOST_MOVES:  # the move that was known has not been enough
            picked = count = generate(st, tb, ply, hint)
            pick(st, ply, 0, count)
            if count < 2:
                break
        if defer and turn > 1 and not wide:  # another thread may have done with this position
            data = probe(st, tt)
            if data != 0 and ((data >> 26) & 0xFF) >= depth:
                kept, bound = from_root((data & 0xFFFF) - 32_768, ply), (data >> 34) & 3
                if bound == EXACT or (bound == LOWER and kept >= beta) or (bound == UPPER and kept <= alpha):
                    return kept
        if turn < picked:
            index = turn
            move = hint if index == 0 and hint != NO_MOVE else pick(st, ply, index, count)
            if defer and index > 0 and is_busy(st, tt, busy_key(st, tb, move, depth)) != 0:
                st.later[start + deferred], st.places[start + deferred] = move, index
                deferred += 1
                turn += 1
                continue
        else:
            move, index = st.later[start + turn - picked], st.places[start + turn - picked]
        turn += 1
        own_kind, other_kind = (st.kind[move] >> (4 * own)) & 15, (st.kind[move] >> (4 * other)) & 15
        quiet = own_kind < BLOCKED_THREE and other_kind < THREE
        if index >= breadth and not urgent:
            picked = min(picked, turn)
            continue
        if not urgent and best > -PROVEN and depth <= tb.knob[LMP_DEPTH]:
            limit = tb.knob[LMP_BASE] + depth * depth * tb.knob[LMP_SCALE] // (100 if improving else 200)
            if index >= limit and (quiet or index >= 3 * limit):
                if quiet:
                    picked = min(picked, turn)
                continue
        further = depth - 1 + beyond
        reduce = 0
        if depth >= 3 and index > 1 and fives == 0:
            reduce = tb.reduction[min(depth, 63) * 64 + min(index, 63)]
            if not quiet:
                reduce -= 1
            if not improving:
                reduce += 1
            reduce = reduce * tb.knob[LMR] // 100
            reduce = max(0, min(reduce, further - 1))
        busy = busy_key(st, tb, move, depth) if defer and index > 0 else 0
        if busy != 0:
            set_busy(st, tt, busy, busy)
        make(st, tb, move)
        if index == 0:
            score = -search(st, tb, tt, further, -beta, -floor, ply + 1, yes)
        else:
            score = -search(st, tb, tt, further - reduce, -floor - 1, -floor, ply + 1, yes)
            if score > floor and reduce > 0:
                score = -search(st, tb, tt, further, -floor - 1, -floor, ply + 1, yes)
            if wide and score > floor and score < beta:
                score = -search(st, tb, tt, further, -beta, -floor, ply + 1, yes)
        undo(st, tb)
        if busy != 0:
            set_busy(st, tt, busy, 0)
        if st.stop != 0:
            return 0
        if score > best:
            best, best_move = score, move
            if score > floor:
                floor = score
                if wide:
                    st.pv[ply * PV] = move
                    length = min(st.pv_length[ply + 1], PV - 2)
                    for place in range(length):
                        st.pv[ply * PV + 1 + place] = st.pv[(ply + 1) * PV + place]
                    st.pv_length[ply] = length + 1
        if floor >= beta:
            if fives == 0:
                amount = min(depth * depth * 8 + 8, 1500)
                if st.killers[2 * ply] != move:
                    st.killers[2 * ply + 1] = st.killers[2 * ply]
                    st.killers[2 * ply] = move
                if st.stones > 0:
                    st.counter[other * CELLS + st.played[st.stones - 1]] = move
                reward(st, own, move, amount)
                for tried in range(min(turn, picked) if turn > 1 else 0):
                    if st.moves[start + tried] != move:
                        reward(st, own, st.moves[start + tried], -amount)
            break
    kept = best + ply if best > PROVEN else best - ply if best < -PROVEN else best
    bound = LOWER if best >= beta else EXACT if wide and best > alpha else UPPER
    store(st, tt, packed(kept, best_move, depth + max(beyond, -1), bound, static, st.age))
    return best


@kernel(S, T)
def list_root_moves(st: Any, tb: Any) -> int:
    """Writes the moves worth trying into `root_moves`, most promising first; returns how many."""
    found = generate(st, tb, 0, NO_MOVE)
    count = 0
    for index in range(found):
        move = pick(st, 0, index, found)
        if denied(st, tb, move) == 0:
            st.root_moves[count] = move
            count += 1
    other = 1 - st.side
    if tb.knob[BREADTH] > 0 and tallied(st, other, FIVE) + tallied(st, other, OPEN_FOUR) == 0:
        count = min(count, tb.knob[BREADTH])
    st.root_count = count
    st.root_from = 0
    return count


@kernel(S, T, A, int, int, int)
def search_root(st: Any, tb: Any, tt: Any, depth: int, alpha: int, beta: int) -> int:
    """Searches the moves of `root_moves` from `root_from` on, best first afterwards. The best is `best_move`
    and its line `pv`; after a stop they are those of the moves that were searched to the end."""
    best, floor = -INFINITY, alpha
    st.root_depth = depth
    st.best_move = NO_MOVE
    st.pv_length[0] = 0
    defer = st.shared != 0 and depth >= SHARED_DEPTH
    deferred, turn, count = 0, st.root_from, st.root_count
    while turn < count + deferred:
        index = turn
        if turn < count:
            move = st.root_moves[index]
            if defer and index > st.root_from and is_busy(st, tt, busy_key(st, tb, move, depth)) != 0:
                st.later[deferred] = move
                deferred += 1
                turn += 1
                continue
        else:
            move, index = st.later[turn - count], st.root_from
            while st.root_moves[index] != move:
                index += 1
        turn += 1
        busy = busy_key(st, tb, move, depth) if defer and index > st.root_from else 0
        if busy != 0:
            set_busy(st, tt, busy, busy)
        reduce = 0
        if depth >= 3 and index > st.root_from + 2:
            reduce = tb.reduction[min(depth, 63) * 64 + min(index, 63)] * tb.knob[ROOT_LMR] // 100
            reduce = max(0, min(reduce - 1, depth - 2))
        make(st, tb, move)
        if index == st.root_from:
            score = -search(st, tb, tt, depth - 1, -beta, -floor, 1, 1)
        else:
            score = -search(st, tb, tt, depth - 1 - reduce, -floor - 1, -floor, 1, 1)
            if score > floor and reduce > 0:
                score = -search(st, tb, tt, depth - 1, -floor - 1, -floor, 1, 1)
            if score > floor and score < beta:
                score = -search(st, tb, tt, depth - 1, -beta, -floor, 1, 1)
        undo(st, tb)
        if busy != 0:
            set_busy(st, tt, busy, 0)
        if st.stop != 0:
            break
        if score > best:
            best = score
            if score > floor or index == st.root_from:
                st.best_move = move
                st.pv[0] = move
                length = min(st.pv_length[1], PV - 2)
                for place in range(length):
                    st.pv[1 + place] = st.pv[PV + place]
                st.pv_length[0] = length + 1
                for place in range(index, st.root_from, -1):
                    st.root_moves[place] = st.root_moves[place - 1]
                st.root_moves[st.root_from] = move
            floor = max(floor, score)
        if floor >= beta:
            break
    return best
