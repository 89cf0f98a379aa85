"""Count results for the person's rating, and describe their effect.

A result counts when the finished game is left, so that undo can revert it until then. If the program is killed before
that, its next start counts the game: `Settings.unfinished` names the game until its result has been saved.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from ai.profile import Profile, Removed, encoded, profile_path, read_profile, unrated_because
from games.formats import FormatError, load
from games.record import GameRecord, only_person
from ui.host import Host
from ui.toolkit.i18n import first_text, t
from ui.words.files import refusal
from ui.words.numbers import signed_text

Answer = TypeVar("Answer")


def forecast(host: Host, record: GameRecord, file: Path) -> str:
    """Describe the effect of a finished game on the rating when it is left; empty if it cannot be rated."""
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
    change = signed_text(round(result.rating) - round(before.rating))
    return t("profile.forecast", before=f"{before.rating:.0f}", after=f"{result.rating:.0f}", change=change)


def will_count(host: Host, record: GameRecord, file: Path | None) -> bool:
    """Return whether the game in `file`, None for a new one, will count for the rating as it stands."""
    if only_person(record.seats) is None or unrated_because(record):
        return False
    if file is None:
        return True
    try:
        return file.name not in read_profile(host.files.waiting(profile_path()))[0].helped
    except OSError:
        return True


def unrated_help(host: Host, file: Path) -> str:
    """Why the unfinished game in `file` will not count, as in `Result.unrated`; empty if nothing is known."""
    try:
        return read_profile(host.files.waiting(profile_path()))[0].helped.get(file.name, "")
    except OSError:
        return ""


def count(host: Host, record: GameRecord, file: Path) -> None:
    """Count the finished game in `file`, which has been left, and tell the new rating."""
    sentences: list[str] = []

    def add(profile: Profile) -> None:
        before = profile.rating(record.setup.game)
        result = profile.add(record, file)
        if result is not None and not result.unrated:
            change = signed_text(round(result.rating) - round(before.rating))
            sentences.append(t("profile.now", rating=f"{result.rating:.0f}", change=change))

    def counted(error: OSError | None) -> None:
        if error is None:
            _forget(host, file)
            for sentence in sentences:
                host.say(sentence, lasting=True)

    _change(host, add, told=counted)


def count_after_crash(host: Host) -> None:
    """Count the finished game of the last run if the program ended before it was left."""
    file = Path(host.settings.unfinished)
    if host.settings.unfinished:
        with suppress(FormatError):
            record = load(file)
            if record.outcome is not None:
                count(host, record, file)


def reopen(host: Host, file: Path) -> None:
    """Revert the result of the finished game in `file`, which is on the board again."""
    _change(host, lambda profile: profile.reopen(file))


def remove(host: Host, file: str) -> Removed | None:
    """Remove the result of the game in `file` from the profile. Return the argument of `restore`."""
    return _change(host, lambda profile: profile.remove(file), t("profile.removed"))


def restore(host: Host, removed: Removed) -> None:
    """Revert a removal."""
    _change(host, lambda profile: profile.restore(removed), t("profile.restored"))


def mark_unrated(host: Host, record: GameRecord, file: Path, why: str) -> None:
    """Prevent the game in `file` from counting for the rating; `why` as in `Result.unrated`."""
    if only_person(record.seats) is not None and not unrated_because(record):
        sentence = first_text(f"profile.not_counted.{why}")
        _change(host, lambda profile: profile.helped.setdefault(file.name, why), sentence)


def rename_result(host: Host, old: Path, new: Path) -> None:
    """Record that a game's file has been renamed."""
    _change(host, lambda profile: profile.renamed(old, new))


def _change(
    host: Host,
    change: Callable[[Profile], Answer],
    sentence: str = "",
    told: Callable[[OSError | None], object] = lambda _: None,
) -> Answer | None:
    """Read the profile, change it, and if that made a difference, save it and say `sentence`. Return what `change`
    returns, None if the profile cannot be read.

    Call `told` when the profile has been saved, or with the error.
    """
    path = profile_path()

    def written(error: OSError | None) -> None:
        if error is not None:
            host.say(t("error.profile", reason=refusal(error)), "bad")
        told(error)

    try:
        profile, damaged = read_profile(host.files.waiting(path))
    except OSError as error:  # a new profile would replace it
        written(error)
        return None
    before = list(profile.results), dict(profile.helped)
    answer = change(profile)
    if before == (profile.results, profile.helped):
        told(None)
        return answer
    host.files.write(path, encoded(profile), written)
    if damaged:
        host.say(t("error.profile_damaged"), "bad")
    elif sentence:
        host.say(sentence)
    return answer


def _forget(host: Host, file: Path) -> None:
    """Clear `Settings.unfinished` if it names `file`."""
    if host.settings.unfinished == str(file):
        host.settings.unfinished = ""
        host.save_settings()
