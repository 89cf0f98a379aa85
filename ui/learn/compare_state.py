"""Searches that are compared, without pixels: what the parts of the screen share."""

from __future__ import annotations

from typing import Any

from ai.explain.subject import Shared, SideBySide, Subject, compare, share
from ai.gomoku import horizon
from ai.gomoku.horizon import HorizonResult
from ai.search.comparison import DEEPEST, Bounds, SearchRow
from ai.system.stream import Stream
from games.record import GameRecord
from ui.learn.icicle_plan import Plans
from ui.learn.node_chart import Plot, plot
from ui.window.host import Host

SEARCHES, TREES, HORIZON, THREADS = "searches", "trees", "horizon", "threads"
VIEWS = (SEARCHES, TREES, HORIZON, THREADS)

Point = tuple[str, int]
"""A search and a depth."""

_WORKERS = 2
_DEPTH = 8


class Comparison:
    """The position at the cursor of `record` is searched, in a process of its own, one view at a time: what another
    view was searching stops, and what it has found stays."""

    def __init__(self, host: Host, record: GameRecord) -> None:
        self._host = host
        self.setup, self.position = record.setup, record.position
        self.preset = horizon.record()
        """The game of the horizon effect."""
        self.trees = SideBySide(Subject.of(record, record.cursor), host.wake)
        """The whole trees, to one scale."""
        self.plans: Plans | None = None
        """Where the nodes were when they were laid out last."""
        self.view = SEARCHES
        self.depth = _DEPTH
        """The deepest search that is wanted."""
        self.pointed: Point | None = None
        """The row under the pointer."""
        self.on_board = ""
        """Which line of the horizon effect is on the board: ``shallow``, ``deep``, else the refutation."""
        self.failed = False
        self._found: dict[str, list[Any]] = {view: [] for view in VIEWS}
        self._stream: Stream[Any] | None = None
        self._plot: tuple[int, Plot] | None = None

    # What was found.

    @property
    def rows(self) -> list[SearchRow]:
        """One row for each search and depth so far."""
        return self._found[SEARCHES]

    @property
    def seen(self) -> list[HorizonResult]:
        """What searches of growing depth find where the horizon effect shows."""
        return self._found[HORIZON]

    @property
    def shared(self) -> list[Shared]:
        """How two threads have divided the nodes, by depth."""
        return self._found[THREADS]

    @property
    def laid_out(self) -> Plans | None:
        """Where the nodes of the trees are; None while those that are searched have not been laid out."""
        return self.plans if self.plans is not None and self.plans.traces == self.trees.traces else None

    def row(self, point: Point) -> SearchRow | None:
        """The row of a search and depth; None before it is there."""
        return next((row for row in self.rows if (row.search, row.depth) == point), None)

    @property
    def plot(self) -> Plot:
        """The chart of the rows."""
        if self._plot is None or self._plot[0] != len(self.rows):
            self._plot = len(self.rows), plot(self.rows, len(self.position.legal_moves()))
        return self._plot[1]

    # The search.

    @property
    def over(self) -> bool:
        """Whether there is nothing to search."""
        return self.position.outcome is not None

    @property
    def busy(self) -> bool:
        """Whether rows or trees are still to come."""
        return self._stream is not None or self.trees.busy

    def choose(self, view: str) -> None:
        """Show a view; begin its search if it has found nothing yet."""
        if view != self.view:
            self.stop()
            self.view = view
        if not (self.trees.begun if view == TREES else self._found[view]):
            self.start()

    def deepen(self, by: int) -> None:
        """Change the depth to which is searched, from the next start on; whole trees are searched at once."""
        if self.view == TREES:
            self.trees.deepen(by)
        else:
            self.depth = max(1, min(DEEPEST, self.depth + by))

    def start(self) -> None:
        """Search anew, in place of any search under way."""
        self.stop()
        if self.over and self.view != HORIZON:
            return
        if self.view == TREES:
            self.trees.start()
            return
        self._found[self.view].clear()
        self._plot, self.failed, self.pointed = None, False, None
        task, *arguments = self._task()
        self._stream = Stream(self._host.wake, task, *arguments)

    def _task(self) -> tuple[Any, ...]:
        """The generator function that searches, and its arguments."""
        bounds = Bounds(self.depth)
        if self.view == SEARCHES:
            return compare, self.position, bounds
        return (share, self.position, _WORKERS, bounds) if self.view == THREADS else (horizon.search_both_depths,)

    def update(self) -> None:
        """Take in what has come, without waiting."""
        self.trees.update()
        if self._stream is None:
            return
        self._found[self.view].extend(self._stream.take())
        if not self._stream.busy:
            self.failed, self._stream = self._stream.failed, None

    def stop(self) -> None:
        """End the search; what was found stays."""
        self.update()
        self.trees.close()
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    close = stop
