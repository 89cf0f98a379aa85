"""The home screen: the games that play on its cards."""

from __future__ import annotations

import os
import time

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

from tests.ui.stage import Make
from ui.scenes.home import Home


def test_the_games_on_the_cards_begin_one_after_the_other(stage: Make) -> None:
    """Three engines that begin at once would hold up the frame in which the screen opens."""
    made = stage()
    made.app.settings.motion = True
    opened = time.monotonic()
    scene = Home(made.app)
    made.show(scene)
    thinking = []
    for after in (0.0, 1.0, 1.5, 9.0):
        scene.update(opened + after)
        thinking.append(sum(demo.match.thinking for demo in scene.demos))
        assert scene.wake(opened + after) is not None
    assert thinking == sorted(thinking)
    assert (thinking[0], thinking[-1]) == (0, len(scene.demos))
    scene.leave()


def test_without_motion_nobody_plays_on_the_cards(stage: Make) -> None:
    made = stage()
    scene = Home(made.app)
    made.show(scene)
    scene.update(time.monotonic() + 9.0)
    assert not any(demo.match.thinking for demo in scene.demos)
    assert scene.wake(time.monotonic()) is None
