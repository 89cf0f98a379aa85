"""The commands that a manager sends, read while the engine thinks, so that it can be told to stop."""

from __future__ import annotations

import queue
import threading
import time
from dataclasses import dataclass

from ai.pbrain.lines import Source, lines

STOPS = ("YXSTOP", "STOP")
END = "END"

_LEAVE_SECONDS = 0.7  # from END, or the end of input, in which what was asked before is still answered


@dataclass(frozen=True, slots=True)
class Command:
    """A line: the first word in capitals, what follows it, its number and when it arrived."""

    word: str
    rest: str
    number: int
    arrived: float

    @property
    def text(self) -> str:
        return f"{self.word} {self.rest}".strip()


class Inbox:
    """Reads `source` on a thread of its own. The end of input is an END."""

    def __init__(self, source: Source) -> None:
        self._commands: queue.SimpleQueue[Command] = queue.SimpleQueue()
        self._stopped = -1  # number of the newest command that stops
        self._ended: float | None = None
        threading.Thread(target=self._read, args=(source,), name="tengen-inbox", daemon=True).start()

    def next(self) -> Command:
        """The next command, waited for."""
        return self._commands.get()

    @property
    def ended(self) -> float | None:
        """When END arrived; None before."""
        return self._ended

    def stopped_after(self, number: int) -> bool:
        """Whether a stop has arrived after the command of that number."""
        return self._stopped > number

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
        if command.word in STOPS:
            self._stopped = command.number
        elif command.word == END:
            self._ended = command.arrived
        self._commands.put(command)


class Patience:
    """The `Stop` of a search that the command `number` asked for.

    END while it runs stops it at once. Where END had come already, as in a script that is piped in as a whole, the
    search still has a part of a short time, so that there is an answer worth having.
    """

    def __init__(self, inbox: Inbox, number: int) -> None:
        self._inbox = inbox
        self._number = number
        ended, now = inbox.ended, time.monotonic()
        self._until = None if ended is None else now + (ended + _LEAVE_SECONDS - now) / 2

    def is_set(self) -> bool:
        if self._inbox.stopped_after(self._number):
            return True
        if self._until is not None:
            return time.monotonic() >= self._until
        return self._inbox.ended is not None
