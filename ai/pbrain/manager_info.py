"""Interpret a manager's INFO lines.

The rule bit 2 means two things: continuous game in Gomocup, renju in Yixin and the programs that follow it. A manager
that has used a command or an INFO key of Yixin's in this session means renju by it, any other a continuous game,
which is played as freestyle. Caro (8) is played as exact five, the nearest rule there is.
"""

from __future__ import annotations

import re

from ai.engine_handle import Kind
from ai.options import processors
from ai.pbrain.clock import Clock

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
        return Kind(size, self.rule, self._threads, self.clock.table_mb())

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
