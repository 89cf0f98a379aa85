"""Opens a game file for the window: at once where it is read quickly, else behind a card."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from games.formats import FormatError, load
from games.record import GameRecord
from ui.host import Host, Job
from ui.toolkit.i18n import t
from ui.words.files import file_sentence

AT_ONCE = 0.05
"""Seconds that the window waits for a file before it shows the card."""


class Opening(Job[GameRecord]):
    """A job that calls `then` with the game in the file at `path`. If it cannot be read, say so and call `failed`."""

    def __init__(
        self, host: Host, path: Path, then: Callable[[GameRecord], object], failed: Callable[[], object]
    ) -> None:
        self._path, self._failed = path, failed
        stopped = t("opening.stopped", name=path.name)
        super().__init__(host, t("opening.title"), path.name, stopped, lambda tell: load(path, tell=tell), then)
        self._thread.join(AT_ONCE)

    def succeed(self, result: GameRecord) -> None:
        self._host.settings.remember_file(self._path.absolute())
        self._host.save_settings()
        super().succeed(result)

    def fail(self, error: Exception) -> None:
        known = error if isinstance(error, FormatError) else FormatError(str(error))
        self._host.say(file_sentence(known, self.name), "bad")
        self._failed()
