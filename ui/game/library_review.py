"""Review games of the library in the background, one after the other, and save the findings in each file."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from ai.player import Player, Stop
from ai.players import needs_engine, strongest
from ai.review.report import reviewed_so_far
from ai.review.review import Progress, Review
from ai.threads import behind_window
from games.formats import MOST_BYTES, FormatError, encoded, format_of, load
from games.library.rows import Entry
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


class BatchReviewer:
    """Review the games in `files` on a thread. Read the fields each frame; the window is woken when they change.

    Do not overwrite a file that was changed meanwhile. `cancel` saves what was found in the game under review.
    """

    def __init__(self, host: Host, files: Sequence[Path], make: Callable[[], Player] | None = None) -> None:
        host.files.settle()  # the files are read on a thread
        self.files = tuple(files)
        self.done = 0
        """The number of files that are finished, with or without a problem."""
        self.reviewed: list[Path] = []
        self.problems: list[tuple[Path, str]] = []
        """The files that were left unchanged, each with a sentence that says why."""
        self._host, self._make = host, make
        self._share = 0.0  # of the current file
        self._stop = Stop()
        self._thread = threading.Thread(target=self._run, name="tengen-batch-review", daemon=True)
        self._thread.start()

    @property
    def over(self) -> bool:
        return not self._thread.is_alive()

    @property
    def cancelled(self) -> bool:
        return self._stop.is_set()

    @property
    def share(self) -> float:
        """The share of the work that is done, from 0 to 1."""
        return min(1.0, (self.done + self._share) / max(1, len(self.files)))

    def cancel(self) -> None:
        """Stop the thread, which ends within 0.2 s, without waiting for it."""
        self._stop.set()

    def _run(self) -> None:
        behind_window.set(True)
        for file in self.files:
            if self._stop.is_set():
                break
            self._share = 0.0
            try:
                self._review(file)
            except _Refused as refused:
                self.problems.append((file, str(refused)))
            except (FormatError, OSError) as error:
                self.problems.append((file, file_sentence(error, file.name)))
            except Exception:  # whatever a player raised
                _log.exception("%s cannot be reviewed", file)
                self.problems.append((file, t("review.failed")))
            self.done += 1
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


class LibraryReview:
    """Reviews selected games, and tells how far it is. `changed` is called after each game: its file has changed."""

    def __init__(self, host: Host, changed: Callable[[Path | None], object]) -> None:
        self._host, self._changed = host, changed
        self._batch: BatchReviewer | None = None
        self._done = 0

    @property
    def busy(self) -> bool:
        return self._batch is not None

    def start(self, entries: Iterable[Entry]) -> None:
        """Review the games of `entries` that can be read."""
        files = [entry.path for entry in entries if entry.problem is None]
        if files and not self.busy:
            self._batch, self._done = BatchReviewer(self._host, files), 0

    def stop(self) -> None:
        """End the review. What was found is kept."""
        if self._batch is not None:
            self._batch.cancel()

    def update(self) -> None:
        """Note the games that are done. Called once a frame."""
        batch = self._batch
        if batch is None:
            return
        if batch.done != self._done or batch.over:
            self._done = batch.done
            self._changed(None)
        if batch.over:
            self._batch = None
            self._tell(batch)

    def _tell(self, batch: BatchReviewer) -> None:
        said = t("library.reviewed", count=len(batch.reviewed))
        if batch.problems:
            self._host.say(f"{said} {batch.problems[0][1]}", "bad")
        else:
            self._host.say(said, "info" if batch.cancelled else "good")

    def wake(self) -> float | None:
        return _POLL if self.busy else None

    @property
    def progress(self) -> dict[Path, float]:
        """How much of each game that is not done has been reviewed, from 0 to 1."""
        if self._batch is None:
            return {}
        files, done = self._batch.files, self._batch.done
        share = self._batch.share * len(files) - done
        return {file: max(0.0, share) if number == 0 else 0.0 for number, file in enumerate(files[done:])}

    def status(self) -> str:
        """A sentence on how far it is; empty if there is none under way."""
        if self._batch is None:
            return ""
        number, total = min(self._batch.done + 1, len(self._batch.files)), len(self._batch.files)
        return t("library.reviewing", number=number, total=total, percent=round(100 * self._batch.share))
