"""One window for each data folder.

The first start holds a lock as long as it lives; the system releases it however the process ends. A later start puts
the name of its file into the folder `inbox` and waits until the window has taken it out: that is the answer. A folder
needs neither a port nor a secret, works alike on every system, and nobody ever waits for the other side to read or
write. What else lies in the folder is removed, and does nothing.
"""

from __future__ import annotations

import os
import secrets
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from filelock import BaseFileLock

from games.storage import data_home, lock, read_regular, write_atomic

PATIENCE = 6.0
"""Seconds that a later start waits for the window; older letters are out of date."""

_LOOK = 0.2  # seconds between two looks into the inbox
_ASK = 0.05  # seconds between two looks whether a letter was taken
_MOST_BYTES = 1 << 16  # of the name of a file
_ENDING = ".letter"


class NoAnswer(Exception):
    """Another process holds the lock and does not answer; `str(error)` is a sentence."""


def inbox() -> Path:
    return data_home() / "inbox"


def claim(file: Path | None) -> Instance | None:
    """The right of this process to a window, or None where the window of another process has taken over `file`, which
    is absolute. Raises `NoAnswer`."""
    letter, until = None, time.monotonic() + PATIENCE
    while True:
        try:
            held = lock(data_home() / "window.lock")
        except OSError:  # nothing can be written there, so that nothing can be overwritten either
            return Instance(None)
        if held is not None:
            if letter is not None:
                letter.unlink(missing_ok=True)
            return Instance(held)
        letter = letter or _post(file)
        if not letter.exists():
            return None
        if time.monotonic() > until:
            _give_up(letter)
            return None
        time.sleep(_ASK)


def _post(file: Path | None) -> Path:
    letter = inbox() / f"{secrets.token_hex(8)}{_ENDING}"
    _allow_focus()
    try:
        write_atomic(letter, b"" if file is None else os.fsencode(file))
    except OSError as error:
        raise NoAnswer(f"Tengen is already running, and its window cannot be reached: {error.strerror}.") from error
    return letter


def _allow_focus() -> None:
    """Lets the other process put its window in front: on Windows only the process in front may grant that."""
    if sys.platform == "win32":
        import ctypes

        anyone = -1
        ctypes.windll.user32.AllowSetForegroundWindow(anyone)


def _give_up(letter: Path) -> None:
    """Takes the letter back. Raises `NoAnswer` unless it has just been taken."""
    try:
        letter.unlink()
    except FileNotFoundError:
        return
    raise NoAnswer("Tengen is already running, but its window does not answer. End that process and start again.")


class Instance:
    """The right to the window, and what later starts ask of it. Without a `held` lock nobody is answered."""

    def __init__(self, held: BaseFileLock | None) -> None:
        self._held = held
        self._over, self._mail = threading.Event(), threading.Event()
        self._stuck: set[Path] = set()  # what cannot be removed

    def watch(self, wake: Callable[[], object]) -> None:
        """Looks into the inbox from now on, on a thread, which calls `wake` when there is something to `answer`."""
        if self._held is not None:
            threading.Thread(target=self._look, args=(wake,), name="inbox", daemon=True).start()

    def close(self) -> None:
        """Ends the thread and releases the lock."""
        self._over.set()
        if self._held is not None:
            self._held.release()

    def _look(self, wake: Callable[[], object]) -> None:
        while not self._over.wait(_LOOK):
            if any(True for _ in self._letters()):
                self._mail.set()
                wake()

    def _letters(self) -> Iterator[Path]:
        with suppress(OSError):
            for file in inbox().iterdir():
                if file.suffix == _ENDING and file not in self._stuck:
                    yield file

    def answer(self) -> list[Path | None]:
        """What later starts have brought since the last call: files to open, and None of each that has none."""
        if not self._mail.is_set():
            return []
        self._mail.clear()
        asked = []
        for letter in list(self._letters()):
            with suppress(OSError, ValueError):
                asked.append(self._take(letter))
        return asked

    def _take(self, letter: Path) -> Path | None:
        """Removes the letter. Raises `OSError` or `ValueError` for one that is to be ignored."""
        try:
            fresh = time.time() - letter.lstat().st_mtime < PATIENCE
            data = read_regular(letter, _MOST_BYTES)
        finally:
            self._remove(letter)
        if not fresh or b"\0" in data:
            raise ValueError("out of date, or no name of a file")
        return Path(os.fsdecode(data)) if data else None

    def _remove(self, letter: Path) -> None:
        try:
            letter.unlink()
        except FileNotFoundError:  # who sent it has given up
            raise
        except OSError:
            self._stuck.add(letter)
            raise
