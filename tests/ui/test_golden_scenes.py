"""Screens look as they did: compared as in `tests.ui.test_golden` with pictures that a person has looked at.

The pictures are reduced: a text with other words may pass, but not a missing text, nor a part in another place.
`python -m tests.ui.test_golden_scenes` makes the pictures anew: look at them before you commit them.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import pygame
import pytest
from PIL import Image

from ai.players.table import KINDS
from games.clock import Stopwatch
from games.registry import GAMES
from tests import waiting
from tests.ui.scenes import SCENES, untimed
from tests.ui.stage import Make, Stage, still
from tests.ui.test_golden import FOLDER, expect_alike
from ui.home.screen import Home
from ui.learn.learn import Learn
from ui.learn.lesson import LessonScreen
from ui.library.screen import LibraryScreen
from ui.play.screen import Play
from ui.toolkit.dialogs import Question
from ui.toolkit.file_dialog import FileDialog
from ui.window.screen import Screen

pytestmark = pytest.mark.skipif(sys.platform == "darwin", reason="keys have other names there")

CHANGING = {"play bones", "play watched", "replay depths", "replay cluster", "learn engine"}
"""Scenes that show a search that goes on, or the time that one took."""

BLOCK = 2  # pixels of a reduced picture


def choosing_file(stage: Stage, saving: bool) -> None:
    """A choice among files, always of the same names, times and folder."""
    folder, then = Path(tempfile.gettempdir()) / "tengen pictures", datetime(2026, 9, 21, 14, 13).timestamp()
    for number in range(4):
        file = folder / f"a folder {number}" / "a game.sgf"
        file.parent.mkdir(parents=True, exist_ok=True)
        for made in (file, folder / f"game {number}.tengen.json"):
            made.write_bytes(b"." * 1000 * number)
            os.utime(made, (then, then))
        os.utime(file.parent, (then, then))
    start, suffixes = folder / "a name.sgf" if saving else folder, (".tengen.json", ".sgf")
    stage.app.overlay = FileDialog(
        stage.app.window, start, suffixes, print, saving=saving, title="Choose a game", recent=[folder / "a folder 1"]
    )


OVERLAYS: dict[str, Callable[[Stage], object]] = {
    "keys over a game": lambda stage: stage.app.show_keys(),
    "menu over a game": lambda stage: stage.push("menu"),
    "question over a game": lambda stage: setattr(
        stage.app, "overlay", Question(stage.app.window, "A question", "With a message. " * 9, "Yes")
    ),
    "file over a game": lambda stage: choosing_file(stage, saving=False),
    "saving over a game": lambda stage: choosing_file(stage, saving=True),
}
PICTURED = {
    *("gomoku", "tictactoe", "bones", "connect4"),
    *("level", "engine", "solver", "alphabeta", "minimax", "parallel", "mcts", "trickster", "random"),
    *("cmd", "external"),
}
"""The games and the kinds of players of the pictures: one more changes none."""
NAMES = [*(name for name in SCENES if name not in CHANGING), *OVERLAYS]


@dataclass(frozen=True)
class Look:
    """How scenes are shown, the size of their pictures, and where these are kept."""

    size: tuple[int, int]
    theme: str
    language: str
    reduced: tuple[int, int]
    folder: str

    def kept(self, name: str) -> Path:
        return FOLDER / self.folder / f"{name.replace(' ', '_')}.webp"


SMALL = Look((960, 640), "ink", "en", (240, 160), "scenes")
WIDE = Look((1440, 900), "paper", "ru", (240, 150), "wide_scenes")


class AtOnce:
    """An executor without threads, so that pictures do not depend on timing."""

    def __init__(self, *_: object) -> None: ...

    def submit(self, task: Callable[..., object], *arguments: object) -> Future[object]:
        done: Future[object] = Future()
        done.set_result(task(*arguments))
        return done

    def shutdown(self, **_: object) -> None: ...


def drawn(stage: Stage, name: str, look: Look = SMALL) -> pygame.Surface:
    """The picture of a scene in which time stands still, so that a busy machine draws the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ui.parts.knowledge.ThreadPoolExecutor", AtOnce)
        for folder in ("saves", "config", "log"):
            patch.setattr(f"ui.settings.screen.{folder}_home", lambda name=folder: Path(f"/home/ada/{name}"))
        patch.setattr("ui.settings.screen.VERSION", "1.2.3")
        now = time.monotonic()
        patch.setattr("ui.play.live_game.Stopwatch", lambda _: Stopwatch(lambda: now))
        patch.setattr("tests.ui.stage.frame", lambda app, times=1: [app.frame(now) for _ in range(times)])
        random.seed(1)  # what plays on the home screen
        for table in (GAMES, KINDS):
            for key in table.keys() - PICTURED:
                patch.delitem(table, key)
        _show(stage, name)
        return pygame.transform.smoothscale(stage.app.surface, look.reduced)


def at_rest(screen: Screen) -> bool:
    """Whether nothing on the screen moves or is still being loaded, games of the library included."""
    if isinstance(screen, Home):
        return screen.wake(0.0) is None
    return still(screen) and not (isinstance(screen, LibraryScreen) and screen.state.games.busy)


def _show(stage: Stage, name: str) -> None:
    screen = stage.show(SCENES[name if name in SCENES else "play small"](stage))
    stage.until(lambda: at_rest(screen))
    if isinstance(screen, Play) and screen.state.still:  # it shows what a search has found
        stage.until(lambda: screen.state.live.search is not None and not stage.app.searches.busy)
    if isinstance(screen, Learn | LessonScreen):
        untimed(screen.explorer if isinstance(screen, Learn) else screen.course.explorer)
        stage.frame(2)
    if name in OVERLAYS:
        OVERLAYS[name](stage)
        stage.frame(2)


def _compare(stage: Stage, name: str, look: Look, folder: Path) -> None:
    """Fail if a scene looks different, and save its picture in `folder`."""
    expect_alike(drawn(stage, name, look), look.kept(name), folder, "tests.ui.test_golden_scenes", BLOCK)


@pytest.mark.parametrize("name", NAMES)
def test_a_screen_looks_as_it_did(stage: Make, name: str, tmp_path: Path) -> None:
    _compare(stage(SMALL.size), name, SMALL, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_wide_screen_looks_as_it_did(stage: Make, name: str, tmp_path: Path) -> None:
    _compare(stage(WIDE.size, theme=WIDE.theme, language=WIDE.language), name, WIDE, tmp_path)


def main() -> None:
    waiting.PATIENCE = 3600.0  # on a busy machine all searches took longer than a test may
    for look in (SMALL, WIDE):
        for name in NAMES:
            with tempfile.TemporaryDirectory() as home:
                os.environ["TENGEN_HOME"] = home
                stage = Stage(Path(home), look.size, 100, look.theme, look.language)
                pixels = pygame.image.tobytes(drawn(stage, name, look), "RGB")
                look.kept(name).parent.mkdir(exist_ok=True)
                Image.frombytes("RGB", look.reduced, pixels).save(look.kept(name), lossless=True, method=6)
                stage.app.scene.close()
                stage.app.close()


if __name__ == "__main__":
    main()
