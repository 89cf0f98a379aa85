"""Principal variation search: https://www.chessprogramming.org/Principal_Variation_Search."""

from __future__ import annotations

from typing import Any

from ai.gomoku.kernels import pruning
from ai.gomoku.kernels.board import make, make_null, undo, undo_null
from ai.gomoku.kernels.layout import INFINITY, MAX_MOVES, NO_MOVE, NO_SCORE, PLY_MASK, PROVEN, PV_LENGTH, WIN, A, S, T
from ai.gomoku.kernels.movegen import (
    NOT_GENERATED,
    first_moves,
    four_three_threat,
    other_moves,
    pick,
    promote_root_move,
    update_history,
)
from ai.gomoku.kernels.patterns import FIVE
from ai.gomoku.kernels.quiescence import danger, exact_score, quiesce, visit
from ai.gomoku.kernels.smp import SHARED_DEPTH, enter, is_busy, leave
from ai.gomoku.kernels.tt import EXACT, LOWER, UPPER, cutoff, entry_move, fetch, pack_entry, probe, score_to_tt, store
from ai.system.compiler.jit import kernel


@kernel(S, int, int)
def update_pv(st: Any, ply: int, move: int) -> int:
    """Make `move` and the principal variation of the next ply that of `ply`; at the root, `move` the best move."""
    first, following = ply * PV_LENGTH, (ply + 1) * PV_LENGTH
    length = min(st.pv_length[ply + 1], PV_LENGTH - 2)
    st.pv[first] = move
    for place in range(length):
        st.pv[first + 1 + place] = st.pv[following + place]
    st.pv_length[ply] = length + 1
    if ply == 0:
        promote_root_move(st, move)
    return 0


@kernel(S, A, int, int, int, int, int)
def store_result(st: Any, tt: Any, depth: int, score: int, move: int, bound: int, ply: int) -> int:
    """Store what the search of a position has found."""
    static = NO_SCORE if danger(st) == FIVE else st.static[ply]
    return store(st, tt, pack_entry(score_to_tt(score, ply), move, max(depth, 0), bound, static, st.age))


