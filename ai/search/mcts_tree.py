"""The tree of a Monte Carlo tree search: its nodes, which move to try next, and how a result is backed up.

Equal positions share a node, so that the tree is a graph (Czech, Korus, Kersting: Improving AlphaZero Using Monte-Carlo
Graph Search, 2021). A node counts the visits of each of its moves, and its value is an average over the nodes after
them, computed anew whenever it is visited. Proven results are backed up exactly (Winands, Björnsson, Saito: Monte-Carlo
Tree Search Solver, 2008).

A `SampleTree` has the nodes that were visited most, as they stand after a search.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from math import log, sqrt
from typing import Any

from ai.core.score import Score, delayed
from ai.search.oracles import Oracle
from ai.search.trace import INFINITY, ROOT, UNKNOWN, End, Snapshot
from games.position import FIRST, Position

_INFINITY = float("inf")
_LEFT_OUT = 0.001
"""Prior of a move that the oracle has left out."""

_NONE: list[Any] = []
"""Shared by all nodes without children, which are most, and never changed."""


@dataclass(eq=False, slots=True)
class MctsNode:
    """A position of the tree. Values and proofs are from the view of the first side.

    `value` is the expected result from -1 to 1, `own` the oracle's. `proof` is the exact score, with plies counted from
    here, or None. The moves tried so far are the first of `moves`: `children` are the nodes after them, and `tried`
    counts how often each was tried. `sign` is 1 if the first side is to move, else -1. `win` is the line of a win that
    the oracle has proven; `complete` means that the moves left out of `moves` do not matter.
    """

    position: Position
    sign: int
    own: float = 0.0
    value: float = 0.0
    proof: int | None = None
    visits: int = 1
    moves: tuple[int, ...] = ()
    priors: tuple[float, ...] = ()
    children: list[MctsNode] = field(default_factory=lambda: _NONE)
    tried: list[int] = field(default_factory=lambda: _NONE)
    win: tuple[int, ...] = ()
    complete: bool = False

    def score(self, child: MctsNode) -> int | None:
        """Return the proven score of the move to `child` for the side to move here; None if it is not proven."""
        return None if child.proof is None else self.sign * delayed(child.proof, 1)

    def add_child(self, child: MctsNode) -> None:
        """Append `child`, the node after the first move that has not been tried."""
        if not self.children:
            self.children, self.tried = [], []
        self.children.append(child)
        self.tried.append(0)

    def visit(self, index: int) -> MctsNode:
        """Count a visit of a move that has been tried, and return the node after it."""
        self.visits += 1
        self.tried[index] += 1
        return self.children[index]

    def cut(self) -> None:
        """Forget the children, so that they can be freed."""
        self.children = self.tried = _NONE

    def prove(self, proof: int) -> None:
        """Set the proven score, from the view of the first side."""
        self.proof = proof
        self.own = self.value = float((proof > 0) - (proof < 0))


def new_node(position: Position, oracle: Oracle) -> MctsNode:
    """Return a node for `position`, judged by `oracle` unless the game is over."""
    node = MctsNode(position, 1 if position.turn == FIRST else -1)
    outcome = position.outcome
    if outcome is not None:
        node.prove(Score.of_outcome(outcome, FIRST))
        return node
    guidance = oracle.evaluate(position)
    if guidance.win:
        node.win = guidance.win
        node.prove(node.sign * Score.win_in(guidance.plies))
    else:
        node.own = node.value = node.sign * guidance.value
    ranked = sorted(guidance.priors.items(), key=lambda item: -item[1])
    node.complete = guidance.complete
    node.moves = tuple(move for move, _ in ranked)
    node.priors = tuple(prior for _, prior in ranked)
    return node


# Selection: both return the index of a move of an unproven node. All moves before it have been tried; -1 means that
# nothing is left to try.

Select = Callable[[MctsNode, float], int]


def puct(node: MctsNode, c: float) -> int:
    """Return the index of the move to try next, by value and prior (Silver et al.: AlphaZero, 2018). A move not tried
    yet has the value of the node. Return -1 if all moves are proven.

    Moves are sorted by their priors, so that of all those not tried the first one is the best.
    """
    sign, priors, tried = node.sign, node.priors, node.tried
    scale = c * sqrt(node.visits)
    best, chosen = -_INFINITY, -1
    for index, child in enumerate(node.children):
        if child.proof is None:
            bound = sign * child.value + scale * priors[index] / (1 + tried[index])
            if bound > best:
                best, chosen = bound, index
    index = len(tried)
    if index < len(priors) and sign * node.value + scale * priors[index] > best:
        return index
    return chosen


def uct(node: MctsNode, c: float) -> int:
    """Return the index of the move to try next: each move once, then by value and visits (Kocsis, Szepesvári: UCT,
    2006). Return -1 if all moves are proven."""
    sign, tried = node.sign, node.tried
    if len(tried) < len(node.moves):
        return len(tried)
    logarithm = log(node.visits)
    best, chosen = -_INFINITY, -1
    for index, child in enumerate(node.children):
        if child.proof is None:
            bound = sign * child.value + c * sqrt(logarithm / tried[index])
            if bound > best:
                best, chosen = bound, index
    return chosen


Bonus = Callable[[MctsNode, int, float], float]


def puct_bonus(node: MctsNode, index: int, c: float) -> float:
    """Return the exploration term that `puct` adds to the value of the move `index`, which has been tried."""
    return c * sqrt(node.visits) * node.priors[index] / (1 + node.tried[index])


def uct_bonus(node: MctsNode, index: int, c: float) -> float:
    """Return the exploration term that `uct` adds to the value of the move `index`, which has been tried."""
    return c * sqrt(log(node.visits) / node.tried[index])


def ranked(node: MctsNode) -> list[int]:
    """Return the indices of the moves tried, best first: proven wins, the shortest first; then by visits, with a proven
    draw before the first move that promises less; then proven losses, the longest first."""
    scores = [node.score(child) for child in node.children]
    unproven = [index for index, score in enumerate(scores) if score is None]
    most = max(unproven, key=lambda index: node.tried[index], default=None)
    promising = most is not None and node.sign * node.children[most].value > 0

    def key(index: int) -> tuple[int, float]:
        """Return the class of a move, the best is 3, and its place within the class."""
        score = scores[index]
        if score is None:
            return 2, node.tried[index]
        return (3 if score > 0 or (score == 0 and not promising) else 1 if score == 0 else 0), score

    return sorted(range(len(scores)), key=key, reverse=True)


def only_losses(node: MctsNode) -> bool:
    """Return whether all moves tried are proven losses while others have not been tried, which are better."""
    scores = map(node.score, node.children)
    return len(node.tried) < len(node.moves) and all(score is not None and score < 0 for score in scores)


# Backing up.


def update(node: MctsNode) -> None:
    """Compute the value of an unproven `node` from its children, and prove it if they decide it.

    A move that is proven lost does not count: nobody would play it. With a proven draw the value is at least 0.
    """
    sign, total, weight = node.sign, node.own, 1
    best, unproven = -_INFINITY, len(node.tried) < len(node.moves)
    for child, tried in zip(node.children, node.tried, strict=True):
        if child.proof is None:
            unproven = True
        else:
            seen = sign * delayed(child.proof, 1)
            best = max(best, seen)
            if seen < 0:
                continue
        total += tried * child.value
        weight += tried
    if best > 0 or (not unproven and not _widen(node)):
        node.prove(sign * int(best))
        return
    node.value = total / weight
    if best == 0 and sign * node.value < 0:
        node.value = 0.0


def _widen(node: MctsNode) -> bool:
    """Append the legal moves that the oracle left out. Return whether there were any: if not, the moves are all."""
    if node.complete:
        return False
    known = set(node.moves)
    left_out = tuple(move for move in node.position.legal_moves() if move not in known)
    node.moves += left_out
    node.priors += (_LEFT_OUT,) * len(left_out)
    return bool(left_out)


SAMPLE_NODES = 1500
"""Nodes of a tree, unless fewer are wanted."""


@dataclass(frozen=True, slots=True)
class Rule:
    """How a search chooses the move to try next: by `select`, with the exploration term `bonus` and its weight `c`.
    `by_prior` tells whether priors matter."""

    select: Select
    bonus: Bonus
    c: float
    by_prior: bool


class SampleTree(Snapshot):
    """The most visited nodes of a Monte Carlo tree search. A node that is reached in several ways is there once for
    each.

    Each node also has the `visits` of the move that led to it and its `prior`; the root has all visits. `proven` tells
    whether its value is proven. `mean` is the mean result of the move for the side that plays it, 1 for a win and 0 for
    a loss, and `bonus` the exploration term on that scale. `following` is the move that the next visit here tries,
    `UNKNOWN` if there is none.
    """

    by_prior = True
    """Whether the search looks at the priors."""

    def __init__(self) -> None:
        super().__init__()
        self.visits, self.prior, self.proven = array("i"), array("f"), array("b")
        self.mean, self.bonus, self.following = array("f"), array("f"), array("h")

    def put(
        self, move: int, turn: int, visits: int, prior: float, best: int, proven: bool,
        terms: tuple[float, float] = (0.0, 0.0), following: int = UNKNOWN,
    ) -> None:  # fmt: skip
        """Append the node after `move` as a child of the innermost node that has not been left, and enter it.

        `turn` is the side to move there, `best` its best move, and `terms` are `mean` and `bonus`. The class explains
        the other columns.
        """
        self.enter(move, turn, -INFINITY, INFINITY)
        self.visits.append(visits)
        self.prior.append(prior)
        self.best.append(best)
        self.proven.append(proven)
        self.mean.append(terms[0])
        self.bonus.append(terms[1])
        self.following.append(following)

    def bound(self, node: int) -> str:
        """Return ``exact``: all values are means, or proven."""
        return "exact"

    def extra_columns(self) -> dict[str, list[Any]]:
        """Return visits, priors (if the search uses them), mean and bonus, by name."""
        found: dict[str, list[Any]] = {"visits": list(self.visits)}
        if self.by_prior:
            found["prior"] = [round(prior, 4) for prior in self.prior]
        terms = {"mean": self.mean, "bonus": self.bonus}
        return found | {name: [round(each, 4) for each in term] for name, term in terms.items()}


def empty_sample_tree(position: Position) -> SampleTree:
    """Return the tree of a search that has not begun: a root without a value."""
    tree = SampleTree()
    tree.put(ROOT, position.turn, 0, 1.0, UNKNOWN, False)
    tree.stop()
    return tree


@dataclass(slots=True)
class _Selected:
    """A node that is chosen for a `SampleTree`, with the values of its columns."""

    node: MctsNode
    move: int
    visits: int
    prior: float
    terms: tuple[float, float] = (0.0, 0.0)
    children: list[_Selected] = field(default_factory=list)


def sample_tree(
    root: MctsNode, score: Callable[[MctsNode], int], rule: Rule, most: int = SAMPLE_NODES, by_visits: bool = True
) -> SampleTree:
    """Return a tree of the nodes visited most often, at most `most` of them. `score` converts the value of an unproven
    node to a score for its side to move.

    Children are sorted by visits, or without `by_visits` in the order in which they were tried first.
    """
    tree = SampleTree()
    tree.by_prior = rule.by_prior
    shown = _most_visited(root, rule, most)
    if not by_visits:
        _sort_by_move_order(shown)
    _write(tree, shown, score, rule, 0)
    return tree


def _most_visited(root: MctsNode, rule: Rule, most: int) -> _Selected:
    """Select the nodes visited most often, at most `most`, and return the root. Children are sorted by visits."""
    shown = _Selected(root, ROOT, root.visits, 1.0)
    waiting: list[tuple[int, int, _Selected, list[_Selected]]] = []
    taken, number, latest = 1, 0, shown
    while True:
        node = latest.node
        for index, (move, child) in enumerate(zip(node.moves, node.children, strict=False)):
            number += 1  # breaks ties: the first one found
            tried, terms = node.tried[index], (_as_share(node.sign * child.value), rule.bonus(node, index, rule.c) / 2)
            shown_child = _Selected(child, move, tried, node.priors[index], terms)
            heappush(waiting, (-tried, number, shown_child, latest.children))
        if not waiting or taken >= most:
            return shown
        _, _, latest, siblings = heappop(waiting)
        siblings.append(latest)
        taken += 1


def _as_share(value: float) -> float:
    """Convert an expected result from -1 … 1 to 0 … 1."""
    return (1 + value) / 2


def _sort_by_move_order(shown: _Selected) -> None:
    """Sort the children of `shown`, and all below, in the order of the moves of their node."""
    shown.children.sort(key=lambda child: shown.node.moves.index(child.move))
    for child in shown.children:
        _sort_by_move_order(child)


def _write(tree: SampleTree, shown: _Selected, score: Callable[[MctsNode], int], rule: Rule, ply: int) -> None:
    """Append `shown`, at `ply`, and all nodes below it to `tree`, depth first."""
    node = shown.node
    best = node.moves[ranked(node)[0]] if node.children else UNKNOWN
    index = -1 if node.proof is not None else rule.select(node, rule.c)
    following = UNKNOWN if index < 0 else node.moves[index]
    proven = node.proof is not None
    tree.put(shown.move, node.position.turn, shown.visits, shown.prior, best, proven, shown.terms, following)
    for child in shown.children:
        _write(tree, child, score, rule, ply + 1)
    value = score(node) if node.proof is None else node.sign * delayed(node.proof, ply)
    end = End.ALL if node.children else End.OUTCOME if not node.moves else End.HORIZON
    tree.leave(value, end)
