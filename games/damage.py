"""Report damage of files on disk: what was set aside, and what cannot be read.

Whoever reads a file at a border reports here and goes on without it. The window shows what is `fresh`; on the command
line, the log writes it to stderr.
"""

from __future__ import annotations

import logging
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

_log = logging.getLogger(__name__)

Kind = Literal["set_aside", "rows", "unreadable", "deep"]

_SENTENCES: dict[Kind, str] = {
    "set_aside": "“{file}” was damaged; what could be read was kept, and the damaged file is now “{fact}”.",
    "rows": "Damaged entries of “{file}” were set aside, {fact} of them; the others were kept.",
    "unreadable": "“{file}” cannot be read: {fact}.",
    "deep": "Folders below “{file}” are nested too deep; the games in the deepest are left out.",
}


@dataclass(frozen=True, slots=True)
class Damage:
    """Damage of `file`. `fact` is where a ``set_aside`` file is now, the number of ``rows`` that were set aside, or the
    `OSError` that makes a file ``unreadable``."""

    kind: Kind
    file: Path
    fact: str | OSError = ""

    def __str__(self) -> str:
        fact = (self.fact.strerror or self.fact) if isinstance(self.fact, OSError) else self.fact
        return _SENTENCES[self.kind].format(file=self.file, fact=fact)


_said: set[str] = set()
_fresh: deque[Damage] = deque()


def report(kind: Kind, file: Path, fact: str | OSError = "") -> None:
    """Report damage; what is found again at each reading only once. Any thread may call it."""
    damage = Damage(kind, file, fact)
    if kind in ("rows", "set_aside") or str(damage) not in _said:  # each time it is other data
        _said.add(str(damage))
        _fresh.append(damage)
        _log.warning("%s", damage)


def fresh() -> list[Damage]:
    """Return what was reported since the last call."""
    found = []
    while _fresh:
        found.append(_fresh.popleft())
    return found
