"""The screens: `host.open(screens.replay, record, back=self)` shows one.

To mypy each name is the class of a screen, so that it compares the arguments of `open` with those of the class. In the
running program it is a `Late`, since the window opens sooner if the module of a screen is imported when it is needed.
To add a screen, add it to both.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ui.window.screen import Screen


@dataclass(frozen=True, slots=True)
class Late:
    """A screen class, named `kind` in `module`, which is imported only when the class is called or loaded."""

    module: str
    kind: str

    def load(self) -> type[Screen]:
        """Import the module, and return the class."""
        found: type[Screen] = getattr(import_module(self.module), self.kind)
        return found

    def __call__(self, *state: Any, **options: Any) -> Screen:
        """Create the screen with the given arguments; the first call imports its module."""
        make: Any = self.load()  # the arguments differ between screens
        screen: Screen = make(*state, **options)
        return screen


if TYPE_CHECKING:
    from ui.database.screen import DatabaseScreen
    from ui.engines.screen import EnginesScreen
    from ui.exercises.screen import MistakesScreen
    from ui.guide.screen import GuideScreen
    from ui.home.screen import Home
    from ui.learn.compare import Compare
    from ui.learn.drill_screen import DrillScreen
    from ui.learn.learn import Learn
    from ui.learn.lesson import LessonScreen
    from ui.learn.lessons import Lessons, ReadingScreen
    from ui.library.screen import LibraryScreen
    from ui.parts.about_game import AboutGame
    from ui.play.screen import Play
    from ui.profile.screen import ProfileScreen
    from ui.puzzles.screen import PuzzleScreen, PuzzlesScreen
    from ui.replay.position_editor import PositionEditor
    from ui.replay.screen import Replay
    from ui.settings.screen import AboutTengen, SettingsScreen
    from ui.setup.screen import SetupScreen
    from ui.tournament.new import NewTournamentScreen
    from ui.tournament.screen import TournamentScreen

    home = Home
    setup = SetupScreen
    play = Play
    replay = Replay
    mistakes = MistakesScreen
    puzzles = PuzzlesScreen
    puzzle = PuzzleScreen
    position_editor = PositionEditor
    learn = Learn
    lesson = LessonScreen
    lessons = Lessons
    exercises = DrillScreen
    reading = ReadingScreen
    compare = Compare
    library = LibraryScreen
    databases = DatabaseScreen
    profile = ProfileScreen
    settings = SettingsScreen
    engines = EnginesScreen
    about = AboutTengen
    about_game = AboutGame
    guide = GuideScreen
    tournaments = TournamentScreen
    new_tournament = NewTournamentScreen
else:
    home = Late("ui.home.screen", "Home")
    setup = Late("ui.setup.screen", "SetupScreen")
    play = Late("ui.play.screen", "Play")
    replay = Late("ui.replay.screen", "Replay")
    mistakes = Late("ui.exercises.screen", "MistakesScreen")
    puzzles = Late("ui.puzzles.screen", "PuzzlesScreen")
    puzzle = Late("ui.puzzles.screen", "PuzzleScreen")
    position_editor = Late("ui.replay.position_editor", "PositionEditor")
    learn = Late("ui.learn.learn", "Learn")
    lesson = Late("ui.learn.lesson", "LessonScreen")
    lessons = Late("ui.learn.lessons", "Lessons")
    exercises = Late("ui.learn.drill_screen", "DrillScreen")
    reading = Late("ui.learn.lessons", "ReadingScreen")
    compare = Late("ui.learn.compare", "Compare")
    library = Late("ui.library.screen", "LibraryScreen")
    databases = Late("ui.database.screen", "DatabaseScreen")
    profile = Late("ui.profile.screen", "ProfileScreen")
    settings = Late("ui.settings.screen", "SettingsScreen")
    engines = Late("ui.engines.screen", "EnginesScreen")
    about = Late("ui.settings.screen", "AboutTengen")
    about_game = Late("ui.parts.about_game", "AboutGame")
    guide = Late("ui.guide.screen", "GuideScreen")
    tournaments = Late("ui.tournament.screen", "TournamentScreen")
    new_tournament = Late("ui.tournament.new", "NewTournamentScreen")

SCREENS: dict[str, Late] = {name: value for name, value in globals().items() if isinstance(value, Late)}
"""All of them, by name."""
