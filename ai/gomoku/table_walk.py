"""Reads the tree of a search from the engine's transposition table, also while the engine searches.

No lock is needed: an entry that is being written does not match its key. A table has no list of its positions, so all
moves are played and each position after them is looked up.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from typing import Any, NamedTuple

from ai.core.player import DepthStats, Info
from ai.gomoku.engine_board import Board
from ai.gomoku.kernels import tt
from ai.gomoku.kernels.layout import CELLS, NO_MOVE
from ai.gomoku.tables import cell_of, move_of, to_score
from ai.search.trace import ROOT, UNKNOWN, End, TableTree
from ai.system.compiler.jit import COMPILED
from games.line import EMPTY, LinePosition
from games.position import IllegalMove

# What the iterations of one search found and cost, for the table of depths (`Info.depths`).


class Counts(NamedTuple):
    """The counters of the kernels, summed over the threads of a search since it began; `layout.STATE` explains them."""

    nodes: int = 0
    hits: int = 0
    cuts: int = 0
    first_cuts: int = 0

    @classmethod
    def of(cls, boards: Iterable[Board]) -> Counts:
        """Read and add the counters of `boards`, also while threads search."""
        return cls(*map(sum, zip(*(board.counters(cls._fields) for board in boards), strict=True)))

    def since(self, before: Counts) -> Counts:
        """Return the difference of the counters from those `before`."""
        return Counts(*(now - then for now, then in zip(self, before, strict=True)))


class DepthRows:
    """Collects a row of statistics for each finished depth of a search."""

    def __init__(self) -> None:
        self._rows: tuple[DepthStats, ...] = ()
        self._before, self._seconds = Counts(), 0.0

    def with_rows(self, info: Info, counts: Counts) -> Info:
        """Add a row if `info` is of a new depth, and return `info` with all rows. The counters stood at `counts` when
        it was found."""
        if info.depth > (self._rows[-1].depth if self._rows else 0):
            spent, seconds = counts.since(self._before), info.seconds - self._seconds
            self._rows += (DepthStats(info.depth, info.lines[0], seconds, *spent),)
            self._before, self._seconds = counts, info.seconds
        return replace(info, depths=self._rows)


# Coordinate iterative deepening over SMP threads: https://www.chessprogramming.org/Lazy_SMP.


@dataclass(frozen=True)
class Iteration:
    """An iteration of one thread: its lines, as (score, cells), at a depth, and the counters of all threads when it
    ended. `final` marks the last one of a search."""

    depth: int
    counts: Counts
    lines: list[tuple[int, list[int]]]
    final: bool = False


class Deepening:
    """Coordinates the threads of one search, which put their iterations and exceptions into `results`.

    With `together`, the first thread to finish a depth reports it and the others move on to the next one. Otherwise
    only the first thread reports (multi-PV). None in `results` wakes the reader when the search ends.
    """

    def __init__(self, boards: list[Board], together: bool) -> None:
        self.results: queue.SimpleQueue[Iteration | BaseException | None] = queue.SimpleQueue()
        self._boards, self._together = boards, together
        self._lock = threading.Lock()
        self._done, self._first = 0, 0  # the last finished depth, and which thread finished it
        self.over = False

    def next_depth(self, number: int, last: int) -> int:
        """Return the depth that thread `number` is to search after `last`. Clear its stop, and copy the history of the
        thread that finished the last depth."""
        with self._lock:
            if not self.over:
                self._boards[number].state.stop = 0
            if self._together and number != self._first:  # similar move ordering makes the table's entries fit
                self._boards[number].learn_from(self._boards[self._first])
            return self._done + 1 if self._together else last + 1

    def finish(self, number: int, iteration: Iteration) -> None:
        """Report the iteration of thread `number` unless another thread was first; stop those that search `together`:
        they move on."""
        with self._lock:
            if iteration.depth > self._done and (number == 0 or self._together):
                self._done, self._first = iteration.depth, number
                for board in self._boards if self._together else ():
                    board.halt()
                self.results.put(iteration)

    def is_outdated(self, depth: int) -> bool:
        """Whether another thread has finished `depth`, so that this one must move on."""
        with self._lock:
            return self._together and not self.over and depth <= self._done

    def is_finished(self, depth: int) -> bool:
        """Whether a thread has finished `depth`."""
        with self._lock:
            return depth <= self._done

    def end(self) -> None:
        """End the search: stop all threads and wake the reader. Any thread may call it."""
        with self._lock:
            self.over = True
            for board in self._boards:
                board.halt()
        self.results.put(None)


DEEPEST = 60  # plies from the root

_KINDS = {tt.EXACT: 0, tt.LOWER: 1, tt.UPPER: 2}  # indices of `BOUNDS`


@dataclass(slots=True)
class Searched:
    """The position of a search, its `key` in the table, and the newest `info`."""

    position: LinePosition
    key: int
    info: Info | None = None


@dataclass(slots=True)
class _Entry:
    """A position with its table entry. `value` counts plies from the root, and `kind` is the index of its bound in
    `BOUNDS`. `main` tells that it lies on the line of best moves."""

    move: int
    position: LinePosition
    key: int
    ply: int = 0
    depth: int = 0
    value: int = 0
    kind: int = 0
    best: int = UNKNOWN
    main: bool = True
    children: list[_Entry] = field(default_factory=list)

    @property
    def rank(self) -> tuple[bool, int, int]:
        """The order in which entries enter the tree, least first: those on the line of best moves, then by depth, then
        by ply."""
        return not self.main, -self.depth, self.ply


class _Table:
    """Probes the transposition table `table`. `tables` has the Zobrist keys."""

    def __init__(self, table: Any, tables: Any, mask: int) -> None:
        self._slots = memoryview(table) if COMPILED else table  # several times as fast as numpy for single elements
        self._keys, self._turn, self._mask = tables.zobrist, int(tables.turn_key), mask
        self._key_of: dict[tuple[int, int, int], int] = {}

    def key_after(self, before: _Entry, move: int) -> int:
        """Return the key of the position after `move`."""
        which = before.position.turn, move, before.position.rules.width
        if which not in self._key_of:
            turn, _, size = which
            self._key_of[which] = int(self._keys[turn * CELLS + cell_of(move, size)]) ^ self._turn
        return before.key ^ self._key_of[which]

    def probe(self, key: int) -> int:
        """Return the entry of the position with `key`, packed in an integer as by the kernel `tt.probe`; `tt.NO_ENTRY`
        without one."""
        slot = (key & self._mask) * 2
        for place in (slot, slot ^ 2):
            entry = int(self._slots[place + 1])
            if self._slots[place] ^ entry == key:
                return entry
        return tt.NO_ENTRY

    def entries_after(self, before: _Entry) -> Iterator[_Entry]:
        """Yield the entries of the positions one legal move after `before`, as far as the table holds them."""
        for move, content in enumerate(before.position.cells):
            if content != EMPTY:
                continue
            key = self.key_after(before, move)
            entry = self.probe(key)
            if entry != tt.NO_ENTRY:
                try:
                    position = before.position.play(move)
                except IllegalMove:  # forbidden, and reached by other moves in another order
                    continue
                yield _decode_entry(entry, move, position, key, before)


def _decode_entry(entry: int, move: int, position: LinePosition, key: int, before: _Entry) -> _Entry:
    """Return the packed `entry` of `position`, one `move` after `before`."""
    ply, size = before.ply + 1, position.rules.width
    score = tt.score_from_tt((entry & tt.SCORE_MASK) - tt.SCORE_BIAS, ply)
    depth = (entry >> tt.DEPTH_SHIFT) & tt.DEPTH_MASK
    cell = tt.entry_move(entry)
    best = UNKNOWN if cell == NO_MOVE else move_of(cell, size)
    kind = _KINDS[(entry >> tt.BOUND_SHIFT) & tt.BOUND_MASK]
    return _Entry(move, position, key, ply, depth, to_score(score), kind, best, before.main and before.best == move)


def table_tree(
    searched: Searched, table: Any, tables: Any, mask: int, most: int, rest: Callable[[], object]
) -> TableTree:
    """Return a tree of the entries that `table` holds below the position of `searched`, at most `most` nodes, the most
    relevant first. Call `rest` after each node. `mask` is that of the table's slots."""
    root = _Entry(ROOT, searched.position, searched.key)
    info = searched.info
    known = info is not None and (info.depth > 0 or info.mate is not None)
    if info is not None and known:
        root.depth, root.value, root.best = info.depth, info.score, info.move
    _grow(root, _Table(table, tables, mask), most, rest)
    tree = TableTree()
    _write(root, tree, known)
    return tree


