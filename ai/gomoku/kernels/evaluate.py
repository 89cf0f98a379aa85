"""Static evaluation: a piece-square table (PSQT) and a small network, both updated as moves are made.

Each set of four patterns at an empty cell has a value (https://www.chessprogramming.org/Piece-Square_Tables) and a
vector, the first layer of an efficiently updatable network (https://www.chessprogramming.org/NNUE), for the side to
move and for the opponent. So has each pair of classes that a cell has for the two sides, which tells where the threats
of one meet those of the other. Their sums are the accumulator, one for each number of stones on the board and side to
move. `ai.lab.tune` fits the weights.
"""

from __future__ import annotations

from typing import Any

from ai.gomoku.kernels.board import DELTA_KINDS_SHIFT, clear_board, count
from ai.gomoku.kernels.layout import (
    CLIPPED,
    COMBINATION_BITS,
    COMBINATION_MASK,
    DELTA_MASK,
    HALF_WORDS,
    HIDDEN,
    INPUTS,
    KEPT,
    KEPT_LENGTH,
    KINDS,
    LANE_BITS,
    LANES,
    PAIRS,
    PROVEN,
    SCORE_BITS,
    STONES_MASK,
    THREAT_BITS,
    THREATS,
    UNIT_BITS,
    VECTOR_BITS,
    WORDS,
    S,
    T,
)
from ai.gomoku.kernels.patterns import FOUR, FOUR_PLUS, FOUR_THREE, OPEN_FOUR, THREE_PLUS, THREE_THREE
from ai.system.compiler.jit import kernel

ACCUMULATOR_MASK = 0xFFF
LANE_MASK, LANE_SIGN = (1 << LANE_BITS) - 1, 1 << (LANE_BITS - 1)


@kernel(S, T)
def reset(st: Any, tb: Any) -> int:
    """Empty the board, with black to move, and compute its accumulators."""
    clear_board(st, tb)
    for word in range(2 * WORDS):
        st.accumulator[word] = 0
    st.computed[0] = st.computed[1] = 1
    for number in range(tb.cell_count):
        combinations = st.combination[tb.cells[number]]
        for side in range(2):
            combination = (combinations >> (COMBINATION_BITS * side)) & COMBINATION_MASK
            vector = side * tb.white_vectors + tb.set[combination] * WORDS
            for word in range(HALF_WORDS):  # the mover's view first, then the opponent's
                st.accumulator[side * WORDS + word] += tb.vectors[vector + word]
                st.accumulator[(1 - side) * WORDS + HALF_WORDS + word] += tb.vectors[vector + HALF_WORDS + word]
            both = (side * KINDS + st.kind[tb.cells[number]]) * WORDS
            for word in range(WORDS):
                st.accumulator[side * WORDS + word] += tb.both[both + word]
    return 0


@kernel(S, int)
def threats(st: Any, side: int) -> int:
    """The threats that `side` can make, as THREAT_BITS flags: one for each class of fours and threes."""
    fours = (count(st, side, FOUR) > 0) | ((count(st, side, FOUR_PLUS) > 0) << 1)
    threes = (count(st, side, THREE_PLUS) > 0) | ((count(st, side, THREE_THREE) > 0) << 1)
    return fours | ((count(st, side, FOUR_THREE) > 0) << 2) | (threes << 3)


@kernel(S, T)
def update_accumulator(st: Any, tb: Any) -> int:
    """Update the accumulator of the side to move lazily from its nearest computed ancestor.

    The parent's is computed on the way, where the siblings of this position find it.
    """
    view, stones = st.side & 1, st.stones
    known = stones
    while st.computed[(2 * known + view) & ACCUMULATOR_MASK] == 0:
        known -= 1
    black_row, other_row, both = HALF_WORDS * view, HALF_WORDS - HALF_WORDS * view, KINDS * WORDS * view
    white_row, kinds_mask = (tb.white_vectors & 0xFFFF) + other_row, tb.both_mask & 0xFF
    for target in range(max(known + 1, stones - 1), stones + 1):
        st.computed[(2 * target + view) & ACCUMULATOR_MASK] = 1
        before = WORDS * ((2 * known + view) & ACCUMULATOR_MASK)
        after = WORDS * ((2 * target + view) & ACCUMULATOR_MASK)
        # One by one and in local variables, so that LLVM's SLP vectoriser adds four words at once.
        black_0, white_0 = st.accumulator[before + black_row], st.accumulator[before + other_row]
        black_1, white_1 = st.accumulator[before + black_row + 1], st.accumulator[before + other_row + 1]
        black_2, white_2 = st.accumulator[before + black_row + 2], st.accumulator[before + other_row + 2]
        black_3, white_3 = st.accumulator[before + black_row + 3], st.accumulator[before + other_row + 3]
        last = st.delta_count if target == stones else st.delta_start[target & STONES_MASK]
        for number in range(st.delta_start[known & STONES_MASK], last):
            old, new = st.deltas[number & DELTA_MASK], st.delta_after[number & DELTA_MASK]
            old_set, new_set = tb.set[old & COMBINATION_MASK], tb.set[new & COMBINATION_MASK]
            if new_set != old_set:
                plus, minus = new_set * WORDS + black_row, old_set * WORDS + black_row
                black_0 += tb.vectors[plus] - tb.vectors[minus]
                black_1 += tb.vectors[plus + 1] - tb.vectors[minus + 1]
                black_2 += tb.vectors[plus + 2] - tb.vectors[minus + 2]
                black_3 += tb.vectors[plus + 3] - tb.vectors[minus + 3]
            old_set = tb.set[(old >> COMBINATION_BITS) & COMBINATION_MASK]
            new_set = tb.set[(new >> COMBINATION_BITS) & COMBINATION_MASK]
            if new_set != old_set:
                plus, minus = new_set * WORDS + white_row, old_set * WORDS + white_row
                white_0 += tb.vectors[plus] - tb.vectors[minus]
                white_1 += tb.vectors[plus + 1] - tb.vectors[minus + 1]
                white_2 += tb.vectors[plus + 2] - tb.vectors[minus + 2]
                white_3 += tb.vectors[plus + 3] - tb.vectors[minus + 3]
            old_kinds, new_kinds = (old >> DELTA_KINDS_SHIFT) & kinds_mask, (new >> DELTA_KINDS_SHIFT) & kinds_mask
            if new_kinds != old_kinds:
                plus, minus = both + new_kinds * WORDS + black_row, both + old_kinds * WORDS + black_row
                black_0 += tb.both[plus] - tb.both[minus]
                black_1 += tb.both[plus + 1] - tb.both[minus + 1]
                black_2 += tb.both[plus + 2] - tb.both[minus + 2]
                black_3 += tb.both[plus + 3] - tb.both[minus + 3]
                plus, minus = both + new_kinds * WORDS + other_row, both + old_kinds * WORDS + other_row
                white_0 += tb.both[plus] - tb.both[minus]
                white_1 += tb.both[plus + 1] - tb.both[minus + 1]
                white_2 += tb.both[plus + 2] - tb.both[minus + 2]
                white_3 += tb.both[plus + 3] - tb.both[minus + 3]
        st.accumulator[after + black_row], st.accumulator[after + other_row] = black_0, white_0
        st.accumulator[after + black_row + 1], st.accumulator[after + other_row + 1] = black_1, white_1
        st.accumulator[after + black_row + 2], st.accumulator[after + other_row + 2] = black_2, white_2
        st.accumulator[after + black_row + 3], st.accumulator[after + other_row + 3] = black_3, white_3
        known = target
    return 0


