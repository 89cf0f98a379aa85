"""What a game means for the rating of the person who plays it, said in a sentence and kept on the disk.

A result counts when the finished game is left, so that undo takes it back until then. A program that was killed before
that counts the game at its next start: `Settings.unfinished` names the game until its result is on the disk.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from ai.levels.profile import Profile, Removed, encoded, profile_path, read_profile, unrated_because
from games.formats import FormatError, load
from games.record import GameRecord, only_person
from ui.game.words import refusal
from ui.host import Host
from ui.toolkit.i18n import t


def forecast(host: Host, record: GameRecord, file: Path) -> str:
    """What the game, which is over, will do to the rating when it is left; empty if it is no game for a rating."""
    try:
        profile, _ = read_profile(host.files.waiting(profile_path()))
    except OSError:  # `count` will say so
        return ""
    result = profile.result(record, file)
    if result is None or result.unrated == "opponent":
        return ""
    if result.unrated:
        return t("profile.not_rated", why=t(f"unrated.{result.unrated}"))
    before = profile.rating(record.setup.game)
    change = f"{round(result.rating) - round(before.rating):+d}"
    return t("profile.forecast", before=f"{before.rating:.0f}", after=f"{result.rating:.0f}", change=change)


def will_count(host: Host, record: GameRecord, file: Path | None) -> bool:
    """Whether the game in `file`, as it stands, is one that will count for the rating; None if it has none yet."""
    if only_person(record.seats) is None or unrated_because(record):
        return False
    if file is None:
        return True
    try:
        return file.name not in read_profile(host.files.waiting(profile_path()))[0].helped
    except OSError:
        return True


def count(host: Host, record: GameRecord, file: Path) -> None:
    """Count the game in `file`, which is over and has been left, and say what that does to the rating."""

    sentences: list[str] = []

    def add(profile: Profile) -> str:
        before = profile.rating(record.setup.game)
        result = profile.add(record, file)
        if result is not None and not result.unrated:
            change = f"{round(result.rating) - round(before.rating):+d}"
            sentences.append(t("profile.now", rating=f"{result.rating:.0f}", change=change))
        return ""

    def counted(error: OSError | None) -> None:
        if error is None:
            _forget(host, file)
            for sentence in sentences:
                host.say(sentence, lasting=True)

    _change(host, add, counted)


def count_after_crash(host: Host) -> None:
    """Count the game of the last run, if that ended between the end of the game and its being left."""
    file = Path(host.settings.unfinished)
    if host.settings.unfinished:
        with suppress(FormatError):
            record = load(file)
            if record.outcome is not None:
                count(host, record, file)


def reopen(host: Host, file: Path) -> None:
    """The finished game in `file` is on the board again: take its result back."""

    def take_back(profile: Profile) -> str:
        removed = profile.remove(file.name)
        if removed is not None and removed.result.unrated:
            profile.helped[file.name] = removed.result.unrated
        return ""

    _change(host, take_back)


def remove(host: Host, file: str) -> Removed | None:
    """Remove the result of the game in `file` from the profile; what comes back is for `restore`."""
    removed: list[Removed | None] = []

    def take(profile: Profile) -> str:
        removed.append(profile.remove(file))
        return t("profile.removed")

    _change(host, take)
    return removed[0] if removed else None


def restore(host: Host, removed: Removed) -> None:
    """Undo a removal."""

    def put_back(profile: Profile) -> str:
        profile.restore(removed)
        return t("profile.restored")

    _change(host, put_back)


def mark_unrated(host: Host, record: GameRecord, file: Path, why: str) -> None:
    """The game in `file` will not count for the rating, if it would have: `why` as in `Result.unrated`."""

    def mark(profile: Profile) -> str:
        profile.helped.setdefault(file.name, why)
        return t("profile.will_not_count") if why in ("hint", "threats") else ""

    if only_person(record.seats) is not None and record.outcome is None and not unrated_because(record):
        _change(host, mark)


def rename_result(host: Host, old: Path, new: Path) -> None:
    """The file of a game was renamed: what is known of it is known of the new name."""

    def rename(profile: Profile) -> str:
        profile.renamed(old, new)
        return ""

    _change(host, rename)


def _change(
    host: Host, change: Callable[[Profile], str], told: Callable[[OSError | None], object] = lambda _: None
) -> None:
    """Read the profile, change it, have it written if that made a difference, and say what `change` returns.

    `told` is called when the profile is on the disk, or with why it is not.
    """
    path = profile_path()

    def written(error: OSError | None) -> None:
        if error is not None:
            host.say(t("error.profile", reason=refusal(error)), "bad")
        told(error)

    try:
        profile, damaged = read_profile(host.files.waiting(path))
    except OSError as error:  # a new one in its place would be the end of it
        written(error)
        return
    before = list(profile.results), dict(profile.helped)
    sentence = change(profile)
    if before == (profile.results, profile.helped):
        told(None)
        return
    host.files.write(path, encoded(profile), written)
    if damaged:
        host.say(t("error.profile_damaged"), "bad")
    elif sentence:
        host.say(sentence)


def _forget(host: Host, file: Path) -> None:
    """The game in `file` waits for nothing any more."""
    if host.settings.unfinished == str(file):
        host.settings.unfinished = ""
        host.save_settings()
