"""Time controls, the clock readings that follow from them, and the stopwatch of the side to move.

A reading is computed from the control and the times of the moves alone; taking a move back returns its time.

Dragging a window may block the event loop for seconds, which count as thinking time. A suspended machine pauses it
for longer, on some systems with the clock running on, and must not lose a game by that. So `Stopwatch` counts gaps
between two updates up to `ABSENCE`, ignores longer ones, and reports them.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

ABSENCE = 10.0
"""Seconds without an update after which the program or the machine must have been suspended."""

MOST_MAIN = 24 * 3600
MOST_STEP = 3600
"""Upper bound of increment and period, in seconds."""
MOST_PERIODS = 99

DIVISORS = (2, 4, 8)
"""By what the time of a side may be divided as a handicap."""

_LOW = 10.0
_MOVES_TO_GO = 24  # moves for which the main time of a self-pacing player must last
_PERIOD_SHARE = 0.8  # share of a period, and of an increment, that such a player uses
_MARGIN, _MARGIN_SHARE = 0.15, 0.15  # seconds and share reserved for a busy machine
_LEAST = 0.02

_DURATION = r"([0-9]{1,4}(?::[0-5][0-9])?)"
_INCREMENT_FORM = re.compile(rf"{_DURATION}\+([0-9]{{1,4}})")
_PERIODS_FORM = re.compile(rf"(?:{_DURATION}min,)?(?:([0-9]{{1,2}})x)?([0-9]{{1,4}})s")


@dataclass(frozen=True, slots=True)
class ClockReading:
    """The time of a side at the start of a move: seconds of `main` time, then whole `periods`."""

    main: float
    periods: int


@dataclass(frozen=True, slots=True)
class ClockFace:
    """A clock display during a move: `seconds` of main time or, in `byoyomi`, of the first of the remaining `periods`.

    The time is up at 0.
    """

    seconds: float
    periods: int
    byoyomi: bool

    @property
    def expired(self) -> bool:
        """Whether the time is up."""
        return self.seconds <= 0


@dataclass(frozen=True, slots=True)
class TimeControl:
    """`main` seconds with a Fischer `increment` for each move, or followed by `periods` of `period` seconds (byo-yomi).

    A move within a period keeps the period; a period that runs out is lost.

    Without main time, each move has one period. All are whole seconds. Raise `ValueError` with a sentence for an
    invalid control.
    """

    main: int = 0
    increment: int = 0
    periods: int = 0
    period: int = 0

    def __post_init__(self) -> None:
        """Raise `ValueError` with a sentence for an invalid control."""
        most = MOST_MAIN, MOST_STEP, MOST_PERIODS, MOST_STEP
        given = self.main, self.increment, self.periods, self.period
        if not all(0 <= value <= bound for value, bound in zip(given, most, strict=True)):
            raise ValueError("A clock has at most a day of main time, and an hour per move.")
        if (self.periods > 0) != (self.period > 0) or not (self.main or self.periods):
            raise ValueError("A clock needs a main time or a time per move.")
        if self.increment and self.periods:
            raise ValueError("A clock has an increment or periods, not both.")

    def divided(self, divisor: int) -> TimeControl:
        """Return the control of a side with a time handicap: main time, increment and period are 1 / `divisor` of
        these, rounded up to whole seconds. The number of periods stays."""
        main, increment, period = (-(-seconds // divisor) for seconds in (self.main, self.increment, self.period))
        return TimeControl(main, increment, self.periods, period)

    # Text.

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Parse the output of `str`: ``5+3`` (minutes and seconds), ``1:30+0``, ``10 min, 3×30 s``, ``30 s``.

        Ignore spaces and case; accept ``x`` or ``*`` for ``×``. Raise `ValueError`.
        """
        plain = "".join(text.split()).lower().replace("×", "x").replace("*", "x")
        if match := _INCREMENT_FORM.fullmatch(plain):
            return cls(main=_seconds(match[1]), increment=int(match[2]))
        if match := _PERIODS_FORM.fullmatch(plain):
            return cls(main=_seconds(match[1] or "0"), periods=int(match[2] or 1), period=int(match[3]))
        quoted = text if len(text) <= 40 else text[:40] + "…"
        raise ValueError(f"“{quoted}” is not a clock such as “5+3”, “10 min, 3×30 s” or “30 s”.")

    def __str__(self) -> str:
        """Return the control in the form that people write: ``5+3``, ``30 s`` for each move, ``10 min, 3×30 s``."""
        if not self.periods:
            return f"{_duration(self.main)}+{self.increment}"
        if not self.main:
            return f"{self.period} s" if self.periods == 1 else f"{self.periods}×{self.period} s"
        return f"{_duration(self.main)} min, {self.periods}×{self.period} s"

    # Readings.

    def start(self) -> ClockReading:
        """Return the reading before the first move."""
        return ClockReading(float(self.main), self.periods)

    def after(self, reading: ClockReading, spent: float) -> ClockReading:
        """Return the reading after a move that took `spent` seconds, the increment included. If the time ran out, both
        fields are 0."""
        if spent < reading.main:
            return ClockReading(reading.main - spent + self.increment, reading.periods)
        return ClockReading(0.0, self.face(reading, spent).periods)

    def face(self, reading: ClockReading, spent: float) -> ClockFace:
        """Return the display of a move that began at `reading` and has taken `spent` seconds so far."""
        if spent < reading.main:
            return ClockFace(reading.main - spent, reading.periods, byoyomi=False)
        over = spent - reading.main
        periods = reading.periods - (int(over // self.period) if self.period else 0)
        if periods <= 0:
            return ClockFace(0.0, 0, byoyomi=self.period > 0)
        return ClockFace(self.period - over % self.period, periods, byoyomi=True)

    def low(self, face: ClockFace) -> bool:
        """Return whether to warn: less than 10 seconds, or than half of the initial time (in byo-yomi, of a period),
        are left. Always False during a main time that periods follow."""
        whole = self.period if face.byoyomi else self.main
        waits = self.period > 0 and not face.byoyomi  # periods are still to come
        return not waits and face.seconds < min(_LOW, whole / 2)

    def share(self, face: ClockFace) -> float:
        """Return the seconds that a self-pacing player spends on its next move, at least 0.02.

        It keeps in reserve 0.15 seconds and 15 % of the time that is left, including the current period, so that a late
        answer loses neither the game nor a period.
        """
        main = 0.0 if face.byoyomi else face.seconds
        period = face.seconds if face.byoyomi else self.period
        safe = main + period
        wanted = main / _MOVES_TO_GO + _PERIOD_SHARE * (self.increment + period)
        return max(_LEAST, min(wanted, safe - _MARGIN - _MARGIN_SHARE * safe))


Controls = tuple[TimeControl, TimeControl]
"""Those of both sides, first side first."""


def readings(controls: Controls, spent: Iterable[tuple[int, float]]) -> tuple[ClockReading, ClockReading]:
    """Return the reading of each side after the moves in `spent`, each a pair of its side, 0 or 1, and its seconds."""
    left = [control.start() for control in controls]
    for side, seconds in spent:
        left[side] = controls[side].after(left[side], seconds)
    return left[0], left[1]


def _seconds(duration: str) -> int:
    """Parse ``MINUTES`` or ``MINUTES:SECONDS``."""
    minutes, _, seconds = duration.partition(":")
    return 60 * int(minutes) + int(seconds or 0)


def _duration(seconds: int) -> str:
    """Format minutes, with seconds if any: ``5``, ``1:30``."""
    return f"{seconds // 60}:{seconds % 60:02d}" if seconds % 60 else str(seconds // 60)


class Stopwatch:
    """Count the seconds while running, by `now`. Update it often: see `ABSENCE`."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._counted = 0.0
        self._updated: float | None = None  # time of the last update; None while stopped

    @property
    def running(self) -> bool:
        """Whether the stopwatch runs, rather than being paused."""
        return self._updated is not None

    @property
    def seconds(self) -> float:
        """The seconds counted so far; a gap between two updates longer than `ABSENCE` does not count."""
        return self._seconds_at(self._now())

    def _seconds_at(self, moment: float) -> float:
        """Return the seconds counted at `moment`, a time of `now`; a gap since the last update longer than `ABSENCE`
        does not count."""
        if self._updated is None:
            return self._counted
        gap = moment - self._updated
        return max(0.0, self._counted + (gap if gap <= ABSENCE else 0.0))

    def start(self, seconds: float = 0.0) -> None:
        """Start or restart with `seconds` already counted."""
        self._counted, self._updated = seconds, self._now()

    def update(self) -> bool:
        """Add the time since the last update to the count, unless that gap is longer than `ABSENCE`. Return whether it
        was; False while stopped."""
        if self._updated is None:
            return False
        moment = self._now()
        absent = moment - self._updated > ABSENCE
        self._counted, self._updated = self._seconds_at(moment), moment
        return absent

    def stop(self, moment: float | None = None) -> float:
        """Stop now, or as of an earlier `moment`, a time of `now`. Return the seconds counted."""
        self._counted = self._seconds_at(self._now() if moment is None else moment)
        self._updated = None
        return self._counted
