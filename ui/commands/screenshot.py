"""Renders a screen to a picture without a display: for the README, and to look at changes. `PICTURES` has all scenes:
which screen, of what, and which button is pressed before."""

from __future__ import annotations

import io
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ai.gomoku.handle import wait_on_terminal
from ai.players.table import needs_engine, strongest
from ai.puzzles.collection import Wish
from ai.review.report import stored_review
from games.record import PERSON, GameRecord
from ui import screens
from ui.board.pictures import ANIMATED, Film, film_bytes
from ui.commands.console import write_output
from ui.learn.lesson_state import Lesson, exercises, lessons
from ui.parts.practice import practice_of
from ui.parts.study import Study
from ui.puzzles.state import PuzzleRun, shipped_puzzles
from ui.screens import SCREENS
from ui.start import prepare
from ui.window.host import Host
from ui.window.screen import Screen

if TYPE_CHECKING:
    from ui.app import App
    from ui.window.screen import Screen

@dataclass(frozen=True, slots=True)
class ScreenPicture:
    """A scene: `make` creates the screen, of a game and perhaps its file; then the button called `press` is pressed."""

    make: Callable[[Host, GameRecord, Path | None], Screen]
    press: str = ""
    engine: bool = False
    """Whether it shows what the engine finds."""
    numbered: Callable[[Host, int, int], Screen] | None = None
    """Make the screen of a number, with a page of it, both from 1, instead of that of a game. Raise `ValueError` with a
    sentence."""
    searched: bool = False
    """Whether it shows a search of the position, which must not be the end of a game."""


def _plain_screen(screen: Callable[[Host], Screen]) -> Callable[[Host, GameRecord, Path | None], Screen]:
    """Return a `ScreenPicture.make` for a screen that shows no game."""
    return lambda host, _record, _file: screen(host)


def _replay_with_tab(tab: str) -> Callable[[Host, GameRecord, Path | None], Screen]:
    """Return a `ScreenPicture.make` for a replay with the tab open."""
    return lambda host, record, _file: screens.replay(host, record, at_cursor=True, tab=tab, autosave=False)


def _comparison(view: str) -> Callable[[Host, GameRecord, Path | None], Screen]:
    """Return a `ScreenPicture.make` for the comparison of searches with the view open."""
    return lambda host, record, _file: screens.compare(host, record, view)


def _still_game(host: Host, record: GameRecord, _file: Path | None) -> Screen:
    """Return the screen of a game in which a computer may think, but plays no move while the picture is taken."""
    screen = screens.play(host, record, autosave=False)
    screen.state.still = True
    return screen


def _setup_screen(host: Host, record: GameRecord, _file: Path | None) -> Screen:
    """Return the screen of the set-up of a new game."""
    return screens.setup(host, record.setup.game)


def _about_game(host: Host, record: GameRecord, file: Path | None) -> Screen:
    """Return the screen of what is said about the game."""
    return screens.about_game(host, Study(host, record, file))


def _mistakes(host: Host, record: GameRecord, _file: Path | None) -> Screen:
    """Return the screen of the mistakes of a reviewed game; without a review, that of the exercises that are due."""
    found, names = stored_review(record), host.settings.own_names
    return screens.mistakes(host, practice_of(record, found.moves, (0, 1), names) if found else None)


def _puzzle(host: Host, record: GameRecord, _file: Path | None) -> Screen:
    """Return the screen of a puzzle of the record's game, always the same one."""
    run = PuzzleRun(host, shipped_puzzles(), wish=Wish(record.setup.game), seed=1)
    return screens.puzzle(host, run)


def _lesson(host: Host, number: int, page: int) -> Screen:
    """Return the screen of a page of a lesson, both counted from 1. Raise `ValueError` with a sentence."""
    found = _find_lesson(host, number)
    return screens.lesson(host, found.key, _index(page, found.pages, "page"))


def _exercises(host: Host, number: int, page: int) -> Screen:
    """Return the screen of exercise `page` of lesson `number`, both from 1; always the same one. Raise `ValueError`
    with a sentence."""
    key = _find_lesson(host, number).key
    return screens.exercises(host, key, seed=1, number=_index(page, len(exercises(key)), "exercise"))


def _find_lesson(host: Host, number: int) -> Lesson:
    """Return lesson `number`, from 1. Raise `ValueError` with a sentence if there is none."""
    found = lessons(host.theme.language)
    return found[_index(number, len(found), "lesson")]


