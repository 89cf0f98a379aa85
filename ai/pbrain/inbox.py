"""Receive a manager's commands on a thread, so that a search can be stopped; split streams into lines of text."""

from __future__ import annotations

import queue
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from ai.player import Stop

STOPS = ("YXSTOP", "STOP")
END = "END"

LONGEST = 4096
"""Maximum bytes of a line; the rest is dropped."""

_LINE_END = re.compile(rb"[\r\n]")
MOST_COMMANDS = 4096
"""Commands that wait to be answered; then no more are read until some are, and no search lasts longer."""

LEAVE_SECONDS = 0.7  # after END or end of input, to answer earlier commands


@dataclass(frozen=True, slots=True)
class Command:
    """A line: its first word in capitals, the rest, its number and its time of arrival."""

    word: str
    rest: str
    number: int
    arrived: float

    @property
    def text(self) -> str:
        return f"{self.word} {self.rest}".strip()


class Inbox:
    """Read `source` on a thread. End of input counts as END."""

    def __init__(self, source: Source) -> None:
        self._commands: queue.Queue[Command] = queue.Queue(MOST_COMMANDS)
        self._lock = threading.Lock()
        self._stopped = -1  # number of the newest command that stops
        self._ended: float | None = None  # time of END
        self.ended = threading.Event()
        """Set when END has arrived."""
        self._running = (0, Stop())  # number of the command whose search began last, and its stop
        threading.Thread(target=self._read, args=(source,), name="tengen-inbox", daemon=True).start()

    def next(self) -> Command:
        """Wait for the next command."""
        return self._commands.get()

    def stop(self, number: int) -> Stop:
        """Return the `Stop` of the search for command `number`, which replaces that of the last search.

        END stops a running search at once. If END has already arrived, as in a script piped in as a whole, the
        search gets a short time for a useful answer.
        """
        stop = Stop()
        with self._lock:
            self._running = (number, stop)
            if self._stopped > number or self._commands.full():
                stop.set()
            elif self._ended is not None:
                left = self._ended + LEAVE_SECONDS - time.monotonic()
                timer = threading.Timer(max(0.0, left / 2), stop.set)
                timer.daemon = True
                timer.start()
        return stop

    def _read(self, source: Source) -> None:
        number = 0
        for number, line in enumerate(lines(source)):
            word, _, rest = line.partition(" ")
            command = Command(word.upper(), rest.strip(), number, time.monotonic())
            self._put(command)
            if command.word == END:
                return
        self._put(Command(END, "", number + 1, time.monotonic()))

    def _put(self, command: Command) -> None:
        with self._lock:
            asked, stop = self._running
            if command.word in STOPS:
                self._stopped = command.number
            elif command.word == END:
                self._ended = command.arrived
                self.ended.set()
            if command.word == END or self._stopped > asked or self._commands.full():
                stop.set()
        self._commands.put(command)


class Source(Protocol):
    """A stream of bytes whose `read1` waits for some and returns b"" at the end."""

    def read1(self, size: int = ..., /) -> bytes: ...


def lines(source: Source) -> Iterator[str]:
    """Yield the stripped lines of `source` as soon as each is complete.

    Skip empty lines, so that CRLF ends one line and not two. Replace bytes that are not UTF-8. End when the stream
    ends, fails or is closed.
    """
    rest = b""
    while True:
        try:
            data = source.read1(65536)
        except (OSError, ValueError):  # closed while being read
            data = b""
        *whole, rest = _LINE_END.split(rest + data)
        if not data and rest:
            whole.append(rest)  # the last line may lack its terminator
        for line in whole:
            if text := line[:LONGEST].decode("utf-8", "replace").strip("\0 \t\ufeff"):
                yield text
        rest = rest[:LONGEST]
        if not data:
            return
