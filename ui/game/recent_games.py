"""The games played last: those that the home screen shows."""

from __future__ import annotations

from pathlib import Path

from games.library.rows import UNFINISHED, Entry
from games.record import only_person
from ui.game.library_games import LibraryGames
from ui.host import Host

_MOST = 12


class RecentGames:
    """`unfinished` is the game to continue, if there is one; `entries` are the others, the last first."""

    def __init__(self, host: Host) -> None:
        self._host, self._games = host, LibraryGames(host)
        self.unfinished: Entry | None = None
        self.entries: list[Entry] = []

    def refresh(self) -> None:
        """Look at the files again, on the library's thread."""
        self._games.library.refresh()

    def close(self) -> None:
        self._games.close()

    def load(self) -> None:
        """Take the games from the library as it is now."""
        known, wanted = self._games.recent(_MOST), self._host.settings.unfinished
        self.unfinished = next((entry for entry in known if _is_unfinished(entry, wanted)), None)
        self.entries = [entry for entry in known if entry is not self.unfinished and entry.problem is None]

    def update(self) -> None:
        if self._games.changed:
            self.load()

    def wake(self) -> float | None:
        """Seconds until there may be others."""
        return 0.0 if self._games.changed else 0.2 if self._games.busy else None

    def proceed(self, file: Path) -> None:
        """Go on with the game in `file`."""
        self._host.read_game(file, lambda record: self._host.open("play", record, file))

    def open(self, entry: Entry) -> None:
        """Show the game of `entry`, or go on with it."""
        if to_be_continued(entry):
            self.proceed(entry.path)
        else:
            self._host.open_file(entry.path)


def _is_unfinished(entry: Entry, wanted: str) -> bool:
    return bool(wanted) and entry.path == Path(wanted) and entry.result == UNFINISHED


def to_be_continued(entry: Entry) -> bool:
    """Whether it is an unfinished game against a computer: one without a result between others may be a study."""
    return entry.result == UNFINISHED and only_person(entry.seats) is not None
