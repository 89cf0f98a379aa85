"""When to sound an alert for low time: once as the time becomes low, and at each of the last seconds."""

from __future__ import annotations

from games.clock import Face
from games.record import Node

TICKS = 5
"""Seconds at the end, each of which sounds an alert."""


class LowTimeAlert:
    """Watches the clock of the side to move. Call `due` once a frame."""

    def __init__(self) -> None:
        self._node: Node | None = None
        self._second: int | None = None  # of those that are low

    def due(self, node: Node, face: Face, low: bool) -> bool:
        """Whether to sound an alert now. Do not alert again if the turn starts in low time."""
        fresh = node is not self._node
        before, self._second, self._node = self._second, int(face.seconds) if low else None, node
        if self._second is None or self._second == before or face.expired:
            return False
        return self._second < TICKS or (before is None and not fresh)
