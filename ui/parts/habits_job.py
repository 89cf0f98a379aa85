"""What games tell of how the person errs, learned on a thread, and forgotten when asked to."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ai.service.profile import Profile
from ui.toolkit.i18n import t
from ui.window.host import Host, Job
from ui.window.jobs import Jobs

if TYPE_CHECKING:
    from ai.players.opponent.model import Fitted


class Habits:
    """`found` is what the games of one game tell, and how many they are; None while they are read."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._jobs = Jobs(host, card=False)
        self._source: tuple[str, Profile] | None = None
        self.found: tuple[Fitted, int] | None = None

    @property
    def busy(self) -> bool:
        """Whether the habits are being learned."""
        return self._jobs.busy

    def learn(self, game: str, profile: Profile) -> None:
        """Learn from the games of `profile` at `game`, unless that has been done or is under way."""
        if self._source is not None and self._source[0] == game and self._source[1] is profile:
            return
        from ai.service import habits

        self.stop()
        self._source, self.found = (game, profile), None
        title = t("habits.title")
        work, then = partial(habits.learn, profile, game), partial(setattr, self, "found")
        self._jobs.start(Job(self._host, title, title, "", work, then))

    def update(self) -> None:
        """Take what has been learned. Called once a frame."""
        self._jobs.update()

    def stop(self) -> None:
        """Stop reading games; what has been learned remains."""
        if self._jobs.busy:
            self._jobs.stop()
            self._source = None
