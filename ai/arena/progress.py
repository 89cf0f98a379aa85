"""How far a program with many tasks is: how many are done, how fast, and how long the rest takes."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TextIO, TypeVar

Item = TypeVar("Item")

_MINUTE, _HOUR = 60, 3600  # seconds
_COUNTED = 90  # of a unit of time, before the next larger one is used


class Rate:
    """The rate of a program that finds `done` of `total` tasks finished.

    It is measured from the first result on: workers may have to compile the kernels before.
    """

    def __init__(self, total: int, done: int = 0, clock: Callable[[], float] = time.monotonic) -> None:
        self._total, self._known, self._clock = total, done, clock
        self._first: tuple[int, float] | None = None

    def text(self, done: int) -> str:
        """Return ``412 of 1000 · 3.1 a second · 3 min left``, as far as it is known; call it for each result."""
        parts, now = [f"{done} of {self._total}"], self._clock()
        if self._first is None and done > self._known:
            self._first = done, now
        elif self._first is not None and done > self._first[0] and now > self._first[1]:
            rate = (done - self._first[0]) / (now - self._first[1])
            parts.append(_rate_text(rate))
            if done < self._total:
                parts.append(f"{_time_text((self._total - done) / rate)} left")
        return " · ".join(parts)


def _rate_text(rate: float) -> str:
    for unit, seconds in (("second", 1), ("minute", _MINUTE)):
        if rate * seconds >= 1:
            return f"{rate * seconds:.1f} a {unit}"
    return f"{rate * _HOUR:.1f} an hour"


def _time_text(seconds: float) -> str:
    if seconds < _COUNTED:
        return f"{seconds:.0f} s"
    minutes = round(seconds / _MINUTE)
    return f"{minutes} min" if minutes < _COUNTED else f"{minutes // 60} h {minutes % 60} min"


class Meter:
    """One line that is written again and again on a terminal; nothing is written elsewhere."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._rate: Rate | None = None
        self._shown = 0

    def count(self, done: int, total: int, note: str = "") -> None:
        """Show how many tasks are done, at which rate, and a note; call it before the first and for each result."""
        self._rate = self._rate or Rate(total, done)
        text = f"{self._rate.text(done)}  {note}".rstrip()
        self.show(text if total else "")

    def show(self, text: str) -> None:
        if self._stream.isatty():
            text = text[: shutil.get_terminal_size().columns - 1]  # a longer one would stay
            print(f"\r{text:<{self._shown}}", end="", file=self._stream, flush=True)
            self._shown = len(text)

    def end(self) -> None:
        """Leave the line there, and go to the next one."""
        if self._shown:
            print(file=self._stream, flush=True)
            self._shown = 0

    def clear(self) -> None:
        """Remove the line, so that others can be written."""
        if self._shown:
            print(f"\r{'':{self._shown}}\r", end="", file=self._stream, flush=True)
            self._shown = 0


def shown(results: Iterable[Item], total: int, done: int = 0, stream: TextIO | None = None) -> Iterator[Item]:
    """Yield `results`, with a line on the terminal of how far they are; `done` of `total` were there before."""
    meter = Meter(stream)
    meter.count(done, total)
    for number, result in enumerate(results, done + 1):
        meter.clear()
        yield result
        meter.count(number, total)
    meter.clear()
