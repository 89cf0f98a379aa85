"""Pruning and reductions: positions scored without searching a move, moves pruned, and moves reduced.

What may score a position returns NO_SCORE otherwise. STRENGTH.md has the Elo of each technique.
"""

from __future__ import annotations

from typing import Any

from ai.gomoku.kernels.board import count, kind_of
from ai.gomoku.kernels.evaluate import evaluate
from ai.gomoku.kernels.layout import MAX_PLY, NO_MOVE, NO_SCORE, PROVEN, WIN, A, S, T
from ai.gomoku.kernels.patterns import BLOCKED_THREE, FIVE, FOUR, FOUR_PLUS, FOUR_THREE, THREE
from ai.gomoku.kernels.quiescence import danger, quiesce, table_score
from ai.gomoku.kernels.tt import EXACT, LOWER, cutoff, entry_static, pack_entry, store
from ai.gomoku.kernels.vcf import vcf
from ai.system.compiler.jit import kernel

LEAF_VCF_DEPTH, RAZOR_VCF_DEPTH = 10, 14  # fours
RAZOR_DEPTH, NULL_DEPTH, LMR_DEPTH = 3, 3, 3
TRY, SKIP, SKIP_REST = range(3)


@kernel(S, int)
def is_quiet(st: Any, move: int) -> int:
    """Whether the move makes no three and prevents no open one."""
    side = st.side & 1
    return 1 if kind_of(st, move, side) < BLOCKED_THREE and kind_of(st, move, 1 - side) < THREE else 0


@kernel(S, int)
def is_improving(st: Any, ply: int) -> int:
    """Whether the static evaluation is better than at the same side's last turn."""
    return 1 if ply >= 2 and st.static[ply] > st.static[ply - 2] else 0


@kernel(S, T, int, int)
def static_score(st: Any, tb: Any, entry: int, ply: int) -> int:
    """The static evaluation, from `entry` if it has one, written into `static`.

    Where a five must be prevented, return NO_SCORE and write the value of the same side's last turn.
    """
    static = entry_static(entry)
    if static == NO_SCORE and (danger(st) != FIVE or ply >= MAX_PLY - 2):
        static = evaluate(st, tb)
    st.static[ply] = static if static != NO_SCORE or ply < 2 else st.static[ply - 2]
    return static


@kernel(S, T, A, int, int)
def horizon(st: Any, tb: Any, tt: Any, depth: int, ply: int) -> int:
    """The score at the horizon: a win by fours, or the static evaluation; NO_SCORE where a threat must be answered.

    With those answers, a quiescence search: https://www.chessprogramming.org/Quiescence_Search.
    """
    forced, side, static = danger(st), st.side & 1, st.static[ply]
    if forced == FIVE:
        return NO_SCORE
    fours = count(st, side, FOUR) + 2 * count(st, side, FOUR_PLUS) + 3 * count(st, side, FOUR_THREE)
    if fours >= tb.LEAF_FOURS:  # a single plain four leads nowhere by itself
        st.vcf_left = tb.LEAF_VCF
        plies = vcf(st, tb, tt, LEAF_VCF_DEPTH, tb.LEAF_WHERE)
        if plies > 0:
            store(st, tt, pack_entry(WIN - plies, NO_MOVE, 0, LOWER, static, st.age))
            return WIN - ply - plies
    if forced != 0 and depth > -tb.BEYOND:
        return NO_SCORE
    if tb.KEEP_LEAF != 0:
        store(st, tt, pack_entry(static, NO_MOVE, 0, EXACT, static, st.age))
    return static


@kernel(S, T, A, int, int, int, int)
def margin_score(st: Any, tb: Any, tt: Any, depth: int, alpha: int, beta: int, ply: int) -> int:
    """The score where the static evaluation is far outside the window, else NO_SCORE.

    Far above beta: https://www.chessprogramming.org/Reverse_Futility_Pruning. Far below alpha, after a look for a win
    by fours: https://www.chessprogramming.org/Razoring.
    """
    static = st.better[ply]
    if depth <= tb.RFP_DEPTH and static - tb.RFP * (depth - is_improving(st, ply)) >= beta:
        return static
    if depth <= RAZOR_DEPTH and static + tb.RAZOR * depth < alpha:
        if tb.QUIESCE != 0:
            return quiesce(st, tb, tt, 0, alpha, beta, ply, st.static[ply])
        st.vcf_left = tb.RAZOR_VCF
        plies = vcf(st, tb, tt, RAZOR_VCF_DEPTH, tb.RAZOR_WHERE)
        return WIN - ply - plies if plies > 0 else static
    return NO_SCORE


