"""The ratings of the person: record results, describe their effect, and the state of the profile screen.

A result is recorded as soon as the game is over. If the program is killed before that is saved, its next start records
the result: `Settings.unfinished` names the game until then. `Habits` learns, on a thread, from the games what errors
the person makes, and forgets it when asked to.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ai.service.profile import (
    Profile,
    RemovedResult,
    Result,
    encoded,
    file_key,
    load_profile,
    profile_path,
    read_profile,
    unrated_because,
)
from games.formats import FormatError, load
from games.record import GameRecord, only_person
from games.registry import GAMES
from ui.toolkit.i18n import first_text, t
from ui.window.host import Host, Job
from ui.window.jobs import Jobs
from ui.words.file_words import refusal
from ui.words.numbers import signed_text

if TYPE_CHECKING:
    from ai.players.opponent.model import Fitted

class Habits:
    """The errors that a person tends to make at a game. `found` is the fitted model and the number of games it was
    fitted to; None until it is ready."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._jobs = Jobs(host, card=False)
        self._source: tuple[str, Profile] | None = None
        self.found: tuple[Fitted, int] | None = None

    @property
    def busy(self) -> bool:
        """Whether games are being read."""
        return self._jobs.busy

    def learn(self, game: str, profile: Profile) -> None:
        """Start reading the games of `profile` at `game` on a thread, unless that is done or under way. `found` is None
        meanwhile."""
        if self._source is not None and self._source[0] == game and self._source[1] is profile:
            return
        from ai.service import habits

        self.stop()
        self._source, self.found = (game, profile), None
        title = t("habits.title")
        work, then = partial(habits.learn, profile, game), partial(setattr, self, "found")
        self._jobs.start(Job(self._host, title, title, "", work, then))

    def update(self) -> None:
        """Set `found` once the thread is ready. Called once a frame."""
        self._jobs.update()

    def stop(self) -> None:
        """Stop reading games. A finished result stays."""
        if self._jobs.busy:
            self._jobs.stop()
            self._source = None


RATING, HABITS = "rating", "habits"
"""The tabs of the profile: the rating and how it changed, and how the person errs."""


class ProfileState:
    """The profile as a screen shows it, without pixels: the results at `game`; if that is empty, at the one played
    last."""

    def __init__(self, host: Host, game: str) -> None:
        self._host = host
        self._removed: list[RemovedResult] = []
        self.tab = RATING
        self.habits = Habits(host)
        self.read()
        played = [result.game for result in self.profile.results]
        self.game = game or (played[-1] if played else next(iter(GAMES)))

    def read(self) -> None:
        """Complete pending writes, and read the profile again."""
        self._host.files.settle()
        self.profile = load_profile()[0]

    @property
    def rated(self) -> list[Result]:
        """The rated results of the game that is shown."""
        return self.profile.rated(self.game)

    def forget(self) -> None:
        """Delete what was learned of the person's errors at the game shown, and save the profile."""
        self.habits.stop()
        from ai.service.habits import forget  # late: the window opens sooner

        _change_profile(self._host, lambda profile: forget(profile, self.game), t("habits.forgotten"))
        self.read()

    def step(self, step: int) -> None:
        """Show the game that is `step` places further in `GAMES`, cyclically."""
        games = list(GAMES)
        self.game = games[(games.index(self.game) + step) % len(games)]

    @property
    def can_undo(self) -> bool:
        """Whether a removed result can be restored."""
        return bool(self._removed)

    def remove(self, result: Result) -> None:
        """Remove `result` from the profile, and save it."""

        def take(profile: Profile) -> None:
            """Remove the result from `profile`, and keep it for `undo`."""
            removed = profile.remove(result)
            if removed is not None:
                self._removed.append(removed)

        _change_profile(self._host, take, t("profile.removed"))
        self.read()

    def undo(self) -> None:
        """Restore the result that was removed last."""
        if self._removed:
            removed = self._removed.pop()
            _change_profile(self._host, lambda profile: profile.restore(removed), t("profile.restored"))
            self.read()


def forecast(host: Host, record: GameRecord, file: Path) -> str:
    """The sentence on the effect that a finished game, not recorded yet, has on the rating, or on why it is not rated.
    Empty if it is not a game of a person against a rated computer, is too short, or the profile cannot be read."""
    profile = _unsaved_profile(host)
    result = None if profile is None else profile.result(record, file)
    if profile is None or result is None or result.unrated == "opponent":
        return ""
    if result.unrated:
        return t("profile.not_rated", why=t(f"unrated.{result.unrated}"))
    before = profile.rating(record.setup.game)
    change = signed_text(round(result.rating) - round(before.rating))
    return t("profile.forecast", before=f"{before.rating:.0f}", after=f"{result.rating:.0f}", change=change)


