"""How much time and memory a move may take, from what the manager says in INFO lines."""

from __future__ import annotations

from dataclasses import dataclass

UNLIMITED = 2_147_483_647
"""The protocol's word for no limit, in milliseconds."""

_DEFAULT_TURN = 2.0  # seconds, where the manager names none
_AT_ONCE = 0.03  # seconds; what “as fast as possible” is taken for
_MOVES_TO_GO = 20  # for which the time left has to last
_MARGIN = 0.03  # seconds kept back for the way of the answer
_MARGIN_SHARE = 0.01  # and this share of the time, for a machine that is busy
_LEAST = 0.01

_MEGABYTE = 1 << 20
_PROGRAM_MB = 220  # of all else: 150 measured with compiled kernels from the cache, 200 after compiling them
_DEFAULT_TABLE_MB = 64
_LARGEST_TABLE_MB = 256
_SMALLEST_TABLE_MB = 1


@dataclass(slots=True)
class Clock:
    """The manager's limits: milliseconds and bytes, None for what it has not named."""

    timeout_turn: int | None = None
    timeout_match: int | None = None
    time_left: int | None = None
    max_memory: int | None = None

    def seconds(self) -> float:
        """The time for the next move, kept short enough for the answer to be in time."""
        turn = _DEFAULT_TURN if self.timeout_turn is None else max(0, self.timeout_turn) / 1000
        if turn == 0:
            turn = _AT_ONCE + _MARGIN
        left = self._left()
        if left is not None:
            turn = min(turn, left / _MOVES_TO_GO)
        return max(_LEAST, turn / 4, turn - _MARGIN - turn * _MARGIN_SHARE)

    def _left(self) -> float | None:
        """Seconds left of the match; None without end."""
        if self.timeout_match == 0:
            return None
        left = self.timeout_match if self.time_left is None else self.time_left
        return None if left is None or left >= UNLIMITED else max(0, left) / 1000

    def used(self, seconds: float) -> None:
        """A move has taken that long. A manager that names the time left before each move overrules this."""
        left = self._left()
        if left is not None:
            self.time_left = round(max(0.0, left - seconds) * 1000)

    def new_game(self) -> None:
        self.time_left = None

    def table_mb(self) -> int:
        """Megabytes for the transposition table, so that the whole program stays within the limit if it can."""
        if self.max_memory is None:
            return _DEFAULT_TABLE_MB
        if self.max_memory <= 0:
            return _LARGEST_TABLE_MB
        room = self.max_memory // _MEGABYTE - _PROGRAM_MB
        return max(_SMALLEST_TABLE_MB, min(_LARGEST_TABLE_MB, room))
