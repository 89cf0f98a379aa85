"""One search by a crew: iterative deepening, whose iterations are shared out as a `Policy` says.

The `Coordinator` gives tasks to idle workers, and those of lost or slow workers to others; the first answer counts.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from ai.core.player import DepthStats, Info, Limit, Line, Stop, WorkerRow
from ai.core.score import PROVEN, settled
from ai.search.alphabeta import Spent, depth_reached
from ai.search.crews import Answer, Crew, CrewLost
from ai.search.shared_tree import SharedTree
from ai.search.splitting import Errands, Policy, Source, Split, Task
from ai.search.trace import INFINITY, ROOT
from ai.search.workers import FULL, Found, MoveSearch, Opening, Request, Where, Window, Work
from games.position import Position

_NEXT_FITS = 0.8  # share of the time after which another iteration would hardly finish its first move
_FORCED_SHARE = 0.05  # the same where there is one legal move
_SLOW = 5.0  # a task is late after so many times the longest one so far
_MOST_LOST = 3  # workers that a task may lose: it could be the reason
_TURN = 0.01  # seconds between two looks at the limits, and at who is still there
_WIDER = 4  # times as wide is a window after the score was outside

_numbers = count(1)  # of requests, different in all searches, since a crew outlives them

Log = Callable[[Request, Found], object]
"""Called with each request and its answer, to measure them."""


@dataclass(slots=True)
class _Sent:
    """A request that was sent to `worker` at the time `at`; `worker` is empty once that has been lost."""

    request: Request
    task: Task
    worker: str
    at: float
    lost: int  # workers before it


class _Until(Stop):
    """A stop that is set while `ready()` is true. It cannot be set otherwise."""

    def __init__(self, ready: Callable[[], bool]) -> None:
        super().__init__()
        self._ready = ready

    def is_set(self) -> bool:
        """Return whether `ready()` is true now; it may be false again later."""
        return self._ready()


class Coordinator:
    """One search of `root` by the crew that `open_crew` returns, which is called when a crew is first needed.

    `here` searches what one worker searches alone, in this process; without it, a worker of the crew does. All
    iterations are added to `tree`, if there is one. Without `deepening`, only the deepest iteration is searched. `log`
    is called with each request and its answer.
    """

    def __init__(
        self, open_crew: Callable[[], Crew], work: Work, root: Position, limit: Limit, stop: Stop, policy: Policy,
        here: MoveSearch | None = None, tree: SharedTree | None = None, deepening: bool = True,
        log: Log = lambda _request, _found: None,
    ) -> None:  # fmt: skip
        self.again = 0
        """How many tasks were given to a second worker."""
        self._open_crew, self._work, self._root = open_crew, work, root
        self._limit, self._stop, self._policy, self._here = limit, stop, policy, here
        self._tree, self._deepening, self._log = tree, deepening, log
        self._opened: Crew | None = None
        self._began = time.monotonic()  # by the clock of the crew as soon as there is one
        self._start: int  # in the unit of the tree
        self._visited = 0  # nodes of what is done
        self._moves: list[int] = []  # of the root
        self._top = self._root_split(FULL, 0, 1)  # the root in the last iteration
        self._rows: list[DepthStats] = []
        self._known = self._ending = False  # whether there is an answer, and whether workers were told to give one
        self._sent: dict[int, _Sent] = {}
        self._busy: dict[str, int] = {}  # workers, with the number of what they do
        self._places: dict[str, int] = {}  # workers, from 1 on
        self._homes: dict[tuple[int, ...], str] = {}  # who has searched what
        self._longest = 0.0

    @property
    def nodes(self) -> int:
        """Nodes visited so far by all workers, also in tasks that are still being searched."""
        crew = self._opened
        return self._visited + (0 if crew is None else sum(crew.visited(worker) for worker in list(self._busy)))

    @property
    def seconds(self) -> float:
        """Seconds since the search began, by the clock of the crew, which may be simulated."""
        return (time.monotonic() if self._opened is None else self._opened.now()) - self._began

    @property
    def span(self) -> int:
        """The time since the search began in the unit of `tree`: nodes or milliseconds."""
        return 0 if self._opened is None else self._opened.moment() - self._start

    @property
    def rows(self) -> tuple[WorkerRow, ...]:
        """What each busy worker is searching; any thread may ask."""
        sent = ((worker, self._sent.get(number)) for worker, number in list(self._busy.items()))
        tasks = {worker: each.task for worker, each in sent if each is not None}
        return tuple(WorkerRow(worker, task.line, task.depth) for worker, task in sorted(tasks.items()))

    @property
    def _crew(self) -> Crew:
        """The crew, which the first use opens."""
        if self._opened is None:
            crew = self._open_crew()
            self._began, self._start = crew.now() - self.seconds, crew.moment()
            self._opened = crew
        return self._opened

    def warm_up(self) -> None:
        """Let each worker do a small task, so that it has loaded and compiled all that the search needs."""
        self._run_tasks(Errands([Task(self._top, self._top.depth) for _ in self._crew.members()]))

    # Iterations.

    def deepen(self) -> Iterator[Info]:
        """Yield an answer after every iteration, and once more if the last one is interrupted. Stop the workers at the
        end. Raise `CrewLost`, and `ValueError` with a sentence if the position cannot be searched."""
        try:
            yield from self._deepen()
        finally:
            if self._opened is not None and self._busy:
                self._opened.halt(self._work.name)

    def _deepen(self) -> Iterator[Info]:
        """Yield the answer of each completed depth, and a last, partial one when the budget is used up."""
        opening = self._open()
        info = replace(opening.info, nodes=self.nodes, seconds=self.seconds)
        yield info
        self._moves, over, forced = list(opening.moves), opening.over, len(opening.moves) == 1
        limit, deepest = self._limit, min(self._limit.depth or self._policy.deepest, self._policy.deepest)
        for depth in range(info.depth + 1 if self._deepening else deepest, deepest + 1):
            if over or self._stop.is_set() or not self._next_fits(forced):
                return
            try:
                self._iterate(depth, info)
            except Spent:
                if self._has_answer:
                    info = self._info(depth - 1 if self._deepening else 0)
                bounded = limit.depth is not None or not self._deepening
                complete = False if bounded else None
                yield replace(info, nodes=self.nodes, seconds=self.seconds, complete=complete)
                return
            info = self._info(depth)
            yield info
            best = [line.moves[0] for line in info.lines]
            self._moves = [*best, *(move for move in self._moves if move not in best)]
            over = self._top.whole or all(settled(line.score) for line in info.lines)

    @property
    def _has_answer(self) -> bool:
        """Whether the result of an interrupted iteration can be used: its first move has been searched, the best score
        lies above alpha, and one line is wanted."""
        top = self._top
        return top.lines == 1 and top.best > top.window.alpha and top.children[0].over

    def _open(self) -> Opening:
        """Search the first depths by one worker alone. Wait for its answer even if the search is stopped: without it
        there is no move."""
        policy, limit = self._policy, self._limit
        depth = min(policy.first, limit.depth or policy.first)
        nodes = policy.alone if limit.nodes is None else min(policy.alone, limit.nodes)
        bounds = Limit(self._seconds_left(), depth, nodes, limit.lines)
        if self._here is not None:
            opening = self._open_here(bounds, self._stop)
            ended = depth == 0 or opening.over or opening.info.depth == depth or self._stop.is_set()
            if not ended and not self._crew.ready:  # go on while processes are being started
                again = self._open_here(
                    replace(bounds, seconds=self._seconds_left(), nodes=limit.nodes),
                    _Until(lambda: self._stop.is_set() or self._crew.ready),
                )
                opening = max(opening, again, key=lambda each: each.info.depth)
        else:
            task = Task(self._top, depth, limit=bounds)
            self._run_tasks(Errands([task]))
            assert task.found is not None
            assert task.found.opening is not None
            self._policy.measure(task, task.found)
            opening = task.found.opening
        self._known = True
        return opening

    def _open_here(self, limit: Limit, stop: Stop) -> Opening:
        """Search the first depths in this process, without a crew."""
        assert self._here is not None
        opening = self._here.open(self._root, limit, stop)
        self._visited += opening.info.nodes
        return opening

    def _root_split(self, window: Window, depth: int, lines: int) -> Split:
        """Return the root as a split, with all its moves still to hand out."""
        return Split(None, 0, ROOT, self._root, depth, 0, window, lines, deque(enumerate(self._moves)))

    def _iterate(self, depth: int, info: Info) -> None:
        """Search the root to `depth` and leave the result in `_top`. Policies with a `width` use an aspiration window
        around the score of `info`, which widens until the score lies within it
        (https://www.chessprogramming.org/Aspiration_Windows)."""
        lines = min(self._limit.lines, len(self._moves))
        width = self._policy.width if lines == 1 and abs(info.score) < PROVEN else None
        width = width or 2 * INFINITY
        alpha, beta = max(-INFINITY, info.score - width), min(INFINITY, info.score + width)
        while True:
            self._top = self._root_split(Window(alpha, beta), depth, lines)
            try:
                self._run_tasks(self._policy.share(self._top))
            finally:
                if self._tree is not None:
                    self._tree.add(self._top)
            score, width = self._top.best, _WIDER * width
            if alpha < score < beta:
                return
            if score <= alpha:
                alpha = max(-INFINITY, score - width)
            else:
                beta = min(INFINITY, score + width)

    def _info(self, depth: int) -> Info:
        """Return the answer at `depth` from the best lines of the root, and add a row of statistics for the depth."""
        lines = tuple(Line(score, line, self._top.whole) for score, line in self._top.scores)
        before = sum(row.nodes for row in self._rows), sum(row.seconds for row in self._rows)
        self._rows.append(DepthStats(depth, lines[0], self.seconds - before[1], self.nodes - before[0]))
        best, rows = lines[0], tuple(self._rows)
        depth = depth if self._deepening else depth_reached(best, depth)
        return Info(best.moves[0], best.score, depth, self.nodes, self.seconds, lines, depths=rows)

    # Tasks.

    def _run_tasks(self, source: Source) -> None:
        """Have the crew do all tasks of `source`; cancel those that are unfinished when this ends. Raise `Spent` when
        the search must end, `ValueError` with a sentence that a worker raised, and `CrewLost` if the workers are lost
        or have failed."""
        try:
            while not source.over:
                members = self._members()
                while (free := self._idle_workers(members)) and (task := source.take()) is not None:
                    self._send(source, task, self._worker_for(task, free))
                answer = self._crew.next(_TURN)
                if answer is not None:
                    self._receive(source, answer)
                if not source.over:
                    self._check_limits()
                    self._reassign(source)
        finally:
            for task in [sent.task for sent in self._sent.values() if not sent.task.over]:
                self._cancel(task)

    def _members(self) -> list[str]:
        """Return the names of the crew's workers, and forget what those that have gone were doing. Raise `CrewLost` if
        none is left."""
        members = list(self._crew.members())
        if not members:
            raise CrewLost("There are no workers.")
        for worker in [worker for worker in self._busy if worker not in members]:
            del self._busy[worker]
        return members

    def _idle_workers(self, members: Sequence[str]) -> list[str]:
        """Return the workers without a task."""
        return [worker for worker in members if worker not in self._busy]

    def _worker_for(self, task: Task, free: list[str]) -> str:
        """Return a worker of `free` for `task`: if the policy wants it, the one that searched its line before, whose
        table knows it; else the first."""
        home = self._homes.get(task.line) if self._policy.returns else None
        return home if home in free else free[0]

    def _send(self, source: Source, task: Task, worker: str, lost: int = 0) -> None:
        """Send `task`, from `source`, to `worker`. `lost` counts the workers that were lost with it before."""
        number, crew, split = next(_numbers), self._crew, task.parent
        if not task.worker:
            task.worker = self._places.setdefault(worker, len(self._places) + 1)
            task.began = crew.moment() - self._start
            self._visited += len(task.opened)
        request = Request(
            self._work, Where(self._root, split.path), task.depth, task.moves, source.window(split), split.lines == 1,
            task.verify, task.limit, self._seconds_left(), entered=len(task.opened),
        )  # fmt: skip
        self._sent[number] = _Sent(request, task, worker, crew.now(), lost)
        self._busy[worker] = number
        crew.send(worker, number, request, lambda: source.window(split))

    def _receive(self, source: Source, answer: Answer) -> None:
        """Accept an answer; ignore it if its task has one already or was cancelled. Mark a request whose worker was
        lost, for `_reassign`. Raise `Spent` if the worker was stopped, `CrewLost` or the worker's `ValueError` if it
        has failed."""
        number, sent, found = answer.number, self._sent.get(answer.number), answer.found
        if sent is None:  # of an earlier search
            return
        if self._busy.get(answer.worker) == number:
            del self._busy[answer.worker]
        if found is None and answer.error is None and not sent.task.over:
            sent.worker = ""  # it is to be given to another one
            return
        del self._sent[number]
        self._visited += 0 if found is None else found.nodes
        if sent.task.over:
            return
        if isinstance(answer.error, ValueError):
            raise answer.error
        if found is None:
            raise CrewLost("A worker has failed.") from answer.error
        if found.stopped:
            raise Spent
        self._longest = max(self._longest, self._crew.now() - sent.at)
        self._homes[sent.task.line] = answer.worker
        sent.task.ended = self._crew.moment() - self._start
        self._log(sent.request, found)
        for task in source.finish(sent.task, found):
            self._cancel(task)

    def _cancel(self, task: Task) -> None:
        """Tell the workers to stop a task that is no longer needed; keep what was found if it is there at once."""
        task.ended = self._crew.moment() - self._start
        for number in [number for number, sent in self._sent.items() if sent.task is task]:
            worker = self._sent[number].worker
            if self._busy.get(worker) == number and (found := self._crew.drop(worker)) is not None:
                del self._busy[worker], self._sent[number]
                self._visited += found.nodes
                task.found = found

    def _reassign(self, source: Source) -> None:
        """Give the tasks of lost workers, and once those that are late, to idle workers. Raise `CrewLost` if a task has
        lost too many workers."""
        members, now = self._members(), self._crew.now()
        late = now - max(self._crew.patience, _SLOW * self._longest)
        for number, sent in [each for each in self._sent.items() if not each[1].task.over]:
            free, lost = self._idle_workers(members), sent.worker not in members
            if lost and sent.lost == _MOST_LOST:
                raise CrewLost("Several workers were lost.")
            twice = sum(other.task is sent.task for other in self._sent.values()) > 1
            if free and (lost or (sent.at < late and not twice)):
                self.again += 1
                self._send(source, sent.task, free[0], sent.lost + lost)
                if lost:
                    del self._sent[number]

    # Limits.

    def _seconds_left(self) -> float | None:
        """Return the seconds left for the search; None without a limit."""
        seconds = self._limit.seconds
        return None if seconds is None else max(0.0, seconds - self.seconds)

    def _check_limits(self) -> None:
        """Raise `Spent` when the search must end. Before the opening is known, tell the workers to stop instead, so
        that they answer."""
        limit = self._limit
        out_of_nodes = limit.nodes is not None and self.nodes >= limit.nodes
        if self._stop.is_set() or self._seconds_left() == 0.0 or out_of_nodes:
            if self._known:
                raise Spent
            if not self._ending:
                self._ending = True
                self._crew.halt(self._work.name)

    def _next_fits(self, forced: bool) -> bool:
        """Whether there is likely time for another iteration; `forced` if there is only one legal move."""
        seconds = self._limit.seconds
        return seconds is None or self.seconds < seconds * (_FORCED_SHARE if forced else _NEXT_FITS)
