"""The tournament that is played behind the window, whatever screen is shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # imported when a tournament is started: the window opens sooner
    from ai.arena.tournament_run import TournamentRun


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
