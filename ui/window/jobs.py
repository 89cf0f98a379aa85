"""Run the job that the window waits for, behind a card with its progress; the jobs that read a game from a file or the
clipboard.

What may take long and is waited for, such as opening, importing and exporting, is a `Job`: a thread, a card with
progress, and Esc. Boards are drawn by the window's thread, also for pictures in files.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from games.formats import FormatError, format_of, load, pasted
from games.formats.common import OnProgress
from games.library.file_actions import copy_of
from games.record import GameRecord
from games.registry import Setup
from games.storage import saves_home
from ui.toolkit.dialogs import ProgressCard
from ui.toolkit.i18n import t
from ui.window.host import Host, Job, Opened
from ui.words.file_words import file_sentence, pasted_sentence

_log = logging.getLogger(__name__)

AT_ONCE = 0.05
"""Seconds that the window waits for a game before it shows the card."""


class Jobs:
    """Runs one job at a time; a new one cancels the one before. Without `card`, no card is shown, and the window can be
    used meanwhile."""

    def __init__(self, host: Host, card: bool = True) -> None:
        self._host, self._has_card = host, card
        self._under_way: tuple[Job[Any], ProgressCard] | None = None

    @property
    def busy(self) -> bool:
        """Whether a job is running."""
        return self._under_way is not None

    def due(self) -> float | None:
        """Seconds until the next `update` is due without an event; None if no job is running."""
        return None if self._under_way is None else self._under_way[0].pause

    def start(self, job: Job[Any]) -> None:
        """Cancel the running job, and start the work of `job` on a thread. If it is `at_once`, wait a moment, so that
        its result may be used in this frame."""
        self.stop()
        self._under_way = job, ProgressCard(self._host, job.title, job.name, lambda: job.share, self.cancel)
        thread = ThreadPoolExecutor(1, "job")
        job.future = thread.submit(job.work, job.note_progress)
        job.future.add_done_callback(lambda _: self._host.wake())
        thread.shutdown(wait=False)
        if job.at_once:
            wait([job.future], AT_ONCE)
        self.update()

    def update(self) -> None:
        """Show the card of the running job; once that is done, close the card and pass on the result or the error.
        Called once a frame."""
        if self._under_way is None:
            return
        job, card = self._under_way
        job.step()
        if not job.future.done():
            if self._has_card and self._host.overlay is not card:
                self._host.overlay = card
            return
        self._clear()
        error = job.future.exception()
        try:
            if error is None:
                job.succeeded(job.future.result())
                job.then(job.future.result())
                return
            if not isinstance(error, FormatError):  # else the file is at fault, and a person is told why
                _log.error("%s failed.", job.name, exc_info=error)
            job.fail(error)
        except Exception:  # whatever the window does with the result
            _log.exception("The result of %s cannot be used.", job.name)
            self._host.say(t("job.failed", name=job.name), "bad")

    def cancel(self) -> None:
        """Cancel the running job, and say so in the status line."""
        if self._under_way is not None:
            self._host.say(self._under_way[0].stopped)
        self.stop()

    def stop(self) -> None:
        """Cancel the running job, if any, without a message. Neither its result nor an error is passed on."""
        if self._under_way is not None:
            self._under_way[0].stop()
        self._clear()

    def _clear(self) -> None:
        """Forget the job, and close its card."""
        if self._under_way is not None and self._host.overlay is self._under_way[1]:
            self._host.overlay = None
        self._under_way = None


class OpeningJob(Job[Opened]):
    """Reads the game in the file at `path`; with `copies`, the copy in the library that has the changes made to that
    file, if there is one. Adds the file to the recent files, and calls `then`. If it cannot be read, says why and calls
    `failed`."""

    at_once = True

    def __init__(
        self, host: Host, path: Path, then: Callable[[Opened], object], failed: Callable[[], object],
        copies: bool,
    ) -> None:  # fmt: skip
        self._failed = failed
        work = partial(_load_game, path, host.encodings.get(path.absolute()), copies)
        super().__init__(host, t("opening.title"), path.name, t("opening.stopped", name=path.name), work, then)

    def succeeded(self, result: Opened) -> None:
        """Add the file that was read to the recent files, and save the settings."""
        self._host.settings.remember_file(result.file.absolute())
        self._host.save_settings()

    def fail(self, error: BaseException) -> None:
        """Say why the file cannot be read, and call `failed`."""
        self._host.say(file_sentence(_as_format_error(error), self.name), "bad")
        self._failed()


def _load_game(path: Path, encoding: str | None, copies: bool, on_progress: OnProgress) -> Opened:
    """Read the game at `path`, in `encoding`; None to detect it. With `copies`, read instead the copy in the library
    that has the changes made to that file, if there is one and it can be read. Raise `FormatError`."""
    record = load(path, on_progress=on_progress, encoding=encoding)
    if copies and record.origin and not format_of(path).whole:
        copy = copy_of(record.origin, saves_home())
        if copy is not None:
            with suppress(FormatError):
                return Opened(load(copy), copy, path)
    return Opened(record, path, path)


class PastingJob(Job[GameRecord]):
    """Reads a game from `text`, which was on the clipboard, and calls `then` with it. Moves alone are read as moves of
    the game `around`, see `pasted`. If the text cannot be read, says why."""

    at_once = True

    def __init__(self, host: Host, text: str, around: Setup | None, then: Callable[[GameRecord], object]) -> None:
        title, stopped = t("paste.title"), t("paste.stopped")
        super().__init__(host, title, t("paste.name"), stopped, partial(pasted, text, around), then)

    def fail(self, error: BaseException) -> None:
        """Say why the text cannot be read as a game."""
        self._host.say(pasted_sentence(_as_format_error(error)), "bad")


def _as_format_error(error: BaseException) -> FormatError:
    """Return `error`, or a `FormatError` with its text if it is another one."""
    return error if isinstance(error, FormatError) else FormatError(str(error))
