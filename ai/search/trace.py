"""The record of a search, node by node: arrays that a search fills through `enter` and `leave`, in the order of visits.

A search by iterative deepening, or for several lines, has a new root for each iteration or line.

A `Snapshot` is the tree as it stands at one time; the order of its visits is not known.

`Traceable` players fill `trace` unless it is None. The gomoku engine records nothing while it searches:
`ai.gomoku.table_walk` reads its transposition table instead, and `Info.depths` has the counters of each iteration.
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
    """Why the search of a node ended: the game is over; the depth is used up; a beta cutoff (`alpha` >= `beta`); the
    transposition table answered; all moves were tried; the search was stopped; or, in quiescence search, no loud move
    is better than to stand pat (`ai.search.alphabeta`)."""

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
    """The visited nodes, 34 bytes each. A node is a number, in the order of visits: each node comes before all nodes
    below it. Each array has one entry a node.

    `parent` is the number of the parent, -1 for a root, and `move` the move that led from there, `ROOT` for a root.
    `turn` is the side to move. `alpha`, `beta` and `value` are from its view and count plies to the end from the root.
    `end` is an `End`, and `untried` the number of moves that a beta cutoff saved. `size` counts the node and those
    below it, 0 until it is left. `ply` counts the moves from the root, `rest` the plies to the horizon. `stands` is the
    stand-pat score of a node beyond the horizon, `NO_STAND` where there is no such choice.

    `error` is the probability with which the opponent of the side to move at the root plays at random; None where no
    such errors are expected, so that there are no chance nodes.
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
        """Return the number of nodes."""
        return len(self.parent)

    def clear(self) -> None:
        """Forget all nodes."""
        for name, _ in self.ARRAYS:
            del getattr(self, name)[:]
        self._path.clear()

    def enter(self, move: int, turn: int, alpha: int, beta: int, rest: int = 0) -> None:
        """Append the node after `move`, as a child of the innermost node that has not been left. The side `turn` is to
        move there, the window is `alpha` to `beta`, and `rest` counts the plies to the horizon."""
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
        """Set the stand-pat score of the innermost node that has not been left."""
        self.stands[self._path[-1]] = value

    def leave(self, value: int, end: End, untried: int = 0) -> None:
        """Leave the innermost node that has not been left: record its `value`, why it ended, and how many moves a
        cutoff saved."""
        node = self._path.pop()
        self.value[node], self.end[node], self.untried[node] = value, end, untried
        self.size[node] = len(self.move) - node

    def stop(self) -> None:
        """End the search at once. The nodes that have not been left remain `End.STOPPED`, without a value."""
        self._path.clear()

    def cut_off(self, nodes: int) -> None:
        """End the search at once and forget all but the first `nodes` nodes. Of these, the ones that were not complete
        by then become `End.STOPPED`, with the size that remains."""
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

    def extra_columns(self) -> dict[str, list[Any]]:
        """Return the columns that only some traces have, by name; each is a list with an entry a node. `document` adds
        them."""
        found: dict[str, list[Any]] = {}
        if any(value != NO_STAND for value in self.stands):
            signs = [1 if turn == FIRST else -1 for turn in self.turn]
            stands = zip(signs, self.stands, strict=True)
            found["stands"] = [None if value == NO_STAND else sign * value for sign, value in stands]
        again = [int(self.is_re_search(node)) for node in range(len(self))] if self._has_null_windows else []
        if any(again):
            found["again"] = again
        if self.error is not None:
            chances = [self.probability(node) for node in range(len(self))]
            found["probability"] = [None if chance is None else round(chance, 6) for chance in chances]
        return found

    # Searches of a move for the second time, after a null window.

    @property
    def _has_null_windows(self) -> bool:
        """Whether any node was searched with a null window."""
        return any(low + 1 == high for low, high in zip(self.alpha, self.beta, strict=True))

    def is_re_search(self, node: int) -> bool:
        """Whether a node is the second search of its move, after one with a null window: principal variation search."""
        before = self._previous_sibling(node)
        return bool(self.ply[node]) and before is not None and self.move[before] == self.move[node]

    def re_search(self, node: int) -> int | None:
        """Return the node of the second search of the same move; None if it was searched only once, or `node` is the
        second."""
        after = self.after(node)
        again = after < len(self) and self.parent[after] == self.parent[node] and self.is_re_search(after)
        return after if again else None

    def _previous_sibling(self, node: int) -> int | None:
        """Return the sibling that was visited before; None for the first."""
        other = node - 1
        while other > self.parent[node] and self.parent[other] != self.parent[node]:
            other = self.parent[other]
        return other if other > self.parent[node] else None

    def distinct_children(self, node: int) -> list[int]:
        """Return the children of a node, one for each move: of a move that was searched twice, the second."""
        row = self.children(node)
        last = {self.move[child]: child for child in row}
        return [child for child in row if last[self.move[child]] == child]

    # Chance nodes.

    def is_chance(self, node: int) -> bool:
        """Whether a node is a chance node: the side to move may err, and has moves. False until one of them has been
        visited."""
        if self.error is None or self.turn[node] == self.turn[0]:
            return False
        return self.after(node) > node + 1

    def probability(self, node: int) -> float | None:
        """Return the probability of the move to `node` at a chance node. None if its parent is none, or was not
        searched completely."""
        parent = self.parent[node]
        if self.error is None or parent < 0 or not self.is_chance(parent) or self.end[parent] == End.STOPPED:
            return None
        row = self.children(parent)
        best = max(row, key=self.backed_up)
        return self.error / len(row) + (1 - self.error if node == best else 0)

    def backed_up(self, node: int) -> int:
        """Return the value of `node` from the view of the side to move at its parent."""
        value = self.value[node]
        return value if self.turn[node] == self.turn[self.parent[node]] else -value

    def after(self, node: int) -> int:
        """Return the number after the last node below `node`: the node visited next, or the number of nodes if there is
        none."""
        return node + self.size[node] if self.size[node] else len(self)

    def children(self, node: int) -> list[int]:
        """Return the children of `node`, in the order of visits. A move that was searched twice has two."""
        return self._siblings_in(node + 1, self.after(node))

    def child(self, node: int, move: int) -> int | None:
        """Return the child of `node` by `move`; None if it was not visited."""
        return next((child for child in self.children(node) if self.move[child] == move), None)

    def node_after(self, moves: Sequence[int]) -> int | None:
        """Return the node that `moves` lead to from the first root; None if it was not visited."""
        node: int | None = 0
        for move in moves:
            node = None if node is None else self.child(node, move)
        return node

    def roots(self) -> list[int]:
        """Return the nodes without a parent: one for each iteration or line."""
        return self._siblings_in(0, len(self))

    def stable_depth(self, to_the_end: bool) -> int | None:
        """Return the least depth from which on deeper searches are the same as this one: the ply of the deepest node.
        None if that is not known, since the search was stopped, or was cut by a horizon and was not `to_the_end`."""
        root = self.roots()[-1]
        if self.end[root] == End.STOPPED or (End.HORIZON in self.end[root:] and not to_the_end):
            return None
        return max(self.ply[root:])

    def _siblings_in(self, first: int, last: int) -> list[int]:
        """Return the top nodes from `first` to before `last`: those that are not below another of them."""
        row: list[int] = []
        while first < last:
            row.append(first)
            first = self.after(first)
        return row

    def path(self, node: int) -> list[int]:
        """Return the nodes from the root to `node`, with both."""
        found = [node]
        while self.parent[found[-1]] >= 0:
            found.append(self.parent[found[-1]])
        return found[::-1]

    def moves_to(self, node: int) -> tuple[int, ...]:
        """Return the moves from the root to `node`."""
        return tuple(self.move[each] for each in self.path(node)[1:])


