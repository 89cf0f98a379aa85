"""What guides a Monte Carlo tree search: all that it asks about a position, in one call.

A call of a kernel from Python takes longer than a move on the board. The answer is written to an array of integers,
which has also the stones in which the position differs from the one before.
"""

from __future__ import annotations

from typing import Any

from ai.gomoku.kernels.board import count, find_cell, is_illegal, kind_of, make, undo
from ai.gomoku.kernels.evaluate import evaluate
from ai.gomoku.kernels.layout import MAX_MOVES, MAX_STONES, A, S, T
from ai.gomoku.kernels.movegen import list_root_moves
from ai.gomoku.kernels.parameters import ANYWHERE
from ai.gomoku.kernels.patterns import FIVE, FOUR, OPEN_FOUR
from ai.gomoku.kernels.vcf import vcf
from ai.system.compiler.jit import kernel
from ai.system.compiler.native import ArrayParameter

FOURS, TRIES = 10, 300
"""Limits of a VCF search: fours in the win, fours tried."""

SIDE_SHIFT, MOVE_MASK = 16, 0xFFFF
"""A stone is its cell, and above it its side."""

PLIES, SCORE, FORCED, FOUND, MOVES = range(5)
"""Places in the answer: plies of a win by fours, 0 if there is none; the evaluation; whether the moves are all that can
prevent a five or an open four; how many moves there are; then the moves, and from `RANKS` on their ranks."""

RANKS = MOVES + MAX_MOVES
LENGTH = max(RANKS + MAX_MOVES, MAX_STONES)
ANSWER = ArrayParameter(LENGTH)


@kernel(S, T, ANSWER, int, int)
def change(st: Any, tb: Any, stones: Any, taken: int, put: int) -> int:
    """Take back the last `taken` stones, whoever put them. Then put the first `put` of `stones`: each holds a cell in
    its low bits, and above `SIDE_SHIFT` the side that puts it. Return 0."""
    for _ in range(taken):
        st.side = 2 - st.board[st.played[st.stones - 1]]  # the side to move after that stone
        undo(st, tb)
    for place in range(put):
        st.side = stones[place] >> SIDE_SHIFT
        make(st, tb, stones[place] & MOVE_MASK)
    return 0


@kernel(S, T, A, int)
def after_four(st: Any, tb: Any, tt: Any, four: int) -> int:
    """Plies of a win by `four`, 0 if none is found."""
    side, plies = st.side, 0
    make(st, tb, four)
    if count(st, 1 - side, FIVE) == 0:
        reply = find_cell(st, tb, side, FIVE)
        plies = 3
        if count(st, side, FIVE) == 1 and is_illegal(st, tb, reply) == 0:
            make(st, tb, reply)
            st.vcf_left = TRIES
            found = vcf(st, tb, tt, FOURS, ANYWHERE)
            plies = found + 2 if found > 0 else 0
            undo(st, tb)
    undo(st, tb)
    return plies


@kernel(S, T, A, int)
def winning_move(st: Any, tb: Any, tt: Any, plies: int) -> int:
    """The five, or the four with which the shortest win begins; a win in `plies` was found."""
    if plies == 1:
        return find_cell(st, tb, st.side, FIVE)
    best, least = 0, plies + 1000
    for number in range(tb.cell_count):
        cell = tb.cells[number]
        kind = kind_of(st, cell, st.side)
        if FOUR <= kind <= OPEN_FOUR:
            length = after_four(st, tb, tt, cell)
            if 0 < length < least:
                best, least = cell, length
    return best


@kernel(S, T, A, ANSWER, int, int, int)
def guide(st: Any, tb: Any, tt: Any, answer: Any, taken: int, put: int, turn: int) -> int:
    """Change the board as `change` does, with `turn` to move, and write the answer over the stones."""
    change(st, tb, answer, taken, put)
    st.side, st.vcf_left = turn, TRIES
    answer[PLIES] = vcf(st, tb, tt, FOURS, ANYWHERE)
    if answer[PLIES] > 0:
        answer[MOVES] = winning_move(st, tb, tt, answer[PLIES])
        return 0
    answer[SCORE] = evaluate(st, tb)
    answer[FORCED] = 1 if count(st, 1 - turn, FIVE) + count(st, 1 - turn, OPEN_FOUR) > 0 else 0
    answer[FOUND] = list_root_moves(st, tb)
    for place in range(answer[FOUND]):
        answer[MOVES + place] = st.root_moves[place]
        answer[RANKS + place] = st.scores[place]
    return 0
