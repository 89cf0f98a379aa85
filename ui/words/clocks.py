"""Clocks and time controls in words."""

from __future__ import annotations

from games.clock import Face, TimeControl
from ui.toolkit.i18n import t
from ui.words.numbers import time_text

_TENTHS = 10.0  # seconds below which a clock shows tenths


def clock_text(seconds: float) -> str:
    """Time that is left; below ten seconds with tenths: ``2:05``, ``9.3``. Never more than there is."""
    return time_text(seconds) if seconds >= _TENTHS else f"{int(seconds * 10) / 10:.1f}"


def clock_changes_in(seconds: float) -> float:
    """How long `clock_text` stays as it is while the time runs down."""
    return seconds % (1.0 if seconds >= _TENTHS else 0.1)


def span_name(seconds: int) -> str:
    """A length of time: ``90 s``, ``5 min``."""
    if seconds % 60 or seconds <= 60:
        return t("clock.seconds", count=seconds)
    return t("clock.minutes", count=seconds // 60)


def control_name(control: TimeControl | None, short: bool = False) -> str:
    """A time control in words: ``No clock``, ``30 s a move``, ``5 min + 3 s a move``, ``10 min + 3×30 s``."""
    if control is None:
        return t("clock.no_clock")
    if not control.periods:
        if short:
            return str(control)
        name = "clock.name.increment" if control.increment else "clock.minutes"
        return t(name, main=_main(control), count=_main(control), seconds=control.increment)
    if control.main:
        return t("clock.name.byoyomi", main=_main(control), periods=control.periods, seconds=control.period)
    if control.periods > 1:
        return t("clock.name.periods", periods=control.periods, seconds=control.period)
    return t("clock.seconds" if short else "clock.name.move", count=control.period)


def clock_note(control: TimeControl, face: Face) -> str:
    """What a clock has besides its seconds: the periods that are left, or the increment."""
    if control.periods > 1 or (control.periods and control.main):
        return t("clock.name.periods", periods=face.periods, seconds=control.period)
    return f"+{t('clock.seconds', count=control.increment)}" if control.increment else ""


def _main(control: TimeControl) -> str:
    """The main time, in minutes also where it is no whole number of them."""
    minutes, seconds = divmod(control.main, 60)
    return f"{minutes}:{seconds:02d}" if seconds else str(minutes)
