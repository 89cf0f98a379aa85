"""What goes on behind the window, whatever screen is shown: an import into a database, in a process of its own, and a
tournament."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ai.system.stream import Stream
from games.database.importer import Progress, UnreadGame, import_games, mirror_library

if TYPE_CHECKING:
    from ai.arena.tournament_run import TournamentRun

_MOST_FAILURES = 1_000
_NICE = 10  # by how much the process of an import stands back, so that the window keeps its frames


class Imports:
    """One import at a time, into the `database`. It can be stopped at any moment, and resumed: what was imported stays.
    `wake` is called on a thread when there is something to `update`."""

    def __init__(self, wake: Callable[[], object], said: Callable[[Imports], object] = lambda _: None) -> None:
        self.database: Path | None = None
        """The one of the import under way, or of the last one; None if that mirrors the saved games."""
        self.progress = Progress()
        self.failures: list[UnreadGame] = []
        """The first of those of the import under way, or of the last one."""
        self.failed = 0
        """How many there are."""
        self.broken = False
        """Whether the last import has ended by an error."""
        self.version = 0
        """Increases when there are more games."""
        self.mirrored = False
        """Whether the saved games have been read since the window was opened."""
        self._wake, self._said = wake, said
        self._stream: Stream[Progress] | None = None

    @property
    def busy(self) -> bool:
        """Whether an import is under way that a person has begun."""
        return self._stream is not None and self.database is not None

    @property
    def mirroring(self) -> bool:
        """Whether the saved games are being read."""
        return self._stream is not None and self.database is None

    def start(self, database: Path, chosen: list[Path]) -> None:
        """Import the games of files and folders; stop an import under way."""
        self.stop()
        self._begin(database)
        self._stream = Stream(self._wake, gently, import_games, database, chosen)

    def mirror(self) -> None:
        """Bring the database of the saved games up to date, unless an import is under way."""
        if self._stream is None:
            self._begin(None)
            self._stream = Stream(self._wake, gently, mirror_library)

    def _begin(self, database: Path | None) -> None:
        self.database, self.progress, self.failures, self.failed = database, Progress(), [], 0
        self.broken = False

    def update(self) -> None:
        """Take the progress. Called once a frame."""
        stream = self._stream
        if stream is None:
            return
        for progress in stream.take():
            self.version += progress.games != self.progress.games
            self.progress = progress
            self.failed += len(progress.failures)
            self.failures += progress.failures[: _MOST_FAILURES - len(self.failures)]
        if not stream.busy:
            self._stream, self.broken = None, stream.failed
            self.version += 1
            self.mirrored |= self.database is None and not self.broken
            self._said(self)

    def stop(self) -> None:
        """End the import under way."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None
            self.version += 1


def gently(task: Callable[..., Iterator[Progress]], *arguments: object) -> Iterator[Progress]:
    """Do a task in a process that stands back behind all others, where the system knows that."""
    if hasattr(os, "nice") and multiprocessing.parent_process() is not None:
        os.nice(_NICE)
    return task(*arguments)


class Tournaments:
    """One tournament at a time. It can be stopped at any moment, and resumed: what was played stays. `wake` is called
    on a thread when there is something to `update`; `said` once it has ended by itself."""

    def __init__(self, wake: Callable[[], object], said: Callable[[TournamentRun], object] = lambda _: None) -> None:
        self.run: TournamentRun | None = None
        """The one that is played."""
        self.at_once = 1
        """How many games are played at a time, from the next start on."""
        self.version = 0
        """Increases with each move and each result."""
        self._wake, self._said = wake, said

    def start(self, folder: Path) -> None:
        """Play what is left of the tournament in `folder`; stop the one under way. Raise `BadJournal` and `OSError`."""
        from ai.arena.tournament_run import TournamentRun

        self.stop()
        self.run = TournamentRun(folder, self._wake, self.at_once)
        self.version += 1

    def update(self) -> None:
        """Take what was played, and begin games. Called once a frame."""
        run = self.run
        if run is None:
            return
        self.version += run.update()
        if run.over:
            self.run = None
            self.version += 1
            self._said(run)

    def wake(self) -> float | None:
        """Return the seconds until the next `update` is due without an event."""
        return 0.0 if self.run is not None and self.run.busy else None

    def stop(self) -> None:
        """Stop the tournament under way."""
        if self.run is not None:
            self.run.stop()
            self.run = None
            self.version += 1