def will_count(host: Host, record: GameRecord, file: Path | None) -> bool:
    """Return whether a game will change the rating once it is over. `file` is None for a new game."""
    if only_person(record.seats) is None or unrated_because(record):
        return False
    return file is None or not unrated_help(host, file)


def unrated_help(host: Host, file: Path) -> str:
    """The kind of help, as in `Result.unrated`, for which the game in `file` will not be rated; empty if none was
    noted."""
    profile = _unsaved_profile(host)
    return "" if profile is None else profile.helped.get(file_key(file), "")


def _unsaved_profile(host: Host) -> Profile | None:
    """The profile, including changes that are still to be written; None if it cannot be read."""
    try:
        return read_profile(host.files.waiting(profile_path()))[0]
    except OSError:
        return None


def count(host: Host, record: GameRecord, file: Path, announce: bool = False) -> None:
    """Record the result of the finished game in `file` in the profile, in the background; if `announce`, show the new
    rating."""
    sentences: list[str] = []

    def add(profile: Profile) -> None:
        """Add the result to `profile`, and note the sentence to show."""
        before = profile.rating(record.setup.game)
        result = profile.add(record, file)
        if announce and result is not None and not result.unrated:
            change = signed_text(round(result.rating) - round(before.rating))
            sentences.append(t("profile.now", rating=f"{result.rating:.0f}", change=change))

    def counted(error: OSError | None) -> None:
        """After the profile was written: the game is not unfinished any more, and the sentence is shown. Do nothing on
        an error."""
        if error is None:
            _clear_unfinished(host, file)
            for sentence in sentences:
                host.say(sentence, lasting=True)

    _change_profile(host, add, done=counted)


def count_after_crash(host: Host) -> None:
    """Record the result of the last game if it was finished but the program ended before saving it; show the new
    rating."""
    file = Path(host.settings.unfinished)
    if host.settings.unfinished:
        with suppress(FormatError):
            record = load(file)
            if record.outcome is not None:
                count(host, record, file, announce=True)


def mark_unrated(host: Host, record: GameRecord, file: Path, why: str) -> None:
    """Prevent the game in `file` from being rated, and show a message, if it would be; `why` is one of
    `Result.unrated`."""
    if only_person(record.seats) is not None and not unrated_because(record):
        sentence = first_text(f"profile.not_counted.{why}")
        _change_profile(host, lambda profile: profile.helped.setdefault(file_key(file), why), sentence)


def forget_help(host: Host, file: Path) -> None:
    """Before a new game begins in `file`: drop a note that an unfinished game there, deleted since, will be unrated."""
    _change_profile(host, lambda profile: profile.helped.pop(file_key(file), None))


def follow_rename(host: Host, old: Path, new: Path) -> None:
    """Update settings and profile after a file, or a folder of games, was renamed from `old` to `new`."""
    settings = host.settings
    settings.recent = [_moved(file, old, new) for file in settings.recent]
    settings.unfinished = _moved(settings.unfinished, old, new)
    host.save_settings()
    _change_profile(host, lambda profile: profile.renamed(old, new))


def _moved(file: str, old: Path, new: Path) -> str:
    """Return the path of `file` after `old` was renamed to `new`."""
    path = Path(file)
    return str(new / path.relative_to(old)) if path.is_relative_to(old) else file


def _change_profile(
    host: Host,
    change: Callable[[Profile], object],
    sentence: str = "",
    done: Callable[[OSError | None], object] = lambda _: None,
) -> None:
    """Read the profile and apply `change`. If it differs then, write it in the background and show the message
    `sentence`.

    `done` is called once it is written, or with the error. A profile that cannot be read is left as it is.
    """
    path = profile_path()

    def written(error: OSError | None) -> None:
        """Show a message if the profile was not written, and call `done`."""
        if error is not None:
            host.say(t("error.profile", reason=refusal(error)), "bad")
        done(error)

    try:
        profile, damaged = read_profile(host.files.waiting(path))
    except OSError as error:  # a new profile would replace it
        written(error)
        return
    before = list(profile.results), dict(profile.helped), dict(profile.forgotten)
    change(profile)
    if before == (profile.results, profile.helped, profile.forgotten):
        done(None)
        return
    host.files.write(path, encoded(profile), written)
    if sentence and not damaged:  # which is said
        host.say(sentence)


def _clear_unfinished(host: Host, file: Path) -> None:
    """Clear `Settings.unfinished` if it names `file`."""
    if host.settings.unfinished == str(file):
        host.settings.unfinished = ""
        host.save_settings()
