"""Interpret a manager's INFO lines.

The rule bit 2 means two things: continuous game in Gomocup, renju in Yixin and the programs that follow it. A manager
that has used a command or an INFO key of Yixin's in this session means renju by it, any other a continuous game,
which is played as freestyle. Caro (8) is played as exact five, the nearest rule there is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ai.engine_handle import Kind
from ai.threads import processors

UNLIMITED = 2_147_483_647
"""The protocol's value for no limit, in milliseconds."""

_DEFAULT_TURN = 2.0  # seconds, unless the manager says otherwise
_AT_ONCE = 0.03  # seconds, for “as fast as possible”
_MOVES_TO_GO = 20  # moves for which the time left must last
_MARGIN = 0.03  # seconds reserved for delivering the answer
_MARGIN_SHARE = 0.01  # and this share of the time, for a busy machine
_LEAST = 0.01

_MEGABYTE = 1 << 20
_PROGRAM_MB = 220  # everything but the table: 150 measured with cached kernels, 200 after compiling them
_DEFAULT_TABLE_MB = 64
_LARGEST_TABLE_MB = 256
_SMALLEST_TABLE_MB = 1


@dataclass(slots=True)
class Clock:
    """The manager's limits in milliseconds and bytes; None if not given."""

    timeout_turn: int | None = None
    timeout_match: int | None = None
    time_left: int | None = None
    max_memory: int | None = None

    def seconds(self) -> float:
        """Return the time for the next move, with a margin for the answer to be in time."""
        turn = _DEFAULT_TURN if self.timeout_turn is None else max(0, self.timeout_turn) / 1000
        if turn == 0:
            turn = _AT_ONCE + _MARGIN
        left = self._left()
        if left is not None:
            turn = min(turn, left / _MOVES_TO_GO)
        return max(_LEAST, turn / 4, turn - _MARGIN - turn * _MARGIN_SHARE)

    def _left(self) -> float | None:
        """Return the seconds left in the match; None if unlimited."""
        if self.timeout_match == 0:
            return None
        left = self.timeout_match if self.time_left is None else self.time_left
        return None if left is None or left >= UNLIMITED else max(0, left) / 1000

    def used(self, seconds: float) -> None:
        """Subtract the time of a move. A manager that sends time_left before each move overrides this."""
        left = self._left()
        if left is not None:
            self.time_left = round(max(0.0, left - seconds) * 1000)

    def new_game(self) -> None:
        self.time_left = None

    def table_mb(self) -> int:
        """Return the size of the transposition table that keeps the program within its memory limit if possible."""
        if self.max_memory is None:
            return _DEFAULT_TABLE_MB
        if self.max_memory <= 0:
            return _LARGEST_TABLE_MB
        room = self.max_memory // _MEGABYTE - _PROGRAM_MB
        return max(_SMALLEST_TABLE_MB, min(_LARGEST_TABLE_MB, room))


EXACT, CONTINUOUS, RENJU, CARO = 1, 2, 4, 8
"""The bits of the rule."""

_CLOCK_KEYS = {"timeout_turn", "timeout_match", "time_left", "max_memory"}
_YIXIN_KEYS = {
    "max_depth", "max_node", "show_detail", "time_increment", "caution_factor", "thread_num", "thread_split_depth",
    "pondering", "checkmate", "nbestsym", "vcthread", "usedatabase", "hash_size", "start_depth",
}  # fmt: skip
_NUMBER = re.compile(r"[+-]?\d{1,18}", re.ASCII)


class ManagerInfo:
    """The latest INFO values; `depth` and `nodes` are limits of a search, None if unlimited."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.yixin = False
        """Whether the manager has used Yixin's extensions."""
        self.depth: int | None = None
        self.nodes: int | None = None
        self._mask = 0
        self._threads = 1

    @property
    def rule(self) -> str:
        if self._mask & RENJU or (self._mask & CONTINUOUS and self.yixin):
            return "renju"
        return "standard" if self._mask & (EXACT | CARO) else "freestyle"

    def kind(self, size: int) -> Kind:
        """Return the engine configuration to prepare."""
        arguments = {"threads": self._threads, "memory_mb": self.clock.table_mb(), "book": True}
        return Kind(size, self.rule, arguments)

    def note(self, text: str) -> None:
        """Apply ``key value``. Ignore what is not understood: INFO has no reply, and an ERROR would be taken for the
        reply to the next command."""
        key, _, value = text.lower().partition(" ")
        self.yixin = self.yixin or key in _YIXIN_KEYS
        number = _NUMBER.fullmatch(value.strip())
        if number is not None:
            self._set(key, int(number[0]))

    def _set(self, key: str, value: int) -> None:
        if key in _CLOCK_KEYS:
            setattr(self.clock, key, value)
        elif key == "rule":
            self._mask = value & (EXACT | CONTINUOUS | RENJU | CARO)
        elif key == "thread_num":
            self._threads = max(1, min(value, processors()))
        elif key == "max_depth":
            self.depth = max(0, value) or None
        elif key == "max_node":
            self.nodes = max(0, value) or None
