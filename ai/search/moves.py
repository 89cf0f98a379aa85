"""What a worker of a distributed search can do: search single moves of a node, whoever searches the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ai.core.player import Budget, Info, Limit, Stop
from ai.core.score import settled
from ai.search.alphabeta import TO_THE_END, Entry, Parts, Spent, TreeSearch
from ai.search.trace import INFINITY
from games.position import Position


@dataclass(frozen=True, slots=True)
class Where:
    """A node of a search: the `root`, and the `line` of moves from there."""

    root: Position
    line: tuple[int, ...] = ()

    @property
    def position(self) -> Position:
        position = self.root
        for move in self.line:
            position = position.play(move)
        return position

    def after(self, move: int) -> Where:
        return Where(self.root, (*self.line, move))


@dataclass(frozen=True, slots=True)
class Window:
    """Alpha and beta, in the unit of `ai.core.score` and for the side to move; without bounds the window is full."""

    alpha: int = -INFINITY
    beta: int = INFINITY


FULL = Window()


@dataclass(frozen=True, slots=True)
class MoveScore:
    """The score of a `move` for the side that plays it, in plies from the root: exact within the window, else a bound.

    `line` begins with the move; the rest is known if the score is exact. `unverified` tells that the score is only a
    lower bound, by a null window, though below beta; `whole`, that no heuristic score was used.
    """

    move: int
    score: int
    line: tuple[int, ...]
    nodes: int
    unverified: bool = False
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Opening:
    """The first depths of a search: the last `info`, and all `moves` of the root worth searching, best first.

    `over` tells that there is nothing more to find out.
    """

    info: Info
    moves: tuple[int, ...]
    over: bool


class MoveSearch(Protocol):
    """Searches parts of a tree, with a table of its own that is kept between two calls.

    What is interrupted by `stop` returns None.
    """

    def open(self, root: Position, limit: Limit, stop: Stop) -> Opening:
        """Begin a new search, and search the root within `limit`."""

    def moves(self, node: Where) -> Sequence[int]:
        """Return the moves of `node` worth searching, best first; none if it is not worth sharing out."""

    def score(
        self, node: Where, move: int, index: int, depth: int, window: Window, stop: Stop, verify: bool = True
    ) -> MoveScore | None:
        """Search `move`, the one at `index` of `node`, which is searched to `depth`: the move itself a ply less.

        One that fails high in a null window is searched again if the search is to `verify` it.
        """

    def close(self) -> None:
        """Release tables."""


class TreeMoves(MoveSearch):
    """Alpha-beta for any `Position`. The values do not depend on who searches what: see `_FixedDepth`."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._search = self._new(Limit(), Stop())

    def _new(self, limit: Limit, stop: Stop) -> _FixedDepth:
        return _FixedDepth(Budget(limit, stop), self._parts, None)

    def open(self, root: Position, limit: Limit, stop: Stop) -> Opening:
        self._search = self._new(limit, stop)
        *_, info = self._search.deepen(root)
        best = [line.moves[0] for line in info.lines]
        moves = (*best, *(move for move in self.moves(Where(root)) if move not in best))
        over = all(settled(line.score) or line.exact for line in info.lines)
        return Opening(info, moves, over)

    def moves(self, node: Where) -> Sequence[int]:
        return tuple(self._search.ordered_moves(node.position))

    def score(
        self, node: Where, move: int, index: int, depth: int, window: Window, stop: Stop, verify: bool = True
    ) -> MoveScore | None:
        self._search.budget = Budget(Limit(), stop)
        return self._search.score(node, move, depth, window)

    def close(self) -> None:
        return


class _FixedDepth(TreeSearch):
    """A search whose scores are those of minimax to the same depth, also where the table answers.

    Its entries serve only searches of the same depth, or of a greater one if no heuristic score was used.
    """

    def ordered_moves(self, position: Position) -> Sequence[int]:
        return self._moves(position, None, 0)

    def score(self, node: Where, move: int, depth: int, window: Window) -> MoveScore | None:
        before, self._heuristic = self.nodes, 0
        ply = len(node.line)
        try:
            score = self._after(node.position, move, depth - 1, window.alpha, window.beta, ply + 1)
        except Spent:
            return None
        line = (move, *self._lines[ply + 1])
        return MoveScore(move, score, line, self.nodes - before, whole=self._heuristic == 0)

    def _stored_depth(self, depth: int, whole: bool) -> int:
        return TO_THE_END + depth if whole else depth

    def _serves(self, entry: Entry, depth: int) -> bool:
        return entry.depth == depth or TO_THE_END <= entry.depth <= TO_THE_END + depth
