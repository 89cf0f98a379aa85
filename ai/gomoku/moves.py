"""The gomoku engine as a `MoveSearch`: the search of single moves of a node, as the kernel's loop does it."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator, Sequence

from ai.core.player import Budget, Limit, Stop
from ai.core.score import PROVEN, WIN
from ai.gomoku.engine import UNLIMITED, GomokuEngine
from ai.gomoku.engine_board import Board, five_in_a_row
from ai.gomoku.kernels import layout, pruning
from ai.gomoku.kernels.board import make, undo
from ai.gomoku.kernels.evaluate import evaluate
from ai.gomoku.kernels.patterns import FIVE
from ai.gomoku.kernels.quiescence import danger, exact_score
from ai.gomoku.kernels.search import search
from ai.gomoku.tables import cell_of, move_of, to_score
from ai.search.alphabeta import Spent
from ai.search.trace import INFINITY
from ai.search.workers import MoveScore, MoveSearch, Opening, Where, Window
from games.line import LinePosition
from games.position import Position

FULL_WIDTH = {
    "root_vcf": 0, "RFP_DEPTH": 0, "RAZOR": 1 << 20, "NULL_BASE": 0, "LMP_DEPTH": -1, "LMR": 0, "ROOT_LMR": 0,
    "IIR": 1000, "QUIESCE": 0, "LEAF_FOURS": 1000, "REPLY": 0,
}  # fmt: skip
"""Options with which nothing is pruned, reduced or extended: the score at a depth is then that of minimax over the
moves of the generator, whoever has searched which moves, with whatever bounds and tables."""


class GomokuMoves(GomokuEngine, MoveSearch):
    """A `MoveSearch` by the engine: all its threads search the same move at once, with one table, and the first to
    finish counts."""

    _root: LinePosition | None = None
    _at: Where | None = None  # the node that is set up on the boards

    def open(self, root: Position, limit: Limit, stop: Stop) -> Opening:
        """Search `root` on all threads. The opening has the best moves first, then the other root moves of the kernel
        in their order. It is over if every line has a proven result."""
        *_, info = self.think(root, limit, stop)
        self._root, self._at = five_in_a_row(root), None
        size, first = _width(root), self._boards[0].state
        best = [line.moves[0] for line in info.lines]
        rest = [move_of(int(first.root_moves[place]), size) for place in range(int(first.root_count))]
        moves = (*best, *(move for move in rest if move not in best))
        return Opening(info, moves, all(abs(line.score) >= PROVEN for line in info.lines))

    def moves(self, node: Where) -> Sequence[int]:
        """Return the moves of the generator in their order; empty if the kernel knows an exact score at once."""
        board = self._boards_at(node)[0]
        if exact_score(board.state, board.tables, len(node.line)) != layout.NO_SCORE:
            return ()
        return [move_of(cell, _width(node.root)) for cell in self._root_moves(five_in_a_row(node.position))]

    def score(
        self, node: Where, move: int, index: int, depth: int, window: Callable[[], Window], budget: Budget,
        verify: bool,
    ) -> Generator[None, None, MoveScore]:  # fmt: skip
        """Score the move on all threads at once; the first to finish counts. It yields nothing, and looks at the window
        only once, at the beginning. Raise `Spent`."""
        yield from ()  # it looks at the window once
        boards, size = self._boards_at(node), _width(node.root)
        alpha, beta = (_kernel_score(bound) for bound in window())
        ply, cell = len(node.line), cell_of(move, size)

        def work(board: Board) -> int:
            """Score the move on one board."""
            return self._score_cell(board, ply, cell, index, depth, alpha, beta, verify)

        found = _first_to_finish(boards, work, budget.stop)
        if found is None:
            raise Spent
        board, score = found
        null = not (verify or _is_full(index, alpha))
        length = int(board.state.pv_length[ply + 1]) if alpha < score < beta and not null else 0
        start = (ply + 1) * layout.PV_LENGTH
        line = (move, *(move_of(int(board.state.pv[start + place]), size) for place in range(length)))
        return MoveScore(move, int(to_score(score)), line, self.nodes, null and alpha < score < beta)

    def _boards_at(self, node: Where) -> list[Board]:
        """Return the boards with `node` set up as a search from the root would reach it. A new root begins a new age of
        the table."""
        root = five_in_a_row(node.root)
        self._join_late()
        if root != self._root:  # a new age of the table
            self._prepare(root, Limit())
            self._root = root
            self._at = None
        for board in self._boards:
            st = board.state
            st.nodes = st.stop = 0
            st.node_limit = UNLIMITED
            if node == self._at:
                continue
            board.set(root)
            for ply, move in enumerate(node.line):
                st.static[ply] = evaluate(st, board.tables)
                make(st, board.tables, cell_of(move, root.rules.width))
            st.static[len(node.line)] = evaluate(st, board.tables)
        self._at = node
        return self._boards

    def _score_cell(
        self, board: Board, ply: int, cell: int, index: int, depth: int, alpha: int, beta: int, verify: bool
    ) -> int:
        """Score the move on `cell`, number `index` at `ply`, by principal variation search as in `kernels.search`.
        Return alpha if late move pruning leaves it out."""
        st, tb, table = board.state, board.tables, self._table
        full = _is_full(index, alpha)
        if not full and pruning.late_move(st, tb, cell, index, depth, ply, alpha) != pruning.TRY:
            return alpha
        reduced = int(pruning.reduction(st, tb, cell, index, depth, ply))
        score, following = alpha, depth - 1 + (int(tb.REPLY) if danger(st) == FIVE else 0)
        make(st, tb, cell)
        if not full:
            score = -int(search(st, tb, table, following - reduced, -alpha - 1, -alpha, ply + 1, 1))
            if score > alpha and reduced > 0 and not st.stop:
                score = -int(search(st, tb, table, following, -alpha - 1, -alpha, ply + 1, 1))
        if (full or (verify and alpha < score < beta)) and not st.stop:
            score = -int(search(st, tb, table, following, -beta, -alpha, ply + 1, 1))
        undo(st, tb)
        return score


def _is_full(index: int, alpha: int) -> bool:
    """Whether a move is searched with the full window at once, not first with a null window."""
    return index == 0 or alpha == -layout.INFINITY


def _first_to_finish(boards: Sequence[Board], work: Callable[[Board], int], stop: Stop) -> tuple[Board, int] | None:
    """Run `work` on all boards at once, each on a thread. Return the board that finishes first, with its result, and
    stop the others; None if the search was stopped."""

    def halt() -> None:
        """Stop the searches on all boards."""
        for board in boards:
            board.halt()

    done: queue.SimpleQueue[tuple[Board, int]] = queue.SimpleQueue()
    helpers = [
        threading.Thread(target=lambda board=board: done.put((board, work(board))), daemon=True) for board in boards[1:]
    ]
    with stop.calling(halt):
        for helper in helpers:
            helper.start()
        done.put((boards[0], work(boards[0])))
        first = done.get()
        stopped = bool(first[0].state.stop)
        halt()
        for helper in helpers:
            helper.join()
    return None if stopped else first


def _kernel_score(score: int) -> int:
    """Convert a score of `ai.search` to the kernels' encoding: the inverse of `tables.to_score`, with infinite
    bounds."""
    size = abs(score)
    if size < PROVEN:
        return score
    found = layout.INFINITY if size >= INFINITY else layout.WIN - (WIN - size)
    return found if score > 0 else -found


def _width(position: Position) -> int:
    """Return the width of the board. Raise `ValueError` unless it is of five in a row."""
    return five_in_a_row(position).rules.width
