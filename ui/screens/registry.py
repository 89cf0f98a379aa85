"""The screens by name: how each is made, and how `screenshot` shows it. To add one, add it here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from games.record import GameRecord
from ui.host import Host
from ui.screen import Screen


@dataclass(frozen=True, slots=True)
class Late:
    """The screen `kind` of a module of this folder, imported when first needed, so that the window opens soon."""

    module: str
    kind: str

    def load(self) -> type[Screen]:
        found: type[Screen] = getattr(import_module(f"ui.screens.{self.module}"), self.kind)
        return found

    def __call__(self, *state: Any, **options: Any) -> Screen:
        make: Callable[..., Screen] = self.load()  # the arguments differ between screens
        return make(*state, **options)


SCREENS = {
    "home": Late("home", "Home"),
    "setup": Late("setup", "SetupScreen"),
    "play": Late("play", "Play"),
    "replay": Late("replay", "Replay"),
    "mistakes": Late("mistakes", "MistakesScreen"),
    "position_editor": Late("position_editor", "PositionEditor"),
    "learn": Late("learn", "Learn"),
    "lesson": Late("lesson", "LessonScreen"),
    "lessons": Late("lessons", "Lessons"),
    "exercises": Late("exercises", "ExercisesScreen"),
    "reading": Late("reading", "ReadingScreen"),
    "compare": Late("compare", "Compare"),
    "library": Late("library", "LibraryScreen"),
    "profile": Late("profile", "ProfileScreen"),
    "settings": Late("settings", "SettingsScreen"),
    "about": Late("settings", "About"),
    "about_game": Late("about_game", "AboutGame"),
}
"""Each is called with the host, with what it shows, and with ``back``."""


@dataclass(frozen=True, slots=True)
class Picture:
    """`make` a screen that shows a game, which is in a file or not; then press the button called `press`."""

    make: Callable[[Host, GameRecord, Path | None], Screen]
    press: str = ""
    engine: bool = False
    """Whether it shows what the engine finds."""
    numbered: Callable[[Host, int], Screen] | None = None
    """Make the screen of a number instead of that of a game. Raise `ValueError` with a sentence."""


def _made(name: str, **options: Any) -> Callable[[Host, GameRecord, Path | None], Screen]:
    return lambda host, _record, _file: SCREENS[name](host, **options)


def _of_game(name: str, *state: Any, **options: Any) -> Callable[[Host, GameRecord, Path | None], Screen]:
    return lambda host, record, _file: SCREENS[name](host, record, *state, **options)


def _still(host: Host, record: GameRecord, _file: Path | None) -> Screen:
    """A game in which a computer may think, but no move lands while the picture is taken."""
    screen: Any = SCREENS["play"](host, record, autosave=False)
    screen.state.still = True
    still: Screen = screen
    return still


def _set_up(host: Host, record: GameRecord, _file: Path | None) -> Screen:
    return SCREENS["setup"](host, record.setup.game)


def _about_game(host: Host, record: GameRecord, file: Path | None) -> Screen:
    from ui.game.study import Study  # late, as the screens

    return SCREENS["about_game"](host, Study(host, record, file))


def _mistakes(host: Host, record: GameRecord, _file: Path | None) -> Screen:
    """The mistakes of a game that was reviewed, or else the exercises that are due."""
    from ai.review.report import recalled  # late, as the screens
    from ui.game.exercise import practice_of

    found, names = recalled(record), host.settings.own_names
    return SCREENS["mistakes"](host, practice_of(record, found.moves, (0, 1), names) if found else None)


def _lesson(host: Host, number: int) -> Screen:
    """The first page of a lesson, counted from 1."""
    return SCREENS["lesson"](host, _lesson_key(host, number), 0)


def _lesson_key(host: Host, number: int) -> str:
    """The key of a lesson, counted from 1. Raise `ValueError` with a sentence."""
    from ui.game.lesson import lessons  # late, as the screens

    found = lessons(host.theme.language)
    if not 1 <= number <= len(found):
        raise ValueError(f"There are {len(found)} lessons; there is no lesson {number}.")
    return found[number - 1].key


def _exercises(host: Host, number: int) -> Screen:
    """The first exercise of a lesson, counted from 1; always the same one."""
    return SCREENS["exercises"](host, _lesson_key(host, number), seed=1)


PICTURES = {
    "home": Picture(_made("home")),
    "setup": Picture(_set_up),
    "levels": Picture(_set_up, press="level1"),
    "clock": Picture(_set_up, press="clock"),
    "play": Picture(_still),
    "replay": Picture(lambda host, record, file: SCREENS["replay"](host, record, file, at_cursor=True, tab="moves")),
    "analysis": Picture(_of_game("replay", at_cursor=True, tab="analysis", autosave=False), engine=True),
    "review": Picture(_of_game("replay", at_cursor=True, tab="review", autosave=False), engine=True),
    "learn": Picture(_of_game("learn")),
    "lessons": Picture(_made("lessons")),
    "reading": Picture(_made("reading")),
    "lesson": Picture(_made("lesson", page=0), numbered=_lesson),
    "exercises": Picture(_made("exercises", seed=1), numbered=_exercises),
    "compare": Picture(_of_game("compare")),
    "trees": Picture(_of_game("compare", "trees")),
    "horizon": Picture(_of_game("compare", "horizon")),
    "threads": Picture(_of_game("compare", "threads")),
    "position_editor": Picture(_of_game("position_editor")),
    "mistakes": Picture(_mistakes),
    "library": Picture(_made("library")),
    "profile": Picture(lambda host, record, _file: SCREENS["profile"](host, record.setup.game)),
    "settings": Picture(_made("settings")),
    "about": Picture(_made("about")),
    "about_game": Picture(_about_game),
    "keys": Picture(_still, press="keys"),
}
"""What `screenshot` can show, by name."""
