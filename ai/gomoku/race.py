"""How the threads of one search share its depths, and what they tell of them."""

from __future__ import annotations

import queue
import threading
from dataclasses import dataclass

from ai.gomoku.board import Board


@dataclass(frozen=True)
class Found:
    """What a thread found: complete lines (score, cells) at a depth; the last of a thread is `final`."""

    depth: int
    nodes: int
    lines: list[tuple[int, list[int]]]
    final: bool = False


class Race:
    """How far the threads of a search are, and what they `found`. Searching `together`, the first to finish an
    iteration tells of it, and the others leave it for the next one; else only the first thread's count."""

    def __init__(self, boards: list[Board], together: bool) -> None:
        self.found: queue.SimpleQueue[Found | BaseException | None] = queue.SimpleQueue()
        self._boards, self._together = boards, together
        self._lock = threading.Lock()
        self._at = [0] * len(boards)
        self._done, self._first = 0, 0  # the last depth that is finished, and by which thread
        self._over = False

    def next(self, number: int, last: int) -> int:
        """The depth that the thread `number` is to search after `last`."""
        with self._lock:
            if not self._over:
                self._boards[number].state.stop = 0
            if self._together and number != self._first:  # alike, they search fewer positions twice
                self._boards[number].learn_from(self._boards[self._first])
            self._at[number] = self._done + 1 if self._together else last + 1
            return self._at[number]

    def finish(self, number: int, found: Found) -> None:
        """Tells what a thread has found at the depth that it has searched, if that is news."""
        with self._lock:
            if found.depth > self._done and (number == 0 or self._together):
                self._done, self._first = found.depth, number
                for board, at in zip(self._boards, self._at, strict=True):
                    if self._together and at <= found.depth:
                        board.halt()
                self.found.put(found)

    def left(self, number: int, depth: int) -> bool:
        """Whether the thread is to leave `depth`, which another has finished, for the next one."""
        with self._lock:
            return self._together and not self._over and depth <= self._done

    @property
    def over(self) -> bool:
        return self._over

    def end(self) -> None:
        """Ends the search; who waits for what is `found` is woken."""
        with self._lock:
            self._over = True
            for board in self._boards:
                board.halt()
        self.found.put(None)
