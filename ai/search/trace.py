"""What a search did, node by node: flat arrays that a search fills through `enter` and `leave`, in the order of visits.

A search by iterative deepening, or for several lines, has a root for each time it begins anew.

A `Snapshot` is the tree as it stands at one time, of which the order of visits is not known.

`Traceable` players fill `trace` if there is one. The gomoku engine writes none while it searches:
`ai.gomoku.table_walk` walks its transposition table, and `Info.depths` has what its root did in each iteration, from
counters in `layout.STATE`.
"""

from __future__ import annotations

from abc import abstractmethod
from array import array
from bisect import bisect_right
from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Any, ClassVar

from ai.core.player import Player
from ai.core.score import WIN
from games.position import FIRST, Position

INFINITY = WIN + 1
ROOT = -2
"""The move of a root; a pass is -1."""


class End(IntEnum):
    """Why the search of a node ended: the game is over, the depth is used up, a move is too good (`alpha` >= `beta`),
    the transposition table knew enough, all moves were tried, the search was stopped, or beyond the horizon no loud
    move is better than to stand pat (`ai.search.alphabeta`)."""

    OUTCOME = 0
    HORIZON = 1
    CUT = 2
    TABLE = 3
    ALL = 4
    STOPPED = 5
    QUIET = 6


NO_STAND = -INFINITY
"""What `Trace.stand` is where a side cannot stand pat, or has nothing else to try."""

FINE = 100
"""Values of a search with chance nodes are in parts of a hundredth: so many."""


