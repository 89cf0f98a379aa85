"""The time of a whole review, shared by its searches."""

from __future__ import annotations

import threading

_POSITIONS = 60
"""A shorter game has as much time as one with so many positions."""


class Budget:
    """Thread-seconds of a review: `seconds` for each of its `positions`. First searches take at most 0.8 of it. `open`
    is the number of moves under confirmation. Any thread may reserve and release."""

    def __init__(self, seconds: float, positions: int) -> None:
        self.left = seconds * max(_POSITIONS, positions)
        self.spent = 0.0
        self.open = 0
        self._lock = threading.Lock()

    def reserve(self, seconds: float) -> float:
        """Return how much of the `seconds` wanted a search may take: at most half of what is left for each open move.
        So there is always something left."""
        with self._lock:
            granted = min(seconds, self.left / (2 * max(1, self.open)))
            self.left -= granted
            return granted

    def release(self, granted: float, spent: float) -> None:
        """Return the unspent part of what a search was `granted`. Count no more than that: the machine may have been
        suspended."""
        spent = min(granted, spent)
        with self._lock:
            self.left += granted - spent
            self.spent += spent
