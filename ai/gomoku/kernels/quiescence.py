"""Positions scored without searching a move: proven ones, and those at the horizon.

Quiescence search: https://www.chessprogramming.org/Quiescence_Search. The side to move may take the static evaluation
or make a four, whose reply is forced.
"""

from __future__ import annotations

from typing import Any

from ai.gomoku.kernels.board import count, find_cell, is_illegal, kind_of, make, undo
from ai.gomoku.kernels.evaluate import evaluate
from ai.gomoku.kernels.layout import CELL_MASK, MAX_PLY, NO_MOVE, NO_SCORE, PLY_MASK, PROVEN, WIN, A, S, T
from ai.gomoku.kernels.patterns import FIVE, FOUR, FOUR_PLUS, FOUR_THREE, OPEN_FOUR, PERHAPS, RENJU, THREE_THREE
from ai.gomoku.kernels.tt import (
    BOUND_MASK,
    BOUND_SHIFT,
    DEPTH_MASK,
    DEPTH_SHIFT,
    EXACT,
    LOWER,
    NO_ENTRY,
    SCORE_BIAS,
    SCORE_MASK,
    UPPER,
    cutoff,
    entry_static,
    fetch,
    pack_entry,
    probe,
    score_from_tt,
    score_to_tt,
    store,
)
from ai.system.compiler.jit import kernel

NEARBY_CELLS = 9  # on a line through the mover's last stone


@kernel(S)
def danger(st: Any) -> int:
    """What the other side is about to make: FIVE, OPEN_FOUR, or 0."""
    other = 1 - (st.side & 1)
    if count(st, other, FIVE) > 0:
        return FIVE
    return OPEN_FOUR if count(st, other, OPEN_FOUR) > 0 else 0


@kernel(S, T, int)
def four_three(st: Any, tb: Any, cell: int) -> int:
    """Whether a four with a three on `cell` wins in five plies: its reply makes no four, and the three is real."""
    side = st.side & 1
    make(st, tb, cell)
    wins = 0
    if count(st, side, FIVE) > 0 and count(st, side, OPEN_FOUR) > 0:  # in renju black's straight four may be forbidden
        wins = 1 if kind_of(st, find_cell(st, tb, side, FIVE), 1 - side) < FOUR else 0
    undo(st, tb)
    return wins


@kernel(S, T, int)
def can_make_four(st: Any, tb: Any, side: int) -> int:
    """Whether `side` may have a four to make; black's points in renju that are forbidden, perhaps, count too."""
    fours = count(st, side, FOUR) + count(st, side, FOUR_PLUS) + count(st, side, FOUR_THREE)
    if fours + count(st, side, OPEN_FOUR) > 0:
        return 1
    if tb.rule != RENJU or side != 0:
        return 0
    for number in range(tb.cell_count):
        if kind_of(st, tb.cells[number], side) == PERHAPS:
            return 1
    return 0


@kernel(S, T)
def wins_in_five(st: Any, tb: Any) -> int:
    """Whether the patterns prove that the side to move, which has no faster win, wins in five plies.

    The other side must not have a five. After a four with an open three, and after two open threes where the other
    side can make no four, one of the threes becomes a straight four. Black's double threes are forbidden in renju.
    """
    side = st.side & 1
    unseen = count(st, side, FOUR_THREE)
    if unseen > 0:
        for number in range(tb.cell_count):
            cell = tb.cells[number] & CELL_MASK
            if kind_of(st, cell, side) == FOUR_THREE:
                if four_three(st, tb, cell) != 0:
                    return 1
                unseen -= 1
                if unseen == 0:
                    break
    return 1 if count(st, side, THREE_THREE) > 0 and can_make_four(st, tb, 1 - side) == 0 else 0


@kernel(S, T, int)
def exact_score(st: Any, tb: Any, ply: int) -> int:
    """The score if the patterns prove a win or loss within five plies, or the board is full; else NO_SCORE."""
    side = st.side & 1
    if count(st, side, FIVE) > 0:
        return WIN - ply - 1
    if st.stones >= tb.cell_count:
        return 0
    fives = count(st, 1 - side, FIVE)
    if fives > 1 or (fives == 1 and is_illegal(st, tb, find_cell(st, tb, 1 - side, FIVE)) != 0):
        return ply + 2 - WIN
    if fives == 0 and count(st, side, OPEN_FOUR) > 0:
        return WIN - ply - 3
    if tb.WIN_IN_FIVE != 0 and fives == 0 and wins_in_five(st, tb) != 0:
        return WIN - ply - 5
    return NO_SCORE


