"""What a game's file says of the game besides who played and when: the event, ranks, who annotated it, and so on.

`GameRecord.about` is the only place of what a file says besides moves and players.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from games.fields import one_line

LONGEST_LINE, LONGEST_NOTE = 1_000, 100_000
"""Maximum number of characters of a field that is one line, and of the note."""


@dataclass(frozen=True, slots=True)
class About:
    """All fields are text, as people wrote it; empty where nothing is known. `ranks` and `teams` are those of the first
    and of the second side. `note` may have several lines, all others have one."""

    title: str = ""
    event: str = ""
    place: str = ""
    round: str = ""
    ranks: tuple[str, str] = ("", "")
    teams: tuple[str, str] = ("", "")
    annotator: str = ""
    source: str = ""
    author: str = ""
    """Who entered the game."""
    copyright: str = ""
    note: str = ""

    @property
    def occasion(self) -> str:
        """Return the event, the place and the round in one line."""
        return " · ".join(one_line(text) for text in (self.event, self.place, self.round) if text)

    def texts(self) -> list[str]:
        """Return all fields that are not empty."""
        values: list[str] = []
        for each in fields(self):
            value = getattr(self, each.name)
            values.extend(value if isinstance(value, tuple) else (value,))
        return [value for value in values if value]
