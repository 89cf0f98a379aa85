"""The screens: `host.open(screens.replay, record, back=self)` shows one.

Each is a function that imports the class of the screen when it is first needed, so that the window opens soon; mypy
compares the arguments of `open` with those of the class. To add a screen, add its function here and to `SCREENS`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ui.screen import Screen
    from ui.screens.about_game import AboutGame
    from ui.screens.compare import Compare
    from ui.screens.exercises import ExercisesScreen
    from ui.screens.home import Home
    from ui.screens.learn import Learn
    from ui.screens.lesson import LessonScreen
    from ui.screens.lessons import Lessons
    from ui.screens.library import LibraryScreen
    from ui.screens.mistakes import MistakesScreen
    from ui.screens.play import Play
    from ui.screens.position_editor import PositionEditor
    from ui.screens.profile import ProfileScreen
    from ui.screens.reading import ReadingScreen
    from ui.screens.replay import Replay
    from ui.screens.settings import About, SettingsScreen
    from ui.screens.setup import SetupScreen


def home() -> type[Home]:
    from ui.screens.home import Home

    return Home


def setup() -> type[SetupScreen]:
    from ui.screens.setup import SetupScreen

    return SetupScreen


def play() -> type[Play]:
    from ui.screens.play import Play

    return Play


def replay() -> type[Replay]:
    from ui.screens.replay import Replay

    return Replay


def mistakes() -> type[MistakesScreen]:
    from ui.screens.mistakes import MistakesScreen

    return MistakesScreen


def position_editor() -> type[PositionEditor]:
    from ui.screens.position_editor import PositionEditor

    return PositionEditor


def learn() -> type[Learn]:
    from ui.screens.learn import Learn

    return Learn


def lesson() -> type[LessonScreen]:
    from ui.screens.lesson import LessonScreen

    return LessonScreen


def lessons() -> type[Lessons]:
    from ui.screens.lessons import Lessons

    return Lessons


def exercises() -> type[ExercisesScreen]:
    from ui.screens.exercises import ExercisesScreen

    return ExercisesScreen


def reading() -> type[ReadingScreen]:
    from ui.screens.reading import ReadingScreen

    return ReadingScreen


def compare() -> type[Compare]:
    from ui.screens.compare import Compare

    return Compare


def library() -> type[LibraryScreen]:
    from ui.screens.library import LibraryScreen

    return LibraryScreen


def profile() -> type[ProfileScreen]:
    from ui.screens.profile import ProfileScreen

    return ProfileScreen


def settings() -> type[SettingsScreen]:
    from ui.screens.settings import SettingsScreen

    return SettingsScreen


def about() -> type[About]:
    from ui.screens.settings import About

    return About


def about_game() -> type[AboutGame]:
    from ui.screens.about_game import AboutGame

    return AboutGame


SCREENS: dict[str, Callable[[], type[Screen]]] = {
    screen.__name__: screen
    for screen in (
        home, setup, play, replay, mistakes, position_editor, learn, lesson, lessons, exercises, reading, compare,
        library, profile, settings, about, about_game,
    )
}  # fmt: skip
"""All of them, by name."""