class Trace:
    """The visited nodes, 34 bytes each. All arrays have an entry a node, in the order of visits: a node, then all that
    was visited below it.

    `parent` is the number of a node, -1 for a root, and `move` led from there, `ROOT` for a root. `turn` is the side to
    move. `alpha`, `beta` and `value` are from its view and count plies to the end from the root. `end` is an `End`, and
    `untried` the number of moves that a cut saved. `size` counts the node and those below it, 0 until it is left;
    `ply` counts the moves from the root, `rest` the plies to the horizon. `stands` is the value of standing pat beyond
    it, `NO_STAND` where there is no such choice.

    `error` is the probability with which the side that is not to move at the root plays at random; None if it does not:
    then there are no chance nodes.
    """

    error: float | None = None


    ARRAYS: ClassVar[tuple[tuple[str, str], ...]] = (
        ("parent", "i"), ("move", "h"), ("turn", "b"), ("alpha", "i"), ("beta", "i"), ("value", "i"), ("end", "b"),
        ("untried", "h"), ("size", "i"), ("ply", "h"), ("rest", "h"), ("stands", "i"),
    )  # fmt: skip
    """Their names and types, as `array` has them."""

    def __init__(self) -> None:
        self.parent, self.move, self.turn = array("i"), array("h"), array("b")
        self.alpha, self.beta, self.value = array("i"), array("i"), array("i")
        self.end, self.untried, self.size, self.ply = array("b"), array("h"), array("i"), array("h")
        self.rest, self.stands = array("h"), array("i")
        self._path: list[int] = []

    def __len__(self) -> int:
        return len(self.parent)

    def clear(self) -> None:
        """Forget all nodes."""
        for name, _ in self.ARRAYS:
            del getattr(self, name)[:]
        self._path.clear()

    def enter(self, move: int, turn: int, alpha: int, beta: int, rest: int = 0) -> None:
        """Visit the position after `move`, in which the side `turn` is to move, `rest` plies above the horizon."""
        self.parent.append(self._path[-1] if self._path else -1)
        self.ply.append(len(self._path))
        self._path.append(len(self.move))
        self.move.append(move)
        self.turn.append(turn)
        self.alpha.append(alpha)
        self.beta.append(beta)
        self.value.append(0)
        self.end.append(End.STOPPED)
        self.untried.append(0)
        self.size.append(0)
        self.rest.append(rest)
        self.stands.append(NO_STAND)

    def stand(self, value: int) -> None:
        """Set the stand-pat score of the node entered last."""
        self.stands[self._path[-1]] = value

    def leave(self, value: int, end: End, untried: int = 0) -> None:
        """Return from the node that was entered last."""
        node = self._path.pop()
        self.value[node], self.end[node], self.untried[node] = value, end, untried
        self.size[node] = len(self.move) - node

    def stop(self) -> None:
        """End the search at once. The nodes that it has not left are `End.STOPPED`."""
        self._path.clear()

    def cut_off(self, nodes: int) -> None:
        """End the search at once and forget all but the first `nodes`. Those that it had not left by then are
        `End.STOPPED`, and count what remains below them."""
        if not nodes:
            self.clear()
            return
        path = self.path(nodes - 1)
        for name, _ in self.ARRAYS:
            del getattr(self, name)[nodes:]
        self._path.clear()
        for node in path:
            if not self.size[node] or node + self.size[node] > nodes:
                self.size[node], self.end[node], self.untried[node] = nodes - node, End.STOPPED, 0

    def bound(self, node: int) -> str:
        """Return whether the value of a node is ``exact``, or a ``lower`` or an ``upper`` bound.

        Outside the window it is a bound, unless all moves were tried and the value of the best is exact.
        """
        value, end = self.value[node], self.end[node]
        if end in (End.OUTCOME, End.HORIZON) or self.alpha[node] < value < self.beta[node]:
            return "exact"
        if end in (End.ALL, End.CUT) and not self.untried[node]:
            sure = [child for child in self.children(node) if self.backed_up(child) == value]
            if any(self.bound(child) == "exact" for child in sure):
                return "exact"
        return "lower" if value >= self.beta[node] else "upper"

    def facts(self) -> dict[str, list[Any]]:
        """Return what a tree of its kind tells besides, by name: an entry a node."""
        found: dict[str, list[Any]] = {}
        if any(value != NO_STAND for value in self.stands):
            signs = [1 if turn == FIRST else -1 for turn in self.turn]
            stands = zip(signs, self.stands, strict=True)
            found["stands"] = [None if value == NO_STAND else sign * value for sign, value in stands]
        again = [int(self.is_again(node)) for node in range(len(self))] if self._null_windows else []
        if any(again):
            found["again"] = again
        if self.error is not None:
            chances = [self.probability(node) for node in range(len(self))]
            found["probability"] = [None if chance is None else round(chance, 6) for chance in chances]
        return found

    # Searches of a move for the second time, after a null window.

    @property
    def _null_windows(self) -> bool:
        """Whether any node was searched with a null window."""
        return any(low + 1 == high for low, high in zip(self.alpha, self.beta, strict=True))

    def is_again(self, node: int) -> bool:
        """Whether the move to a node was searched before, with a null window: principal variation search."""
        return any(other < node for other in self._same_move(node))

    def superseded(self, node: int) -> int | None:
        """Return the node with which the move to `node` was searched again; None if it was not."""
        return next((other for other in self._same_move(node) if other > node), None)

    def _same_move(self, node: int) -> list[int]:
        """The neighbours of a node after the same move, at most one of which was visited before or after it."""
        parent, found = self.parent[node], list[int]()
        if parent < 0:
            return found
        before, after = self._before(node), self.after(node)
        if before is not None and self.move[before] == self.move[node]:
            found.append(before)
        if after < len(self) and self.parent[after] == parent and self.move[after] == self.move[node]:
            found.append(after)
        return found

    def _before(self, node: int) -> int | None:
        """The sibling that was visited before."""
        other = node - 1
        while other > self.parent[node] and self.parent[other] != self.parent[node]:
            other = self.parent[other]
        return other if other > self.parent[node] else None

    def tried(self, node: int) -> list[int]:
        """Return the children of a node, one for each move: of a move that was searched twice, the second."""
        row = self.children(node)
        last = {self.move[child]: child for child in row}
        return [child for child in row if last[self.move[child]] == child]

    # Chance nodes.

    def is_chance(self, node: int) -> bool:
        """Whether the side to move may err here; not known before the node is left whether it has moves."""
        if self.error is None or self.turn[node] == self.turn[0]:
            return False
        return self.after(node) > node + 1

    def probability(self, node: int) -> float | None:
        """Return the probability of the move to a node; None unless it is known that it has one."""
        parent = self.parent[node]
        if self.error is None or parent < 0 or not self.is_chance(parent) or self.end[parent] == End.STOPPED:
            return None
        row = self.children(parent)
        best = max(row, key=self.backed_up)
        return self.error / len(row) + (1 - self.error if node == best else 0)

    def backed_up(self, node: int) -> int:
        """Return the value of a node for the side to move at its parent."""
        value = self.value[node]
        return value if self.turn[node] == self.turn[self.parent[node]] else -value

    def after(self, node: int) -> int:
        """Return the node that was visited after all below `node`; the number of nodes if there is none."""
        return node + self.size[node] if self.size[node] else len(self)

    def children(self, node: int) -> list[int]:
        """Return the nodes one move after `node`, in the order of visits."""
        return self._row(node + 1, self.after(node))

    def child(self, node: int, move: int) -> int | None:
        """Return the node after `move` at `node`; None if it was not visited."""
        return next((child for child in self.children(node) if self.move[child] == move), None)

    def node_after(self, moves: Sequence[int]) -> int | None:
        """Return the node after `moves` from the first root; None if it was not visited."""
        node: int | None = 0
        for move in moves:
            node = None if node is None else self.child(node, move)
        return node

    def roots(self) -> list[int]:
        """The nodes without a parent, one an iteration."""
        return self._row(0, len(self))

    def stable_depth(self, to_the_end: bool) -> int | None:
        """Return the depth from which on a deeper search is the same: the plies to the deepest node. None if it is not
        known: the search was stopped, or used up a depth that was not `to_the_end`."""
        root = max(self.roots(), default=0)
        ends = self.end[root:]
        if End.STOPPED in ends[:1] or (End.HORIZON in ends and not to_the_end):
            return None
        return max(self.ply[root:], default=0)

    def _row(self, first: int, last: int) -> list[int]:
        """The nodes from `first` to `last` that are not below another of them."""
        row: list[int] = []
        while first < last:
            row.append(first)
            first = self.after(first)
        return row

    def path(self, node: int) -> list[int]:
        """Return the nodes from the root to `node`."""
        found = [node]
        while self.parent[found[-1]] >= 0:
            found.append(self.parent[found[-1]])
        return found[::-1]

    def moves_to(self, node: int) -> tuple[int, ...]:
        """Return the moves from the root to `node`."""
        return tuple(self.move[each] for each in self.path(node)[1:])


