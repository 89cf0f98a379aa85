"""Review games of the library in the background, one after the other, and save the findings in each file."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from ai.player import Player, Stop
from ai.players import needs_engine, strongest
from ai.review.report import reviewed_so_far
from ai.review.review import Progress, Review
from ai.threads import behind_window
from games.formats import MOST_BYTES, FormatError, encoded, format_of, load
from games.record import GameRecord
from games.storage import read_regular, write_atomic
from ui.game.exercise import collect
from ui.host import Host
from ui.toolkit.i18n import t
from ui.words.files import file_sentence

_POLL = 0.1  # seconds between polls

_log = logging.getLogger(__name__)


class _Refused(Exception):
    """The game cannot be reviewed or saved; with the sentence that says why."""


class LibraryReview:
    """Reviews games on a thread, and tells how far it is. `changed` is called after each game: its file has changed.

    It does not overwrite a file that was changed meanwhile.
    """

    def __init__(
        self, host: Host, changed: Callable[[Path | None], object], make: Callable[[], Player] | None = None
    ) -> None:
        self.done = 0
        """The number of files that are finished, with or without a problem."""
        self.reviewed: list[Path] = []
        self.problems: list[tuple[Path, str]] = []
        """The files that were left unchanged, each with a sentence that says why."""
        self._host, self._changed, self._make = host, changed, make
        self._files: Sequence[Path] = ()
        self._told = 0  # the files of which `changed` was told
        self._share = 0.0  # of the current file
        self._stop = Stop()
        self._thread: threading.Thread | None = None

    @property
    def busy(self) -> bool:
        return self._thread is not None

    def start(self, files: Sequence[Path]) -> None:
        """Review the games in `files`."""
        if files and not self.busy:
            self._host.files.settle()  # the files are read on a thread
            self._files, self.reviewed, self.problems = files, [], []
            self.done = self._told = 0
            self._stop = Stop()
            self._thread = threading.Thread(target=self._run, name="tengen-batch-review", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End the review within 0.2 s, without waiting for it. What was found in the game under review is saved."""
        self._stop.set()

    def update(self) -> None:
        """Note the games that are done. Called once a frame."""
        if self._thread is None:
            return
        over = not self._thread.is_alive()
        if self.done != self._told or over:
            self._told = self.done
            self._changed(None)
        if over:
            self._thread = None
            self._tell()

    def _tell(self) -> None:
        said = t("library.reviewed", count=len(self.reviewed))
        if self.problems:
            self._host.say(f"{said} {self.problems[0][1]}", "bad")
        else:
            self._host.say(said, "info" if self._stop.is_set() else "good")

    def wake(self) -> float | None:
        return _POLL if self.busy else None

    @property
    def progress(self) -> dict[Path, float]:
        """How much of each game that is not done has been reviewed, from 0 to 1."""
        left = self._files[self.done :] if self.busy else ()
        return {file: self._share if number == 0 else 0.0 for number, file in enumerate(left)}

    def status(self) -> str:
        """A sentence on how far the review under way is."""
        done, total = self.done, len(self._files)
        percent = round(100 * min(1.0, (done + self._share) / total))
        return t("library.reviewing", number=min(done + 1, total), total=total, percent=percent)

    def _run(self) -> None:
        behind_window.set(True)
        for file in self._files:
            if self._stop.is_set():
                break
            try:
                self._review(file)
            except _Refused as refused:
                self.problems.append((file, str(refused)))
            except (FormatError, OSError) as error:
                self.problems.append((file, file_sentence(error, file.name)))
            except Exception:  # whatever a player raised
                _log.exception("%s cannot be reviewed", file)
                self.problems.append((file, t("review.failed")))
            self._share, self.done = 0.0, self.done + 1
            self._host.wake()

    def _review(self, file: Path) -> None:
        if not format_of(file).whole:
            raise _Refused(t("review.unwritable", name=file.name))
        before = _contents(file)
        record = load(file, tell=lambda _share: self._host.rest())
        self._await_engine(record)
        searched = False
        job = Review(record, make=self._make)
        for news in job.run(self._stop, lambda: self._host.searches.spare):
            if isinstance(news, Progress):
                searched, self._share = True, news.share
            self._host.rest()
        if searched:
            data = encoded(record, file)
            if before is None or _contents(file) != before:
                raise _Refused(t("review.changed", name=file.name))
            write_atomic(file, data)
        if not self._stop.is_set():
            self.reviewed.append(file)
            found = reviewed_so_far(job.assessment, record)
            collect(record, found.moves, self._host.settings.player_name)

    def _await_engine(self, record: GameRecord) -> None:
        game = record.setup.game
        if not needs_engine(strongest(game), game):
            return
        engine = self._host.engine
        engine.start()
        while engine.busy and not self._stop.is_set():
            engine.wait(_POLL)
        if engine.state.name == "failed":
            raise _Refused(t("review.no_engine"))


def _contents(file: Path) -> bytes | None:
    """None if it cannot be read."""
    try:
        return read_regular(file, MOST_BYTES)
    except OSError:
        return None
