"""How one search is shared out among workers: which moves are searched when, and with which bounds.

The upper part of the tree is made of splits, whose moves are handed out as tasks; a task is one move of a split, or
several, that one worker searches alone. A `Sharing` hands out the tasks of one iteration and takes their results; an
idle worker gets the leftmost task there is. A `Policy` decides which task waits for which:

- root splitting: the moves of the root are tasks, and all can be searched at once.
- Young brothers wait (https://www.chessprogramming.org/Young_Brothers_Wait_Concept): the first move of a split is
  searched before its brothers, so that alpha is known to most tasks, and any move near the root may be a split again.
- PV splitting (https://www.chessprogramming.org/Parallel_Search#PV_Splitting): the same, but only the first move of a
  split is split again, where that is worth the messages. The others are searched with a null window; of those that are
  better, the highest is then searched as a first move, and the others with a null window again.
- Lazy SMP (https://www.chessprogramming.org/Lazy_SMP): each worker searches the whole tree, in an order of its own, and
  they share only a table. One of them answers.

The workers themselves are in `ai.search.crews`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ai.core.player import Limit
from ai.search.alphabeta import Parts
from ai.search.trace import INFINITY, End
from ai.search.workers import FULL, Found, TreeMoves, Window
from ai.system.threads import processors
from games.position import Position

ROOT_SPLIT, BROTHERS, LAZY = "root", "ybw", "lazy"
SPLITS = (ROOT_SPLIT, BROTHERS, LAZY)
"""The ways of sharing out that processes and simulated workers have."""

WORKERS = range(1, 9)
"""How many there may be."""

_SPLIT_PLIES = 4  # young brothers: splits are at most so far from the root, less one
_DEEPEST = 400  # plies


def usual_workers() -> int:
    """Return the default number of workers: the processors, but at most 4."""
    return min(4, processors())


@dataclass(slots=True, eq=False)
class Task:
    """Work for one worker: search `moves` of the split `parent`, each with its index there, where the split is searched
    to `depth`. Without moves, list the moves of the split; with `limit`, search the root alone. `opened` are the splits
    that were entered on the way to it. `worker`, numbered from 1, is 0 until the task is sent. `began` and `ended` are
    in nodes or milliseconds."""

    parent: Split
    depth: int
    moves: tuple[tuple[int, int], ...] = ()
    verify: bool = True
    limit: Limit | None = None
    opened: tuple[Split, ...] = ()
    worker: int = 0
    began: int = 0
    ended: int = 0
    over: bool = False
    dropped: bool = False
    """Whether its result is not wanted any more."""
    found: Found | None = None

    @property
    def line(self) -> tuple[int, ...]:
        """The moves from the root to the first of `moves`, with it."""
        return *self.parent.path, *(move for _, move in self.moves[:1])


@dataclass(slots=True, eq=False)
class Split:
    """A position whose moves are handed out. `queue` has the moves still to hand out, each with its index; None until
    they have been listed. `children` are the moves handed out. `scores` are the best scores, at most `lines`, with
    their lines, from the view of its side to move. `eldest` are the children that the others wait for, `high` the moves
    that failed high in a null window."""

    parent: Split | None
    index: int
    move: int
    position: Position
    depth: int
    ply: int
    window: Window = FULL
    """When it was opened."""
    lines: int = 1
    queue: deque[tuple[int, int]] | None = None
    naming: Task | None = None
    children: list[Split | Task] = field(default_factory=list)
    eldest: list[Split | Task] = field(default_factory=list)
    high: list[tuple[int, int, int]] = field(default_factory=list)
    scores: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)
    whole: bool = True
    over: bool = False
    end: End = End.STOPPED

    @property
    def path(self) -> tuple[int, ...]:
        """The moves from the root to here; empty at the root."""
        return () if self.parent is None else (*self.parent.path, self.move)

    @property
    def best(self) -> int:
        """The best score so far; minus infinity if there is none."""
        return self.scores[0][0] if self.scores else -INFINITY

    @property
    def line(self) -> tuple[int, ...]:
        """The line of the best score; empty if there is none."""
        return self.scores[0][1] if self.scores else ()

    @property
    def alpha(self) -> int:
        """The score that another move must exceed to be among the best `lines`; minus infinity while there are
        fewer."""
        return self.scores[-1][0] if len(self.scores) >= self.lines else -INFINITY

    @property
    def untried(self) -> int:
        """The number of moves still to hand out."""
        return len(self.queue or ())

    def add(self, score: int, line: tuple[int, ...]) -> None:
        """Record the score of a move with its `line`, if it is among the best `lines`."""
        if score > self.alpha:
            self.scores.append((score, line))
            self.scores.sort(key=lambda each: -each[0])  # stable: the first to have a score keeps its place
            del self.scores[self.lines :]


class Policy:
    """Root splitting with tasks of one move each; other policies inherit from it. One object serves all iterations of a
    search."""

    waits = False
    """Whether the first moves of a split are searched before the others."""
    first, alone = 0, 0
    """The depths that one worker searches alone, before anything is shared out, or as far as it comes in `alone` nodes.
    """
    deepest = _DEEPEST
    """The greatest depth, in plies."""
    returns = False
    """Whether a move goes back to the worker that has searched it before, if that is idle: its table knows more of it.
    """
    width: int | None = None
    """Half width of the first aspiration window of an iteration, in hundredths; None for a full window."""

    def moves(self, split: Split) -> Sequence[int] | None:
        """Return the moves of a split, best first; None if a worker must list them, which `receive_moves` then gets."""
        raise NotImplementedError

    def receive_moves(self, split: Split, moves: Sequence[int]) -> None:
        """Take the `moves` of `split` that a worker has listed; empty if it is not worth splitting. By default, do
        nothing."""

    def splits(self, split: Split, move: int, first: bool) -> bool:
        """Whether the position after `move` of `split` becomes a split, too. `first` tells that other moves wait for
        this one."""
        return False

    def batch(self, split: Split) -> int:
        """Return how many of the next moves of a split make one task."""
        return 1

    def verifies(self, split: Split) -> bool:
        """Whether a worker itself searches moves again that fail high in a null window; otherwise they become new
        tasks."""
        return True

    def learn(self, split: Split) -> None:
        """Record what a finished `split` shows for later ordering and costs. By default, do nothing."""

    def measure(self, task: Task, found: Found) -> None:
        """Record what searching `task` cost, to size later tasks. By default, do nothing."""

    def share(self, root: Split) -> Sharing:
        """Return what hands out the tasks of a new iteration, whose root is `root`."""
        return Sharing(root, self)


class Ordered(Policy):
    """Root splitting for plain alpha-beta. `search` orders the moves of splits in this process, by killers and the best
    moves of earlier iterations."""

    def __init__(self, search: TreeMoves, parts: Parts) -> None:
        self._search, self._parts = search, parts
        self._best: dict[Hashable, int] = {}  # moves of the splits of earlier iterations

    def moves(self, split: Split) -> Sequence[int]:
        """Return the moves of a split, best first; never None."""
        return self._search.order_moves(split.position, self._best.get(split.position.key), split.ply)

    def learn(self, split: Split) -> None:
        """Record the best move of a finished `split`, and its killer move if it ended by a cutoff, for later
        ordering."""
        if split.line and self._parts.table:
            self._best[split.position.key] = split.line[0]
        if split.end is End.CUT:
            self._search.learn_killer(split.ply, split.line[0])


class Brothers(Ordered):
    """Young brothers wait. Tasks below the root have at least the depth `grain`."""

    waits = True

    def __init__(self, search: TreeMoves, parts: Parts, grain: int) -> None:
        super().__init__(search, parts)
        self._grain = grain

    def splits(self, split: Split, move: int, first: bool) -> bool:
        """Whether the position after `move` becomes a split, too: near the root, and where its tasks are deeper than
        `grain`."""
        return split.ply + 1 < _SPLIT_PLIES and split.depth - 1 > self._grain


class Lazy(Ordered):
    """Lazy SMP by `workers` that share a table."""

    def __init__(self, search: TreeMoves, parts: Parts, workers: int) -> None:
        super().__init__(search, parts)
        self._workers = workers

    def share(self, root: Split) -> Sharing:
        """Return what hands out the tasks of a new iteration, each of which is the whole search."""
        return LazySharing(root, self, self._workers)


@dataclass(slots=True)
class PrincipalVariation(Policy):
    """PV splitting with aspiration windows, for workers to which messages are slow.

    A node of the principal variation is split if it is searched to at least `least` plies and probably takes `work`
    seconds of work. A task has so many moves that it takes `seconds`, if possible. Where several lines are wanted, as
    many moves are searched with a full window at once, and nothing below the root is split.
    """

    first: int = 90
    alone: int = 400_000
    least: int = 6
    work: float = 1.0
    seconds: float = 0.05
    _costs: dict[tuple[int, ...], float] = field(default_factory=dict)  # seconds of a line, when it was searched last
    _named: dict[tuple[int, ...], Sequence[int]] = field(default_factory=dict)  # moves of what is split
    _line: tuple[int, ...] = ()  # the principal variation

    waits = returns = True
    deepest = 90
    width = 40

    def moves(self, split: Split) -> Sequence[int] | None:
        """Return the moves of a split, that of the principal variation first; None until a worker has listed them."""
        path, line = split.path, self._line
        moves = self._named.get(path)
        if moves and len(line) > len(path) and line[: len(path)] == path and line[len(path)] in moves:
            first = line[len(path)]
            return [first, *(move for move in moves if move != first)]
        return moves

    def receive_moves(self, split: Split, moves: Sequence[int]) -> None:
        """Keep the `moves` of `split` that a worker has listed, for all iterations. Empty means never split this
        position."""
        self._named[split.path] = moves

    def splits(self, split: Split, move: int, first: bool) -> bool:
        """Whether the position after `move` becomes a split: only for a `first` move that is worth it."""
        line = (*split.path, move)
        pays = self._is_worth_splitting(line, split.depth - 1) and self._named.get(line) != ()
        return first and split.lines == 1 and pays

    def batch(self, split: Split) -> int:
        """Return how many of the next moves of a split probably take `seconds` together; at least one."""
        assert split.queue is not None
        path, known, seconds = split.path, self._named.get(split.path, ()), 0.0
        usual = self._expected_seconds(path) / (len(known) or len(split.queue))  # of a move that is new
        for count, (_, move) in enumerate(split.queue):
            seconds += self._costs.get((*path, move), usual)
            if count and seconds > self.seconds:
                return count
        return len(split.queue)

    def verifies(self, split: Split) -> bool:
        """Whether a worker itself searches moves again that fail high: where several lines are wanted, or the split
        takes little work."""
        return split.lines > 1 or not self._is_worth_splitting(split.path, split.depth - 1)

    def learn(self, split: Split) -> None:
        """Record the seconds of work of a finished `split`, and at the root the principal variation."""
        found = (task.found for task in tasks(split) if task.found is not None)
        self._costs[split.path] = sum(each.seconds for each in found)
        if split.parent is None and split.best > split.window.alpha:
            self._line = split.line

    def measure(self, task: Task, found: Found) -> None:
        """Record the seconds of each move of `task`; of an opening, its seconds and its principal variation."""
        if found.opening is not None:
            self._costs[()], self._line = found.seconds, found.opening.info.pv
        for score, cost in zip(found.scores, found.costs, strict=True):
            self._costs[(*task.parent.path, score.move)] = cost

    def _is_worth_splitting(self, line: tuple[int, ...], depth: int) -> bool:
        """Whether the position after `line` is searched deep enough, and probably takes long enough, to be split."""
        return depth >= self.least and self._expected_seconds(line) >= self.work

    def _expected_seconds(self, line: tuple[int, ...]) -> float:
        """Return the seconds of work for the position after `line`: as measured last; else half of those of its parent;
        0 if none was measured."""
        known = self._costs.get(line)
        return known if known is not None else self._expected_seconds(line[:-1]) / 2 if line else 0.0


class Source(Protocol):
    """Hands out tasks and takes their results."""

    @property
    def over(self) -> bool:
        """Whether no task is left to hand out or to wait for."""

    def window(self, split: Split) -> Window:
        """Return alpha and beta of a split as they are now: the best scores so far narrow them."""

    def take(self) -> Task | None:
        """Return the next task that may be done now, which counts as handed out; None if there is none at present."""

    def finish(self, task: Task, found: Found) -> list[Task]:
        """Record the result of a task. Return the tasks under way that it makes needless."""


class Errands(Source):
    """Tasks that do not depend on each other."""

    def __init__(self, left: list[Task]) -> None:
        self._left, self._open = left, len(left)

    @property
    def over(self) -> bool:
        """Whether all tasks are finished; those handed out but unfinished still count."""
        return not self._open

    def window(self, split: Split) -> Window:
        """Return the full window: errands have no bounds. `split` is not used."""
        return FULL

    def take(self) -> Task | None:
        """Return the next task in the given order; None once all are handed out."""
        return self._left.pop(0) if self._left else None

    def finish(self, task: Task, found: Found) -> list[Task]:
        """Record the result. Return an empty list: no errand makes another one needless."""
        task.found, task.over, self._open = found, True, self._open - 1
        return []


class Sharing(Source):
    """Hands out the tasks of one iteration. `root` is its root, with all its moves in the queue."""

    def __init__(self, root: Split, policy: Policy) -> None:
        self.root, self._policy = root, policy
        self._news = [root]  # splits that were opened for the next task

    @property
    def over(self) -> bool:
        """Whether the root is finished."""
        return self.root.over

    def window(self, split: Split) -> Window:
        """Return the window of a split: its own at the root, else that of the split above, negated if the other side
        is to move there; with alpha raised to the best score of the split itself."""
        if split.parent is None:
            low, high = split.window
        else:
            above = self.window(split.parent)
            low, high = above if split.position.turn == split.parent.position.turn else above.negated
        return Window(max(low, split.alpha), high)

    def take(self) -> Task | None:
        """Return the leftmost task that the policy allows now, with the splits that were opened since the last one;
        None if every task must wait."""
        task = self._next_task(self.root)
        if task is not None:
            task.opened, self._news = tuple(self._news), []
        return task

    def _next_task(self, split: Split) -> Task | None:
        """Create the next task below `split`, depth first, and return it; None if all must wait."""
        for child in split.children:
            if isinstance(child, Split) and not child.over and (task := self._next_task(child)) is not None:
                return task
        if split.queue is None:
            named, split.naming = split.naming, split.naming or Task(split, split.depth)
            return split.naming if named is None else None
        if not split.queue and split.high and all(child.over for child in split.children):
            self._requeue_failed_high(split)
        first = len(split.eldest) < split.lines
        if not split.queue or (self._policy.waits and not first and not all(child.over for child in split.eldest)):
            return None
        child = self._hand_out_next(split, first)
        split.children.append(child)
        if first:
            split.eldest.append(child)
        if isinstance(child, Task):
            return child
        self._news.append(child)
        return self._next_task(child)

    @staticmethod
    def _requeue_failed_high(split: Split) -> None:
        """Queue the moves that failed high in a null window again: the highest first, as a new first move for which the
        others wait."""
        (_, _, first), *others = sorted(split.high, key=lambda each: -each[0])
        split.queue = deque([(0, first), *((index, move) for _, index, move in others)])
        split.high.clear()
        split.eldest.clear()

    def _hand_out_next(self, split: Split, first: bool) -> Split | Task:
        """Take the next move from the queue: as a split of its own if the policy says so, else as a task, perhaps with
        the moves after it. `first` tells that other moves wait for it."""
        assert split.queue is not None
        index, move = split.queue[0]
        if self._policy.splits(split, move, first):
            position = split.position.play(move)
            if position.outcome is None:
                split.queue.popleft()
                child = Split(split, index, move, position, split.depth - 1, split.ply + 1)
                child.window = self.window(child)
                self._enqueue(child)
                return child
        count = 1 if first else self._policy.batch(split)
        moves = tuple(split.queue.popleft() for _ in range(count))
        return Task(split, split.depth, moves, first or self._policy.verifies(split))

    def _enqueue(self, split: Split) -> None:
        """Fill the queue of a split with its moves; set it to None if a worker must list them first."""
        moves = self._policy.moves(split)
        split.queue = None if moves is None else deque(enumerate(moves))

    def finish(self, task: Task, found: Found) -> list[Task]:
        """Record the result: list the moves of its split, or add the scores to it, and close splits that this finishes.
        Return the tasks under way that are now cut off or otherwise needless, marked as dropped."""
        task.found, task.over, split = found, True, task.parent
        self._policy.measure(task, found)
        if not task.moves:
            self._policy.receive_moves(split, found.moves)
            self._enqueue(split)
            if not split.queue:
                self._unsplit(split)
        for score in found.scores:
            if score.unverified:
                index = next(index for index, move in task.moves if move == score.move)
                split.high.append((score.score, index, score.move))
            else:
                split.add(score.score, score.line)
        split.whole = split.whole and found.whole
        self._close_finished()
        dropped = [each for each in tasks(self.root) if each.worker and not each.over and self._is_needless(each)]
        for each in dropped:
            each.over = each.dropped = True
        return dropped

    @staticmethod
    def _unsplit(split: Split) -> None:
        """Remove `split` and put its move back at the head of its parent's queue: it is not worth splitting, so one
        worker searches it."""
        parent = split.parent
        assert parent is not None
        assert parent.queue is not None
        parent.children.remove(split)
        parent.eldest.remove(split)
        parent.queue.appendleft((split.index, split.move))

    def _close_finished(self) -> None:
        """Close the splits that need no more searching, and add their results to their parents."""
        while (split := self._next_finished(self.root)) is not None:
            split.over = True
            split.end = End.CUT if self._is_cut(split) else End.ALL
            self._policy.learn(split)
            parent = split.parent
            if parent is not None:
                same = split.position.turn == parent.position.turn
                parent.whole = parent.whole and split.whole
                parent.add(split.best if same else -split.best, (split.move, *split.line))

    def _next_finished(self, split: Split) -> Split | None:
        """Return a split that is open but needs no more searching, upper ones first, since they make those below
        needless; None if there is none."""
        if split.over:
            return None
        if self._is_cut(split) or self._is_searched(split):
            return split
        below = (self._next_finished(child) for child in split.children if isinstance(child, Split))
        return next((found for found in below if found is not None), None)

    def _is_cut(self, split: Split) -> bool:
        """Whether a beta cutoff ends the split."""
        return split.best >= self.window(split).beta

    @staticmethod
    def _is_searched(split: Split) -> bool:
        """Whether all moves have been searched, and none is left that failed high and must be searched again."""
        tried = split.queue is not None and not split.queue and not split.high
        return tried and all(child.over for child in split.children)

    @staticmethod
    def _is_needless(node: Split | Task) -> bool:
        """Whether a split above has ended, so that the result is not needed."""
        return node.parent is not None and (node.parent.over or Sharing._is_needless(node.parent))


class LazySharing(Sharing):
    """Lazy SMP: each task is the whole search, with the moves of the root rotated. The worker with the first task
    answers.

    Every other pair of workers searches one ply deeper than that, and a worker that is done goes a ply deeper again.
    """

    def __init__(self, root: Split, policy: Policy, workers: int) -> None:
        super().__init__(root, policy)
        self._moves, self._workers = tuple(root.queue or ()), workers
        root.queue = deque()

    def _next_task(self, split: Split) -> Task | None:
        """Create another search of the whole tree below `split`; None once that is over."""
        if split.over:
            return None
        number = len(split.children)
        turn, helper = number % len(self._moves), number % self._workers
        deeper = number // self._workers + helper // 2 % 2
        task = Task(split, split.depth + deeper, (*self._moves[turn:], *self._moves[:turn]))
        split.children.append(task)
        return task

    def finish(self, task: Task, found: Found) -> list[Task]:
        """Record the result of a task. The first task's result ends the iteration: return all others that are under
        way."""
        if task is self.root.children[0]:
            for child in self.root.children:
                assert isinstance(child, Task)
                child.dropped = not child.over and child is not task
                child.over = True
            super().finish(task, found)
            return [child for child in self.root.children if isinstance(child, Task) and child.dropped]
        task.found, task.over = found, True
        return []


def tasks(split: Split) -> Iterator[Task]:
    """Yield all tasks below a split that have been handed out, also finished ones, from left to right."""
    for child in split.children:
        if isinstance(child, Task):
            yield child
        else:
            yield from tasks(child)
