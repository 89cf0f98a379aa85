"""Watches the clocks of a live game."""

from __future__ import annotations

from collections.abc import Callable

from ui.game.live_game import LiveGame
from ui.game.low_time import LowTimeAlert
from ui.words.clocks import clock_changes_in

_AUTOSAVE = 5.0  # seconds between two savings of the time that was spent
_JUST_AFTER = 0.002  # seconds


class ClockWatch:
    """Calls `alert` when little time is left, and `save` now and then, so that a crash loses little thinking time."""

    def __init__(self, alert: Callable[[], object], save: Callable[[], object]) -> None:
        self._alert, self._save = alert, save
        self._low = LowTimeAlert()
        self._saved_at = 0.0

    def update(self, live: LiveGame, now: float) -> None:
        faces, control = live.clocks(), live.record.control
        if faces is None or control is None or not live.running:
            return
        face = faces[live.record.position.turn]
        if live.person_to_move and self._low.due(live.record.cursor, face, control.low(face)):
            self._alert()
        if now - self._saved_at >= _AUTOSAVE:
            live.record_time()
            self._save()
            self._saved_at = now


def clock_due(live: LiveGame) -> float | None:
    """Seconds until the running clock shows something else; None if none runs."""
    if not live.running:
        return None
    faces = live.clocks()
    left = None if faces is None else faces[live.record.position.turn].seconds
    return 1.0 if left is None else clock_changes_in(left) + _JUST_AFTER