def _index(number: int, count: int, what: str) -> int:
    """Return `number` - 1. Raise `ValueError` with a sentence unless `number` is from 1 to `count`; `what` names one of
    the things that are counted."""
    if not 1 <= number <= count:
        raise ValueError(f"There are {count} {what}s; there is no {what} {number}.")
    return number - 1


_OF_GAMES = {
    "setup": ScreenPicture(_setup_screen),
    "levels": ScreenPicture(_setup_screen, press="level1"),
    "clock": ScreenPicture(_setup_screen, press="clock"),
    "play": ScreenPicture(_still_game),
    "replay": ScreenPicture(lambda host, record, file: screens.replay(host, record, file, at_cursor=True, tab="moves")),
    "analysis": ScreenPicture(_replay_with_tab("analysis"), engine=True),
    "review": ScreenPicture(_replay_with_tab("review"), engine=True),
    "learn": ScreenPicture(lambda host, record, _file: screens.learn(host, record), searched=True),
    "lesson": ScreenPicture(lambda host, _record, _file: screens.lesson(host, page=0), numbered=_lesson),
    "exercises": ScreenPicture(lambda host, _record, _file: screens.exercises(host, seed=1), numbered=_exercises),
    "compare": ScreenPicture(lambda host, record, _file: screens.compare(host, record), searched=True),
    "trees": ScreenPicture(_comparison("trees"), searched=True),
    "horizon": ScreenPicture(_comparison("horizon")),
    "threads": ScreenPicture(_comparison("threads"), searched=True),
    "position_editor": ScreenPicture(lambda host, record, _file: screens.position_editor(host, record)),
    "mistakes": ScreenPicture(_mistakes),
    "puzzle": ScreenPicture(_puzzle),
    "explorer": ScreenPicture(_replay_with_tab("explorer")),
    "profile": ScreenPicture(lambda host, record, _file: screens.profile(host, record.setup.game)),
    "about_game": ScreenPicture(_about_game),
    "keys": ScreenPicture(_still_game, press="keys"),
}
"""Screens of a game, or of something else that must be chosen, and those in which a button was pressed."""

PICTURES = {
    name: _OF_GAMES.get(name) or ScreenPicture(_plain_screen(screen)) for name, screen in SCREENS.items()
} | _OF_GAMES
"""What `screenshot` can show, by name: every screen, and more."""


LARGEST = 8000
"""Pixels of a side of a picture."""

_THINKING = 1.5  # seconds an engine may think before the picture is taken

_PATIENCE = 120.0  # seconds an analysis or a review may take, or the library until it is complete

_LOOK = 0.02  # seconds

_SOON = 0.05  # seconds: a screen that wakes before has work on the way

_DELAY = 500  # milliseconds that a film shows a step

FILMED = ("learn", "lesson")
"""What there are films of, besides pictures: the steps of the search."""

SAMPLE = "h8i9g7i7i8g8j8h6k8l8f6e5f8i6e8"
"""The game that is shown where no file is given."""


def scenes() -> list[str]:
    """Return the names of all scenes."""
    prepare()
    from ui.commands.screenshot import PICTURES

    return list(PICTURES)


def screenshot(
    scene: str,
    out: Path,
    size: tuple[int, int],
    scale: int,
    theme: str,
    language: str,
    file: Path | None = None,
    at: int | None = None,
    page: int | None = None,
) -> None:
    """Write `scene` as a picture of `size` pixels to `out`, atomically; for scenes in `FILMED` also as an animation. It
    shows the game in `file`, or a sample, at ply `at`. In scenes of lessons, `at` is the number of the lesson instead,
    and `page` that of its page or exercise. `scale` is in per cent.

    Raise `FormatError` for a file that cannot be read, `Failure` if `out` cannot be written, and `ValueError` for any
    other impossible request, each with a sentence.
    """
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    _check(scene, scenes(), out, size, scale)
    import pygame

    from ui.app import App
    from ui.commands.screenshot import PICTURES
    from ui.system.settings import Settings

    picture = PICTURES[scene]
    if page is not None and picture.numbered is None:
        raise ValueError(f"“{scene}” has no pages.")
    of_game = scene in _OF_GAMES and picture.numbered is None
    if not of_game and (file is not None or (at is not None and picture.numbered is None)):
        raise ValueError(f"“{scene}” shows no game.")
    record = _read_record(file, None if picture.numbered else at)
    if picture.searched and record.position.outcome is not None:
        raise ValueError("The game is over there, and there is nothing to search; --at chooses a position before.")
    app = App(Settings(theme=theme, language=language, scale=scale, motion="off"), size)
    try:
        if picture.numbered is not None and (at, page) != (None, None):
            screen = picture.numbered(app, 1 if at is None else at, 1 if page is None else page)
        else:
            screen = picture.make(app, record, file)
        _run_until_complete(app, screen, picture, record)
        data = io.BytesIO()
        if out.suffix.lower() in ANIMATED:
            data.write(_film_of(app, screen, out.suffix[1:].lower()))
        else:
            pygame.image.save(app.surface, data, out.name)
    finally:
        app.scene.close()
        app.close()
    write_output(out, data.getvalue())


