"""The process of an external engine: lines to it and from it, neither of which it can make us wait for."""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import signal
import threading
import time
import weakref
from collections.abc import Sequence
from typing import IO

from ai.pbrain.messages import LONGEST, lines
from ai.system.programs import Program

_MOST_LINES = 1000  # that wait to be taken; then the program has to wait
_MOST_UNREAD = 64  # texts that wait to be read by the program
_READ_SECONDS = 20.0  # for the program to read a text
_LEAVE_SECONDS = 1.0  # to exit after END
_LAST_LINES_SECONDS = 1.0  # to read what a program has written before it ended
_JOIN_SECONDS = 2.0  # for the threads to notice that the program has ended
_POLL = 0.01
_LONGEST_COMMAND = 60


class EngineError(RuntimeError):
    """An external engine failed; `str(error)` is one sentence. The next search starts it again."""


class SlowEngine(EngineError):
    """The engine did not answer in time."""


class IllegalAnswer(EngineError):
    """The engine answered with a move that the rules do not allow."""


class EngineProcess:
    """A program with a thread that writes to it and one that reads from it, since either may have to wait for ever: for
    a program that does not read, and until we take the lines of one that prints without end."""

    def __init__(self, command: str) -> None:
        """Raise `EngineError` if it cannot be started."""
        self.name = short(command)
        try:
            self._program = Program(_arguments(command))
        except FileNotFoundError as error:
            raise EngineError(_not_found(command)) from error
        except (OSError, ValueError) as error:
            reason = (error.strerror if isinstance(error, OSError) else None) or error
            raise EngineError(f"“{self.name}” cannot be started: {reason}.") from error
        self._writer, self._reader = _Writer(self._program.stdin), _Reader(self._program.stdout)
        # At the latest when our program exits.
        self._end = weakref.finalize(self, _end, self._program, self._writer, self._reader)

    @property
    def alive(self) -> bool:
        """Whether it still runs, and can tell us something."""
        return self._program.status is None and self._reader.is_alive()

    def send(self, *texts: str) -> None:
        """Write lines as soon as the program reads them. Raise `SlowEngine` if it has left too many unread."""
        if not self._writer.put("".join(f"{text}\r\n" for text in texts).encode()):
            raise self._deaf()

    def line(self, seconds: float) -> str | None:
        """Return the next line, or None after `seconds`. Raise `EngineError` if the program has ended or has closed its
        output, `SlowEngine` if it does not read."""
        line = self._reader.next(seconds)
        if line is not None:
            return line
        if self._program.status is not None:
            self._reader.join(_LAST_LINES_SECONDS)  # not for ever: something else may hold the pipe
        if not self.alive and (line := self._reader.next(0)) is None:
            raise self._exit_error()
        if self._writer.waiting > _READ_SECONDS:
            raise self._deaf()
        return line

    def _deaf(self) -> SlowEngine:
        """The error for an engine that does not read its input."""
        return SlowEngine(f"“{self.name}” does not read what it is sent.")

    def _exit_error(self) -> EngineError:
        status = self._program.wait(_LEAVE_SECONDS)
        if status is None:
            return EngineError(f"“{self.name}” has closed its output without an answer.")
        return EngineError(f"“{self.name}” has ended without an answer ({_ending(status)}).")

    def close(self, kill: bool) -> None:
        """End the program with all that it has started, first by asking it to unless `kill`, and the threads."""
        if kill:
            self._program.end()
        self._end()


def _end(program: Program, writer: _Writer, reader: _Reader) -> None:
    """Ask the program to end, then kill it, and join the threads of its pipes."""
    if program.status is None and writer.put(b"END\r\n"):
        program.wait(_LEAVE_SECONDS)
    program.end()
    deadline = time.monotonic() + _JOIN_SECONDS
    while (writer.is_alive() or reader.is_alive()) and time.monotonic() < deadline:
        writer.put(None)
        reader.next(_POLL)


class _Writer(threading.Thread):
    """Writes what is `put`, until that is None or the pipe is closed."""

    def __init__(self, stdin: IO[bytes]) -> None:
        super().__init__(name="tengen-pbrain-writer", daemon=True)
        self._stdin = stdin
        self._texts: queue.Queue[bytes | None] = queue.Queue(_MOST_UNREAD)
        self._began: float | None = None
        self.start()

    def put(self, text: bytes | None) -> bool:
        """Return whether there was room for it."""
        with contextlib.suppress(queue.Full):
            self._texts.put_nowait(text)
            return True
        return False

    @property
    def waiting(self) -> float:
        """Seconds that the program has taken so far to read what is being written; 0 if nothing is."""
        began = self._began
        return 0.0 if began is None else time.monotonic() - began

    def run(self) -> None:
        """Write the queued texts until None or a broken pipe."""
        with contextlib.suppress(OSError, ValueError), self._stdin:
            while (text := self._texts.get()) is not None:
                self._began = time.monotonic()
                self._stdin.write(text)
                self._stdin.flush()
                self._began = None
        self._began = None


class _Reader(threading.Thread):
    """Reads lines until the pipe is closed, and waits while many have not been taken."""

    def __init__(self, stdout: IO[bytes]) -> None:
        super().__init__(name="tengen-pbrain", daemon=True)
        self._stdout = stdout
        self._lines: queue.Queue[str] = queue.Queue(_MOST_LINES)
        self.start()

    def next(self, seconds: float) -> str | None:
        """Return the next line, or None after `seconds`."""
        with contextlib.suppress(queue.Empty):
            return self._lines.get(timeout=seconds)
        return None

    def run(self) -> None:
        """Queue the engine's lines, each cut to the longest length allowed."""
        with self._stdout as stdout:
            for line in lines(stdout):  # type: ignore[arg-type]  # a pipe of bytes is a BufferedReader
                self._lines.put(line[:LONGEST])


def _arguments(command: str) -> str | Sequence[str]:
    """Split a command line; Windows does so itself, by its own rules. Raise `ValueError`."""
    return command if os.name == "nt" else shlex.split(command)


def _ending(status: int) -> str:
    """Tell how a program ended, from its exit status or minus the number of a signal."""
    if status >= 0:
        return f"exit status {status if status < 1 << 16 else hex(status)}"  # Windows has codes such as 0xc0000005
    with contextlib.suppress(ValueError):
        return f"killed by {signal.Signals(-status).name}"
    return f"killed by signal {-status}"


def _not_found(command: str) -> str:
    """Say which program the system has not found. Suggest quotes where a path with spaces seems to lack them."""
    parts = command.split(" ")
    tried = parts[0].strip('"') if os.name == "nt" else shlex.split(command)[0]
    if os.path.isfile(tried):  # noqa: PTH113  (`Path.is_file` raises for a name that is too long)
        return f"“{short(tried)}” is there, but not what runs it, such as the interpreter that its first line names."
    sentence = f"“{short(tried)}” cannot be started: there is no such program"
    if os.path.basename(tried) == tried:  # noqa: PTH119
        sentence += " on the PATH"
    longer = (" ".join(parts[:count]) for count in range(2, len(parts) + 1))
    if found := next((path for path in longer if os.path.isfile(path)), ""):  # noqa: PTH113
        return f"{sentence}; put a path with spaces in quotes: “\"{found}\"”."
    return f"{sentence}; a path with spaces needs quotes." if len(parts) > 1 and tried == parts[0] else f"{sentence}."


def short(text: str, length: int = _LONGEST_COMMAND) -> str:
    """Shorten `text` to `length` characters and an ellipsis."""
    return text if len(text) <= length else text[:length] + "…"
