"""The commands that a manager sends, read while the engine thinks, so that it can be told to stop."""

from __future__ import annotations

import queue
import threading
import time
from dataclasses import dataclass

from ai.pbrain.lines import Source, lines
from ai.player import Stop

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
        self._lock = threading.Lock()
        self._stopped = -1  # number of the newest command that stops
        self._ended: float | None = None  # when END arrived
        self._running = (0, Stop())  # number of the command whose search was the last to begin, and its stop
        threading.Thread(target=self._read, args=(source,), name="tengen-inbox", daemon=True).start()

    def next(self) -> Command:
        """The next command, waited for."""
        return self._commands.get()

    def stop(self, number: int) -> Stop:
        """The `Stop` of a search, the only one from now on, that the command `number` asks for.

        END while it runs stops it at once. Where END had come already, as in a script that is piped in as a whole,
        the search still has a part of a short time, so that there is an answer worth having.
        """
        stop = Stop()
        with self._lock:
            self._running = (number, stop)
            if self._stopped > number:
                stop.set()
            elif self._ended is not None:
                left = self._ended + _LEAVE_SECONDS - time.monotonic()
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
            if command.word == END or self._stopped > asked:
                stop.set()
        self._commands.put(command)
