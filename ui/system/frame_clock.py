"""When the loop makes its next frame: at most sixty a second, and none while nothing happens."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable

import pygame

FRAME = 1 / 60
"""Seconds between two frames."""

WAKE = pygame.event.custom_type()
"""Posted by worker threads: there is something to poll."""

_POLL = 0.008  # seconds between two looks for events
_ACTIVE_POLL = 0.002  # where there was one just before
_ACTIVE = 1.0  # seconds after an event in which a widget may still show a tooltip or let its cursor blink
_SETTLING = 0.05  # seconds in which any widget may still change
_REST = 0.015  # seconds that a thread waits at most for a frame to be made


def post_wake() -> None:
    """Make the loop run once more. Any thread may call this."""
    with contextlib.suppress(pygame.error):
        pygame.event.post(pygame.event.Event(WAKE))


class FrameClock:
    """Waits between frames by `sleep`."""

    def __init__(self, sleep: Callable[[float], object]) -> None:
        self._sleep = sleep
        self._active_until = 0.0
        self._between_frames = threading.Event()
        self._between_frames.set()

    def touch(self) -> None:
        """An event was handled: widgets may change for a while."""
        self._active_until = time.monotonic() + _ACTIVE

    def idle(self) -> None:
        """Expect no widget to change any more."""
        self._active_until = 0.0

    def active(self, now: float, expectant: bool) -> bool:
        """Whether widgets may still change: for longer if one is `expectant`, under the pointer or typed in."""
        return now < self._active_until - (0.0 if expectant else _ACTIVE - _SETTLING)

    def events(self, shown: float, due: float) -> list[pygame.event.Event]:
        """Wait until something happens or a frame is `due`, but until the next of sixty frames a second in any case.
        `shown` is the time that the last frame shows.

        `pygame.event.wait` polls a thousand times a second, which takes 2.5 % of a core; this takes a tenth.
        """
        self._between_frames.set()
        self._pause(shown + FRAME - time.monotonic())
        poll = _POLL if shown >= self._active_until else _ACTIVE_POLL
        while not (events := pygame.event.get()) and (left := due - time.monotonic()) > 0:
            self._pause(min(left, poll))
        self._between_frames.clear()
        return events

    def _pause(self, seconds: float) -> None:
        self._sleep(max(0.0, seconds))

    def rest(self) -> None:
        """Return when no frame is being made, or soon. For threads."""
        self._between_frames.wait(_REST)
