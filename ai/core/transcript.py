"""What a player that is another program and we have said to each other."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass

from ai.core.player import Player

_MOST = 400  # lines that are kept
_LONGEST = 500  # characters of a line


@dataclass(frozen=True, slots=True)
class Said:
    """A line: ``sent`` to the program, ``heard`` from it, or a ``note`` of ours. `number` counts all lines from 1."""

    kind: str
    text: str
    number: int


class Transcript:
    """The last lines that were exchanged with a program, oldest first. Any thread may add and read."""

    def __init__(self) -> None:
        self._lines: deque[Said] = deque(maxlen=_MOST)
        self._lock = threading.Lock()
        self.count = 0
        """How many lines there have been."""

    def add(self, kind: str, *texts: str) -> None:
        """Add lines of a `kind` of `Said`."""
        with self._lock:
            for text in texts:
                self.count += 1
                self._lines.append(Said(kind, text[:_LONGEST], self.count))

    def last(self, most: int = _MOST) -> list[Said]:
        """Return the last lines, at most so many."""
        with self._lock:
            return list(self._lines)[-most:] if most > 0 else []


class Transcribed(Player):
    """A player that keeps a transcript."""

    transcript: Transcript