class Traceable(Player):
    """A player whose searches can be followed: each clears `trace` and fills it, if there is one."""

    trace: Trace | None = None


def document(trace: Trace, player: str, position: Position, moves: Sequence[str]) -> dict[str, Any]:
    """Return a trace as JSON has it: values from the first side, moves as text, null for infinite bounds and for the
    values of nodes at which the search was stopped. `moves` led to `position`, the root."""
    signs = [1 if turn == FIRST else -1 for turn in trace.turn]
    bounds = zip(signs, trace.alpha, trace.beta, strict=True)
    windows = [(low, high) if sign > 0 else (-high, -low) for sign, low, high in bounds]
    ends = [End(end) for end in trace.end]
    values = zip(signs, trace.value, ends, strict=True)
    unit = 1 if trace.error is None else FINE
    return {
        "game": position.game,
        "player": player,
        "root": " ".join(moves),
        "nodes": len(trace),
        "parent": list(trace.parent),
        "move": ["" if move == ROOT else position.move_text(move) for move in trace.move],
        "side": list(trace.turn),
        "alpha": [_finite(low) for low, _ in windows],
        "beta": [_finite(high) for _, high in windows],
        "value": [None if end is End.STOPPED else _in_unit(sign * value, unit) for sign, value, end in values],
        "bound": [_bound_from_first(trace.bound(node), sign) for node, sign in enumerate(signs)],
        "end": [(End.CUT if end is End.STOPPED else end).name.lower() for end in ends],
        **trace.facts(),
    }


def _in_unit(value: int, unit: int) -> int | float:
    """A value of the trace in the unit of the reader."""
    return value if unit == 1 else value / unit


def _finite(bound: int) -> int | None:
    """The bound, None for an infinite one."""
    return bound if abs(bound) < INFINITY else None


def _bound_from_first(bound: str, sign: int) -> str:
    """Return a kind of bound from the first side's view."""
    return bound if sign > 0 or bound == "exact" else "upper" if bound == "lower" else "lower"


# A search as it stood after each of its steps: a step enters a node or leaves it.


