"""How one search is shared out among workers: which subtrees are searched when, and with which bounds.

The upper part of the tree is made of splits, whose moves are handed out one by one; a task is a subtree that one worker
searches alone. By root splitting the moves of the root are tasks, and all can be searched at once. With young brothers
wait (https://www.chessprogramming.org/Young_Brothers_Wait_Concept) the first move of a split is searched before its
brothers, and may be a split again, so that alpha is known to most tasks; whoever is idle takes the leftmost task there
is. A `Sharing` decides only. Who searches is another matter (`ai.search.crews`, `ai.search.crews`).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field

from ai.core.player import Budget
from ai.search.alphabeta import TO_THE_END, ExactSearch, Parts, TableEntry, at_ply
from ai.search.trace import INFINITY, ROOT, End, Trace
from ai.system.threads import processors
from games.position import Position

ROOT_SPLIT, BROTHERS = "root", "ybw"
SPLITS = (ROOT_SPLIT, BROTHERS)
WORKERS = range(1, 9)
"""How many there may be."""

_SPLIT_PLIES = 4  # splits are at most so far from the root, less one

Window = tuple[int, int]
"""Alpha and beta."""


def usual_workers() -> int:
    return min(4, processors())


@dataclass(slots=True)
class Found:
    """What a worker has found of a task: the score for the side to move, exact within the last window and else a bound,
    and the line. `whole` if no heuristic score was used. Without a score it was stopped."""

    score: int | None = None
    line: tuple[int, ...] = ()
    whole: bool = True
    nodes: int = 0
    trace: Trace | None = None


@dataclass(slots=True, eq=False)
class Task:
    """A subtree for one worker: `depth` plies from `position`, which `move` led to. `opened` are the splits that were
    entered on the way to it. The `worker`, from 1 on, has searched it from `began` to `ended`, in nodes or
    milliseconds; 0 before."""

    parent: Split
    move: int
    position: Position
    depth: int
    ply: int
    opened: tuple[Split, ...] = ()
    worker: int = 0
    began: int = 0
    ended: int = 0
    over: bool = False
    dropped: bool = False
    """Whether its result is not wanted any more."""
    found: Found | None = None

    @property
    def path(self) -> tuple[int, ...]:
        """The moves from the root."""
        return *self.parent.path, self.move


@dataclass(slots=True, eq=False)
class Split:
    """A position whose `moves` are handed out; `children` are those that have been. `best` is for its side to move."""

    parent: Split | None
    move: int
    position: Position
    depth: int
    ply: int
    moves: Sequence[int]
    window: Window = (-INFINITY, INFINITY)
    """When it was opened."""
    children: list[Split | Task] = field(default_factory=list)
    best: int = -INFINITY
    line: tuple[int, ...] = ()
    whole: bool = True
    over: bool = False
    end: End = End.STOPPED

    @property
    def path(self) -> tuple[int, ...]:
        return () if self.parent is None else (*self.parent.path, self.move)

    @property
    def untried(self) -> int:
        return len(self.moves) - len(self.children)


class Sharing:
    """The search of `moves` of `position` to `depth`, split in the way `split`. `order` gives the moves of a position
    at a ply, the most promising first; `learn` is called for each split that is done. Tasks have at least the depth
    `grain`, but for those below the root."""

    def __init__(
        self, position: Position, moves: Sequence[int], depth: int, split: str, grain: int,
        order: Callable[[Position, int], Sequence[int]], learn: Callable[[Split], object] = lambda _split: None,
    ) -> None:  # fmt: skip
        self.root = Split(None, ROOT, position, depth, 0, moves)
        self._waits, self._grain, self._order, self._learn = split == BROTHERS, grain, order, learn
        self._news = [self.root]  # splits that were opened for the next task

    @property
    def over(self) -> bool:
        return self.root.over

    def window(self, node: Split | Task) -> Window:
        """Return alpha and beta of a node as they are now: best scores so far raise them."""
        parent = node.parent
        if parent is None:
            return -INFINITY, INFINITY
        low, high = self.window(parent)
        low = max(low, parent.best)
        return (low, high) if node.position.turn == parent.position.turn else (-high, -low)

    def take(self) -> Task | None:
        """Return the leftmost task that may be searched now, None if there is none."""
        task = self._next_task(self.root)
        if task is not None:
            task.opened, self._news = tuple(self._news), []
        return task

    def _next_task(self, split: Split) -> Task | None:
        """Return the next task below `split`, depth first; None if all must wait."""
        for child in split.children:
            if isinstance(child, Split) and not child.over and (task := self._next_task(child)) is not None:
                return task
        if not split.untried or (self._waits and split.children and not split.children[0].over):
            return None
        child = self._open(split, split.moves[len(split.children)])
        split.children.append(child)
        if isinstance(child, Task):
            return child
        child.window = self.window(child)
        self._news.append(child)
        return self._next_task(child)

    def _open(self, split: Split, move: int) -> Split | Task:
        position, depth, ply = split.position.play(move), split.depth - 1, split.ply + 1
        if self._waits and ply < _SPLIT_PLIES and depth > self._grain and position.outcome is None:
            return Split(split, move, position, depth, ply, self._order(position, ply))
        return Task(split, move, position, depth, ply)

    def finish(self, task: Task, found: Found) -> list[Task]:
        """Take the result of a task. Return the tasks under way that are not needed any more."""
        task.found, task.over = found, True
        assert found.score is not None
        self._report(task, found.score, found.line, found.whole)
        while (split := self._next_done(self.root)) is not None:
            split.over = True
            split.end = End.CUT if self._is_cut(split) else End.ALL
            self._learn(split)
            if split.parent is not None:
                self._report(split, split.best, split.line, split.whole)
        dropped = [each for each in tasks(self.root) if each.worker and not each.over and self._needless(each)]
        for each in dropped:
            each.over = each.dropped = True
        return dropped

    @staticmethod
    def _report(node: Split | Task, score: int, line: tuple[int, ...], whole: bool) -> None:
        parent = node.parent
        assert parent is not None
        value = score if node.position.turn == parent.position.turn else -score
        parent.whole = parent.whole and whole
        if value > parent.best:
            parent.best, parent.line = value, (node.move, *line)

    def _next_done(self, split: Split) -> Split | None:
        """A split that needs no more searching: the upper ones first, since they make those below needless."""
        if split.over:
            return None
        if self._is_cut(split) or self._tried(split):
            return split
        below = (self._next_done(child) for child in split.children if isinstance(child, Split))
        return next((found for found in below if found is not None), None)

    def _is_cut(self, split: Split) -> bool:
        return split.best >= self.window(split)[1]

    @staticmethod
    def _tried(split: Split) -> bool:
        return not split.untried and all(child.over for child in split.children)

    @staticmethod
    def _needless(node: Split | Task) -> bool:
        return node.parent is not None and (node.parent.over or Sharing._needless(node.parent))


def tasks(split: Split) -> Iterator[Task]:
    """Yield all tasks below a split that have been handed out, from left to right."""
    for child in split.children:
        if isinstance(child, Task):
            yield child
        else:
            yield from tasks(child)


# What one worker of a parallel search does: it searches tasks, one after the other, with a table of its own.


@dataclass(frozen=True, slots=True)
class Subtree:
    """What to search: `depth` plies from `position`, which is `ply` moves after the root; the last one was `move`."""

    position: Position
    move: int
    depth: int
    ply: int


class TaskSearch(ExactSearch):
    """Searches for a worker. With `traced` each task has a trace."""

    def __init__(self, budget: Budget, parts: Parts, traced: bool) -> None:
        super().__init__(budget, parts, None)
        self._is_traced, self._began = traced, 0

    @property
    def done(self) -> int:
        """Nodes of the task that is searched, or was last."""
        return self.nodes - self._began

    def stopped(self, nodes: int | None = None) -> Found:
        """Return what there is of a task that was stopped; without what it did after `nodes`."""
        if nodes is not None:
            self.nodes = self._began + min(nodes, self.done)
        if self._trace is not None:
            self._trace.cut_off(self.done)
        return Found(nodes=self.done, trace=self._trace)

    def search(self, tree: Subtree, window: Callable[[], Window]) -> Generator[None, None, Found]:
        """Search a subtree. Yield before each move of its root, at which alpha and beta are looked at again; return
        what was found. Raise `Spent` if the budget is used up."""
        self._trace = trace = Trace() if self._is_traced else None
        self._began, heuristic = self.nodes, self._heuristic
        position, (alpha, beta) = tree.position, window()
        if trace is not None:
            trace.enter(tree.move, position.turn, alpha, beta, max(0, tree.depth))
        if position.outcome is not None or tree.depth <= 0:
            score = self._visit(position, tree.depth, alpha, beta, tree.ply)
            if trace is not None:
                trace.leave(score, End.HORIZON if position.outcome is None else End.OUTCOME)
        else:
            self.nodes += 1
            score = yield from self._moves_of(tree, window)
        line = self._lines[tree.ply]
        return Found(score, line, self._heuristic == heuristic, self.done, trace)

    def _known(self, entry: TableEntry, tree: Subtree, window: Window) -> int | None:
        """The score that an entry of the root of a task gives; None if it is not enough."""
        plies, (alpha, beta) = tree.ply * self._distance, window
        if entry.depth < tree.depth or not self._serves(entry, tree.depth):
            return None
        low, high = at_ply(entry.low, plies), at_ply(entry.high, plies)
        if not (low >= beta or high <= alpha or low == high):
            return None
        self._heuristic += entry.depth < TO_THE_END
        self._lines[tree.ply] = entry.line
        if self._trace is not None:
            self._trace.leave(low if low >= beta else high, End.TABLE)
        return low if low >= beta else high

    def _moves_of(self, tree: Subtree, window: Callable[[], Window]) -> Generator[None, None, int]:
        position, depth, ply = tree.position, tree.depth, tree.ply
        entry = self._table.get(position.key) if self._has_table else None
        if entry is not None and (known := self._known(entry, tree, window())) is not None:
            return known
        moves = self._moves(position, entry.line[0] if entry else None, ply)
        heuristic = self._heuristic
        best, end, untried, low, high = -INFINITY, End.ALL, 0, 0, 0
        line: tuple[int, ...] = ()
        for tried, move in enumerate(moves, 1):
            yield
            low, high = window()
            score = self._after(position, move, depth - 1, max(low, best), high, ply + 1)
            if score > best:
                best, line = score, (move, *self._lines[ply + 1])
            if best >= high:
                self._killers[ply] = (move, *self._killers.get(ply, ()))[:2]
                end, untried = End.CUT, len(moves) - tried
                break
        self._lines[ply] = line
        if self._has_table:
            # The last window: scores that the windows of the earlier moves left open are outside it, too.
            self._store(position.key, self._stored_depth(depth, self._heuristic == heuristic), best, (low, high), ply)
        if self._trace is not None:
            self._trace.leave(best, end, untried)
        return best
