"""Search one position by the workers of a team: iterative deepening, coordinated from one place.

At each depth the first move of a node is searched before the others, with its own moves shared out in the same way,
down the principal variation; then the other moves, in parallel, against the best score so far, which a task is sent
with: PV splitting (https://www.chessprogramming.org/Parallel_Search#PV_Splitting). Where several lines are wanted, as
many moves are searched with a full window at once, and nothing below them is shared out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from ai.core.player import DepthStats, Info, Limit, Line, Stop
from ai.core.score import PROVEN, settled
from ai.distributed.dispatcher import Dispatcher, Found, Over, Task, Team, Work
from ai.search.moves import FULL, MoveScore, Opening, Where, Window
from ai.search.trace import INFINITY
from games.position import Position

_DEEPEST = 90  # plies
_WIDTH = 40  # half width of the first window, in hundredths
_NEXT_FITS = 0.8  # share of the time after which another iteration would hardly finish its first move
_FORCED_SHARE = 0.05  # the same where there is one legal move


@dataclass(frozen=True, slots=True)
class Split:
    """What is shared out. One worker searches the `first` depths alone, or as far as it comes in `alone` nodes. A node
    of the principal variation is split if it is searched to at least `least` plies, and probably takes `work` seconds
    of work. A task has so many moves that it takes `seconds`, if possible."""

    first: int = _DEEPEST
    alone: int = 400_000
    least: int = 6
    work: float = 1.0
    seconds: float = 0.05


DEFAULT = Split()


@dataclass(slots=True)
class _Best:
    """The best `lines` of a node within a window, best first. `bound` is the greatest score of all moves: if none is
    within the window, an upper bound."""

    lines: int
    window: Window = FULL
    found: list[MoveScore] = field(default_factory=list)
    bound: int = -INFINITY

    @property
    def alpha(self) -> int:
        """The score that another move must exceed."""
        return self.found[-1].score if len(self.found) >= self.lines else self.window.alpha

    @property
    def cut(self) -> bool:
        """Whether the node fails high."""
        return self.bound >= self.window.beta

    def add(self, score: MoveScore) -> None:
        self.bound = max(self.bound, score.score)
        if score.score > self.alpha:
            self.found.append(score)
            self.found.sort(key=lambda each: -each.score)  # stable: the first to have a score keeps its place
            del self.found[self.lines :]


Log = Callable[[Task, Found], object]
"""Called with each task and its answer, to measure them."""


class Coordinator:
    """One search of `root`. `nodes` are those of all workers."""

    def __init__(
        self, team: Team, work: Work, root: Position, limit: Limit, stop: Stop, split: Split = DEFAULT,
        log: Log = lambda _task, _found: None,
    ) -> None:  # fmt: skip
        self.nodes = 0
        self.dispatcher = Dispatcher(team, self._check)
        self._team, self._work, self._root, self._limit, self._stop = team, work, Where(root), limit, stop
        self._split, self._log = split, log
        self._began = team.now()
        self._costs: dict[tuple[int, ...], float] = {}  # seconds of work for a line, when it was searched last
        self._work_done = 0.0  # seconds of all workers
        self._moves: dict[tuple[int, ...], Sequence[int]] = {}  # of nodes that are split
        self._depth, self._best, self._whole = 0, _Best(1), True  # of the root at the depth that is searched
        self._rows: list[DepthStats] = []
        self._opened = self._ending = False  # whether the first depths are searched, and whether they are to end

    @property
    def seconds(self) -> float:
        return self._team.now() - self._began

    def deepen(self) -> Iterator[Info]:
        """Yield after every iteration. Raise `ClusterLost`, and `ValueError` with a sentence if the player cannot."""
        try:
            yield from self._deepen()
        except Over:
            if self._best.found and self._limit.lines == 1:  # a move that beat the first one is better
                yield self._info(self._depth - 1)
        finally:
            if self.dispatcher.at_work:
                self._team.halt(self._work.name)

    def warm_up(self) -> None:
        """Let each worker do a task, so that it has loaded and compiled all that the search needs."""
        left = deque(Task(self._work, self._root) for _ in self._team.members())
        for _ in self._run(lambda: left.popleft() if left else None):
            pass

    def _deepen(self) -> Iterator[Info]:
        opening = self._open()
        info = opening.info
        yield replace(info, nodes=self.nodes, seconds=self.seconds)
        self._moves[()] = opening.moves
        self._depth, over, forced = info.depth, opening.over, len(opening.moves) == 1
        deepest = min(self._limit.depth or _DEEPEST, _DEEPEST)
        while not over and self._depth < deepest and self._next_fits(forced):
            self._depth += 1
            self._iterate(min(self._limit.lines, len(opening.moves)), info)
            info = self._info(self._depth)
            yield info
            over = self._whole or all(settled(line.score) for line in info.lines)

    def _iterate(self, lines: int, info: Info) -> None:
        """Search the root to the next depth: a single line with a window around its last score, which widens until the
        score lies within it (https://www.chessprogramming.org/Aspiration_Windows)."""
        width = _WIDTH if lines == 1 and abs(info.score) < PROVEN else 2 * INFINITY
        alpha, beta = max(-INFINITY, info.score - width), min(INFINITY, info.score + width)
        line, before = info.pv, self._work_done
        while True:
            self._best, self._whole = _Best(lines, Window(alpha, beta)), True
            self._node(self._root, self._depth, self._best, line)
            score, width = self._best.bound, 4 * width
            if alpha < score < beta:
                break
            if score <= alpha:
                alpha = max(-INFINITY, score - width)
            else:
                beta, line = min(INFINITY, score + width), self._best.found[0].line
        self._costs[()] = self._work_done - before

    def _open(self) -> Opening:
        """Let one worker search the first depths. Its answer is waited for: without it there is no move."""
        depth = min(self._split.first, self._limit.depth or self._split.first)
        limit = Limit(self._left(), depth, self._split.alone, self._limit.lines)
        found = self._do(Task(self._work, self._root, limit=limit))
        self._costs[()], self._opened = found.seconds, True
        assert found.opening is not None
        return found.opening

    def _info(self, depth: int) -> Info:
        best = self._best.found
        lines = tuple(Line(score.score, score.line, self._whole) for score in best)
        before = sum(row.nodes for row in self._rows), sum(row.seconds for row in self._rows)
        self._rows.append(DepthStats(depth, lines[0], self.seconds - before[1], self.nodes - before[0]))
        rows = tuple(self._rows)
        return Info(best[0].move, best[0].score, depth, self.nodes, self.seconds, lines, depths=rows)

    # The tree.

    def _node(self, node: Where, depth: int, best: _Best, line: Sequence[int]) -> None:
        """Search `node`, whose best line was `line`, and add its moves to `best`."""
        moves = deque(enumerate(self._ordered(node, line)))
        if best.lines == 1:
            best.add(self._move(node, moves.popleft()[1], depth, best, line[1:]))
        while moves and not best.cut:
            places = {move: index for index, move in moves}
            high = sorted(self._others(node, depth, best, moves), key=lambda score: -score.score)
            if high and not best.cut:
                best.add(self._move(node, high[0].move, depth, best))
            moves = deque((places[score.move], score.move) for score in high[1:])

    def _others(self, node: Where, depth: int, best: _Best, moves: deque[tuple[int, int]]) -> list[MoveScore]:
        """Search all `moves` at the same time; return those that have failed high and are to be searched again."""
        full = 0 if best.alpha > -INFINITY else best.lines  # moves to search before there is a bound
        shared = best.lines == 1 and self._is_worth(node, depth - 1)
        high: list[MoveScore] = []

        def next_task() -> Task | None:
            nonlocal full
            if best.alpha == -INFINITY and moves and full:
                full -= 1
                return self._task(node, depth, [moves.popleft()], best)
            if not moves or best.cut or best.alpha == -INFINITY:
                return None
            return replace(self._task(node, depth, self._several(node, moves), best), verify=not shared)

        for _, found in self._run(next_task):
            for score in found.scores:
                if score.unverified:
                    high.append(score)
                else:
                    best.add(score)
            if found.stopped:
                raise Over
        return high

    def _move(self, node: Where, move: int, depth: int, best: _Best, line: Sequence[int] = ()) -> MoveScore:
        """Search `move` alone, whose best line was `line`, and share out the moves after it if that is worth it."""
        child = node.after(move)
        position = child.position
        if position.outcome is not None or not self._is_worth(child, depth - 1) or not self._ordered(child, line):
            found = self._do(self._task(node, depth, [(0, move)], best))
            if found.stopped:
                raise Over
            return found.scores[0]
        same = position.turn == node.position.turn
        window = Window(best.alpha, best.window.beta) if same else Window(-best.window.beta, -best.alpha)
        inner, before = _Best(1, window), self._work_done
        self._node(child, depth - 1, inner, line)
        self._costs[child.line] = self._work_done - before
        rest = inner.found[0].line if inner.found else ()
        return MoveScore(move, inner.bound if same else -inner.bound, (move, *rest), 0)

    def _is_worth(self, node: Where, depth: int) -> bool:
        """Return whether to share out the moves of `node`."""
        return depth >= self._split.least and self._cost(node.line) >= self._split.work

    def _cost(self, line: tuple[int, ...]) -> float:
        """Return the seconds of work that a line probably takes: if it is new, half of what the line before does."""
        known = self._costs.get(line)
        return known if known is not None else self._cost(line[:-1]) / 2 if line else 0.0

    def _ordered(self, node: Where, line: Sequence[int]) -> Sequence[int]:
        """Return the moves of `node`: the first of its best `line`, then as before."""
        if node.line not in self._moves:
            self._moves[node.line] = self._do(Task(self._work, node, seconds=self._left())).moves
        moves = self._moves[node.line]
        if line and line[0] in moves:
            moves = self._moves[node.line] = [line[0], *(move for move in moves if move != line[0])]
        return moves

    # Tasks.

    def _task(self, node: Where, depth: int, moves: Sequence[tuple[int, int]], best: _Best) -> Task:
        window = Window(best.alpha, best.window.beta)
        return Task(self._work, node, depth, tuple(moves), window, best.lines == 1, seconds=self._left())

    def _several(self, node: Where, moves: deque[tuple[int, int]]) -> list[tuple[int, int]]:
        """Take as many moves as one task should have."""
        usual = self._cost(node.line) / len(self._moves[node.line])  # of a move that is new
        taken, seconds = list[tuple[int, int]](), 0.0
        while moves:
            seconds += self._costs.get((*node.line, moves[0][1]), usual)
            if taken and seconds > self._split.seconds:
                break
            taken.append(moves.popleft())
        return taken

    def _do(self, task: Task) -> Found:
        """Do one task."""
        left = [task]
        return next(found for _, found in self._run(lambda: left.pop() if left else None))

    def _run(self, source: Callable[[], Task | None]) -> Iterator[tuple[Task, Found]]:
        for task, found in self.dispatcher.run(source):
            self.nodes += found.nodes
            self._work_done += found.seconds
            self._whole &= all(score.whole for score in found.scores)
            for score, cost in zip(found.scores, found.costs, strict=True):
                self._costs[(*task.node.line, score.move)] = cost
            self._log(task, found)
            yield task, found

    # Time.

    def _left(self) -> float | None:
        seconds = self._limit.seconds
        return None if seconds is None else max(0.0, seconds - self.seconds)

    def _check(self) -> None:
        """Raise `Over` when the search must end; before the first answer, only tell the worker to end."""
        limit = self._limit
        if self._stop.is_set() or self._left() == 0.0 or (limit.nodes is not None and self.nodes >= limit.nodes):
            if self._opened:
                raise Over
            if not self._ending:
                self._ending = True
                self._team.halt(self._work.name)

    def _next_fits(self, forced: bool) -> bool:
        seconds = self._limit.seconds
        return seconds is None or self.seconds < seconds * (_FORCED_SHARE if forced else _NEXT_FITS)