@kernel(S, T, A, int, int, int, int, int)
def search(st: Any, tb: Any, tt: Any, depth: int, alpha: int, beta: int, ply: int, null_allowed: int) -> int:
    """Search the position and return its score s for the side to move: fail-soft alpha-beta, with

        s >= beta          the score is at least s
        alpha < s < beta   the score is s; `pv` has the line if beta - alpha > 1
        s <= alpha         the score is at most s

    `depth` is in plies; at 0 or less only threats are answered. `ply` counts from the root, which is 0 and has a window
    wider than 1: there the moves are the `root_moves` from `root_from` on, the best becomes their first, and
    `best_move`, and nothing is pruned or stored; elsewhere score, bound, best move and static evaluation go into `tt`.
    `null_allowed` is 0 right after a null move. Once `stop` is set nothing is stored and s means nothing, except at the
    root: the score of the best of the moves searched to the end, or the least score of a move that has turned out to be
    better.
    """
    yes, no = null_allowed | 1, null_allowed & 0  # a literal as an argument of a recursive call breaks numba's cache
    ply &= PLY_MASK
    first, forced, tt_move = ply * MAX_MOVES, danger(st), NO_MOVE
    best, best_move, bound = -INFINITY, NO_MOVE, UPPER
    st.pv_length[ply] = 0
    if ply > 0:
        if depth <= 0 and tb.QUIESCE != 0:
            return quiesce(st, tb, tt, 0, alpha, beta, ply, NO_SCORE)
        score = exact_score(st, tb, ply)
        if score != NO_SCORE:
            return score
        alpha, beta = max(alpha, ply + 2 - WIN), min(beta, WIN - ply - 1)
        if alpha >= beta or visit(st, ply) != 0:  # https://www.chessprogramming.org/Mate_Distance_Pruning
            return alpha
        entry = probe(st, tt)
        score = pruning.cutoff_score(st, tb, tt, entry, depth, alpha, beta, ply)
        if score != NO_SCORE:
            return score
        tt_move = entry_move(entry)
        st.four_three[ply] = four_three_threat(st, tb) if forced == 0 else 0
        if st.four_three[ply] != 0:  # moves that do not answer it lose in six plies
            best = ply + 6 - WIN
            alpha = max(alpha, best)
            if alpha >= beta:
                return alpha
    pv_node = beta - alpha > 1
    threatened = forced != 0 or best > -INFINITY
    if not pv_node and not threatened and null_allowed != 0 and pruning.may_pass(st, tb, depth, beta, ply) != 0:
        make_null(st, tb)  # https://www.chessprogramming.org/Null_Move_Pruning
        shallow = depth - tb.NULL_BASE - depth // tb.NULL_SLOPE
        score = -search(st, tb, tt, shallow, -beta, 1 - beta, ply + 1, no)
        undo_null(st, tb)
        if st.stop != 0 or score >= beta:
            return beta if score > PROVEN else score
    depth -= pruning.internal_reduction(tb, depth, tt_move, forced, ply)
    found = first_moves(st, tb, ply, tt_move)
    if found == 0:  # no legal move that is worth trying
        return ply + 4 - WIN if forced != 0 else best if threatened else 0
    following = depth - 1 + (tb.REPLY if forced == FIVE else 0)
    turn, picked, deferred = 0, NOT_GENERATED if tt_move != NO_MOVE else found, 0
    abdada = st.shared != 0 and depth >= SHARED_DEPTH
    while turn < picked + deferred:
        if turn == 1 and picked == NOT_GENERATED:  # the table's move did not fail high
            picked = found = other_moves(st, tb, ply, tt_move)
            continue
        if abdada and turn > 1 and not pv_node:  # another thread may have searched this position meanwhile
            score = cutoff(probe(st, tt), depth, alpha, beta, ply)
            if score != NO_SCORE:
                return score
        index = turn if turn < picked else st.deferred[first + turn - picked]
        move = pick(st, ply, index, found) if turn < picked else st.moves[first + index]
        turn += 1
        if abdada and index > 0 and turn <= picked and is_busy(st, tb, tt, move, depth) != 0:
            st.deferred[first + deferred] = index
            deferred += 1
            continue
        verdict = pruning.late_move(st, tb, move, index, depth, ply, best)
        if verdict != pruning.TRY:
            picked = min(picked, turn) if verdict == pruning.SKIP_REST else picked
            continue
        reduced = pruning.reduction(st, tb, move, index, depth, ply)
        busy = enter(st, tb, tt, move, depth) if abdada and index > 0 else 0
        fetch(st, tb, tt, move)
        make(st, tb, move)
        least = -INFINITY
        if index > 0:
            score = -search(st, tb, tt, following - reduced, -alpha - 1, -alpha, ply + 1, yes)
            if score > alpha and reduced > 0:
                score = -search(st, tb, tt, following, -alpha - 1, -alpha, ply + 1, yes)
        if index == 0 or (pv_node and alpha < score < beta):
            if index > 0 and ply == 0 and st.stop == 0:
                least = score
            score = -search(st, tb, tt, following, -beta, -alpha, ply + 1, yes)
        undo(st, tb)
        leave(st, tt, busy)
        if st.stop != 0:
            if least > alpha:
                st.pv_length[1] = 0
                update_pv(st, ply, move)
                return least
            return best
        if score > best:
            best, best_move = score, move
            if pv_node and (score > alpha or ply + index == 0):
                update_pv(st, ply, move)
            if score > alpha:
                alpha, bound = score, EXACT
        if best >= beta:
            bound = LOWER
            st.cuts += 1
            st.first_cuts += index == 0
            if forced != FIVE and ply > 0:
                update_history(st, ply, move, depth, min(turn, picked))
            break
    if ply > 0:
        store_result(st, tt, depth, best, best_move, bound, ply)
    return best
