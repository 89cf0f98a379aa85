"""Opens a game file for the window: at once where it is read quickly, else as a job."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from games.formats import FormatError
from games.record import GameRecord
from ui.game import reading
from ui.host import Host
from ui.toolkit.i18n import t
from ui.words.files import file_sentence

_log = logging.getLogger(__name__)


class Opening:
    """A job that calls `then` with the game in the file at `path`. Where it cannot be read, it says so and calls
    `failed`."""

    pause = 0.1  # seconds between two looks at how far it is

    def __init__(
        self, host: Host, path: Path, then: Callable[[GameRecord], object], failed: Callable[[], object]
    ) -> None:
        self.title, self.name, self.stopped = t("opening.title"), path.name, t("opening.stopped", name=path.name)
        self._host, self._then, self._failed = host, then, failed
        self._reading = reading.Reading(path, host.wake, host.rest)
        self._reading.wait(reading.AT_ONCE)

    @property
    def share(self) -> float:
        return self._reading.share

    def step(self) -> bool:
        return self._reading.over

    def stop(self) -> None:
        self._reading.stop()

    def finish(self) -> None:
        path, result = self._reading.path, self._reading.result
        if isinstance(result, GameRecord):
            self._host.settings.remember_file(path.absolute())
            self._host.save_settings()
            self._then(result)
        elif isinstance(result, FormatError):
            _log.warning("%s: %s", path, result)
            self._host.say(file_sentence(result, path.name), "bad")
            self._failed()
