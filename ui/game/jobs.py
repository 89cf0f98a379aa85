"""Work that may take long: on a thread, or a frame's share of it at a time, behind a card that tells how far it is."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from games.formats.common import Tell
from ui.host import Host, Job
from ui.toolkit.i18n import t
from ui.toolkit.progress_card import ProgressCard

_log = logging.getLogger(__name__)

Result = TypeVar("Result")


class Jobs:
    """One job at a time; a new one takes its place."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._under_way: tuple[Job, ProgressCard] | None = None

    @property
    def busy(self) -> bool:
        return self._under_way is not None

    def due(self) -> float | None:
        """Seconds until the next step."""
        return None if self._under_way is None else self._under_way[0].pause

    def start(self, job: Job) -> None:
        self.stop()
        self._under_way = job, ProgressCard(self._host, job.title, job.name, lambda: job.share, self.cancel)
        self.update()

    def update(self) -> None:
        """Go on with the job; until it is done its card takes all events. Called once a frame."""
        if self._under_way is None:
            return
        job, card = self._under_way
        if not job.step():
            self._host.overlay = card
            return
        self._clear()
        job.finish()

    def cancel(self) -> None:
        """Stop the job and say so, as a person wants who does not wait."""
        if self._under_way is not None:
            self._host.say(self._under_way[0].stopped)
        self.stop()

    def stop(self) -> None:
        if self._under_way is not None:
            self._under_way[0].stop()
        self._clear()

    def _clear(self) -> None:
        if self._under_way is not None and self._host.overlay is self._under_way[1]:
            self._host.overlay = None
        self._under_way = None


class Stopped(Exception):
    """Nobody waits for the result any more."""


class ThreadJob(Generic[Result]):
    """A job whose `work` is done by a thread; `then` gets its result on the window's thread.

    `work` is called with a function that takes the progress from 0 to 1 and raises `Stopped` once the job is cancelled.
    """

    def __init__(
        self, host: Host, title: str, name: str, stopped: str, work: Callable[[Tell], Result],
        then: Callable[[Result], object],
    ) -> None:  # fmt: skip
        self.title, self.name, self.stopped = title, name, stopped
        self.share = 0.0
        self._host, self._work, self._then = host, work, then
        self._unwanted = threading.Event()
        self._result: list[Result] = []
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="job", daemon=True)
        self._thread.start()

    @property
    def pause(self) -> float:
        return 0.05

    def step(self) -> bool:
        return not self._thread.is_alive()

    def stop(self) -> None:
        self._unwanted.set()

    def finish(self) -> None:
        if self._result:
            self.succeed(self._result[0])
        elif self._error is not None:
            self.fail(self._error)

    def succeed(self, result: Result) -> None:
        """Use the result of the work."""
        self._then(result)

    def fail(self, error: Exception) -> None:
        """Tell that the work raised `error`."""
        self._host.say(t("job.failed", name=self.name), "bad")

    def _tell(self, share: float) -> None:
        if self._unwanted.is_set():
            raise Stopped
        self.share = share
        self._host.rest()

    def _run(self) -> None:
        try:
            self._result.append(self._work(self._tell))
        except Stopped:
            pass
        except Exception as error:  # a thread that ends without a word would leave the window waiting
            _log.exception("%s failed", self.name)
            self._error = error
        finally:
            self._host.wake()
