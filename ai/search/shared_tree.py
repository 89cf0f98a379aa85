"""The tree of a search by several workers: who searched which node and when, and which nodes were searched
needlessly."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from ai.search.splitting import Split, Task, tasks
from ai.search.trace import End, Steps, Trace
from games.position import Position

TWICE, EXTRA = 1, 2
"""What is marked, as bits: that another worker has searched the same position to the same depth, and that one worker
alone would not have visited the node."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """The time that a `worker`, numbered from 1, spent on a task, from `began` to `ended`. `node` is the first node of
    the task. `dropped` if the task was cancelled as needless."""

    worker: int
    began: int
    ended: int
    node: int
    dropped: bool


class SharedTree(Trace):
    """The trace of a search by several workers. Times are in nodes visited or in milliseconds.

    Each node also has its `worker`, numbered from 1, the times `time` at which it was entered and `left`, and `marks`,
    which are bits. The nodes below a node that was stopped are kept, and a stopped node has no value. `stretches` are
    the tasks, sorted by the time at which they began.
    """

    ARRAYS: ClassVar[tuple[tuple[str, str], ...]] = (
        *Trace.ARRAYS, ("worker", "b"), ("time", "i"), ("left", "i"), ("marks", "b"),
    )  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        self.worker, self.time, self.left, self.marks = array("b"), array("i"), array("i"), array("b")
        self.stretches: list[Stretch] = []
        self.alone: int | None = None
        """The nodes of one worker alone, if they are known."""

    def clear(self) -> None:
        """Remove all nodes and stretches."""
        super().clear()
        self.stretches.clear()

    def add(self, root: Split) -> None:
        """Append the nodes of one iteration, whose root is the split `root`."""
        entered: dict[Split, tuple[int, int]] = {}
        for task in tasks(root):
            entered |= {split: (task.worker, task.began + place) for place, split in enumerate(task.opened)}
        if root in entered:
            self._add_split(root, entered)
        self.stretches.sort(key=lambda stretch: (stretch.began, stretch.worker))

    def _add_split(self, split: Split, entered: dict[Split, tuple[int, int]]) -> None:
        """Add a split node with its children. `entered` has the worker and the time at which each split was entered."""
        node = len(self)
        self.enter(split.move, split.position.turn, *split.window, split.depth)
        self._record_entry(*entered[split])
        for child in split.children:
            if isinstance(child, Task):
                self._add_task(child)
            elif child in entered:
                self._add_split(child, entered)
        if split.over:
            self.leave(split.best, split.end, split.untried)
        else:
            self._path.pop()
            self.size[node] = len(self) - node
        self.left[node] = max(self.left[node:])

    def _record_entry(self, worker: int, time: int) -> None:
        """Append the worker and the time to the columns of the node entered last."""
        self.worker.append(worker)
        self.time.append(time)
        self.left.append(time)
        self.marks.append(0)

    def _add_task(self, task: Task) -> None:
        """Append the traces of `task`, if it has any, below the node whose moves it searched. Spread the times evenly
        over its duration."""
        traces = [] if task.found is None else [trace for trace in task.found.traces if len(trace)]
        start, above, ply = len(self), self._path[-1], len(self._path)
        if not traces:
            return
        for trace in traces:
            place = len(self)
            for name, _ in Trace.ARRAYS:
                if name not in ("parent", "ply"):
                    getattr(self, name).extend(getattr(trace, name))
            self.parent.extend(above if parent < 0 else parent + place for parent in trace.parent)
            self.ply.extend(each + ply for each in trace.ply)
        if task.dropped:  # even if it was complete at that moment
            self.end[place], self.untried[place] = End.STOPPED, 0
        count, first = len(self) - start, task.began + len(task.opened)
        span = max(1, task.ended - first)
        self.time.extend(first + node * span // count for node in range(count))
        self.left.extend(self.time[node + self.size[node] - 1] for node in range(start, len(self)))
        self.worker.extend([task.worker] * count)
        self.marks.extend([0] * count)
        self.stretches.append(Stretch(task.worker, task.began, task.ended, start, task.dropped))

    def extra_columns(self) -> dict[str, list[Any]]:
        """Return the workers, the times of entry, and whether nodes were searched twice, by name."""
        return {
            "worker": list(self.worker),
            "time": list(self.time),
            "twice": [int(bool(marks & TWICE)) for marks in self.marks],
        }

    @property
    def workers(self) -> int:
        """The number of workers: the highest that has searched."""
        return max(self.worker, default=0)

    @property
    def span(self) -> int:
        """The time of the whole search."""
        return max((stretch.ended for stretch in self.stretches), default=0)

    def count_marked(self, mark: int) -> int:
        """Return how many nodes have the bit `mark`."""
        return sum(bool(marks & mark) for marks in self.marks)

    def busy(self, worker: int) -> int:
        """Return the time that a worker has spent on tasks."""
        return sum(each.ended - each.began for each in self.stretches if each.worker == worker)

    def mark_twice(self, position: Position) -> None:
        """Mark with `TWICE` the nodes whose position another worker has searched to the same depth in the same
        iteration. `position` is that of the roots."""
        by: dict[Hashable, set[int]] = {}
        found = list(self.with_keys(position))
        for node, searched in found:
            by.setdefault(searched, set()).add(self.worker[node])
        for node, searched in found:
            if len(by[searched]) > 1:
                self.marks[node] |= TWICE

    def with_keys(self, position: Position) -> Iterator[tuple[int, Hashable]]:
        """Yield each node, except roots, whose moves were searched, with a key that equal searches share: the root of
        its iteration, the key of its position, and its depth. `position` is that of the roots."""
        line, root = [position], 0
        for node, ply in enumerate(self.ply):
            root = root if ply else node
            del line[ply:]
            line.append(line[-1].play(self.move[node]) if ply else position)
            if ply and self.end[node] in (End.CUT, End.ALL, End.STOPPED):
                yield node, (root, line[-1].key, self.rest[node])

    def mark_extra(self, alone: Trace) -> None:
        """Mark with `EXTRA` the nodes that are not in `alone`, the tree of the same search by one worker. Set
        `self.alone` to the number of its nodes."""
        self.alone = len(alone)
        for root, other in zip(self.roots(), alone.roots(), strict=False):
            self._mark_extra_below(root, alone, other)

    def _mark_extra_below(self, node: int, alone: Trace, other: int) -> None:
        """Mark the nodes below `node` that are not in the tree `alone`, in which `other` is the same node."""
        known = {alone.move[each]: each for each in alone.children(other)}
        for child in self.children(node):
            same = known.get(self.move[child])
            if same is not None:
                self._mark_extra_below(child, alone, same)
                continue
            for each in range(child, self.after(child)):
                self.marks[each] |= EXTRA


class SharedSteps(Steps):
    """The steps of a `SharedTree`: a step is a unit of time, at which several workers may enter a node. A node is left
    when the last node below it has been entered."""

    trace: SharedTree

    def __init__(self, trace: SharedTree) -> None:
        super().__init__(trace)
        self._order = sorted(range(len(trace)), key=trace.time.__getitem__)
        self._times = [trace.time[node] for node in self._order]
        self._last = max(trace.left, default=-1)

    @property
    def last(self) -> int:
        """The last unit of time; -1 for an empty tree."""
        return self._last

    def entered(self, node: int) -> int:
        """Return the time at which `node` was entered."""
        return self.trace.time[node]

    def left(self, node: int) -> int | None:
        """Return the time at which the last node below `node` was entered; never None."""
        return self.trace.left[node]

    def node(self, step: int) -> tuple[int, bool]:
        """Return the node that is entered at the step, and True; where several are, the first. Where none is, return
        the node that was entered last before, and False."""
        first = bisect_left(self._times, step)
        if first < len(self._times) and self._times[first] == step:
            return self._order[first], True
        return self._order[max(0, first - 1)], False

    def value(self, node: int, at: int) -> int | None:
        """Return the value as `Steps` does. A node that was stopped has the best value of its children that were
        not."""
        if self.trace.end[node] != End.STOPPED:
            return super().value(node, at)
        known = [self.trace.backed_up(child) for child in self.trace.children(node) if self._is_known(child, at)]
        return max(known, default=None)

    def _is_known(self, node: int, at: int) -> bool:
        """Whether the value of a node is known at step `at`; never of a node that was stopped."""
        return self.trace.end[node] != End.STOPPED and super()._is_known(node, at)