def _check(scene: str, scenes: Sequence[str], out: Path, size: tuple[int, int], scale: int) -> None:
    """Raise `ValueError` with a sentence for arguments of which no picture can be made."""
    from ui.system.window import SMALLEST

    if scene not in scenes:
        raise ValueError(f"There is no scene “{scene}”; there is {', '.join(scenes)}.")
    endings = (".png", *ANIMATED) if scene in FILMED else (".png",)
    if out.suffix.lower() not in endings:
        raise ValueError(f"The picture must be a {' or '.join(endings)} file, not “{out.name}”.")
    if size[0] < SMALLEST[0] or size[1] < SMALLEST[1] or max(size) > LARGEST:
        least, most = "x".join(map(str, SMALLEST)), f"{LARGEST}x{LARGEST}"
        raise ValueError(f"A picture has {least} to {most} pixels, not {size[0]}x{size[1]}.")
    if not 80 <= scale <= 200:
        raise ValueError(f"The scale is 80 to 200 per cent, not {scale}.")


def _film_of(app: App, screen: Screen, kind: str) -> bytes:
    """Return an animation of the whole window, with the steps of the search that `screen` shows."""
    import pygame

    from ui.learn.search_export import film_steps

    explorer = screen.explorer  # type: ignore[attr-defined]  # `_check` has looked for it
    steps = film_steps(explorer)

    def frame(step: int) -> bytes:
        """Return the pixels of the window at a step of the search."""
        explorer.go(step)
        until = time.monotonic() + _PATIENCE
        app.frame(time.monotonic())
        while _is_changing(screen) and time.monotonic() < until:
            app.frame(time.monotonic())
        return pygame.image.tobytes(app.surface, "RGB")

    samples = [frame(steps[number]) for number in (0, len(steps) // 2, -1)]
    return film_bytes(kind, Film(app.size, len(steps), samples, map(frame, steps)), _DELAY)


def _run_until_complete(app: App, screen: Screen, picture: ScreenPicture, record: GameRecord) -> None:
    """Show the screen, wait for engines that it needs, and run it until the picture is complete or its time is up. Then
    press the button of `picture`, if any."""
    game, seat = record.setup.game, record.seats[record.position.turn].player
    thinker = strongest(game) if picture.engine else seat
    if thinker != PERSON and needs_engine(thinker, game):
        wait_on_terminal(app.engine)  # or what stands in for it would be shown
    app.show(screen)
    _draw_twice(app)
    state = getattr(screen, "state", None)
    live = getattr(state, "live", None)
    if live and live.paused:  # as a game with clocks is when it is opened
        live.resume()
    until = time.monotonic() + (_THINKING if live else _PATIENCE)
    reviewer = getattr(state, "reviewer", None)

    def busy() -> bool:
        """Return whether something that the screen shows is still searched for or read."""
        at_work = app.searches.busy or app.imports.mirroring or (reviewer and reviewer.busy)
        return bool(at_work or getattr(state, "busy", False))

    while (busy() or _is_changing(screen)) and time.monotonic() < until:
        app.frame(time.monotonic())
        time.sleep(_LOOK)
    if picture.press:
        screen.widgets.press(picture.press)
    _draw_twice(app)


def _draw_twice(app: App) -> None:
    """Draw two frames: the first shows a screen, or what a button has changed, and the second lets it ask."""
    app.frame(time.monotonic())
    app.frame(time.monotonic())


def _is_changing(screen: Screen) -> bool:
    """Return whether the picture would change at once: something moves, or is computed on a thread."""
    wake = screen.wake(0.0)
    return wake is not None and wake < _SOON


def _read_record(file: Path | None, at: int | None) -> GameRecord:
    """Return the game of `file`, or the sample, with the cursor at ply `at`; None leaves it where the file has it.

    Raise `FormatError` or `ValueError`.
    """
    from games.formats import load, read_target

    record = load(file) if file is not None else read_target(SAMPLE)
    if at is not None:
        line = record.line()
        if not 0 <= at < len(line):
            raise ValueError(f"The game has {len(line) - 1} moves; there is no move {at}.")
        record.go_to(line[at])
    return record
