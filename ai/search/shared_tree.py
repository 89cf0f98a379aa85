"""The tree of a search by several workers: who has searched what and when, and what was searched in vain."""

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
    """What a `worker`, from 1 on, did from `began` to `ended`: the task whose root is `node`. `dropped` if it was
    stopped as needless."""

    worker: int
    began: int
    ended: int
    node: int
    dropped: bool


class SharedTree(Trace):
    """Each node has also its `worker`, from 1 on, the times at which it was entered, `time`, and `left`, in nodes or
    milliseconds, and `marks`. What is below a node that was stopped is complete, but its value is unknown.
    `stretches` are the tasks, by the time at which they began."""

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
        super().clear()
        self.stretches.clear()

    def add(self, root: Split) -> None:
        """Append what was searched of an iteration, from its `root`."""
        entered: dict[Split, tuple[int, int]] = {}
        for task in tasks(root):
            entered |= {split: (task.worker, task.began + place) for place, split in enumerate(task.opened)}
        if root in entered:
            self._add_split(root, entered)
        self.stretches.sort(key=lambda stretch: (stretch.began, stretch.worker))

    def _add_split(self, split: Split, entered: dict[Split, tuple[int, int]]) -> None:
        """Add a split node with its children; `entered` has when, and by whom, each split was entered."""
        node = len(self)
        self.enter(split.move, split.position.turn, *split.window, split.depth)
        self._put(*entered[split])
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

    def _put(self, worker: int, time: int) -> None:
        """Append who entered a node, and when."""
        self.worker.append(worker)
        self.time.append(time)
        self.left.append(time)
        self.marks.append(0)

    def _add_task(self, task: Task) -> None:
        """Append the traces of `task` below the node whose moves it searched, with times spread evenly over its
        duration."""
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

    def facts(self) -> dict[str, list[Any]]:
        return {
            "worker": list(self.worker),
            "time": list(self.time),
            "twice": [int(bool(marks & TWICE)) for marks in self.marks],
        }

    @property
    def workers(self) -> int:
        """How many have searched."""
        return max(self.worker, default=0)

    @property
    def span(self) -> int:
        """How long the search took, in nodes or milliseconds."""
        return max((stretch.ended for stretch in self.stretches), default=0)

    def count_marked(self, mark: int) -> int:
        """How many nodes have a mark."""
        return sum(bool(marks & mark) for marks in self.marks)

    def busy(self, worker: int) -> int:
        """How long a worker has searched, in nodes or milliseconds."""
        return sum(each.ended - each.began for each in self.stretches if each.worker == worker)

    def mark_twice(self, position: Position) -> None:
        """Mark with `TWICE` the nodes that another worker has searched, too: in the same iteration, the same position
        to the same depth. `position` is that of the roots."""
        by: dict[Hashable, set[int]] = {}
        found = list(self.with_keys(position))
        for node, searched in found:
            by.setdefault(searched, set()).add(self.worker[node])
        for node, searched in found:
            if len(by[searched]) > 1:
                self.marks[node] |= TWICE

    def with_keys(self, position: Position) -> Iterator[tuple[int, Hashable]]:
        """Yield each node but the roots of which moves were tried, with what identifies its search: the root of its
        iteration, the key of its position and the depth. `position` is that of the roots."""
        line, root = [position], 0
        for node, ply in enumerate(self.ply):
            root = root if ply else node
            del line[ply:]
            line.append(line[-1].play(self.move[node]) if ply else position)
            if ply and self.end[node] in (End.CUT, End.ALL, End.STOPPED):
                yield node, (root, line[-1].key, self.rest[node])

    def mark_extra(self, alone: Trace) -> None:
        """Mark the nodes that are not in the tree `alone`, of one worker."""
        self.alone = len(alone)
        for root, other in zip(self.roots(), alone.roots(), strict=False):
            self._mark_beside(root, alone, other)

    def _mark_beside(self, node: int, alone: Trace, other: int) -> None:
        """Mark the nodes that the search by one worker, `alone`, did not visit."""
        known = {alone.move[each]: each for each in alone.children(other)}
        for child in self.children(node):
            same = known.get(self.move[child])
            if same is not None:
                self._mark_beside(child, alone, same)
                continue
            for each in range(child, self.after(child)):
                self.marks[each] |= EXTRA


class SharedSteps(Steps):
    """A step is a moment: each worker enters a node, and leaves at once what is below it complete."""

    trace: SharedTree

    def __init__(self, trace: SharedTree) -> None:
        super().__init__(trace)
        self._order = sorted(range(len(trace)), key=trace.time.__getitem__)
        self._times = [trace.time[node] for node in self._order]
        self._last = max(trace.left, default=-1)

    @property
    def last(self) -> int:
        return self._last

    def entered(self, node: int) -> int:
        return self.trace.time[node]

    def left(self, node: int) -> int | None:
        return self.trace.left[node]

    def node(self, step: int) -> tuple[int, bool]:
        """The node of the first worker that enters one, else the one that was entered last."""
        first = bisect_left(self._times, step)
        if first < len(self._times) and self._times[first] == step:
            return self._order[first], True
        return self._order[max(0, first - 1)], False

    def value(self, node: int, at: int) -> int | None:
        if self.trace.end[node] != End.STOPPED:
            return super().value(node, at)
        known = [self.trace.backed_up(child) for child in self.trace.children(node) if self._known(child, at)]
        return max(known, default=None)

    def _known(self, node: int, at: int) -> bool:
        return self.trace.end[node] != End.STOPPED and super()._known(node, at)
