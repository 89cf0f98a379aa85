"""Move generation and ordering.

The rank of a move is a fitted value (`ai.lab.tune`) plus bonuses from earlier nodes: killer moves
(https://www.chessprogramming.org/Killer_Heuristic), counter-moves (…/Countermove_Heuristic) and history
(…/History_Heuristic).
"""

from __future__ import annotations

from typing import Any

from ai.gomoku.kernels import layout
from ai.gomoku.kernels.board import count, find_cell, is_illegal, kind_of, make, undo
from ai.gomoku.kernels.layout import CELLS, MAX_MOVES, NO_MOVE, S, T
from ai.gomoku.kernels.patterns import (
    B3,
    B4,
    BLOCKED_THREE,
    DEAD,
    FIVE,
    FORBIDDEN,
    FOUR,
    FOUR_THREE,
    OPEN_FOUR,
    RENJU,
)
from ai.system.compiler.jit import kernel

FIRST_RANK = 1 << 24
NOT_GENERATED = MAX_MOVES + 1  # number of moves while only that of the transposition table is known
HISTORY_LIMIT = 4000
MAX_REWARD = 1500
REPLY_SHIFT = 16
AT_LEAST_TWO, AT_LEAST_WEAK = 0xEE, 0xFF  # bits of which one or more are set in the classes of such a cell


@kernel(S, T)
def four_three_threat(st: Any, tb: Any) -> int:
    """A cell where the side not to move would win in five plies by a four with a three, and above `REPLY_SHIFT` that of
    the reply to its four; 0 if there is none.

    The side to move must face no open four. In renju a stone elsewhere may make the win legal or illegal, so 0.
    """
    side, found = st.side & 1, 0
    other = 1 - side
    unseen = count(st, other, FOUR_THREE) if tb.rule != RENJU and tb.WIN_IN_FIVE != 0 else 0
    for number in range(tb.cell_count if unseen > 0 else 0):
        cell = tb.cells[number] & layout.CELL_MASK
        if kind_of(st, cell, other) != FOUR_THREE:
            continue
        unseen -= 1
        st.side = other
        make(st, tb, cell)
        if count(st, other, OPEN_FOUR) > 0:
            reply = find_cell(st, tb, other, FIVE)
            if kind_of(st, reply, side) < FOUR:
                found = (reply << REPLY_SHIFT) | cell
        undo(st, tb)
        st.side = side
        if found != 0 or unseen == 0:
            break
    return found


@kernel(S, T, int, int, int)
def affects(st: Any, tb: Any, cell: int, threat: int, least: int) -> int:
    """Whether a stone on `cell` may change a pattern of `least` or more that the side not to move would make on
    `threat`."""
    if cell == threat:
        return 1
    combination = st.combination[threat] >> (layout.COMBINATION_BITS * (1 - st.side))
    for direction in range(layout.DIRECTIONS):
        if (combination >> (layout.PATTERN_BITS * direction)) & layout.PATTERN_MASK < least:
            continue
        if tb.line_of[direction * CELLS + cell] == tb.line_of[direction * CELLS + threat]:
            away = tb.place_of[direction * CELLS + cell] - tb.place_of[direction * CELLS + threat]
            if -tb.reach <= away <= tb.reach:
                return 1
    return 0


@kernel(S, T, int, int, int)
def answers(st: Any, tb: Any, cell: int, open_four: int, four_three: int) -> int:
    """Whether a stone on `cell`, which makes no four, may stop the other side: from an open four on `open_four`, or
    from the win `four_three`, where it may also give the reply to the four a four of its own."""
    if open_four != NO_MOVE:
        blocks = kind_of(st, cell, 1 - st.side) >= BLOCKED_THREE
        return affects(st, tb, cell, open_four, B4) if blocks else 0
    if affects(st, tb, cell, four_three & layout.CELL_MASK, B3) != 0:
        return 1
    return affects(st, tb, cell, four_three >> REPLY_SHIFT, DEAD)


@kernel(S, T, int, int)
def generate(st: Any, tb: Any, ply: int, tt_move: int) -> int:
    """Write the moves worth trying and their ranks for `ply`, `tt_move` ranked first; return how many.

    Against a five that is its cell alone, legal or not; against an open four, or the win `four_three` of `ply`, the
    defences and fours.
    """
    side = st.side & 1
    other = 1 - side
    ply &= layout.PLY_MASK
    start = ply * MAX_MOVES
    found = 0
    if count(st, other, FIVE) > 0:
        st.moves[start] = find_cell(st, tb, other, FIVE)
        st.scores[start] = 0
        return 1
    open_four = find_cell(st, tb, other, OPEN_FOUR) if count(st, other, OPEN_FOUR) > 0 else NO_MOVE
    four_three = st.four_three[ply]
    threatened = open_four != NO_MOVE or four_three != 0
    killer_1, killer_2 = st.killers[2 * ply], st.killers[2 * ply + 1]
    last = st.played[st.stones - 1] if st.stones > 0 else NO_MOVE
    before = st.played[st.stones - 2] if st.stones > 1 else NO_MOVE
    counter = st.counter[other * CELLS + last]
    own_rank, other_rank = side * layout.SETS, (2 + side) * layout.SETS
    for wanted in (AT_LEAST_TWO, AT_LEAST_WEAK):  # cells of lower classes only where there are no others
        for number in range(tb.cell_count):
            cell = tb.cells[number] & layout.CELL_MASK
            kinds = st.kind[cell]  # 0 on a stone
            if kinds & wanted == 0:
                continue
            own_kind = (kinds >> (layout.KIND_BITS * side)) & layout.KIND_MASK
            no_four = threatened and (own_kind < FOUR or own_kind > OPEN_FOUR)
            if no_four and answers(st, tb, cell, open_four, four_three) == 0:
                continue
            if own_kind >= FORBIDDEN and is_illegal(st, tb, cell) != 0:
                continue
            own = (st.combination[cell] >> (layout.COMBINATION_BITS * side)) & layout.COMBINATION_MASK
            opposing = (st.combination[cell] >> (layout.COMBINATION_BITS * other)) & layout.COMBINATION_MASK
            rank = tb.rank[own_rank + tb.set[own]] + tb.rank[other_rank + tb.set[opposing]]
            rank += tb.near_last[CELLS + cell - last] + tb.near_own[CELLS + cell - before]
            rank += (st.history[side * CELLS + cell] * tb.HISTORY) >> 8
            if cell in (killer_1, killer_2):
                rank += tb.KILLER
            if cell == counter:
                rank += tb.COUNTER
            if cell == tt_move:
                rank += FIRST_RANK
            st.moves[start + found] = cell
            st.scores[start + found] = rank
            found += 1
        if found > 0:
            break
    return found


