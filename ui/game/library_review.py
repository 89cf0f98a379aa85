"""Reviews of the selected games of the library, one after the other: progress, end, and what is said of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from games.library.rows import Entry
from ui.game.batch_reviewer import BatchReviewer
from ui.host import Host
from ui.toolkit.i18n import t


class LibraryReview:
    """`changed` is called after each game, since its file has changed."""

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
            self._host.say(f"{said} {batch.problems[0].sentence}", "bad")
        else:
            self._host.say(said, "info" if batch.cancelled else "good")

    def wake(self) -> float | None:
        return None if self._batch is None else self._batch.wake()

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
