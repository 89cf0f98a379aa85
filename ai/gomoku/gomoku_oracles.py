"""Oracles for a Monte Carlo tree search from the gomoku engine: its move ordering, evaluation and wins by fours.

The kernels work on a board of their own. It follows the search from one position to the next by taking back stones and
putting others, since both share most of them.
"""

from __future__ import annotations

from math import exp

from ai.core.score import curve_of
from ai.gomoku.engine import RULES
from ai.gomoku.engine_board import Board, five_in_a_row
from ai.gomoku.kernels.evaluate import reset
from ai.gomoku.kernels.guide import FORCED, FOUND, LENGTH, MOVES, PLIES, RANKS, SCORE, SIDE_SHIFT, guide
from ai.gomoku.kernels.layout import CELLS
from ai.gomoku.tables import build, cell_of, move_of
from ai.network.network import Network, load_weights, planes_of, softmax, weights_file
from ai.search.oracles import Guidance
from ai.system.compiler.jit import new_array, new_table
from games.line import LinePosition
from games.position import Position

RANK_SCALE = 100.0
"""Rank of a move that is e times as likely to be the best one as a move of rank 0."""

_PAIRS = 1 << 16  # entries of the table of the VCF
_BREADTH = 24  # moves with a prior
_SHARE = 0.7  # exponent of the network's prior in the mean of both


class PatternsOracle:
    """An `Oracle` for five in a row, on boards of 5 to 20 cells a side: priors from the engine's move ordering, its
    evaluation as value, and its wins by fours."""

    def __init__(self) -> None:
        self._kind: tuple[int, str, int] | None = None
        self._answer = new_array(LENGTH)

    def evaluate(self, position: Position) -> Guidance:
        """Judge `position` as `Oracle` says. Raise `ValueError` for a game that is not five in a row."""
        position = five_in_a_row(position)
        self._prepare(position)
        answer, (taken, put) = self._answer, self._update_stones(position)
        guide(self._board.state, self._board.tables, self._table, answer, taken, put, position.turn)
        if plies := int(answer[PLIES]):
            move = self._moves[answer[MOVES]]
            return Guidance({move: 1.0}, 1.0, (move,), plies)
        value = 2 * curve_of(position).probability(int(answer[SCORE]), position.ply) - 1
        forced = bool(answer[FORCED])
        return Guidance(self._priors(position, forced), value, complete=forced)

    def _priors(self, position: LinePosition, forced: bool) -> dict[int, float]:
        """Return priors as a softmax of the ranks of the best moves; of all moves found if they are `forced`.
        All candidates have the same prior if there are no stones or no moves were found."""
        answer, found = self._answer, int(self._answer[FOUND])
        if not self._made or not found:
            moves = position.candidates()
            return dict.fromkeys(moves, 1 / len(moves))
        if not forced:
            found = min(found, _BREADTH)
        ranks = [int(rank) for rank in answer[RANKS : RANKS + found]]
        weights = [exp((rank - ranks[0]) / RANK_SCALE) for rank in ranks]
        total = sum(weights)
        cells = answer[MOVES : MOVES + found]
        return {self._moves[cell]: weight / total for cell, weight in zip(cells, weights, strict=True)}

    # The board.

    def _prepare(self, position: LinePosition) -> None:
        """Begin on a new, empty board if the size, the rule or the parity of `position` differs from that of the
        position before."""
        rules = position.rules
        shift = (position.turn ^ rules.cells ^ position.cells.count(0)) & 1  # not part of the kernels' key
        kind = (rules.width, rules.rule, shift)
        if kind == self._kind:
            return
        self._kind, self._size = kind, rules.width
        self._board = Board(build(RULES[rules.rule], rules.width), _PAIRS - 1)
        reset(self._board.state, self._board.tables)
        self._table = new_table(2 * _PAIRS)
        self._moves = [move_of(cell, rules.width) for cell in range(CELLS)]  # by cell
        self._made: list[tuple[int, int]] = []  # moves with their stones, in order

    def _update_stones(self, position: LinePosition) -> tuple[int, int]:
        """Return how many stones the kernel is to take back, and how many to put, to reach `position`. Write the new
        stones into `_answer`, the last move of the position last."""
        cells, last, made = position.cells, position.last, self._made
        kept = len(made)
        for index, (move, stone) in enumerate(made):
            if cells[move] != stone or move == last:
                kept = index
                break
        taken = len(made) - kept
        del made[kept:]
        known = {move for move, _ in made}
        new = [(move, stone) for move, stone in enumerate(cells) if stone and move != last and move not in known]
        if last is not None:
            new.append((last, cells[last]))
        made += new
        for place, (move, stone) in enumerate(new):
            self._answer[place] = cell_of(move, self._size) | (stone - 1) << SIDE_SHIFT
        return taken, len(new)


# The network for gomoku as what guides a Monte Carlo tree search, with the engine's proofs.


class GuidedNetwork:
    """An `Oracle` from the engine's patterns and the network for gomoku: priors are the weighted geometric mean of
    both, values the mean of both. Either is closer to what the engine finds in long searches than that of the patterns
    or of the network alone (ai/lab/PLAYERS.md).

    The network was trained on 15×15 without forbidden points. Raise `ValueError` with a sentence if its weights cannot
    be read.
    """

    def __init__(self) -> None:
        self._weights = load_weights(weights_file("gomoku"))
        self._patterns, self._network = PatternsOracle(), Network(self._weights)

    def evaluate(self, position: Position) -> Guidance:
        """Judge `position` as `Oracle` says. Raise `ValueError` for a game that is not five in a row."""
        known = self._patterns.evaluate(position)
        if known.win:
            return known
        position = five_in_a_row(position)
        logits, value = self._network_for(position).evaluate(planes_of(position, position.rules.width))
        network = softmax(logits, list(known.priors))
        weights = {move: prior ** (1 - _SHARE) * network[move] ** _SHARE for move, prior in known.priors.items()}
        total = sum(weights.values())
        priors = {move: weight / total for move, weight in weights.items()}
        return known._replace(priors=priors, value=(known.value + value) / 2)

    def _network_for(self, position: LinePosition) -> Network:
        """Return the network for the size of the board; make it anew if the size has changed."""
        board = position.rules.height, position.rules.width
        if board != (self._network.height, self._network.width):
            self._network = Network(self._weights, board)
        return self._network
