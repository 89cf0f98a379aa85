"""Make the pictures of the site in every language: `python docs/make_pictures.py [FOLDER]`, by default docs/pictures.

They are screens of the program itself, taken anew for each build. The person in them does not exist: a level of the
computer plays its games, which are rated, reviewed and learned from like those of anybody.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
os.environ["SDL_VIDEODRIVER"] = os.environ["SDL_AUDIODRIVER"] = "dummy"

if TYPE_CHECKING:
    from ui.app import App

SIZE = (960, 640)
FOLDER = ROOT / "docs" / "pictures"
GAME = ROOT / "assets" / "pictures" / "play.tengen.json"
NOUGHTS = ROOT / "assets" / "pictures" / "noughts.tengen.json"
SEARCH = ROOT / "assets" / "pictures" / "search.tengen.json"

SCENES: dict[str, tuple[str, str, Path | None, int | None]] = {
    "setup": ("setup", "paper", None, None),
    "levels": ("levels", "ink", None, None),
    "replay": ("replay", "paper", NOUGHTS, None),
    "analysis": ("analysis", "ink", GAME, 12),
    "review": ("review", "paper", GAME, 18),
    "mistakes": ("mistakes", "ink", GAME, None),
    "puzzle": ("puzzle", "ink", None, None),
    "lesson": ("lesson", "paper", None, 4),
    "search": ("learn", "ink", SEARCH, None),
    "profile": ("profile", "ink", GAME, None),
    "settings": ("settings", "ink", None, None),
    "trees": ("trees", "paper", SEARCH, 3),
    "horizon": ("horizon", "ink", SEARCH, None),
    "exercise": ("exercises", "paper", None, 4),
    "mcts": ("lesson", "paper", None, 9),
}
"""By name: the scene of `tengen screenshot`, its theme, the file of its game, and the ply or the lesson."""

_STILL = 0.05  # seconds: a screen that wakes before has work on the way
_STRENGTH, _GAMES = "level:4", 20  # of the person who does not exist


def make_pictures(folder: Path) -> None:
    """Write all pictures to `folder`/LANGUAGE/NAME.png."""
    import pygame

    from ui.commands.screenshot import screenshot
    from ui.start import prepare
    from ui.toolkit.i18n import LANGUAGES

    prepare()
    with home():
        fill_home()
        for language in LANGUAGES:
            (folder / language).mkdir(parents=True, exist_ok=True)
            for name, (scene, theme, file, at) in SCENES.items():
                screenshot(scene, folder / language / f"{name}.png", SIZE, 100, theme, language, reviewed(file), at)
            for make in (hint, habits, library):
                with app_in("paper", language) as app:
                    make(app)
                    pygame.image.save(app.surface, str(folder / language / f"{make.__name__}.png"))


@contextmanager
def home() -> Iterator[None]:
    """A home folder for the block."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TENGEN_HOME"] = folder
        yield


def fill_home() -> None:
    """Play games of `_STRENGTH` as the person against other levels, and count them."""
    from ai.service.profile import encoded, load_profile, profile_path
    from games.formats import save
    from games.storage import saves_home

    profile, _ = load_profile()
    saves_home().mkdir(parents=True)
    began = datetime.now() - timedelta(days=_GAMES // 2)
    for number in range(_GAMES):
        when = (began + timedelta(hours=12 * number)).isoformat(timespec="seconds")
        record = played(number, when)
        file = saves_home() / f"{when.replace('T', ' ').replace(':', '.')} {record.setup.game}.tengen.json"
        save(record, file)
        profile.add(record, file)
    profile_path().parent.mkdir(parents=True, exist_ok=True)
    profile_path().write_bytes(encoded(profile))


def played(number: int, when: str):  # type: ignore[no-untyped-def]
    """A whole game of the person against a level near its own, with sides in turn; every fourth is of Connect Four."""
    from contextlib import ExitStack, closing

    from ai.core.player import Limit, answer
    from ai.players.table import Context, make
    from games.record import PERSON, GameRecord, Seat
    from games.registry import setup

    game, side = ("connect4" if number % 4 == 3 else "gomoku"), number % 2
    opponent = f"level:{3 + number % 3}"
    names, seats = [opponent, opponent], [Seat(opponent), Seat(opponent)]
    names[side], seats[side] = _STRENGTH, Seat(PERSON)
    record = GameRecord(setup(game), (seats[0], seats[1]), when)
    with ExitStack() as stack:
        players = [stack.enter_context(closing(make(name, Context(game, seed=number)))) for name in names]
        while record.outcome is None:
            record.play(answer(players[record.position.turn], record.position, Limit(seconds=5.0)).move)
    return record


def reviewed(file: Path | None) -> Path | None:
    """The game, after a review where it is the one that the pictures show."""
    from ai.review.report import with_review
    from games.storage import data_home

    if file != GAME:
        return file
    copy = data_home() / "game.tengen.json"
    if not copy.exists():
        copy.write_bytes(with_review(file.read_bytes()))
    return copy


# Screens for which something has to be done first.


@contextmanager
def app_in(theme: str, language: str) -> Iterator[App]:
    """A window without a display, once its engine is ready."""
    from ai.gomoku.handle import wait_on_terminal
    from ui.app import App
    from ui.system.settings import Settings

    app = App(Settings(theme=theme, language=language, motion="off"), SIZE)
    wait_on_terminal(app.engine)
    try:
        yield app
    finally:
        app.scene.close()
        app.close()


def until(app: App, there: Callable[[], object], patience: float = 60.0) -> None:
    """Draw frames until something is `there`, and nothing else on the screen is on its way."""
    end = time.monotonic() + patience
    while not (there() and (app.scene.wake(0.0) or _STILL) >= _STILL):
        if time.monotonic() > end:
            raise TimeoutError("The picture was not complete in time.")
        app.frame(time.monotonic())
        time.sleep(0.02)
    for _ in range(3):
        app.frame(time.monotonic())


def hint(app: App) -> None:
    """A game of a person in which a hint shows the moves to consider."""
    from games.formats import load
    from games.record import PERSON, Seat
    from ui import screens

    record = load(GAME)
    record.go_to(record.line()[7])
    record.seats = (Seat("level:3"), Seat(PERSON)) if record.position.turn else (Seat(PERSON), Seat("level:3"))
    screen = screens.play(app, record, autosave=False)
    app.show(screen)
    until(app, lambda: app.scene is screen)
    state = screen.state
    state.live.resume()  # as after the pause with which a game with clocks opens
    for step in ("area", "candidates"):
        state.ask_hint()
        until(app, lambda step=step: state.hints.step(state.shown.position) == step)


def habits(app: App) -> None:
    """What was learned of the person."""
    from ui import screens
    from ui.profile.screen import HABITS

    screen = screens.profile(app, "gomoku")
    screen.state.tab = HABITS
    app.show(screen)
    until(app, lambda: screen.state.habits.found)


def library(app: App) -> None:
    """The games of the person."""
    from ui import screens

    screen = screens.library(app)
    app.show(screen)
    until(app, lambda: screen.state.games.total == _GAMES and not screen.state.games.busy)


if __name__ == "__main__":
    make_pictures(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
