"""Monte Carlo tree search for any `Position`, as a player.

An oracle judges each new position (`ai.search.oracles`); the tree itself is in `ai.search.mcts_tree`. There is one
thread and therefore no virtual loss: with threads in plain Python the GIL lets one of them work at a time.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from ai.core.player import Budget, Info, Limit, Line, Stop
from ai.core.score import WinCurve, curve_of
from ai.search.mcts_tree import (
    SAMPLE_NODES,
    MctsNode,
    Rule,
    SampleTree,
    Select,
    new_node,
    only_losses,
    puct,
    puct_bonus,
    ranked,
    sample_tree,
    uct_bonus,
    update,
)  # fmt: skip
from ai.search.oracles import CachingOracle, Oracle
from ai.search.trace import Traceable
from ai.system import threads as garbage
from games.position import IllegalMove, Position

NODES = 100_000
"""Nodes of a tree by default; each takes about a kilobyte."""

_INFO = 0.1  # seconds from one `Info` to the next
_FORCED_SHARE = 0.1  # share of the time for a position with one legal move
_LONGEST = 60  # moves of a line
_FREED = 8  # nodes of trees left behind, at each visit
_KEPT = 4  # plies between two searches of which the second one goes on with the tree


class Mcts(Traceable):
    """A `Player` by Monte Carlo tree search. `c` is the weight of exploration in `select`; a tree has at most `nodes`
    nodes.

    The tree is kept for the next move of the same game; after a search `trace` is its `SampleTree` unless it was None.
    A search ends early when the result is proven or the tree is full. The depth of an answer is the length of its
    principal variation, and a limit of the depth ends the search when that is reached.
    """

    def __init__(
        self,
        oracle: Oracle,
        select: Select = puct,
        c: float = 0.7,
        nodes: int = NODES,
        curve: Callable[[Position], WinCurve] = curve_of,
    ) -> None:
        self._oracle, self._select, self._c, self._most, self._curve = oracle, select, c, nodes, curve
        self._table = Table()
        self.root: MctsNode | None = None
        """The position of the current or last search."""
        self._visits = 0

    @property
    def nodes(self) -> int:
        """Visits of the current or last search."""
        return self._visits

    @property
    def size(self) -> int:
        """The number of nodes of the tree."""
        return len(self._table)

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        """Yield answers as the tree grows. At the end `trace` becomes a sample of the tree, unless it was None."""
        yield from self._search(position, limit, stop)
        if self.trace is not None and self.root is not None:
            self.trace = self.sample()

    def remember(self) -> None:
        """Keep the oracle's answers from now on, so that a repeated search is the same."""
        self._oracle = CachingOracle(self._oracle)

    def sample(self, most: int = SAMPLE_NODES, by_visits: bool = True) -> SampleTree:
        """Return a tree of the nodes visited most often in the current or last search, at most `most`. Children are
        sorted by visits, or without `by_visits` in the order in which they were tried first."""
        assert self.root is not None
        select, by_prior = self._select, self._select is puct
        rule = Rule(select, puct_bonus if by_prior else uct_bonus, self._c, by_prior)
        return sample_tree(self.root, lambda node: self._score(node, node.sign * node.value), rule, most, by_visits)

    def _search(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        """Grow the tree by visits until the result is proven, the budget is used up or the tree is full; yield an
        answer from time to time."""
        budget = Budget(limit, stop)
        self._visits = 0
        self.root = root = self._root_for(position, stop)
        if len(root.moves) == 1 and limit.seconds is not None:
            budget.limit = replace(limit, seconds=limit.seconds * _FORCED_SHARE)
        yield self._info(root, limit.lines, budget)
        due = _INFO
        while root.proof is None and len(self._table) < self._most and not budget.spent(self._visits):
            self._visit(root)
            self._table.free(_FREED)
            self._visits += 1
            if budget.seconds >= due or limit.depth is not None:
                due = budget.seconds + _INFO
                yield (info := self._info(root, limit.lines, budget))
                if limit.depth is not None and info.depth >= limit.depth:
                    return
        yield self._info(root, limit.lines, budget)

    def close(self) -> None:
        """Forget the tree, and release its nodes."""
        self.root = None
        self._table.close()

    # The tree.

    def _root_for(self, position: Position, stop: Stop) -> MctsNode:
        """Return the node of `position` in the last tree if it is of the same game and leaves enough room; else the
        root of a new tree."""
        found = self._table.get(position.key)
        if found is not None and self._follows(position, found):
            if len(self._table) > self._most // 2:
                self._table.keep_reachable(found, stop)
            enough = len(self._table) <= self._most * 3 // 4
            if enough or stop.is_set() or found is self.root or found.proof is not None:
                return found
        self._table.clear()
        return self._add_node(position)

    def _follows(self, position: Position, found: MctsNode) -> bool:
        """Return whether `position`, whose node is `found`, is of the last game and at most `_KEPT` plies after the
        last root."""
        root = self.root
        assert root is not None
        plies = position.ply - root.position.ply
        return 0 <= plies <= _KEPT and any(
            _position_after(root.position, moves) == position for moves in _paths(root, found, plies, set())
        )

    def _add_node(self, position: Position) -> MctsNode:
        """Return a new node for `position`, which is added to the table."""
        node = new_node(position, self._oracle)
        self._table.add(node)
        return node

    def _visit(self, root: MctsNode) -> None:
        """Descend from the root to a new node, or to one with a proven result, and back up its value."""
        node, path, new = root, [root], False
        while node.proof is None and not new:
            index = self._select(node, self._c)
            if index < 0:
                break
            if index == len(node.tried):
                position = node.position.play(node.moves[index])
                child = self._table.get(position.key)
                new = child is None
                node.add_child(self._add_node(position) if child is None else child)
            node = node.visit(index)
            if node in path:  # a repetition
                break
            path.append(node)
        for node in reversed(path):
            if node.children and node.proof is None:
                update(node)

    # The answer.

    def _info(self, root: MctsNode, count: int, budget: Budget) -> Info:
        """Return an answer with the `count` best root moves. If all moves tried lose, one that was not tried comes
        first."""
        lines = tuple(self._line(root, index) for index in ranked(root)[:count])
        if lines and only_losses(root):
            untried = root.moves[len(root.tried)]
            lines = (Line(self._score(root, root.sign * root.value), (untried,), False), *lines)[:count]
        if not lines:
            value = root.sign * (root.value if root.proof is None else root.proof)
            moves = root.win or (root.moves[0],)
            score = self._score(root, value) if root.proof is None else int(value)
            lines = (Line(score, moves, root.proof is not None),)
        best = lines[0]
        return Info(best.moves[0], best.score, len(best.moves), self._visits, budget.seconds, lines)

    def _line(self, root: MctsNode, index: int) -> Line:
        """Return the line of the root move `index`: the move and the principal variation after it."""
        child = root.children[index]
        moves = (root.moves[index], *principal_variation(child, _LONGEST))
        proven = root.score(child)
        return Line(self._score(root, root.sign * child.value) if proven is None else proven, moves, proven is not None)

    def _score(self, node: MctsNode, value: float) -> int:
        """Convert an expected result, -1 to 1, for the side to move at `node` to a score."""
        return self._curve(node.position).score((1 + value) / 2, node.position.ply)


def _position_after(position: Position, moves: tuple[int, ...]) -> Position | None:
    """Return the position after `moves`; None if one of them is illegal."""
    try:
        for move in moves:
            position = position.play(move)
    except IllegalMove:
        return None
    return position


def _paths(node: MctsNode, found: MctsNode, plies: int, dead: set[tuple[MctsNode, int]]) -> Iterator[tuple[int, ...]]:
    """Yield the sequences of `plies` moves that lead from `node` to `found`. Add nodes without any to `dead`, each with
    its plies."""
    if plies == 0:
        if node is found:
            yield ()
        return
    reached = False
    for move, child in zip(node.moves, node.children, strict=False):
        if (child, plies - 1) not in dead:
            for rest in _paths(child, found, plies - 1, dead):
                reached = True
                yield (move, *rest)
    if not reached:
        dead.add((node, plies))


def principal_variation(node: MctsNode, most: int) -> tuple[int, ...]:
    """Return the line of the best moves from `node`: at most `most`, and then the moves of a win that the oracle has
    proven."""
    moves: list[int] = []
    while node.children and len(moves) < most and not only_losses(node):
        index = ranked(node)[0]
        moves.append(node.moves[index])
        node = node.children[index]
    return (*moves, *node.win)


# The nodes of a Monte Carlo tree search by their positions, and the memory of those that are not needed any more.
#
# To free a large tree takes longer than a stop may wait, and in one piece it blocks every thread. So nodes that were
# discarded are freed a few at a time, and while a tree is large there are no full collections of garbage.


_LARGE = 5_000  # nodes, of which a collection takes about 15 ms
_CHECK = 1000  # nodes between two looks at a stop

_Item = TypeVar("_Item")
_Nodes = dict[Hashable, MctsNode]


class Table:
    """The nodes of a tree, by the keys of their positions. Nodes that are taken out are freed later, a few at a time,
    by `free`."""

    def __init__(self) -> None:
        self._nodes: _Nodes = {}
        self._discarded: list[_Nodes] = []  # to be freed
        self._resume: weakref.finalize[[], Table] | None = None

    def __len__(self) -> int:
        """Return the number of nodes."""
        return len(self._nodes)

    def get(self, key: Hashable) -> MctsNode | None:
        """Return the node of the position with this key; None if there is none."""
        return self._nodes.get(key)

    def add(self, node: MctsNode) -> None:
        """Store a node. While the table is large, the garbage collector makes no full collections."""
        self._nodes[node.position.key] = node
        if len(self._nodes) == _LARGE and self._resume is None:
            self._resume = weakref.finalize(self, garbage.suspend())

    def clear(self) -> None:
        """Take all nodes out of the table. `free` frees them later."""
        self._discarded.append(self._nodes)
        self._nodes = {}

    def keep_reachable(self, root: MctsNode, stop: Stop) -> None:
        """Keep only the nodes that can be reached from `root`; keep all if `stop` is set before that is done."""
        kept, waiting = {root}, [root]
        for node in _unless_stopped(_pop_all(waiting), stop):
            new = [child for child in node.children if child not in kept]
            kept.update(new)
            waiting += new
        nodes: _Nodes = {}
        left: _Nodes = {}
        for key, node in _unless_stopped(self._nodes.items(), stop):
            (nodes if node in kept else left)[key] = node
        if not stop.is_set():
            self._discarded.append(left)
            self._nodes = nodes

    def free(self, count: int) -> None:
        """Free at most `count` of the nodes that were taken out, the newest first."""
        while self._discarded and count > 0:
            nodes = self._discarded[-1]
            while nodes and count > 0:
                _, node = nodes.popitem()
                node.cut()  # else the oldest one would hold, and free, all others
                count -= 1
            if not nodes:
                self._discarded.pop()

    def close(self) -> None:
        """Free all nodes in small pieces, so that other threads run meanwhile."""
        self.clear()
        while self._discarded:
            self.free(_CHECK)
        if self._resume is not None:
            self._resume()
            self._resume = None


def _pop_all(waiting: list[MctsNode]) -> Iterator[MctsNode]:
    """Take the last node out of the list and yield it, until the list is empty."""
    while waiting:
        yield waiting.pop()


def _unless_stopped(items: Iterable[_Item], stop: Stop) -> Iterator[_Item]:
    """Yield the `items`, but end soon after `stop` is set."""
    for number, item in enumerate(items):
        if not number % _CHECK and stop.is_set():
            return
        yield item