class Steps:
    """The steps of a `trace`, numbered from 0; a search without alpha and beta does not prune. `at` is a step that was
    made; -1 before the first."""

    def __init__(self, trace: Trace, prunes: bool = True) -> None:
        self.trace, self._prunes = trace, prunes
        self._entries = _Entries(self)

    @property
    def last(self) -> int:
        """The last step; -1 without one."""
        trace = self.trace
        if not len(trace):
            return -1
        path = trace.path(len(trace) - 1)
        still = sum(not trace.size[node] for node in path)  # nodes that the search has not left
        return 2 * len(trace) - still - 1

    def entered(self, node: int) -> int:
        """The step that enters `node`. All nodes before it have been entered, and left but for its ancestors."""
        return 2 * node - self.trace.ply[node]

    def left(self, node: int) -> int | None:
        """The step that leaves `node`; None if the search was stopped in it."""
        if not self.trace.size[node]:
            return None
        return 2 * self.trace.after(node) - self.trace.ply[node] - 1

    def node(self, step: int) -> tuple[int, bool]:
        """The node of a step, and whether the step enters it."""
        node = bisect_right(self._entries, step) - 1
        beyond = step - self.entered(node)
        return self.trace.path(node)[-max(1, beyond)], beyond == 0

    def visited(self, at: int) -> int:
        """The number of nodes that have been entered after the step `at`."""
        return bisect_right(self._entries, at)

    def value(self, node: int, at: int) -> int | None:
        """Return the value of `node` that is known after the step `at`, for its side to move. Once the search has left
        the node, it is the final value. Before that, it is the best of the children tried and the stand-pat score; None
        if there is none, and for a chance node."""
        trace, left = self.trace, self.left(node)
        if left is not None and left <= at:
            return trace.value[node]
        if trace.is_chance(node):
            return None
        known = [trace.backed_up(child) for child in self._tried(node, at)]
        if trace.stands[node] != NO_STAND and self.entered(node) <= at:
            known.append(trace.stands[node])
        return max(known, default=None)

    def window(self, node: int, at: int) -> tuple[int, int]:
        """Alpha and beta of `node` after the step `at`: alpha rises with the moves tried."""
        trace, best = self.trace, self.value(node, at)
        known = best if self._prunes and best is not None else -INFINITY
        return max(trace.alpha[node], known), trace.beta[node]

    def best(self, node: int, at: int) -> int | None:
        """Return the child of `node` with the best value known after the step `at`, the first of equal ones. None if no
        child has a value yet, or none exceeds the stand-pat score."""
        best = max(self._tried(node, at), key=self.trace.backed_up, default=None)
        if best is not None and self.trace.stands[node] >= self.trace.backed_up(best):
            return None  # to stand pat is best
        return best

    def _tried(self, node: int, at: int) -> list[int]:
        """The children of which the value is known: of a move that was searched twice, one."""
        known = [child for child in self.trace.children(node) if self._known(child, at)]
        last = {self.trace.move[child]: child for child in known}
        return [child for child in known if last[self.trace.move[child]] == child]

    def _known(self, node: int, at: int) -> bool:
        """Whether the value of a node is known at step `at`."""
        left = self.left(node)
        return left is not None and left <= at


class _Entries:
    """The steps that enter the nodes, ascending, for `bisect`."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps

    def __len__(self) -> int:
        return len(self._steps.trace)

    def __getitem__(self, node: int) -> int:
        return self._steps.entered(node)


UNKNOWN = -3
"""The best move of a node without one."""


class Snapshot(Trace):
    """Each node has also its `best` move. The root's `size` is 0 until something is known of it."""

    def __init__(self) -> None:
        super().__init__()
        self.best = array("h")


class SnapshotSteps(Steps):
    """There is one step: the whole tree. The best child is the one that the tree names."""

    trace: Snapshot

    def __init__(self, trace: Snapshot) -> None:
        super().__init__(trace, prunes=False)

    def value(self, node: int, at: int) -> int | None:
        return self.trace.value[node] if self.trace.size[node] else None

    def best(self, node: int, at: int) -> int | None:
        return self.trace.child(node, self.trace.best[node])


# The positions that a transposition table holds after a position, as a tree.


TREE_NODES = 1500
"""Nodes of a tree, unless fewer are wanted."""

BOUNDS = ("exact", "lower", "upper")


class TableTree(Snapshot):
    """Each node but the root is an entry of the table: `value` with its bound, searched to `depth` plies, and the
    `best` move. The root, which is not in the table, has what the search has found so far; until then its `size` is 0.

    A table does not tell in which order it was filled: children are sorted, the best move first, then by depth.
    """

    def __init__(self) -> None:
        super().__init__()
        self.depth, self.kind = array("h"), array("b")

    def put(self, move: int, turn: int, depth: int, best: int, kind: int) -> None:
        """Enter the position after `move`; `kind` is an index of `BOUNDS`."""
        self.enter(move, turn, -INFINITY, INFINITY)
        self.depth.append(depth)
        self.best.append(best)
        self.kind.append(kind)

    def bound(self, node: int) -> str:
        return BOUNDS[self.kind[node]]


class Walkable(Player):
    """A player whose transposition table can be walked, also while it searches."""

    @abstractmethod
    def table_tree(
        self, position: Position, most: int, rest: Callable[[], object] = lambda: None
    ) -> TableTree | None:
        """Return at most `most` positions that the table holds after `position`; None unless that is what the current
        or last search is of. Any thread may call this; `rest` is called after each node."""


def seed(position: Position) -> TableTree:
    """Return the tree of a search that has found nothing yet."""
    tree = TableTree()
    tree.put(ROOT, position.turn, 0, UNKNOWN, 0)
    tree.stop()
    return tree
