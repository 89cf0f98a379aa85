"""The screens: `host.open(screens.replay, record, back=self)` shows one.

Each is a function that imports the class of the screen when it is first needed, so that the window opens soon; mypy
compares the arguments of `open` with those of the class. To add a screen, add its function here and to `SCREENS`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ui.exercises.screen import MistakesScreen
    from ui.home.screen import Home
    from ui.learn.compare import Compare
    from ui.learn.exercises import ExercisesScreen
    from ui.learn.learn import Learn
    from ui.learn.lesson import LessonScreen
    from ui.learn.lessons import Lessons
    from ui.learn.reading import ReadingScreen
    from ui.library.screen import LibraryScreen
    from ui.parts.about_game import AboutGame
    from ui.play.screen import Play
    from ui.profile.screen import ProfileScreen
    from ui.replay.position_editor import PositionEditor
    from ui.replay.screen import Replay
    from ui.settings.screen import About, SettingsScreen
    from ui.setup.screen import SetupScreen
    from ui.window.screen import Screen


def home() -> type[Home]:
    from ui.home.screen import Home

    return Home


def setup() -> type[SetupScreen]:
    from ui.setup.screen import SetupScreen

    return SetupScreen


def play() -> type[Play]:
    from ui.play.screen import Play

    return Play


def replay() -> type[Replay]:
    from ui.replay.screen import Replay

    return Replay


def mistakes() -> type[MistakesScreen]:
    from ui.exercises.screen import MistakesScreen

    return MistakesScreen


def position_editor() -> type[PositionEditor]:
    from ui.replay.position_editor import PositionEditor

    return PositionEditor


def learn() -> type[Learn]:
    from ui.learn.learn import Learn

    return Learn


def lesson() -> type[LessonScreen]:
    from ui.learn.lesson import LessonScreen

    return LessonScreen


def lessons() -> type[Lessons]:
    from ui.learn.lessons import Lessons

    return Lessons


def exercises() -> type[ExercisesScreen]:
    from ui.learn.exercises import ExercisesScreen

    return ExercisesScreen


def reading() -> type[ReadingScreen]:
    from ui.learn.reading import ReadingScreen

    return ReadingScreen


def compare() -> type[Compare]:
    from ui.learn.compare import Compare

    return Compare


def library() -> type[LibraryScreen]:
    from ui.library.screen import LibraryScreen

    return LibraryScreen


def profile() -> type[ProfileScreen]:
    from ui.profile.screen import ProfileScreen

    return ProfileScreen


def settings() -> type[SettingsScreen]:
    from ui.settings.screen import SettingsScreen

    return SettingsScreen


def about() -> type[About]:
    from ui.settings.screen import About

    return About


def about_game() -> type[AboutGame]:
    from ui.parts.about_game import AboutGame

    return AboutGame


SCREENS: dict[str, Callable[[], type[Screen]]] = {
    screen.__name__: screen
    for screen in (
        home, setup, play, replay, mistakes, position_editor, learn, lesson, lessons, exercises, reading, compare,
        library, profile, settings, about, about_game,
    )
}  # fmt: skip
"""All of them, by name."""