@kernel(int)
def low_half(word: int) -> int:
    """The lower of two signed 32-bit numbers that were packed as (high << 32) + low."""
    return ((word & 0xFFFFFFFF) ^ 0x80000000) - 0x80000000


@kernel(S, T)
def forward(st: Any, tb: Any) -> int:
    """PSQT plus network forward pass, in units of 2**-SCORE_BITS, from the side to move."""
    update_accumulator(st, tb)
    side = st.side & 1
    first = WORDS * ((2 * st.stones + side) & ACCUMULATOR_MASK)
    for pair in range(PAIRS):
        st.hidden[pair] = tb.hidden_bias[PAIRS * side + pair]
    at = INPUTS * side
    psqt = 0
    for half in range(2):
        word = 0
        for number in range(HALF_WORDS):
            word = st.accumulator[first + HALF_WORDS * half + number]
            for _ in range(LANES if number < HALF_WORDS - 1 else LANES - 1):
                lane = ((word & LANE_MASK) ^ LANE_SIGN) - LANE_SIGN
                word = (word - lane) >> LANE_BITS
                value = max(0, min(CLIPPED, lane + tb.input_bias[at & 0x3F])) >> (VECTOR_BITS - UNIT_BITS)
                if value > 0:
                    for pair in range(PAIRS):
                        st.hidden[pair] += value * tb.hidden_weights[PAIRS * (at & 0x3F) + pair]
                at += 1
        psqt += word if half == 0 else -word  # the last lane
    output = 0
    for pair in range(PAIRS):
        units, low = st.hidden[pair], low_half(st.hidden[pair])
        output += (max(0, low) >> UNIT_BITS) * tb.output_weights[HIDDEN * side + 2 * pair]
        output += (max(0, (units - low) >> 32) >> UNIT_BITS) * tb.output_weights[HIDDEN * side + 2 * pair + 1]
    return psqt + (output >> UNIT_BITS)


@kernel(S)
def keep(st: Any) -> int:
    """Keep the moves of the position, where there is room."""
    if st.kept_count < KEPT and st.stones < KEPT_LENGTH:
        first = KEPT_LENGTH * (st.kept_count & (KEPT - 1))
        st.kept[first] = st.stones
        for number in range(st.stones & STONES_MASK):
            st.kept[first + 1 + number] = st.played[number]
        st.kept_count += 1
    return 0


@kernel(S, T)
def evaluate(st: Any, tb: Any) -> int:
    """Static evaluation of the position for the side to move, well within PROVEN."""
    side = st.side
    if st.sampling != 0 and st.key & st.sampling == 0:
        keep(st)
    value = forward(st, tb) + tb.tempo[side]
    seen = threats(st, side) | (threats(st, 1 - side) << THREAT_BITS)
    seen |= (count(st, 1 - side, OPEN_FOUR) > 0) << (2 * THREAT_BITS)
    value += tb.threat[side * THREATS + seen]
    value >>= SCORE_BITS
    noise = tb.NOISE
    if noise != 0:  # a hash of position and seed, so that equal positions have equal errors
        drawn = (((st.key ^ tb.NOISE_SEED) & 0xFFFFFFF) * 0x9E3779B1) >> 20
        value += ((drawn & 0x3FF) - 512) * noise // 512
    return max(-PROVEN + 1000, min(PROVEN - 1000, value))
