"""The sentence in the status line: shown for some seconds, and no longer than it is true."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

SECONDS = 6.0
"""How long a sentence is shown; what went wrong, twice as long."""

Holds = Callable[[], bool]


def always() -> bool:
    return True


@dataclass(frozen=True, slots=True)
class _Notice:
    text: str
    kind: str
    until: float
    owner: object
    holds: Holds


class Notices:
    """At most one notice is shown. It ends with its time, with its `owner` (the scene that it is about, or None), and
    as soon as `holds` is false."""

    def __init__(self) -> None:
        self._shown: _Notice | None = None

    @property
    def text(self) -> str:
        return "" if self._shown is None else self._shown.text

    @property
    def kind(self) -> str:
        return "info" if self._shown is None else self._shown.kind

    def say(self, text: str, kind: str, owner: object, holds: Holds = always) -> None:
        """Shows `text` in place of what is shown. `kind` is ``info``, ``good`` or ``bad``."""
        seconds = SECONDS * (2 if kind == "bad" else 1)
        self._shown = _Notice(text, kind, time.monotonic() + seconds, owner, holds)

    def update(self, now: float, owner: object) -> None:
        """Withdraws the notice if it is out of date. `owner` is the scene that is shown."""
        shown = self._shown
        if shown is not None and (now >= shown.until or shown.owner not in (None, owner) or not shown.holds()):
            self._shown = None

    def due(self, now: float) -> float | None:
        """In how many seconds the notice ends; None without one."""
        return None if self._shown is None else self._shown.until - now
