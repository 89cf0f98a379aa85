"""A game under way: keeps it going, saved and heard while its screen is shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from games.clock import ClockFace
from games.position import FIRST
from games.record import Node
from ui.play.live_game import LiveGame
from ui.play.state import PlayState
from ui.system.frame_clock import soonest
from ui.toolkit.dialogs import Menu
from ui.toolkit.i18n import first_text, t
from ui.window.host import Host
from ui.window.part import Part
from ui.words.numbers import clock_changes_in

TICKS = 5
"""Seconds at the end, each of which sounds an alert."""

AUTOSAVE = 5.0
"""Seconds between two savings of the time that was spent."""

_JUST_AFTER = 0.002  # seconds


class ClockWatch:
    """Calls `alert` when little time is left, and `save` now and then, so that a crash loses little thinking time."""

    def __init__(self, alert: Callable[[], object], save: Callable[[], object]) -> None:
        self._alert, self._save = alert, save
        self._saved_at = 0.0
        self._node: Node | None = None
        self._second: int | None = None  # of those that are low

    def update(self, live: LiveGame, now: float) -> None:
        """Once a frame: alert the person when its time is low, and save the clocks from time to time."""
        faces, control = live.clocks(), live.record.control
        if faces is None or control is None or not live.running:
            return
        face = faces[live.record.turn]
        if live.person_to_move and self.is_alert_due(live.record.cursor, face, control.low(face)):
            self._alert()
        if now - self._saved_at >= AUTOSAVE:
            live.record_time()
            self._save()
            self._saved_at = now

    def is_alert_due(self, node: Node, face: ClockFace, low: bool) -> bool:
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
    left = None if faces is None else faces[live.record.turn].seconds
    return 1.0 if left is None else clock_changes_in(left) + _JUST_AFTER


class GamePart(Part):
    """`moving` tells whether the board is in motion: no move lands before the last one lies."""

    def __init__(self, host: Host, state: PlayState, moving: Callable[[float], bool]) -> None:
        self._host, self._state, self._moving = host, state, moving
        self._clock_watch = ClockWatch(partial(host.sounds.play, "low_time"), state.changed)

    def open(self) -> None:
        self._state.live.open()
        self._state.saver.opened()

    def update(self, now: float) -> None:
        state, live = self._state, self._state.live
        if live.timed and not isinstance(self._host.overlay, Menu | None):
            live.pause()
        if state.teacher is not None:
            state.teacher.follow(state.record.cursor, live.person_to_move and state.demand is None)
        live.held_back = state.still or self._moving(now) or (state.teacher is not None and state.teacher.holds)
        state.note_thoughts()  # before the answer lands, and the other side thinks
        live.update()
        state.analyst.update()
        self._clock_watch.update(live, now)
        state.follow()

    def wake(self, now: float) -> float | None:
        live = self._state.live
        return soonest(clock_due(live), live.due)

    def status(self) -> str:
        state = self._state
        if state.earlier is not None:
            if state.over:
                return f"{state.viewed}. {t('play.looking_over')}"
            return t("play.looking_about")
        if state.teacher is not None and not state.over:
            return t("setup.teaching_about")
        if not state.over and state.live.person_to_move and state.record.position.turn == FIRST:
            restricted = first_text(f"rule.{state.record.setup.rule}.status", default="")
            if restricted:
                return restricted
        return t("status.kept", name=state.saver.file.name) if state.saver.on_disk else ""

    def keep(self) -> None:
        self._state.changed()

    def close(self) -> None:
        state = self._state
        state.live.close()
        if state.live.timed and not state.over:
            state.changed()  # with what was thought so far
        state.saver.left()
        state.hints.forget()
        state.analyst.close()
        if state.teacher is not None:
            state.teacher.close()
