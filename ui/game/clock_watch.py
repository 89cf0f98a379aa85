"""Watches the clocks of a live game."""

from __future__ import annotations

from collections.abc import Callable

from games.clock import Face
from games.record import Node
from ui.game.live_game import LiveGame
from ui.words.numbers import clock_changes_in

TICKS = 5
"""Seconds at the end, each of which sounds an alert."""

_AUTOSAVE = 5.0  # seconds between two savings of the time that was spent
_JUST_AFTER = 0.002  # seconds


class ClockWatch:
    """Calls `alert` when little time is left, and `save` now and then, so that a crash loses little thinking time."""

    def __init__(self, alert: Callable[[], object], save: Callable[[], object]) -> None:
        self._alert, self._save = alert, save
        self._saved_at = 0.0
        self._node: Node | None = None
        self._second: int | None = None  # of those that are low

    def update(self, live: LiveGame, now: float) -> None:
        faces, control = live.clocks(), live.record.control
        if faces is None or control is None or not live.running:
            return
        face = faces[live.record.position.turn]
        if live.person_to_move and self.is_alert_due(live.record.cursor, face, control.low(face)):
            self._alert()
        if now - self._saved_at >= _AUTOSAVE:
            live.record_time()
            self._save()
            self._saved_at = now

    def is_alert_due(self, node: Node, face: Face, low: bool) -> bool:
        """Whether to sound an alert now: once as the time of the side to move becomes low, and at each of the last
        seconds. Do not alert again if the turn starts in low time. Call it once a frame."""
        fresh = node is not self._node
        before, self._second, self._node = self._second, int(face.seconds) if low else None, node
        if self._second is None or self._second == before or face.expired:
            return False
        return self._second < TICKS or (before is None and not fresh)


def clock_due(live: LiveGame) -> float | None:
    """Seconds until the running clock shows something else; None if none runs."""
    if not live.running:
        return None
    faces = live.clocks()
    left = None if faces is None else faces[live.record.position.turn].seconds
    return 1.0 if left is None else clock_changes_in(left) + _JUST_AFTER
