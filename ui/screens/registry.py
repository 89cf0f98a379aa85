"""The screens by name: how each is made, and how `screenshot` shows it. To add one, add it here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ai.review.exercises import Deck, exercises
from ai.review.report import recalled
from games.record import GameRecord
from ui.game.comparison import HORIZON, THREADS, TREES
from ui.game.exercise import Practice
from ui.game.lesson import lessons
from ui.host import Host
from ui.screen import Screen
from ui.screens.compare import Compare
from ui.screens.home import Home
from ui.screens.learn import Learn
from ui.screens.lesson import LessonScreen
from ui.screens.lessons import Lessons
from ui.screens.library import LibraryScreen
from ui.screens.mistakes import MistakesScreen
from ui.screens.play import Play
from ui.screens.position_editor import PositionEditor
from ui.screens.profile import ProfileScreen
from ui.screens.replay import Replay
from ui.screens.settings import About, SettingsScreen
from ui.screens.setup import SetupScreen

_ALL = (
    Home, SetupScreen, Play, Replay, MistakesScreen, PositionEditor, Learn, LessonScreen, Lessons, Compare,
    LibraryScreen, ProfileScreen, SettingsScreen, About,
)  # fmt: skip
SCREENS: dict[str, Callable[..., Screen]] = {each.name: each for each in _ALL}
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


def _still(host: Host, record: GameRecord, _file: Path | None) -> Screen:
    """A game in which a computer may think, but no move lands while the picture is taken."""
    screen = Play(host, record, autosave=False)
    screen.state.still = True
    return screen


def _set_up(host: Host, record: GameRecord, _file: Path | None) -> Screen:
    return SetupScreen(host, record.setup.game)


def _mistakes(host: Host, record: GameRecord, _file: Path | None) -> Screen:
    """The mistakes of a game that was reviewed, or else the exercises that are due."""
    found = recalled(record)
    return MistakesScreen(host, Practice(Deck(), exercises(record, found.moves, (0, 1))) if found else None)


def _lesson(host: Host, number: int) -> Screen:
    """The first page of a lesson, counted from 1."""
    found = lessons(host.theme.language)
    if not 1 <= number <= len(found):
        raise ValueError(f"There are {len(found)} lessons; there is no lesson {number}.")
    return LessonScreen(host, found[number - 1].key, 0)


def _compared(view: str, host: Host, record: GameRecord, _file: Path | None) -> Screen:
    """Searches that are compared, from the start with another view than the first."""
    return Compare(host, record, view)


PICTURES = {
    "home": Picture(lambda host, _record, _file: Home(host)),
    "setup": Picture(_set_up),
    "levels": Picture(_set_up, press="level1"),
    "clock": Picture(_set_up, press="clock"),
    "play": Picture(_still),
    "replay": Picture(lambda host, record, file: Replay(host, record, file, at_cursor=True, tab="moves")),
    # Without a file, so that what the engine finds is not saved.
    "analysis": Picture(lambda host, record, _: Replay(host, record, at_cursor=True, tab="analysis"), engine=True),
    "review": Picture(lambda host, record, _: Replay(host, record, at_cursor=True, tab="review"), engine=True),
    "learn": Picture(lambda host, record, _file: Learn(host, record)),
    "lessons": Picture(lambda host, _record, _file: Lessons(host)),
    "lesson": Picture(lambda host, _record, _file: LessonScreen(host, page=0), numbered=_lesson),
    "compare": Picture(lambda host, record, _file: Compare(host, record)),
    "trees": Picture(partial(_compared, TREES)),
    "horizon": Picture(partial(_compared, HORIZON)),
    "threads": Picture(partial(_compared, THREADS)),
    "position_editor": Picture(lambda host, record, _file: PositionEditor(host, record)),
    "mistakes": Picture(_mistakes),
    "library": Picture(lambda host, _record, _file: LibraryScreen(host)),
    "profile": Picture(lambda host, record, _file: ProfileScreen(host, record.setup.game)),
    "settings": Picture(lambda host, _record, _file: SettingsScreen(host)),
    "about": Picture(lambda host, _record, _file: About(host)),
    "keys": Picture(_still, press="keys"),
}
"""What `screenshot` can show, by name."""
