"""What a search did, node by node: flat arrays that a search fills through `enter` and `leave`, in the order of visits.

A search by iterative deepening, or for several lines, has a root for each time it begins anew.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from enum import IntEnum
from typing import Any

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
    """The visited nodes, 23 bytes each. All arrays have an entry a node, parents before children.

    `parent` is the number of a node, -1 for a root, and `move` led from there, `ROOT` for a root. `turn` is the side to
    move. `alpha`, `beta` and `value` are from its view and count plies to the end from the root. `end` is an `End`, and
    `untried` the number of moves that a cut saved.
    """

    def __init__(self) -> None:
        self.parent, self.move, self.turn = array("i"), array("h"), array("b")
        self.alpha, self.beta, self.value = array("i"), array("i"), array("i")
        self.end, self.untried = array("b"), array("h")
        self._path: list[int] = []

    def __len__(self) -> int:
        return len(self.parent)

    def enter(self, move: int, turn: int, alpha: int, beta: int) -> None:
        """Visit the position after `move`, in which the side `turn` is to move."""
        self.parent.append(self._path[-1] if self._path else -1)
        self._path.append(len(self.move))
        self.move.append(move)
        self.turn.append(turn)
        self.alpha.append(alpha)
        self.beta.append(beta)
        self.value.append(0)
        self.end.append(End.STOPPED)
        self.untried.append(0)

    def leave(self, value: int, end: End, untried: int = 0) -> None:
        """Return from the node that was entered last."""
        node = self._path.pop()
        self.value[node], self.end[node], self.untried[node] = value, end, untried

    def stop(self) -> None:
        """End the search at once. The nodes that it has not left are `End.STOPPED`."""
        self._path.clear()

    def bound(self, node: int) -> str:
        """Return whether the value of a node is ``exact``, or a ``lower`` or an ``upper`` bound."""
        value = self.value[node]
        return "lower" if value >= self.beta[node] else "upper" if value <= self.alpha[node] else "exact"

    def roots(self) -> list[int]:
        return [node for node, parent in enumerate(self.parent) if parent < 0]

    def moves_to(self, node: int) -> tuple[int, ...]:
        """Return the moves from the root to `node`."""
        moves: list[int] = []
        while self.parent[node] >= 0:
            moves.append(self.move[node])
            node = self.parent[node]
        return tuple(reversed(moves))


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
    }


def _finite(bound: int) -> int | None:
    return bound if abs(bound) < INFINITY else None


def _seen(bound: str, sign: int) -> str:
    """Return a kind of bound from the first side's view."""
    return bound if sign > 0 or bound == "exact" else "upper" if bound == "lower" else "lower"
