"""Proof-number search: whether the side to move at the root wins, by the nodes that are cheapest to decide.

That side, the attacker, wins at a node where it is to move if one child is won, and where the other side is to move if
all are. The proof number of a node is the least number of leaves that must turn out won to prove it; the disproof
number, that of leaves that must turn out not won. A round goes down to the most-proving node, whose children are
written down and change the numbers of the nodes above.

See L. V. Allis, M. van der Meulen and H. J. van den Herik, "Proof-Number Search", Artificial Intelligence 66 (1994).
`ai.gomoku.kernels.dfpn` is the depth-first form, for threats.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

from ai.core.score import Score
from ai.search.trace import INFINITY, ROOT, UNKNOWN, End, Snapshot
from games.position import Position

INFINITE = 1 << 30
"""The number of what cannot be: infinite."""


@dataclass(eq=False, slots=True)
class ProofNode:
    """A position with its numbers. `attacking` tells whether the attacker is to move. A node that has not been expanded
    has no `children`; else they are those after `moves`."""

    position: Position
    attacking: bool
    proof: int = 1
    disproof: int = 1
    moves: tuple[int, ...] = ()
    children: list[ProofNode] = field(default_factory=list)

    @property
    def decided(self) -> bool:
        """Whether it is proven that the attacker wins, or that it does not."""
        return not self.proof or not self.disproof

    def update(self) -> None:
        """Compute the numbers from those of the children."""
        below = [(child.proof, child.disproof) for child in self.children]
        self.proof, self.disproof = numbers_above(self.attacking, below)

    def next_child(self) -> int:
        """Return the index of the first child with the number that this node has from it: the way to the most-proving
        node."""
        if self.attacking:
            return next(index for index, child in enumerate(self.children) if child.proof == self.proof)
        return next(index for index, child in enumerate(self.children) if child.disproof == self.disproof)


def numbers_above(attacking: bool, below: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return the proof and disproof number of a node from those of its children. `attacking` tells who is to move: that
    side needs one child for its goal, the other one needs all for its own."""
    proofs, disproofs = zip(*below, strict=True)
    return (min(proofs), _sum(disproofs)) if attacking else (_sum(proofs), min(disproofs))


def _sum(numbers: Sequence[int]) -> int:
    """Return the sum of numbers, `INFINITE` if one of them is."""
    return INFINITE if INFINITE in numbers else sum(numbers)


class ProofNumberSearch:
    """A proof-number search of `position`, made round by round. `root` has the numbers so far, `rounds` counts the
    rounds, `nodes` the nodes of the tree. `path` are the nodes of the last round, from the root; none before the first.
    """

    def __init__(self, position: Position) -> None:
        self._attacker = position.turn
        self.root = self._new_node(position)
        self.path: tuple[ProofNode, ...] = ()
        self.rounds, self.nodes = 0, 1

    def _new_node(self, position: Position) -> ProofNode:
        """Return a node with its numbers before it is expanded: 1 and 1 unless the game is over."""
        node = ProofNode(position, position.turn == self._attacker)
        won = _is_won(position, self._attacker)
        if won is not None:
            node.proof, node.disproof = (0, INFINITE) if won else (INFINITE, 0)
        return node

    def make_round(self) -> None:
        """Expand the most-proving node, and update those above it. The root must not be decided."""
        path = [self.root]
        while path[-1].children:
            path.append(path[-1].children[path[-1].next_child()])
        last = path[-1]
        last.moves = tuple(last.position.legal_moves())
        last.children = [self._new_node(last.position.play(move)) for move in last.moves]
        self.nodes += len(last.children)
        for node in reversed(path):
            node.update()
        self.path, self.rounds = tuple(path), self.rounds + 1

    def tree(self) -> ProofTree:
        """Return the tree as it stands, with the nodes of the last round as its `trail`."""
        tree = ProofTree()
        last = set(map(id, self.path))
        self._write(tree, self.root, ROOT, last)
        return tree

    def _write(self, tree: ProofTree, node: ProofNode, move: int, last: set[int]) -> None:
        """Append `node`, the one after `move`, and all below it to `tree`."""
        best = node.moves[node.next_child()] if node.children else UNKNOWN
        if id(node) in last:
            tree.trail.append(len(tree))
        tree.put(move, node, best)
        for after, child in zip(node.moves, node.children, strict=True):
            self._write(tree, child, after, last)
        won = int(not node.proof) - int(not node.disproof)
        end = End.ALL if node.children else End.HORIZON if node.position.outcome is None else End.OUTCOME
        tree.leave(won if node.attacking else -won, end)


def _is_won(position: Position, attacker: int) -> bool | None:
    """Return whether the attacker has won at the end of the game, or at a leaf of a tree of numbers one that is
    positive for it; None if the game goes on."""
    if position.outcome is not None:
        return Score.of_outcome(position.outcome, attacker) > 0
    if position.legal_moves():
        return None
    value = position.evaluate()
    return (value if position.turn == attacker else -value) > 0


class ProofTree(Snapshot):
    """The tree of a proof-number search. Each node also has its `proof` and `disproof` number, `INFINITE` if it cannot
    be; its `best` move leads to the most-proving node. `trail` are the nodes of the last round.

    The value is 1 for the attacker where it is proven to win, -1 where it is proven not to, else 0.
    """

    def __init__(self) -> None:
        super().__init__()
        self.proof, self.disproof = array("i"), array("i")
        self.trail: list[int] = []

    def put(self, move: int, node: ProofNode, best: int) -> None:
        """Append the node after `move` and enter it. `best` is its move to the most-proving node, or `UNKNOWN`."""
        self.enter(move, node.position.turn, -INFINITY, INFINITY)
        self.proof.append(node.proof)
        self.disproof.append(node.disproof)
        self.best.append(best)

    def bound(self, node: int) -> str:
        """Return ``exact``: the numbers are no bounds."""
        return "exact"