class Traceable(Player):
    """A player whose searches can be recorded: unless `trace` is None, each search clears and fills it, or replaces
    it."""

    trace: Trace | None = None


def document(trace: Trace, player: str, position: Position, moves: Sequence[str]) -> dict[str, Any]:
    """Return a trace as data for JSON: values from the first side's view, moves as text, null for infinite bounds and
    for the values of nodes at which the search was stopped. `player` is the player's name; `moves` led to `position`,
    the root."""
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
        **trace.extra_columns(),
    }


def _in_unit(value: int, unit: int) -> int | float:
    """Return a value of the trace in hundredths; `unit` is the number of its units in one."""
    return value if unit == 1 else value / unit


def _finite(bound: int) -> int | None:
    """Return the bound; None for an infinite one."""
    return bound if abs(bound) < INFINITY else None


def _bound_from_first(bound: str, sign: int) -> str:
    """Convert a kind of bound to the first side's view; `sign` is 1 if that side is to move at the node, else -1."""
    return bound if sign > 0 or bound == "exact" else "upper" if bound == "lower" else "lower"


# A search as it stood after each of its steps: a step enters a node or leaves it.


class Steps:
    """The steps of a `trace`, numbered from 0: each enters a node or leaves it. Without `prunes`, windows stay as they
    were at first. Parameters `at` are the number of the last step that was made, -1 before the first."""

    def __init__(self, trace: Trace, prunes: bool = True) -> None:
        self.trace, self._prunes = trace, prunes
        self._entries = _Entries(self)

    @property
    def last(self) -> int:
        """The number of the last step."""
        trace = self.trace
        path = trace.path(len(trace) - 1)
        still = sum(not trace.size[node] for node in path)  # nodes that the search has not left
        return 2 * len(trace) - still - 1

    def entered(self, node: int) -> int:
        """Return the step that enters `node`. By then all earlier nodes have been entered, and left except its
        ancestors."""
        return 2 * node - self.trace.ply[node]

    def left(self, node: int) -> int | None:
        """Return the step that leaves `node`; None if the search was stopped before."""
        if not self.trace.size[node]:
            return None
        return 2 * self.trace.after(node) - self.trace.ply[node] - 1

    def node(self, step: int) -> tuple[int, bool]:
        """Return the node that a step enters or leaves, and whether it enters it."""
        node = bisect_right(self._entries, step) - 1
        beyond = step - self.entered(node)
        return self.trace.path(node)[-max(1, beyond)], beyond == 0

    def visited(self, at: int) -> int:
        """Return how many nodes have been entered after the step `at`."""
        return bisect_right(self._entries, at)

    def value(self, node: int, at: int) -> int | None:
        """Return the value of `node` that is known after the step `at`, for its side to move. Once the search has left
        the node, it is the final value. Before that, it is the best of the children tried and the stand-pat score; None
        if there is neither, and for a chance node."""
        trace, left = self.trace, self.left(node)
        if left is not None and left <= at:
            return trace.value[node]
        if trace.is_chance(node):
            return None
        known = [trace.backed_up(child) for child in self._known_children(node, at)]
        if trace.stands[node] != NO_STAND and self.entered(node) <= at:
            known.append(trace.stands[node])
        return max(known, default=None)

    def window(self, node: int, at: int) -> tuple[int, int]:
        """Return alpha and beta of `node` after the step `at`: alpha rises with the moves tried."""
        trace, best = self.trace, self.value(node, at)
        known = best if self._prunes and best is not None else -INFINITY
        return max(trace.alpha[node], known), trace.beta[node]

    def best(self, node: int, at: int) -> int | None:
        """Return the child of `node` with the best value known after the step `at`, the first of equal ones. None if no
        child has a value yet, or none exceeds the stand-pat score."""
        best = max(self._known_children(node, at), key=self.trace.backed_up, default=None)
        if best is not None and self.trace.stands[node] >= self.trace.backed_up(best):
            return None  # to stand pat is best
        return best

    def _known_children(self, node: int, at: int) -> list[int]:
        """Return the children whose value is known at step `at`; of a move that was searched twice, only the last."""
        known = [child for child in self.trace.children(node) if self._is_known(child, at)]
        last = {self.trace.move[child]: child for child in known}
        return [child for child in known if last[self.trace.move[child]] == child]

    def _is_known(self, node: int, at: int) -> bool:
        """Whether the search has left a node by step `at`, so that its value is known."""
        left = self.left(node)
        return left is not None and left <= at


