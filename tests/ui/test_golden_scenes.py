"""Screens look as they did: compared as in `tests.ui.test_golden` with pictures that a person has looked at.

The pictures are reduced: a text with other words may pass, but not a missing text, nor a part in another place.
`python -m tests.ui.test_golden_scenes` makes the pictures anew: look at them before you commit them.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

import pygame
import pytest
from PIL import Image

from games.registry import GAMES
from tests import waiting
from tests.ui.scenes import SCENES, untimed
from tests.ui.stage import Make, Stage, still
from tests.ui.test_golden import FOLDER, alike
from ui.home.screen import Home
from ui.learn.learn import Learn
from ui.library.screen import LibraryScreen
from ui.toolkit.dialogs import Question
from ui.window.screen import Screen

pytestmark = pytest.mark.skipif(sys.platform == "darwin", reason="keys have other names there")

CHANGING = {"play bones", "play watched", "replay depths", "replay cluster", "learn engine"}
"""Scenes that show a search that goes on, or the time that one took."""

SIZE, REDUCED, BLOCK = (960, 640), (240, 160), 2
OVERLAYS: dict[str, Callable[[Stage], object]] = {
    "keys over a game": lambda stage: stage.app.show_keys(),
    "menu over a game": lambda stage: stage.push("menu"),
    "question over a game": lambda stage: setattr(
        stage.app, "overlay", Question(stage.app.window, "A question", "With a message. " * 9, "Yes")
    ),
}
PICTURED = {"gomoku", "tictactoe", "bones", "connect4"}
"""The games of the pictures: one more changes none."""
NAMES = [*(name for name in SCENES if name not in CHANGING), *OVERLAYS]


def kept(name: str) -> Path:
    return FOLDER / "scenes" / f"{name.replace(' ', '_')}.webp"


class AtOnce:
    """An executor without threads, so that pictures do not depend on timing."""

    def __init__(self, *_: object) -> None: ...

    def submit(self, task: Callable[..., object], *arguments: object) -> Future[object]:
        done: Future[object] = Future()
        done.set_result(task(*arguments))
        return done

    def shutdown(self, **_: object) -> None: ...


def drawn(stage: Stage, name: str) -> pygame.Surface:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ui.parts.knowledge.ThreadPoolExecutor", AtOnce)
        for folder in ("saves", "config", "log"):
            patch.setattr(f"ui.settings.screen.{folder}_home", lambda name=folder: Path(f"/home/ada/{name}"))
        patch.setattr("ui.settings.screen.VERSION", "1.2.3")
        random.seed(1)  # what plays on the home screen
        for game in GAMES.keys() - PICTURED:
            patch.delitem(GAMES, game)
        return _drawn(stage, name)


def at_rest(screen: Screen) -> bool:
    """Whether nothing on the screen moves or is still being loaded, games of the library included."""
    if isinstance(screen, Home):
        return screen.wake(0.0) is None
    return still(screen) and not (isinstance(screen, LibraryScreen) and screen.state.games.busy)


def _drawn(stage: Stage, name: str) -> pygame.Surface:
    screen = stage.show(SCENES[name if name in SCENES else "play small"](stage))
    stage.until(lambda: at_rest(screen))
    if isinstance(screen, Learn):
        untimed(screen.explorer)
        stage.frame(2)
    if name in OVERLAYS:
        OVERLAYS[name](stage)
        stage.frame(2)
    return pygame.transform.smoothscale(stage.app.surface, REDUCED)


@pytest.mark.parametrize("name", NAMES)
def test_a_screen_looks_as_it_did(stage: Make, name: str, tmp_path: Path) -> None:
    surface = drawn(stage(SIZE), name)
    if not alike(surface, pygame.image.load(kept(name)), BLOCK):
        pygame.image.save(surface, tmp_path / f"{name}.png")
        pytest.fail(f"It looks different: compare {kept(name)} with {tmp_path}")


def main() -> None:
    waiting.PATIENCE = 3600.0  # on a busy machine all searches took longer than a test may
    for name in NAMES:
        with tempfile.TemporaryDirectory() as home:
            os.environ["TENGEN_HOME"] = home
            stage = Stage(Path(home), SIZE, 100, "ink", "en")
            pixels = pygame.image.tobytes(drawn(stage, name), "RGB")
            Image.frombytes("RGB", REDUCED, pixels).save(kept(name), lossless=True, method=6)
            stage.app.scene.close()
            stage.app.close()


if __name__ == "__main__":
    main()