@kernel(S, T, A, int, int, int, int, int)
def cutoff_score(st: Any, tb: Any, tt: Any, entry: int, depth: int, alpha: int, beta: int, ply: int) -> int:
    """The score where no move needs to be searched: a cut-off by the transposition table's `entry`, the horizon, or a
    static evaluation far outside the window; else NO_SCORE."""
    null_window = beta - alpha == 1
    score = cutoff(entry, max(depth, 0), alpha, beta, ply) if null_window else NO_SCORE
    if score != NO_SCORE:
        st.hits += 1
        return score
    static = static_score(st, tb, entry, ply)
    if ply >= MAX_PLY - 2:
        return static
    st.better[ply] = table_score(entry, st.static[ply], ply) if tb.TABLE_SCORE != 0 else st.static[ply]
    if depth <= 0:
        return horizon(st, tb, tt, depth, ply)
    if null_window and abs(beta) < PROVEN and danger(st) == 0:
        return margin_score(st, tb, tt, depth, alpha, beta, ply)
    return NO_SCORE


@kernel(S, T, int, int, int)
def may_pass(st: Any, tb: Any, depth: int, beta: int, ply: int) -> int:
    """Whether to try a null move."""
    allowed = tb.NULL_BASE > 0 and ply > 0 and st.stones + 1 < tb.cell_count
    return 1 if allowed and depth >= NULL_DEPTH and abs(beta) < PROVEN and st.better[ply] >= beta else 0


@kernel(S, T, int, int, int, int, int)
def late_move(st: Any, tb: Any, move: int, index: int, depth: int, ply: int, best: int) -> int:
    """Whether to TRY the move at `index`, SKIP it, or SKIP_REST.

    That is late move pruning, https://www.chessprogramming.org/Futility_Pruning#MoveCountBasedPruning. A weaker
    level's `BREADTH` is enforced here too.
    """
    if ply == 0 or danger(st) != 0:
        return TRY
    if tb.BREADTH > 0 and index >= tb.BREADTH:
        return SKIP_REST
    if best <= -PROVEN or depth > tb.LMP_DEPTH:
        return TRY
    limit = tb.LMP_BASE + depth * depth * tb.LMP_SCALE // (100 if is_improving(st, ply) else 200)
    if index >= limit and is_quiet(st, move):
        return SKIP_REST
    return SKIP if index >= 3 * limit else TRY


@kernel(S, T, int, int, int, int)
def reduction(st: Any, tb: Any, move: int, index: int, depth: int, ply: int) -> int:
    """Late move reduction of the move at `index`, in plies: https://www.chessprogramming.org/Late_Move_Reductions."""
    if depth < LMR_DEPTH or index < (2 if ply > 0 else 3):
        return 0
    place = min(index if ply > 0 else st.root_from + index, 63)
    hundredths = tb.reduction[min(depth, 63) * 64 + place]
    if ply > 0:
        hundredths += tb.LMR_BASE + is_quiet(st, move) * tb.LMR_QUIET - is_improving(st, ply) * tb.LMR_IMPROVING
        reduced = hundredths // tb.LMR_GRAIN * tb.LMR_GRAIN * tb.LMR // 10000
    else:
        reduced = (hundredths + 40) // 100 * tb.ROOT_LMR // 100 - 1
    return max(0, min(reduced, depth - 2))


@kernel(T, int, int, int, int)
def internal_reduction(tb: Any, depth: int, tt_move: int, forced: int, ply: int) -> int:
    """Reduction in plies where the transposition table has no move:
    https://www.chessprogramming.org/Internal_Iterative_Reductions."""
    return 1 if ply > 0 and forced == 0 and tt_move == NO_MOVE and depth >= tb.IIR else 0
