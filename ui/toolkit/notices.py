"""The message in the status line, shown for some seconds while it is true."""

from __future__ import annotations

import time
from collections.abc import Callable

SECONDS = 6.0
"""How long a message is shown; an error, twice as long."""

Holds = Callable[[], bool]


def always() -> bool:
    """The default of `holds`: what is said stays true."""
    return True


class Notices:
    """At most one message: `text`, empty if there is none, and its `kind`: ``info``, ``good`` or ``bad``.

    It ends when its time is over, when its `owner` (a screen, or None for any) is left, and when `holds` becomes false.
    """

    def __init__(self) -> None:
        self.say("", "info", None)

    def say(self, text: str, kind: str, owner: object, holds: Holds = always) -> None:
        """Replace the message."""
        self.text, self.kind, self._owner, self._holds = text, kind, owner, holds
        self._until = time.monotonic() + SECONDS * (2 if kind == "bad" else 1)

    def update(self, now: float, owner: object) -> None:
        """Remove an outdated message. `owner` is the current screen."""
        if self.text and (now >= self._until or self._owner not in (None, owner) or not self._holds()):
            self.say("", "info", None)

    def due(self, now: float) -> float | None:
        """Return the seconds until the message ends; None without one."""
        return self._until - now if self.text else None
