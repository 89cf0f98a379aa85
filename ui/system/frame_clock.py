"""Time the frames of the loop: at most sixty a second, and none while nothing happens."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator

import pygame

FRAME = 1 / 60
"""Seconds between two frames."""

WAKE = pygame.event.custom_type()
"""Posted by worker threads when there is something to poll."""

_POLL = 0.008  # seconds between polls for events
_ACTIVE_POLL = 0.002  # soon after an event
_ACTIVE = 1.0  # seconds after an event in which a tooltip may still appear
_SETTLING = 0.05  # seconds after an event in which any widget may still change
REST = 0.006  # maximum seconds that a thread waits for a frame to be drawn


def soonest(*waits: float | None) -> float | None:
    """Return the shortest of some waits in seconds, of which None never ends; None if none does."""
    return min((seconds for seconds in waits if seconds is not None), default=None)


def post_wake() -> None:
    """Make the loop run once more. Any thread may call this."""
    with contextlib.suppress(pygame.error):
        pygame.event.post(pygame.event.Event(WAKE))


class FrameClock:
    """Wait between frames, using `sleep`."""

    def __init__(self, sleep: Callable[[float], object]) -> None:
        self._sleep = sleep
        self._active_until = 0.0
        self._between_frames = threading.Event()
        self._between_frames.set()

    def touch(self) -> None:
        """Record an event, after which widgets may change for a while."""
        self._active_until = time.monotonic() + _ACTIVE

    def idle(self) -> None:
        """Assume that no widget will change any more."""
        self._active_until = 0.0

    def active(self, now: float, expectant: bool) -> bool:
        """Return whether widgets may still change: for longer if one is `expectant`, under the pointer or typed in."""
        return now < self._active_until - (0.0 if expectant else _ACTIVE - _SETTLING)

    def events(self, last: float, due: float) -> list[pygame.event.Event]:
        """Wait for events or until a frame is `due`, and at least for a sixtieth of a second after the `last` frame.

        `pygame.event.wait` polls a thousand times a second, which takes 2.5 % of a core; this takes a tenth.
        """
        with self.between_frames():
            self._sleep(max(0.0, last + FRAME - time.monotonic()))
            poll = _POLL if last >= self._active_until else _ACTIVE_POLL
            while not (events := pygame.event.get()) and (left := due - time.monotonic()) > 0:
                self._sleep(min(left, poll))
        return events

    @contextlib.contextmanager
    def between_frames(self) -> Iterator[None]:
        """Let threads that `rest` go on."""
        self._between_frames.set()
        yield
        self._between_frames.clear()

    def rest(self) -> None:
        """Wait on a thread until no frame is being drawn, but not for long."""
        self._between_frames.wait(REST)