@kernel(S, int, int, int)
def pick(st: Any, ply: int, index: int, found: int) -> int:
    """Selection sort step: swap the best of the moves from `index` on to that place, and return it."""
    start = (ply & layout.PLY_MASK) * MAX_MOVES
    best, highest = start + index, st.scores[start + index]
    for place in range(start + index + 1, start + found):
        score = st.scores[place]  # in a variable: to read that of `best` again would wait for its place
        if score > highest:
            best, highest = place, score
    here = start + index
    move, score = st.moves[best], st.scores[best]
    st.moves[best], st.scores[best] = st.moves[here], st.scores[here]
    st.moves[here], st.scores[here] = move, score
    return move


@kernel(S)
def load_root_moves(st: Any) -> int:
    """Write the `root_moves` from `root_from` on, in their order, as the moves of ply 0; return how many."""
    st.best_move = NO_MOVE
    for place in range(st.root_count - st.root_from):
        st.moves[place] = st.root_moves[st.root_from + place]
        st.scores[place] = -place
    return st.root_count - st.root_from


@kernel(S, T, int, int)
def first_moves(st: Any, tb: Any, ply: int, tt_move: int) -> int:
    """Write the moves to try first: the root moves at the root, else `tt_move` alone, else all. Return how many.

    Clear the killer moves of the next ply, except at the root.
    """
    if ply == 0:
        return load_root_moves(st)
    found = 1
    if tt_move != NO_MOVE:
        st.moves[ply * MAX_MOVES] = tt_move
    else:
        found = generate(st, tb, ply, tt_move)
    if found > 0:
        st.killers[2 * ply + 2] = st.killers[2 * ply + 3] = NO_MOVE
    return found


@kernel(S, T, int, int)
def other_moves(st: Any, tb: Any, ply: int, tt_move: int) -> int:
    """Write all moves, the already tried `tt_move` first; return how many."""
    found = generate(st, tb, ply, tt_move)
    pick(st, ply, 0, found)
    return found


@kernel(S, int, int, int)
def add_history(st: Any, side: int, cell: int, amount: int) -> int:
    """Add `amount` to the history of a move. History gravity: it shrinks as the value nears HISTORY_LIMIT."""
    at = side * CELLS + cell
    st.history[at] += amount - st.history[at] * abs(amount) // HISTORY_LIMIT
    return 0


@kernel(S, int, int, int, int)
def update_history(st: Any, ply: int, move: int, depth: int, tried: int) -> int:
    """Update killers, counter-moves and history after `move` failed high, the last of the `tried` moves of `ply`."""
    side, start = st.side & 1, ply * MAX_MOVES
    amount = min(depth * depth * 8 + 8, MAX_REWARD)
    if st.killers[2 * ply] != move:
        st.killers[2 * ply + 1] = st.killers[2 * ply]
        st.killers[2 * ply] = move
    if st.stones > 0:
        st.counter[(1 - side) * CELLS + st.played[st.stones - 1]] = move
    add_history(st, side, move, amount)
    for place in range(start, start + tried):
        if st.moves[place] != move:
            add_history(st, side, st.moves[place], -amount)
    return 0


@kernel(S, T)
def list_root_moves(st: Any, tb: Any) -> int:
    """Write the legal moves worth trying into `root_moves`, best first; return how many."""
    found = generate(st, tb, 0, NO_MOVE)
    legal = 0
    for index in range(found):
        move = pick(st, 0, index, found)
        if is_illegal(st, tb, move) == 0:
            st.root_moves[legal] = move
            legal += 1
    other = 1 - st.side
    if tb.BREADTH > 0 and count(st, other, FIVE) + count(st, other, OPEN_FOUR) == 0:
        legal = min(legal, tb.BREADTH)
    st.root_count = legal
    st.root_from = 0
    return legal


@kernel(S, int)
def promote_root_move(st: Any, move: int) -> int:
    """Make `move` the best move, and the first of the `root_moves` from `root_from` on."""
    st.best_move = move
    place = st.root_from
    while st.root_moves[place] != move:
        place += 1
    for behind in range(place, st.root_from, -1):
        st.root_moves[behind] = st.root_moves[behind - 1]
    st.root_moves[st.root_from] = move
    return 0
