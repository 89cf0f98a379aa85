"""Leave no fault without a trace: errors that nobody has caught on any thread, faults of native code, and a window that
stands still.

Everything goes to the log. What Python cannot log in time, faulthandler writes to a file beside it: all stacks at a
fault, and while the window stands still, even if a thread holds the GIL. It is moved to the log when the window moves
again, else at the next start.
"""

from __future__ import annotations

import contextlib
import faulthandler
import logging
import os
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from games.storage import log_home, read_regular

STILL = 5.0
"""Seconds after which a window stands still."""

REARM = 1.0
"""Seconds after which faulthandler is armed again: that starts a thread, so not in each frame."""

_MOST_BYTES = 1 << 20
_log = logging.getLogger(__name__)


def faults_file() -> Path:
    """The file to which faulthandler writes."""
    return log_home() / "faults.txt"


class _Heading(logging.Filter):
    """Logs the `heading` before the first error of this process."""

    def __init__(self, heading: Callable[[], str]) -> None:
        super().__init__()
        self._heading, self._logged = heading, False

    def filter(self, record: logging.LogRecord) -> bool:
        """Write the heading before the first error of this run; lets every record pass."""
        if record.levelno >= logging.ERROR and not self._logged:
            self._logged = True
            _log.error("An error in this program:\n%s", self._heading())
        return True


class Faults:
    """Without `install`, only what is passed to `note` is logged, and nothing is watched.

    `heading` returns what is logged before the first error and what a `report` begins with, on any thread. `wake` is
    called on a thread when an error has ended it.
    """

    def __init__(self, heading: Callable[[], str] = str, wake: Callable[[], object] = lambda: None) -> None:
        self._heading, self.wake = heading, wake
        self._trace = ""
        self._ended: deque[str] = deque()
        self._file: BinaryIO | None = None
        self._turned = self._armed = 0.0

    @contextlib.contextmanager
    def install(self) -> Iterator[None]:
        """Take over what Python does with errors that nobody has caught, and faults, until the block ends."""
        hooks = sys.excepthook, threading.excepthook, sys.unraisablehook
        heading = _Heading(self._heading)
        handlers = list(logging.getLogger().handlers)
        for handler in handlers:
            handler.addFilter(heading)
        sys.excepthook, threading.excepthook, sys.unraisablehook = self._uncaught, self._note_thread, self._unraisable
        self._open()
        try:
            yield
        finally:
            self._close()
            sys.excepthook, threading.excepthook, sys.unraisablehook = hooks
            for handler in handlers:
                handler.removeFilter(heading)

    # Errors.

    def note(self, error: BaseException, what: str = "An unexpected error.") -> None:
        """Log an error with its trace. The next `report` is about it. Any thread may call this."""
        self._trace = "".join(traceback.format_exception(error))
        _log.error(what, exc_info=error)

    def ended_threads(self) -> list[str]:
        """Return the names of the threads that errors have ended since the last call."""
        return [self._ended.popleft() for _ in range(len(self._ended))]

    def report(self) -> str:
        """The heading and the trace of the last error that was noted, without the name of the person's folder."""
        text = f"{self._heading()}\n\n{self._trace}"
        home = os.path.expanduser("~")  # noqa: PTH111  (`Path.home` raises where there is none)
        return text.replace(home, "~") if len(home) > 1 else text

    def _uncaught(self, kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> None:
        """`sys.excepthook`: note the error and print it."""
        if issubclass(kind, Exception):
            self.note(error)
        sys.__excepthook__(kind, error, error.__traceback__)

    def _note_thread(self, facts: threading.ExceptHookArgs) -> None:
        """`threading.excepthook`: note the error and the name of the thread that it ended."""
        if facts.exc_value is None or isinstance(facts.exc_value, SystemExit):
            return
        name = "" if facts.thread is None else facts.thread.name
        self.note(facts.exc_value, f"An error has ended the thread “{name}”.")
        self._ended.append(name)
        self.wake()

    def _unraisable(self, facts: sys.UnraisableHookArgs) -> None:
        """`sys.unraisablehook`: note the error."""
        if facts.exc_value is not None:
            self.note(facts.exc_value, f"{facts.err_msg or 'Exception ignored in'}: {facts.object!r}")

    # Faults, and a window that stands still.

    def _open(self) -> None:
        """Log what an earlier run has left. Have faulthandler write to the file, or to stderr where that is
        impossible."""
        file = faults_file()
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(FileNotFoundError):
                _move("An earlier run was ended.", read_regular(file, _MOST_BYTES))
            self._file = file.open("wb", buffering=0)
        except OSError as error:
            _log.warning("%s cannot be written: %s", file, error)
            if sys.stderr is not None:
                with contextlib.suppress(ValueError, OSError):  # not a file of the system, as under some test runners
                    faulthandler.enable()
            return
        faulthandler.enable(self._file)

    def _close(self) -> None:
        """Stop watching, and keep what was noted of a window that stood still."""
        faulthandler.cancel_dump_traceback_later()
        faulthandler.disable()
        if self._file is not None:
            self._collect("The window stood still.")
            self._file.close()
            self._file = None

    def turn(self) -> None:
        """Call this whenever the window is about to wait for events, at least once a second while it waits: if it does
        not come back within `STILL` seconds, all stacks are logged."""
        if self._file is None:
            return
        now = time.monotonic()  # as faulthandler, it stands still while the machine sleeps
        if self._turned and now - self._turned > STILL:
            self._collect(f"The window stood still for {now - self._turned:.1f} seconds.")
        self._turned = now
        if now - self._armed >= REARM:
            self._armed = now
            faulthandler.dump_traceback_later(STILL + REARM, file=self._file)

    def rest(self) -> None:
        """Stop watching until the next `turn`: the window waits for a person."""
        self._turned = self._armed = 0.0
        faulthandler.cancel_dump_traceback_later()

    def _collect(self, what: str) -> None:
        """Move to the log what faulthandler has written of `what` has happened."""
        if self._file is None:
            return
        try:
            _move(what, read_regular(faults_file(), _MOST_BYTES))
            self._file.seek(0)
            self._file.truncate()
        except OSError as error:
            _log.warning("%s cannot be read: %s", faults_file(), error)


def _move(what: str, data: bytes) -> None:
    """Log what faulthandler has written."""
    if data:
        _log.error("%s All stacks, the last call first:\n%s", what, data.decode(errors="replace"))
