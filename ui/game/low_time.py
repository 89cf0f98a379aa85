"""When a clock that runs low is heard: once as it becomes low, and at each of the last seconds."""

from __future__ import annotations

from games.clock import Face
from games.record import Node

TICKS = 5
"""Seconds at the end, each of which is heard."""


class Alarm:
    """Watches the clock of the side to move; ask it at every frame."""

    def __init__(self) -> None:
        self._node: Node | None = None
        self._second: int | None = None  # of those that are low

    def rings(self, node: Node, face: Face, low: bool) -> bool:
        """Whether there is something to hear now. A turn that begins with a low clock is no news."""
        fresh = node is not self._node
        before, self._second, self._node = self._second, int(face.seconds) if low else None, node
        if self._second is None or self._second == before or face.expired:
            return False
        return self._second < TICKS or (before is None and not fresh)
