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
    """Return the smallest of some waits in seconds. None is a wait without end; return None if all are."""
    return min((seconds for seconds in waits if seconds is not None), default=None)


def post_wake() -> None:
    """Make the loop run once more, by an event `WAKE`. Any thread may call this."""
    with contextlib.suppress(pygame.error):
        pygame.event.post(pygame.event.Event(WAKE))


class FrameClock:
    """Paces the frames of the loop; `sleep` is called with the seconds to wait. Threads that compute call `rest`."""

    def __init__(self, sleep: Callable[[float], object]) -> None:
        self._sleep = sleep
        self._active_until = 0.0
        self._between_frames = threading.Event()
        self._between_frames.set()

    def touch(self) -> None:
        """Note that an event has occurred: for a while, widgets may change without another one, by a tooltip for
        example."""
        self._active_until = time.monotonic() + _ACTIVE

    def idle(self) -> None:
        """Assume that no widget changes any more before the next `touch`."""
        self._active_until = 0.0

    def active(self, now: float, expectant: bool) -> bool:
        """Return whether widgets may still change after the last event. They may for a second if one of them is
        `expectant`, that is, under the pointer or typed in; otherwise only for a moment."""
        return now < self._active_until - (0.0 if expectant else _ACTIVE - _SETTLING)

    def events(self, last: float, due: float) -> list[pygame.event.Event]:
        """Wait until events come, or the time `due`, and return the events, which may be none. Wait at least a sixtieth
        of a second from `last`, the time of the last frame.

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
        """Within the block no frame is drawn: let threads that wait in `rest` continue."""
        self._between_frames.set()
        yield
        self._between_frames.clear()

    def rest(self) -> None:
        """Block the calling thread while a frame is being drawn, for at most `REST` seconds."""
        self._between_frames.wait(REST)
