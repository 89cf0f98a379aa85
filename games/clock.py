"""Time for thinking: how much each side is given, what is left of it, and who counts it.

What is left follows from the control and from the seconds of the moves, so that nothing else has to be kept with a
game, and a move that is taken back gives its time back.

A window that is dragged may stop the loop of a program for seconds; those seconds were thought, and count. A laptop
whose lid is closed stops it for longer, on some systems with the clock running on; nobody shall lose a game by that.
So `Stopwatch` counts every gap between two looks at it up to `ABSENCE`, and of a longer one nothing, and says so.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

ABSENCE = 10.0
"""Seconds without a look after which the program, or the machine, must have been asleep."""

MOST_MAIN = 24 * 3600
MOST_STEP = 3600
"""The longest increment and the longest period, in seconds."""
MOST_PERIODS = 99

_LOW = 10.0
_MOVES_TO_GO = 24  # for which the main time of a player that paces itself has to last
_PERIOD_SHARE = 0.8  # of a period, and of an increment, that such a player takes
_MARGIN, _MARGIN_SHARE = 0.15, 0.15  # seconds and share that it never touches: a machine may be busy
_LEAST = 0.02

_DURATION = r"([0-9]{1,4}(?::[0-5][0-9])?)"
_INCREMENT_FORM = re.compile(rf"{_DURATION}\+([0-9]{{1,4}})")
_PERIODS_FORM = re.compile(rf"(?:{_DURATION}min,)?(?:([0-9]{{1,2}})x)?([0-9]{{1,4}})s")


@dataclass(frozen=True, slots=True)
class Reading:
    """What a side has at the beginning of a move: seconds of `main` time, and whole `periods` after it."""

    main: float
    periods: int


@dataclass(frozen=True, slots=True)
class Face:
    """What a clock shows in the middle of a move: `seconds` of the main time or else, in `byoyomi`, of the first
    of the `periods` that are left. At 0 the time is up."""

    seconds: float
    periods: int
    byoyomi: bool

    @property
    def expired(self) -> bool:
        return self.seconds <= 0


@dataclass(frozen=True, slots=True)
class TimeControl:
    """`main` seconds for all moves, with `increment` seconds more after each; or with `periods` of `period` seconds
    after it (byo-yomi): a move within a period gives it back whole, a period that runs out is gone.

    Without main time, one period is so many seconds for each move. All are whole seconds. Raise `ValueError` with a
    sentence for what makes no clock.
    """

    main: int = 0
    increment: int = 0
    periods: int = 0
    period: int = 0

    def __post_init__(self) -> None:
        most = MOST_MAIN, MOST_STEP, MOST_PERIODS, MOST_STEP
        given = self.main, self.increment, self.periods, self.period
        if not all(0 <= value <= bound for value, bound in zip(given, most, strict=True)):
            raise ValueError("A clock has at most a day, and an hour for a move.")
        if (self.periods > 0) != (self.period > 0) or not (self.main or self.periods):
            raise ValueError("A clock needs time that can run out.")
        if self.increment and self.periods:
            raise ValueError("A clock has an increment or periods, not both.")

    # As text.

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """The control that `str` writes: ``5+3`` (minutes and seconds), ``1:30+0``, ``10 min, 3×30 s``, ``30 s``.

        Spaces and letter case do not matter, and ``x`` or ``*`` stands for ``×``. Raise `ValueError`.
        """
        plain = "".join(text.split()).lower().replace("×", "x").replace("*", "x")
        if found := _INCREMENT_FORM.fullmatch(plain):
            return cls(main=_seconds(found[1]), increment=int(found[2]))
        if found := _PERIODS_FORM.fullmatch(plain):
            return cls(main=_seconds(found[1] or "0"), periods=int(found[2] or 1), period=int(found[3]))
        shown = text if len(text) <= 40 else text[:40] + "…"
        raise ValueError(f"“{shown}” is no clock such as “5+3”, “10 min, 3×30 s” or “30 s”.")

    def __str__(self) -> str:
        if not self.periods:
            return f"{_duration(self.main)}+{self.increment}"
        if not self.main:
            return f"{self.period} s" if self.periods == 1 else f"{self.periods}×{self.period} s"
        return f"{_duration(self.main)} min, {self.periods}×{self.period} s"

    # What is left.

    def start(self) -> Reading:
        return Reading(float(self.main), self.periods)

    def after(self, reading: Reading, spent: float) -> Reading:
        """What is left for the moves to come after one that took `spent` seconds; nothing if that was too long."""
        if spent < reading.main:
            return Reading(reading.main - spent + self.increment, reading.periods)
        return Reading(0.0, self.face(reading, spent).periods)

    def readings(self, spent: Iterable[tuple[int, float]]) -> tuple[Reading, Reading]:
        """What is left to each side after moves that took `spent`: pairs of a side, 0 or 1, and seconds."""
        left = [self.start(), self.start()]
        for side, seconds in spent:
            left[side] = self.after(left[side], seconds)
        return left[0], left[1]

    def face(self, reading: Reading, spent: float) -> Face:
        """What the clock shows when a move that began at `reading` has taken `spent` seconds so far."""
        if spent < reading.main:
            return Face(reading.main - spent, reading.periods, byoyomi=False)
        over = spent - reading.main
        periods = reading.periods - (int(over // self.period) if self.period else 0)
        if periods <= 0:
            return Face(0.0, 0, byoyomi=self.period > 0)
        return Face(self.period - over % self.period, periods, byoyomi=True)

    def low(self, face: Face) -> bool:
        """Whether so little is left that it deserves a warning: below ten seconds, or half of what there was."""
        whole = self.period if face.byoyomi else self.main
        waits = self.period > 0 and not face.byoyomi  # the periods are still to come
        return not waits and face.seconds < min(_LOW, whole / 2)

    def share(self, face: Face) -> float:
        """Seconds that a player which paces itself thinks about a move from now on.

        So short that neither the game nor a period is lost, as long as the answer is not later than the margin.
        """
        main = 0.0 if face.byoyomi else face.seconds
        period = face.seconds if face.byoyomi else self.period
        safe = main + period
        wanted = main / _MOVES_TO_GO + _PERIOD_SHARE * (self.increment + period)
        return max(_LEAST, min(wanted, safe - _MARGIN - _MARGIN_SHARE * safe))


def _seconds(duration: str) -> int:
    minutes, _, seconds = duration.partition(":")
    return 60 * int(minutes) + int(seconds or 0)


def _duration(seconds: int) -> str:
    """Minutes, with seconds only where there are any: ``5``, ``1:30``."""
    return f"{seconds // 60}:{seconds % 60:02d}" if seconds % 60 else str(seconds // 60)


class Stopwatch:
    """Counts seconds while it runs, by `now`. Look at it often: see `ABSENCE`."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._counted = 0.0
        self._looked: float | None = None  # when the time was counted last; None while it stands

    @property
    def running(self) -> bool:
        return self._looked is not None

    @property
    def seconds(self) -> float:
        """What is counted so far, an absence not."""
        return self._until(self._now())

    def _until(self, moment: float) -> float:
        if self._looked is None:
            return self._counted
        gap = moment - self._looked
        return max(0.0, self._counted + (gap if gap <= ABSENCE else 0.0))

    def start(self, seconds: float = 0.0) -> None:
        """Count on from `seconds`."""
        self._counted, self._looked = seconds, self._now()

    def look(self) -> bool:
        """Count until now. True after an absence, which is not counted."""
        if self._looked is None:
            return False
        moment = self._now()
        absent = moment - self._looked > ABSENCE
        self._counted, self._looked = self._until(moment), moment
        return absent

    def stop(self, moment: float | None = None) -> float:
        """Stands still from now on, or from the `moment` that it should have been stopped at; the seconds counted."""
        self._counted = self._until(self._now() if moment is None else moment)
        self._looked = None
        return self._counted
