"""Renders a screen to a picture without a display: for the README, and to look at what was built."""

from __future__ import annotations

import io
import math
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ai.engine_handle import wait_on_terminal
from ai.registry import ENGINE, opponents
from games.record import GameRecord
from ui.commands.console import write_output
from ui.start import prepare

if TYPE_CHECKING:
    from ui.app import App
    from ui.scene import Scene
    from ui.screens.replay import Replay

SCENES = (
    "home", "setup", "levels", "clock", "play", "replay", "analysis", "review", "position_editor", "library", "profile",
    "settings", "about", "keys",
)  # fmt: skip

LARGEST = 8000
"""Pixels of a side of a picture."""

_THINKING = 1.5  # seconds an engine may think before the picture is taken

_JUDGING = 120.0  # seconds an analysis or a review may take

_LOOK = 0.02  # seconds

_FILLING = 60.0  # seconds the library may take to be complete

SAMPLE = "h8i9g7i7i8g8j8h6k8l8f6e5f8i6e8"
"""The game that is shown where no file is given."""


def screenshot(
    scene: str,
    out: Path,
    size: tuple[int, int],
    scale: int,
    theme: str,
    language: str,
    file: Path | None = None,
    at: int | None = None,
) -> None:
    """Write `scene` as a picture of `size` pixels to `out`, atomically.

    Raise `FormatError` for a file that cannot be read, `Failure` if `out` cannot be written, and `ValueError` for any
    other impossible request, each with a sentence.
    """
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    prepare()
    import pygame

    from ui.app import App
    from ui.system.settings import Settings

    _check(scene, out, size, scale)
    record = _record(file, at)
    app = App(Settings(theme=theme, language=language, scale=scale, motion=False), size)
    try:
        _show(app, scene, record, file)
        data = io.BytesIO()
        pygame.image.save(app.surface, data, out.name)
    finally:
        app.scene.leave()
        app.close()
    write_output(out, data.getvalue())


def _check(scene: str, out: Path, size: tuple[int, int], scale: int) -> None:
    """Raise `ValueError` for what no picture can be made of."""
    from ui.system.window import SMALLEST

    if scene not in SCENES:
        raise ValueError(f"There is no scene “{scene}”; there is {', '.join(SCENES)}.")
    if out.suffix.lower() != ".png":
        raise ValueError(f"The picture must be a .png file, not “{out.name}”.")
    if size[0] < SMALLEST[0] or size[1] < SMALLEST[1] or max(size) > LARGEST:
        least, most = "x".join(map(str, SMALLEST)), f"{LARGEST}x{LARGEST}"
        raise ValueError(f"A picture has {least} to {most} pixels, not {size[0]}x{size[1]}.")
    if not 80 <= scale <= 200:
        raise ValueError(f"The scale is 80 to 200 per cent, not {scale}.")


def _show(app: App, scene: str, record: GameRecord, file: Path | None) -> None:
    from ui.screens.about import AboutScene
    from ui.screens.home import Home
    from ui.screens.library.screen import LibraryScene
    from ui.screens.position_editor import PositionEditor
    from ui.screens.profile import ProfileScene
    from ui.screens.replay import Replay
    from ui.screens.settings import SettingsScene
    from ui.screens.setup import SetupScene

    makers: dict[str, Callable[[], Scene]] = {
        "home": lambda: Home(app),
        "keys": lambda: _still(app, record),
        "setup": lambda: SetupScene(app, record.setup.game),
        "levels": lambda: SetupScene(app, record.setup.game),
        "profile": lambda: ProfileScene(app, record.setup.game),
        "clock": lambda: SetupScene(app, record.setup.game),
        "play": lambda: _still(app, record),
        "replay": lambda: Replay(app, record, file, at_cursor=True, tab="moves"),
        "analysis": lambda: _studied(app, record, scene),
        "review": lambda: _studied(app, record, scene),
        "library": lambda: LibraryScene(app),
        "settings": lambda: SettingsScene(app),
        "position_editor": lambda: PositionEditor(app, record),
        "about": lambda: AboutScene(app),
    }
    app.show(makers[scene]())
    app.frame(time.monotonic(), 0.0)
    _let_think(app)
    _let_judge(app)
    _let_fill(app)
    if scene == "keys":
        app.show_keys()
    if scene in ("levels", "clock"):
        app.scene.widgets.press({"levels": "level1", "clock": "clock"}[scene])
    for _ in range(3):
        app.frame(time.monotonic(), 0.05)


def _still(app: App, record: GameRecord) -> Scene:
    """A game in which an engine may think, but no move lands while the picture is taken."""
    from ui.game.live_game import LiveGame
    from ui.screens.play import Play

    if record.seats[record.position.turn].player == ENGINE:
        _await_engine(app, record)
    scene = Play(app, record, autosave=False)
    scene.live = LiveGame(record, scene.worker, pace=math.inf)
    return scene


def _await_engine(app: App, record: GameRecord) -> None:
    """Wait for the compiled engine if it plays this game, or what stands in for it would think."""
    if opponents(record.setup.game).strongest == ENGINE:
        wait_on_terminal(app.engine)


def _studied(app: App, record: GameRecord, tab: str) -> Scene:
    """A replay in which the engine analyses or reviews; without a file, so that what it finds is not saved."""
    from ui.screens.replay import Replay

    _await_engine(app, record)
    return Replay(app, record, at_cursor=True, tab=tab)


def _let_judge(app: App) -> None:
    """Give an analysis or a review the time to end."""
    from ui.screens.replay import Replay

    scene, until = app.scene, time.monotonic() + _JUDGING
    while isinstance(scene, Replay) and _judging(scene) and time.monotonic() < until:
        app.frame(time.monotonic(), 0.02)
        time.sleep(_LOOK)


def _judging(scene: Replay) -> bool:
    analyst = scene.analysis.analyst
    return scene.review.reviewer.busy or (analyst.on and not analyst.complete)


def _let_think(app: App) -> None:
    """Give an engine that is to move the time to show what it thinks."""
    live = getattr(app.scene, "live", None)
    if live and live.paused:  # as a game with clocks is when it is opened
        live.resume()
    until = time.monotonic() + _THINKING
    while live and live.thinking and not live.landing and time.monotonic() < until:
        app.frame(time.monotonic(), 0.02)
        time.sleep(_LOOK)


def _let_fill(app: App) -> None:
    """Give the library the time to read the games and to draw them."""
    from ui.screens.home import Home
    from ui.screens.library.screen import LibraryScene

    scene, until = app.scene, time.monotonic() + _FILLING
    while isinstance(scene, Home | LibraryScene) and scene.wake(0.0) is not None and time.monotonic() < until:
        app.frame(time.monotonic(), 0.02)


def _record(file: Path | None, at: int | None) -> GameRecord:
    """The game of `file`, or a sample, with the cursor at ply `at`, or where the file has it.

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