@kernel(S, int)
def visit(st: Any, ply: int) -> int:
    """Check the node limit and update the greatest depth. Return whether the search must stop."""
    if st.stop == 0 and st.nodes >= st.node_limit:
        st.stop = 1
    if st.stop == 0:
        st.deepest = max(st.deepest, ply)
    return st.stop


@kernel(int, int, int)
def table_score(entry: int, static: int, ply: int) -> int:
    """The score of `entry` where its bound improves on the static evaluation, and is no proof; else `static`."""
    if entry == NO_ENTRY or static == NO_SCORE:
        return static
    score, bound = score_from_tt((entry & SCORE_MASK) - SCORE_BIAS, ply), (entry >> BOUND_SHIFT) & BOUND_MASK
    if abs(score) > PROVEN:
        return static
    if bound == EXACT or (bound == LOWER and score > static) or (bound == UPPER and score < static):
        return score
    return static


@kernel(S, T, A, int, int, int, int, int)
def quiesce(st: Any, tb: Any, tt: Any, depth: int, alpha: int, beta: int, ply: int, static: int) -> int:
    """Return the score of a search of fours and their replies, fail-soft as `search`.

    Only fours on the lines through the mover's last stone are tried. `depth` is 0 where `search` calls, and decreases.
    `static` is the static evaluation, or NO_SCORE where it is not known.
    """
    ply &= PLY_MASK
    unknown = NO_SCORE | (ply & 0)  # a literal as an argument of a recursive call breaks numba's cache
    score = exact_score(st, tb, ply)
    if score != NO_SCORE:
        return score
    if visit(st, ply) != 0:
        return alpha
    if ply >= MAX_PLY - 2:
        return evaluate(st, tb)
    side = st.side & 1
    other = 1 - side
    if count(st, other, FIVE) > 0:
        block = find_cell(st, tb, other, FIVE)
        fetch(st, tb, tt, block)
        make(st, tb, block)
        score = -quiesce(st, tb, tt, depth - 1, -beta, -alpha, ply + 1, unknown)
        undo(st, tb)
        return score
    entry = probe(st, tt)
    if beta - alpha == 1:
        score = cutoff(entry, 0, alpha, beta, ply)
        if score != NO_SCORE:
            st.hits += 1
            return score
    if static == NO_SCORE:
        static = entry_static(entry)
    if static == NO_SCORE:
        static = evaluate(st, tb)
    best = table_score(entry, static, ply) if tb.TABLE_SCORE != 0 else static
    bound, best_move = EXACT, NO_MOVE
    if best < beta:
        least = alpha
        alpha = max(alpha, best)
        last = st.played[st.stones - 2] if st.stones > 1 else NO_MOVE
        candidates = 4 * NEARBY_CELLS if last != NO_MOVE else tb.cell_count
        for wanted in range(FOUR_THREE, FOUR - 1, -1):
            unseen = count(st, side, wanted)
            for number in range(candidates if best < beta and unseen > 0 else 0):
                if last != NO_MOVE:
                    cell = last + tb.step[number // NEARBY_CELLS] * (number % NEARBY_CELLS - NEARBY_CELLS // 2)
                else:
                    cell = tb.cells[number]
                cell &= CELL_MASK
                if kind_of(st, cell, side) != wanted:
                    continue
                unseen -= 1
                fetch(st, tb, tt, cell)
                make(st, tb, cell)
                score = -quiesce(st, tb, tt, depth - 1, -beta, -alpha, ply + 1, unknown)
                undo(st, tb)
                if st.stop != 0:
                    return alpha
                if score > best:
                    best, best_move = score, cell
                    alpha = max(alpha, best)
                if best >= beta or unseen == 0:
                    break
        bound = UPPER if best <= least and best_move != NO_MOVE else EXACT
    if best >= beta:
        bound = LOWER
    if best > PROVEN or (entry >> DEPTH_SHIFT) & DEPTH_MASK == 0:  # keep what `search` has found
        store(st, tt, pack_entry(score_to_tt(best, ply), best_move, 0, bound, static, st.age))
    return best
