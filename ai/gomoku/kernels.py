"""The board and the search of the gomoku engine, compiled. All kernels are in this one file, because numba
does not notice when a kernel in another file has changed.

The board: a cell is `(row + 5) * 32 + column + 5`, so that every cell has neighbours in all directions. A line
of cells is an integer, two bits a cell (0 empty, 1 black, 2 white, 3 off the board). For each empty cell and
colour `comb` holds the four patterns that a stone there would make (ai/gomoku/patterns.py), four bits each;
what they amount to is counted per class in `cnt`, and their worth is summed up in `worth`.

The search: principal variation search. Scores are from the side to move; `WIN` minus the plies to the win.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ai.gomoku.jit import array_type, kernel, record_type
from ai.gomoku.patterns import (
    B4,
    BLOCKED_THREE,
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
    THREE,
    THREE_PLUS,
    THREE_THREE,
)

STRIDE, EDGE = 32, 5
CELLS = 30 * STRIDE
DIRECTIONS = 4
LINES = 64  # per direction
COMBINATIONS = 1 << 16
MOST_MOVES = 400
MOST_PLIES = 100
PV = MOST_PLIES + 1
SHARED_DEPTH = 4  # least depth at which threads keep out of each other's way

WIN = 30_000
PROVEN = 29_000
INFINITY = 31_000
NO_MOVE = 0
NO_EVAL = 32_767

EXACT, LOWER, UPPER = 1, 2, 3

# The knobs.
RFP, RAZOR, FUTILITY, LMP_BASE, LMP_SCALE, NULL_BASE, NULL_SLOPE, LEAF_VCF = range(8)
RAZOR_VCF, IIR, RFP_DEPTH, LMP_DEPTH, LEAF_FOURS, LMR, ROOT_LMR = range(8, 15)
# Those that make a weaker player: moves tried at a node (0: all), error of the evaluation, and its seed.
BREADTH, NOISE, NOISE_SEED = range(15, 18)
LEAF_WHERE, RAZOR_WHERE, KEEP_LEAF = range(19, 22)
ANYWHERE, FIRST_ANYWHERE, NEARBY = range(3)
BEYOND = 18  # plies beyond the horizon in which an open four is still prevented
KNOB_COUNT = 32

THREATS = 1 << 11  # what `threats` may tell of a position

i1, u1, i4, i8 = np.int8, np.uint8, np.int32, np.int64

TABLES = np.dtype(
    [
        ("rule", i8),
        ("size", i8),
        ("reach", i8),
        ("pattern", u1, (1 << 20,)),
        ("kind", u1, (2 * COMBINATIONS,)),  # class by combination, for black, then for white
        # By combination, for black, then for white: (worth to the side to move << 32) + worth to the other side
        ("worth", i8, (2 * COMBINATIONS,)),
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
        ("worth_black", i8),
        ("worth_white", i8),
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
        ("comb", i4, (2 * CELLS,)),
        ("kind", i1, (2 * CELLS,)),
        ("cnt", i4, (2 * 16,)),
        ("played", i4, (MOST_MOVES + 2 * MOST_PLIES,)),
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


@kernel(S, T, int, int)
def weigh(st: Any, tb: Any, cell: int, sign: int) -> int:
    """Adds (`sign` 1) or takes away (-1) what the empty `cell` counts for."""
    black, white = st.comb[cell], st.comb[CELLS + cell]
    st.worth_black += sign * tb.worth[black]
    st.worth_white += sign * tb.worth[COMBINATIONS + white]
    st.cnt[st.kind[cell]] += sign
    st.cnt[16 + st.kind[CELLS + cell]] += sign
    return 0


@kernel(S, T, int, int)
def refresh(st: Any, tb: Any, cell: int, direction: int) -> int:
    """Looks up the patterns of `cell` in one direction, without counting them."""
    reach = tb.reach
    place = tb.place_of[direction * CELLS + cell]
    window = st.lines[direction * LINES + tb.line_of[direction * CELLS + cell]] >> (2 * (place + EDGE - reach))
    low = (1 << (2 * reach)) - 1
    key = (window & low) | ((window >> 2) & (low << (2 * reach)))
    found = tb.pattern[key]
    keep = ~(15 << (4 * direction))
    st.comb[cell] = (st.comb[cell] & keep) | ((found & 15) << (4 * direction))
    st.comb[CELLS + cell] = (st.comb[CELLS + cell] & keep) | ((found >> 4) << (4 * direction))
    return 0


@kernel(S, T, int, int)
def update_lines(st: Any, tb: Any, cell: int, stone: int) -> int:
    """Puts `stone` (1 or 2) on the lines through `cell`, or takes it off, and looks up what it changes."""
    reach, size = tb.reach, tb.size
    low = (1 << (2 * reach)) - 1
    high = low << (2 * reach)
    for direction in range(DIRECTIONS):
        at = direction * CELLS + cell
        place = tb.place_of[at]
        index = direction * LINES + tb.line_of[at]
        line = st.lines[index] ^ (stone << (2 * (place + EDGE)))
        st.lines[index] = line
        shift = 4 * direction
        keep = ~(15 << shift)
        step = tb.step[direction]
        first = max(0, place - reach)
        last = min(size - 1, place + reach)
        other = cell + (first - place) * step
        window = line >> (2 * (first + EDGE - reach))
        for _ in range(first, last + 1):
            if (window >> (2 * reach)) & 3 == 0 and other != cell:
                found = tb.pattern[(window & low) | ((window >> 2) & high)]
                old = st.comb[other]
                new = (old & keep) | ((found & 15) << shift)
                if new != old:
                    st.comb[other] = new
                    st.worth_black += tb.worth[new] - tb.worth[old]
                    kind = tb.kind[new]
                    st.cnt[st.kind[other]] -= 1
                    st.cnt[kind] += 1
                    st.kind[other] = kind
                old = st.comb[CELLS + other]
                new = (old & keep) | ((found >> 4) << shift)
                if new != old:
                    st.comb[CELLS + other] = new
                    st.worth_white += tb.worth[COMBINATIONS + new] - tb.worth[COMBINATIONS + old]
                    kind = tb.kind[COMBINATIONS + new]
                    st.cnt[16 + st.kind[CELLS + other]] -= 1
                    st.cnt[16 + kind] += 1
                    st.kind[CELLS + other] = kind
            window >>= 2
            other += step
    return 0


@kernel(S, T, int)
def make(st: Any, tb: Any, cell: int) -> int:
    """Plays `cell` for the side to move."""
    side = st.side
    weigh(st, tb, cell, -1)
    st.board[cell] = side + 1
    update_lines(st, tb, cell, side + 1)
    st.key ^= tb.zobrist[side * CELLS + cell] ^ tb.turn_key
    st.played[st.stones] = cell
    st.stones += 1
    st.side = 1 - side
    st.nodes += 1
    return 0


@kernel(S, T)
def undo(st: Any, tb: Any) -> int:
    """Takes back the last move. Returns its cell."""
    side = 1 - st.side
    st.side = side
    st.stones -= 1
    cell = st.played[st.stones]
    st.key ^= tb.zobrist[side * CELLS + cell] ^ tb.turn_key
    update_lines(st, tb, cell, side + 1)
    st.board[cell] = 0
    for direction in range(DIRECTIONS):
        refresh(st, tb, cell, direction)
    st.kind[cell] = tb.kind[st.comb[cell]]
    st.kind[CELLS + cell] = tb.kind[COMBINATIONS + st.comb[CELLS + cell]]
    weigh(st, tb, cell, 1)
    return cell


@kernel(S, T)
def reset(st: Any, tb: Any) -> int:
    """Makes the board empty."""
    for index in range(DIRECTIONS * LINES):
        st.lines[index] = (1 << 60) - 1
    for cell in range(CELLS):
        st.board[cell] = 3
        st.comb[cell] = st.comb[CELLS + cell] = 0
        st.kind[cell] = st.kind[CELLS + cell] = 0
    for index in range(32):
        st.cnt[index] = 0
    for number in range(tb.cell_count):
        cell = tb.cells[number]
        st.board[cell] = 0
        for direction in range(DIRECTIONS):
            at = direction * CELLS + cell
            st.lines[direction * LINES + tb.line_of[at]] ^= 3 << (2 * (tb.place_of[at] + EDGE))
    st.side = st.stones = st.key = st.worth_black = st.worth_white = 0
    for number in range(tb.cell_count):
        cell = tb.cells[number]
        for direction in range(DIRECTIONS):
            refresh(st, tb, cell, direction)
        st.kind[cell] = tb.kind[st.comb[cell]]
        st.kind[CELLS + cell] = tb.kind[COMBINATIONS + st.comb[CELLS + cell]]
        weigh(st, tb, cell, 1)
    return 0


@kernel(S, int)
def threats(st: Any, base: int) -> int:
    """Which classes of moves there are for the colour whose counts begin at `base`, a bit each."""
    cnt = st.cnt
    found = (cnt[base + FOUR] > 0) | ((cnt[base + FOUR_PLUS] > 0) << 1) | ((cnt[base + FOUR_THREE] > 0) << 2)
    threes = (cnt[base + THREE] + cnt[base + THREE_PLUS] > 0) | ((cnt[base + THREE_THREE] > 0) << 1)
    return found | (threes << 3)


@kernel(S, T)
def evaluate(st: Any, tb: Any) -> int:
    """The worth of the board for the side to move, without looking ahead."""
    side = st.side
    own, other = (st.worth_black, st.worth_white) if side == 0 else (st.worth_white, st.worth_black)
    waiting = ((other & 0xFFFFFFFF) ^ 0x80000000) - 0x80000000
    low = ((own & 0xFFFFFFFF) ^ 0x80000000) - 0x80000000
    value = ((own - low) >> 32) - waiting + tb.tempo[side]
    urgent = (st.cnt[16 - side * 16 + OPEN_FOUR] > 0) << 10
    value += tb.threat[side * THREATS + threats(st, side * 16) + (threats(st, 16 - side * 16) << 5) + urgent]
    noise = tb.knob[NOISE]
    if noise != 0:
        drawn = (((st.key ^ tb.knob[NOISE_SEED]) & 0xFFFFFFF) * 0x9E3779B1) >> 20
        value += ((drawn & 0x3FF) - 512) * noise // 512
    return max(-PROVEN + 1000, min(PROVEN - 1000, value))


@kernel(S, T, int, int)
def find(st: Any, tb: Any, side: int, kind: int) -> int:
    """A cell of that class for `side`, or NO_MOVE. Looks around the last move first."""
    base = side * CELLS
    if st.stones > 0:
        last = st.played[st.stones - 1]
        for direction in range(DIRECTIONS):
            step = tb.step[direction]
            for distance in range(-4, 5):
                cell = last + distance * step
                if st.board[cell] == 0 and st.kind[base + cell] == kind:
                    return cell
    for number in range(tb.cell_count):
        cell = tb.cells[number]
        if st.board[cell] == 0 and st.kind[base + cell] == kind:
            return cell
    return NO_MOVE


@kernel(S, T, int)
def forbidden(st: Any, tb: Any, cell: int) -> int:
    """Whether black may not play the empty `cell` in renju. Only real threes count: those that a further
    legal stone makes a straight four."""
    kind = st.kind[cell]
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
            if st.board[other] == 0 and made == F4 and st.kind[other] != FIVE and forbidden(st, tb, other) == 0:
                real = True
        if real:
            threes += 1
    undo(st, tb)
    st.side = side
    return 1 if threes > 1 else 0


@kernel(S, T, int)
def denied(st: Any, tb: Any, cell: int) -> int:
    """Whether the rule forbids the side to move to play `cell`."""
    if tb.rule != RENJU or st.side != 0 or st.kind[cell] < FORBIDDEN:
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
    if st.cnt[own * 16 + FIVE] > 0:
        return 1
    must = NO_MOVE
    if st.cnt[other * 16 + FIVE] > 0:
        if st.cnt[other * 16 + FIVE] > 1:
            return 0
        must = find(st, tb, other, FIVE)
        kind = st.kind[own * CELLS + must]
        if kind < FOUR or kind > OPEN_FOUR:
            return 0
    elif st.cnt[own * 16 + OPEN_FOUR] > 0:
        return 3
    fours = st.cnt[own * 16 + FOUR] + st.cnt[own * 16 + FOUR_PLUS] + st.cnt[own * 16 + FOUR_THREE]
    if depth <= 0 or (fours == 0 and must == NO_MOVE) or st.vcf_left <= 0 or st.stop != 0:
        return 0
    slot = (((st.key ^ 0x55AA55AA5A5A) >> 3) & st.mask) * 2
    kept = tt[slot + 1]
    salted = st.key ^ 0x2545F4914F6CDD1 ^ (where << 50)
    if tt[slot] ^ kept == salted and (kept & 0xFF) >= depth:
        return (kept >> 8) & 0xFF
    base = own * CELLS
    last = st.played[st.stones - 2] if where == NEARBY else NO_MOVE
    candidates = 4 * 9 if where == NEARBY else tb.cell_count
    then = where if where != FIRST_ANYWHERE else where + 1
    for wanted in range(OPEN_FOUR, FOUR - 1, -1):
        if must != NO_MOVE and wanted != st.kind[base + must]:
            continue
        unseen = st.cnt[own * 16 + wanted]
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
            if st.board[cell] != 0 or st.kind[base + cell] != wanted:
                continue
            unseen -= 1
            st.vcf_left -= 1
            make(st, tb, cell)
            plies = 3
            if st.cnt[own * 16 + FIVE] == 1:
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
    combination = st.comb[(1 - st.side) * CELLS + threat]
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
    """Writes the moves worth trying and their ranks for `ply`; returns how many. The rules' own are all of them
    where nothing is urgent."""
    own, other = st.side, 1 - st.side
    start = ply * MOST_MOVES
    own_base, other_base = own * CELLS, other * CELLS
    count = 0
    if st.cnt[other * 16 + FIVE] > 0:
        st.moves[start] = find(st, tb, other, FIVE)
        st.scores[start] = 0
        return 1
    threat = NO_MOVE
    if st.cnt[other * 16 + OPEN_FOUR] > 0:
        threat = find(st, tb, other, OPEN_FOUR)
    killer_1, killer_2 = st.killers[2 * ply], st.killers[2 * ply + 1]
    last = st.played[st.stones - 1] if st.stones > 0 else NO_MOVE
    before = st.played[st.stones - 2] if st.stones > 1 else NO_MOVE
    answer = st.counter[other_base + last]
    own_rank, other_rank = own * COMBINATIONS, (2 + own) * COMBINATIONS
    for number in range(tb.cell_count):
        cell = tb.cells[number]
        if st.board[cell] != 0:
            continue
        own_kind, other_kind = st.kind[own_base + cell], st.kind[other_base + cell]
        if own_kind + other_kind == NONE:
            continue
        if threat != NO_MOVE and (own_kind < FOUR or own_kind > OPEN_FOUR) and not blocks(st, tb, threat, cell):
            continue
        if own_kind >= FORBIDDEN and denied(st, tb, cell) != 0:
            continue
        rank = tb.rank[own_rank + st.comb[own_base + cell]] + tb.rank[other_rank + st.comb[other_base + cell]]
        rank += tb.near_last[CELLS + cell - last] + tb.near_own[CELLS + cell - before]
        rank += st.history[own_base + cell] >> 4
        if cell in (killer_1, killer_2):
            rank += 120
        if cell == answer:
            rank += 90
        if cell == hint:
            rank += 1 << 24
        st.moves[start + count] = cell
        st.scores[start + count] = rank
        count += 1
    return count


@kernel(S, int, int, int)
def pick(st: Any, ply: int, index: int, count: int) -> int:
    """Brings the best of the moves from `index` on to that place, and returns it."""
    start = ply * MOST_MOVES
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
    st.pv_length[ply] = 0
    own, other = st.side, 1 - st.side
    if st.cnt[own * 16 + FIVE] > 0:
        return WIN - ply - 1
    if st.stones >= tb.cell_count:
        return 0
    fives = st.cnt[other * 16 + FIVE]
    if fives > 1:
        return ply + 2 - WIN
    if fives == 1:
        if denied(st, tb, find(st, tb, other, FIVE)) != 0:
            return ply + 2 - WIN
    elif st.cnt[own * 16 + OPEN_FOUR] > 0:
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
    urgent = fives > 0 or st.cnt[other * 16 + OPEN_FOUR] > 0

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
    if static == NO_EVAL:
        static = evaluate(st, tb)
    st.static[ply] = static
    if ply >= MOST_PLIES - 2:
        return static

    if depth <= 0 and fives == 0:
        # A single plain four leads nowhere by itself.
        fours = st.cnt[own * 16 + FOUR] + 2 * st.cnt[own * 16 + FOUR_PLUS] + 3 * st.cnt[own * 16 + FOUR_THREE]
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
        if nullable != 0 and depth >= 3 and static >= beta and st.stones + 1 < tb.cell_count:
            # The right to move is worth so much that a side which can pass it up stands above beta.
            st.side = other
            st.key ^= tb.turn_key
            st.played[st.stones] = NO_MOVE
            st.stones += 1
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
        own_kind, other_kind = st.kind[own * CELLS + move], st.kind[other * CELLS + move]
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
            if quiet and depth <= 4 and index > 3 and static + tb.knob[FUTILITY] * depth <= alpha:
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
    other = (1 - st.side) * 16
    if tb.knob[BREADTH] > 0 and st.cnt[other + FIVE] + st.cnt[other + OPEN_FOUR] == 0:
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
    for index in range(st.root_from, st.root_count):
        move = st.root_moves[index]
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