class _Entries:
    """The step that enters each node, as an ascending sequence for `bisect`."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps

    def __len__(self) -> int:
        """Return the number of nodes of the trace."""
        return len(self._steps.trace)

    def __getitem__(self, node: int) -> int:
        """Return the step at which `node` is entered."""
        return self._steps.entered(node)


UNKNOWN = -3
"""The best move of a node without one."""


class Snapshot(Trace):
    """The tree as it stands at one time. Each node also has its `best` move. The root's `size` is 0 until it has a
    value."""

    def __init__(self) -> None:
        super().__init__()
        self.best = array("h")


class SnapshotSteps(Steps):
    """The steps of a snapshot, whose whole tree is shown at any step."""

    trace: Snapshot

    def __init__(self, trace: Snapshot) -> None:
        super().__init__(trace, prunes=False)

    def value(self, node: int, at: int) -> int | None:
        """Return the value of `node`, at any step; None for a root without one."""
        return self.trace.value[node] if self.trace.size[node] else None

    def best(self, node: int, at: int) -> int | None:
        """Return the child by the `best` move of `node`, at any step; None if that is not in the tree."""
        return self.trace.child(node, self.trace.best[node])


# The positions that a transposition table holds after a position, as a tree.


TREE_NODES = 1500
"""Nodes of a tree, unless fewer are wanted."""

BOUNDS = ("exact", "lower", "upper")


class TableTree(Snapshot):
    """The positions that a transposition table holds after a position. Each node but the root is an entry: `value` with
    its bound, searched to `depth` plies, and the `best` move. The root has what the search has found so far, and `size`
    0 until then.

    A table does not tell in which order it was filled: children are sorted, the best move first, then by depth.
    """

    def __init__(self) -> None:
        super().__init__()
        self.depth, self.kind = array("h"), array("b")

    def put(self, move: int, turn: int, depth: int, best: int, kind: int) -> None:
        """Append the node after `move` and enter it. `turn` is the side to move there, `depth` the depth of the entry,
        `best` its best move, `UNKNOWN` for none, and `kind` the index of its bound in `BOUNDS`."""
        self.enter(move, turn, -INFINITY, INFINITY)
        self.depth.append(depth)
        self.best.append(best)
        self.kind.append(kind)

    def bound(self, node: int) -> str:
        """Return whether the value of the entry is exact or a bound, one of `BOUNDS`."""
        return BOUNDS[self.kind[node]]


class Walkable(Player):
    """A player whose transposition table can be read as a tree, also while it searches."""

    @abstractmethod
    def table_tree(self, position: Position, most: int, rest: Callable[[], object] = lambda: None) -> TableTree | None:
        """Return the positions that the table holds after `position`, at most `most`. None unless the current or last
        search is of `position`. Any thread may call this; `rest` is called after each node."""


def empty_table_tree(position: Position) -> TableTree:
    """Return the tree of a search that has found nothing yet: a root without a value."""
    tree = TableTree()
    tree.put(ROOT, position.turn, 0, UNKNOWN, 0)
    tree.stop()
    return tree
