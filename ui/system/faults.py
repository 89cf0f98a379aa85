"""Log every fault: errors that nobody has caught on any thread, crashes of native code, and a window that stands still,
that is, whose loop hangs.

Everything goes to the log. What Python cannot log in time, faulthandler writes to a file beside it: all stacks at a
fault, and while the window stands still. It is moved to the log when the window moves again, else at the next start.

A thread of Python, the watchdog, watches the loop and lets faulthandler write the stacks. It holds the GIL, so that no
stack changes meanwhile. The thread of `faulthandler.dump_traceback_later` does not hold it, and may crash the program
if another thread runs (seen in Python 3.11). So it writes only where the watchdog could not run for seconds: native
code has held the GIL, or the process was stopped.
"""

from __future__ import annotations

import contextlib
import errno
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

LOOK = 1.0
"""Seconds between two looks at the loop."""

_MOST_BYTES = 1 << 20
_log = logging.getLogger(__name__)


def faults_file() -> Path:
    """The path of the file to which faulthandler writes."""
    return log_home() / "faults.txt"


class _Heading(logging.Filter):
    """A filter of log handlers, which logs a text before the first error of this process; `heading` returns it."""

    def __init__(self, heading: Callable[[], str]) -> None:
        super().__init__()
        self._heading, self._logged = heading, False

    def filter(self, record: logging.LogRecord) -> bool:
        """Log the heading first if `record` is the first error. Return True: no record is filtered out."""
        if record.levelno >= logging.ERROR and not self._logged:
            self._logged = True
            _log.error("An error in this program:\n%s", self._heading())
        return True


