"""Allow one window for each data folder.

The process with the window holds a lock, which the system releases however that process ends. A later start puts a
letter with the name of its file into the folder `inbox`, and waits until the window has removed it. A folder needs
neither a port nor a secret, works alike on every system, and neither side ever blocks on the other. Invalid letters are
removed and ignored.
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

from games.fields import DecodeError, file_name
from games.storage import data_home, lock, read_regular, write_atomic

PATIENCE = 6.0
"""Seconds that a later start waits for the window; older letters are ignored."""

_LOOK = 0.2  # seconds between polls of the inbox
_ASK = 0.05  # seconds between checks whether a letter was taken
_MOST_BYTES = 1 << 16  # of the name of a file
_ENDING = ".letter"


class NoAnswer(Exception):
    """Another process holds the lock and does not answer; `str(error)` is a sentence."""


def inbox() -> Path:
    """The folder in which later starts leave their letters."""
    return data_home() / "inbox"


def claim(file: Path | None) -> Instance | None:
    """Return the right to open a window. Return None if the window of another process has taken over the request: to
    open `file`, an absolute path, or for None to come to the front. Raise `NoAnswer` if that process does not
    answer."""
    letter, until = None, time.monotonic() + PATIENCE
    while True:
        try:
            held = lock(data_home() / "window.lock")
        except OSError:  # nothing can be written there, and so nothing overwritten
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
    """Write a letter that asks the running window to open `file`, or for None to come to the front. Return the letter.
    Raise `NoAnswer` if it cannot be written."""
    letter = inbox() / f"{secrets.token_hex(8)}{_ENDING}"
    _allow_focus()
    try:
        write_atomic(letter, b"" if file is None else os.fsencode(file))
    except OSError as error:
        raise NoAnswer(f"Tengen is already running, and its window cannot be reached: {error.strerror}.") from error
    return letter


def _allow_focus() -> None:
    """Let the other process raise its window: on Windows only the foreground process can permit that."""
    if sys.platform == "win32":
        import ctypes

        anyone = -1
        ctypes.windll.user32.AllowSetForegroundWindow(anyone)


def _give_up(letter: Path) -> None:
    """Withdraw the letter. If the window has taken it meanwhile, return; else raise `NoAnswer`."""
    try:
        letter.unlink()
    except FileNotFoundError:
        return
    raise NoAnswer("Tengen is already running, but its window does not answer. End that process and start again.")


def decode_letter(letter: bytes) -> Path | None:
    """Return the absolute path in a letter, or None if it asks for no file. Raise `ValueError` for an invalid one."""
    if not letter:
        return None
    file = Path(file_name(os.fsdecode(letter)))
    if not file.is_absolute():
        raise DecodeError("must be an absolute path", "the letter")
    return file


class Instance:
    """The right to own the window, and the inbox for the requests of later starts. `held` is the lock; without it no
    request is answered."""

    def __init__(self, held: BaseFileLock | None) -> None:
        self._held = held
        self._over, self._mail = threading.Event(), threading.Event()
        self._stuck: set[Path] = set()  # letters that cannot be removed

    def watch(self, wake: Callable[[], object]) -> None:
        """Start a thread that polls the inbox, and calls `wake` when there are letters for `take_requests`."""
        if self._held is not None:
            threading.Thread(target=self._poll_inbox, args=(wake,), name="inbox", daemon=True).start()

    def close(self) -> None:
        """End the thread and release the lock."""
        self._over.set()
        if self._held is not None:
            self._held.release()

    def _poll_inbox(self, wake: Callable[[], object]) -> None:
        """Poll the inbox until `close`, and call `wake` when there is a letter. Runs on a thread."""
        while not self._over.wait(_LOOK):
            if any(True for _ in self._letters()):
                self._mail.set()
                wake()

    def _letters(self) -> Iterator[Path]:
        """Yield the letters in the inbox, except those that could not be removed."""
        with suppress(OSError):
            for file in inbox().iterdir():
                if file.suffix == _ENDING and file not in self._stuck:
                    yield file

    def take_requests(self) -> list[Path | None]:
        """Remove all letters, and return their requests: a file to open, or None to come to the front only. Drop
        letters that are invalid or too old."""
        if not self._mail.is_set():
            return []
        self._mail.clear()
        asked = []
        for letter in list(self._letters()):
            with suppress(OSError, ValueError):
                asked.append(self._take(letter))
        return asked

    def _take(self, letter: Path) -> Path | None:
        """Remove the letter, and return the file it asks for, or None. Raise `OSError` or `ValueError` if it is
        unreadable, invalid or too old."""
        try:
            fresh = time.time() - letter.lstat().st_mtime < PATIENCE
            data = read_regular(letter, _MOST_BYTES)
        finally:
            self._remove(letter)
        if not fresh:
            raise ValueError("too old")
        return decode_letter(data)

    def _remove(self, letter: Path) -> None:
        """Remove a letter. Raise `OSError` if that fails; unless it was gone already, ignore it from then on."""
        try:
            letter.unlink()
        except FileNotFoundError:  # its sender has given up
            raise
        except OSError:
            self._stuck.add(letter)
            raise
