"""What runs in the background, whatever screen is shown: an import into a database, in a process of its own, and a
tournament."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ai.system.stream import Stream, TaskFailure
from games.database.importer import Progress, UnreadGame, import_games, mirror_library
from games.database.schema import DatabaseError

if TYPE_CHECKING:
    from ai.arena.tournament_run import TournamentRun

_MOST_FAILURES = 1_000
_NICE = 10  # by how much the process of an import stands back, so that the window keeps its frames


class Imports:
    """Runs one import at a time, into the `database`. It can be stopped at any moment, and resumed: the games imported
    so far stay. `wake` is called on a thread when there is something to `update`; `on_end` when an import has ended by
    itself."""

    def __init__(self, wake: Callable[[], object], on_end: Callable[[Imports], object] = lambda _: None) -> None:
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
        """Whether the saved games have been read, or it was tried, since the screen was opened: others may have changed
        them."""
        self._wake, self._on_end = wake, on_end
        self._stream: Stream[Progress] | None = None

    @property
    def busy(self) -> bool:
        """Whether an import that a person started is running."""
        return self._stream is not None and self.database is not None

    @property
    def mirroring(self) -> bool:
        """Whether the database of the saved games is being brought up to date."""
        return self._stream is not None and self.database is None

    def start(self, database: Path, chosen: list[Path]) -> None:
        """Start to import the games of files and folders, `chosen`, into `database`; stop the import under way."""
        self.stop()
        self._reset(database)
        self._stream = Stream(self._wake, at_low_priority, import_games, database, chosen)

    def mirror(self) -> None:
        """Start to bring the database of the saved games up to date, unless an import is running."""
        if self._stream is None:
            self._reset(None)
            self._stream = Stream(self._wake, at_low_priority, mirror_library)

    def _reset(self, database: Path | None) -> None:
        """Reset what is known of the last import, for one into `database`; None for the saved games."""
        self.database, self.progress, self.failures, self.failed = database, Progress(), [], 0
        self.broken = False

    def update(self) -> None:
        """Take the progress from the import's process; if that has ended, call `on_end`. Called once a frame."""
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
            self.mirrored |= self.database is None
            self._on_end(self)

    def stop(self) -> None:
        """End the import under way, if any, without a call of `on_end`."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None
            self.version += 1


def at_low_priority(task: Callable[..., Iterator[Progress]], *arguments: object) -> Iterator[Progress]:
    """Run `task` and yield its progress; in a child process, lower the priority of the process first, where the system
    has priorities. Raise `TaskFailure` if a database cannot be used."""
    if hasattr(os, "nice") and multiprocessing.parent_process() is not None:
        os.nice(_NICE)
    try:
        yield from task(*arguments)
    except DatabaseError as error:
        raise TaskFailure(str(error)) from error


class Tournaments:
    """Runs one tournament at a time. It can be stopped at any moment, and resumed: what was played stays. `wake` is
    called on a thread when there is something to `update`; `on_end` once a tournament has ended by itself."""

    def __init__(self, wake: Callable[[], object], on_end: Callable[[TournamentRun], object] = lambda _: None) -> None:
        self.run: TournamentRun | None = None
        """The one that is played."""
        self.at_once = 1
        """How many games are played at a time, from the next start on."""
        self.version = 0
        """Increases with each move and each result."""
        self._wake, self._on_end = wake, on_end

    def start(self, folder: Path) -> None:
        """Play the games that are left of the tournament in `folder`; stop the one under way. Raise `BadJournal` or
        `OSError` if it cannot be read."""
        from ai.arena.tournament_run import TournamentRun

        self.stop()
        self.run = TournamentRun(folder, self._wake, self.at_once)
        self.version += 1

    def update(self) -> None:
        """Take moves and results from the games, and start new ones; at the end call `on_end`. Called once a frame."""
        run = self.run
        if run is None:
            return
        self.version += run.update()
        if run.over:
            self.run = None
            self.version += 1
            self._on_end(run)

    def wake(self) -> float | None:
        """Return 0 if `update` has something to do at once; else None: `wake`, which `__init__` was given, is called
        when it has."""
        return 0.0 if self.run is not None and self.run.busy else None

    def stop(self) -> None:
        """Stop the tournament under way, if any, without a call of `on_end`."""
        if self.run is not None:
            self.run.stop()
            self.run = None
            self.version += 1