def _grow(root: _Entry, table: _Table, most: int, rest: Callable[[], object]) -> None:
    """Add the entries below `root` in the order of their `rank`, at most `most`. Call `rest` after each."""
    waiting: list[tuple[tuple[bool, int, int], int, _Entry, _Entry | None]] = [(root.rank, 0, root, None)]
    number = 0
    for _ in range(most):
        if not waiting:
            return
        *_, entry, parent = heappop(waiting)
        if parent is not None:
            parent.children.append(entry)
        if entry.ply < DEEPEST and entry.position.outcome is None:
            for child in table.entries_after(entry):
                number += 1
                heappush(waiting, (child.rank, number, child, entry))
        rest()


def _write(root: _Entry, tree: TableTree, known: bool) -> None:
    """Append the entries below `root` to `tree`, depth first. The root is left, and so has a value, only if it is
    `known`."""
    stack: list[tuple[_Entry, bool]] = [(root, True)]
    while stack:
        entry, enters = stack.pop()
        if not enters:
            tree.leave(entry.value, End.ALL if entry is root else End.TABLE)
            continue
        tree.put(entry.move, entry.position.turn, entry.depth, entry.best, entry.kind)
        if entry is not root or known:
            stack.append((entry, False))
        entry.children.sort(key=lambda child: (child.move != entry.best, -child.depth, child.value))
        stack.extend((child, True) for child in reversed(entry.children))
    tree.stop()
