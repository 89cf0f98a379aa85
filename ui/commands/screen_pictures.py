"""The pictures that `screenshot` can make, by name: which screen, of what, and what is pressed before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ai.puzzles.collection import Wish
from ai.review.report import stored_review
from games.record import GameRecord
from ui import screens
from ui.learn.lesson_state import lessons
from ui.parts.practice import practice_of
from ui.parts.study import Study
from ui.puzzles.state import PuzzleRun, shipped_puzzles
from ui.window.host import Host
from ui.window.screen import Screen


@dataclass(frozen=True, slots=True)
class ScreenPicture:
    """`make` a screen that shows a game, which is in a file or not; then press the button called `press`."""

    make: Callable[[Host, GameRecord, Path | None], Screen]
    press: str = ""
    engine: bool = False
    """Whether it shows what the engine finds."""
    numbered: Callable[[Host, int], Screen] | None = None
    """Make the screen of a number instead of that of a game. Raise `ValueError` with a sentence."""


def _plain_screen(screen: Callable[[Host], Screen]) -> Callable[[Host, GameRecord, Path | None], Screen]:
    """Adapt a screen that shows no game."""
    return lambda host, _record, _file: screen(host)


def _tab(tab: str) -> Callable[[Host, GameRecord, Path | None], Screen]:
    """A replay with the tab open."""
    return lambda host, record, _file: screens.replay(host, record, at_cursor=True, tab=tab, autosave=False)


def _comparison(view: str) -> Callable[[Host, GameRecord, Path | None], Screen]:
    return lambda host, record, _file: screens.compare(host, record, view)


def _still(host: Host, record: GameRecord, _file: Path | None) -> Screen:
    """A game in which a computer may think, but no move lands while the picture is taken."""
    screen = screens.play(host, record, autosave=False)
    screen.state.still = True
    return screen


def _setup_screen(host: Host, record: GameRecord, _file: Path | None) -> Screen:
    return screens.setup(host, record.setup.game)


def _about_game(host: Host, record: GameRecord, file: Path | None) -> Screen:
    return screens.about_game(host, Study(host, record, file))


def _mistakes(host: Host, record: GameRecord, _file: Path | None) -> Screen:
    """The mistakes of a game that was reviewed, or else the exercises that are due."""
    found, names = stored_review(record), host.settings.own_names
    return screens.mistakes(host, practice_of(record, found.moves, (0, 1), names) if found else None)


def _puzzle(host: Host, record: GameRecord, _file: Path | None) -> Screen:
    """A puzzle of the game; always the same one."""
    run = PuzzleRun(host, shipped_puzzles(), wish=Wish(record.setup.game), seed=1)
    return screens.puzzle(host, run)


def _lesson(host: Host, number: int) -> Screen:
    """The first page of a lesson, counted from 1."""
    return screens.lesson(host, _lesson_key(host, number), 0)


def _lesson_key(host: Host, number: int) -> str:
    """The key of a lesson, counted from 1. Raise `ValueError` with a sentence."""
    found = lessons(host.theme.language)
    if not 1 <= number <= len(found):
        raise ValueError(f"There are {len(found)} lessons; there is no lesson {number}.")
    return found[number - 1].key


def _exercises(host: Host, number: int) -> Screen:
    """The first exercise of a lesson, counted from 1; always the same one."""
    return screens.exercises(host, _lesson_key(host, number), seed=1)


PICTURES = {
    "home": ScreenPicture(_plain_screen(screens.home)),
    "setup": ScreenPicture(_setup_screen),
    "levels": ScreenPicture(_setup_screen, press="level1"),
    "clock": ScreenPicture(_setup_screen, press="clock"),
    "play": ScreenPicture(_still),
    "replay": ScreenPicture(lambda host, record, file: screens.replay(host, record, file, at_cursor=True, tab="moves")),
    "analysis": ScreenPicture(_tab("analysis"), engine=True),
    "review": ScreenPicture(_tab("review"), engine=True),
    "learn": ScreenPicture(lambda host, record, _file: screens.learn(host, record)),
    "lessons": ScreenPicture(_plain_screen(screens.lessons)),
    "reading": ScreenPicture(_plain_screen(screens.reading)),
    "lesson": ScreenPicture(lambda host, _record, _file: screens.lesson(host, page=0), numbered=_lesson),
    "exercises": ScreenPicture(lambda host, _record, _file: screens.exercises(host, seed=1), numbered=_exercises),
    "compare": ScreenPicture(lambda host, record, _file: screens.compare(host, record)),
    "trees": ScreenPicture(_comparison("trees")),
    "horizon": ScreenPicture(_comparison("horizon")),
    "threads": ScreenPicture(_comparison("threads")),
    "position_editor": ScreenPicture(lambda host, record, _file: screens.position_editor(host, record)),
    "mistakes": ScreenPicture(_mistakes),
    "puzzles": ScreenPicture(_plain_screen(screens.puzzles)),
    "puzzle": ScreenPicture(_puzzle),
    "library": ScreenPicture(_plain_screen(screens.library)),
    "databases": ScreenPicture(_plain_screen(screens.databases)),
    "explorer": ScreenPicture(_tab("explorer")),
    "tournaments": ScreenPicture(_plain_screen(screens.tournaments)),
    "new_tournament": ScreenPicture(_plain_screen(screens.new_tournament)),
    "profile": ScreenPicture(lambda host, record, _file: screens.profile(host, record.setup.game)),
    "settings": ScreenPicture(_plain_screen(screens.settings)),
    "engines": ScreenPicture(_plain_screen(screens.engines)),
    "about": ScreenPicture(_plain_screen(screens.about)),
    "about_game": ScreenPicture(_about_game),
    "guide": ScreenPicture(_plain_screen(screens.guide)),
    "keys": ScreenPicture(_still, press="keys"),
}
"""What `screenshot` can show, by name."""
