"""Play sounds on a thread, so that no move waits for a sound card.

If a device or a file is missing, nothing is heard and nothing fails; the log and `--diagnose` tell why.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from typing import Literal, NamedTuple, get_args

import pygame

from ui.system.settings import Settings
from ui.toolkit.resources import resource

_log = logging.getLogger(__name__)

Name = Literal["stone", "bones", "disc", "win", "loss", "draw", "low_time"]
NAMES: tuple[Name, ...] = get_args(Name)
"""The files in assets/sounds, made by assets/make_sounds.py."""

RATE, CHANNELS = 44_100, 2

REST = 20.0  # seconds of silence after which the device is closed: an open one costs power
_SPACING = 0.05  # minimum seconds between equal sounds: dragging a slider passes many moves
_LATE = 0.5  # seconds after which a sound is too late to play
_AGAIN = 30.0  # seconds before a device that could not be opened is tried again
_TROUBLE = (pygame.error, OSError, NotImplementedError, ImportError)
"""What pygame raises without a device, a file or a mixer."""


class _Request(NamedTuple):
    """A request to play a sound: its amplitude from 0 to 1, and when it was made."""

    name: Name
    volume: float
    when: float


class Sounds:
    """Play sounds as the `settings` say. No method raises an error, or waits for a device for long."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._queue: queue.SimpleQueue[_Request | None] = queue.SimpleQueue()
        self._lock = threading.Lock()  # held briefly when a thread begins or ends
        self._device = threading.Lock()  # held by the thread that has the device
        self._thread: threading.Thread | None = None
        self._asked: dict[Name, float] = {}
        self._files: dict[Name, pygame.mixer.Sound] = {}
        self._try_at = 0.0

    def play(self, name: Name) -> None:
        """Start playing `name` if sound is on, and the same sound was not requested a moment ago."""
        now, settings = time.monotonic(), self._settings
        if not settings.sound or settings.volume <= 0 or now - self._asked.get(name, 0.0) < _SPACING:
            return
        self._asked[name] = now
        with self._lock:
            # Hearing is logarithmic: half of the slider is a quarter of the amplitude.
            self._queue.put(_Request(name, (settings.volume / 100) ** 2, now))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="sounds", daemon=True)
                self._thread.start()

    def close(self) -> bool:
        """End the thread, and wait for that at most 0.3 s, since a device may hang. Return whether none runs now."""
        with self._lock:
            thread = self._thread
            self._queue.put(None)
        if thread is None:
            return True
        thread.join(0.3)
        return not thread.is_alive()

    # On the thread.

    def _run(self) -> None:
        """Play the requested sounds until `_next_request` returns None, but none that is late; then close the device.
        Runs on a thread."""
        with self._device:  # the previous thread may still be closing it
            while (wanted := self._next_request()) is not None:
                now = time.monotonic()
                if now - wanted.when > _LATE or now < self._try_at:
                    continue
                try:
                    self._play_request(wanted)
                except _TROUBLE as error:
                    _log.warning("no sound: %s", error)
                    self._try_at = now + _AGAIN
            self._close_device()

    def _next_request(self) -> _Request | None:
        """Wait for the next request. Return None when the thread is to end: at `close`, or after `REST` seconds of
        silence."""
        try:
            wanted = self._queue.get(timeout=REST)
        except queue.Empty:
            wanted = None
        with self._lock:
            if wanted is None and not self._queue.empty():
                wanted = self._queue.get()
            if wanted is None:
                self._thread = None
        return wanted

    def _play_request(self, wanted: _Request) -> None:
        """Play the requested sound; open the device and load the file if necessary. Raise one of `_TROUBLE`."""
        if pygame.mixer.get_init() is None:
            self._files.clear()
            pygame.mixer.init(RATE, -16, CHANNELS, 512)
        if wanted.name not in self._files:
            self._files[wanted.name] = pygame.mixer.Sound(_file_of(wanted.name))
        sound = self._files[wanted.name]
        sound.set_volume(wanted.volume)
        sound.play()

    def _close_device(self) -> None:
        """Forget the loaded sounds and close the device; log an error, and do not raise it."""
        self._files.clear()
        try:
            pygame.mixer.quit()
        except _TROUBLE as error:
            _log.warning("the sound could not be closed: %s", error)


def _file_of(name: Name) -> str:
    """Return the path of a sound's file. Raise `FileNotFoundError`."""
    path = resource("sounds", f"{name}.wav")
    if not path.is_file():
        raise FileNotFoundError(f"{path.name} is missing")
    return str(path)


def describe_sound() -> str:
    """Describe the sound device, or why it cannot be opened, and our sound files, for problem reports."""
    missing = [name for name in NAMES if not resource("sounds", f"{name}.wav").is_file()]
    files = f", {', '.join(missing)} missing" if missing else f", {len(NAMES)} sounds"
    try:
        pygame.mixer.init(RATE, -16, CHANNELS, 512)
        opened = pygame.mixer.get_init()
        pygame.mixer.quit()
    except _TROUBLE as error:
        return f"none: {error}{files}"
    assert opened is not None
    return f"{opened[0]} Hz, {opened[2]} channels{files}"
