"""What a search did, node by node: flat arrays that a search fills through `enter` and `leave`, in the order of visits.

A search by iterative deepening, or for several lines, has a root for each time it begins anew.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from enum import IntEnum
from typing import Any, ClassVar

from ai.player import Player
from ai.score import WIN
from games.position import FIRST, Position

INFINITY = WIN + 1
ROOT = -2
"""The move of a root; a pass is -1."""


class End(IntEnum):
    """Why the search of a node ended: the game is over, the depth is used up, a move is too good (`alpha` >= `beta`),
    the transposition table knew enough, all moves were tried, or the search was stopped."""

    OUTCOME = 0
    HORIZON = 1
    CUT = 2
    TABLE = 3
    ALL = 4
    STOPPED = 5


class Trace:
    """The visited nodes, 28 bytes each. All arrays have an entry a node, in the order of visits: a node, then all that
    was visited below it.

    `parent` is the number of a node, -1 for a root, and `move` led from there, `ROOT` for a root. `turn` is the side to
    move. `alpha`, `beta` and `value` are from its view and count plies to the end from the root. `end` is an `End`, and
    `untried` the number of moves that a cut saved. `size` counts the node and those below it, 0 until it is left;
    `ply` counts the moves from the root.
    """

    ARRAYS: ClassVar[tuple[tuple[str, str], ...]] = (
        ("parent", "i"), ("move", "h"), ("turn", "b"), ("alpha", "i"), ("beta", "i"), ("value", "i"), ("end", "b"),
        ("untried", "h"), ("size", "i"), ("ply", "h"),
    )  # fmt: skip
    """Their names and types, as `array` has them."""

    def __init__(self) -> None:
        self.parent, self.move, self.turn = array("i"), array("h"), array("b")
        self.alpha, self.beta, self.value = array("i"), array("i"), array("i")
        self.end, self.untried, self.size, self.ply = array("b"), array("h"), array("i"), array("h")
        self._path: list[int] = []

    def __len__(self) -> int:
        return len(self.parent)

    def clear(self) -> None:
        """Forget all nodes."""
        for name, _ in self.ARRAYS:
            del getattr(self, name)[:]
        self._path.clear()

    def enter(self, move: int, turn: int, alpha: int, beta: int) -> None:
        """Visit the position after `move`, in which the side `turn` is to move."""
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
        return {}

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

    def node_after(self, moves: Sequence[int], root: int = 0) -> int | None:
        """Return the node after `moves` from a root; None if it was not visited."""
        node: int | None = root
        for move in moves:
            node = None if node is None else self.child(node, move)
        return node

    def roots(self) -> list[int]:
        return self._row(0, len(self))

    def lasted(self, to_the_end: bool) -> int | None:
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
        "value": [None if end is End.STOPPED else sign * value for sign, value, end in values],
        "bound": [_seen(trace.bound(node), sign) for node, sign in enumerate(signs)],
        "end": [(End.CUT if end is End.STOPPED else end).name.lower() for end in ends],
        **trace.facts(),
    }


def _finite(bound: int) -> int | None:
    return bound if abs(bound) < INFINITY else None


def _seen(bound: str, sign: int) -> str:
    """Return a kind of bound from the first side's view."""
    return bound if sign > 0 or bound == "exact" else "upper" if bound == "lower" else "lower"
