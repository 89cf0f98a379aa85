"""What the workers of a parallel search do: they answer requests, one after the other, with a table of their own.

A `Request` is to search some moves of a node, and a `MoveSearch` searches them: `TreeMoves` for any position,
`GomokuMoves` with the compiled engine. `perform` answers a request step by step, so that simulated workers can take
turns; a `Runner` answers it without a pause.
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
    """A node of a search: the `root`, and the `line` of moves that leads from there to the node."""

    root: Position
    line: tuple[int, ...] = ()

    @property
    def position(self) -> Position:
        """The position of the node."""
        position = self.root
        for move in self.line:
            position = position.play(move)
        return position


class Window(NamedTuple):
    """Alpha and beta from the view of the side to move, in the unit of `ai.core.score`; by default the full window."""

    alpha: int = -INFINITY
    beta: int = INFINITY

    @property
    def negated(self) -> Window:
        """The window from the other side's view."""
        return Window(-self.beta, -self.alpha)


FULL = Window()


@dataclass(frozen=True, slots=True)
class MoveScore:
    """The score of a `move` for the side that plays it; wins count plies from the root. It is exact within the window,
    else a bound.

    `line` begins with the move; the rest is known if the score is exact. `unverified` tells that a null window failed
    high, so that the score is only a lower bound although it is below beta. `whole` tells that no heuristic score was
    used.
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
    """The first depths of a search, which one worker searches alone: the last `info`, and all `moves` of the root worth
    searching, best first.

    `over` tells that a deeper search would find nothing new.
    """

    info: Info
    moves: tuple[int, ...]
    over: bool


class MoveSearch(Protocol):
    """Searches parts of a tree, with a table of its own that is kept between two calls."""

    def open(self, root: Position, limit: Limit, stop: Stop) -> Opening:
        """Begin a new search of `root` and search it within `limit`. A limit of depth 0 only evaluates it."""

    def moves(self, node: Where) -> Sequence[int]:
        """Return the moves of `node` worth searching, best first; empty if the node is not worth sharing out."""

    def score(
        self, node: Where, move: int, index: int, depth: int, window: Callable[[], Window], budget: Budget,
        verify: bool,
    ) -> Generator[None, None, MoveScore]:  # fmt: skip
        """Search `move`, number `index` among the moves of `node`, which is searched to `depth`: the move itself to one
        ply less.

        Yield where other workers may run; `window`, that of the node, is called again after each. With `verify`, a move
        that fails high in a null window is searched again. A move with index 0 has no null window. Raise `Spent` when
        the `budget` is used up or its stop is set.
        """

    def close(self) -> None:
        """Release tables."""


@dataclass(frozen=True, slots=True)
class Work:
    """What all requests of a search have in common: its unique `name`, and `make`, which makes a `MoveSearch` with a
    number of threads. A worker keeps the latest one and uses it again for requests with an equal `make`."""

    name: str
    make: Callable[[int], MoveSearch]
    threads: int = 1
    """For each worker; 0 for as many as it has."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request to a worker: search the `moves` of `node`, each with its index, one after the other, where the node is
    searched to `depth`. With `rises`, each score raises alpha for the next moves. With `verify`, search moves again
    that fail high in a null window. Without moves, list those of the node instead; with `limit`, search the root within
    it.

    The worker stops after `seconds`; None is no bound. Any worker can answer a request, since it has all of the node.
    `entered` counts the nodes that were entered on the way to it, which cost simulated workers time.
    """

    work: Work
    node: Where
    depth: int
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

    `stopped` tells that the search was interrupted: the scores of some moves are missing. `seconds` is the time of the
    whole request, `costs` are the seconds of each move. `traces` has a trace for each move if they are recorded.
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
        """Whether no score of the answer rests on a heuristic score."""
        return all(score.whole for score in self.scores)


def perform(
    search: MoveSearch, request: Request, window: Callable[[], Window], budget: Budget, scores: list[MoveScore]
) -> Generator[None, None, Found]:
    """Answer `request` by `search`, as a generator that yields where other workers may run and returns the answer.
    Append each score to `scores` as soon as it is found. `window` returns alpha and beta of the node as they are now.
    When `budget` is used up the answer is `stopped`. Raise `ValueError` with a sentence if the request cannot be
    answered."""
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


def run_to_end(course: Generator[None, None, Found]) -> Found:
    """Run the generator `course` to its end without pausing, and return its result."""
    while True:
        try:
            next(course)
        except StopIteration as end:
            found: Found = end.value
            return found


class TreeMoves(ExactSearch, MoveSearch):
    """Alpha-beta for any `Position`, whose values do not depend on which worker searches which moves (`ExactSearch`).

    With `traced` each move has a trace. It asks for the window again before each reply to the move that is searched;
    with `gradual` before each node below, too. With `turn`, the workers of lazy SMP, which share one `table`, search in
    different orders: the moves of each position, except that of the table, are rotated by as many places.
    """

    def __init__(
        self, parts: Parts, traced: bool = False, gradual: bool = False, turn: int = 0, table: Table | None = None
    ) -> None:
        super().__init__(Budget(Limit(), Stop()), replace(parts, extension=False), None, table)
        self._is_traced, self._gradual, self._turn = traced, gradual, turn

    @property
    def trace(self) -> Trace | None:
        """The trace of the move that is being searched, or was searched last; None unless `traced`."""
        return self._trace

    def open(self, root: Position, limit: Limit, stop: Stop) -> Opening:
        """Forget table and killers, and search `root` by iterative deepening. The opening has the best moves first,
        then the others in move ordering. It is over if every line is exact or settled."""
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
        """Return the moves of `node` worth searching: killers of ply 0, then candidates, rotated by `turn`; none is
        of the table."""
        return self.order_moves(node.position, None, 0)

    def order_moves(self, position: Position, first: int | None, ply: int) -> Sequence[int]:
        """Return the moves of a position at a ply, best first: `first`, unless it is None, then killers, then
        candidates."""
        return tuple(self._moves(position, first, ply))

    def learn_killer(self, ply: int, move: int) -> None:
        """Record `move`, which has caused a beta cutoff at a ply, as a killer move there."""
        self._killers[ply] = (move, *self._killers.get(ply, ()))[:2]

    def score(
        self, node: Where, move: int, index: int, depth: int, window: Callable[[], Window], budget: Budget,
        verify: bool,
    ) -> Generator[None, None, MoveScore]:  # fmt: skip
        """Search the move stepwise, and yield before each reply to it, with `gradual` before each node below. A null
        window is not used, so `index` and `verify` have no effect. Raise `Spent`."""
        before, ply = node.position, len(node.line) + 1
        position = before.play(move)
        same = position.turn == before.turn
        self.budget, self._trace = budget, Trace() if self._is_traced else None
        began, heuristic = self.nodes, self._heuristic
        seen = window if same else lambda: window().negated
        score = yield from self._visit_stepwise(position, move, depth - 1, ply, seen)
        line, whole = (move, *self._lines[ply]), self._heuristic == heuristic
        nodes = self.nodes - began
        return MoveScore(move, score if same else -score, line, nodes, whole=whole, trace=self._trace)

    def _moves(self, position: Position, tt_move: int | None, ply: int) -> Sequence[int]:
        """Return the moves to try at `ply` as `TreeSearch` does, rotated by `turn` places except the move of the
        table."""
        moves = super()._moves(position, tt_move, ply)
        if not self._turn:
            return moves
        start = 0 if tt_move is None else 1
        turn = start + self._turn % max(1, len(moves) - start)
        return [*moves[:start], *moves[turn:], *moves[start:turn]]

    def _visit_stepwise(
        self, position: Position, move: int, depth: int, ply: int, window: Callable[[], Window]
    ) -> Generator[None, None, int]:
        """Search `position`, which `move` led to, like `_visit`, as a generator that yields before each move and asks
        for the `window` again after it. Return the score for the side to move at `position`."""
        alpha, beta = window()
        if self._trace is not None:
            self._trace.enter(move, position.turn, alpha, beta, depth)
        if position.outcome is not None or depth <= 0:
            score, end, untried = self._visit(position, depth, alpha, beta, ply), End.HORIZON, 0
            if position.outcome is not None:
                end = End.OUTCOME
        else:
            self.nodes += 1
            score, end, untried = yield from self._expand_stepwise(position, depth, ply, window)
        if self._trace is not None:
            self._trace.leave(score, end, untried)
        return score

    def _expand_stepwise(
        self, position: Position, depth: int, ply: int, window: Callable[[], Window]
    ) -> Generator[None, None, tuple[int, End, int]]:
        """Search the moves of `position` like `_expand`, as a generator that yields before each move and then asks for
        the window, since others may have narrowed it. Return the score, why the search ended, and how many moves were
        not tried."""
        entry = self._table.get(position.key) if self._has_table else None
        if entry is not None and (known := self._table_score(entry, depth, ply, window())) is not None:
            return known, End.TABLE, 0
        moves = self._moves(position, entry.line[0] if entry else None, ply)
        heuristic = self._heuristic
        best, end, untried, now = -INFINITY, End.ALL, 0, FULL
        line: tuple[int, ...] = ()
        for tried, move in enumerate(moves, 1):
            yield
            now = low, high = window()
            if self._gradual:
                inner = Window(max(low, best), high)
                score = yield from self._score_move_stepwise(position, move, depth - 1, ply + 1, inner)
            else:
                score = self._score_move(position, move, depth - 1, max(low, best), high, ply + 1)
            if score > best:
                best, line = score, (move, *self._lines[ply + 1])
            if best >= high:
                self.learn_killer(ply, move)
                end, untried = End.CUT, len(moves) - tried
                break
        self._lines[ply] = line
        if self._has_table:
            # The last window: scores that the windows of the earlier moves left open are outside it, too.
            self._store(position.key, self._stored_depth(depth, self._heuristic == heuristic), best, now, ply)
        return best, end, untried

    def _score_move_stepwise(
        self, position: Position, move: int, depth: int, ply: int, window: Window
    ) -> Generator[None, None, int]:
        """Search `move` like `_score_move`, as a generator that yields before each move of the subtree."""
        following = position.play(move)
        if following.turn == position.turn:
            return (yield from self._visit_stepwise(following, move, depth, ply, lambda: window))
        return -(yield from self._visit_stepwise(following, move, depth, ply, lambda: window.negated))

    def _table_score(self, entry: TableEntry, depth: int, ply: int, window: Window) -> int | None:
        """Return the score that a table entry gives a search to `depth` at `ply`, and set the line there; None if it
        does not suffice."""
        plies, (alpha, beta) = ply * self._distance, window
        if not self._serves(entry, depth):
            return None
        low, high = at_ply(entry.low, plies), at_ply(entry.high, plies)
        if not (low >= beta or high <= alpha or low == high):
            return None
        self._heuristic += entry.depth < TO_THE_END
        self._lines[ply] = entry.line
        return low if low >= beta else high

    def close(self) -> None:
        """Do nothing: tables here need no release."""


# The worker's side of requests that are done at a stroke.


_REMEMBERED = 64  # searches that have been halted


class Runner:
    """Answers requests with searches that it keeps, with their tables, for the next ones. Several threads may call
    `run` at once: each then uses a search of its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: tuple[object, int] | None = None
        self._idle: list[MoveSearch] = []
        self._stops: dict[Stop, str] = {}
        self._halted: deque[str] = deque(maxlen=_REMEMBERED)

    def run(self, request: Request) -> Found:
        """Answer `request` without a pause. Raise `ValueError` with a sentence if it cannot be answered."""
        began = time.monotonic()
        with self._stop_for(request) as stop, self._borrow_search(request) as search:
            found = run_to_end(perform(search, request, lambda: request.window, Budget(Limit(), stop), []))
        return replace(found, seconds=time.monotonic() - began)

    def halt(self, name: str) -> None:
        """Stop the requests of the search `name`, and those that come later as soon as they begin."""
        with self._lock:
            self._halted.append(name)
            stops = [stop for stop, of in self._stops.items() if of == name]
        for stop in stops:
            stop.set()

    @contextmanager
    def _stop_for(self, request: Request) -> Iterator[Stop]:
        """Provide a stop that is set when the seconds of the request are over, or when its search is halted."""
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
    def _borrow_search(self, request: Request) -> Iterator[MoveSearch]:
        """Lend a search, made by the `make` of the request, that no other thread uses; take it back at the end. Close
        the searches kept for another `make`."""
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
    """Answer `request` by the one `Runner` of this process. Raise `ValueError` with a sentence if it cannot be
    answered."""
    return _runner.run(request)


async def halt(name: str) -> None:
    """Stop the requests of the search `name` in this process. It is a coroutine so that Dask runs it beside those
    requests."""
    _runner.halt(name)
