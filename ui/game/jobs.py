"""The job that the window waits for, behind a card that tells how far it is."""

from __future__ import annotations

from typing import Any

from ui.host import Host, Job
from ui.toolkit.progress_card import ProgressCard


class Jobs:
    """One job at a time; a new one takes its place."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._under_way: tuple[Job[Any], ProgressCard] | None = None

    @property
    def busy(self) -> bool:
        return self._under_way is not None

    def due(self) -> float | None:
        """Seconds until the next step."""
        return None if self._under_way is None else self._under_way[0].pause

    def start(self, job: Job[Any]) -> None:
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