class Faults:
    """Logs uncaught errors, and watches for crashes and hangs; before `install`, only what is passed to `note` is
    logged.

    `heading` returns the text that is logged before the first error and begins each `report`; any thread may call it.
    `wake` is called on the thread that an error has ended.
    """

    def __init__(self, heading: Callable[[], str] = str, wake: Callable[[], object] = lambda: None) -> None:
        self._heading, self.wake = heading, wake
        self._trace = ""
        self._ended: deque[str] = deque()
        self._file: BinaryIO | None = None
        self._turned = 0.0  # when the loop last turned
        self._watching = threading.Lock()
        self._end = threading.Event()
        self._watchdog: threading.Thread | None = None

    @contextlib.contextmanager
    def install(self) -> Iterator[None]:
        """Until the block ends, log errors that nobody has caught, on any thread, and crashes of native code, and let
        `reset_watchdog` watch the loop. First log what faulthandler wrote in an earlier run."""
        hooks = sys.excepthook, threading.excepthook, sys.unraisablehook
        heading = _Heading(self._heading)
        handlers = list(logging.getLogger().handlers)
        for handler in handlers:
            handler.addFilter(heading)
        sys.excepthook, threading.excepthook, sys.unraisablehook = self._uncaught, self._note_thread, self._unraisable
        self._enable()
        try:
            yield
        finally:
            self._disable()
            sys.excepthook, threading.excepthook, sys.unraisablehook = hooks
            for handler in handlers:
                handler.removeFilter(heading)

    # Errors.

    def note(self, error: BaseException, what: str = "An unexpected error.") -> None:
        """Log the sentence `what` and the error with its traceback. The next `report` is about it. Any thread may call
        this."""
        self._trace = "".join(traceback.format_exception(error))
        _log.error(what, exc_info=error)

    def ended_threads(self) -> list[str]:
        """Return the names of the threads that errors have ended since the last call."""
        return [self._ended.popleft() for _ in range(len(self._ended))]

    def report(self) -> str:
        """Return the heading and the traceback of the last noted error, with ``~`` for the path of the home folder."""
        text = f"{self._heading()}\n\n{self._trace}"
        home = os.path.expanduser("~")  # noqa: PTH111  (`Path.home` raises where there is none)
        return text.replace(home, "~") if len(home) > 1 else text

    def _uncaught(self, kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> None:
        """`sys.excepthook`: print the error, and note it unless it is the likes of KeyboardInterrupt."""
        if issubclass(kind, Exception):
            self.note(error)
        sys.__excepthook__(kind, error, error.__traceback__)

    def _note_thread(self, facts: threading.ExceptHookArgs) -> None:
        """`threading.excepthook`: note the error and the name of the thread that it ended; ignore SystemExit."""
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

    def _enable(self) -> None:
        """Log what faulthandler wrote in an earlier run, and enable it: it writes to the file, or to stderr if that
        cannot be written; then nothing watches the loop."""
        file = faults_file()
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(FileNotFoundError):
                _log_dump("An earlier run was ended.", _read_dump(file))
            self._file = file.open("wb", buffering=0)
        except OSError as error:
            _log.warning("%s cannot be written: %s", file, error)
            if sys.stderr is not None:
                with contextlib.suppress(ValueError, OSError):  # not a file of the system, as under some test runners
                    faulthandler.enable()
            return
        faulthandler.enable(self._file)
        self._end.clear()
        self._watchdog = threading.Thread(target=self._watch, args=(self._file,), name="watchdog", daemon=True)
        self._watchdog.start()

    def _disable(self) -> None:
        """End the watchdog, disable faulthandler, and log the stacks that were written while the window stood still."""
        self._end.set()
        if self._watchdog is not None:
            self._watchdog.join()
            self._watchdog = None
        faulthandler.disable()
        if self._file is not None:
            self._log_stacks("The window stood still.")
            self._file.close()
            self._file = None

    def _watch(self, file: BinaryIO) -> None:
        """Until the end, write all stacks to `file` once each time the loop stands still. faulthandler's own thread
        does so if this one cannot run."""
        while not self._end.wait(LOOK):
            with self._watching:
                if not self._turned:
                    continue
                faulthandler.dump_traceback_later(STILL + LOOK, file=file)
                if time.monotonic() - self._turned > STILL and file.tell() == 0:
                    faulthandler.dump_traceback(file)
        faulthandler.cancel_dump_traceback_later()

    def reset_watchdog(self) -> None:
        """Tell the watchdog that the loop is running: if neither `reset_watchdog` nor `pause_watchdog` is called within
        about `STILL` seconds, all stacks are logged. Call it at least once a second, also while the loop waits for
        events."""
        if self._file is None:
            return
        now = time.monotonic()  # it stands still while the machine sleeps
        with self._watching:
            if not self._turned:  # the loop may stand still before the watchdog's first look
                faulthandler.dump_traceback_later(STILL + LOOK, file=self._file)
            stood = now - self._turned if self._turned else 0.0
            self._turned = now
        if stood > STILL:
            self._log_stacks(f"The window stood still for {stood:.1f} seconds.")

    def pause_watchdog(self) -> None:
        """Stop the watchdog until the next `reset_watchdog`, since the window waits for a person. Log the stacks that
        it has written, if any."""
        with self._watching:
            self._turned = 0.0
            faulthandler.cancel_dump_traceback_later()
        self._log_stacks("The window stood still.")

    def _log_stacks(self, what: str) -> None:
        """Log what faulthandler has written, if anything, under the sentence `what`, and empty its file."""
        if self._file is None:
            return
        try:
            _log_dump(what, _read_dump(faults_file()))
            self._file.seek(0)
            self._file.truncate()
        except OSError as error:
            _log.warning("%s cannot be read: %s", faults_file(), error)


def _read_dump(file: Path) -> bytes:
    """Read what faulthandler has written to `file`; a sentence in its place if it is larger than `_MOST_BYTES`. Raise
    `OSError`."""
    try:
        return read_regular(file, _MOST_BYTES)
    except OSError as error:
        if error.errno != errno.EFBIG:
            raise
        return b"They are too large to be logged."


def _log_dump(what: str, data: bytes) -> None:
    """Log `data`, stacks from faulthandler, under the sentence `what`; nothing if it is empty."""
    if data:
        _log.error("%s All stacks, the last call first:\n%s", what, data.decode(errors="replace"))
