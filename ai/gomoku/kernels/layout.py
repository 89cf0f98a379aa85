"""Dimensions, bit fields, scores, and the layout of the records that the kernels work on.

The kernels get one pointer to each record: passing a dozen arrays would cost a third of the speed. Masks such as
`CELL_MASK` change no valid value; they show the compiler that an index is not negative, which saves the code that
counts from the end of an array.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ai.gomoku.kernels.parameters import PARAMETERS
from ai.gomoku.kernels.patterns import CLASSES, SIDES, THREE_PLUS
from ai.system.compiler.native import ArrayParameter, RecordParameter

# Geometry.
STRIDE, EDGE = 32, 5
CELLS = 30 * STRIDE
CELL_MASK = 0x3FF
DIRECTIONS = 4
LINES = 64  # per direction
CONTENT_BITS = 2  # of a cell in a line

# Capacities.
MAX_MOVES = 400
MAX_PLY = 100
PLY_MASK = 0x7F
MAX_STONES = MAX_MOVES + 2 * MAX_PLY
STONES_MASK = 0x3FF
BUSY_SLOTS = 1 << 12  # behind a transposition table that threads share (smp.py)
MAX_DELTAS = 41  # of a move: its own cell, and five on each side in four directions
DELTA_MASK = 0x7FFF
PV_LENGTH = MAX_PLY + 1
KEPT, KEPT_LENGTH = 64, 256  # evaluated positions that are kept, and words for each

# The combination of a cell: four bits for the pattern in each direction, for black, and above them for white.
PATTERN_BITS, PATTERN_MASK = 4, 15
COMBINATION_BITS, COMBINATION_MASK = 16, 0xFFFF
COMBINATIONS = 1 << COMBINATION_BITS
SETS = 2380  # of four patterns in any order

# The class of a cell (patterns.py), for black, and above it for white.
KIND_BITS, KIND_MASK = 4, 15
KINDS = 1 << (2 * KIND_BITS)

# Cells counted by class: fields of a word, from THREE_PLUS (which has THREE in it too) to FIVE.
COUNT_BITS = 9
FIRST_COUNTED = THREE_PLUS

# The network. Words of the accumulator have four lanes that are added at once; the last lane holds the PSQT value.
VECTOR, HIDDEN = 15, 16  # inputs a side, and hidden units
INPUTS = 2 * VECTOR
PAIRS = HIDDEN // 2  # hidden units in one word, as (second << 32) + first
LANES, LANE_BITS = 4, 16
HALF_WORDS = (VECTOR + 1) // LANES  # one side's view
WORDS = 2 * HALF_WORDS  # for the side to move, then for the other
VECTOR_BITS, UNIT_BITS = 9, 8  # fractional bits of inputs, and of hidden units and their weights
CLIPPED = 4 << VECTOR_BITS  # greatest input
SCORE_BITS = 2  # fractional bits of the evaluation before it is rounded
THREAT_BITS = 5  # width of `evaluate.threats` for one side
THREATS = 1 << (2 * THREAT_BITS + 1)  # threats of both sides, and whether the opponent has an open four

# Scores.
WIN = 30_000
PROVEN = 29_000  # scores beyond it are wins, or losses, at a known distance
INFINITY = 31_000
NO_SCORE = 32_767
NO_MOVE = 0

i1, u1, u2 = np.int8, np.uint8, np.uint16
i4, u4, i8 = np.int32, np.uint32, np.int64

TABLES = np.dtype(
    [
        ("rule", i8),
        ("size", i8),
        ("reach", i8),  # cells on each side of a cell that matter to its patterns
        # A number for the cells to the left of a cell, one for those to the right; patterns (black's in the low four
        # bits, white's in the high) by left * SIDES + right.
        ("left", u1, (1024,)),
        ("right", u1, (1024,)),
        ("pattern", u1, (SIDES * SIDES,)),
        ("kind", u1, (2 * COMBINATIONS,)),  # class by combination, for black, then, where it differs, for white
        ("white", i8),  # where those of white begin
        ("count_unit", i8, (CLASSES,)),  # by class, a one in its field of `counts`
        ("set", u2, (COMBINATIONS,)),  # number of the set of patterns, by combination
        # By set, for black, then, where it differs, for white: what it adds to the accumulator, WORDS words.
        ("vectors", i8, (2 * SETS * WORDS,)),
        ("white_vectors", i8),  # where those of white begin
        ("both", i8, (2 * KINDS * WORDS,)),  # the same by both classes of a cell, with black to move, then white
        ("both_mask", i8),  # of those classes; 0 where they add nothing
        # The network, with black to move, then white.
        ("input_bias", i4, (2 * INPUTS,)),
        ("hidden_weights", i8, (2 * INPUTS * PAIRS,)),
        ("hidden_bias", i8, (2 * PAIRS,)),
        ("output_weights", i4, (2 * HIDDEN,)),
        # Rank in move ordering by set: to make for black and for white, to prevent for black and for white.
        ("rank", i4, (4 * SETS,)),
        ("near_last", i4, (2 * CELLS,)),  # rank by the difference, plus CELLS, to the other side's last move
        ("near_own", i4, (2 * CELLS,)),  # … and to the mover's own last move
        ("threat", i4, (2 * THREATS,)),  # value by threats, with black to move, then white
        ("zobrist", i8, (2 * CELLS,)),
        ("turn_key", i8),
        ("line_of", i4, (DIRECTIONS * CELLS,)),
        ("place_of", i4, (DIRECTIONS * CELLS,)),  # of a cell in its line
        ("step", i4, (DIRECTIONS,)),
        ("cells", i4, (MAX_MOVES,)),
        ("cell_count", i8),
        ("reduction", i4, (64 * 64,)),  # late move reduction in hundredths of a ply, by 64 * depth + index of the move
        ("tempo", i4, (2,)),
        *((name, i4) for name in PARAMETERS),
    ],
    align=True,
)
"""What depends on rule, size, weights and parameters only; shared by threads, read-only."""

STATE = np.dtype(
    [
        ("stop", i8),  # set by any thread to end the search
        ("nodes", i8),
        ("node_limit", i8),
        ("deepest", i8),
        ("side", i8),
        ("stones", i8),
        ("key", i8),
        ("delta_count", i8),
        ("counts", i8, (2,)),  # how many cells are of each class, by colour
        ("vcf_left", i8),
        ("age", i8),
        ("mask", i8),  # entries of the transposition table, less one
        ("shared", i8),  # whether other threads search the same position with the same table
        ("root_count", i8),
        ("root_from", i8),  # multi-PV: earlier root moves are excluded
        ("best_move", i8),
        ("lines", i8, (DIRECTIONS * LINES,)),  # contents of the cells of a line, CONTENT_BITS each
        ("board", i1, (CELLS,)),
        ("combination", u4, (CELLS,)),  # valid for empty cells
        ("kind", u1, (CELLS,)),  # 0 where there is a stone
        # The undo stack, by number of stones before the move, and its deltas: a cell's combination and classes.
        ("saved_counts", i8, (2 * MAX_STONES,)),
        ("delta_start", i8, (MAX_STONES,)),
        ("deltas", i8, (MAX_DELTAS * MAX_STONES,)),
        ("delta_after", i8, (MAX_DELTAS * MAX_STONES,)),  # 0 under a stone
        ("accumulator", i8, (2 * WORDS * (MAX_STONES + 1),)),  # by 2 * stones + side to move
        ("computed", i1, (2 * (MAX_STONES + 1),)),  # whether that accumulator is valid
        ("hidden", i8, (PAIRS,)),
        ("played", i4, (MAX_STONES,)),
        ("history", i4, (2 * CELLS,)),
        ("counter", i4, (2 * CELLS,)),
        ("killers", i4, (2 * (MAX_PLY + 4),)),
        ("four_three", i4, (MAX_PLY + 4,)),  # `movegen.four_three_threat`
        ("static", i4, (MAX_PLY + 4,)),
        ("better", i4, (MAX_PLY + 4,)),  # `static`, or the table's score where that is better
        ("moves", i4, ((MAX_PLY + 2) * MAX_MOVES,)),
        ("scores", i4, ((MAX_PLY + 2) * MAX_MOVES,)),  # ranks of `moves`
        ("deferred", i4, ((MAX_PLY + 2) * MAX_MOVES,)),  # places in `moves`
        ("pv", i4, ((PV_LENGTH + 1) * PV_LENGTH,)),
        ("pv_length", i4, (PV_LENGTH + 1,)),
        ("root_moves", i4, (MAX_MOVES,)),
        # Counters, last so that they shift no array.
        ("hits", i8),  # positions whose search the transposition table ended
        ("cuts", i8),  # beta cut-offs by a move
        ("first_cuts", i8),  # … by the first one
        # A proof by threats (dfpn.py): the stones on the board at its end at most, and how many positions would take
        # more.
        ("proof_end", i8),
        ("left_out", i8),
        # Evaluated positions, which `ai.lab.selfplay` samples: for each the number of its stones and its moves.
        ("sampling", i8),  # keep those whose key has no bit of it; 0 for none
        ("kept_count", i8),
        ("kept", u2, (KEPT * KEPT_LENGTH,)),
    ],
    align=True,
)
"""What one thread searches on."""

S = RecordParameter(STATE)
T = RecordParameter(TABLES)


def _table_length(field: Callable[[str], int]) -> int:
    return 2 * (field("mask") + 1) + (BUSY_SLOTS if field("shared") else 0)


A = ArrayParameter(_table_length)
"""A transposition table, beside the state of those who use it."""
