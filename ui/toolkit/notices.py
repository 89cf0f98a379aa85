"""The message in the status line, shown for some seconds while it is true."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

SECONDS = 6.0
"""How long a message is shown; an error, twice as long."""

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
    """At most one message. It ends when its time is over, when its `owner` (a scene, or None for any) is left, and when
    `holds` becomes false."""

    def __init__(self) -> None:
        self._notice: _Notice | None = None

    @property
    def text(self) -> str:
        return "" if self._notice is None else self._notice.text

    @property
    def kind(self) -> str:
        return "info" if self._notice is None else self._notice.kind

    def say(self, text: str, kind: str, owner: object, holds: Holds = always) -> None:
        """Replace the message. `kind` is ``info``, ``good`` or ``bad``."""
        seconds = SECONDS * (2 if kind == "bad" else 1)
        self._notice = _Notice(text, kind, time.monotonic() + seconds, owner, holds)

    def update(self, now: float, owner: object) -> None:
        """Remove an outdated message. `owner` is the current scene."""
        notice = self._notice
        if notice is not None and (now >= notice.until or notice.owner not in (None, owner) or not notice.holds()):
            self._notice = None

    def due(self, now: float) -> float | None:
        """Return the seconds until the message ends; None without one."""
        return None if self._notice is None else self._notice.until - now
