"""What a game means for the rating of the person who plays it, said in one sentence and kept on the disk."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from ai.profile import Profile, encoded, person_side, profile_path, read_profile, unrated_because
from games.record import GameRecord
from ui.app import App
from ui.i18n import t
from ui.words import refusal


def count(app: App, record: GameRecord, file: Path) -> None:
    """The game, kept in `file`, is over: counts it, and says what that does to the rating."""

    def add(profile: Profile) -> str:
        before = profile.rating(record.setup.game)
        result = profile.add(record, file)
        if result is None or (result.unrated == "opponent"):
            return ""
        if result.unrated:
            return t("profile.not_rated", why=t(f"unrated.{result.unrated}"))
        change = f"{round(result.rating) - round(before.rating):+d}"
        return t("profile.now", rating=f"{result.rating:.0f}", change=change)

    _change(app, add)


def spoil(app: App, record: GameRecord, file: Path, why: str) -> None:
    """The game in `file` will not count for the rating, if it would have: `why` as in `Result.unrated`."""

    def mark(profile: Profile) -> str:
        profile.helped.setdefault(file.name, why)
        return t("profile.will_not_count") if why == "hint" else ""

    if person_side(record) is not None and record.outcome is None and not unrated_because(record):
        _change(app, mark)


def follow(app: App, old: Path, new: Path) -> None:
    """The file of a game was renamed: what is known of it is known of the new name."""

    def rename(profile: Profile) -> str:
        profile.renamed(old, new)
        return ""

    _change(app, rename)


def _change(app: App, change: Callable[[Profile], str]) -> None:
    """Reads the profile, changes it and has it written if it is another then; says what `change` returns."""
    path = profile_path()
    try:
        profile, damaged = read_profile(app.files.waiting(path))
    except OSError as error:  # a new one in its place would be the end of it
        _written(app, error)
        return
    before = list(profile.results), dict(profile.helped)
    sentence = change(profile)
    if before == (profile.results, profile.helped):
        return
    app.files.write(path, encoded(profile), partial(_written, app))
    if damaged:
        app.say(t("error.profile_damaged"), "bad")
    elif sentence:
        app.say(sentence)


def _written(app: App, error: OSError | None) -> None:
    if error is not None:
        app.say(t("error.profile", reason=refusal(error)), "bad")
