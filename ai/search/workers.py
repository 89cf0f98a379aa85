"""What the workers of a parallel search do: they answer requests, one after the other, with a table of their own.

A `Request` is to search moves of a node, whoever searches the others, and a `MoveSearch` does it: `TreeMoves` for any
position, `GomokuMoves` with the compiled engine. `perform` goes through a request step by step, so that simulated
workers can take turns; a `Runner` does it at a stroke.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from ai.core.player import Budget, Info, Limit, Stop
from ai.core.score import settled
from ai.search.alphabeta import TO_THE_END, ExactSearch, Parts, Spent, Table, TableEntry, at_ply
from ai.search.trace import INFINITY, End, Trace
from games.position import Position


@dataclass(frozen=True, slots=True)
class Where:
    """A node of a search: the `root`, and the `line` of moves from there."""

    root: Position
    line: tuple[int, ...] = ()

    @property
    def position(self) -> Position:
        """The position after the line."""
        position = self.root
        for move in self.line:
            position = position.play(move)
        return position


class Window(NamedTuple):
    """Alpha and beta, in the unit of `ai.core.score` and for the side to move; without bounds the window is full."""

    alpha: int = -INFINITY
    beta: int = INFINITY

    @property
    def negated(self) -> Window:
        """The window as the other side sees it."""
        return Window(-self.beta, -self.alpha)


FULL = Window()


@dataclass(frozen=True, slots=True)
class MoveScore:
    """The score of a `move` for the side that plays it, in plies from the root: exact within the window, else a bound.

    `line` begins with the move; the rest is known if the score is exact. `unverified` tells that the score is only a
    lower bound, by a null window, though below beta; `whole`, that no heuristic score was used.
    """

    move: int
    score: int
    line: tuple[int, ...]
    nodes: int
    unverified: bool = False
    whole: bool = False
    trace: Trace | None = None


@dataclass(frozen=True, slots=True)
class Opening:
    """The first depths of a search: the last `info`, and all `moves` of the root worth searching, best first.

    `over` tells that there is nothing more to find out.
    """

    info: Info
    moves: tuple[int, ...]
    over: bool


class MoveSearch(Protocol):
    """Searches parts of a tree, with a table of its own that is kept between two calls."""

    def open(self, root: Position, limit: Limit, stop: Stop) -> Opening:
        """Begin a new search, and search the root within `limit`; to the depth 0, it is only evaluated."""

    def moves(self, node: Where) -> Sequence[int]:
        """Return the moves of `node` worth searching, best first; none if it is not worth sharing out."""

    def score(
        self, node: Where, move: int, index: int, depth: int, window: Callable[[], Window], budget: Budget,
        verify: bool = True,
    ) -> Generator[None, None, MoveScore]:  # fmt: skip
        """Search `move`, the one at `index` of `node`, which is searched to `depth`: the move itself a ply less.

        Yield where another worker may go on, and look at the `window` of the node again afterwards. One that fails high
        in a null window is searched again if the search is to `verify` it; the one at index 0 has no null window. Raise
        `Spent` when the `budget` is used up, or its stop is set.
        """

    def close(self) -> None:
        """Release tables."""


@dataclass(frozen=True, slots=True)
class Work:
    """What all requests of a search have in common: its unique `name`, and what makes a `MoveSearch` of so many
    threads. A worker keeps what was made last for all that have an equal `make`."""

    name: str
    make: Callable[[int], MoveSearch]
    threads: int = 1
    """For each worker; 0 for as many as it has."""


@dataclass(frozen=True, slots=True)
class Request:
    """Search the `moves` of `node`, each with its index, to `depth`, one after the other; if alpha `rises`, then to the
    score of the best one so far. `verify` moves that fail high in a null window. Without moves, name those of the node;
    with `limit`, search the root within it.

    It ends after `seconds` at the latest. All of the node is in the request, so that any worker can answer it. The
    nodes that were `entered` on the way to it are part of its time.
    """

    work: Work
    node: Where
    depth: int = 0
    moves: tuple[tuple[int, int], ...] = ()
    window: Window = FULL
    rises: bool = True
    verify: bool = True
    limit: Limit | None = None
    seconds: float | None = None
    entered: int = 0


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to a request: `scores` of its moves, or the `opening`, or the `moves` of the node.

    `stopped` tells that it was interrupted, so that its scores are not complete. `seconds` are those of all, `costs`
    those of each move. `traces` has a tree for each move, if they are written down.
    """

    scores: tuple[MoveScore, ...] = ()
    opening: Opening | None = None
    moves: tuple[int, ...] = ()
    stopped: bool = False
    seconds: float = 0.0
    costs: tuple[float, ...] = ()
    nodes: int = 0
    traces: tuple[Trace, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether no heuristic score was used."""
        return all(score.whole for score in self.scores)


def perform(
    search: MoveSearch, request: Request, window: Callable[[], Window], budget: Budget, scores: list[MoveScore]
) -> Generator[None, None, Found]:
    """Answer a request, and add the scores to `scores` meanwhile. Raise `ValueError` with a sentence if that is
    impossible. `window` returns alpha and beta of the node as they are now."""
    if request.limit is not None:
        opening = search.open(request.node.root, request.limit, budget.stop)
        return Found(opening=opening, nodes=opening.info.nodes)
    if not request.moves:
        return Found(moves=tuple(search.moves(request.node)))
    alpha, costs, stopped = -INFINITY, list[float](), False

    def bounds() -> Window:
        """Return the window of the node now, with alpha raised by the scores of this request if it `rises`."""
        low, high = window()
        return Window(max(low, alpha), high)

    for index, move in request.moves:
        began = time.monotonic()
        try:
            found = yield from search.score(
                request.node, move, index, request.depth, bounds, budget, verify=request.verify
            )
        except Spent:
            stopped = True
            break
        scores.append(found)
        costs.append(time.monotonic() - began)
        if found.score >= bounds().beta:
            break
        if request.rises and not found.unverified:
            alpha = max(alpha, found.score)
    traces = tuple(score.trace for score in scores if score.trace is not None)
    nodes = sum(score.nodes for score in scores)
    return Found(tuple(scores), stopped=stopped, costs=tuple(costs), nodes=nodes, traces=traces)


def at_a_stroke(course: Generator[None, None, Found]) -> Found:
    """Run the generator `course` to its end without pausing, and return its result."""
    while True:
        try:
            next(course)
        except StopIteration as end:
            found: Found = end.value
            return found


class TreeMoves(ExactSearch, MoveSearch):
    """Alpha-beta for any `Position`, whose values do not depend on who searches what (`ExactSearch`).

    With `traced` each move has a trace. It looks at its window between two moves of the position after the one that is
    searched; if it is `gradual`, it yields at each node. With a `turn` it tries the moves of each position in another
    order, but for the move of the table: so do the workers of lazy SMP, which have one `table`.
    """

    def __init__(
        self, parts: Parts, traced: bool = False, gradual: bool = False, turn: int = 0, table: Table | None = None
    ) -> None:
        super().__init__(Budget(Limit(), Stop()), replace(parts, extension=False), None, table)
        self._is_traced, self._gradual, self._turn = traced, gradual, turn

    @property
    def trace(self) -> Trace | None:
        """That of the move that is searched, or was last."""
        return self._trace

    def open(self, root: Position, limit: Limit, stop: Stop) -> Opening:
        self.budget, self.nodes, self._trace = Budget(limit, stop), 0, None
        self._table.clear()
        self._killers.clear()
        infos = self.deepen(root)
        info = next(infos)  # the evaluation
        if limit.depth != 0:
            *_, info = infos
        best = [line.moves[0] for line in info.lines]
        moves = (*best, *(move for move in self.moves(Where(root)) if move not in best))
        return Opening(info, moves, all(settled(line.score) or line.exact for line in info.lines))

    def moves(self, node: Where) -> Sequence[int]:
        return self.ordered(node.position, None, 0)

    def ordered(self, position: Position, first: int | None, ply: int) -> Sequence[int]:
        """Return the moves of a position at a ply, best first: the one that is known to be good, and killers."""
        return tuple(self._moves(position, first, ply))

    def learn_killer(self, ply: int, move: int) -> None:
        """Try `move` early at a ply, where it has caused a cut-off."""
        self._killers[ply] = (move, *self._killers.get(ply, ()))[:2]

    def score(
        self, node: Where, move: int, index: int, depth: int, window: Callable[[], Window], budget: Budget,
        verify: bool = True,
    ) -> Generator[None, None, MoveScore]:  # fmt: skip
        before, ply = node.position, len(node.line) + 1
        position = before.play(move)
        same = position.turn == before.turn
        self.budget, self._trace = budget, Trace() if self._is_traced else None
        began, heuristic = self.nodes, self._heuristic
        seen = window if same else lambda: window().negated
        score = yield from self._course(position, move, depth - 1, ply, seen)
        line, whole = (move, *self._lines[ply]), self._heuristic == heuristic
        nodes = self.nodes - began
        return MoveScore(move, score if same else -score, line, nodes, whole=whole, trace=self._trace)

    def _moves(self, position: Position, tt_move: int | None, ply: int) -> Sequence[int]:
        moves = super()._moves(position, tt_move, ply)
        if not self._turn:
            return moves
        start = 0 if tt_move is None else 1
        turn = start + self._turn % max(1, len(moves) - start)
        return [*moves[:start], *moves[turn:], *moves[start:turn]]

    def _course(
        self, position: Position, move: int, depth: int, ply: int, window: Callable[[], Window]
    ) -> Generator[None, None, int]:
        """Search `position`, which `move` led to, step by step; return what `_visit` does."""
        alpha, beta = window()
        if self._trace is not None:
            self._trace.enter(move, position.turn, alpha, beta, max(0, depth))
        if position.outcome is not None or depth <= 0:
            score, end, untried = self._visit(position, depth, alpha, beta, ply), End.HORIZON, 0
            if position.outcome is not None:
                end = End.OUTCOME
        else:
            self.nodes += 1
            score, end, untried = yield from self._moves_of(position, depth, ply, window)
        if self._trace is not None:
            self._trace.leave(score, end, untried)
        return score

    def _moves_of(
        self, position: Position, depth: int, ply: int, window: Callable[[], Window]
    ) -> Generator[None, None, tuple[int, End, int]]:
        """Alpha-beta over the moves of one position, one move a step; the window is asked for before each, since
        others may narrow it. Return the score, why the search ended, and how many moves were not tried."""
        entry = self._table.get(position.key) if self._has_table else None
        if entry is not None and (known := self._known(entry, depth, ply, window())) is not None:
            return known, End.TABLE, 0
        moves = self._moves(position, entry.line[0] if entry else None, ply)
        heuristic = self._heuristic
        best, end, untried, low, high = -INFINITY, End.ALL, 0, 0, 0
        line: tuple[int, ...] = ()
        for tried, move in enumerate(moves, 1):
            yield
            low, high = window()
            if self._gradual:
                score = yield from self._step(position, move, depth - 1, ply + 1, Window(max(low, best), high))
            else:
                score = self._after(position, move, depth - 1, max(low, best), high, ply + 1)
            if score > best:
                best, line = score, (move, *self._lines[ply + 1])
            if best >= high:
                self.learn_killer(ply, move)
                end, untried = End.CUT, len(moves) - tried
                break
        self._lines[ply] = line
        if self._has_table:
            # The last window: scores that the windows of the earlier moves left open are outside it, too.
            self._store(position.key, self._stored_depth(depth, self._heuristic == heuristic), best, (low, high), ply)
        return best, end, untried

    def _step(self, position: Position, move: int, depth: int, ply: int, window: Window) -> Generator[None, None, int]:
        """Search `move` like `_after`, as a generator that yields before each move of the subtree."""
        following = position.play(move)
        if following.turn == position.turn:
            return (yield from self._course(following, move, depth, ply, lambda: window))
        return -(yield from self._course(following, move, depth, ply, lambda: window.negated))

    def _known(self, entry: TableEntry, depth: int, ply: int, window: Window) -> int | None:
        """The score that an entry gives; None if it is not enough."""
        plies, (alpha, beta) = ply * self._distance, window
        if entry.depth < depth or not self._serves(entry, depth):
            return None
        low, high = at_ply(entry.low, plies), at_ply(entry.high, plies)
        if not (low >= beta or high <= alpha or low == high):
            return None
        self._heuristic += entry.depth < TO_THE_END
        self._lines[ply] = entry.line
        return low if low >= beta else high

    def close(self) -> None:
        """Do nothing: no table needs an explicit release."""


# The worker's side of requests that are done at a stroke.


_REMEMBERED = 64  # searches that have been halted


class Runner:
    """Answers requests, one at a time on each thread that calls `run`; what they leave in tables is kept for the next
    one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: tuple[object, int] | None = None
        self._idle: list[MoveSearch] = []
        self._stops: dict[Stop, str] = {}
        self._halted: deque[str] = deque(maxlen=_REMEMBERED)

    def run(self, request: Request) -> Found:
        """Answer `request`. Raise `ValueError` with a sentence if that is impossible."""
        began = time.monotonic()
        with self._stop(request) as stop, self._search(request) as search:
            found = at_a_stroke(perform(search, request, lambda: request.window, Budget(Limit(), stop), []))
        return replace(found, seconds=time.monotonic() - began)

    def halt(self, name: str) -> None:
        """End the requests of the search `name`, also those that come later."""
        with self._lock:
            self._halted.append(name)
            stops = [stop for stop, of in self._stops.items() if of == name]
        for stop in stops:
            stop.set()

    @contextmanager
    def _stop(self, request: Request) -> Iterator[Stop]:
        """Set the stop when the time of the request is over, or when its search is halted."""
        stop = Stop()
        timer = None if request.seconds is None else threading.Timer(request.seconds, stop.set)
        with self._lock:
            if request.work.name in self._halted:
                stop.set()
            self._stops[stop] = request.work.name
        if timer is not None:
            timer.daemon = True
            timer.start()
        try:
            yield stop
        finally:
            if timer is not None:
                timer.cancel()
            with self._lock:
                del self._stops[stop]

    @contextmanager
    def _search(self, request: Request) -> Iterator[MoveSearch]:
        """Lend a search that nobody else uses."""
        made = request.work.make, request.work.threads
        with self._lock:
            if made != self._made:
                old, self._idle, self._made = self._idle, [], made
                for each in old:
                    each.close()
            search = self._idle.pop() if self._idle else None
        search = search or request.work.make(max(1, request.work.threads))
        try:
            yield search
        finally:
            with self._lock:
                if made == self._made:
                    self._idle.append(search)
                else:
                    search.close()


_runner = Runner()


def run(request: Request) -> Found:
    """Answer `request` in this process. Raise `ValueError` with a sentence."""
    return _runner.run(request)


async def halt(name: str) -> None:
    """End the requests of the search `name` in this process: a coroutine, for which nobody need wait."""
    _runner.halt(name)
