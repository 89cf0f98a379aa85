"""Coordinate iterative deepening over SMP threads: https://www.chessprogramming.org/Lazy_SMP."""

from __future__ import annotations

import queue
import threading
from dataclasses import dataclass

from ai.gomoku.board import Board
from ai.gomoku.statistics import Counts


@dataclass(frozen=True)
class Iteration:
    """A completed iteration of one thread: lines (score, cells) at a depth, and the counters of all threads when it
    ended. `final` marks the last of a search."""

    depth: int
    counts: Counts
    lines: list[tuple[int, list[int]]]
    final: bool = False


class Deepening:
    """One search by several threads, which put their iterations and exceptions into `results`.

    With `together`, the first thread to finish a depth reports it and the others move on to the next one. Otherwise
    only the first thread reports (multi-PV). None in `results` wakes the reader when the search ends.
    """

    def __init__(self, boards: list[Board], together: bool) -> None:
        self.results: queue.SimpleQueue[Iteration | BaseException | None] = queue.SimpleQueue()
        self._boards, self._together = boards, together
        self._lock = threading.Lock()
        self._depths = [0] * len(boards)
        self._done, self._first = 0, 0  # the last finished depth, and which thread finished it
        self.over = False

    def next_depth(self, number: int, last: int) -> int:
        """Return the depth that thread `number` searches after `last`."""
        with self._lock:
            if not self.over:
                self._boards[number].state.stop = 0
            if self._together and number != self._first:  # similar move ordering makes the table's entries fit
                self._boards[number].learn_from(self._boards[self._first])
            self._depths[number] = self._done + 1 if self._together else last + 1
            return self._depths[number]

    def finish(self, number: int, iteration: Iteration) -> None:
        """Report the iteration of thread `number` unless another was first; stop the threads it makes redundant."""
        with self._lock:
            if iteration.depth > self._done and (number == 0 or self._together):
                self._done, self._first = iteration.depth, number
                for board, depth in zip(self._boards, self._depths, strict=True):
                    if self._together and depth <= iteration.depth:
                        board.halt()
                self.results.put(iteration)

    def is_outdated(self, depth: int) -> bool:
        """Return whether another thread has finished `depth`, so that this one must move on."""
        with self._lock:
            return self._together and not self.over and depth <= self._done

    def end(self) -> None:
        """End the search; any thread may call it."""
        with self._lock:
            self.over = True
            for board in self._boards:
                board.halt()
        self.results.put(None)
